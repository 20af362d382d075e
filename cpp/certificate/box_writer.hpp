/// Writes the search over boxes that proves dual prices feasible (B10).
///
/// States are ranges of sides, as in the efficient subwindow search of Lampert,
/// Blaschko and Hofmann (CVPR 2008), in more dimensions. A state is tightened first: a
/// side can move only as far as the gains that it gives up leave the bound above what a
/// box may be worth. What it cannot give up makes the inner box larger and the bound
/// smaller. Then the cut that lowers the bounds of both parts most divides the state.
#pragma once

#include <cstdint>
#include <span>

#include "certificate/group_table.hpp"
#include "certificate/proof_bytes.hpp"
#include "watch/stop.hpp"

namespace ostrya::certificate {

class BoxWriter {
public:
    BoxWriter(const GroupTable& table, ProofBytes& bytes, StopSign& stop,
              MemoryBudget& memory);

    /// Prove that no box of groups that are worth this is worth more than `most`; false
    /// if stopped, if `work` (cells looked at) is used up, if there is such a box, or
    /// if states would be divided more often than checkers allow.
    bool write(std::span<const std::int64_t> worth, std::int64_t most,
               std::int64_t& work);

private:
    struct Member {
        std::uint32_t group;
        std::uint32_t outside;  // sides of the inner box that it violates
    };
    using Members = Vector<Member>;
    /// Cells in which a box may begin and end in a column.
    struct Sides {
        std::uint32_t least_first, most_first, least_last, most_last;
    };
    /// What dividing a state at a cut changes; gains and losses are counted by cell.
    struct Division {
        std::uint32_t column = 0, cell = 0;
        bool is_last = false;
        double score = 0;
    };

    bool visit(Members& members);
    bool visit_parts(const Members& members, const Division& division);
    void count(const Members& members);
    /// Tighten all sides; returns how many states are still to be closed behind this
    /// one, or nothing where no side moves.
    bool tighten(Members& members, std::int64_t bound, std::size_t& n_behind);
    Division choose() const;
    void write_division(std::uint32_t column, std::uint32_t cell, bool is_last);
    void keep(Members& members, std::uint32_t column) const;

    const GroupTable& table_;
    ProofBytes& bytes_;
    StopSign& stop_;
    MemoryBudget& memory_;
    std::span<const std::int64_t> worth_;
    std::int64_t most_ = 0;
    std::int64_t* work_ = nullptr;
    std::uint32_t n_divisions_ = 0;  // above the state that is visited
    Vector<Sides> sides_;
    Vector<std::int64_t> gains_;   // by cell
    Vector<double> first_losses_;  // by cell: what a first side keeps out
    Vector<double> last_losses_;
    Vector<std::uint32_t> n_open_;  // groups that a side may keep out
};

}  // namespace ostrya::certificate
