/// The inner loops that do all the counting, compiled once per instruction set.
///
/// Words used here: `first` is a first split of a node, `second` a split below it. A
/// pair of splits cuts the rows into four cells, named by the answers to first and
/// second: yes-yes, yes-no, no-yes, no-no. One count, of the yes-yes cell, gives all
/// four by subtraction.
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <type_traits>

namespace ostrya {

/// More than any loss, with room to add two.
///
/// The range of everything that kernels and pairs compute: each slot of a node is a sum
/// over its rows of numbers that are not negative, and `fits_narrow_sums` (or, for 64
/// bits, `most_scaled_loss`) keeps such a sum over all rows below this value. A cell of
/// a pair is a sum over a part of the rows, and what it is computed from are sums and
/// differences of sums over parts of parts: each lies between 0 and the total of its
/// slot. A loss is at most the potential, and so are two losses of disjoint cells
/// together. The largest intermediate is `mine + its` in distances: two potentials,
/// less than half of what a lane holds.
template <class Sum>
inline constexpr Sum unreachable_loss = std::numeric_limits<Sum>::max() / 4;

/// A word of a row mask: which word, its bits, and the power of two its rows weigh.
struct MaskWord {
    std::uint64_t bits;
    std::uint32_t word;
    std::uint32_t shift;
};

/// Bit columns side by side: word `w` of column `j` is words[w * stride + j].
struct BitColumns {
    const std::uint64_t* words;
    std::size_t stride;
};

/// One first split against a range of second splits. Slot `s` of second split `j` is at
/// [s * stride + j].
template <class Sum>
struct PairRow {
    const Sum* both;    // yes-yes cell
    const Sum* second;  // rows that answer yes to second
    std::size_t both_stride;
    std::size_t second_stride;
    const Sum* first;  // rows that answer yes to first, per slot
    const Sum* total;  // all rows, per slot
    std::size_t n;
    Sum floor;      // cells with no more potential than this are not worth a leaf
    Sum min_count;  // rows a leaf must have, where rows are counted
    std::uint32_t n_labels;
    bool counts_rows;
    std::uint32_t mark_slot = 0;  // of groups indifferent to their label; 0: none
};

/// What a row of pairs says about the two children of its first split.
///
/// `two` is the least loss of a child cut in two leaves; `cell` the least loss of one
/// of these leaves, over the second splits that both keep more than the floor.
template <class Sum>
struct ChildBest {
    Sum yes_two = unreachable_loss<Sum>;
    Sum no_two = unreachable_loss<Sum>;
    Sum yes_cell = unreachable_loss<Sum>;
    Sum no_cell = unreachable_loss<Sum>;
};

/// The same for every second split taken as the first one: arrays to lower in place.
template <class Sum>
struct ChildBestArrays {
    Sum* yes_two;
    Sum* no_two;
    Sum* yes_cell;
    Sum* no_cell;
};

/// Cells of a histogram column that are bounded together.
inline constexpr std::size_t cells_per_block = 16;

/// One first split against the blocks of all histogram columns: sums of the yes-yes
/// cell, and of all rows that answer yes to second, before and after each block.
template <class Sum>
struct BlockRow {
    const Sum* before;
    const Sum* after;
    const Sum* second_before;
    const Sum* second_after;
    std::size_t stride;
    const Sum* first;
    const Sum* total;
    std::size_t n;
};

/// One first split against the blocks of one histogram column, for any number of
/// labels; see label_blocks.hpp. Sums at a boundary are `lanes` numbers.
template <class Sum>
struct LabelRow {
    const Sum* blocks;  // yes-yes cell of each block, at the boundary where it ends
    const Sum* upto;    // all rows up to each boundary
    const Sum* first;
    const Sum* total;
    std::size_t n;  // boundaries
    std::size_t lanes;
};

/// What the best label gains on either side of each boundary, in both children.
template <class Sum>
struct LabelGains {
    Sum* both;  // yes-yes cell up to each boundary: boundaries x lanes
    Sum* yes_upto;
    Sum* yes_beyond;
    Sum* no_upto;
    Sum* no_beyond;
    Sum* yes_block;  // sums over labels of the block that ends there
    Sum* no_block;
};

/// A number for each child of a first split.
template <class Sum>
struct OfChildren {
    Sum yes = 0, no = 0;
};

/// Two classes side by side in one word.
template <class Lane>
using CrossCell = std::conditional_t<sizeof(Lane) == 2, std::uint32_t, std::uint64_t>;

/// Rows of a node as two columns see them: their cells, and what they weigh.
template <class Cell>
struct TableRows {
    const std::uint16_t* outer;
    const std::uint16_t* inner;
    const Cell* weights;
    std::size_t n;
};

/// What is best below every cut of a column, as in ChildBest: arrays to lower in place.
template <class Lane>
struct CrossBest {
    Lane* yes_two;
    Lane* no_two;
    Lane* yes_cell;
    Lane* no_cell;
};

/// Two columns counted against each other, the outer one row by row. Cells are zero
/// again after a scan.
template <class Cell, class Lane>
struct PairTable {
    Cell* cells;  // n_outer x stride
    std::size_t n_outer;
    std::size_t stride;  // cells of the inner column, in whole vectors
    Cell* above;         // scratch: stride
    Cell* sums;          // scratch: stride
    Lane* both;          // scratch: as many lanes as a row of cells holds
};

/// Both classes side by side in a cell; see cross_table.hpp.
template <class Lane>
using CrossTable = PairTable<CrossCell<Lane>, Lane>;

/// One number per cell: what rows gain by the one label less that by the other; see
/// loss_table.hpp.
template <class Lane>
using LossTable = PairTable<Lane, Lane>;

/// What a scan knows of a set of rows, and what it finds out.
template <class Lane>
struct CrossSums {
    const Lane* inner_upto;  // rows up to each inner cell: 2 x stride
    Lane total0, total1;
    CrossBest<Lane> outer, inner;
};

/// Largest and least sums on either side of every cut of a column that another cut can
/// part off: arrays to widen in place.
template <class Lane>
struct LossExtremes {
    Lane* yes_most;
    Lane* yes_least;
    Lane* no_most;
    Lane* no_least;
};

/// What a scan knows of a set of rows, and what it finds out.
template <class Lane>
struct LossSums {
    const Lane* inner_upto;  // rows up to each inner cell: stride
    LossExtremes<Lane> outer, inner;
};

template <class Sum>
struct Kernels {
    /// out[j] = weighted number of rows of the mask in column j, for j < n; n and the
    /// columns are padded to multiples of 8.
    void (*count)(BitColumns, const MaskWord*, std::size_t n_words, Sum* out,
                  std::size_t n);
    /// Least two-leaf losses only: all that is needed where depth 2 is the end.
    ChildBest<Sum> (*pair_losses)(const PairRow<Sum>&);
    /// The same for both roles of each pair at once; cells are left alone.
    ChildBest<Sum> (*pair_losses_both)(const PairRow<Sum>&,
                                       const ChildBestArrays<Sum>&);
    /// Two-leaf losses and cells.
    ChildBest<Sum> (*pair_bounds)(const PairRow<Sum>&);
    /// Both roles of each pair at once.
    ChildBest<Sum> (*pair_bounds_both)(const PairRow<Sum>&,
                                       const ChildBestArrays<Sum>&);
    /// out[j] = potential of the rows on which first and second split j differ, or
    /// agree if that is less.
    void (*distances)(const PairRow<Sum>&, Sum* out);
    /// Two classes only: sums of blocks of cells, and which blocks are worth a look.
    void (*sum_blocks)(const Sum* cells, std::size_t n_blocks, Sum* out);
    void (*mark_blocks)(const BlockRow<Sum>&, const ChildBest<Sum>& best,
                        std::uint8_t* open);
    /// Any number of labels: gains at the boundaries of blocks.
    void (*gain_labels)(const LabelRow<Sum>&, const LabelGains<Sum>&);
    /// The most that two leaves gain at any of `n` boundaries, if more than `best`.
    OfChildren<Sum> (*best_boundary)(const LabelGains<Sum>&, std::size_t n,
                                     OfChildren<Sum> best);
    /// Which blocks are worth a look, at the boundary where each ends.
    void (*mark_labels)(const LabelGains<Sum>&, std::size_t n, OfChildren<Sum> best,
                        std::uint8_t* open);
    /// The loss of either child of the first split cut in two by each second split, or
    /// `unreachable_loss` where a cell is not a leaf. Unless `allows_equal`, two leaves
    /// with the same label are none either. `n` is a multiple of 16.
    void (*two_leaves)(const PairRow<Sum>&, bool allows_equal, Sum* yes, Sum* no);
};

/// Pairs of cuts of two columns: least two-leaf losses, and least cells of those that
/// weigh more than the floor. Lanes are as wide as the weight of a node needs.
template <class Lane>
struct CrossKernels {
    void (*add)(const TableRows<CrossCell<Lane>>&, CrossCell<Lane>* cells,
                std::size_t stride);
    void (*scan)(const CrossTable<Lane>&, const CrossSums<Lane>&, Lane floor);
};
template <class Lane>
const CrossKernels<Lane>& cross_kernels();

/// The same where two-leaf losses are enough.
template <class Lane>
struct LossKernels {
    void (*add)(const TableRows<Lane>&, Lane* cells, std::size_t stride);
    void (*scan)(const LossTable<Lane>&, const LossSums<Lane>&);
    /// Sums up to every pair of cells: n_outer x stride.
    void (*sum)(const LossTable<Lane>&, Lane* out);
    /// A child whose rows are in the cells, and its sibling: `whole` has the sums of
    /// their parent. Null: not asked for.
    void (*children)(const LossTable<Lane>&, const Lane* whole,
                     const LossSums<Lane>* part, const LossSums<Lane>* rest);
};
template <class Lane>
const LossKernels<Lane>& loss_kernels();

/// Keep the rows in `keep` of every column, packed to the front. `out` is all zero.
using Compress = void (*)(BitColumns in, std::size_t n_columns,
                          const std::uint64_t* keep, std::size_t n_words,
                          std::uint64_t* out, std::size_t out_stride);
Compress compress_kernel();

/// The row groups that fail each condition, as bits: see prices/condition_table.hpp.
struct FailedRows {
    const std::uint64_t* words;  // condition after condition
    std::size_t n_words;         // a multiple of 4
};

/// For each row a byte per cut, all ones where the row lies beyond it.
struct SignMasks {
    static constexpr std::size_t block = 16;
    const std::int8_t* bytes;  // row after row
    std::size_t stride;        // a multiple of the block
};

struct ConditionKernels {
    /// To what lies beyond each cut, add what some rows are worth; take it away where
    /// `flip` is -1 instead of 0. `out` has the stride of the masks.
    void (*sum_beyond)(const SignMasks&, const std::uint32_t* rows, std::size_t n_rows,
                       const std::int32_t* worth, std::int32_t flip, std::int32_t* out);
    /// Part a set of rows: those that do not fail a condition are kept. Returns how
    /// many do, and in `n_kept` how many do not.
    std::size_t (*part_rows)(const std::uint64_t* rows, const std::uint64_t* failed,
                             std::size_t n_words, std::uint64_t* kept,
                             std::size_t* n_kept);
    /// The conditions that no gain fails, and those that gains worth less than `limit`
    /// do, as masks; `beyond` has what the gains beyond each cut are worth.
    void (*sort_conditions)(const std::int32_t* beyond, std::size_t n_cuts,
                            std::int32_t gained, std::int32_t limit,
                            std::uint64_t* is_free, std::uint64_t* is_cheap);
    /// The rows that fail at least one, two, three and four of some conditions: four
    /// sets, one after the other.
    void (*count_failures)(const FailedRows&, const std::uint32_t* conditions,
                           std::size_t n_conditions, std::uint64_t* counts);
    /// Of some conditions, the rows that are kept, moved together: `n_words` of each
    /// condition, at its place in `out`.
    void (*select_rows)(const FailedRows&, const std::uint32_t* conditions,
                        std::size_t n_conditions, const std::uint64_t* kept,
                        std::size_t n_words, std::uint64_t* out);
    /// For each condition, how many of a set of rows fail it.
    void (*score_conditions)(const FailedRows&, const std::uint32_t* conditions,
                             std::size_t n_conditions, const std::uint64_t* set,
                             std::uint64_t* out);
};
const ConditionKernels& condition_kernels();

enum class InstructionSet { baseline, avx2, avx512 };

/// The best instruction set of this machine.
InstructionSet instruction_set();
const char* name_of(InstructionSet set);

/// Kernels for two classes, and for any number of labels or counted rows.
template <class Sum>
const Kernels<Sum>& binary_kernels();
template <class Sum>
const Kernels<Sum>& general_kernels();

}  // namespace ostrya
