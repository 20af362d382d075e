#include "tables/sibling_tables.hpp"

#include <algorithm>

#include "tables/two_leaf_loss.hpp"

namespace ostrya {

template <class Sum, class Lane>
SiblingTables<Sum, Lane>::SiblingTables(MemoryBudget& memory)
    : columns_(memory),
      node_(memory),
      smaller_(memory),
      larger_(memory),
      potentials_(memory),
      scratch_(memory),
      whole_(memory),
      listed_(memory) {}

template <class Sum, class Lane>
bool SiblingTables<Sum, Lane>::read(const Node<Sum>& node, std::uint64_t most_bytes) {
    if (is_read_ && rows_ == node.rows.hash) return true;
    columns_.read(node);
    rows_ = node.rows.hash;
    const std::size_t n_cells = columns_.n_table_cells(columns_.size());
    is_read_ = columns_.size() > 0 && n_cells * sizeof(Lane) <= most_bytes;
    if (!is_read_) return false;
    node_.set.read(node, columns_);
    potentials_.resize(node.rows.n);
    listed_.clear();
    for (std::uint32_t row = 0; row < node.rows.n; ++row) {
        const Sum* sums = node.rows.sums.data() + 2 * std::size_t{row};
        potentials_[row] = Weight{sums[0]} + sums[1];
        listed_.push_back(row);
    }
    sum_potentials(node_);
    scratch_.fit(columns_);
    whole_.resize(n_cells);
    Lane* whole = whole_.data();
    for (const TableColumn& inner : columns_) {
        for (const TableColumn& outer : columns_) {
            loss_kernels<Lane>().sum(scratch_.count(node_.set, outer, inner), whole);
            whole += std::size_t{outer.n_cells} * inner.stride;
            if (&outer == &inner) break;
        }
    }
    return true;
}

template <class Sum, class Lane>
void SiblingTables<Sum, Lane>::part(const Vector<std::uint64_t>& mask) {
    const SmallerSide smaller(mask.data(), node_.set.n_rows);
    yes_is_smaller_ = smaller.is_set();
    listed_.clear();
    smaller.for_each([this](std::uint32_t row) { listed_.push_back(row); });
    smaller_.set.read_rows(node_.set, listed_, columns_);
    larger_.set.read_rest(node_.set, smaller_.set);
    sum_potentials(smaller_);
    larger_.potential_upto.resize(node_.potential_upto.size());
    for (std::size_t at = 0; at < larger_.potential_upto.size(); ++at) {
        larger_.potential_upto[at] =
            node_.potential_upto[at] - smaller_.potential_upto[at];
    }
    smaller_.set.clear_best(columns_.width());
    larger_.set.clear_best(columns_.width());
}

/// Sum the potentials of the rows listed, by the cells the side has for them.
template <class Sum, class Lane>
void SiblingTables<Sum, Lane>::sum_potentials(Side& side) {
    side.potential_upto.assign(columns_.width(), 0);
    const std::size_t n_rows = listed_.size();
    for (const TableColumn& column : columns_) {
        Weight* sums = side.potential_upto.data() + column.first;
        const std::uint16_t* cell = side.set.cells.data() + column.index * n_rows;
        for (std::size_t row = 0; row < n_rows; ++row) {
            sums[cell[row]] += potentials_[listed_[row]];
        }
        for (std::uint32_t at = 1; at < column.stride; ++at) sums[at] += sums[at - 1];
    }
}

template <class Sum, class Lane>
void SiblingTables<Sum, Lane>::scan_column(std::size_t at, bool for_yes, bool for_no) {
    const bool for_smaller = yes_is_smaller_ ? for_yes : for_no;
    const bool for_larger = yes_is_smaller_ ? for_no : for_yes;
    const TableColumn& inner = columns_[at];
    // The tables of the columns before come first.
    const Lane* whole = whole_.data() + columns_.n_table_cells(at);
    for (std::size_t other = 0; other <= at; ++other) {
        const TableColumn& outer = columns_[other];
        const LossSums<Lane> smaller = smaller_.set.sums_of(outer, inner);
        const LossSums<Lane> larger = larger_.set.sums_of(outer, inner);
        loss_kernels<Lane>().children(scratch_.count(smaller_.set, outer, inner), whole,
                                      for_smaller ? &smaller : nullptr,
                                      for_larger ? &larger : nullptr);
        whole += std::size_t{outer.n_cells} * inner.stride;
    }
}

template <class Sum, class Lane>
Cost SiblingTables<Sum, Lane>::best_cost(bool is_yes, const CostScale& scale) const {
    const Side& side = is_yes == yes_is_smaller_ ? smaller_ : larger_;
    const auto cheaper = [&](Weight leaf, Weight two) {
        return std::min(scale.cost(leaf, 1), scale.cost(two, 2));
    };
    // The last column ends with all rows.
    const Weight all = side.potential_upto.back();
    Cost best = scale.cost(leaf_loss(all, side.set.upto.back()), 1);
    for (const TableColumn& column : columns_) {
        for (std::uint32_t cut = 0; cut + 1 < column.n_cells; ++cut) {
            const CutLosses losses = cut_losses(
                side.set, column, cut, side.potential_upto[column.first + cut], all);
            best = std::min(best, cheaper(losses.yes, losses.yes_two) +
                                      cheaper(losses.no, losses.no_two));
        }
    }
    return best;
}

template class SiblingTables<std::int32_t, std::int16_t>;
template class SiblingTables<std::int32_t, std::int32_t>;
template class SiblingTables<std::int64_t, std::int16_t>;
template class SiblingTables<std::int64_t, std::int32_t>;

}  // namespace ostrya
