#include "objective/label_masses.hpp"

#include <algorithm>
#include <tuple>
#include <utility>

namespace ostrya {
namespace {

bool is_plain(const Request& request) {
    const std::size_t k = request.n_labels;
    for (std::size_t at = 0; at < k * k; ++at) {
        if (request.costs[at] != (at / k == at % k ? 0 : 1)) return false;
    }
    return true;
}

/// Adds up the masses of one group at a time.
class MassCollector {
public:
    MassCollector(GroupMasses& out, std::size_t n_labels, MemoryBudget& memory)
        : out_(out), place_(n_labels, 0, memory) {}

    void start() {
        out_.starts.push_back(static_cast<std::uint32_t>(out_.masses.size()));
        count_ = 0;
    }
    void add(const LabelMass& rows) {
        if (rows.mass == 0) return;
        std::uint32_t& place = place_[static_cast<std::size_t>(rows.label)];
        const bool is_right = rows.reference == rows.label;
        if (is_right && place > 0) {
            out_.masses[place - 1].mass += rows.mass;
            return;
        }
        out_.masses.push_back(rows);
        if (is_right) place = static_cast<std::uint32_t>(out_.masses.size());
    }
    void add_rows(std::uint32_t n) { count_ += n; }
    /// Masses in the order of labels, each once.
    void finish() {
        const auto begin = out_.masses.begin() + out_.starts.back();
        const auto key = [](const LabelMass& rows) {
            return std::tuple(rows.label, rows.reference);
        };
        // Places are those of this group alone, and of masses not yet sorted.
        for (auto each = begin; each != out_.masses.end(); ++each) {
            place_[static_cast<std::size_t>(each->label)] = 0;
        }
        if (out_.masses.end() - begin > 1) {
            std::sort(begin, out_.masses.end(),
                      [&](const auto& a, const auto& b) { return key(a) < key(b); });
            auto last = begin;
            for (auto each = begin + 1; each != out_.masses.end(); ++each) {
                if (key(*each) == key(*last)) {
                    last->mass += each->mass;
                } else {
                    *++last = *each;
                }
            }
            out_.masses.erase(last + 1, out_.masses.end());
        }
        out_.counts.push_back(count_);
    }

private:
    GroupMasses& out_;
    Vector<std::uint32_t> place_;  // of each label's mass where it is right, and one
    std::uint32_t count_ = 0;
};

/// The members of each group, group after group, and where those of each begin.
struct Members {
    Members(const Vector<std::uint32_t>& group_of, std::size_t n_groups)
        : starts(n_groups + 1, 0, group_of.get_allocator()),
          list(group_of.size(), 0, group_of.get_allocator()) {
        for (const std::uint32_t group : group_of) ++starts[group + 1];
        for (std::size_t at = 1; at < starts.size(); ++at) starts[at] += starts[at - 1];
        Vector<std::uint32_t> next = starts;
        for (std::uint32_t at = 0; at < group_of.size(); ++at) {
            list[next[group_of[at]]++] = at;
        }
    }
    Vector<std::uint32_t> starts, list;
};

/// Add up members by group; `add(collector, member)` adds one.
template <class Add>
std::optional<GroupMasses> collect(const Vector<std::uint32_t>& group_of,
                                   std::size_t n_groups, std::size_t n_labels,
                                   const StopCheck& is_stopped, const Add& add) {
    MemoryBudget& memory = group_of.get_allocator().budget();
    GroupMasses out(memory);
    out.starts.reserve(n_groups + 1);
    out.counts.reserve(n_groups);
    out.masses.reserve(n_groups);
    MassCollector collector(out, n_labels, memory);
    std::optional<Members> members;
    if (n_groups < group_of.size()) members.emplace(group_of, n_groups);
    for (std::uint32_t group = 0; group < n_groups; ++group) {
        if (is_stopped_at(group, is_stopped)) return {};
        collector.start();
        if (members) {
            for (std::uint32_t at = members->starts[group];
                 at < members->starts[group + 1]; ++at) {
                add(collector, members->list[at]);
            }
        } else {
            add(collector, group);  // each is a group of its own, in order
        }
        collector.finish();
    }
    out.starts.push_back(static_cast<std::uint32_t>(out.masses.size()));
    return out;
}

/// Add up rows in a table of groups and labels, which is not much longer than the rows.
std::optional<GroupMasses> sum_in_table(const LabelLosses& losses,
                                        const Vector<std::uint32_t>& group_of_row,
                                        std::size_t n_groups,
                                        const StopCheck& is_stopped) {
    MemoryBudget& memory = group_of_row.get_allocator().budget();
    const std::size_t k = losses.n_labels();
    GroupMasses out(memory);
    out.counts.assign(n_groups, 0);
    Vector<Weight> table(n_groups * k, 0, memory);
    for (std::size_t row = 0; row < group_of_row.size(); ++row) {
        if (is_stopped_at(row, is_stopped)) return {};
        ++out.counts[group_of_row[row]];
        Weight* sums = table.data() + group_of_row[row] * k;
        losses.masses_of(row, [&](const LabelMass& rows) {
            sums[static_cast<std::size_t>(rows.label)] += rows.mass;
        });
    }
    out.starts.reserve(n_groups + 1);
    out.masses.reserve(n_groups);
    for (std::size_t group = 0; group < n_groups; ++group) {
        out.starts.push_back(static_cast<std::uint32_t>(out.masses.size()));
        for (std::int32_t label = 0; label < static_cast<std::int32_t>(k); ++label) {
            const Weight mass = table[group * k + static_cast<std::size_t>(label)];
            if (mass > 0) out.masses.push_back({label, label, mass});
        }
    }
    out.starts.push_back(static_cast<std::uint32_t>(out.masses.size()));
    return out;
}

}  // namespace

LabelLosses::LabelLosses(const Request& request, MemoryBudget& memory)
    : request_(request),
      is_plain_(request.gains != nullptr || is_plain(request)),
      cheapest_(request.n_labels, 0, memory),
      loss_(request.n_labels, 0, memory) {
    if (request.gains != nullptr) return;
    for (std::size_t label = 0; label < cheapest_.size(); ++label) {
        const std::int64_t* costs = costs_of(static_cast<std::int32_t>(label));
        cheapest_[label] = *std::min_element(costs, costs + request.n_labels);
    }
}

void LabelLosses::add(const LabelMass& rows, Weight* loss) const {
    const std::size_t k = n_labels();
    const std::int64_t* costs = costs_of(rows.label);
    if (rows.reference == rows.label) {
        for (std::size_t at = 0; at < k; ++at) loss[at] += rows.mass * costs[at];
        return;
    }
    const std::int64_t least = costs[rows.reference];
    for (std::size_t at = 0; at < k; ++at) {
        loss[at] += rows.mass * std::max(costs[at], least);
    }
}

const Vector<Weight>& LabelLosses::of_group(std::span<const LabelMass> group) {
    std::fill(loss_.begin(), loss_.end(), 0);
    for (const LabelMass& rows : group) add(rows, loss_.data());
    return loss_;
}

LossSpan LabelLosses::span_of(std::span<const LabelMass> group) {
    if (is_plain_) return plain_span(group);
    const Vector<Weight>& loss = of_group(group);
    const auto [least, most] = std::minmax_element(loss.begin(), loss.end());
    const auto best = std::min_element(loss.begin(), loss.end()) - loss.begin();
    return {*least, *most, static_cast<std::uint32_t>(best)};
}

void LabelLosses::add_gains(std::span<const LabelMass> group, Weight most,
                            Weight* gains) {
    if (!is_plain_) {
        const Vector<Weight>& loss = of_group(group);
        for (std::size_t at = 0; at < loss.size(); ++at) gains[at] += most - loss[at];
        return;
    }
    Weight total = 0;
    for (const LabelMass& rows : group) {
        total += rows.mass;
        if (rows.reference == rows.label) gains[rows.label] += rows.mass;
    }
    if (total == most) return;  // the worst label has no rows here
    for (std::size_t at = 0; at < n_labels(); ++at) gains[at] -= total - most;
}

/// A label loses all masses but its own, and of these the ones that a reference loses.
LossSpan LabelLosses::plain_span(std::span<const LabelMass> group) const {
    Weight total = 0, largest = 0, smallest = 0;
    std::size_t n_right = 0;
    std::uint32_t best = 0;
    for (const LabelMass& rows : group) {
        total += rows.mass;
        if (rows.reference != rows.label) continue;
        smallest = n_right == 0 ? rows.mass : std::min(smallest, rows.mass);
        ++n_right;
        if (rows.mass > largest) {
            largest = rows.mass;
            best = static_cast<std::uint32_t>(rows.label);
        }
    }
    if (n_right < n_labels()) smallest = 0;
    return {total - largest, total - smallest, best};
}

std::optional<GroupMasses> sum_rows(const LabelLosses& losses,
                                    const Vector<std::uint32_t>& group_of_row,
                                    std::size_t n_groups, const StopCheck& is_stopped) {
    if (!losses.has_reference() &&
        n_groups * losses.n_labels() <= 2 * group_of_row.size()) {
        return sum_in_table(losses, group_of_row, n_groups, is_stopped);
    }
    return collect(group_of_row, n_groups, losses.n_labels(), is_stopped,
                   [&](MassCollector& collector, std::uint32_t row) {
                       losses.masses_of(
                           row, [&](const LabelMass& rows) { collector.add(rows); });
                       collector.add_rows(1);
                   });
}

std::optional<GroupMasses> sum_groups(const GroupMasses& parts, const Groups& groups,
                                      std::size_t n_labels,
                                      const StopCheck& is_stopped) {
    return collect(groups.of_row, groups.size(), n_labels, is_stopped,
                   [&](MassCollector& collector, std::uint32_t part) {
                       for (const LabelMass& rows : parts.of(part)) collector.add(rows);
                       collector.add_rows(parts.counts[part]);
                   });
}

}  // namespace ostrya
