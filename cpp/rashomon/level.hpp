/// A node of an enumeration: its rows, its splits and what is known of their children.
#pragma once

#include <algorithm>

#include "node/partition.hpp"
#include "pairs/pair_counter.hpp"
#include "watch/stop.hpp"

namespace ostrya::rashomon {

/// Thrown where a limit or the user ends an enumeration.
struct Stopped {};

template <class Sum>
struct Level {
    explicit Level(MemoryBudget& memory)
        : node(memory, memory),
          partition(memory),
          rows(memory),
          yes_leaf(memory),
          no_leaf(memory),
          yes_label(memory),
          no_label(memory),
          yes_two(memory),
          no_two(memory),
          yes_cell(memory),
          no_cell(memory),
          yes_lower(memory),
          no_lower(memory),
          potential(memory),
          first_cut(memory),
          n_cuts(memory),
          order(memory) {}

    Node<Sum> node;
    Partition<Sum> partition;
    Vector<std::uint32_t> rows;  // of the problem
    Weight leaf_loss = 0;
    std::uint32_t label = 0;

    // By split, for the rows on either side:
    Vector<Sum> yes_leaf, no_leaf;              // loss as a leaf
    Vector<std::uint32_t> yes_label, no_label;  // and its label
    Vector<Sum> yes_two, no_two;                // least loss of two leaves
    Vector<Sum> yes_cell, no_cell;              // and of one leaf of two
    Vector<Cost> yes_lower, no_lower;           // no tree costs less
    Vector<Weight> potential;                   // of the yes side
    /// The questions of a column that part these rows alike.
    Vector<std::uint32_t> first_cut, n_cuts;
    Vector<std::uint32_t> order;

    Weight leaf(std::uint32_t split, bool yes) const {
        return yes ? yes_leaf[split] : no_leaf[split];
    }
    std::uint32_t leaf_label(std::uint32_t split, bool yes) const {
        return yes ? yes_label[split] : no_label[split];
    }
};

/// Visit the middle of [begin, end), then of both halves, and so on: what is learned in
/// the middle often settles what lies beside it. `visit` also gets the range.
template <class Visit>
void for_each_by_halves(std::uint32_t begin, std::uint32_t end, const Visit& visit) {
    if (begin >= end) return;
    const std::uint32_t middle = begin + (end - begin) / 2;
    visit(middle, begin, end);
    for_each_by_halves(begin, middle, visit);
    for_each_by_halves(middle + 1, end, visit);
}

/// Builds levels and counts their splits.
template <class Sum>
class Scanner {
public:
    Scanner(const Problem& problem, StopSign& stop, MemoryBudget& memory);

    /// Throws `Stopped` if stopped.
    void build_root(Level<Sum>& root);
    /// The rows on one side of `split`, by which `parent.partition` is parted.
    void build_child(Level<Sum>& parent, bool yes, Level<Sum>& child);
    /// Some rows of the problem, built from the root.
    void build_rows(const Level<Sum>& root, const Vector<std::uint32_t>& rows,
                    Level<Sum>& child);

    /// Both children of every split as leaves.
    void scan_singles(Level<Sum>& level);
    /// The questions that each split stands for.
    void name_questions(Level<Sum>& level);
    /// Call `visit` with each split that is open, once its pairs are counted.
    template <class IsOpen, class Visit>
    void for_each_first(const Level<Sum>& level, const IsOpen& is_open,
                        const Visit& visit);
    /// Find the least losses that pairs of each open split have, and note them.
    template <class IsOpen, class Note>
    void scan_pairs(Level<Sum>& level, const IsOpen& is_open, const Note& note);

    PairRow<Sum> row(const Level<Sum>& level, std::uint32_t split) {
        return counter_.row(level.node, split, 0, level.node.splits.width);
    }
    const Kernels<Sum>& kernels() const { return builder_.kernels(); }
    const SumReader<Sum>& reader() const { return builder_.reader(); }

    /// Throws `Stopped` if it is time to, before a look at all of a node.
    void look_around(const Node<Sum>& node) {
        if (heeds_memory_ && memory_.is_exceeded()) stop_->memory_is_out();
        if (stop_->is_up_before(node.work(), node.nanoseconds())) throw Stopped();
    }
    /// From here on heed another sign, whatever memory is used.
    void heed(StopSign& stop) {
        stop_ = &stop;
        heeds_memory_ = false;
    }

private:
    void set_leaf(Level<Sum>& level);
    std::uint32_t best_label(const Sum* sums, std::size_t stride) const;

    const Problem& problem_;
    StopSign* stop_;
    bool heeds_memory_ = true;
    MemoryBudget& memory_;
    NodeBuilder<Sum> builder_;
    PairCounter<Sum> counter_;
    Vector<std::uint64_t> keep_;
    Vector<Sum> total_;
    Vector<std::uint32_t> before_, after_;  // scratch of name_questions, by rank
};

template <class Sum>
template <class IsOpen, class Visit>
void Scanner<Sum>::for_each_first(const Level<Sum>& level, const IsOpen& is_open,
                                  const Visit& visit) {
    const Node<Sum>& node = level.node;
    counter_.clear_aside();
    for (std::uint32_t split = 0; split < node.bits.n; ++split) {
        if (!is_open(split)) continue;
        look_around(node);
        counter_.start_bit(node, split, false);
        counter_.count_bits(node, 0);
        if (!node.histograms.empty()) counter_.count_cells(node);
        visit(split);
    }
    for (std::uint32_t index = 0; index < node.histograms.size(); ++index) {
        const HistogramColumn& column = node.histograms.columns[index];
        bool is_started = false;
        for_each_by_halves(0, column.n_cuts, [&](std::uint32_t cut, auto, auto) {
            const std::uint32_t split = node.first_split(column) + cut;
            if (!is_open(split)) return;
            look_around(node);
            if (!is_started) counter_.start_column(node, index, false);
            is_started = true;
            counter_.move_to(node, cut);
            counter_.count_bits(node, 0);
            counter_.count_cells(node);
            visit(split);
        });
    }
}

template <class Sum>
template <class IsOpen, class Note>
void Scanner<Sum>::scan_pairs(Level<Sum>& level, const IsOpen& is_open,
                              const Note& note) {
    const std::uint32_t width = level.node.splits.width;
    for (auto* losses :
         {&level.yes_two, &level.no_two, &level.yes_cell, &level.no_cell}) {
        losses->assign(width, unreachable_loss<Sum>);
    }
    for_each_first(level, is_open, [&](std::uint32_t split) {
        const ChildBest<Sum> best = kernels().pair_bounds(row(level, split));
        level.yes_two[split] = best.yes_two;
        level.no_two[split] = best.no_two;
        level.yes_cell[split] = best.yes_cell;
        level.no_cell[split] = best.no_cell;
        note(split);
    });
}

}  // namespace ostrya::rashomon
