#include "greedy/growth.hpp"

#include <algorithm>
#include <numeric>

#include "tuning/tuning.hpp"

namespace ostrya {
namespace {

/// A split has to better the purity by more than rounding.
constexpr double least_gain = 1e-9;

/// What a row of each label can lose at most by its label.
Vector<double> reach_of_labels(const Request& request, MemoryBudget& memory) {
    Vector<double> out(request.n_labels, 0.0, memory);
    if (request.gains != nullptr) return out;  // labels have no costs
    for (std::size_t label = 0; label < out.size(); ++label) {
        const std::int64_t* costs = request.costs + label * request.n_labels;
        const auto [least, most] = std::minmax_element(costs, costs + request.n_labels);
        out[label] = static_cast<double>(*most - *least);
    }
    return out;
}

}  // namespace

Growth::Growth(const Request& request, const Sample& sample, MemoryBudget& memory)
    : request_(request),
      sample_(sample),
      n_labels_(request.n_labels),
      mass_(sample.size(), 0.0, memory),
      label_(sample.size(), 0, memory),
      open_of_(sample.size(), 0, memory),
      open_(memory),
      total_(memory),
      yes_(memory) {
    const Vector<double> reach = reach_of_labels(request, memory);
    for (std::uint32_t place = 0; place < sample.size(); ++place) {
        const std::size_t row = sample.row(place);
        if (request.gains != nullptr) {
            // Greedy trees see only the best label of a row, and what it gains.
            const std::span<const Weight> gains = request.gains_of(row);
            const auto best = std::max_element(gains.begin(), gains.end());
            label_[place] = static_cast<std::int32_t>(best - gains.begin());
            mass_[place] = static_cast<double>(*best);
            continue;
        }
        label_[place] = request.codes[row];
        // At most 2^60 (`most_scaled_loss`), as is the sum over all rows. Squares and
        // products of such sums are far within the range of floats, and their rounding
        // only matters to which splits are tried: trees are counted in integers.
        mass_[place] = static_cast<double>(request.weight(row)) *
                       reach[static_cast<std::size_t>(label_[place])];
    }
    const double share = static_cast<double>(sample.size()) /
                         static_cast<double>(request.values.n_rows());
    least_rows_ = std::max(
        1u, static_cast<std::uint32_t>(share * request.min_samples_leaf + 0.999));
}

FoundTree Growth::grow(std::optional<std::uint32_t> root_feature,
                       const StopCheck& is_stopped) {
    FoundTree tree;
    tree.nodes.emplace_back();
    open_.assign(1, Open{});
    std::fill(open_of_.begin(), open_of_.end(), 0);
    const std::uint32_t depth =
        std::min(FixedTuning::most_greedy_depth, request_.limits.reachable_depth());
    for (std::uint32_t level = 0; level < depth; ++level) {
        sum_level();
        for (std::uint32_t feature = 0; feature < sample_.n_sorted(); ++feature) {
            if (level == 0 && root_feature && feature != *root_feature) continue;
            if (sample_.begins_pass(feature) && is_stopped()) {
                if (level > 0) return tree;
                if (open_[0].has_split) break;  // some split there must be
            }
            sweep(feature);
        }
        if (!split_level(tree)) break;
    }
    return tree;
}

std::size_t Growth::most_open() const {
    return std::max<std::size_t>(2,
                                 std::min(FixedTuning::most_greedy_leaves,
                                          FixedTuning::most_greedy_sums / n_labels_));
}

/// What the open leaves hold of each label.
void Growth::sum_level() {
    total_.assign(open_.size() * n_labels_, 0.0);
    for (std::uint32_t place = 0; place < sample_.size(); ++place) {
        if (open_of_[place] == closed) continue;
        Open& open = open_[open_of_[place]];
        total_[open_of_[place] * n_labels_ + static_cast<std::size_t>(label_[place])] +=
            mass_[place];
        open.mass += mass_[place];
        ++open.n;
    }
    for (std::size_t at = 0; at < open_.size(); ++at) {
        const double* total = total_.data() + at * n_labels_;
        open_[at].squares = std::inner_product(total, total + n_labels_, total, 0.0);
        const double purity =
            open_[at].mass > 0 ? open_[at].squares / open_[at].mass : 0.0;
        open_[at].purity = purity + least_gain * open_[at].mass;
    }
}

/// Look at every split by one feature of every open leaf.
void Growth::sweep(std::uint32_t feature) {
    yes_.assign(total_.size(), 0.0);
    for (Open& open : open_) {
        open.yes_mass = open.yes_squares = 0;
        open.no_squares = open.squares;
        open.n_yes = 0;
    }
    std::uint32_t run = 0;
    sample_.for_each(feature, [&](std::uint32_t place, bool is_new) {
        run += is_new ? 1 : 0;
        const std::uint32_t at = open_of_[place];
        if (at == closed) return;
        Open& open = open_[at];
        if (open.n_yes > 0 && open.run != run) offer(open, feature);
        const std::size_t slot =
            at * n_labels_ + static_cast<std::size_t>(label_[place]);
        const double mass = mass_[place];
        open.yes_squares += mass * (2 * yes_[slot] + mass);
        open.no_squares -= mass * (2 * (total_[slot] - yes_[slot]) - mass);
        yes_[slot] += mass;
        open.yes_mass += mass;
        ++open.n_yes;
        open.last = place;
        open.run = run;
    });
    if (!sample_.is_level(feature)) return;
    for (Open& open : open_) {
        if (open.n_yes > 0) offer(open, feature);
    }
}

/// Take the split after the last row, if it is purer.
void Growth::offer(Open& open, std::uint32_t feature) const {
    if (open.n_yes < least_rows_ || open.n - open.n_yes < least_rows_) return;
    const double no_mass = open.mass - open.yes_mass;
    if (!(open.yes_mass > 0 && no_mass > 0)) return;
    const double purity = open.yes_squares / open.yes_mass + open.no_squares / no_mass;
    if (purity <= open.purity) return;
    open.purity = purity;
    open.feature = feature;
    open.cut = sample_.value(open.last, feature);
    open.has_split = true;
}

/// Split the open leaves, those that gain most first; false when none is.
bool Growth::split_level(FoundTree& tree) {
    Vector<std::uint32_t> order(open_.get_allocator());
    for (std::uint32_t at = 0; at < open_.size(); ++at) {
        if (open_[at].has_split) order.push_back(at);
    }
    const auto gain = [&](std::uint32_t at) {
        return open_[at].purity - open_[at].squares / open_[at].mass;
    };
    std::stable_sort(order.begin(), order.end(), [&](std::uint32_t a, std::uint32_t b) {
        return gain(a) > gain(b);
    });
    const std::size_t n_leaves = (tree.nodes.size() + 1) / 2;
    const std::size_t most = std::min<std::size_t>(request_.limits.leaves, most_open());
    order.resize(std::min(order.size(), most > n_leaves ? most - n_leaves : 0));
    Vector<Open> children(open_.get_allocator());
    Vector<std::uint32_t> yes_of(open_.size(), closed, open_.get_allocator());
    for (const std::uint32_t at : order) {
        const auto first = static_cast<std::uint32_t>(tree.nodes.size());
        yes_of[at] = static_cast<std::uint32_t>(children.size());
        tree.nodes[open_[at].node] = {false, open_[at].feature, open_[at].cut, first,
                                      first + 1};
        for (const std::uint32_t node : {first, first + 1}) {
            tree.nodes.emplace_back();
            children.emplace_back().node = node;
        }
    }
    for (std::uint32_t place = 0; place < sample_.size(); ++place) {
        const std::uint32_t at = open_of_[place];
        if (at == closed) continue;
        open_of_[place] = yes_of[at];
        if (yes_of[at] == closed) continue;
        const Open& open = open_[at];
        if (sample_.value(place, open.feature) > open.cut) ++open_of_[place];
    }
    open_ = std::move(children);
    return !open_.empty();
}

}  // namespace ostrya
