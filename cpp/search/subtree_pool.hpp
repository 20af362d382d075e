/// Immutable trees that share their parts.
///
/// Every improved upper bound owns its tree, so that a tree is at hand whenever the
/// search stops, and memo entries can be dropped at any time. A leaf is the index 0.
#pragma once

#include <algorithm>
#include <atomic>
#include <cassert>
#include <cstdint>
#include <new>
#include <utility>

#include "data/columns.hpp"
#include "memory/blocks.hpp"
#include "memory/spin_lock.hpp"

namespace ostrya {

/// Trees by index. Most trees of a search have one split: their index says it, and they
/// take no memory at all.
///
/// Where threads share it, owners are counted by atomic steps, and a lock is held while
/// a place is taken or given back. Whoever reads a tree owns it, so nobody writes it.
class SubtreePool {
public:
    /// A split, and the trees below it.
    struct Parts {
        Split split;
        std::uint32_t yes, no;
    };

    explicit SubtreePool(MemoryBudget& memory, bool is_shared = false)
        : nodes_(memory), is_shared_(is_shared) {
        nodes_.grow_to(1);
        if (is_shared_) {
            nodes_.reserve(
                std::min<std::uint64_t>(memory.limit() / sizeof(Node), stump_bit));
        }
    }

    Parts at(std::uint32_t index) const {
        return is_stump(index) ? Parts{stump_split(index), 0, 0} : nodes_[index].parts;
    }

    std::uint32_t make(Split split, std::uint32_t yes, std::uint32_t no) {
        if (yes == 0 && no == 0 && split.column < most_columns &&
            split.cut < most_cuts) {
            return stump_bit | split.column << cut_bits | split.cut;
        }
        assert(is_owned(yes) && is_owned(no));
        const std::uint32_t index = reuse_or_add();
        retain(yes);
        retain(no);
        nodes_[index] = {{split, yes, no}, 0};
        return index;
    }

    void retain(std::uint32_t index) {
        if (!is_node(index)) return;
        if (is_shared_) {
            std::atomic_ref(nodes_[index].owners)
                .fetch_add(1, std::memory_order_relaxed);
        } else {
            ++nodes_[index].owners;
        }
    }

    void release(std::uint32_t index) noexcept {
        if (is_node(index) && gives_up(index)) free(index);
    }

private:
    struct Node {
        Parts parts;
        std::uint32_t owners;  // apart: others may change it while the parts are read
    };

    static constexpr std::uint32_t stump_bit = 1u << 31;
    static constexpr std::uint32_t cut_bits = 18;
    static constexpr std::uint32_t most_cuts = 1u << cut_bits;
    static constexpr std::uint32_t most_columns = stump_bit >> cut_bits;

    static bool is_stump(std::uint32_t index) { return (index & stump_bit) != 0; }
    static bool is_node(std::uint32_t index) { return index != 0 && !is_stump(index); }
    static Split stump_split(std::uint32_t index) {
        return {(index & ~stump_bit) >> cut_bits, index & (most_cuts - 1)};
    }

    /// Whether a tree is somebody's, so that it is not freed meanwhile.
    bool is_owned(std::uint32_t index) {
        return !is_node(index) || std::atomic_ref(nodes_[index].owners).load() > 0;
    }

    /// One owner less; whether it was the last.
    bool gives_up(std::uint32_t index) noexcept {
        std::uint32_t& owners = nodes_[index].owners;
        if (!is_shared_) {
            assert(owners > 0);
            return --owners == 0;
        }
        const std::uint32_t before =
            std::atomic_ref(owners).fetch_sub(1, std::memory_order_acq_rel);
        assert(before > 0);
        return before == 1;
    }

    /// Trees may be deep, so this is no recursion; and it is called by destructors,
    /// with memory out perhaps, so nothing is allocated: nodes that are to be freed
    /// name the next one in `owners`, of which they have none.
    void free(std::uint32_t index) noexcept {
        std::uint32_t doomed = index;
        while (doomed != 0) {
            const std::uint32_t freed = doomed;
            Node& top = nodes_[freed];
            doomed = std::exchange(top.owners, 0);
            for (const std::uint32_t child : {top.parts.yes, top.parts.no}) {
                if (is_node(child) && gives_up(child)) {
                    nodes_[child].owners = std::exchange(doomed, child);
                }
            }
            const LockIfShared held(lock_, is_shared_);
            top.parts.yes = std::exchange(first_free_, freed);
        }
    }

    std::uint32_t reuse_or_add() {
        const LockIfShared held(lock_, is_shared_);
        if (first_free_ != 0) {
            return std::exchange(first_free_, nodes_[first_free_].parts.yes);
        }
        // Others read while this grows, so the list of blocks must not move.
        const std::size_t most = is_shared_ ? nodes_.capacity() : stump_bit;
        if (n_used_ >= most) throw std::bad_alloc();
        assert(!is_stump(n_used_));
        nodes_.grow_to(n_used_ + 1);
        return n_used_++;
    }

    Blocks<Node> nodes_;
    const bool is_shared_;
    SpinLock lock_;
    std::uint32_t n_used_ = 1;      // the first stands for a leaf
    std::uint32_t first_free_ = 0;  // a freed node names the next one in `yes`
};

/// Shared ownership of one tree in a pool; empty means a lone leaf.
class Subtree {
public:
    Subtree() = default;
    Subtree(SubtreePool& pool, std::uint32_t index) : pool_(&pool), index_(index) {
        pool.retain(index);
    }
    Subtree(const Subtree& other) : pool_(other.pool_), index_(other.index_) {
        if (pool_) pool_->retain(index_);
    }
    Subtree(Subtree&& other) noexcept
        : pool_(other.pool_), index_(std::exchange(other.index_, 0)) {}
    Subtree& operator=(Subtree other) noexcept {
        std::swap(pool_, other.pool_);
        std::swap(index_, other.index_);
        return *this;
    }
    ~Subtree() {
        if (pool_) pool_->release(index_);
    }

    std::uint32_t index() const { return index_; }

    static Subtree join(SubtreePool& pool, Split split, const Subtree& yes,
                        const Subtree& no) {
        return {pool, pool.make(split, yes.index_, no.index_)};
    }

private:
    SubtreePool* pool_ = nullptr;
    std::uint32_t index_ = 0;
};

}  // namespace ostrya
