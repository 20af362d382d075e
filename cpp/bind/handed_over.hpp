/// Arrays made here, as arrays of Python's own.
#pragma once

#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>

#include <cstddef>
#include <initializer_list>
#include <memory>

namespace ostrya {

/// Python frees the numbers when nothing of it needs them any more.
template <class Array, class Number>
Array handed_over(std::unique_ptr<Number[]> numbers,
                  std::initializer_list<std::size_t> shape) {
    Number* data = numbers.release();
    const nanobind::capsule owner(
        data, [](void* memory) noexcept { delete[] static_cast<Number*>(memory); });
    return Array(data, shape, owner);
}

}  // namespace ostrya
