/// The memory that one search holds, counted at every allocation of any thread.
///
/// What the engines keep lies in containers that allocate through `Counted`, and such a
/// container cannot be made without a budget: so no size is added up by hand. Left out
/// of the account are what is handed in and back, and scratch that is small beside the
/// node it belongs to: some numbers for each thread, class, column or split of it, or
/// for each leaf of one tree.
#pragma once

#include <atomic>
#include <cassert>
#include <cstddef>
#include <cstdint>
#include <new>
#include <vector>

namespace ostrya {

class MemoryBudget {
public:
    /// Bytes a search may hold where no limit is given: enough for 30 million
    /// subproblems.
    static constexpr std::uint64_t default_limit = std::uint64_t{4} << 30;

    MemoryBudget() = default;
    /// A part of another budget: what it counts is counted there too.
    explicit MemoryBudget(MemoryBudget* whole) : whole_(whole) {}
    MemoryBudget(const MemoryBudget&) = delete;
    MemoryBudget& operator=(const MemoryBudget&) = delete;
    ~MemoryBudget() { assert(used() == 0); }  // nothing outlives its budget

    void set_limit(std::uint64_t bytes) { limit_ = bytes; }
    std::uint64_t limit() const { return limit_.load(std::memory_order_relaxed); }
    std::uint64_t used() const { return used_.load(std::memory_order_relaxed); }
    std::uint64_t peak() const { return peak_.load(std::memory_order_relaxed); }

    /// What a test has an allocation meet, to see that the search survives it.
    enum class Trouble { bad_alloc, no_room };
    /// For tests: the n-th allocation from here, counted from 1, meets trouble: it
    /// fails, or from then on the limit is 0. Set on the whole, it counts for parts.
    void plan(Trouble trouble, std::uint64_t n) {
        trouble_ = trouble;
        until_trouble_ = n;
    }
    /// Called before every allocation.
    void expect_allocation() {
        if (whole_ != nullptr) return whole_->expect_allocation();
        std::uint64_t left = until_trouble_.load(std::memory_order_relaxed);
        do {
            if (left == 0) return;
        } while (!until_trouble_.compare_exchange_weak(left, left - 1));
        if (left > 1) return;
        if (trouble_ == Trouble::bad_alloc) throw std::bad_alloc();
        limit_ = 0;
    }

    /// What is left of the limit.
    std::uint64_t left() const {
        const std::uint64_t most = limit(), now = used();
        return now < most ? most - now : 0;
    }

    bool is_exceeded() const { return used() > limit(); }
    bool allows(std::uint64_t more) const { return used() + more <= limit(); }

    void add(std::uint64_t bytes) {
        const std::uint64_t now =
            used_.fetch_add(bytes, std::memory_order_relaxed) + bytes;
        std::uint64_t peak = peak_.load(std::memory_order_relaxed);
        while (now > peak && !peak_.compare_exchange_weak(peak, now)) {
        }
        if (whole_ != nullptr) whole_->add(bytes);
    }
    void remove(std::uint64_t bytes) {
        assert(bytes <= used());
        used_.fetch_sub(bytes, std::memory_order_relaxed);
        if (whole_ != nullptr) whole_->remove(bytes);
    }

private:
    MemoryBudget* whole_ = nullptr;
    std::atomic<std::uint64_t> limit_ = default_limit;
    std::atomic<std::uint64_t> used_ = 0, peak_ = 0;
    std::atomic<std::uint64_t> until_trouble_ = 0;  // 0: none is planned, or it is over
    Trouble trouble_ = Trouble::bad_alloc;
};

/// An allocator that tells a budget what it hands out; without a budget there is none.
template <class T>
class Counted {
public:
    using value_type = T;
    using propagate_on_container_move_assignment = std::true_type;
    using propagate_on_container_swap = std::true_type;

    Counted(MemoryBudget& budget) : budget_(&budget) {}
    template <class U>
    Counted(const Counted<U>& other) : budget_(other.budget_) {}

    T* allocate(std::size_t n) {
        budget_->expect_allocation();
        T* memory = static_cast<T*>(::operator new(n * sizeof(T)));
        budget_->add(n * sizeof(T));
        return memory;
    }
    void deallocate(T* memory, std::size_t n) noexcept {
        budget_->remove(n * sizeof(T));
        ::operator delete(memory);
    }
    MemoryBudget& budget() const { return *budget_; }

    template <class U>
    bool operator==(const Counted<U>& other) const {
        return budget_ == other.budget_;
    }

private:
    template <class U>
    friend class Counted;
    MemoryBudget* budget_;
};

/// A vector on a budget: `Vector<int> numbers(budget);`
template <class T>
using Vector = std::vector<T, Counted<T>>;

}  // namespace ostrya
