#include "search/checkpoint_store.hpp"

#include <algorithm>
#include <chrono>

namespace ostrya {

template <class Sum>
CheckpointStore<Sum>::CheckpointStore(const SearchContext& context)
    : problem_(context.problem),
      options_(context.options),
      memory_(context.memory),
      facts_(context.facts),
      checkpoint_(options_.checkpoint) {}

template <class Sum>
bool CheckpointStore<Sum>::open() {
    if (!is_on()) return false;
    digest_ = problem_digest(problem_, options_.switches);
    wait();
    if (!has_facts()) return false;
    bool is_final = false;
    const auto know = [&](const SavedRoot& root) {
        facts_.known = root.bracket;
        facts_.depths.set_earlier(root.proved_depth);
        is_final = root.is_final;
    };
    read_facts(
        checkpoint_->facts, digest_, problem_, facts_.pool,
        {know,
         [&](const SearchAge& age, const PriceState&) { earlier_work_ = age.all_work; },
         [](const SavedSplitBounds&) {},
         [&](const MemoFact&, const Subtree&) { ++n_entries_; }});
    return is_final;
}

/// Bounds of the splits that the root has, wherever it has them.
template <class Sum>
SearchAge CheckpointStore<Sum>::restore(
    Level<Sum>& root, Bracket& best,
    const std::function<void(const PriceState&)>& begin_with) {
    SearchAge age;
    is_scanned_ = true;
    if (!has_facts()) return age;
    is_restored_ = true;
    Vector<std::size_t> first(memory_);  // of each column's cuts
    std::size_t n_cuts = 0;
    for (const SplitColumn& column : problem_.splits) {
        first.push_back(n_cuts);
        n_cuts += column.cuts.size();
    }
    Vector<std::uint32_t> place(n_cuts, none, memory_);
    for (std::uint32_t at = 0; at < root.node.splits.width; ++at) {
        if (root.losses.seen[at] == Seen::no_split) continue;
        const Split name = root.node.splits.names[at];
        place[first[name.column] + name.cut] = at;
    }
    const auto raise = [&](const SavedSplitBounds& known) {
        const std::uint32_t at = place[first[known.split.column] + known.split.cut];
        if (at == none) return;
        root.bounds.raise_both(at, known.yes, known.no);
        // It is about deeper trees alone, so others have to be accounted for here too.
        if (root.losses.seen[at] == Seen::pairs) root.bounds.raise_rest(at, known.rest);
    };
    facts_.memo.make_room_for(n_entries_);
    read_facts(checkpoint_->facts, digest_, problem_, facts_.pool,
               {[](const SavedRoot&) {},
                [&](const SearchAge& known, const PriceState& prices) {
                    age = known;
                    begin_with(prices);
                },
                raise,
                [&](const MemoFact& fact, const Subtree& tree) {
                    restore_entry(fact, tree);
                }});
    best.learn(facts_.known);
    facts_.depths.prove(facts_.depths.earlier());
    return age;
}

/// Both say what is true, so their better halves do.
template <class Sum>
void CheckpointStore<Sum>::restore_entry(const MemoFact& fact, const Subtree& tree) {
    // What fills the memory would have to be forgotten at once.
    if (!memory_.allows(memory_.limit() / options_.tuning.search.memory_part)) return;
    Bracket known = facts_.memo.find(fact.rows, fact.limits);
    known.lower = std::max(known.lower, fact.lower);
    known.lower_to(fact.upper, tree);
    known.is_tight |= fact.is_tight;
    if (known.lower <= known.upper) {
        facts_.memo.store(fact.rows, fact.limits, known, fact.work, true);
    }
}

template <class Sum>
void CheckpointStore<Sum>::listen() {
    for (const Bytes told : checkpoint_->told) {
        read_facts(told, digest_, problem_, facts_.pool,
                   {[](const SavedRoot&) {}, [](const SearchAge&, const PriceState&) {},
                    [](const SavedSplitBounds&) {},
                    [&](const MemoFact& fact, const Subtree& tree) {
                        restore_entry(fact, tree);
                    }});
    }
}

template <class Sum>
void CheckpointStore<Sum>::tell(const Bracket& best) {
    if (!is_on() || !checkpoint_->tell) return;
    const WorkCounts entries = count_by_work(facts_.memo, Entries::own);
    FactsWriter writer(digest_, 0, 0, entries, memory_, checkpoint_->most_told_bytes);
    writer.add_root(known_root(best), facts_.pool);
    writer.add_age({});
    writer.add_prices(nullptr, 0, memory_);
    writer.add_memo(facts_.memo, Entries::own, entries, facts_.pool);
    checkpoint_->tell(writer.bytes());
}

template <class Sum>
SavedRoot CheckpointStore<Sum>::known_root(const Bracket& best) const {
    SavedRoot root;
    root.bracket = best;
    root.bracket.learn(facts_.known);
    // Where only cheaper trees are wanted, this search proves depths of those alone.
    const Cost base = problem_.scale.factor * problem_.base;
    const bool covers_all =
        !options_.upper || *options_.upper - base >= root.bracket.upper;
    root.proved_depth = covers_all ? facts_.depths.reported() : facts_.depths.earlier();
    return root;
}

template <class Sum>
void CheckpointStore<Sum>::add_bounds(const Level<Sum>& root,
                                      FactsWriter& writer) const {
    const std::uint32_t width = root.node.splits.width;
    if (!is_scanned_ || !root.bounds.cover_all_trees ||
        !writer.has_room_for_splits(width)) {
        return;
    }
    for (std::uint32_t at = 0; at < width; ++at) {
        if (root.losses.seen[at] == Seen::no_split) continue;
        // What a split's rest says beyond its sides is about deeper trees, where pairs
        // were scanned; see `restore`.
        writer.add_split({root.node.splits.names[at], root.bounds.of(at).yes,
                          root.bounds.of(at).no, root.bounds.rest(at)});
    }
}

template <class Sum>
void CheckpointStore<Sum>::keep(const Level<Sum>& root, const Bracket& best,
                                const SearchAge& age, const RowPrices* prices) {
    const WorkCounts entries = count_by_work(facts_.memo, Entries::all);
    FactsWriter writer(digest_, prices != nullptr ? problem_.n_groups : 0,
                       root.node.splits.width, entries, memory_);
    writer.add_root(known_root(best), facts_.pool);
    writer.add_age(age);
    writer.add_prices(prices, problem_.n_groups, memory_);
    add_bounds(root, writer);
    writer.add_memo(facts_.memo, Entries::all, entries, facts_.pool);
    checkpoint_->keep(writer.bytes());
    wait();
}

template <class Sum>
void CheckpointStore<Sum>::conclude(const Level<Sum>& root, const Bracket& best,
                                    const SearchAge& age, const RowPrices* prices,
                                    bool is_final) {
    if (!is_on()) return;
    if (!is_final) {
        if (is_restored_ || begins_again_ || !has_facts()) {
            keep(root, best, age, prices);
        }
        return;
    }
    // Nothing else is of use any more.
    FactsWriter writer(digest_, 0, 0, {}, memory_);
    SavedRoot known;
    known.bracket = best;
    known.is_final = true;
    writer.add_root(known, facts_.pool);
    writer.add_age(age);
    writer.add_prices(nullptr, 0, memory_);
    writer.add_no_memo();
    checkpoint_->keep(writer.bytes());
}

template <class Sum>
void CheckpointStore<Sum>::wait() {
    next_ = Clock::now() + std::chrono::duration_cast<Clock::duration>(
                               std::chrono::duration<double>(checkpoint_->seconds));
}

template class CheckpointStore<std::int32_t>;
template class CheckpointStore<std::int64_t>;

}  // namespace ostrya
