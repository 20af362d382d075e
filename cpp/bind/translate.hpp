/// Between the values that Python has and those of the engines: options, problems and
/// results. What needs Python itself is translated beside its call (checkpoint.hpp,
/// leaf_sets.cpp), and some values are the same for both (values.cpp).
#pragma once

#include "bind/values.hpp"
#include "fronts/search.hpp"
#include "memory/budget.hpp"
#include "objective/found_tree.hpp"
#include "objective/problem.hpp"
#include "search/options.hpp"

namespace ostrya {

/// The rows in integers; the arrays must outlive it.
struct TrainingRows {
    const Rows& values;
    const ClassCodes& codes;
    const Weights& weights;
    const Costs& costs;
    CostScale scale;
};

Options options_of(const values::Options& options);
leaf_sets::Options options_of(const values::LeafSetOptions& options);
/// The costs of the rows are the prices of errors.
fronts::Options options_of(const TrainingRows& rows,
                           const values::FrontOptions& options);

Request request_of(const TrainingRows& rows, const values::Options& options);
Request request_of(const TrainingRows& rows, const values::LeafSetOptions& options);
Request request_of(const TrainingRows& rows, const values::FrontOptions& options);

/// For an enumeration of all trees.
Request request_to_count(const TrainingRows& rows, const values::Limits& limits);

/// For tests: have an allocation of the search meet trouble.
void plan_trouble(MemoryBudget& memory, const values::AllocationTrouble& trouble);

values::Result result_of(const Result& result, const Thresholds& thresholds,
                         const Progress& progress);

}  // namespace ostrya
