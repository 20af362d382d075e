#include "node/candidate_bits.hpp"

#include <algorithm>
#include <bit>

#include "kernels/padding.hpp"

namespace ostrya {

template <class Sum>
CandidateBits<Sum>::CandidateBits(const Problem& problem, const SumReader<Sum>& reader,
                                  const Kernels<Sum>& kernels, MemoryBudget& memory)
    : problem_(problem),
      reader_(reader),
      kernels_(kernels),
      has_chains_(std::any_of(
          problem.splits.begin(), problem.splits.end(),
          [](const SplitColumn& column) { return column.cuts.size() > 1; })),
      bits_(memory),
      names_(memory),
      next_(memory),
      previous_(memory),
      sums_(memory),
      listed_(memory),
      hashes_(memory),
      table_(memory),
      keys_(memory),
      chosen_(memory),
      yes_loss_(memory),
      no_loss_(memory) {}

template <class Sum>
void CandidateBits<Sum>::start(std::uint32_t n_words, std::size_t capacity) {
    n_words_ = n_words;
    stride_ = padded(std::max<std::size_t>(capacity, 16));
    // One word more than the rows need: compression may touch it with zeros.
    bits_.assign((n_words + std::size_t{1}) * stride_, 0);
    names_.clear();
    next_.clear();
    previous_.clear();
}

template <class Sum>
void CandidateBits<Sum>::widen(std::size_t n_columns) {
    const std::size_t stride = padded(2 * n_columns);
    Vector<std::uint64_t> wider((n_words_ + std::size_t{1}) * stride, 0,
                                bits_.get_allocator());
    for (std::uint32_t word = 0; word < n_words_; ++word) {
        std::copy_n(bits_.begin() + static_cast<std::ptrdiff_t>(word * stride_),
                    names_.size(),
                    wider.begin() + static_cast<std::ptrdiff_t>(word * stride));
    }
    bits_ = std::move(wider);
    stride_ = stride;
}

template <class Sum>
void CandidateBits<Sum>::inherit(const Node<Sum>& parent, const std::uint64_t* keep) {
    const std::uint32_t n = parent.bits.n;
    if (n == 0) return;
    compress_kernel()(parent.bits.from(0), n, keep, parent.rows.n_words, bits_.data(),
                      stride_);
    const NodeSplits<Sum>& splits = parent.splits;
    names_.assign(splits.names.begin(), splits.names.begin() + n);
    next_.assign(splits.next.begin(), splits.next.begin() + n);
    previous_.assign(splits.previous.begin(), splits.previous.begin() + n);
}

template <class Sum>
void CandidateBits<Sum>::write(Node<Sum>& node, std::uint32_t n_cells) {
    choose(node.rows);
    const std::uint32_t slots = reader_.size();
    NodeBits& bits = node.bits;
    NodeSplits<Sum>& splits = node.splits;
    bits.n = static_cast<std::uint32_t>(chosen_.size());
    bits.stride = padded(bits.n);
    splits.width = bits.stride + padded(n_cells);
    splits.names.resize(splits.width);
    splits.is_split.assign(splits.width, 0);
    splits.next.assign(splits.width, none);
    splits.previous.assign(splits.width, none);
    splits.yes.assign(std::size_t{slots} * splits.width, 0);
    bits.words.resize(std::size_t{n_words_} * bits.stride);
    for (std::uint32_t word = 0; word < n_words_; ++word) {
        const std::uint64_t* from = bits_.data() + word * stride_;
        std::uint64_t* to = bits.words.data() + std::size_t{word} * bits.stride;
        for (std::uint32_t at = 0; at < bits.n; ++at) to[at] = from[chosen_[at]];
        std::fill(to + bits.n, to + bits.stride, 0);
    }
    for (std::uint32_t at = 0; at < bits.n; ++at) {
        const std::uint32_t candidate = chosen_[at];
        splits.names[at] = names_[candidate];
        splits.is_split[at] = 1;
        for (std::uint32_t slot = 0; slot < slots; ++slot) {
            splits.yes[std::size_t{slot} * splits.width + at] =
                sums_[slot * stride_ + candidate];
        }
    }
    if (has_chains_) chain_cuts(splits);
}

/// Chain the columns that are cuts of one feature, in the order of the candidates.
template <class Sum>
void CandidateBits<Sum>::chain_cuts(NodeSplits<Sum>& splits) {
    Vector<std::uint32_t>& number_of = table_;
    number_of.assign(names_.size(), none);
    for (std::uint32_t at = 0; at < chosen_.size(); ++at) number_of[chosen_[at]] = at;
    for (std::uint32_t first = 0; first < names_.size(); ++first) {
        if (previous_[first] != none) continue;
        std::uint32_t last = none;
        for (std::uint32_t at = first; at != none; at = next_[at]) {
            const std::uint32_t number = number_of[at];
            if (number == none) continue;
            if (last != none) {
                assert(splits.names[last].column == splits.names[number].column &&
                       splits.names[last].cut < splits.names[number].cut);
                splits.next[last] = number;
                splits.previous[number] = last;
            }
            last = number;
        }
    }
}

/// Choose the columns whose two children are both worth having, once each.
template <class Sum>
void CandidateBits<Sum>::choose(const NodeRows<Sum>& rows) {
    chosen_.clear();
    if (names_.empty()) return;
    count(rows);
    list_useful(rows);
    if (problem_.ranks_splits) return choose_by_name();
    hash_listed(rows);
    table_.assign(std::bit_ceil(2 * listed_.size() + 1), none);
    const std::size_t n = names_.size();
    yes_loss_.resize(std::max(yes_loss_.size(), n));
    no_loss_.resize(yes_loss_.size());
    reader_.side_losses(sums_.data(), stride_, rows.total.data(), n, yes_loss_.data(),
                        no_loss_.data());
    const Weight cap = problem_.scale.penalty / problem_.scale.factor;
    // Bound, loss and number in one word; losses that need more bits lose the last.
    const int number_bits = static_cast<int>(std::bit_width(n));
    const int loss_bits = (64 - number_bits) / 2;
    const auto total =
        static_cast<std::uint64_t>(reader_.potential(rows.total.data(), 1));
    const int lost_bits =
        std::max(0, static_cast<int>(std::bit_width(total)) - loss_bits);
    keys_.clear();
    for (const std::uint32_t at : listed_) {
        if (is_repeated(rows, at)) continue;
        const Weight loss_yes = yes_loss_[at], loss_no = no_loss_[at];
        const Weight bound = std::min(loss_yes, cap) + std::min(loss_no, cap);
        const auto rank = static_cast<std::uint64_t>(bound >> lost_bits) << loss_bits |
                          static_cast<std::uint64_t>((loss_yes + loss_no) >> lost_bits);
        keys_.push_back(rank << number_bits | at);
    }
    std::sort(keys_.begin(), keys_.end());
    const std::uint64_t number = (std::uint64_t{1} << number_bits) - 1;
    for (const std::uint64_t key : keys_) {
        chosen_.push_back(static_cast<std::uint32_t>(key & number));
    }
}

/// Choose every split by its name, in the order of columns and cuts. Of cuts of one
/// column that part the rows alike the lowest stays: between them lie no values.
template <class Sum>
void CandidateBits<Sum>::choose_by_name() {
    for (const std::uint32_t at : listed_) {
        if (!repeats_lower_cut(at)) chosen_.push_back(at);
    }
}

/// True when the next lower cut of the column makes the same children. Cuts are nested
/// and every row weighs something, so equal masses are equal sets.
template <class Sum>
bool CandidateBits<Sum>::repeats_lower_cut(std::uint32_t candidate) const {
    const std::uint32_t lower = previous_[candidate];
    if (lower == none) return false;
    return reader_.extent(sums_.data() + candidate, stride_) ==
           reader_.extent(sums_.data() + lower, stride_);
}

template <class Sum>
void CandidateBits<Sum>::count(const NodeRows<Sum>& rows) {
    const std::uint32_t slots = reader_.size();
    sums_.resize(slots * stride_);
    for (std::uint32_t slot = 0; slot < slots; ++slot) {
        const Vector<MaskWord>& words = rows.planes.words[slot];
        kernels_.count({bits_.data(), stride_}, words.data(), words.size(),
                       sums_.data() + slot * stride_, padded(names_.size()));
    }
}

/// List the candidates whose two children are both worth having (B3).
template <class Sum>
void CandidateBits<Sum>::list_useful(const NodeRows<Sum>& rows) {
    const auto n = static_cast<std::uint32_t>(names_.size());
    const Weight floor = reader_.floor();
    const Weight total = reader_.potential(rows.total.data(), 1);
    listed_.resize(n);
    std::uint32_t* to = listed_.data();
    for (std::uint32_t at = 0; at < n; ++at) {
        const Weight yes = reader_.potential(sums_.data() + at, stride_);
        *to = at;
        to += (yes > floor) & (total - yes > floor);  // small nodes drop most of them
    }
    listed_.resize(static_cast<std::size_t>(to - listed_.data()));
    // Without counts and masses, potential is all that makes a leaf.
    if (!reader_.layout().keeps_every_row()) return;
    std::erase_if(listed_, [&](std::uint32_t at) {
        return !reader_.may_part(sums_.data() + at, stride_, rows.total.data());
    });
}

/// Hash each listed candidate so that a column and its complement agree.
template <class Sum>
void CandidateBits<Sum>::hash_listed(const NodeRows<Sum>& rows) {
    hashes_.resize(std::max(hashes_.size(), names_.size()));
    for (const std::uint32_t at : listed_) hashes_[at] = 0;
    for (std::uint32_t word = 0; word < n_words_; ++word) {
        const std::uint64_t tail =
            word + 1 == n_words_ ? tail_mask(rows.n) : ~std::uint64_t{0};
        const std::uint64_t* bits = bits_.data() + word * stride_;
        for (const std::uint32_t at : listed_) {
            const std::uint64_t flip = (bits_[at] & 1) ? tail : 0;
            hashes_[at] =
                std::rotl(hashes_[at] ^ bits[at] ^ flip, 23) * 0x9e3779b97f4a7c15u;
        }
    }
}

/// True when an earlier candidate makes the same two children; compared bit by bit.
template <class Sum>
bool CandidateBits<Sum>::is_repeated(const NodeRows<Sum>& rows,
                                     std::uint32_t candidate) {
    const std::size_t mask = table_.size() - 1;
    std::size_t slot = (hashes_[candidate] >> 32) & mask;
    for (; table_[slot] != none; slot = (slot + 1) & mask) {
        const std::uint32_t other = table_[slot];
        if (hashes_[other] != hashes_[candidate]) continue;
        const bool flips = (bits_[other] ^ bits_[candidate]) & 1;
        bool is_same = true;
        for (std::uint32_t word = 0; is_same && word < n_words_; ++word) {
            const std::uint64_t tail =
                word + 1 == n_words_ ? tail_mask(rows.n) : ~std::uint64_t{0};
            const std::uint64_t* bits = bits_.data() + word * stride_;
            is_same = bits[candidate] == (bits[other] ^ (flips ? tail : 0));
        }
        if (is_same) return true;
    }
    table_[slot] = candidate;
    return false;
}

template class CandidateBits<std::int32_t>;
template class CandidateBits<std::int64_t>;

}  // namespace ostrya
