/// For tests: `operator new` that fails on demand, and counts what is not freed.
///
/// Only in builds with OSTRYA_FAILING_NEW. It sees what `MemoryBudget` does not: the
/// problem before a search has a budget, and the tree after it.
#pragma once

#include <cstdint>

namespace ostrya {

/// Have the n-th allocation of the engine on this thread, counted from 1, fail; 0:
/// none. Allocations under the interpreter lock are the binding's, and are left alone.
void fail_allocation(std::uint64_t n);

/// Which one is still to fail: 0 once it has.
std::uint64_t failing_allocation();

/// Allocations of this module, on any thread, that are not yet freed.
std::int64_t live_allocations();

}  // namespace ostrya
