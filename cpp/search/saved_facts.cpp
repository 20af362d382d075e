#include "search/saved_facts.hpp"

#include <algorithm>
#include <bit>
#include <numeric>

#include "search/saved_prices.hpp"

namespace ostrya {
namespace {

/// "ostrya: facts of a problem" and the version of these bytes. Another version, or the
/// other order of bytes, is another digest.
constexpr Digest::Words purpose{0x6f73747279613a20u, 0x6661637473206f66u,
                                0x20612070726f626cu, 0x656d000000000002u};

constexpr std::size_t bytes_of_split = 2 * 4 + 3 * 8;
constexpr std::size_t bytes_of_entry = 2 * 8 + 2 * 8 + 4 * 4;  // and its splits
constexpr std::size_t bytes_of_tree_split = 8;
/// What is set aside for boxes of prices, for each row group.
constexpr std::size_t boxes_per_group = 1 << 14;
/// What an entry takes in most searches, and what is set aside for one.
constexpr std::size_t usual_entry = 64, large_entry = 256;
/// Header, root and counts, with a root's tree of many splits.
constexpr std::size_t bytes_beside = 1 << 16;

constexpr std::uint32_t tight_bit = 1u << 31;

std::size_t size_class(std::uint32_t work) {
    return static_cast<std::size_t>(std::bit_width(work));
}

bool is_among(const MemoFact& fact, Entries which) {
    return which == Entries::all || !fact.is_told;
}

/// Throws unless a tree within limits may have this bracket.
void check(Cost lower, Cost upper, const Limits& limits, const SavedTree& tree) {
    const bool is_in_order = 0 <= lower && lower <= upper && upper <= unreachable;
    const bool has_tree = upper < unreachable || tree.depth == 0;
    if (!is_in_order || !has_tree || tree.depth > limits.depth ||
        tree.n_leaves > limits.leaves) {
        throw SavedFactsError("it contains bounds that contradict each other");
    }
}

void check_digest(ByteReader& from, const Digest::Words& digest) {
    for (const std::uint64_t word : digest) {
        if (from.read<std::uint64_t>() != word) {
            throw SavedFactsError("it belongs to another problem");
        }
    }
}

SavedRoot read_root(ByteReader& from, const Problem& problem, SubtreePool& pool) {
    SavedRoot root;
    root.bracket.lower = from.read<Cost>();
    root.bracket.upper = from.read<Cost>();
    root.proved_depth = from.read<std::uint32_t>();
    root.is_final = from.read<std::uint32_t>() != 0;
    SavedTree tree = read_tree(from, problem, pool);
    check(root.bracket.lower, root.bracket.upper, problem.limits, tree);
    // No tree is deeper than it has leaves, nor has more of these than there are rows.
    if (root.proved_depth > problem.n_groups) {
        throw SavedFactsError("its proved depth exceeds the number of rows");
    }
    if (recount(problem, pool, tree.tree) != root.bracket.upper ||
        (root.is_final && !root.bracket.is_solved())) {
        throw SavedFactsError("the cost of its tree is not the stated one");
    }
    root.bracket.tree = std::move(tree.tree);
    return root;
}

SearchAge read_age(ByteReader& from) {
    SearchAge age;
    for (std::uint64_t* each : {&age.work, &age.all_work, &age.subproblems,
                                &age.next_prices, &age.turns, &age.next_turn}) {
        *each = from.read<std::uint64_t>();
        // More than any search counts, and far from where sums would run over.
        if (*each > std::uint64_t{1} << 56) {
            throw SavedFactsError("it contains an impossible count");
        }
    }
    return age;
}

SavedSplitBounds read_split(ByteReader& from, const Problem& problem) {
    SavedSplitBounds bounds;
    bounds.split.column = from.read<std::uint32_t>();
    bounds.split.cut = from.read<std::uint32_t>();
    for (Cost* each : {&bounds.yes, &bounds.no, &bounds.rest}) {
        *each = from.read<Cost>();
        if (*each < 0 || *each > 2 * unreachable) {
            throw SavedFactsError("it contains an impossible bound");
        }
    }
    const Split split = bounds.split;
    if (split.column >= problem.splits.size() ||
        split.cut >= problem.splits[split.column].cuts.size() ||
        std::max(bounds.yes, bounds.no) > unreachable) {
        throw SavedFactsError(
            "it contains a split on a column that this table does not have");
    }
    return bounds;
}

}  // namespace

Digest::Words problem_digest(const Problem& problem, const Switches& switches) {
    Digest digest(purpose);
    // Keys depend on rows, columns, weights, costs and limits; see `Problem::keys`.
    digest.add_all(problem.keys);
    for (const std::uint64_t number :
         {std::uint64_t{problem.n_groups}, std::uint64_t{problem.splits.size()},
          static_cast<std::uint64_t>(problem.base),
          static_cast<std::uint64_t>(problem.one_leaf),
          static_cast<std::uint64_t>(problem.support_floor),
          static_cast<std::uint64_t>(problem.scale.factor),
          static_cast<std::uint64_t>(problem.scale.penalty),
          std::uint64_t{problem.limits.depth}, std::uint64_t{problem.limits.leaves},
          std::uint64_t{problem.min_samples_leaf}}) {
        digest.add_number(number);
    }
    for (const SplitColumn& column : problem.splits) {
        digest.add_number(column.feature);
        const Vector<double>& values = problem.values[column.feature];
        for (const std::uint32_t cut : column.cuts) {
            digest.add(&values[cut], sizeof values[cut]);
        }
    }
    for (const Switch& each :
         {switches.leaf_count, switches.leaf_optimal, switches.support,
          switches.superset, switches.similar_support, switches.look_ahead,
          switches.pairs_close, switches.depth_transfer, switches.row_prices}) {
        digest.add_number(each.is_on);
        digest.add_number(static_cast<std::uint64_t>(each.slip));
    }
    return digest.finish();
}

WorkCounts count_by_work(Memo& memo, Entries which) {
    WorkCounts counts{};
    memo.for_each([&](const MemoFact& fact) {
        if (is_among(fact, which)) ++counts[size_class(fact.work)];
    });
    return counts;
}

FactsWriter::FactsWriter(const Digest::Words& digest, std::size_t n_prices,
                         std::size_t n_splits, const WorkCounts& entries,
                         MemoryBudget& memory, std::uint64_t at_most)
    : bytes_(memory) {
    const std::uint64_t n_entries =
        std::accumulate(entries.begin(), entries.end(), std::uint64_t{0});
    const std::uint64_t wanted = 2 * bytes_beside +
                                 n_prices * (bytes_of_price + boxes_per_group) +
                                 n_splits * bytes_of_split + n_entries * large_entry;
    bytes_.set_room(std::max<std::uint64_t>(
        std::min({wanted, at_most, memory.left() / 4}), 2 * bytes_beside));
    for (const std::uint64_t word : digest) bytes_.add(word);
}

void FactsWriter::add_root(const SavedRoot& root, const SubtreePool& pool) {
    bytes_.add(root.bracket.lower);
    bytes_.add(root.bracket.upper);
    bytes_.add(root.proved_depth);
    bytes_.add(std::uint32_t{root.is_final});
    write_tree(pool, root.bracket.tree.index(), bytes_);
}

void FactsWriter::add_age(const SearchAge& age) {
    for (const std::uint64_t each : {age.work, age.all_work, age.subproblems,
                                     age.next_prices, age.turns, age.next_turn}) {
        bytes_.add(each);
    }
}

void FactsWriter::add_prices(const RowPrices* prices, std::size_t n_groups,
                             MemoryBudget& memory) {
    const bool has_room = n_groups * bytes_of_price + bytes_beside <= bytes_.room();
    bytes_.add(std::uint32_t{prices != nullptr && has_room});
    if (prices != nullptr && has_room) {
        const PriceState state = prices->state(
            (bytes_.room() - n_groups * bytes_of_price) / 2 / bytes_of_row, memory);
        write_prices(state, bytes_);
    }
    n_splits_at_ = bytes_.size();
    bytes_.add(n_splits_);
}

bool FactsWriter::has_room_for_splits(std::size_t n) const {
    return n * bytes_of_split + bytes_beside <= bytes_.room();
}

void FactsWriter::add_split(const SavedSplitBounds& bounds) {
    bytes_.add(bounds.split.column);
    bytes_.add(bounds.split.cut);
    for (const Cost each : {bounds.yes, bounds.no, bounds.rest}) bytes_.add(each);
    bytes_.replace(n_splits_at_, ++n_splits_);
}

void FactsWriter::add_memo(Memo& memo, Entries which, const WorkCounts& entries,
                           const SubtreePool& pool) {
    const std::size_t count_at = bytes_.size();
    std::uint64_t n_entries = 0;
    bytes_.add(n_entries);
    // All of the classes above `least`, and some of that one.
    std::uint64_t n_left = bytes_.room() / usual_entry;
    std::size_t least = entries.size() - 1;
    for (; least > 1 && entries[least] <= n_left; --least) n_left -= entries[least];
    memo.for_each([&](const MemoFact& fact) {
        if (!is_among(fact, which)) return;
        const std::size_t its_class = size_class(fact.work);
        if (its_class < least || (its_class == least && n_left == 0)) return;
        if (fact.lower > fact.upper) return;  // bounds with a planted mistake
        const std::size_t n_bytes =
            bytes_of_entry + bytes_of_tree_split * n_splits_of(pool, fact.tree);
        if (n_bytes > bytes_.room()) return;
        if (its_class == least) --n_left;
        bytes_.add(fact.rows.low);
        bytes_.add(fact.rows.high);
        bytes_.add(fact.lower);
        bytes_.add(fact.upper);
        bytes_.add(fact.limits.depth);
        bytes_.add(fact.limits.leaves);
        bytes_.add(fact.work | (fact.is_tight ? tight_bit : 0));
        write_tree(pool, fact.tree, bytes_);
        ++n_entries;
    });
    bytes_.replace(count_at, n_entries);
}

SavedRoot read_root_alone(Bytes bytes, const Digest::Words& digest,
                          const Problem& problem, SubtreePool& pool) {
    ByteReader from(bytes);
    check_digest(from, digest);
    return read_root(from, problem, pool);
}

void read_facts(Bytes bytes, const Digest::Words& digest, const Problem& problem,
                SubtreePool& pool, const FactsReceiver& receiver) {
    ByteReader from(bytes);
    check_digest(from, digest);
    const SavedRoot root = read_root(from, problem, pool);
    receiver.root(root);
    const SearchAge age = read_age(from);
    receiver.age(age, read_prices(from, problem, root.bracket.upper));
    for (auto left = from.read<std::uint32_t>(); left > 0; --left) {
        receiver.split(read_split(from, problem));
    }
    for (auto left = from.read<std::uint64_t>(); left > 0; --left) {
        MemoFact fact;
        fact.rows.low = from.read<std::uint64_t>();
        fact.rows.high = from.read<std::uint64_t>();
        fact.lower = from.read<Cost>();
        fact.upper = from.read<Cost>();
        fact.limits.depth = from.read<std::uint32_t>();
        fact.limits.leaves = from.read<std::uint32_t>();
        const auto work = from.read<std::uint32_t>();
        fact.work = work & ~tight_bit;
        fact.is_tight = (work & tight_bit) != 0;
        const SavedTree tree = read_tree(from, problem, pool);
        check(fact.lower, fact.upper, fact.limits, tree);
        fact.tree = tree.tree.index();
        receiver.entry(fact, tree.tree);
    }
    if (from.n_left() > 0) throw SavedFactsError("it has extra bytes at its end");
}

}  // namespace ostrya
