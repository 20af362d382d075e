#include "prices/allowed_conditions.hpp"

#include <cassert>

namespace ostrya {

std::uint32_t AllowedConditions::choose(const ConditionState& state) {
    // The losses that fail fewest of the allowed conditions: one, two, three, or more.
    const std::size_t n_words = state.packed->n_words;
    std::uint64_t* const few = counts_.data();
    std::uint64_t any = 0;
    for (std::size_t count = 1; count <= 4 && any == 0; ++count) {
        for (std::size_t word = 0; word < n_words; ++word) {
            few[word] = state.losses[word];
            if (count < 4) few[word] &= ~counts_[count * n_words + word];
            any |= few[word];
        }
    }
    kernels_.score_conditions(state.packed->rows(), listed_.data(), listed_.size(),
                              counts_.data(), scores_.data());
    double most = -1;
    std::uint32_t best = 0;
    for (std::size_t at = 0; at < listed_.size(); ++at) {
        const double score = static_cast<double>(state.lost(listed_[at])) *
                             static_cast<double>(scores_[at]);
        if (score <= most) continue;
        most = score;
        best = listed_[at];
    }
    assert(most > 0);
    return best;
}

}  // namespace ostrya
