/// What a search may be told about keeping what it proves, for another one to go on.
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <stdexcept>
#include <vector>

namespace ostrya {

using Bytes = std::span<const unsigned char>;

struct Checkpoint {
    Bytes facts;                      // of an earlier search; empty: there was none
    std::function<void(Bytes)> keep;  // takes those of this one, now and then
    double seconds = 60;              // between two times
    std::vector<Bytes> told;          // by others that search the same problem
    std::function<void(Bytes)> tell;  // takes what they have not told; may be empty
    std::uint64_t most_told_bytes = 0;
};

/// Bytes that are not what a search of this problem keeps; says why.
class SavedFactsError : public std::runtime_error {
public:
    using std::runtime_error::runtime_error;
};

}  // namespace ostrya
