#include "bind/failing_new.hpp"

#include <Python.h>

#include <atomic>
#include <cstdlib>
#include <new>

namespace ostrya {
namespace {

// Operators have no arguments to carry a state in, so here alone it is global.
thread_local std::uint64_t until_failure = 0;
std::atomic<std::int64_t> n_live = 0;

bool fails_now() {
    if (until_failure == 0 || PyGILState_Check()) return false;
    return --until_failure == 0;
}

void* allocate(std::size_t size) {
    void* const memory = fails_now() ? nullptr : std::malloc(size == 0 ? 1 : size);
    if (memory != nullptr) n_live.fetch_add(1, std::memory_order_relaxed);
    return memory;
}

void* allocate_or_throw(std::size_t size) {
    void* const memory = allocate(size);
    if (memory == nullptr) throw std::bad_alloc();
    return memory;
}

void release(void* memory) {
    if (memory != nullptr) n_live.fetch_sub(1, std::memory_order_relaxed);
    std::free(memory);
}

}  // namespace

void fail_allocation(std::uint64_t n) {
    until_failure = n;
}

std::uint64_t failing_allocation() {
    return until_failure;
}

std::int64_t live_allocations() {
    return n_live.load(std::memory_order_relaxed);
}

}  // namespace ostrya

void* operator new(std::size_t size) {
    return ostrya::allocate_or_throw(size);
}
void* operator new[](std::size_t size) {
    return ostrya::allocate_or_throw(size);
}
void* operator new(std::size_t size, const std::nothrow_t&) noexcept {
    return ostrya::allocate(size);
}
void* operator new[](std::size_t size, const std::nothrow_t&) noexcept {
    return ostrya::allocate(size);
}
void operator delete(void* memory) noexcept {
    ostrya::release(memory);
}
void operator delete[](void* memory) noexcept {
    ostrya::release(memory);
}
void operator delete(void* memory, std::size_t) noexcept {
    ostrya::release(memory);
}
void operator delete[](void* memory, std::size_t) noexcept {
    ostrya::release(memory);
}
void operator delete(void* memory, const std::nothrow_t&) noexcept {
    ostrya::release(memory);
}
void operator delete[](void* memory, const std::nothrow_t&) noexcept {
    ostrya::release(memory);
}
