/// L10: areas are bounded by sums over leaves, with equality at a reference hull.
///
/// With s(x) the slope of any concave reference curve at x, the hull of a tree lies
/// below each of its own supporting lines:
///     hull(x) <= s(x) x + sum over leaves of max(0, p - s(x) n).
/// Integrated up to the reach this bounds the area by a sum over the leaves of the tree
/// plus a constant of the reference. For the whole area it reads
///     loss(T) >= 2 B(T, S) - B(S, S),  B(T, S) = sum of min(p n', p' n),
/// which also follows from B being positive semidefinite. A sum over leaves can be
/// minimised leaf by leaf, so that every open leaf is charged the cheapest way to
/// complete it, and what it then costs is remembered with the leaf.
#include <algorithm>
#include <iterator>
#include <unordered_set>

#include "leaf_sets/roc_area.hpp"
#include "tuning/tuning.hpp"

namespace ostrya::leaf_sets {
namespace {

/// Levels of the recursion; beyond that too.
constexpr std::uint32_t most_completion_levels = 200;

}  // namespace

/// The stretches of the hull of the tree with these splits.
void RocArea::measure_reference(const std::vector<std::uint32_t>& splits) {
    std::unordered_set<std::uint32_t> parents;
    for (const std::uint32_t index : splits) parents.insert(leaves_.split(index).leaf);
    std::vector<LeafSet::Entry> entries;
    const auto add = [&](std::uint32_t leaf) {
        if (!parents.contains(leaf)) entries.push_back({leaf, none, 0});
    };
    add(LeafCache::root);
    for (const std::uint32_t index : splits) {
        add(leaves_.split(index).yes);
        add(leaves_.split(index).no);
    }
    sort_leaves(entries);
    stretches_.clear();
    last_ = {};
    last_width_ = 0;
    Pairs constant = 0;  // in multiples, of the area at most; rounded up
    const Pairs den = reach_.denominator;
    LeafVector passed;
    for (const LeafVector& vector : vectors_) {
        if (vector.negatives == 0) continue;
        const Pairs room = end_ - passed.negatives * den;
        const Pairs whole = vector.negatives * den;
        const Pairs width = std::min(whole, room);
        if (width <= 0) break;
        // k p w <= 2^124, since w <= t N and k P N <= 2^104; the other factor <= 2^74.
        constant += divide_product(reach_.multiple * vector.positives * width,
                                   2 * den * passed.negatives + width,
                                   den * den * vector.negatives)
                        .up();
        if (width < whole) {
            last_ = vector;
            last_width_ = width;
            break;
        }
        stretches_.push_back({vector, passed});
        passed.negatives += vector.negatives;
        passed.positives += vector.positives;
    }
    stretches_.push_back({{}, passed});
    constant_ = static_cast<Cost>(divide_product(constant, 1, reach_.divisor).up());
}

/// Take the hull of the tree with these splits as the reference; false if stopped.
bool RocArea::touch(const std::vector<std::uint32_t>& splits) {
    is_touching_ = false;
    measure_reference(splits);
    const std::size_t n_groups = leaves_.table.n_groups;
    group_terms_.resize(n_groups);
    for (std::uint32_t group = 0; group < n_groups; ++group) {
        if (leaves_.stop.is_up_before(64)) return false;
        group_terms_[group] = term(group_vector(group));
    }
    completion_.clear();
    best_split_.clear();
    work_left_ = FixedTuning::most_tangent_work;
    return is_touching_ = true;
}

/// What a leaf adds to the bound: 2 * sum over stretches of width * min(p, slope * n).
/// Along the stretches slopes fall, so the first ones charge p and the others their
/// share of n: two sums that are known.
Weight RocArea::term(const LeafVector& vector) const {
    const auto is_steep = [&](const Stretch& stretch) {
        return is_steeper(stretch.slope, vector);
    };
    const auto end = std::prev(stretches_.end());
    const auto turn = std::partition_point(stretches_.begin(), end, is_steep);
    const Pairs pairs =
        Pairs{vector.positives} * turn->before.negatives +
        Pairs{vector.negatives} * (end->before.positives - turn->before.positives);
    // Every stretch charges its share of n only where that is at most p: no more pairs
    // than the positives of the leaf have with the negatives within the reach.
    const Pairs total = 2 * reach_.multiple * pairs;
    if (last_width_ == 0) return in_units(total);
    const Quotient last =
        divide_product(2 * reach_.multiple * last_width_, misranked(vector, last_),
                       Pairs{last_.negatives} * reach_.denominator);
    return in_units(total + last.down);
}

/// The least that a leaf and all that may grow from it add to the bound. Where it is
/// stopped, something below that, which is not remembered.
Cost RocArea::complete(std::uint32_t leaf, std::uint32_t depth) {
    const Cost at_least = scale_.cost(0, 1);
    if (leaves_.stop.is_up_before(64)) return at_least;
    if (completion_.size() <= leaf) {
        completion_.resize(leaves_.size(), -1);
        best_split_.resize(leaves_.size(), none);
    }
    if (completion_[leaf] >= 0) return completion_[leaf];
    const Cost as_leaf = leaf_term(leaf);
    Cost least = as_leaf;
    if (!Hull::is_finished(leaf)) {
        if (leaves_.stop.is_up_before(leaves_.n_visited(leaf))) return at_least;
        Weight apart = 0;
        std::uint64_t n_groups = 0;
        leaves_.for_each_group(leaf, [&](std::uint32_t group) {
            apart += group_terms_[group];
            ++n_groups;
        });
        const Cost two = scale_.cost(apart, 2);
        const std::uint64_t work = n_groups * leaves_.table.splits.size();
        if (two < as_leaf && (work > work_left_ || depth > most_completion_levels)) {
            least = two;
        } else if (two < as_leaf) {
            work_left_ -= work;
            const auto [first, last] = leaves_.splits(leaf);
            std::uint32_t best = none;
            for (std::uint32_t index = first; index < last; ++index) {
                const LeafSplit split = leaves_.split(index);
                const Cost yes = complete(split.yes, depth + 1);
                const Cost both = yes + complete(split.no, depth + 1);
                if (leaves_.stop.has_stopped()) break;
                if (both < least) {
                    least = both;
                    best = index;
                }
            }
            if (leaves_.stop.has_stopped()) return std::min(as_leaf, two);
            best_split_[leaf] = best;
        }
    }
    return completion_[leaf] = least;
}

Cost RocArea::tangent(const LeafSet& set) {
    Cost total = switches_.tangent.slip - scale_.factor * constant_;
    for (const LeafSet::Entry& entry : set.fixed) total += leaf_term(entry.leaf);
    for (const LeafSet::Entry& entry : set.open) total += complete(entry.leaf, 0);
    return total;
}

/// The splits of the tree that completes a leaf.
void RocArea::trace(std::uint32_t leaf, std::vector<std::uint32_t>& splits) {
    if (leaf >= best_split_.size() || best_split_[leaf] == none) return;
    const LeafSplit split = leaves_.split(best_split_[leaf]);
    splits.push_back(best_split_[leaf]);
    trace(split.yes, splits);
    trace(split.no, splits);
}

/// Look for a reference with a high bound: the tree that is best under a reference is
/// the next one. These trees are often the best there are.
std::vector<std::vector<std::uint32_t>> RocArea::prepare(const LeafSet& incumbent) {
    if (!switches_.tangent.is_on) return {};
    std::vector<std::vector<std::uint32_t>> tried{incumbent.splits};
    const LeafSet root = LeafSet::lone_leaf();
    std::size_t best = 0;
    Cost highest = -1;
    for (int round = 0; round < FixedTuning::tangent_references; ++round) {
        if (!touch(tried.back())) return tried;
        const Cost bound = tangent(root);
        if (leaves_.stop.has_stopped()) return tried;
        if (bound > highest) {
            highest = bound;
            best = tried.size() - 1;
        }
        std::vector<std::uint32_t> splits;
        trace(LeafCache::root, splits);
        if (std::find(tried.begin(), tried.end(), splits) != tried.end()) break;
        tried.push_back(std::move(splits));
    }
    touch(tried[best]);
    return tried;
}

}  // namespace ostrya::leaf_sets
