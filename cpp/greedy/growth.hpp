/// A greedy tree of a sample: level by level, each node by its purest split (Gini).
///
/// A level takes one pass over the sample per feature, whatever the number of nodes.
#pragma once

#include <cstdint>
#include <optional>

#include "greedy/sample.hpp"
#include "objective/found_tree.hpp"

namespace ostrya {

class Growth {
public:
    Growth(const Request& request, const Sample& sample, MemoryBudget& memory);

    /// A tree within the limits; children stand after their parents. `root_feature`, if
    /// given, is what the root asks about. Where it is stopped, levels are missing.
    FoundTree grow(std::optional<std::uint32_t> root_feature,
                   const StopCheck& is_stopped);

private:
    /// A leaf of the level that is being split.
    struct Open {
        std::uint32_t node = 0;
        double mass = 0, squares = 0;
        std::uint32_t n = 0;
        // The purest split so far.
        double purity = 0;
        std::uint32_t feature = 0;
        double cut = 0;
        bool has_split = false;
        // Rows met so far of the feature at hand, from its least value on.
        double yes_mass = 0, yes_squares = 0, no_squares = 0;
        std::uint32_t n_yes = 0, last = 0;
        std::uint32_t run = 0;  // of equal values that the last row is in
    };
    static constexpr std::uint32_t closed = ~std::uint32_t{0};

    void sum_level();
    void sweep(std::uint32_t feature);
    void offer(Open& open, std::uint32_t feature) const;
    bool split_level(FoundTree& tree);
    std::size_t most_open() const;

    const Request& request_;
    const Sample& sample_;
    std::size_t n_labels_;
    std::uint32_t least_rows_;
    Vector<double> mass_;  // of each place
    Vector<std::int32_t> label_;
    Vector<std::uint32_t> open_of_;  // of each place, or closed
    Vector<Open> open_;
    Vector<double> total_, yes_;  // open leaves x labels
};

}  // namespace ostrya
