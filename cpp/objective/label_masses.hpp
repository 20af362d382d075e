/// What rows weigh, label by label, and what they lose under each label.
///
/// A row of a classification problem has one mass: its weight, under its own label. A
/// row with costs of its own has one mass per label, what the label gains on it over
/// the worst one. Up to a constant, a label then loses the masses of all other labels
/// in both cases, so everything past this file treats them alike.
///
/// A group of equal rows has few labels, however many there are in all: only those that
/// it has are kept, so that memory follows the rows and not rows times labels.
#pragma once

#include <algorithm>
#include <cstdint>
#include <optional>
#include <span>

#include "data/groups.hpp"
#include "objective/request.hpp"

namespace ostrya {

/// Rows of one label on which a reference model, if any, says the same.
struct LabelMass {
    std::int32_t label;
    std::int32_t reference;  // the label itself unless a reference is wrong
    Weight mass;
};

/// The rows of each group by label, and how many there are.
struct GroupMasses {
    explicit GroupMasses(MemoryBudget& memory)
        : starts(memory), masses(memory), counts(memory) {}

    Vector<std::uint32_t> starts;  // of the masses of each group, and the end
    Vector<LabelMass> masses;
    Vector<std::uint32_t> counts;  // rows, whatever they weigh

    std::size_t size() const { return counts.size(); }
    std::span<const LabelMass> of(std::size_t group) const {
        return {masses.data() + starts[group], masses.data() + starts[group + 1]};
    }
};

/// The label that costs a group least (of several the first), and the span of losses.
struct LossSpan {
    Weight least = 0;
    Weight most = 0;
    std::uint32_t best = 0;

    Weight potential() const { return most - least; }
};

/// What labels cost the rows of a request.
class LabelLosses {
public:
    LabelLosses(const Request& request, MemoryBudget& memory);

    std::size_t n_labels() const { return request_.n_labels; }
    bool has_reference() const { return request_.reference != nullptr; }
    /// Call `take(mass)` for each mass of a row.
    template <class Take>
    void masses_of(std::size_t row, const Take& take) const {
        if (request_.gains != nullptr) {
            const std::span<const Weight> gains = request_.gains_of(row);
            for (std::size_t at = 0; at < gains.size(); ++at) {
                const auto label = static_cast<std::int32_t>(at);
                if (gains[at] > 0) take(LabelMass{label, label, gains[at]});
            }
            return;
        }
        const std::int32_t label = request_.codes[row];
        take(LabelMass{label, request_.reference ? request_.reference[row] : label,
                       request_.weight(row)});
    }
    /// Add what these rows lose under each label. Where a reference model is wrong
    /// (bound 9), a row loses at least what the reference loses on it.
    void add(const LabelMass& rows, Weight* loss) const;
    /// Least loss of rows of this kind, whatever their label.
    Weight least(const LabelMass& rows) const {
        const std::int64_t cheapest = cheapest_[static_cast<std::size_t>(rows.label)];
        if (rows.reference == rows.label) return rows.mass * cheapest;
        return rows.mass * std::max(cheapest, costs_of(rows.label)[rows.reference]);
    }
    /// Losses of a group under each label.
    const Vector<Weight>& of_group(std::span<const LabelMass> group);
    LossSpan span_of(std::span<const LabelMass> group);
    /// Add what each label gains over the worst one, which loses `most`.
    void add_gains(std::span<const LabelMass> group, Weight most, Weight* gains);

private:
    LossSpan plain_span(std::span<const LabelMass> group) const;
    const std::int64_t* costs_of(std::int32_t label) const {
        return request_.costs + static_cast<std::size_t>(label) * request_.n_labels;
    }

    const Request& request_;
    bool is_plain_;                  // a mistake costs one, and no mistake nothing
    Vector<std::int64_t> cheapest_;  // cost of each label's rows at least
    Vector<Weight> loss_;            // scratch of of_group
};

/// The masses of groups of rows; nothing if stopped.
std::optional<GroupMasses> sum_rows(const LabelLosses& losses,
                                    const Vector<std::uint32_t>& group_of_row,
                                    std::size_t n_groups, const StopCheck& is_stopped);

/// The same of groups of groups.
std::optional<GroupMasses> sum_groups(const GroupMasses& parts, const Groups& groups,
                                      std::size_t n_labels,
                                      const StopCheck& is_stopped);

}  // namespace ostrya
