/// What the caller may say about the search itself.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <vector>

#include "bounds/switches.hpp"
#include "search/checkpoint.hpp"
#include "search/root_part.hpp"
#include "search/tree_source.hpp"
#include "tuning/tuning.hpp"

namespace ostrya {

/// How splits are scored: by the impurity they leave.
enum class SplitCriterion { entropy, gini, square_root, own };

/// An impurity that the caller defines. It fills the last argument with the impurity of
/// each of `n` vectors of class shares, which follow one another. Threads of a search
/// may call it at the same time.
using OwnImpurity = std::function<void(const double* shares, std::size_t n,
                                       std::uint32_t n_labels, double* impurities)>;

/// Top-k: each node may use only the splits that leave the least impurity.
struct TopK {
    std::vector<std::uint32_t> widths;  // k at each level from the root; the last stays
    SplitCriterion criterion = SplitCriterion::entropy;
    OwnImpurity own;  // where that is the criterion
    /// The k best features compete, each with its best cut and the cuts beside it;
    /// else the k best splits.
    bool ranks_features = false;
    /// Whether nodes are sets of rows (top_k/row_nodes.hpp); by default as measured.
    std::optional<bool> by_rows;

    std::uint32_t width(std::size_t level) const {
        return widths[level < widths.size() ? level : widths.size() - 1];
    }
};

struct Options {
    /// Threads that a search may use.
    std::uint32_t n_threads = 1;
    std::optional<Cost> upper;  // only trees cheaper than this are wanted
    std::optional<TopK> top_k;
    Switches switches;
    /// Nanoseconds after which the search ends with what is proved of small depths; up
    /// to twice as many until depth 3 is proved. Counted (watch/work_count.hpp), not
    /// timed: the same tree on every machine.
    std::optional<std::uint64_t> effort;
    /// When the search does what; tests choose other values than those measured.
    Tuning tuning;
    /// Whether the pieces that threads could share are noted.
    bool logs_tasks = false;
    /// Where good trees come from besides this search; none: nowhere. It outlives the
    /// search.
    TreeSource* trees = nullptr;
    /// Where what is proved is kept; none: nowhere. It outlives the search.
    const Checkpoint* checkpoint = nullptr;
    /// Seconds after which the search ends, once the splits of its root have bounds,
    /// for others to go on.
    std::optional<double> hand_over;
    /// Some splits of the root, where others explore the rest. It outlives the search.
    const RootPart* part = nullptr;
    /// What the best tree costs, where all parts together have proved it: which tree is
    /// returned is then all that is left to say.
    std::optional<Cost> optimum;
};

/// With which size to begin, and what the best tree of the one before loses, base
/// included. Of all smaller trees none costs less than the `upper` of the options.
struct FirstSize {
    std::uint32_t n_leaves = 1;
    Weight loss = 0;
};

}  // namespace ostrya
