#include "data/digest.hpp"

#include <algorithm>
#include <bit>
#include <cassert>
#include <cstring>

namespace ostrya {
namespace {

constexpr Digest::Words start{
    0x6a09e667f3bcc908u, 0xbb67ae8584caa73bu, 0x3c6ef372fe94f82bu, 0xa54ff53a5f1d36f1u,
    0x510e527fade682d1u, 0x9b05688c2b3e6c1fu, 0x1f83d9abfb41bd6bu, 0x5be0cd19137e2179u};

/// Which words of the block each round mixes in, in order.
constexpr std::uint8_t order[12][16] = {
    {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15},
    {14, 10, 4, 8, 9, 15, 13, 6, 1, 12, 0, 2, 11, 7, 5, 3},
    {11, 8, 12, 0, 5, 2, 15, 13, 10, 14, 3, 6, 7, 1, 9, 4},
    {7, 9, 3, 1, 13, 12, 11, 14, 2, 6, 5, 10, 4, 0, 15, 8},
    {9, 0, 5, 7, 2, 4, 10, 15, 14, 1, 11, 12, 6, 8, 3, 13},
    {2, 12, 6, 10, 0, 11, 8, 3, 4, 13, 7, 5, 15, 14, 1, 9},
    {12, 5, 1, 15, 14, 13, 4, 10, 0, 7, 6, 3, 9, 2, 8, 11},
    {13, 11, 7, 14, 12, 1, 3, 9, 5, 0, 15, 4, 8, 6, 2, 10},
    {6, 15, 14, 9, 11, 3, 0, 8, 12, 2, 13, 7, 1, 4, 10, 5},
    {10, 2, 8, 4, 7, 6, 1, 5, 15, 11, 9, 14, 3, 12, 13, 0},
    {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15},
    {14, 10, 4, 8, 9, 15, 13, 6, 1, 12, 0, 2, 11, 7, 5, 3}};

inline void mix(std::uint64_t* v, int a, int b, int c, int d, std::uint64_t x,
                std::uint64_t y) {
    v[a] += v[b] + x;
    v[d] = std::rotr(v[d] ^ v[a], 32);
    v[c] += v[d];
    v[b] = std::rotr(v[b] ^ v[c], 24);
    v[a] += v[b] + y;
    v[d] = std::rotr(v[d] ^ v[a], 16);
    v[c] += v[d];
    v[b] = std::rotr(v[b] ^ v[c], 63);
}

}  // namespace

Digest::Digest() : state_(start) {
    // 64 bytes of digest, no key, one tree node.
    state_[0] ^= 0x01010000u ^ sizeof(Words);
}

Digest::Digest(const Words& key) : Digest() {
    state_[0] ^= sizeof key << 8;
    std::array<unsigned char, block_bytes> first{};
    std::memcpy(first.data(), key.data(), sizeof key);
    add(first.data(), first.size());
}

void Digest::add(const void* bytes, std::size_t n) {
    const auto* from = static_cast<const unsigned char*>(bytes);
    while (n > 0) {
        // The last block is compressed at the end only.
        if (n_in_block_ == block_bytes) {
            compress(false);
            n_in_block_ = 0;
        }
        const std::size_t some = std::min(n, block_bytes - n_in_block_);
        std::memcpy(block_.data() + n_in_block_, from, some);
        n_in_block_ += some;
        n_bytes_ += some;
        from += some;
        n -= some;
    }
}

Digest::Words Digest::finish() {
    assert(n_in_block_ > 0);
    std::fill(block_.begin() + static_cast<std::ptrdiff_t>(n_in_block_), block_.end(),
              static_cast<unsigned char>(0));
    compress(true);
    return state_;
}

void Digest::compress(bool is_last) {
    std::uint64_t m[16];
    std::memcpy(m, block_.data(), block_bytes);
    std::uint64_t v[16];
    std::copy(state_.begin(), state_.end(), v);
    std::copy(start.begin(), start.end(), v + 8);
    v[12] ^= n_bytes_;
    if (is_last) v[14] = ~v[14];
    // Unrolled, so that the order of words is no table to look up.
#pragma GCC unroll 12
    for (const auto& s : order) {
        mix(v, 0, 4, 8, 12, m[s[0]], m[s[1]]);
        mix(v, 1, 5, 9, 13, m[s[2]], m[s[3]]);
        mix(v, 2, 6, 10, 14, m[s[4]], m[s[5]]);
        mix(v, 3, 7, 11, 15, m[s[6]], m[s[7]]);
        mix(v, 0, 5, 10, 15, m[s[8]], m[s[9]]);
        mix(v, 1, 6, 11, 12, m[s[10]], m[s[11]]);
        mix(v, 2, 7, 8, 13, m[s[12]], m[s[13]]);
        mix(v, 3, 4, 9, 14, m[s[14]], m[s[15]]);
    }
    for (std::size_t at = 0; at < 8; ++at) state_[at] ^= v[at] ^ v[at + 8];
}

}  // namespace ostrya
