/// Keeps what a search proves, now and then, and begins with what another one kept.
///
/// What was kept is read before the search and used once it has grown its first trees,
/// from an empty memo as any search: so a search that goes on returns the same tree as
/// one that was never stopped (tree_choice.hpp). Until then, what was known of the root
/// stands beside it (`SharedFacts::known`). A search that was stopped early begins
/// again: it returns the first of the best trees that it meets, and with facts it would
/// meet another one first.
#pragma once

#include "search/checkpoint.hpp"
#include "search/context.hpp"
#include "search/level.hpp"
#include "search/saved_facts.hpp"

namespace ostrya {

template <class Sum>
class CheckpointStore {
public:
    /// Does nothing where the options have no checkpoint.
    explicit CheckpointStore(const SearchContext& context);

    bool is_on() const { return checkpoint_ != nullptr; }
    /// Whether an earlier search has kept something.
    bool has_facts() const { return is_on() && !checkpoint_->facts.empty(); }

    /// Check all that was kept, and know what it says of the root; throws where it is
    /// not of this problem. Says whether nothing is left to search.
    bool open();

    /// All work that the earlier search had done.
    std::uint64_t earlier_work() const { return earlier_work_; }
    /// Begin again, without the rest of what was kept.
    void begin_again() { begins_again_ = is_scanned_ = true; }

    /// Have a search that has scanned its root know the rest; says how far the earlier
    /// one had come, and gives its prices to `begin_with`.
    SearchAge restore(Level<Sum>& root, Bracket& best,
                      const std::function<void(const PriceState&)>& begin_with);

    /// Know what others that search the same problem have proved of its row sets.
    void listen();
    /// Tell them what this search has proved, as far as it took most work.
    void tell(const Bracket& best);

    bool is_due() const { return is_on() && Clock::now() >= next_; }
    /// Keep what is known.
    void keep(const Level<Sum>& root, const Bracket& best, const SearchAge& age,
              const RowPrices* prices);
    /// The same at the end, when the search `is_final`, so that its tree is chosen, or
    /// was stopped. Where it was stopped before it had used what was kept, that stays.
    void conclude(const Level<Sum>& root, const Bracket& best, const SearchAge& age,
                  const RowPrices* prices, bool is_final);

private:
    using Clock = Stopwatch::Clock;

    SavedRoot known_root(const Bracket& best) const;
    void add_bounds(const Level<Sum>& root, FactsWriter& writer) const;
    void restore_entry(const MemoFact& fact, const Subtree& tree);
    void wait();

    const Problem& problem_;
    const Options& options_;
    MemoryBudget& memory_;
    SharedFacts& facts_;
    const Checkpoint* checkpoint_;
    Digest::Words digest_{};
    std::size_t n_entries_ = 0;  // of the memo that were kept
    std::uint64_t earlier_work_ = 0;
    bool begins_again_ = false;
    bool is_restored_ = false;
    bool is_scanned_ = false;  // the root, so that its splits have bounds
    Clock::time_point next_;
};

}  // namespace ostrya
