/// BLAKE2b, a cryptographic digest (RFC 7693, Saarinen and Aumasson 2015).
///
/// The engine names row sets by keys that are derived from a digest of the whole
/// problem. Who chooses the problem cannot choose the digest: that is what makes equal
/// names of different row sets a matter of chance, whatever the table.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

namespace ostrya {

class Digest {
public:
    using Words = std::array<std::uint64_t, 8>;

    Digest();
    /// Digests under different keys have nothing to do with each other.
    explicit Digest(const Words& key);

    void add(const void* bytes, std::size_t n);
    /// Add plain numbers, as they lie in memory.
    template <class Numbers>
    void add_all(const Numbers& numbers) {
        add_number(numbers.size());
        add(numbers.data(), numbers.size() * sizeof(numbers[0]));
    }
    void add_number(std::uint64_t number) { add(&number, sizeof number); }

    /// The digest of all that was added; nothing may be added afterwards.
    Words finish();

private:
    static constexpr std::size_t block_bytes = 128;

    void compress(bool is_last);

    Words state_;
    std::array<unsigned char, block_bytes> block_{};
    std::size_t n_in_block_ = 0;
    std::uint64_t n_bytes_ = 0;
};

}  // namespace ostrya
