/// Prices beside the search: when they are sought, and for how long (B10).
#pragma once

#include <cstdint>
#include <functional>
#include <memory>

#include "prices/row_prices.hpp"
#include "search/context.hpp"
#include "search/price_bounds.hpp"

namespace ostrya {

class PriceSeeker {
public:
    /// `bounds` are those that the search goes by.
    PriceSeeker(const SearchContext& context, PriceBounds& bounds);

    /// Seek none, and use those that another thread finds.
    void follow() {
        may_help_ = false;
        follows_ = is_on_;
    }

    /// Have `tell` called when prices of all rows have risen.
    void when_risen(std::function<void(Cost)> tell) { tell_ = std::move(tell); }
    /// What the best tree of the root costs so far, and at least.
    void set_bracket(Cost lower, Cost upper) {
        lower_ = lower;
        upper_ = upper;
    }

    /// Seek prices for some times the work that the search has taken since they were
    /// last sought, if it has gone on for long enough.
    void keep_pace() {
        if (may_help_ && stop_.counted.of_search() >= next_work_) seek_again();
        if (follows_ && shared_.boxes().is_open()) shared_.boxes().help();
        if (follows_ && shared_.version() != bounds_.version()) take_latest();
    }
    /// Seek prices before a piece of work like this, in words.
    void seek_before(std::uint64_t work);

    /// Work of the search at which prices are sought again.
    std::uint64_t next_work() const { return next_work_; }
    /// The prices that are sought here; null where there are none yet.
    const RowPrices* prices() const { return prices_.get(); }
    /// Go on from those of an earlier search, if it had any, and seek others when that
    /// one would have.
    void go_on_from(const PriceState& state, std::uint64_t next_work);

private:
    void seek_again();
    bool is_worth_while(std::uint64_t of_search) const;
    void take_latest();
    /// Whether the root's bound is that of prices.
    bool lead() const;
    bool is_theirs() const;
    bool is_far(Cost bound) const;
    void seek(std::uint64_t work, std::uint64_t share);
    bool make_prices();
    void show_prices();

    const Problem& problem_;
    const Tuning::Prices& tuning_;
    StopSign& stop_;
    MemoryBudget& memory_;
    /// None until the search has gone on for a while.
    std::unique_ptr<RowPrices> prices_;
    SharedPrices& shared_;
    PriceBounds& bounds_;
    OpenLoop* helpers_;  // none where there is one thread
    bool is_on_;
    std::function<void(Cost)> tell_;
    Cost lower_ = 0, upper_ = unreachable;  // of the root
    bool may_help_;
    bool follows_ = false;
    std::uint64_t start_;          // work of a search from which on prices pay
    std::uint64_t next_work_;      // of the search, at which prices are sought again
    std::uint64_t last_work_ = 0;  // and at which they last were
    std::int64_t owed_ = 0;        // work of prices beyond their share
};

}  // namespace ostrya
