#include "search/purities.hpp"

#include <algorithm>

namespace ostrya {

template <class Sum>
std::uint32_t Purities<Sum>::purest(const Node<Sum>& node) {
    find(node);
    std::uint32_t best = none;
    for (std::uint32_t split = 0; split < node.splits.width; ++split) {
        if (!node.splits.is_split[split]) continue;
        if (best == none || purities_[split] > purities_[best]) best = split;
    }
    return best;
}

template <class Sum>
Vector<std::uint32_t> Purities<Sum>::purest_of_columns(const Node<Sum>& node) {
    find(node);
    of_columns_.assign(problem_.splits.size(), {0.0, none});
    for (std::uint32_t split = 0; split < node.splits.width; ++split) {
        if (!node.splits.is_split[split]) continue;
        const double pure = -purities_[split];
        auto& best = of_columns_[node.splits.names[split].column];
        if (best.second == none || pure < best.first) best = {pure, split};
    }
    std::erase_if(of_columns_, [](const auto& entry) { return entry.second == none; });
    std::sort(of_columns_.begin(), of_columns_.end());
    Vector<std::uint32_t> out(purities_.get_allocator());
    out.reserve(of_columns_.size());
    for (const auto& [pure, split] : of_columns_) out.push_back(split);
    return out;
}

/// Loops over all splits at once are short.
template <class Sum>
void Purities<Sum>::find(const Node<Sum>& node) {
    const std::uint32_t width = node.splits.width;
    for (Side* side : {&yes_, &no_}) {
        side->sums.assign(width, 0);
        side->squares.assign(width, 0);
    }
    for (std::uint32_t label = 0; label < problem_.layout.n_labels; ++label) {
        const Sum* sums = node.splits.yes.data() + std::size_t{label} * width;
        const auto total = static_cast<double>(node.rows.total[label]);
        for (std::uint32_t split = 0; split < width; ++split) {
            const auto yes = static_cast<double>(sums[split]);
            const double no = total - yes;
            yes_.sums[split] += yes;
            yes_.squares[split] += yes * yes;
            no_.sums[split] += no;
            no_.squares[split] += no * no;
        }
    }
    purities_.resize(width);
    for (std::uint32_t split = 0; split < width; ++split) {
        purities_[split] = yes_.purity(split) + no_.purity(split);
    }
}

template <class Sum>
void Purities<Sum>::release() {
    constexpr std::size_t many_splits = 1 << 20;
    if (purities_.capacity() < many_splits) return;
    for (Vector<double>* each :
         {&yes_.sums, &yes_.squares, &no_.sums, &no_.squares, &purities_}) {
        Vector<double>(each->get_allocator()).swap(*each);
    }
}

template class Purities<std::int32_t>;
template class Purities<std::int64_t>;

}  // namespace ostrya
