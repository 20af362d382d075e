#include "top_k/top_k_search.hpp"

#include "search/lone_leaf.hpp"
#include "search/narrow_sums.hpp"
#include "top_k/widening.hpp"

namespace ostrya {
namespace {

template <class Nodes>
Result search_with(const Problem& problem, const Options& options, StopSign& stop,
                   Progress& progress, MemoryBudget& memory) {
    return Widening<Nodes>(problem, options, stop, progress, memory).run();
}

}  // namespace

Result search_top_k(const Problem& problem, const Options& options, StopSign& stop,
                    Progress& progress, MemoryBudget& memory) {
    const bool by_rows = options.top_k->by_rows.value_or(suit_row_nodes(problem));
    const std::uint64_t bytes =
        by_rows ? row_nodes_bytes(problem) : root_bytes(problem);
    if (auto leaf = lone_leaf(problem, bytes, stop, progress, memory)) return *leaf;
    const bool is_narrow = fits_narrow_sums(problem);
    const auto search = by_rows     ? is_narrow ? search_with<RowNodes<std::int32_t>>
                                                : search_with<RowNodes<std::int64_t>>
                        : is_narrow ? search_with<CutNodes<std::int32_t>>
                                    : search_with<CutNodes<std::int64_t>>;
    return search(problem, options, stop, progress, memory);
}

}  // namespace ostrya
