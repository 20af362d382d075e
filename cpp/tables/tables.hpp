/// The tables of a search: which kind, and how wide its lanes, is decided here.
#pragma once

#include <cassert>
#include <cstdint>
#include <limits>

#include "objective/sum_reader.hpp"
#include "tables/pair_tables.hpp"
#include "tables/sibling_tables.hpp"

namespace ostrya {

template <class Sum>
class Tables {
public:
    Tables(const SumReader<Sum>& reader, MemoryBudget& memory)
        : reader_(reader),
          narrow_masses_(memory),
          wide_masses_(memory),
          narrow_differences_(memory),
          wide_differences_(memory),
          narrow_siblings_(memory),
          wide_siblings_(memory) {}

    /// What is best below every split of a node: two-leaf losses, and cells if they are
    /// needed. False if `is_stopped()`, asked between columns, says so.
    template <class IsStopped>
    bool scan(const Node<Sum>& node, bool needs_cells, const ChildBestArrays<Sum>& best,
              const IsStopped& is_stopped) {
        if (needs_cells) {
            return is_narrow(node) ? scan_with(narrow_masses_, node, best, is_stopped)
                                   : scan_with(wide_masses_, node, best, is_stopped);
        }
        return is_narrow(node) ? scan_with(narrow_differences_, node, best, is_stopped)
                               : scan_with(wide_differences_, node, best, is_stopped);
    }

    /// Which children of a split are asked for, and what their best trees of depth two
    /// cost.
    struct Children {
        bool for_yes = false, for_no = false;
        Cost yes = 0, no = 0;
    };

    /// Solve children to depth two; `mask` are the rows that answer yes. False if it
    /// was stopped, or where the tables would hold more than `most_bytes`.
    template <class IsStopped>
    bool solve_children(const Node<Sum>& node, const Vector<std::uint64_t>& mask,
                        const CostScale& scale, std::uint64_t most_bytes,
                        Children& children, const IsStopped& is_stopped) {
        const auto solve = [&](auto& tables) {
            if (!tables.read(node, most_bytes)) return false;
            tables.part(mask);
            for (std::size_t at = 0; at < tables.n_columns(); ++at) {
                if (is_stopped()) return false;
                tables.scan_column(at, children.for_yes, children.for_no);
            }
            if (children.for_yes) children.yes = tables.best_cost(true, scale);
            if (children.for_no) children.no = tables.best_cost(false, scale);
            return true;
        };
        return is_narrow(node) ? solve(narrow_siblings_) : solve(wide_siblings_);
    }

private:
    /// Sums of a node's rows, of either sign, are within its potential, so that lanes
    /// hold them: 16 bits, or 32 (`least_table_rows` refuses other problems). Two
    /// classes side by side in a word do not carry into each other, as each is
    /// positive. Twice a sum is only computed in 64 bits (two_leaf_loss.hpp).
    bool is_narrow(const Node<Sum>& node) const {
        const Weight potential = reader_.potential(node.rows.total.data(), 1);
        assert(0 <= potential && potential < std::numeric_limits<std::int32_t>::max());
        return potential <= std::numeric_limits<std::int16_t>::max();
    }

    template <class Kind, class IsStopped>
    bool scan_with(PairTables<Sum, Kind>& tables, const Node<Sum>& node,
                   const ChildBestArrays<Sum>& best, const IsStopped& is_stopped) {
        tables.read(node);
        for (std::size_t at = 0; at < tables.n_columns(); ++at) {
            if (is_stopped()) return false;
            tables.scan_column(at, reader_.floor());
        }
        tables.write(node, best);
        return true;
    }

    const SumReader<Sum>& reader_;
    PairTables<Sum, Masses<std::uint16_t>> narrow_masses_;
    PairTables<Sum, Masses<std::uint32_t>> wide_masses_;
    PairTables<Sum, Differences<std::int16_t>> narrow_differences_;
    PairTables<Sum, Differences<std::int32_t>> wide_differences_;
    SiblingTables<Sum, std::int16_t> narrow_siblings_;
    SiblingTables<Sum, std::int32_t> wide_siblings_;
};

}  // namespace ostrya
