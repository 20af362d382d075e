/// What was proved, as bytes, and back.
///
/// Row sets are named by sums of keys that are drawn from a digest of the problem, so
/// names are the same in every process; and facts are worth nothing for any other
/// problem, so a digest of it comes first. Whatever the bytes are, reading ends with
/// facts that are well formed, or throws: every tree has splits of the problem, every
/// bracket is in order. That what they say is true nobody can tell but by searching;
/// only the tree of the root is counted again.
#pragma once

#include <array>
#include <cstdint>
#include <functional>

#include "data/digest.hpp"
#include "prices/row_prices.hpp"
#include "search/saved_trees.hpp"
#include "search/shared_facts.hpp"

namespace ostrya {

/// What is known of the root.
struct SavedRoot {
    Bracket bracket;
    std::uint32_t proved_depth = 0;  // no tree of this depth costs less than its tree
    bool is_final = false;           // solved, and its tree is the one that is chosen
};

/// How far the search has come, so that one that goes on does as it would have.
struct SearchAge {
    std::uint64_t work = 0;      // of the search itself
    std::uint64_t all_work = 0;  // and of small depths, prices and first trees
    std::uint64_t subproblems = 0;
    std::uint64_t next_prices = 0;  // work at which prices are sought again
    std::uint64_t turns = 0;        // work of small depths
    std::uint64_t next_turn = 0;    // work at which they are due
};

/// What is known of one split of the root; see `SplitBounds`.
struct SavedSplitBounds {
    Split split;
    Cost yes = 0, no = 0, rest = 0;
};

/// All that facts of a problem depend on.
Digest::Words problem_digest(const Problem& problem, const Switches& switches);

/// How many entries of a memo took how much work: by the bits of that number.
using WorkCounts = std::array<std::uint64_t, 33>;
/// Which entries of a memo are meant: all, or what no other search has told.
enum class Entries : std::uint8_t { all, own };
WorkCounts count_by_work(Memo& memo, Entries which);

/// Writes facts in the order of these functions.
class FactsWriter {
public:
    /// The most bytes that are ever written.
    static constexpr std::uint64_t most_bytes = std::uint64_t{64} << 20;

    /// With room for prices of so many groups, splits of the root and entries of the
    /// memo, within limits.
    FactsWriter(const Digest::Words& digest, std::size_t n_prices, std::size_t n_splits,
                const WorkCounts& entries, MemoryBudget& memory,
                std::uint64_t at_most = most_bytes);

    void add_root(const SavedRoot& root, const SubtreePool& pool);
    void add_age(const SearchAge& age);
    /// Where prices stand, if there is room; null: there are none.
    void add_prices(const RowPrices* prices, std::size_t n_groups,
                    MemoryBudget& memory);
    /// Whether there is room for so many splits.
    bool has_room_for_splits(std::size_t n) const;
    void add_split(const SavedSplitBounds& bounds);
    /// As many of the entries as there is room for: those that took most work.
    void add_memo(Memo& memo, Entries which, const WorkCounts& entries,
                  const SubtreePool& pool);
    /// None of them.
    void add_no_memo() { bytes_.add(std::uint64_t{0}); }

    Bytes bytes() const { return bytes_.bytes(); }

private:
    ByteWriter bytes_;
    std::size_t n_splits_at_ = 0;
    std::uint32_t n_splits_ = 0;
};

/// Who takes facts as they are read.
struct FactsReceiver {
    std::function<void(const SavedRoot&)> root;
    std::function<void(const SearchAge&, const PriceState&)> age;
    std::function<void(const SavedSplitBounds&)> split;
    std::function<void(const MemoFact&, const Subtree&)> entry;
};

/// Read what is known of the root, and leave the rest; throws as below.
SavedRoot read_root_alone(Bytes bytes, const Digest::Words& digest,
                          const Problem& problem, SubtreePool& pool);
/// Read facts of this problem; throws `SavedFactsError` where they are none.
void read_facts(Bytes bytes, const Digest::Words& digest, const Problem& problem,
                SubtreePool& pool, const FactsReceiver& receiver);

}  // namespace ostrya
