/// An array of plain values that grows where it stands, if the system can do so.
///
/// A vector holds its old and its new memory while it grows; for the largest tables of
/// a search that would be the peak of all memory. New values are not set.
#pragma once

#include <cstddef>
#include <cstdlib>
#include <new>
#include <type_traits>

namespace ostrya {

template <class T>
class Growing {
    static_assert(std::is_trivially_copyable_v<T>);

public:
    explicit Growing(std::size_t n) { grow_to(n); }
    ~Growing() { std::free(data_); }
    Growing(const Growing&) = delete;
    Growing& operator=(const Growing&) = delete;

    void grow_to(std::size_t n) {
        void* larger = std::realloc(static_cast<void*>(data_), n * sizeof(T));
        if (larger == nullptr) throw std::bad_alloc();
        data_ = static_cast<T*>(larger);
        size_ = n;
    }
    /// Start over with fewer values.
    void shrink_to(std::size_t n) {
        std::free(data_);
        data_ = nullptr;
        size_ = 0;
        grow_to(n);
    }

    std::size_t size() const { return size_; }
    T* data() { return data_; }
    T* begin() { return data_; }
    T* end() { return data_ + size_; }
    T& operator[](std::size_t at) { return data_[at]; }
    const T& operator[](std::size_t at) const { return data_[at]; }

private:
    T* data_ = nullptr;
    std::size_t size_ = 0;
};

}  // namespace ostrya
