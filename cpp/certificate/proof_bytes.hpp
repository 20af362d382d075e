/// The numbers of a proof as bytes (docs/reference/certificates.md).
#pragma once

#include <cstdint>

#include "memory/budget.hpp"

namespace ostrya::certificate {

/// LEB128: seven bits per byte, lowest first.
class ProofBytes {
public:
    explicit ProofBytes(MemoryBudget& memory) : bytes_(memory) {}

    void add(std::uint64_t number) {
        while (number >= 128) {
            bytes_.push_back(static_cast<std::uint8_t>(number | 128));
            number >>= 7;
        }
        bytes_.push_back(static_cast<std::uint8_t>(number));
    }
    /// Small numbers of either sign take few bytes.
    void add_signed(std::int64_t number) {
        const auto twice = static_cast<std::uint64_t>(number) << 1;
        add(number < 0 ? ~twice : twice);
    }

    void append(const ProofBytes& other) {
        bytes_.insert(bytes_.end(), other.bytes_.begin(), other.bytes_.end());
    }

    std::size_t size() const { return bytes_.size(); }
    const std::uint8_t* data() const { return bytes_.data(); }

private:
    Vector<std::uint8_t> bytes_;
};

}  // namespace ostrya::certificate
