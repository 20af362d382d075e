#include "top_k/candidates.hpp"

#include <algorithm>
#include <limits>

namespace ostrya {

template <class Sum>
Candidates<Sum>::Candidates(const Problem& problem, const SumReader<Sum>& reader,
                            const TopK& top_k, MemoryBudget& memory)
    : reader_(reader),
      ranks_features_(top_k.ranks_features),
      impurity_(top_k, problem, memory),
      scores_(memory),
      ranked_(memory),
      features_(memory),
      kept_(memory) {}

template <class Sum>
bool Candidates<Sum>::choose(const Node<Sum>& node, const SplitSums<Sum>& sums,
                             std::uint32_t k, Vector<std::uint32_t>& chosen) {
    const SumLayout& layout = reader_.layout();
    const std::size_t slot = layout.mass_slot();
    impurity_.score({sums.yes + slot * sums.stride, sums.stride, sums.total + slot,
                     layout.n_labels, node.splits.width},
                    scores_);
    ranked_.clear();
    const bool has_left_out =
        ranks_features_ ? keep_features(node, sums, k) : keep_splits(node, sums, k);
    chosen.clear();
    for (const Ranked& ranked : ranked_)
        chosen.push_back(static_cast<std::uint32_t>(ranked.place));
    return has_left_out;
}

/// Whether a split has enough rows on both sides, and is not a cut that makes the same
/// sides as a lower one: cuts are nested and every row weighs something, so equal
/// masses are equal sets.
template <class Sum>
bool Candidates<Sum>::is_split(const Node<Sum>& node, const SplitSums<Sum>& sums,
                               std::uint32_t split) {
    if (!node.splits.is_split[split] || scores_[split] == no_score) return false;
    const Vector<double>& yes = impurity_.yes_masses();
    const std::uint32_t lower = node.splits.previous[split];
    if (lower != none && yes[lower] == yes[split]) return false;
    return reader_.may_part(sums.yes + split, sums.stride, sums.total);
}

template <class Sum>
Ranked Candidates<Sum>::rank(const Node<Sum>& node, std::uint32_t split) const {
    return {scores_[split], node.splits.names[split], split};
}

template <class Sum>
void Candidates<Sum>::keep_best(Vector<Ranked>& ranked, std::uint32_t k) {
    if (k >= ranked.size()) return;
    std::nth_element(ranked.begin(), ranked.begin() + k - 1, ranked.end());
    ranked.resize(k);
}

/// The best splits, in order; true when others were left out. Most splits are soon
/// seen to be worse than the k best so far, and are passed over.
template <class Sum>
bool Candidates<Sum>::keep_splits(const Node<Sum>& node, const SplitSums<Sum>& sums,
                                  std::uint32_t k) {
    const std::size_t most = 2 * static_cast<std::size_t>(k) + 16;
    double worst = std::numeric_limits<double>::max();
    bool has_left_out = false;
    for (std::uint32_t split = 0; split < node.splits.width; ++split) {
        if (scores_[split] > worst) continue;
        if (!is_split(node, sums, split)) continue;
        ranked_.push_back(rank(node, split));
        if (ranked_.size() < most) continue;
        keep_best(ranked_, k);
        worst = ranked_.back().score;
        has_left_out = true;
    }
    has_left_out |= ranked_.size() > k;
    keep_best(ranked_, k);
    std::sort(ranked_.begin(), ranked_.end());
    return has_left_out;
}

/// The best features by their best cut, and of each that cut and the ones next to it;
/// true when others were left out. The cuts of a column stand side by side, ascending.
template <class Sum>
bool Candidates<Sum>::keep_features(const Node<Sum>& node, const SplitSums<Sum>& sums,
                                    std::uint32_t k) {
    features_.clear();
    for (std::uint32_t split = 0; split < node.splits.width; ++split) {
        if (!is_split(node, sums, split)) continue;
        Ranked ranked = rank(node, split);
        const bool is_new =
            ranked_.empty() || ranked.column() != ranked_.back().column();
        ranked_.push_back(ranked);
        ranked.place = ranked_.size() - 1;  // in this list
        if (is_new) {
            features_.push_back(ranked);
        } else if (ranked < features_.back()) {
            features_.back() = ranked;
        }
    }
    keep_best(features_, k);
    const std::size_t n_splits = ranked_.size();
    kept_.clear();
    for (const Ranked& feature : features_) {
        const std::size_t best = feature.place;
        const std::size_t end = std::min(best + 2, n_splits);
        for (std::size_t at = best - (best > 0); at < end; ++at) {
            if (ranked_[at].column() == feature.column()) {
                kept_.push_back(ranked_[at]);
            }
        }
    }
    ranked_.swap(kept_);
    std::sort(ranked_.begin(), ranked_.end());
    return ranked_.size() < n_splits;
}

template class Candidates<std::int32_t>;
template class Candidates<std::int64_t>;

}  // namespace ostrya
