#include "search/purities.hpp"

#include <algorithm>

namespace ostrya {

template <class Sum>
std::uint32_t Purities<Sum>::purest(const Node<Sum>& node) {
    std::uint32_t best = none;
    double purity = 0;
    for_each_split(node, [&](std::uint32_t split, double of_split) {
        if (best != none && of_split <= purity) return;
        best = split;
        purity = of_split;
    });
    return best;
}

template <class Sum>
Vector<std::uint32_t> Purities<Sum>::purest_of_columns(const Node<Sum>& node) {
    of_columns_.assign(problem_.splits.size(), {0.0, none});
    for_each_split(node, [&](std::uint32_t split, double of_split) {
        auto& best = of_columns_[node.splits.names[split].column];
        if (best.second == none || -of_split < best.first) best = {-of_split, split};
    });
    std::erase_if(of_columns_, [](const auto& entry) { return entry.second == none; });
    std::sort(of_columns_.begin(), of_columns_.end());
    Vector<std::uint32_t> out(of_columns_.get_allocator());
    out.reserve(of_columns_.size());
    for (const auto& [pure, split] : of_columns_) out.push_back(split);
    return out;
}

template <class Sum>
template <class Use>
void Purities<Sum>::for_each_split(const Node<Sum>& node, const Use& use) {
    const std::uint32_t width = node.splits.width;
    for (std::uint32_t first = 0; first < width; first += most_at_once) {
        const std::uint32_t n = std::min(most_at_once, width - first);
        find(node, first, n);
        for (std::uint32_t at = 0; at < n; ++at) {
            if (node.splits.is_split[first + at]) use(first + at, purities_[at]);
        }
    }
}

/// Loops over many splits at once are short.
template <class Sum>
void Purities<Sum>::find(const Node<Sum>& node, std::uint32_t first, std::uint32_t n) {
    const std::uint32_t width = node.splits.width;
    for (Side* side : {&yes_, &no_}) {
        side->sums.assign(n, 0);
        side->squares.assign(n, 0);
    }
    for (std::uint32_t label = 0; label < problem_.layout.n_labels; ++label) {
        const Sum* sums = node.splits.yes.data() + std::size_t{label} * width + first;
        const auto total = static_cast<double>(node.rows.total[label]);
        for (std::uint32_t at = 0; at < n; ++at) {
            const auto yes = static_cast<double>(sums[at]);
            const double no = total - yes;
            yes_.sums[at] += yes;
            yes_.squares[at] += yes * yes;
            no_.sums[at] += no;
            no_.squares[at] += no * no;
        }
    }
    purities_.resize(n);
    for (std::uint32_t at = 0; at < n; ++at) {
        purities_[at] = yes_.purity(at) + no_.purity(at);
    }
}

template class Purities<std::int32_t>;
template class Purities<std::int64_t>;

}  // namespace ostrya
