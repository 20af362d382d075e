#include "data/sort_by_key.hpp"

#include <algorithm>
#include <array>
#include <span>
#include <utility>

#include "data/sort_in_parts.hpp"

namespace ostrya {
namespace {

/// From how many rows on sorting digit by digit is faster than by comparing.
constexpr std::size_t many_rows = 1024;
/// Few rows agree in three digits, counted from the highest bit in which any differ.
constexpr int digit_bits = 11, n_digits = 3;
constexpr std::size_t n_values = std::size_t{1} << digit_bits;

/// No function, for sorting does not inline a pointer to one.
constexpr auto is_before = [](const KeyedRow& a, const KeyedRow& b) {
    return a.key != b.key ? a.key < b.key : a.row < b.row;
};

/// Sort by the digit from this bit on; rows that agree in it stay in their order.
void sort_by_digit(Vector<KeyedRow>& rows, Vector<KeyedRow>& spare, int shift) {
    const auto digit_of = [shift](const KeyedRow& each) {
        return (each.key >> shift) & (n_values - 1);
    };
    std::array<std::uint32_t, n_values> place{};
    for (const KeyedRow& each : rows) ++place[digit_of(each)];
    std::uint32_t begin = 0;
    for (std::uint32_t& each : place) begin += std::exchange(each, begin);
    for (const KeyedRow& each : rows) spare[place[digit_of(each)]++] = each;
    rows.swap(spare);
}

}  // namespace

bool sort_by_key(Vector<KeyedRow>& rows, Vector<KeyedRow>& spare,
                 const StopCheck& is_stopped) {
    if (rows.size() < many_rows) {
        std::sort(rows.begin(), rows.end(), is_before);
        return true;
    }
    std::uint64_t differing = 0;
    for (const KeyedRow& each : rows) differing |= each.key ^ rows[0].key;
    const auto n_bits = static_cast<int>(std::bit_width(differing));
    const int lowest = std::max(n_bits - n_digits * digit_bits, 0);
    spare.resize(rows.size(), {0, 0});
    for (int shift = lowest; shift < n_bits; shift += digit_bits) {
        if (is_stopped()) return false;
        sort_by_digit(rows, spare, shift);
    }
    // What is left are rows that differ in lower bits alone.
    for (auto begin = rows.begin(); begin != rows.end();) {
        auto end = begin + 1;
        while (end != rows.end() && (begin->key ^ end->key) >> lowest == 0) ++end;
        if (end - begin > 1 && !std::is_sorted(begin, end, is_before)) {
            std::span<KeyedRow> alike(begin, end);
            if (is_stopped() || !sort_in_parts(alike, is_before, is_stopped)) {
                return false;
            }
        }
        begin = end;
    }
    return true;
}

}  // namespace ostrya
