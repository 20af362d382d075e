/// Boxes that prices have violated so far, and prices that respect all of them.
#pragma once

#include <cstdint>
#include <span>

#include "memory/budget.hpp"
#include "tuning/tuning.hpp"
#include "watch/stop.hpp"

namespace ostrya {

/// Prices by projections: each box that pays more than it costs takes the excess back
/// from its rows, in proportion to their weight, and what is missing to the target is
/// spread over all rows again (Kaczmarz's method for inequalities: Agmon 1954, Motzkin
/// and Schoenberg 1954). It converges where the target is below what prices can reach.
/// Numbers are doubles here: nothing is proved by them.
class PricePool {
public:
    /// `weight` tells how a row takes part in what is taken back or spread.
    PricePool(const Vector<double>& weight, const Tuning::Prices& tuning,
              MemoryBudget& memory);

    void add(const Vector<std::uint32_t>& box, double cost);
    /// Have `visit` see every box: its cost and its rows.
    template <class Visit>
    void for_each(const Visit& visit) const {
        for (const Box& box : boxes_) {
            visit(box.cost, std::span(rows_).subspan(box.begin, box.end - box.begin));
        }
    }

    /// What prices are to sum to, by how much a box may pay too much, and whether some
    /// may fall below zero.
    struct Aim {
        double target, tolerance;
        bool may_be_negative;
    };
    /// Move prices until they are as aimed; false when they do not come that far.
    bool project(Vector<double>& prices, const Aim& aim, std::int64_t& work,
                 StopSign& stop);

private:
    struct Box {
        std::size_t begin, end;  // of its rows
        double cost, weight;
    };
    /// Take back what a box pays too much, and return it.
    double repair(const Box& box, Vector<double>& prices) const;
    void spread(Vector<double>& prices, double target) const;

    const Vector<double>& weight_;
    int most_sweeps_, sweeps_between_;
    double total_weight_;
    Vector<Box> boxes_;
    Vector<std::uint32_t> rows_;
    Vector<std::uint32_t> tight_;  // scratch: boxes looked at in every sweep
};

}  // namespace ostrya
