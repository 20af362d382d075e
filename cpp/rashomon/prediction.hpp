/// What all trees predict on average, without listing them.
///
/// Each row goes down all trees at once. Below a row set, `share[k]` is the share of
/// all trees, times what of their questions send the row here, in which the rows of the
/// set have a subtree of kind `k`. A branch passes it on to the kinds of its two sides
/// by how many pairs of them make up a kind; leaves add it to what they predict.
#pragma once

#include <functional>
#include <span>
#include <unordered_map>
#include <vector>

#include "rashomon/last_levels.hpp"
#include "rashomon/tree_set.hpp"

namespace ostrya::rashomon {

template <class Sum, class Count>
class Prediction {
public:
    Prediction(Enumeration<Sum, Count>& trees, const NewRows& rows,
               const std::function<bool()>& is_stopped);

    /// Rows x labels; nothing if stopped.
    std::vector<double> run();

private:
    using Rows = Vector<std::uint32_t>;
    using Kinds = std::span<const Bucket<Count>>;
    /// Kinds x rows of the block.
    using Shares = std::vector<double>;

    /// A row set that some rows reach.
    struct Reached {
        Reached(Rows its_rows, Shares its_shares)
            : rows(std::move(its_rows)), shares(std::move(its_shares)) {}

        Rows rows;
        Shares shares;
    };

    static constexpr std::size_t block = 16;

    bool run_block(std::size_t first);
    Reached& reach(std::uint32_t number, const Rows& parent, const Branch& branch,
                   bool yes);
    void go_down(std::uint32_t number, const Reached& here);
    void go_down_pairs(std::uint32_t number, const Reached& here);
    void pass_on(Kinds whole, const Shares& shares, Kinds yes, Kinds no,
                 bool joins_leaves, const std::uint32_t* n_yes, std::uint32_t n_cuts,
                 Shares& to_yes, Shares& to_no) const;
    bool count_yes(std::uint32_t column, std::uint32_t first_cut, std::uint32_t n_cuts,
                   std::uint32_t* n_yes) const;
    void add_leaf(const Rows& rows, const double* shares);
    void add_two(const Rows& rows, const std::vector<SecondQuestion>& seconds,
                 std::span<const Bucket<Count>> kinds, const Shares& shares);

    Enumeration<Sum, Count>& trees_;
    const Problem& problem_;
    const NewRows& rows_;
    const std::function<bool()>& is_stopped_;
    std::vector<std::uint32_t> order_;  // row sets, each before those below it
    std::unordered_map<std::uint32_t, Reached> reached_;
    std::size_t first_ = 0, n_ = 0;  // of the block
    std::vector<double> out_;
};

}  // namespace ostrya::rashomon
