#include "bind/translate.hpp"

#include <cassert>
#include <stdexcept>

#include "bounds/support.hpp"

namespace ostrya {
namespace {

Limits tree_limits(const values::Limits& limits) {
    return {limits.max_depth.value_or(Limits::unlimited),
            limits.max_leaves.value_or(Limits::unlimited)};
}

SplitCriterion criterion_of(const std::string& name) {
    if (name == "entropy") return SplitCriterion::entropy;
    if (name == "gini") return SplitCriterion::gini;
    if (name == "sqrt") return SplitCriterion::square_root;
    if (name == "own") return SplitCriterion::own;
    throw std::invalid_argument("no criterion of splits is called " + name);
}

TopK top_k_of(const values::TopK& top_k) {
    TopK out;
    out.widths = top_k.widths;
    out.criterion = criterion_of(top_k.criterion);
    if ((out.criterion == SplitCriterion::own) != top_k.impurity.has_value()) {
        throw std::invalid_argument("an impurity goes with the criterion own");
    }
    out.ranks_features = top_k.ranks_features;
    out.by_rows = top_k.by_rows;
    return out;
}

leaf_sets::Policy policy_of(const std::string& name) {
    using leaf_sets::Policy;
    if (name == "lower_bound") return Policy::lower_bound;
    if (name == "objective") return Policy::objective;
    if (name == "entropy") return Policy::entropy;
    if (name == "breadth_first") return Policy::breadth;
    if (name == "depth_first") return Policy::depth;
    if (name == "curiosity") return Policy::curiosity;
    throw std::invalid_argument("no policy of the queue is called " + name);
}

const char* name_of(Status status) {
    switch (status) {
        case Status::optimal:
            return "optimal";
        case Status::optimal_in_top_k:
            return "optimal_in_top_k";
        case Status::optimal_to_depth:
            return "optimal_to_depth";
        case Status::upper_bound:
            return "upper_bound";
        case Status::time_limit:
            return "time_limit";
        case Status::memory_limit:
            return "memory_limit";
        default:
            return "interrupted";
    }
}

Request plain_request(const TrainingRows& rows, const values::Limits& limits,
                      const std::optional<Costs>& gains = {}) {
    Request out;
    if (gains) out.gains = gains->data();
    out.values = matrix_of(rows.values);
    out.codes = rows.codes.data();
    out.weights = rows.weights.data();
    out.weight_step = static_cast<std::size_t>(rows.weights.stride(0));
    out.costs = rows.costs.data();
    out.n_labels = rows.costs.shape(0);
    out.scale = rows.scale;
    out.limits = tree_limits(limits);
    out.min_samples_leaf = limits.min_samples_leaf;
    assert(out.is_on_grid());
    return out;
}

}  // namespace

Options options_of(const values::Options& options) {
    Options out;
    out.upper = options.upper;
    out.switches = options.bounds;
    out.effort = options.effort;
    // A search that ends when its counted work is done, or whose bounds are guessed,
    // would find another tree in another order.
    const bool depends_on_order =
        options.effort || options.max_work || options.reference;
    out.n_threads = depends_on_order ? 1 : options.n_threads;
    out.tuning = options.tuning;
    out.logs_tasks = options.logs_tasks;
    if (options.top_k) out.top_k = top_k_of(*options.top_k);
    out.hand_over = options.hand_over;
    out.part = options.part.get();
    out.optimum = options.optimum;
    return out;
}

leaf_sets::Options options_of(const values::LeafSetOptions& options) {
    leaf_sets::Options out;
    out.upper = options.upper;
    out.limits = tree_limits(options.limits);
    out.min_samples_leaf = options.limits.min_samples_leaf;
    out.policy = policy_of(options.policy);
    out.switches = options.bounds;
    return out;
}

fronts::Options options_of(const TrainingRows& rows,
                           const values::FrontOptions& options) {
    fronts::Options out;
    out.upper = options.upper;
    out.lower = options.lower;
    out.limits = tree_limits(options.limits);
    out.prices = {rows.costs.data()[1], rows.costs.data()[2], rows.scale.penalty,
                  options.shift};
    return out;
}

Request request_of(const TrainingRows& rows, const values::Options& options) {
    Request out = plain_request(rows, options.limits, options.gains);
    // Where splits are ranked, which of them are there is part of the problem: none is
    // dropped because no tree needs it (B3).
    out.ranks_splits = options.top_k.has_value();
    out.support_floor =
        out.ranks_splits ? -1 : support_floor(rows.scale, options.bounds.support);
    out.n_threads = options.n_threads;
    out.cross_tables = options.cross_tables;
    out.few_cuts = options.few_cuts;
    if (options.reference) out.reference = options.reference->data();
    if (options.ranking) {
        out.known = {options.ranking->ranks.data(), options.ranking->numbers.data(),
                     out.values.n_rows()};
    }
    return out;
}

Request request_of(const TrainingRows& rows, const values::LeafSetOptions& options) {
    return plain_request(rows, options.limits);
}

Request request_of(const TrainingRows& rows, const values::FrontOptions& options) {
    return plain_request(rows, options.limits);
}

Request request_to_count(const TrainingRows& rows, const values::Limits& limits) {
    Request out = plain_request(rows, limits);
    out.counts_trees = true;
    out.ranks_splits = true;
    // Trees that no optimum needs are counted too: no child is dismissed by B3.
    out.support_floor = -1;
    return out;
}

void plan_trouble(MemoryBudget& memory, const values::AllocationTrouble& trouble) {
    using Trouble = MemoryBudget::Trouble;
    if (trouble.fails) memory.plan(Trouble::bad_alloc, *trouble.fails);
    if (trouble.exhausts) memory.plan(Trouble::no_room, *trouble.exhausts);
}

values::Result result_of(const Result& result, const Thresholds& thresholds,
                         const Progress& progress) {
    values::Result out;
    out.feature = thresholds.feature;
    out.threshold = thresholds.threshold;
    for (const FoundTree::Node& node : result.tree.nodes) {
        out.yes.push_back(node.is_leaf ? -1 : static_cast<std::int32_t>(node.yes));
        out.no.push_back(node.is_leaf ? -1 : static_cast<std::int32_t>(node.no));
    }
    out.lower = result.lower;
    out.upper = result.upper;
    out.status = name_of(result.status);
    out.proved_depth = result.proved_depth;
    out.trace = progress.trace();
    out.statistics = result.statistics;
    out.tasks = result.tasks;
    out.splits = result.splits;
    return out;
}

}  // namespace ostrya
