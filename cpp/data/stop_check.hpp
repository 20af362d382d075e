/// How long work on the data may go on.
#pragma once

#include <cstddef>
#include <functional>

namespace ostrya {

/// Tells whether to come back with what there is; once it does it always will.
using StopCheck = std::function<bool()>;

/// Rows worked on between two questions: well below a millisecond.
inline constexpr std::size_t rows_between_checks = 8192;

/// Whether to stop before this row; asks now and then.
inline bool is_stopped_at(std::size_t row, const StopCheck& is_stopped) {
    return row % rows_between_checks == 0 && is_stopped();
}

}  // namespace ostrya
