#include "search/deepening_pace.hpp"

namespace ostrya {

/// A search that is over sooner has no need of turns.
DeepeningPace::DeepeningPace(const SearchContext& context)
    : problem_(context.problem),
      options_(context.options),
      tuning_(context.tuning().deepening),
      stop_(context.stop),
      depths_(context.facts.depths),
      next_turn_(problem_.has_many_cuts ? tuning_.first_turn
                                        : tuning_.first_turn_of_questions) {}

void DeepeningPace::hurry(std::uint64_t work, std::uint64_t n_splits) {
    if (problem_.has_many_cuts) return;
    // Work may come to 2^60 words and splits to 2^32: the product needs 128 bits.
    const auto part = static_cast<unsigned __int128>(work) * n_splits * n_splits /
                      tuning_.parts_of_depth_three;
    const auto soonest = std::max<unsigned __int128>(tuning_.early, part);
    next_turn_ =
        static_cast<std::uint64_t>(std::min<unsigned __int128>(next_turn_, soonest));
}

void DeepeningPace::begin_turn(const Bracket& best) {
    const std::uint64_t of_search = stop_.counted.of_search();
    const bool is_often = proof_is_far(best) || stop_.counted.all() >= tuning_.late;
    next_turn_ = of_search + (is_often ? of_search / tuning_.often_part : of_search);
}

void DeepeningPace::end_turn(const Bracket& best) {
    had_turn_ = true;
    last_lower_ = best.lower;
}

/// Where the proof for all trees is far, depths 3 and 4 come before it, and deeper ones
/// beside it. Else they have a small share, and depth 4 more where it does not get on.
std::uint64_t DeepeningPace::work_left(const Bracket& best, bool has_promising) const {
    const std::uint32_t depth = depths_.proved() + 1;
    const std::uint64_t of_search = stop_.counted.of_search();
    const bool is_far = proof_is_far(best);
    if (!may_take_turns(depth, is_far)) return 0;
    std::uint64_t most = of_search / tuning_.usual_part;
    if (is_far && depth <= 4) {
        // Until prices are sought, a proof may only seem far. Where leaves cost nothing
        // there are no prices.
        const bool is_early =
            problem_.scale.penalty > 0 && (!had_turn_ || of_search < tuning_.early);
        most = of_search * (is_early     ? tuning_.first_share
                            : depth <= 3 ? tuning_.far_share_of_three
                                         : tuning_.far_share_of_four);
    } else if (depth <= 3 || (depth <= 4 && has_promising)) {
        // Soon over on most tables, so it should be over soon.
        most = of_search * tuning_.first_share;
    } else if (depth <= 4 && is_stuck(best)) {
        most = (stop_.counted.all() - own_work_) * tuning_.late_share;
    } else if ((is_far && problem_.has_many_cuts) || options_.effort) {
        most = of_search;
    }
    return most > own_work_ ? most - own_work_ : 0;
}

/// Whether the search is long enough for turns, or for depths 2 and 3 alone.
bool DeepeningPace::may_take_turns(std::uint32_t depth, bool is_far) const {
    return problem_.has_many_cuts ||
           stop_.counted.of_search() >= tuning_.first_turn_of_questions ||
           (depth <= 3 && is_far);
}

/// Whether much of what the best tree costs is not yet proved.
bool DeepeningPace::proof_is_far(const Bracket& best) const {
    const Cost base = problem_.scale.factor * problem_.base;
    return tuning_.far_part * (best.lower + base) < best.upper + base;
}

/// Whether the proof has taken long, and does not get on.
bool DeepeningPace::is_stuck(const Bracket& best) const {
    const bool rises = best.lower - last_lower_ > last_lower_ / tuning_.least_rise_part;
    return problem_.has_many_cuts && stop_.counted.all() >= tuning_.late && !rises;
}

}  // namespace ostrya
