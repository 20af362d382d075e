#include "rashomon/questions.hpp"

#include <unordered_map>

namespace ostrya::rashomon {
namespace {

struct HashOfHash {
    std::size_t operator()(const RowHash& hash) const {
        return hash.low ^ hash.high * 0x9e3779b97f4a7c15u;
    }
};

/// Where the first question with a set of rows on its yes side is.
struct Kept {
    Split split;
    bool is_turned;  // the set is on its no side
};

}  // namespace

Question question_of(const Problem& problem, Split split) {
    const SplitColumn& column = problem.splits[split.column];
    const Vector<double>& values = problem.values[column.feature];
    const std::uint32_t rank = column.cuts[split.cut];
    return {column.feature, threshold_between(values[rank], values[rank + 1])};
}

std::vector<Alias> merge_questions(Problem& problem) {
    std::unordered_map<RowHash, Kept, HashOfHash> seen;
    RowHash all;
    for (const RowHash& key : problem.keys) all += key;
    std::vector<Alias> aliases;
    MemoryBudget& memory = problem.splits.get_allocator().budget();
    Vector<RowHash> sums(memory);
    Vector<std::uint32_t> local(memory), cuts(memory);
    for (std::uint32_t index = 0; index < problem.splits.size(); ++index) {
        SplitColumn& column = problem.splits[index];
        sums.assign(column.n_ranks(), {});
        column.ranks.visit([&](const auto ranks) {
            for (std::size_t row = 0; row < problem.n_groups; ++row) {
                sums[ranks[row]] += problem.keys[row];
            }
        });
        RowHash yes;
        cuts.clear();
        local.assign(column.n_ranks(), 0);
        for (std::uint32_t cut = 0; cut < column.cuts.size(); ++cut) {
            local[cut] = static_cast<std::uint32_t>(cuts.size());
            yes += sums[cut];
            if (const auto found = seen.find(yes); found != seen.end()) {
                aliases.push_back({question_of(problem, {index, cut}),
                                   question_of(problem, found->second.split),
                                   found->second.is_turned});
                continue;
            }
            const Split split{index, cut};
            seen.emplace(yes, Kept{split, false});
            seen.emplace(all - yes, Kept{split, true});
            cuts.push_back(column.cuts[cut]);
        }
        // Splits of this column are still named by their old numbers in `seen`; only
        // questions of earlier columns, or of other cuts here, are looked up there.
        local[column.cuts.size()] = static_cast<std::uint32_t>(cuts.size());
        if (cuts.size() < column.cuts.size()) {
            for (auto& [rows, kept] : seen) {
                if (kept.split.column == index) kept.split.cut = local[kept.split.cut];
            }
            column.cuts = cuts;
            if (!cuts.empty()) column.ranks.renumber(local);
        }
    }
    std::erase_if(problem.splits,
                  [](const SplitColumn& column) { return column.cuts.empty(); });
    return aliases;
}

}  // namespace ostrya::rashomon
