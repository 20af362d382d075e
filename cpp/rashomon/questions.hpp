/// Questions that part all rows alike are one: the first of them is kept, and the
/// others are its alternative names.
#pragma once

#include <vector>

#include "objective/problem.hpp"

namespace ostrya::rashomon {

/// A question of the table: is a feature at most this threshold?
struct Question {
    std::uint32_t feature = 0;
    double threshold = 0;
};

/// A question that was dropped, and the one that parts the rows as it does, or the
/// other way round: yes where it says no.
struct Alias {
    Question dropped, kept;
    bool is_turned = false;
};

/// The threshold of a cut, half-way between the values on either side of it.
Question question_of(const Problem& problem, Split split);

/// Drop the repeated questions of a problem.
std::vector<Alias> merge_questions(Problem& problem);

}  // namespace ostrya::rashomon
