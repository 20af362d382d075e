/// The trees of a row set that end within two levels, listed by their questions.
///
/// An enumeration counts them and keeps no more than their numbers; what asks for trees
/// counts the pairs of such a row set again.
#pragma once

#include <vector>

#include "rashomon/enumeration.hpp"

namespace ostrya::rashomon {

/// A question below which a tree ends, and what it loses on the two sides.
struct SecondQuestion {
    std::uint32_t column, first_cut, n_cuts;
    Weight loss;
};

/// A first question of a row set whose trees end within two levels.
template <class Count>
struct FirstQuestion {
    std::uint32_t column = 0, first_cut = 0, n_cuts = 1;
    std::vector<Bucket<Count>> yes, no;  // trees of either side
    std::vector<SecondQuestion> yes_two, no_two;
    bool joins_leaves = true;  // both sides may be leaves
};

/// The questions of a record of `Shape::pairs`, by column and cut.
template <class Sum, class Count>
std::vector<FirstQuestion<Count>> list_last_levels(Enumeration<Sum, Count>& trees,
                                                   std::uint32_t number,
                                                   const Vector<std::uint32_t>& rows);

}  // namespace ostrya::rashomon
