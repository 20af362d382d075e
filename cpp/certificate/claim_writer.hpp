/// Writes the claims of a certificate (docs/reference/certificates.md): a proof that no
/// tree costs less than a bound.
///
/// The search is asked again, with the bound known from the start: what it finds out
/// about the children of a subproblem says which bounds of them are true and add up,
/// and its memo has them at hand when their own claims are written. A claim is written
/// as soon as its subproblem is entered, so nothing is kept but where each claim is.
#pragma once

#include <cstdint>
#include <deque>

#include "certificate/cuts.hpp"
#include "certificate/finished_claims.hpp"
#include "certificate/proof_bytes.hpp"
#include "search/solver.hpp"

namespace ostrya::certificate {

/// Whether a proof was written, or why not.
enum class Ending { written, stopped, too_large };

template <class Sum>
class ClaimWriter {
public:
    /// The proof is given up where it would take more than `most_bytes`.
    ClaimWriter(const Problem& problem, const Options& options, StopSign& stop,
                Progress& progress, MemoryBudget& memory, std::uint64_t most_bytes);

    /// Prove that no tree costs less than `bound`, which must be true: both are counted
    /// above the base. Dual prices are sought first, with so much work.
    Ending write(Cost bound, std::int64_t price_work);

    const ProofBytes& bytes() const { return bytes_; }
    /// What a proof that was given up would have taken, as far as it can be told.
    std::uint64_t estimated_size() const;

private:
    /// What is kept of a subproblem while its claim is being written.
    struct Frame {
        explicit Frame(MemoryBudget& memory)
            : groups(memory), yes_groups(memory), no_groups(memory), cuts(memory) {}

        Groups groups, yes_groups, no_groups;
        Vector<Cut> cuts;
        Limits limits;
        Cost bound = 0;
        std::uint32_t last_number = 0;
    };
    /// A side of a cut: which bound its evidence must show.
    struct Side {
        bool is_yes;
        Limits limits;
        Cost simple, known, scanned, goal;
    };
    struct Pair {
        Side yes, no;
        Side& side(bool is_yes) { return is_yes ? yes : no; }
    };
    void claim(std::size_t depth, const RowHash& rows, Limits limits, Cost bound);
    void name_duplicates(Frame& here);
    void prove_column(std::size_t depth, std::size_t begin, std::size_t end);
    void prove_cut(std::size_t depth, std::size_t index, Cost slack);
    void prove_shares(std::size_t depth, std::size_t index);
    void name_cut(Frame& here, const Cut& cut);

    Pair sides_of(std::size_t depth, const Cut& cut, Limits yes, Limits no);
    bool find_goals(std::size_t depth, const Cut& cut, Pair& pair, Cost bound,
                    Cost wanted);
    Cost ask(std::size_t depth, const Cut& cut, Side& side, Cost wanted);
    void write_pair(std::size_t depth, const Cut& cut, Pair& pair, Cost bound);
    Cost write_side(std::size_t depth, const Cut& cut, const Side& side, Cost needed,
                    std::uint32_t kind);
    std::uint32_t kind_of(std::size_t depth, const Cut& cut, const Side& side);
    bool has_ended();

    Frame& frame(std::size_t depth);

    const Problem& problem_;
    StopSign& stop_;
    MemoryBudget& memory_;
    Statistics statistics_;
    SharedFacts facts_;
    Solver<Sum> solver_;
    GroupTable table_;
    ProofBytes bytes_;
    std::uint64_t most_bytes_;
    bool is_too_large_ = false;
    double share_done_ = 0;  // of the cuts of all rows
    std::uint32_t n_begun_ = 0;
    FinishedClaims finished_;
    CutLister lister_;
    std::deque<Frame> frames_;  // one for each level
};

}  // namespace ostrya::certificate
