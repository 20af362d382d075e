#include "search/sibling_tables.hpp"

#include <algorithm>
#include <bit>

#include "search/bits.hpp"
#include "search/padding.hpp"

namespace ostrya {

template <class Sum, class Lane>
bool SiblingTables<Sum, Lane>::take(const Node<Sum>& node, std::uint64_t most_bytes) {
    if (!columns_.empty() && rows_ == node.hash) return true;
    columns_ = cross_columns(node);
    rows_ = node.hash;
    const std::size_t n_cells = n_table_cells(columns_);
    if (2 * n_cells * sizeof(Lane) > most_bytes) {
        columns_.clear();
        return false;
    }
    node_.take(node, columns_);
    scratch_.fit(columns_);
    whole_.resize(2 * n_cells);
    Lane* whole = whole_.data();
    for (std::size_t at = 0; at < columns_.size(); ++at) {
        for (std::size_t inner = 0; inner <= at; ++inner) {
            cross_kernels<Lane>().sum(
                scratch_.count(node_, columns_[at], columns_[inner]), whole);
            whole += 2 * std::size_t{columns_[at].n_cells} * columns_[inner].stride;
        }
    }
    return true;
}

template <class Sum, class Lane>
void SiblingTables<Sum, Lane>::part(const std::vector<std::uint64_t>& mask) {
    take_rows(mask);
    sum_columns();
    const std::size_t width = width_of(columns_);
    smaller_.clear_best(width);
    larger_.clear_best(width);
}

template <class Sum, class Lane>
void SiblingTables<Sum, Lane>::take_rows(const std::vector<std::uint64_t>& mask) {
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
    const std::size_t n = listed_.size();
    smaller_.n_rows = static_cast<std::uint32_t>(n);
    smaller_.weights.resize(n);
    smaller_.cells.resize(columns_.size() * n);
    for (std::size_t row = 0; row < n; ++row) {
        smaller_.weights[row] = node_.weights[listed_[row]];
    }
    for (std::size_t index = 0; index < columns_.size(); ++index) {
        const std::uint16_t* from = node_.cells.data() + index * node_.n_rows;
        std::uint16_t* to = smaller_.cells.data() + index * n;
        for (std::size_t row = 0; row < n; ++row) to[row] = from[listed_[row]];
    }
}

/// Sums of both children up to each cell.
template <class Sum, class Lane>
void SiblingTables<Sum, Lane>::sum_columns() {
    smaller_.upto.resize(node_.upto.size());
    larger_.upto.resize(node_.upto.size());
    for (const CrossColumn& column : columns_) {
        std::vector<CrossCell<Lane>>& cells = scratch_.sums;
        std::fill_n(cells.begin(), column.stride, 0);
        const std::uint16_t* cell_of =
            smaller_.cells.data() + std::size_t{column.index} * smaller_.n_rows;
        for (std::uint32_t row = 0; row < smaller_.n_rows; ++row) {
            cells[cell_of[row]] += smaller_.weights[row];
        }
        CrossCell<Lane> sum = 0;
        Lane* upto = smaller_.upto.data() + 2 * column.first;
        for (std::uint32_t cell = 0; cell < column.stride; ++cell) {
            sum += cells[cell];
            upto[cell] = static_cast<Lane>(sum);
            upto[column.stride + cell] = static_cast<Lane>(sum >> 8 * sizeof(Lane));
        }
        smaller_.total[0] = static_cast<Lane>(sum);
        smaller_.total[1] = static_cast<Lane>(sum >> 8 * sizeof(Lane));
    }
    for (std::size_t at = 0; at < node_.upto.size(); ++at) {
        larger_.upto[at] = static_cast<Lane>(node_.upto[at] - smaller_.upto[at]);
    }
    for (int slot = 0; slot < 2; ++slot) {
        larger_.total[slot] =
            static_cast<Lane>(node_.total[slot] - smaller_.total[slot]);
    }
}

template <class Sum, class Lane>
void SiblingTables<Sum, Lane>::scan_column(std::size_t at, bool for_yes, bool for_no) {
    const bool for_smaller = yes_is_smaller_ ? for_yes : for_no;
    const bool for_larger = yes_is_smaller_ ? for_no : for_yes;
    const CrossColumn& outer = columns_[at];
    // Tables of one column stand side by side, those of columns before it come first.
    const Lane* whole = whole_.data();
    for (std::size_t before = 0; before < at; ++before) {
        const CrossColumn& column = columns_[before];
        whole += 2 * column.n_cells * (column.first + column.stride);
    }
    for (std::size_t other = 0; other <= at; ++other) {
        const CrossColumn& inner = columns_[other];
        const CrossSums<Lane> smaller = smaller_.sums_of(outer, inner);
        const CrossSums<Lane> larger = larger_.sums_of(outer, inner);
        cross_kernels<Lane>().children(scratch_.count(smaller_, outer, inner), whole,
                                       for_smaller ? &smaller : nullptr,
                                       for_larger ? &larger : nullptr);
        whole += 2 * std::size_t{outer.n_cells} * inner.stride;
    }
}

template <class Sum, class Lane>
Cost SiblingTables<Sum, Lane>::best_cost(bool is_yes, const Grid& grid) const {
    const CrossSet<Lane>& set = is_yes == yes_is_smaller_ ? smaller_ : larger_;
    const auto side = [&](Lane sum0, Lane sum1, Lane two) {
        return std::min(grid.of(std::min(sum0, sum1), 1), grid.of(two, 2));
    };
    Cost best = grid.of(std::min(set.total[0], set.total[1]), 1);
    for (const CrossColumn& column : columns_) {
        const Lane* yes0 = set.upto.data() + 2 * column.first;
        const Lane* yes1 = yes0 + column.stride;
        for (std::uint32_t cut = 0; cut + 1 < column.n_cells; ++cut) {
            const std::size_t at = column.first + cut;
            const auto no0 = static_cast<Lane>(set.total[0] - yes0[cut]);
            const auto no1 = static_cast<Lane>(set.total[1] - yes1[cut]);
            best = std::min(best, side(yes0[cut], yes1[cut], set.yes_two[at]) +
                                      side(no0, no1, set.no_two[at]));
        }
    }
    return best;
}

template <class Sum, class Lane>
std::size_t SiblingTables<Sum, Lane>::bytes() const {
    return node_.bytes() + smaller_.bytes() + larger_.bytes() + scratch_.bytes() +
           whole_.capacity() * sizeof(Lane) + listed_.capacity() * 4;
}

template class SiblingTables<std::int32_t, std::uint16_t>;
template class SiblingTables<std::int32_t, std::uint32_t>;
template class SiblingTables<std::int64_t, std::uint16_t>;
template class SiblingTables<std::int64_t, std::uint32_t>;

}  // namespace ostrya
