#include "leaf_sets/monotone.hpp"

#include <algorithm>

#include "tuning/tuning.hpp"

namespace ostrya::leaf_sets {
namespace {

/// Labelings of a tree that are kept beside each other, times its leaves: weights of
/// many digits make fronts that double with every leaf. The recount takes a few more.
constexpr std::size_t most_labelings = std::size_t{1} << 19;

using Front = Monotone::Front;

/// Every sum of a point of each, without those that another beats.
Front add(const Front& a, const Front& b) {
    Front all(a.get_allocator());
    all.reserve(a.size() * b.size());
    for (const auto& [fp, fn] : a) {
        for (const auto& [more_fp, more_fn] : b) {
            all.emplace_back(fp + more_fp, fn + more_fn);
        }
    }
    std::sort(all.begin(), all.end());
    Front out(a.get_allocator());
    for (const Monotone::Counts& point : all) {
        if (out.empty() || point.second < out.back().second) out.push_back(point);
    }
    return out;
}

/// Fewer points, none of which is beaten by a point left out: neighbours are replaced
/// by the least of both counts.
Front coarsen(const Front& front) {
    if (front.size() <= FixedTuning::most_bound_points) return front;
    Front out(front.get_allocator());
    for (std::size_t part = 0; part < FixedTuning::most_bound_points; ++part) {
        const std::size_t first = part * front.size() / FixedTuning::most_bound_points;
        const std::size_t last =
            (part + 1) * front.size() / FixedTuning::most_bound_points - 1;
        out.emplace_back(front[first].first, front[last].second);
    }
    return out;
}

}  // namespace

Monotone::Monotone(LeafCache& leaves, Cost penalty, const Options& options, Loss loss)
    : leaves_(leaves),
      penalty_(penalty),
      switches_(options.switches),
      loss_(std::move(loss)),
      apart_(leaves.memory),
      nothing_(front_of({{0, 0}})),
      remembered_(leaves.memory) {}

SplitRule Monotone::rule(const Options& options) {
    SplitRule rule;
    rule.fewest_rows = options.min_samples_leaf;
    return rule;
}

Cost Monotone::ask(const Counts& counts) {
    const auto [place, is_new] = remembered_.try_emplace(counts, 0);
    if (is_new) place->second = loss_(counts.first, counts.second);
    return place->second;
}

/// The least loss of a front. The caller's function may be slow: where it is stopped,
/// what there is by then.
Cost Monotone::least(const Front& front) {
    Cost least = unreachable;
    for (const Counts& counts : front) {
        if (leaves_.stop.is_up()) break;
        least = std::min(least, ask(counts));
    }
    return least;
}

Front Monotone::front_of(std::initializer_list<Counts> points) const {
    return {points, leaves_.memory};
}

/// Label 0 overlooks the positives, label 1 raises alarm at the negatives.
Front Monotone::as_leaf(std::uint32_t leaf) const {
    const Sums sums = leaves_.sums(leaf);
    const Weight positives = sums[0], negatives = sums[1];
    if (positives == 0 || negatives == 0) return nothing_;
    return front_of({{0, positives}, {negatives, 0}});
}

/// The front of a leaf whose groups of equal rows are labelled one by one (L3), or one
/// that is below every labeling.
const Front& Monotone::apart(std::uint32_t leaf) {
    if (apart_.size() <= leaf) apart_.resize(leaves_.size(), front_of({}));
    if (!apart_[leaf].empty()) return apart_[leaf];
    Front front = nothing_;
    if (switches_.equivalent_points.is_on) {
        for (const std::uint32_t group : leaves_.groups(leaf)) {
            const Sums sums = leaves_.table.group(group);
            if (leaves_.stop.is_up_before(64 * front.size())) return nothing_;
            if (sums[0] == 0 || sums[1] == 0) continue;
            front = coarsen(add(front, front_of({{0, sums[0]}, {sums[1], 0}})));
        }
    }
    return apart_[leaf] = std::move(front);
}

Cost Monotone::unavoidable() {
    const Cost found = least(apart(LeafCache::root));
    return leaves_.stop.has_stopped() ? 0 : found;
}

Cost Monotone::cost(const LeafSet& set) {
    Front front = nothing_;
    for (const auto* entries : {&set.fixed, &set.open}) {
        for (const LeafSet::Entry& entry : *entries) {
            front = add(front, as_leaf(entry.leaf));
            if (set.size() == 1) break;
            if (front.size() > most_labelings / set.size()) return unreachable;
            if (leaves_.stop.is_up_before(64 * front.size())) return unreachable;
        }
    }
    if (set.size() > 1) {
        const Cost found = least(front);
        return leaves_.stop.has_stopped() ? unreachable : found + penalty_ * set.size();
    }
    // The lone leaf is weighed however short the time is.
    Cost found = unreachable;
    for (const Counts& counts : front) found = std::min(found, ask(counts));
    return found + penalty_;
}

Cost Monotone::lower(const LeafSet& set) {
    Front front = nothing_;
    for (const LeafSet::Entry& entry : set.fixed) {
        front = coarsen(add(front, as_leaf(entry.leaf)));
    }
    for (const LeafSet::Entry& entry : set.open) {
        front = coarsen(add(front, apart(entry.leaf)));
    }
    const bool is_split = switches_.look_ahead.is_on && !set.open.empty();
    const Cost slip = is_split ? switches_.look_ahead.slip : 0;
    const Cost penalties = penalty_ * (set.size() + (is_split ? 1 : 0)) + slip;
    const Cost found = least(front);
    return leaves_.stop.has_stopped() ? penalties : found + penalties;
}

bool Monotone::is_finished(std::uint32_t leaf) {
    const Sums sums = leaves_.sums(leaf);
    return sums[0] == 0 || sums[1] == 0;
}

}  // namespace ostrya::leaf_sets
