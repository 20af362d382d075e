/// Numbers as bytes, and back: nothing is read beyond the end.
#pragma once

#include <cassert>
#include <cstdint>
#include <cstring>
#include <type_traits>

#include "memory/budget.hpp"
#include "search/checkpoint.hpp"

namespace ostrya {

/// Bytes are written within a room that is set beforehand, so that none are moved.
class ByteWriter {
public:
    explicit ByteWriter(MemoryBudget& memory) : bytes_(memory) {}

    void set_room(std::size_t n) { bytes_.reserve(n); }
    std::size_t room() const { return bytes_.capacity() - bytes_.size(); }
    std::size_t size() const { return bytes_.size(); }
    Bytes bytes() const { return bytes_; }

    template <class Number>
    void add(Number number) {
        static_assert(std::is_arithmetic_v<Number>);
        unsigned char raw[sizeof number];
        std::memcpy(raw, &number, sizeof number);
        bytes_.insert(bytes_.end(), raw, raw + sizeof number);
    }
    /// Write a number anew that was added at this place.
    template <class Number>
    void replace(std::size_t at, Number number) {
        assert(at + sizeof number <= size());
        std::memcpy(bytes_.data() + at, &number, sizeof number);
    }

private:
    Vector<unsigned char> bytes_;
};

class ByteReader {
public:
    explicit ByteReader(Bytes bytes) : left_(bytes) {}

    template <class Number>
    Number read() {
        static_assert(std::is_arithmetic_v<Number>);
        if (left_.size() < sizeof(Number)) throw SavedFactsError("it is incomplete");
        Number number;
        std::memcpy(&number, left_.data(), sizeof number);
        left_ = left_.subspan(sizeof number);
        return number;
    }
    std::size_t n_left() const { return left_.size(); }

private:
    Bytes left_;
};

}  // namespace ostrya
