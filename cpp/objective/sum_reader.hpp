/// Sums over sets of rows, and what they say of the rows as a leaf or as two.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>

#include "objective/problem.hpp"

namespace ostrya {

/// Sums over sets of rows, read the way a problem lays them out.
template <class Sum>
class SumReader {
public:
    explicit SumReader(const Problem& problem)
        : layout_(problem.layout),
          min_count_(problem.min_samples_leaf),
          // Rows without potential are left out unless rows are counted, so a child
          // without potential is empty: never a split, whatever the switches say.
          floor_(problem.layout.keeps_every_row()
                     ? problem.support_floor
                     : std::max<Weight>(problem.support_floor, 0)) {}

    std::uint32_t size() const { return layout_.size(); }
    const SumLayout& layout() const { return layout_; }
    Weight floor() const { return floor_; }
    Weight min_count() const { return min_count_; }

    // The same for kernels. No sum is as large as what either is cut down to, so that
    // comparisons come out alike.

    Sum kernel_floor() const { return cut_down(floor_); }
    Sum kernel_min_count() const { return cut_down(min_count_); }

    Weight potential(const Sum* sums, std::size_t stride) const {
        if (layout_.is_binary()) return static_cast<Weight>(sums[0]) + sums[stride];
        return sums[layout_.potential_slot() * stride];
    }

    /// Loss of these rows as one leaf, above the base.
    Weight loss(const Sum* sums, std::size_t stride) const {
        if (layout_.is_binary()) return std::min(sums[0], sums[stride]);
        Sum gain = sums[0];
        for (std::uint32_t label = 1; label < layout_.n_labels; ++label) {
            gain = std::max(gain, sums[label * stride]);
        }
        return sums[layout_.potential_slot() * stride] - gain;
    }

    /// Losses of both sides of `n` splits as leaves, side by side so that compilers
    /// make vectors of them. `yes` has the sums of the yes sides, `total` of all rows.
    void side_losses(const Sum* yes, std::size_t stride, const Sum* total,
                     std::size_t n, Sum* yes_loss, Sum* no_loss) const {
        if (layout_.is_binary()) {
            const Sum* other = yes + stride;
            for (std::size_t at = 0; at < n; ++at) {
                yes_loss[at] = std::min(yes[at], other[at]);
                no_loss[at] = std::min(total[0] - yes[at], total[1] - other[at]);
            }
            return;
        }
        for (std::size_t at = 0; at < n; ++at) {
            yes_loss[at] = yes[at];  // the gains, for now
            no_loss[at] = total[0] - yes[at];
        }
        for (std::uint32_t label = 1; label < layout_.n_labels; ++label) {
            const Sum* gain = yes + label * stride;
            for (std::size_t at = 0; at < n; ++at) {
                yes_loss[at] = std::max(yes_loss[at], gain[at]);
                no_loss[at] = std::max(no_loss[at], total[label] - gain[at]);
            }
        }
        const Sum* potential = yes + layout_.potential_slot() * stride;
        const Sum all = total[layout_.potential_slot()];
        for (std::size_t at = 0; at < n; ++at) {
            yes_loss[at] = potential[at] - yes_loss[at];
            no_loss[at] = all - potential[at] - no_loss[at];
        }
    }

    /// True when these rows may form a leaf: there are some, and enough.
    bool may_be_leaf(const Sum* sums, std::size_t stride) const {
        if (layout_.counts_rows) {
            return sums[layout_.count_slot() * stride] >= static_cast<Sum>(min_count_);
        }
        return presence(sums, stride) > 0;
    }

    /// True when both sides of a split may form leaves; `total` has the sums of both.
    bool may_part(const Sum* yes, std::size_t stride, const Sum* total) const {
        const auto is_enough = [](Weight part, Weight all, Weight least) {
            return part >= least && all - part >= least;
        };
        if (layout_.counts_rows) {
            const std::size_t slot = layout_.count_slot();
            return is_enough(yes[slot * stride], total[slot], min_count_);
        }
        return is_enough(presence(yes, stride), presence(total, 1), 1);
    }

    /// A number above zero for every set of rows but the empty one. Where rows are not
    /// counted, it adds up over disjoint sets.
    Weight presence(const Sum* sums, std::size_t stride) const {
        if (layout_.n_masses > 0) return mass(sums, stride);
        if (!layout_.marks_rows) return potential(sums, stride);
        return potential(sums, stride) + sums[layout_.mark_slot() * stride];
    }

    /// A number that grows with every row: nested sets that agree in it are equal.
    Weight extent(const Sum* sums, std::size_t stride) const {
        return layout_.counts_rows ? sums[layout_.count_slot() * stride]
                                   : mass(sums, stride);
    }

    /// What these rows weigh, whatever their labels cost.
    Weight mass(const Sum* sums, std::size_t stride) const {
        const Sum* masses = sums + layout_.mass_slot() * stride;
        Weight total = 0;
        for (std::uint32_t label = 0; label < layout_.n_labels; ++label) {
            total += masses[label * stride];
        }
        if (layout_.marks_rows) total += sums[layout_.mark_slot() * stride];
        return total;
    }

private:
    static Sum cut_down(Weight limit) {
        return static_cast<Sum>(
            std::min<Weight>(limit, std::numeric_limits<Sum>::max()));
    }

    SumLayout layout_;
    std::uint32_t min_count_;
    Weight floor_;
};

}  // namespace ostrya
