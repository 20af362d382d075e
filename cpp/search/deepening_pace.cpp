#include "search/deepening_pace.hpp"

namespace ostrya {
namespace {

/// Work of a search before its first turn, some hundredths of a second, and some tenths
/// where columns are yes/no questions: one that is over sooner has no need of turns.
/// Depth 3 comes before that if the proof is far, once the search has taken half as
/// long as it will, roughly: so many parts of three levels of splits.
constexpr std::uint64_t first_turn = std::uint64_t{1} << 23;
constexpr std::uint64_t first_turn_of_questions = std::uint64_t{1} << 28;
constexpr std::uint64_t parts_of_depth_three = 16;
constexpr std::uint64_t test_turn = 16;
/// How many times the work of a search whose proof is far depths 3 and 4 may take. The
/// first turn is shorter, and those of an early search: until prices were sought, its
/// proof may only seem far. Where leaves cost nothing there are no prices.
constexpr std::uint64_t far_share_of_three = 64;
constexpr std::uint64_t far_share_of_four = 16;
constexpr std::uint64_t first_share = 4;
constexpr std::uint64_t early = std::uint64_t{1} << 25;
/// A proof that seems near may still take long. After some seconds, prices included,
/// trees of depth 4 may take so many times the work of all the rest, unless the bound
/// has risen by such a part since the last turn.
constexpr std::uint64_t late = std::uint64_t{1} << 32;
constexpr std::uint64_t late_share = 4;
constexpr Cost least_rise = 50;

}  // namespace

DeepeningPace::DeepeningPace(const Problem& problem, const Options& options,
                             const StopSign& stop, const Facts& facts)
    : problem_(problem),
      options_(options),
      stop_(stop),
      facts_(facts),
      has_many_cuts_(problem.has_many_cuts()),
      next_turn_(options.price_start ? test_turn
                 : has_many_cuts_    ? first_turn
                                     : first_turn_of_questions) {}

void DeepeningPace::hurry(std::uint64_t work, std::uint64_t n_splits) {
    if (has_many_cuts_ || options_.price_start) return;
    // Work may come to 2^60 words and splits to 2^32: the product needs 128 bits.
    const auto part = static_cast<unsigned __int128>(work) * n_splits * n_splits /
                      parts_of_depth_three;
    const auto soonest = std::max<unsigned __int128>(early, part);
    next_turn_ =
        static_cast<std::uint64_t>(std::min<unsigned __int128>(next_turn_, soonest));
}

void DeepeningPace::begin_turn(const Bracket& best) {
    const std::uint64_t of_search = stop_.counted.of_search();
    const bool is_often = proof_is_far(best) || stop_.counted.all() >= late;
    next_turn_ = of_search + (is_often ? of_search / 4 : of_search);
}

void DeepeningPace::end_turn(const Bracket& best) {
    had_turn_ = true;
    last_lower_ = best.lower;
}

/// Where the proof for all trees is far, depths 3 and 4 come before it, and deeper ones
/// beside it. Else they have a small share, and depth 4 more where it does not get on.
std::uint64_t DeepeningPace::work_left(const Bracket& best, bool has_promising) const {
    const std::uint32_t depth = facts_.depths.proved() + 1;
    const std::uint64_t of_search = stop_.counted.of_search();
    const bool is_far = proof_is_far(best);
    if (!may_take_turns(depth, is_far)) return 0;
    std::uint64_t most = of_search / 16;
    if (is_far && depth <= 4) {
        const bool is_early =
            problem_.scale.penalty > 0 && (!had_turn_ || of_search < early);
        most = of_search * (is_early     ? first_share
                            : depth <= 3 ? far_share_of_three
                                         : far_share_of_four);
    } else if (depth <= 3 || (depth <= 4 && has_promising)) {
        // Soon over on most tables, so it should be over soon.
        most = of_search * first_share;
    } else if (depth <= 4 && is_stuck(best)) {
        most = (stop_.counted.all() - own_work_) * late_share;
    } else if ((is_far && has_many_cuts_) || options_.effort) {
        most = of_search;
    }
    return most > own_work_ ? most - own_work_ : 0;
}

/// Whether the search is long enough for turns, or for depths 2 and 3 alone.
bool DeepeningPace::may_take_turns(std::uint32_t depth, bool is_far) const {
    return options_.price_start || has_many_cuts_ ||
           stop_.counted.of_search() >= first_turn_of_questions ||
           (depth <= 3 && is_far);
}

/// Whether half of what the best tree costs is not yet proved.
bool DeepeningPace::proof_is_far(const Bracket& best) const {
    const Cost base = problem_.scale.factor * problem_.base;
    return 2 * (best.lower + base) < best.upper + base;
}

/// Whether the proof has taken long, and does not get on.
bool DeepeningPace::is_stuck(const Bracket& best) const {
    const bool rises = best.lower - last_lower_ > last_lower_ / least_rise;
    return has_many_cuts_ && stop_.counted.all() >= late && !rises;
}

}  // namespace ostrya
