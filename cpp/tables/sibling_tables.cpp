#include "tables/sibling_tables.hpp"

#include <algorithm>
#include <bit>

#include "data/row_bits.hpp"
#include "kernels/padding.hpp"

namespace ostrya {

template <class Sum, class Lane>
bool SiblingTables<Sum, Lane>::take(const Node<Sum>& node, std::uint64_t most_bytes) {
    if (!columns_.empty() && rows_ == node.hash) return true;
    columns_ = table_columns(node);
    rows_ = node.hash;
    const std::size_t n_cells = n_table_cells(columns_);
    if (n_cells * sizeof(Lane) > most_bytes) columns_.clear();
    if (columns_.empty()) return false;
    node_.take(node, columns_);
    scratch_.fit(columns_);
    whole_.resize(n_cells);
    Lane* whole = whole_.data();
    for (const TableColumn& inner : columns_) {
        for (const TableColumn& outer : columns_) {
            loss_kernels<Lane>().sum(scratch_.count(node_, outer, inner), whole);
            whole += std::size_t{outer.n_cells} * inner.stride;
            if (&outer == &inner) break;
        }
    }
    return true;
}

template <class Sum, class Lane>
void SiblingTables<Sum, Lane>::part(const std::vector<std::uint64_t>& mask) {
    std::uint32_t n_yes = 0;
    for (const std::uint64_t word : mask) {
        n_yes += static_cast<std::uint32_t>(std::popcount(word));
    }
    yes_is_smaller_ = 2 * n_yes <= node_.n_rows;
    listed_.clear();
    for (std::uint32_t word = 0; word < mask.size(); ++word) {
        std::uint64_t left = yes_is_smaller_ ? mask[word] : ~mask[word];
        if (word + 1 == mask.size()) left &= tail_mask(node_.n_rows);
        for_each_bit(left, word, [this](std::uint32_t row) { listed_.push_back(row); });
    }
    smaller_.take_rows(node_, listed_, columns_);
    larger_.take_rest(node_, smaller_);
    smaller_.clear_extremes();
    larger_.clear_extremes();
}

template <class Sum, class Lane>
void SiblingTables<Sum, Lane>::scan_column(std::size_t at, bool for_yes, bool for_no) {
    const bool for_smaller = yes_is_smaller_ ? for_yes : for_no;
    const bool for_larger = yes_is_smaller_ ? for_no : for_yes;
    const TableColumn& inner = columns_[at];
    // The tables of the columns before come first.
    const Lane* whole =
        whole_.data() +
        n_table_cells(
            {columns_.begin(), columns_.begin() + static_cast<std::ptrdiff_t>(at)});
    for (std::size_t other = 0; other <= at; ++other) {
        const TableColumn& outer = columns_[other];
        const LossSums<Lane> smaller = smaller_.sums_of(outer, inner);
        const LossSums<Lane> larger = larger_.sums_of(outer, inner);
        loss_kernels<Lane>().children(scratch_.count(smaller_, outer, inner), whole,
                                      for_smaller ? &smaller : nullptr,
                                      for_larger ? &larger : nullptr);
        whole += std::size_t{outer.n_cells} * inner.stride;
    }
}

template <class Sum, class Lane>
Cost SiblingTables<Sum, Lane>::best_cost(bool is_yes, const Grid& grid) const {
    const LossSet<Lane>& set = is_yes == yes_is_smaller_ ? smaller_ : larger_;
    const auto side = [&](Weight leaf, Weight two) {
        return std::min(grid.of(leaf, 1), grid.of(two, 2));
    };
    Cost best = grid.of(set.loss(), 1);
    for (const TableColumn& column : columns_) {
        for (std::uint32_t cut = 0; cut + 1 < column.n_cells; ++cut) {
            const CutLosses losses = set.losses(column, cut);
            best = std::min(best, side(losses.yes, losses.yes_two) +
                                      side(losses.no, losses.no_two));
        }
    }
    return best;
}

template <class Sum, class Lane>
std::size_t SiblingTables<Sum, Lane>::bytes() const {
    return node_.bytes() + smaller_.bytes() + larger_.bytes() + scratch_.bytes() +
           whole_.capacity() * sizeof(Lane) + listed_.capacity() * 4;
}

template class SiblingTables<std::int32_t, std::int16_t>;
template class SiblingTables<std::int32_t, std::int32_t>;
template class SiblingTables<std::int64_t, std::int16_t>;
template class SiblingTables<std::int64_t, std::int32_t>;

}  // namespace ostrya
