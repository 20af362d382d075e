/// What every part of one thread's search works with.
///
/// Threads share the problem, the options, the memory and what is proved; each has its
/// own stop sign and counts. The parts keep a copy of the context: it must not outlive
/// what it refers to.
#pragma once

#include "memory/budget.hpp"
#include "objective/problem.hpp"
#include "search/options.hpp"
#include "search/shared_facts.hpp"
#include "watch/progress.hpp"
#include "watch/result.hpp"
#include "watch/stop.hpp"

namespace ostrya {

struct SearchContext {
    const Problem& problem;
    const Options& options;
    StopSign& stop;
    Progress& progress;
    MemoryBudget& memory;
    SharedFacts& facts;
    Statistics& statistics;

    const Tuning& tuning() const { return options.tuning; }

    /// The same search with other options, which outlive it.
    SearchContext with(const Options& others) const {
        return {problem, others, stop, progress, memory, facts, statistics};
    }
    /// The same search on another thread.
    SearchContext on_thread(StopSign& its_stop, Statistics& its_statistics) const {
        return {problem, options, its_stop, progress, memory, facts, its_statistics};
    }
};

}  // namespace ostrya
