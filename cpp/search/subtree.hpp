/// Immutable trees that share their parts.
///
/// Every improved upper bound owns its tree, so that a tree is at hand whenever the
/// search stops, and memo entries can be dropped at any time. A leaf is the index 0.
#pragma once

#include <cstdint>
#include <utility>
#include <vector>

#include "search/growing.hpp"

namespace ostrya {

/// A split of the search: which column, and which of its cuts.
struct Split {
    std::uint32_t column = 0;
    std::uint32_t cut = 0;
};

class SubtreePool {
public:
    struct Node {
        Split split;
        std::uint32_t yes;
        std::uint32_t no;
        std::uint32_t owners;
    };

    SubtreePool() : nodes_(first_size) { nodes_[0] = {}; }

    const Node& at(std::uint32_t index) const { return nodes_[index]; }
    std::size_t bytes() const {
        return nodes_.size() * sizeof(Node) + free_.capacity() * 4;
    }

    std::uint32_t make(Split split, std::uint32_t yes, std::uint32_t no) {
        retain(yes);
        retain(no);
        std::uint32_t index;
        if (free_.empty()) {
            if (n_used_ == nodes_.size()) nodes_.grow_to(n_used_ + n_used_ / 2);
            index = n_used_++;
        } else {
            index = free_.back();
            free_.pop_back();
        }
        nodes_[index] = {split, yes, no, 0};
        return index;
    }

    void retain(std::uint32_t index) {
        if (index != 0) ++nodes_[index].owners;
    }

    void release(std::uint32_t index) {
        if (index == 0 || --nodes_[index].owners > 0) return;
        doomed_.push_back(index);
        while (!doomed_.empty()) {
            const std::uint32_t top = doomed_.back();
            doomed_.pop_back();
            free_.push_back(top);
            for (const std::uint32_t child : {nodes_[top].yes, nodes_[top].no}) {
                if (child != 0 && --nodes_[child].owners == 0) doomed_.push_back(child);
            }
        }
    }

private:
    static constexpr std::size_t first_size = 64;

    Growing<Node> nodes_;
    std::uint32_t n_used_ = 1;  // the first stands for a leaf
    std::vector<std::uint32_t> free_;
    std::vector<std::uint32_t> doomed_;  // scratch of release: trees may be deep
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
