/// What is known of the row sets of an enumeration: the shared structure of all trees.
#pragma once

#include <unordered_map>
#include <utility>

#include "data/row_hash.hpp"
#include "rashomon/buckets.hpp"

namespace ostrya::rashomon {

/// A row set and the depth left below it; `Limits::unlimited` where it cannot bind.
struct Place {
    RowHash rows;
    std::uint32_t depth = 0;

    bool operator==(const Place&) const = default;
};

struct HashOfPlace {
    std::size_t operator()(const Place& place) const {
        return place.rows.low ^ place.rows.high * 0x9e3779b97f4a7c15u ^
               place.depth * 0xbf58476d1ce4e5b9u;
    }
};

/// Questions of one column that part the rows of a node alike, and the row sets on
/// either side: `yes` and `no` number records.
struct Branch {
    std::uint32_t column = 0, first_cut = 0, n_cuts = 0;
    std::uint32_t yes = 0, no = 0;
};

/// How the trees of a record are kept: branches to other records, or nothing because
/// the few levels below are counted again when they are wanted.
enum class Shape : std::uint8_t { open, leaf, pairs, branches };

template <class Count>
struct Record {
    explicit Record(MemoryBudget& memory) : buckets(memory), branches(memory) {}

    Cost lower = 0;         // no tree costs less
    bool is_exact = false;  // and some tree costs no more
    Shape shape = Shape::open;
    std::uint8_t n_levels = 0;  // of Shape::pairs: one or two
    std::uint32_t depth = 0;
    std::uint32_t label = 0;  // of the rows as a leaf
    std::uint32_t n_rows = 0;
    Cost scope = -1;  // all trees that cost no more are counted
    Buckets<Count> buckets;
    Vector<Branch> branches;  // by column and cut
};

template <class Count>
class Records {
public:
    explicit Records(MemoryBudget& memory)
        : memory_(memory), numbers_(Pairs(memory)), records_(memory) {}

    /// The number of a record, which is made if need be.
    std::uint32_t find(const Place& place) {
        const auto next = static_cast<std::uint32_t>(records_.size());
        const auto [at, is_new] = numbers_.try_emplace(place, next);
        if (is_new) {
            records_.emplace_back(memory_);
            records_.back().depth = place.depth;
        }
        return at->second;
    }
    /// What is known of any depth, or null.
    const Record<Count>* look_up(const Place& place) const {
        const auto at = numbers_.find(place);
        return at == numbers_.end() ? nullptr : &records_[at->second];
    }

    Record<Count>& operator[](std::uint32_t number) { return records_[number]; }
    const Record<Count>& operator[](std::uint32_t number) const {
        return records_[number];
    }
    std::size_t size() const { return records_.size(); }

private:
    using Pairs = Counted<std::pair<const Place, std::uint32_t>>;

    MemoryBudget& memory_;
    std::unordered_map<Place, std::uint32_t, HashOfPlace, std::equal_to<Place>, Pairs>
        numbers_;
    Vector<Record<Count>> records_;
};

}  // namespace ostrya::rashomon
