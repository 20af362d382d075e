#include "top_k/top_k_search.hpp"

#include "search/engine.hpp"
#include "search/lone_leaf.hpp"
#include "top_k/top_k_solver.hpp"

namespace ostrya {

Result search_top_k(const Problem& problem, const Options& options, StopSign& stop,
                    Progress& progress) {
    if (auto leaf = lone_leaf(problem, options, stop, progress)) return *leaf;
    if (fits_narrow_sums(problem)) {
        return TopKSolver<CutNodes<std::int32_t>>(problem, options, stop, progress)
            .run();
    }
    return TopKSolver<CutNodes<std::int64_t>>(problem, options, stop, progress).run();
}

}  // namespace ostrya
