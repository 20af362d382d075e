#include "search/saved_trees.hpp"

#include <algorithm>
#include <vector>

#include "objective/sum_reader.hpp"

namespace ostrya {
namespace {

constexpr std::uint32_t yes_is_split = 1, no_is_split = 2, n_flag_bits = 2;

struct SavedSplit {
    Split split;
    std::uint32_t flags = 0;
};

/// In preorder.
template <class Visit>
void for_each_split(const SubtreePool& pool, std::uint32_t tree, const Visit& visit) {
    if (tree == 0) return;
    std::vector<std::uint32_t> open{tree};
    while (!open.empty()) {
        const SubtreePool::Parts node = pool.at(open.back());
        open.pop_back();
        visit(node);
        if (node.no != 0) open.push_back(node.no);
        if (node.yes != 0) open.push_back(node.yes);
    }
}

SavedSplit read_split(ByteReader& from, const Problem& problem) {
    const auto word = from.read<std::uint32_t>();
    const auto cut = from.read<std::uint32_t>();
    const std::uint32_t column = word >> n_flag_bits;
    if (column >= problem.splits.size() || cut >= problem.splits[column].cuts.size()) {
        throw SavedFactsError(
            "it contains a split on a column that this table does not have");
    }
    return {{column, cut}, word & (yes_is_split | no_is_split)};
}

/// The subtree of the last split read backwards, and so on to the first.
SavedTree take(std::vector<SavedTree>& read) {
    if (read.empty()) throw SavedFactsError("it contains an incomplete tree");
    SavedTree last = std::move(read.back());
    read.pop_back();
    return last;
}

}  // namespace

std::uint32_t n_splits_of(const SubtreePool& pool, std::uint32_t tree) {
    std::uint32_t n = 0;
    for_each_split(pool, tree, [&](const SubtreePool::Parts&) { ++n; });
    return n;
}

void write_tree(const SubtreePool& pool, std::uint32_t tree, ByteWriter& to) {
    to.add(n_splits_of(pool, tree));
    for_each_split(pool, tree, [&](const SubtreePool::Parts& node) {
        to.add(node.split.column << n_flag_bits | (node.yes != 0 ? yes_is_split : 0) |
               (node.no != 0 ? no_is_split : 0));
        to.add(node.split.cut);
    });
}

SavedTree read_tree(ByteReader& from, const Problem& problem, SubtreePool& pool) {
    const auto n_splits = from.read<std::uint32_t>();
    if (n_splits == 0) return {};
    // Every leaf has rows of its own.
    if (n_splits >= problem.n_groups) {
        throw SavedFactsError("it contains a tree with more leaves than rows");
    }
    std::vector<SavedSplit> splits;
    for (std::uint32_t at = 0; at < n_splits; ++at) {
        splits.push_back(read_split(from, problem));
    }
    // From the last split on, the parts of each are the latest that were made.
    std::vector<SavedTree> read;
    for (auto each = splits.rbegin(); each != splits.rend(); ++each) {
        const SavedTree yes = each->flags & yes_is_split ? take(read) : SavedTree{};
        const SavedTree no = each->flags & no_is_split ? take(read) : SavedTree{};
        read.push_back({Subtree::join(pool, each->split, yes.tree, no.tree),
                        yes.n_leaves + no.n_leaves, std::max(yes.depth, no.depth) + 1});
    }
    SavedTree whole = take(read);
    if (!read.empty())
        throw SavedFactsError("it contains a tree whose nodes are not connected");
    return whole;
}

std::optional<Cost> recount(const Problem& problem, const SubtreePool& pool,
                            const Subtree& tree) {
    const std::size_t width = problem.layout.size();
    const SumReader<Weight> reader(problem);
    struct Part {
        std::uint32_t tree;
        std::size_t first, end;  // of the rows
    };
    MemoryBudget& memory = problem.sums.get_allocator().budget();
    Vector<std::uint32_t> rows(problem.n_groups, 0, memory);
    for (std::uint32_t row = 0; row < rows.size(); ++row) rows[row] = row;
    std::vector<Part> open{{tree.index(), 0, rows.size()}};
    Cost cost = 0;
    while (!open.empty()) {
        const Part part = open.back();
        open.pop_back();
        const auto first = rows.begin() + static_cast<std::ptrdiff_t>(part.first);
        const auto end = rows.begin() + static_cast<std::ptrdiff_t>(part.end);
        if (part.tree != 0) {
            const SubtreePool::Parts node = pool.at(part.tree);
            const SplitColumn& column = problem.splits[node.split.column];
            const auto middle = std::partition(first, end, [&](std::uint32_t row) {
                return column.ranks[row] <= node.split.cut;
            });
            const auto at = static_cast<std::size_t>(middle - rows.begin());
            open.push_back({node.no, at, part.end});
            open.push_back({node.yes, part.first, at});
            continue;
        }
        Vector<Weight> sums(width, 0, memory);
        for (auto row = first; row != end; ++row) {
            for (std::size_t slot = 0; slot < width; ++slot) {
                sums[slot] += problem.sums[*row * width + slot];
            }
        }
        if (tree.index() != 0 && !reader.may_be_leaf(sums.data(), 1)) return {};
        cost += problem.scale.cost(reader.loss(sums.data(), 1), 1);
    }
    return cost;
}

}  // namespace ostrya
