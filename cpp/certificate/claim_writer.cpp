#include "certificate/claim_writer.hpp"

#include <algorithm>
#include <stdexcept>

#include "certificate/price_writer.hpp"

namespace ostrya::certificate {
namespace {

/// Whether a checker that scans both sides of every cut sees all trees.
bool is_scanned(Limits limits) {
    return limits.depth <= 1 || (limits.depth == 2 && limits.leaves >= 4) ||
           limits.leaves == 2;
}

/// Kinds of evidence for one side of a cut, and of an item whose cut shares leaves.
enum Evidence : std::uint32_t { none_needed, scan_again, reference, own_claim };
constexpr std::uint32_t shared_leaves = 16, same_sides = 17;

}  // namespace

template <class Sum>
ClaimWriter<Sum>::ClaimWriter(const Problem& problem, const Options& options,
                              StopSign& stop, Progress& progress, MemoryBudget& memory,
                              std::uint64_t most_bytes)
    : problem_(problem),
      stop_(stop),
      memory_(memory),
      facts_(
          memory,
          usable_switches(options.switches, problem.min_samples_leaf).depth_transfer),
      solver_({problem, options, stop, progress, memory, facts_, statistics_}),
      table_(problem, memory),
      bytes_(memory),
      most_bytes_(most_bytes),
      finished_(problem.scale.penalty, memory),
      lister_(problem, table_, memory) {}

template <class Sum>
Ending ClaimWriter<Sum>::write(Cost bound, std::int64_t price_work) {
    const Weight lone = problem_.one_leaf - problem_.base;
    if (problem_.scale.cost(lone, 1) < bound) {
        throw std::logic_error("a certificate was asked for a bound that is not true");
    }
    const bool has_splits =
        !problem_.splits.empty() && problem_.limits.reachable_depth() > 0;
    if (has_splits) {
        auto prices =
            write_prices(problem_, table_, bound, price_work, stop_, memory_, bytes_);
        if (prices) {
            // The search knows them as well.
            auto index = std::make_shared<PriceIndex>(memory_);
            if (index->fill(problem_.keys, *prices)) {
                facts_.prices.publish(std::move(index), 1);
                solver_.prices.follow();
                solver_.prices.keep_pace();
            }
            lister_.use_prices(*std::move(prices));
        }
    }
    if (bytes_.size() == 0) bytes_.add(0);
    bytes_.add(static_cast<std::uint64_t>(bound));
    if (!has_splits) {
        bytes_.add(0);
        return Ending::written;
    }
    if (!solver_.make_root([this] { return stop_.is_up(); })) return Ending::stopped;
    Frame& root = frame(0);
    for (std::uint32_t group = 0; group < table_.n_groups(); ++group) {
        root.groups.push_back(group);
    }
    claim(0, solver_.branching.level_at(0).node.rows.hash, problem_.limits, bound);
    if (is_too_large_) return Ending::too_large;
    return stop_.has_stopped() ? Ending::stopped : Ending::written;
}

template <class Sum>
std::uint64_t ClaimWriter<Sum>::estimated_size() const {
    const double share = std::max(share_done_, 1e-6);
    return static_cast<std::uint64_t>(static_cast<double>(bytes_.size()) / share);
}

template <class Sum>
typename ClaimWriter<Sum>::Frame& ClaimWriter<Sum>::frame(std::size_t depth) {
    while (frames_.size() <= depth) frames_.emplace_back(memory_);
    return frames_[depth];
}

template <class Sum>
bool ClaimWriter<Sum>::has_ended() {
    if (bytes_.size() > most_bytes_) is_too_large_ = true;
    if (memory_.is_exceeded()) stop_.memory_is_out();
    return is_too_large_ || stop_.has_stopped();
}

/// Write the claim of the node at a level, which is built, and whose groups are listed.
template <class Sum>
void ClaimWriter<Sum>::claim(std::size_t depth, const RowHash& rows, Limits limits,
                             Cost bound) {
    if (has_ended() || stop_.is_up_before(table_.work(frame(depth).groups.size()))) {
        return;
    }
    const std::uint32_t number = n_begun_++;
    auto& level = solver_.branching.level_at(depth);
    level.begin_search();
    level.price_version = 0;
    Bracket seen;
    solver_.scan.scan_singles(level, seen);
    level.children.clear();
    Frame& here = frame(depth);
    here.limits = limits;
    here.bound = bound;
    here.last_number = 0;
    here.cuts.clear();
    const Weight loss = solver_.builder.reader().loss(level.node.rows.total.data(), 1);
    if (problem_.scale.cost(loss, 1) < bound) {
        throw std::logic_error("a certificate was asked for a bound that is not true");
    }
    if (limits.depth > 0 && limits.leaves > 1 && !is_scanned(limits)) {
        lister_.list(level.node, here.groups, limits.child(), bound, here.cuts);
        for (std::size_t begin = 0; begin < here.cuts.size() && !has_ended();) {
            std::size_t end = begin + 1;
            while (end < here.cuts.size() &&
                   here.cuts[end].split.column == here.cuts[begin].split.column) {
                ++end;
            }
            prove_column(depth, begin, end);
            begin = end;
            if (depth == 0) {
                share_done_ =
                    static_cast<double>(begin) / static_cast<double>(here.cuts.size());
            }
        }
    }
    if (has_ended()) return;
    name_duplicates(here);
    bytes_.add(0);
    finished_.add(rows, number, limits, bound);
}

/// Say which cuts part the groups as an earlier one does, where that is all the
/// evidence they have.
template <class Sum>
void ClaimWriter<Sum>::name_duplicates(Frame& here) {
    for (Cut& cut : here.cuts) {
        if (cut.same == none || !cut.is_open(here.bound)) continue;
        name_cut(here, cut);
        bytes_.add(same_sides);
        bytes_.add(cut.number - cut.same);
    }
}

/// Prove all cuts of one column: of a stretch of open ones, the middle first, since
/// what is proved there reaches furthest to both sides.
template <class Sum>
void ClaimWriter<Sum>::prove_column(std::size_t depth, std::size_t begin,
                                    std::size_t end) {
    Frame& here = frame(depth);
    const std::span<Cut> column(here.cuts.data() + begin, end - begin);
    const bool carries = solver_.switches.superset.is_on;
    if (carries) carry_bounds(column, problem_.scale.factor);
    const auto needs_proof = [&](std::size_t at) {
        return here.cuts[at].same == none && here.cuts[at].is_open(here.bound);
    };
    for (std::size_t first = begin; first < end;) {
        if (!needs_proof(first)) {
            ++first;
            continue;
        }
        if (!carries) {
            prove_cut(depth, first, 0);
            if (has_ended()) return;
            ++first;
            continue;
        }
        std::size_t last = first;
        while (last + 1 < end && needs_proof(last + 1)) ++last;
        const std::size_t middle = (first + last) / 2;
        Cost slack = 0;
        if (first < last) {
            const Weight half =
                here.cuts[middle].potential - here.cuts[first].potential;
            slack = std::min(problem_.scale.factor * half, here.bound / 8);
        }
        prove_cut(depth, middle, slack);
        if (has_ended()) return;
        carry_bounds(column, problem_.scale.factor);
    }
}

/// Both sides of a cut under these limits; their groups are listed in the frame.
template <class Sum>
typename ClaimWriter<Sum>::Pair ClaimWriter<Sum>::sides_of(std::size_t depth,
                                                           const Cut& cut, Limits yes,
                                                           Limits no) {
    Frame& here = frame(depth);
    auto& level = solver_.branching.level_at(depth);
    level.partition.split(level.node, cut.at);
    here.yes_groups.clear();
    here.no_groups.clear();
    for (const std::uint32_t group : here.groups) {
        (table_.is_yes(group, cut.split) ? here.yes_groups : here.no_groups)
            .push_back(group);
    }
    Pair pair{};
    for (const bool is_yes : {true, false}) {
        Side& side = pair.side(is_yes);
        side.is_yes = is_yes;
        side.limits = is_yes ? yes : no;
        side.simple = simple_bound(is_yes ? cut.yes_loss : cut.no_loss,
                                   is_yes ? cut.yes_price : cut.no_price, side.limits,
                                   problem_.scale);
        side.known = side.scanned = side.goal = side.simple;
    }
    return pair;
}

/// What the search finds out about a side: at least `wanted`, or all there is.
template <class Sum>
Cost ClaimWriter<Sum>::ask(std::size_t depth, const Cut& cut, Side& side, Cost wanted) {
    if (side.goal >= wanted) return side.goal;
    const Bracket found =
        solver_.child(depth, cut.at, side.is_yes != cut.is_turned, side.limits, wanted);
    return std::max(side.goal, std::min(found.lower, wanted));
}

/// Find true bounds of both sides that add up to `wanted`, or at least to `bound`.
template <class Sum>
bool ClaimWriter<Sum>::find_goals(std::size_t depth, const Cut& cut, Pair& pair,
                                  Cost bound, Cost wanted) {
    const Frame& here = frame(depth);
    const bool yes_first = here.yes_groups.size() < here.no_groups.size();
    Side& first = pair.side(yes_first);
    Side& second = pair.side(!yes_first);
    for (Side* side : {&first, &second}) {
        if (pair.yes.goal + pair.no.goal >= bound) break;
        if (is_scanned(side->limits) && side->limits.depth == 2) continue;
        const Groups& groups = side->is_yes ? here.yes_groups : here.no_groups;
        stop_.is_up_before(table_.work(groups.size()));
        side->scanned = std::max(side->simple, table_.scan(groups, side->limits));
        side->goal = std::max(side->goal, side->scanned);
    }
    if (pair.yes.goal + pair.no.goal >= bound) {
        // No evidence is needed that the bound of the claim can do without.
        if (first.known + second.goal >= bound) first.goal = first.known;
        if (second.known + first.goal >= bound) second.goal = second.known;
        return true;
    }
    first.goal = ask(depth, cut, first, wanted - second.goal);
    if (stop_.has_stopped()) return true;
    second.goal = ask(depth, cut, second, wanted - first.goal);
    return pair.yes.goal + pair.no.goal >= bound;
}

/// Begin an item.
template <class Sum>
void ClaimWriter<Sum>::name_cut(Frame& here, const Cut& cut) {
    const auto step = std::int64_t{cut.number} - here.last_number;
    bytes_.add(step >= 0 ? 2 * static_cast<std::uint64_t>(step) + 1
                         : 2 * static_cast<std::uint64_t>(-step));
    here.last_number = cut.number;
}

/// Write the evidence for a cut, whose sides must add up to the bound of the claim.
template <class Sum>
void ClaimWriter<Sum>::prove_cut(std::size_t depth, std::size_t index, Cost slack) {
    Frame& here = frame(depth);
    const Cut cut = here.cuts[index];
    const Limits below = here.limits.child();
    Pair pair = sides_of(depth, cut, below, below);
    pair.yes.goal = pair.yes.known = cut.yes;
    pair.no.goal = pair.no.known = cut.no;
    const bool is_enough = find_goals(depth, cut, pair, here.bound, here.bound + slack);
    if (has_ended()) return;
    if (!is_enough) {
        if (here.limits.leaves == Limits::unlimited) {
            throw std::logic_error("the search found a bound that is not true");
        }
        prove_shares(depth, index);
        return;
    }
    name_cut(here, cut);
    write_pair(depth, cut, pair, here.bound);
    here.cuts[index].yes = std::max(cut.yes, pair.yes.goal);
    here.cuts[index].no = std::max(cut.no, pair.no.goal);
}

/// The same under a limit on leaves: all ways to share them between both sides.
template <class Sum>
void ClaimWriter<Sum>::prove_shares(std::size_t depth, std::size_t index) {
    Frame& here = frame(depth);
    const Cut cut = here.cuts[index];
    name_cut(here, cut);
    bytes_.add(shared_leaves);
    const std::uint32_t below = here.limits.child().depth;
    for (std::uint32_t share = 1; share < here.limits.leaves; ++share) {
        Pair pair = sides_of(depth, cut, Limits{below, share},
                             Limits{below, here.limits.leaves - share});
        const bool is_enough = find_goals(depth, cut, pair, here.bound, here.bound);
        if (has_ended()) return;
        if (!is_enough) {
            throw std::logic_error("the search found a bound that is not true");
        }
        write_pair(depth, cut, pair, here.bound);
    }
    here.cuts[index].is_settled = true;
}

template <class Sum>
std::uint32_t ClaimWriter<Sum>::kind_of(std::size_t depth, const Cut& cut,
                                        const Side& side) {
    if (side.goal <= side.known) return none_needed;
    if (side.goal <= side.scanned) return scan_again;
    const RowHash& rows =
        solver_.branching.level_at(depth).partition.hash(side.is_yes != cut.is_turned);
    return finished_.find(rows, side.limits, side.goal) ? reference : own_claim;
}

/// Write the evidence for both sides of a cut, after their kinds.
template <class Sum>
void ClaimWriter<Sum>::write_pair(std::size_t depth, const Cut& cut, Pair& pair,
                                  Cost bound) {
    const std::uint32_t yes = kind_of(depth, cut, pair.yes),
                        no = kind_of(depth, cut, pair.no);
    bytes_.add(4 * yes + no);
    const Cost shown = write_side(depth, cut, pair.yes, bound - pair.no.simple, yes);
    if (has_ended()) return;
    write_side(depth, cut, pair.no, bound - shown, no);
}

/// Write the evidence for one side; returns the bound that it shows.
template <class Sum>
Cost ClaimWriter<Sum>::write_side(std::size_t depth, const Cut& cut, const Side& side,
                                  Cost needed, std::uint32_t kind) {
    if (kind == none_needed) return side.simple;
    if (kind == scan_again) return side.scanned;
    auto& level = solver_.branching.level_at(depth);
    const RowHash rows = level.partition.hash(side.is_yes != cut.is_turned);
    if (kind == reference) {
        const auto known = finished_.find(rows, side.limits, side.goal);
        bytes_.add(n_begun_ - known->number);
        return known->bound;
    }
    bytes_.add_signed(side.goal - needed);
    Frame& here = frame(depth);
    frame(depth + 1).groups = side.is_yes ? here.yes_groups : here.no_groups;
    auto& below = solver_.branching.level_at(depth + 1);
    const bool is_yes = side.is_yes != cut.is_turned;
    level.partition.build(solver_.builder, level.node, is_yes, below.node);
    below.place = {level.node.splits.names[cut.at], is_yes};
    claim(depth + 1, rows, side.limits, side.goal);
    return side.goal;
}

template class ClaimWriter<std::int32_t>;
template class ClaimWriter<std::int64_t>;

}  // namespace ostrya::certificate
