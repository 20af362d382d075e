/// Writes the tree at a place among all trees of a kind.
///
/// A record says how many trees begin with each of its branches; so does the place, one
/// level after the other, which branch the tree begins with, of what kinds its subtrees
/// are, and at which places among their kinds they stand.
#pragma once

#include <cassert>
#include <span>
#include <unordered_map>

#include "rashomon/last_levels.hpp"
#include "rashomon/tree_set.hpp"

namespace ostrya::rashomon {

/// The rows on one side of a cut.
inline Vector<std::uint32_t> rows_beside(const Problem& problem,
                                         const Vector<std::uint32_t>& rows,
                                         std::uint32_t column, std::uint32_t cut,
                                         bool yes) {
    Vector<std::uint32_t> out(rows.get_allocator());
    problem.splits[column].ranks.visit([&](const auto ranks) {
        for (const std::uint32_t row : rows) {
            if ((ranks[row] <= cut) == yes) out.push_back(row);
        }
    });
    return out;
}

template <class Sum, class Count>
class Unranking {
public:
    explicit Unranking(Enumeration<Sum, Count>& trees) : trees_(trees) {}

    /// The tree at this place among those of so many leaves and this loss above base.
    ListedTree tree(std::uint32_t leaves, Weight loss, Count place) {
        ListedTree out;
        write(trees_.root, trees_.costs().level(0).rows, leaves, loss, std::move(place),
              out);
        return out;
    }

private:
    using Firsts = std::vector<FirstQuestion<Count>>;
    using Rows = Vector<std::uint32_t>;

    Rows part(const Rows& rows, std::uint32_t column, std::uint32_t cut,
              bool yes) const {
        return rows_beside(trees_.problem(), rows, column, cut, yes);
    }

    static const Bucket<Count>* find(std::span<const Bucket<Count>> buckets,
                                     std::uint32_t leaves, Weight loss) {
        const auto at = std::lower_bound(
            buckets.begin(), buckets.end(), Bucket<Count>{loss, leaves, Count{}},
            [](const auto& a, const auto& b) {
                return a.leaves != b.leaves ? a.leaves < b.leaves : a.loss < b.loss;
            });
        const bool is_there =
            at != buckets.end() && at->leaves == leaves && at->loss == loss;
        return is_there ? &*at : nullptr;
    }

    /// Call `visit` with every pair of kinds of subtrees that make trees of a kind,
    /// until it returns true.
    template <class Visit>
    static bool for_each_pair(std::span<const Bucket<Count>> yes,
                              std::span<const Bucket<Count>> no, bool joins_leaves,
                              std::uint32_t leaves, Weight loss, const Visit& visit) {
        for (const Bucket<Count>& one : yes) {
            if (one.leaves >= leaves) return false;
            if (one.loss > loss) continue;
            const bool are_leaves = one.leaves == 1 && leaves == 2;
            if (are_leaves && !joins_leaves) continue;
            const auto* other = find(no, leaves - one.leaves, loss - one.loss);
            if (other != nullptr && visit(one, *other)) return true;
        }
        return false;
    }

    /// Of trees of a kind that begin with one of some questions: whether the one at
    /// `place` does, and then which question it is and which subtrees; otherwise what
    /// is left of the place.
    struct Chosen {
        std::uint32_t cut = 0;
        Bucket<Count> yes, no;  // their kinds
        Count yes_place{}, no_place{};
    };
    static bool choose(std::span<const Bucket<Count>> yes,
                       std::span<const Bucket<Count>> no, bool joins_leaves,
                       std::uint32_t first_cut, std::uint32_t n_cuts,
                       std::uint32_t leaves, Weight loss, Count& place, Chosen& out) {
        Count each{};
        for_each_pair(yes, no, joins_leaves, leaves, loss, [&](auto& a, auto& b) {
            add_count(each, times(a.count, b.count));
            return false;
        });
        if (is_zero(each)) return false;
        const Count all = times(each, Count{n_cuts});
        if (!(place < all)) {
            place -= all;
            return false;
        }
        const Count within = divide(place, each);
        const auto words = words_of(place);
        out.cut = first_cut + (words.empty() ? 0 : words[0]);
        place = within;
        return for_each_pair(yes, no, joins_leaves, leaves, loss,
                             [&](auto& a, auto& b) {
                                 const Count pairs = times(a.count, b.count);
                                 if (!(place < pairs)) {
                                     place -= pairs;
                                     return false;
                                 }
                                 out.yes = a;
                                 out.no = b;
                                 out.no_place = divide(place, b.count);
                                 out.yes_place = place;
                                 return true;
                             });
    }

    static std::int32_t write_leaf(ListedTree& out) {
        const auto at = static_cast<std::int32_t>(out.column.size());
        for (auto* each : {&out.column, &out.cut, &out.yes, &out.no}) {
            each->push_back(-1);
        }
        return at;
    }
    static std::int32_t write_split(std::uint32_t column, std::uint32_t cut,
                                    ListedTree& out) {
        const std::int32_t at = write_leaf(out);
        out.column.back() = static_cast<std::int32_t>(column);
        out.cut.back() = static_cast<std::int32_t>(cut);
        return at;
    }

    std::int32_t write(std::uint32_t number, const Rows& rows, std::uint32_t leaves,
                       Weight loss, Count place, ListedTree& out) {
        const Record<Count>& record = trees_.records()[number];
        if (leaves == 1) return write_leaf(out);
        if (record.shape == Shape::pairs) {
            return write_pairs(number, rows, leaves, loss, place, out);
        }
        for (const Branch& branch : record.branches) {
            const Record<Count>&yes = trees_.records()[branch.yes],
                  &no = trees_.records()[branch.no];
            Chosen chosen;
            if (!choose(yes.buckets, no.buckets, joins(yes, no), branch.first_cut,
                        branch.n_cuts, leaves, loss, place, chosen)) {
                continue;
            }
            const std::int32_t at = write_split(branch.column, chosen.cut, out);
            const auto below = [&](bool side, const Bucket<Count>& kind, Count its) {
                const Rows its_rows = part(rows, branch.column, branch.first_cut, side);
                return write(side ? branch.yes : branch.no, its_rows, kind.leaves,
                             kind.loss, std::move(its), out);
            };
            const std::int32_t left = below(true, chosen.yes, chosen.yes_place);
            out.yes[static_cast<std::size_t>(at)] = left;
            const std::int32_t right = below(false, chosen.no, chosen.no_place);
            out.no[static_cast<std::size_t>(at)] = right;
            return at;
        }
        assert(false);
        return -1;
    }

    bool joins(const Record<Count>& yes, const Record<Count>& no) const {
        return trees_.allows_equal_siblings() || yes.label != no.label;
    }

    std::int32_t write_pairs(std::uint32_t number, const Rows& rows,
                             std::uint32_t leaves, Weight loss, Count place,
                             ListedTree& out) {
        for (const FirstQuestion<Count>& first : firsts_of(number, rows)) {
            Chosen chosen;
            if (!choose(first.yes, first.no, first.joins_leaves, first.first_cut,
                        first.n_cuts, leaves, loss, place, chosen)) {
                continue;
            }
            const std::int32_t at = write_split(first.column, chosen.cut, out);
            const auto below = [&](bool side, const Bucket<Count>& kind, Count its) {
                if (kind.leaves == 1) return write_leaf(out);
                const auto& seconds = side ? first.yes_two : first.no_two;
                for (const SecondQuestion& second : seconds) {
                    if (second.loss != kind.loss) continue;
                    if (!(its < Count{second.n_cuts})) {
                        its -= Count{second.n_cuts};
                        continue;
                    }
                    const auto words = words_of(its);
                    const std::uint32_t cut =
                        second.first_cut + (words.empty() ? 0 : words[0]);
                    const std::int32_t split = write_split(second.column, cut, out);
                    out.yes[static_cast<std::size_t>(split)] = write_leaf(out);
                    out.no[static_cast<std::size_t>(split)] = write_leaf(out);
                    return split;
                }
                assert(false);
                return -1;
            };
            const std::int32_t left = below(true, chosen.yes, chosen.yes_place);
            out.yes[static_cast<std::size_t>(at)] = left;
            const std::int32_t right = below(false, chosen.no, chosen.no_place);
            out.no[static_cast<std::size_t>(at)] = right;
            return at;
        }
        assert(false);
        return -1;
    }

    /// Count the pairs of a row set again, and keep them for the next tree.
    const Firsts& firsts_of(std::uint32_t number, const Rows& rows) {
        if (const auto at = kept_.find(number); at != kept_.end()) return at->second;
        if (n_kept_ > most_kept) {
            kept_.clear();
            n_kept_ = 0;
        }
        Firsts firsts = list_last_levels(trees_, number, rows);
        for (const auto& first : firsts) {
            n_kept_ += 1 + first.yes_two.size() + first.no_two.size();
        }
        return kept_.emplace(number, std::move(firsts)).first->second;
    }

    static constexpr std::size_t most_kept = 2'000'000;

    Enumeration<Sum, Count>& trees_;
    std::unordered_map<std::uint32_t, Firsts> kept_;
    std::size_t n_kept_ = 0;
};

}  // namespace ostrya::rashomon
