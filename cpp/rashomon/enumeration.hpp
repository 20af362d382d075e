/// Counts all trees within a threshold of cost, by cost and leaves, over shared row
/// sets.
///
/// Costs are counted above the loss that no tree avoids, so that a tree of `h` leaves
/// costs at least `h` penalties (B1). A row set is asked for all its trees within a
/// *scope*: what its parent may spend less what its sibling costs at least. First the
/// least cost of either child is found, by branch and bound; a split whose children
/// cost more than the scope is dismissed, together with the cuts beyond it that cost as
/// much by B4 and B5. Then the trees of both children are counted, and every pair of
/// them that is within the scope adds the product of its counts.
///
/// Bounds B2 and B3 are off: they dismiss trees that no optimum needs, and which belong
/// to the set all the same. The last two levels are not visited node by node: the loss
/// of every pair of splits is counted at once, and counted again when a tree is asked
/// for.
#pragma once

#include <deque>
#include <vector>

#include "rashomon/least_costs.hpp"

namespace ostrya::rashomon {

struct Request {
    Cost most = 0;  // trees that cost no more are wanted; the base is not included
    /// Whether two sibling leaves may have the same label.
    bool allows_equal_siblings = true;
};

template <class Sum, class Count>
class Enumeration {
public:
    Enumeration(const Problem& problem, const Request& request, StopSign& stop,
                MemoryBudget& memory);

    /// Count the trees that cost at most `most`, and at most what was requested. False
    /// if stopped: what was counted before is still valid then.
    bool count_to(Cost most);

    /// All trees that cost at most this, the base included, are counted. Less than
    /// zero: none are.
    Cost complete_to() const { return complete_to_; }

    static constexpr std::uint32_t root = 0;  // the record of all rows
    const Records<Count>& records() const { return costs_.records; }
    const Problem& problem() const { return problem_; }
    /// Its level 0 is that of all rows.
    LeastCosts<Sum, Count>& costs() { return costs_; }
    /// Scratch for one row set at a time.
    Level<Sum>& spare_level() { return spare_; }
    bool allows_equal_siblings() const { return request_.allows_equal_siblings; }
    Scope scope(Cost most) const {
        return {problem_.scale, most, problem_.limits.leaves};
    }

private:
    std::uint32_t count_child(const Child& child, std::uint32_t depth, Cost most);
    void count_level(std::uint32_t at, std::uint32_t depth, Cost most,
                     std::uint32_t record);
    void count_singles(Level<Sum>& level, Cost most, CountSums<Count>& sums);
    void count_pairs(Level<Sum>& level, Cost most, CountSums<Count>& sums);
    void count_branches(std::uint32_t at, std::uint32_t depth, Cost most,
                        CountSums<Count>& sums, Vector<Branch>& branches);
    void count_branch(std::uint32_t at, std::uint32_t split, std::uint32_t depth,
                      Cost most, Cost more, CountSums<Count>& sums,
                      Vector<Branch>& branches);
    void finish(std::uint32_t number, Cost most, CountSums<Count>& sums);
    CountSums<Count>& sums_of(std::uint32_t at);

    bool may_join(const Level<Sum>& level, std::uint32_t split) const {
        return request_.allows_equal_siblings ||
               level.yes_label[split] != level.no_label[split];
    }

    const Problem& problem_;
    Request request_;
    MemoryBudget& memory_;
    LeastCosts<Sum, Count> costs_;
    Level<Sum> spare_;
    std::deque<CountSums<Count>> sums_;  // by level
    bool is_built_ = false;
    Cost complete_to_ = -1;

    // Scratch of count_pairs.
    Vector<Sum> yes_two_, no_two_;
    Vector<Bucket<Count>> yes_, no_;
};

/// The trees of a child with at most two leaves, from the losses of its second splits:
/// buckets of those that lose at most `most`, and its leaf first.
template <class Sum, class Count>
void list_small_trees(Weight leaf, const Sum* two, std::uint32_t width, Weight most,
                      const Vector<std::uint32_t>& n_cuts, Vector<Bucket<Count>>& out) {
    out.clear();
    out.push_back({leaf, 1, Count{1}});
    for (std::uint32_t split = 0; split < width; ++split) {
        if (two[split] > most) continue;
        out.push_back({two[split], 2, Count{n_cuts[split]}});
    }
    if (out.size() < 3) return;
    std::sort(out.begin() + 1, out.end(),
              [](const auto& a, const auto& b) { return a.loss < b.loss; });
    std::size_t n = 2;
    for (std::size_t at = 2; at < out.size(); ++at) {
        if (out[at].loss == out[n - 1].loss) {
            add_count(out[n - 1].count, out[at].count);
        } else {
            if (n != at) out[n] = std::move(out[at]);
            ++n;
        }
    }
    out.resize(n);
}

}  // namespace ostrya::rashomon
