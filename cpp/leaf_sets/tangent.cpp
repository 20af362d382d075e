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

#include "leaf_sets/roc_area.hpp"
#include "leaf_sets/rounding.hpp"

namespace ostrya::leaf_sets {
namespace {

/// References tried, each the best tree under the one before.
constexpr int n_references = 6;
/// Groups looked at while leaves are completed; beyond that one step is looked ahead.
constexpr std::uint64_t most_work = 50'000'000;
/// Levels of the recursion; beyond that too.
constexpr std::uint32_t most_levels = 200;

}  // namespace

/// Take the hull of the tree with these splits as the reference.
void RocArea::touch(const std::vector<std::uint32_t>& splits) {
    std::vector<LeafSet::Entry> entries{{LeafCache::root, none, 0}};
    for (const std::uint32_t index : splits) {
        const LeafSplit& split = leaves_.split(index);
        std::erase_if(entries,
                      [&](const auto& entry) { return entry.leaf == split.leaf; });
        entries.push_back({split.yes, index, 0});
        entries.push_back({split.no, index, 0});
    }
    sort_leaves(entries);
    stretches_.clear();
    constant_ = 0;
    const __int128 den = reach_.denominator;
    Weight passed = 0;
    for (const LeafVector& vector : vectors_) {
        if (vector.negatives == 0) continue;
        const Weight room = reach_.negatives - passed * reach_.denominator;
        const Weight width = std::min(vector.negatives * reach_.denominator, room);
        if (width <= 0) break;
        stretches_.push_back({vector, width});
        constant_ +=
            rounded_up(static_cast<__int128>(reach_.resolution) * vector.positives *
                           width * (2 * den * passed + width),
                       den * den * vector.negatives);
        passed += vector.negatives;
    }
    const std::size_t n_groups = leaves_.table().n_groups;
    group_terms_.resize(n_groups);
    for (std::uint32_t group = 0; group < n_groups; ++group) {
        group_terms_[group] = term(group_vector(group));
    }
    completion_.clear();
    best_split_.clear();
    work_left_ = most_work;
    is_touching_ = true;
}

/// What a leaf adds to the bound: 2 * sum over stretches of width * min(p, slope * n).
Weight RocArea::term(const LeafVector& vector) const {
    Weight total = 0;
    for (const Stretch& stretch : stretches_) {
        const Weight pairs = misranked(vector, stretch.slope);
        const Weight whole = stretch.slope.negatives * reach_.denominator;
        total += stretch.width == whole
                     ? 2 * reach_.resolution * pairs
                     : rounded_down(static_cast<__int128>(2 * reach_.resolution) *
                                        stretch.width * pairs,
                                    whole);
    }
    return total;
}

/// The least that a leaf and all that may grow from it add to the bound.
Cost RocArea::complete(std::uint32_t leaf, std::uint32_t depth) {
    if (completion_.size() <= leaf) {
        completion_.resize(leaves_.size(), -1);
        best_split_.resize(leaves_.size(), none);
    }
    if (completion_[leaf] >= 0) return completion_[leaf];
    const Cost as_leaf = leaf_term(leaf);
    Cost least = as_leaf;
    if (!Hull::is_finished(leaf)) {
        const std::span<const std::uint32_t> groups = leaves_.groups(leaf);
        Weight apart = 0;
        for (const std::uint32_t group : groups) apart += group_terms_[group];
        const Cost two = scale_.cost(apart, 2);
        const std::uint64_t work = groups.size() * leaves_.table().splits.size();
        if (two < as_leaf && (work > work_left_ || depth > most_levels)) {
            least = two;
        } else if (two < as_leaf) {
            if (leaves_.is_stopped()) return two;
            work_left_ -= work;
            const auto [first, last] = leaves_.splits(leaf);
            if (!leaves_.at(leaf).is_expanded) return std::min(as_leaf, two);
            std::uint32_t best = none;
            for (std::uint32_t index = first; index < last; ++index) {
                const LeafSplit split = leaves_.split(index);
                const Cost yes = complete(split.yes, depth + 1);
                const Cost both = yes + complete(split.no, depth + 1);
                if (both < least) {
                    least = both;
                    best = index;
                }
            }
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
    LeafSet root;
    root.open.push_back({LeafCache::root, none, 0});
    std::size_t best = 0;
    Cost highest = -1;
    for (int round = 0; round < n_references; ++round) {
        touch(tried.back());
        const Cost bound = tangent(root);
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
