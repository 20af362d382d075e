#include "rashomon/level.hpp"

namespace ostrya::rashomon {

template <class Sum>
Scanner<Sum>::Scanner(const Problem& problem, StopSign& stop, MemoryBudget& memory)
    : problem_(problem),
      stop_(&stop),
      memory_(memory),
      builder_(problem, memory),
      counter_(builder_, memory),
      keep_(memory),
      total_(memory),
      before_(memory),
      after_(memory) {}

template <class Sum>
void Scanner<Sum>::build_root(Level<Sum>& root) {
    if (!builder_.build_root(root.node, [&] { return stop_->is_up(); }))
        throw Stopped();
    root.rows.resize(root.node.rows.n);
    for (std::uint32_t row = 0; row < root.rows.size(); ++row) root.rows[row] = row;
    set_leaf(root);
}

template <class Sum>
void Scanner<Sum>::build_child(Level<Sum>& parent, bool yes, Level<Sum>& child) {
    look_around(parent.node);
    parent.partition.build(builder_, parent.node, yes, child.node);
    const Vector<std::uint64_t>& mask = parent.partition.mask();
    child.rows.resize(child.node.rows.n);
    std::uint32_t* to = child.rows.data();
    const std::uint64_t flip = yes ? 0 : ~std::uint64_t{0};
    for (std::uint32_t word = 0; word < mask.size(); ++word) {
        std::uint64_t bits = mask[word] ^ flip;
        if (word + 1 == mask.size()) bits &= tail_mask(parent.node.rows.n);
        for_each_bit(bits, word, [&](std::uint32_t row) { *to++ = parent.rows[row]; });
    }
    set_leaf(child);
}

template <class Sum>
void Scanner<Sum>::build_rows(const Level<Sum>& root, const Vector<std::uint32_t>& rows,
                              Level<Sum>& child) {
    const NodeRows<Sum>& all = root.node.rows;
    const std::uint32_t slots = reader().size();
    keep_.assign(all.n_words, 0);
    total_.assign(slots, 0);
    RowHash hash;
    for (const std::uint32_t row : rows) {
        keep_[row / 64] |= std::uint64_t{1} << row % 64;
        hash += all.keys[row];
        for (std::uint32_t slot = 0; slot < slots; ++slot) {
            total_[slot] += all.sums[std::size_t{row} * slots + slot];
        }
    }
    builder_.build_child(root.node, keep_, hash, total_, child.node);
    child.rows = rows;
    set_leaf(child);
}

/// The label of least loss; of several, the first.
template <class Sum>
std::uint32_t Scanner<Sum>::best_label(const Sum* sums, std::size_t stride) const {
    std::uint32_t best = 0;
    for (std::uint32_t label = 1; label < reader().layout().n_labels; ++label) {
        if (sums[label * stride] > sums[best * stride]) best = label;
    }
    return best;
}

template <class Sum>
void Scanner<Sum>::set_leaf(Level<Sum>& level) {
    const Sum* total = level.node.rows.total.data();
    level.leaf_loss = reader().loss(total, 1);
    level.label = best_label(total, 1);
}

template <class Sum>
void Scanner<Sum>::scan_singles(Level<Sum>& level) {
    const Node<Sum>& node = level.node;
    const std::uint32_t width = node.splits.width;
    level.yes_leaf.resize(width);
    level.no_leaf.resize(width);
    reader().side_losses(node.splits.yes.data(), width, node.rows.total.data(), width,
                         level.yes_leaf.data(), level.no_leaf.data());
    level.potential.resize(width);
    for (std::uint32_t split = 0; split < width; ++split) {
        level.potential[split] =
            reader().potential(node.splits.yes.data() + split, width);
    }
    level.yes_label.resize(width);
    level.no_label.resize(width);
    const std::uint32_t n_labels = reader().layout().n_labels;
    for (std::uint32_t split = 0; split < width; ++split) {
        std::uint32_t yes = 0, no = 0;
        for (std::uint32_t label = 1; label < n_labels; ++label) {
            if (node.splits.sum(label, split) > node.splits.sum(yes, split)) {
                yes = label;
            }
            if (node.side_sum(label, split, false) > node.side_sum(no, split, false)) {
                no = label;
            }
        }
        level.yes_label[split] = yes;
        level.no_label[split] = no;
    }
}

template <class Sum>
void Scanner<Sum>::name_questions(Level<Sum>& level) {
    const NodeSplits<Sum>& splits = level.node.splits;
    level.first_cut.assign(splits.width, 0);
    level.n_cuts.assign(splits.width, 1);
    std::uint32_t last = none;
    for (std::uint32_t split = 0; split < splits.width; ++split) {
        if (!splits.is_split[split]) continue;
        const std::uint32_t index = splits.names[split].column;
        const SplitColumn& column = problem_.splits[index];
        if (column.cuts.size() == 1) continue;
        if (index != last) {
            // The closest ranks, at most and above each, that some row has.
            last = index;
            const std::uint32_t n = column.n_ranks();
            before_.assign(n, 0);
            after_.assign(n, n);
            column.ranks.visit([&](const auto ranks) {
                for (const std::uint32_t row : level.rows) before_[ranks[row]] = 1;
            });
            for (std::uint32_t rank = n, above = n; rank-- > 0;) {
                after_[rank] = above;
                if (before_[rank] != 0) above = rank;
            }
            for (std::uint32_t rank = 0, below = 0; rank < n; ++rank) {
                if (before_[rank] != 0) below = rank;
                before_[rank] = below;
            }
        }
        const std::uint32_t cut = splits.names[split].cut;
        level.first_cut[split] = before_[cut];
        level.n_cuts[split] = after_[cut] - before_[cut];
    }
}

template class Scanner<std::int32_t>;
template class Scanner<std::int64_t>;

}  // namespace ostrya::rashomon
