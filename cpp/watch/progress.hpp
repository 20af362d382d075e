/// What the search tells the outside while it runs.
#pragma once

#include <cstdint>
#include <vector>

#include "objective/cost.hpp"

namespace ostrya {

/// The state of a search at one moment; costs are totals, base included.
struct TracePoint {
    double seconds = 0;
    Cost lower = 0;
    Cost upper = 0;
    std::uint64_t subproblems = 0;
    std::uint64_t memory = 0;
    std::uint32_t leaves = 1;
    std::uint32_t proved_depth = 0;  // no tree of this depth is better
    Cost next_depth_lower = 0;       // of the trees one level deeper
    // Counted so far, where it is (work_count.hpp).
    std::uint64_t work = 0, nanoseconds = 0;
};

/// Written by the search, read by whoever watches it.
class Progress {
public:
    /// Note a state, unless nothing has been found or proved since the last.
    void publish(const TracePoint& point) {
        if (!trace_.empty() && trace_.back().lower == point.lower &&
            trace_.back().upper == point.upper &&
            trace_.back().proved_depth == point.proved_depth) {
            return;
        }
        trace_.push_back(point);
    }
    TracePoint latest() const { return trace_.empty() ? TracePoint{} : trace_.back(); }
    bool is_empty() const { return trace_.empty(); }
    const std::vector<TracePoint>& trace() const { return trace_; }

private:
    std::vector<TracePoint> trace_;
};

}  // namespace ostrya
