#include "data/sort_by_key.hpp"

#include <algorithm>
#include <array>
#include <utility>

namespace ostrya {
namespace {

constexpr std::uint32_t digit_bits = 11, n_values = 1u << digit_bits, n_digits = 6;

std::uint32_t digit_of(std::uint64_t key, std::uint32_t digit) {
    return static_cast<std::uint32_t>(key >> digit * digit_bits) & (n_values - 1);
}

}  // namespace

bool sort_by_key(Vector<KeyedRow>& rows, Vector<KeyedRow>& spare,
                 const StopCheck& is_stopped) {
    static_assert(digit_bits * n_digits >= 64);
    std::array<std::array<std::uint32_t, n_values>, n_digits> places{};
    for (const KeyedRow& each : rows) {
        for (std::uint32_t digit = 0; digit < n_digits; ++digit) {
            ++places[digit][digit_of(each.key, digit)];
        }
    }
    spare.resize(rows.size(), {0, 0});
    for (std::uint32_t digit = 0; digit < n_digits; ++digit) {
        auto& place = places[digit];
        if (std::find(place.begin(), place.end(), rows.size()) != place.end()) continue;
        if (is_stopped()) return false;
        std::uint32_t begin = 0;
        for (std::uint32_t& each : place) begin += std::exchange(each, begin);
        for (const KeyedRow& each : rows) {
            spare[place[digit_of(each.key, digit)]++] = each;
        }
        rows.swap(spare);
    }
    return true;
}

}  // namespace ostrya
