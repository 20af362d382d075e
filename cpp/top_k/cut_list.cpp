#include "top_k/cut_list.hpp"

#include <algorithm>

namespace ostrya {

template <class Sum>
CutList<Sum>::CutList(const BucketedRows<Sum>& rows, const SumReader<Sum>& reader,
                      Impurity<Sum>& impurity, MemoryBudget& memory)
    : rows_(rows),
      reader_(reader),
      slots_(reader.size()),
      impurity_(impurity),
      sums_(memory),
      ranks_(memory),
      scores_(memory),
      present_(memory),
      at_(slots_, 0, memory) {}

template <class Sum>
void CutList<Sum>::list_bucket(std::uint32_t column, std::uint32_t number,
                               const Sum* low) {
    column_ = column;
    const Bucket& bucket = rows_.buckets[number];
    if (bucket.has_one_rank()) {
        make_room(1);
        add(bucket.first_rank, low + slots_);
    } else if (const std::size_t n_present = list_rows(bucket); slots_ == 2) {
        add_all_binary(low, n_present);
    } else {
        add_all(low, n_present);
    }
    score_all();
}

template <class Sum>
void CutList<Sum>::list_beside(const Ranked& cut, const Sum* sums) {
    column_ = cut.column();
    make_room(2);
    const RankedRow* begin = rows_.order_of(column_);
    if (begin == nullptr) return;  // there is no other cut
    const RankedRow* end = begin + rows_.n_rows;
    const auto first_above = [&](std::uint32_t rank) {
        return std::partition_point(
            begin, end, [rank](const RankedRow& at) { return at.rank <= rank; });
    };
    const auto has = [&](const RankedRow& at) { return table_->rows.has(at.row); };
    const auto add_moved = [&](const RankedRow* from, const RankedRow* to, Sum sign,
                               std::uint32_t rank) {
        std::copy_n(sums, slots_, at_.begin());
        for (; from < to; ++from) {
            if (!has(*from)) continue;
            const Sum* of_row = rows_.sums_of(from->row);
            for (std::uint32_t slot = 0; slot < slots_; ++slot) {
                at_[slot] += sign * of_row[slot];
            }
        }
        add(rank, at_.data());
    };
    const RankedRow* first = cut.cut() == 0 ? begin : first_above(cut.cut() - 1);
    const RankedRow* behind = first_above(cut.cut());
    const auto below = std::find_if(std::make_reverse_iterator(first),
                                    std::make_reverse_iterator(begin), has);
    if (below.base() != begin) add_moved(first, behind, -1, below->rank);
    const RankedRow* above = std::find_if(behind, end, has);
    if (above != end) add_moved(above, first_above(above->rank), 1, above->rank);
    score_all();
}

/// Make room for cuts to be scored together.
template <class Sum>
void CutList<Sum>::make_room(std::size_t most) {
    n_ = 0;
    stride_ = most;
    sums_.resize(std::max(sums_.size(), slots_ * most));
    ranks_.resize(std::max(ranks_.size(), most));
}

/// List the rows of a bucket that are there, ascending by rank; how many. Chance says
/// who is there, so a branch would be guessed wrong half of the time.
template <class Sum>
std::size_t CutList<Sum>::list_rows(const Bucket& bucket) {
    const RankedRow* order = rows_.order_of(column_);
    present_.resize(std::max<std::size_t>(present_.size(), bucket.end - bucket.begin));
    RankedRow* to = present_.data();
    for (std::uint32_t place = bucket.begin; place < bucket.end; ++place) {
        *to = order[place];
        to += table_->rows.has(order[place].row);
    }
    return static_cast<std::size_t>(to - present_.data());
}

/// The cuts of the rows at hand; sums start from `low`.
template <class Sum>
void CutList<Sum>::add_all(const Sum* low, std::size_t n_present) {
    make_room(n_present);
    std::copy_n(low, slots_, at_.begin());
    for (std::size_t at = 0; at < n_present; ++at) {
        const auto [row, rank] = present_[at];
        if (at > 0 && rank != present_[at - 1].rank) {
            add(present_[at - 1].rank, at_.data());
        }
        const Sum* sums = rows_.sums_of(row);
        for (std::uint32_t slot = 0; slot < slots_; ++slot) at_[slot] += sums[slot];
    }
    add(present_[n_present - 1].rank, at_.data());
}

/// The same for two classes and nothing else, which is most of the work of most
/// searches. Only the last cut can have all rows on one side.
template <class Sum>
void CutList<Sum>::add_all_binary(const Sum* low, std::size_t n_present) {
    make_room(n_present);
    Sum *zeros = sums_.data(), *ones = zeros + stride_;
    Sum zero = low[0], one = low[1];
    std::size_t n = 0;
    std::uint32_t last = present_[0].rank;
    for (std::size_t at = 0; at < n_present; ++at) {
        const auto [row, rank] = present_[at];
        zeros[n] = zero;
        ones[n] = one;
        ranks_[n] = last;
        n += rank != last;
        last = rank;
        const Sum* sums = rows_.sums_of(row);
        zero += sums[0];
        one += sums[1];
    }
    n_ = n;
    const Sum end[] = {zero, one};
    add(last, end);
}

/// Put a cut beside the others, if it is a split.
template <class Sum>
void CutList<Sum>::add(std::uint32_t rank, const Sum* sums) {
    if (!reader_.may_part(sums, 1, total_)) return;
    for (std::uint32_t slot = 0; slot < slots_; ++slot) {
        sums_[slot * stride_ + n_] = sums[slot];
    }
    ranks_[n_++] = rank;
}

template <class Sum>
void CutList<Sum>::score_all() {
    const SumLayout& layout = reader_.layout();
    const std::uint32_t slot = layout.mass_slot();
    impurity_.score(
        {sums_.data() + slot * stride_, stride_, total_ + slot, layout.n_labels, n_},
        scores_);
}

template class CutList<std::int32_t>;
template class CutList<std::int64_t>;

}  // namespace ostrya
