/// An array of plain values that grows block by block.
///
/// A vector holds its old and its new memory while it grows, and leaves holes behind;
/// for the largest tables of a search that would be the peak of all memory. Here
/// nothing moves.
#pragma once

#include <cstddef>
#include <memory>
#include <vector>

namespace ostrya {

template <class T>
class Growing {
public:
    static constexpr std::size_t block = 1024;

    /// To at least `n` values, as full blocks.
    void grow_to(std::size_t n) {
        while (size() < n) blocks_.push_back(std::make_unique<T[]>(block));
    }
    /// Keep the blocks of the first `n` values alone.
    void shrink_to(std::size_t n) {
        blocks_.resize((n + block - 1) / block);
        blocks_.shrink_to_fit();
    }

    std::size_t size() const { return blocks_.size() * block; }
    T& operator[](std::size_t at) { return blocks_[at / block][at % block]; }
    const T& operator[](std::size_t at) const {
        return blocks_[at / block][at % block];
    }

private:
    std::vector<std::unique_ptr<T[]>> blocks_;
};

}  // namespace ostrya
