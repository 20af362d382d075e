#include "greedy/greedy_search.hpp"

#include <algorithm>

#include "greedy/growth.hpp"

namespace ostrya {
namespace {

std::size_t first_sample(const Request& request, const Tuning::Greedy& tuning) {
    const std::size_t n_orders = std::max<std::size_t>(Sample::n_orders(request), 1);
    return std::clamp(tuning.sample_values / n_orders, tuning.least_rows,
                      tuning.most_rows);
}

/// The most rows that can be sorted in the memory there is.
std::size_t largest_sample(const Request& request, const Tuning::Greedy& tuning,
                           const MemoryBudget& memory) {
    std::size_t n_rows = request.values.n_rows();
    while (n_rows > tuning.least_rows &&
           !memory.allows(Sample::bytes(request, n_rows))) {
        n_rows /= 2;
    }
    return n_rows;
}

void keep_better(CountedTree other, CountedTree& best) {
    if (other.cost < best.cost) best = std::move(other);
}

}  // namespace

std::uint64_t quick_growth_bytes(const Request& request, const Tuning::Greedy& tuning) {
    return Sample::bytes(request, first_sample(request, tuning));
}

CountedTree grow_quickly(const Request& request, const Tuning::Greedy& tuning,
                         MemoryBudget& memory) {
    const std::size_t n_rows = first_sample(request, tuning);
    // By the clock there would be no tree where the machine is busy.
    std::size_t passes_left = tuning.most_visits / n_rows;
    const StopCheck is_late = [&] {
        if (passes_left > 0) --passes_left;
        return passes_left == 0;
    };
    LabelLosses losses(request, memory);
    Sample sample(request, memory);
    sample.take(n_rows, is_late);
    Growth growth(request, sample, memory);
    return count_and_prune(growth.grow({}, is_late), request, losses, memory);
}

CountedTree grow_from_samples(const Request& request, const Tuning::Greedy& tuning,
                              StopSign& stop, MemoryBudget& memory) {
    const StopCheck is_stopped = [&] { return stop.is_up(); };
    CountedTree best = grow_quickly(request, tuning, memory);
    LabelLosses losses(request, memory);
    const std::size_t most = largest_sample(request, tuning, memory);
    for (std::size_t n = first_sample(request, tuning); n < most && !stop.is_up();) {
        // All samples before take less than this one does.
        n = std::min(n * tuning.sample_growth, most);
        Sample sample(request, memory);
        sample.take(n, is_stopped);
        if (stop.is_up()) break;
        Growth growth(request, sample, memory);
        const FoundTree tree = growth.grow({}, is_stopped);
        if (stop.is_up()) break;
        keep_better(count_and_prune(tree, request, losses, memory), best);
    }
    return best;
}

CountedTree grow_from_features(const Request& request, const Tuning::Greedy& tuning,
                               StopSign& stop, MemoryBudget& memory) {
    const StopCheck is_stopped = [&] { return stop.is_up(); };
    CountedTree best = grow_quickly(request, tuning, memory);
    LabelLosses losses(request, memory);
    Sample sample(request, memory);
    sample.take(largest_sample(request, tuning, memory), is_stopped);
    Growth growth(request, sample, memory);
    std::size_t passes_left =
        tuning.most_visits_of_all / std::max<std::size_t>(sample.size(), 1) + 1;
    const StopCheck is_enough = [&] {
        if (passes_left > 0) --passes_left;
        stop.counted.add(0, tuning.nanoseconds_per_visit * sample.size());
        return passes_left == 0 || stop.is_up();
    };
    const auto grow = [&](std::optional<std::uint32_t> root_feature) {
        const FoundTree tree = growth.grow(root_feature, is_enough);
        if (stop.is_up()) return;
        keep_better(count_and_prune(tree, request, losses, memory), best);
    };
    if (!stop.is_up()) grow({});
    for (std::uint32_t feature = 0;
         feature < sample.n_sorted() && passes_left > 0 && !stop.is_up(); ++feature) {
        grow(feature);
    }
    return best;
}

}  // namespace ostrya
