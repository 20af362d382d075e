#include "rashomon/prediction.hpp"

#include <algorithm>

#include "rashomon/unranking.hpp"

namespace ostrya::rashomon {
namespace {

/// Ratios of counts of any size: products of two of them fit.
template <class Count>
long double as_real(const Count& count) {
    if constexpr (std::is_same_v<Count, Natural>) {
        long double out = 0;
        for (auto word = count.words().rbegin(); word != count.words().rend(); ++word) {
            out = out * 4294967296.0L + *word;
        }
        return out;
    } else {
        return static_cast<long double>(count);
    }
}

}  // namespace

template <class Sum, class Count>
Prediction<Sum, Count>::Prediction(Enumeration<Sum, Count>& trees, const NewRows& rows,
                                   const std::function<bool()>& is_stopped)
    : trees_(trees), problem_(trees.problem()), rows_(rows), is_stopped_(is_stopped) {
    // Larger row sets first: whatever is below a row set has fewer rows.
    std::vector<std::uint32_t> waiting{trees_.root};
    std::vector<bool> is_listed(trees_.records().size(), false);
    is_listed[trees_.root] = true;
    while (!waiting.empty()) {
        const std::uint32_t number = waiting.back();
        waiting.pop_back();
        order_.push_back(number);
        for (const Branch& branch : trees_.records()[number].branches) {
            for (const std::uint32_t below : {branch.yes, branch.no}) {
                if (is_listed[below]) continue;
                is_listed[below] = true;
                waiting.push_back(below);
            }
        }
    }
    std::stable_sort(order_.begin(), order_.end(),
                     [&](std::uint32_t a, std::uint32_t b) {
                         return trees_.records()[a].n_rows > trees_.records()[b].n_rows;
                     });
}

template <class Sum, class Count>
std::vector<double> Prediction<Sum, Count>::run() {
    out_.assign(rows_.n_rows * problem_.layout.n_labels, 0.0);
    for (std::size_t first = 0; first < rows_.n_rows; first += block) {
        if (!run_block(first)) return {};
    }
    return std::move(out_);
}

template <class Sum, class Count>
bool Prediction<Sum, Count>::run_block(std::size_t first) {
    first_ = first;
    n_ = std::min(block, rows_.n_rows - first);
    reached_.clear();
    const Record<Count>& root = trees_.records()[trees_.root];
    long double all = 0;
    for (const Bucket<Count>& bucket : root.buckets) all += as_real(bucket.count);
    Shares shares(root.buckets.size() * n_, 0.0);
    for (std::size_t kind = 0; kind < root.buckets.size(); ++kind) {
        const auto share = static_cast<double>(as_real(root.buckets[kind].count) / all);
        std::fill_n(shares.begin() + static_cast<std::ptrdiff_t>(kind * n_), n_, share);
    }
    reached_.emplace(std::uint32_t{trees_.root},
                     Reached{trees_.costs().level(0).rows, std::move(shares)});
    for (const std::uint32_t number : order_) {
        const auto at = reached_.find(number);
        if (at == reached_.end()) continue;
        if (is_stopped_()) return false;
        const Reached here = std::move(at->second);
        reached_.erase(at);
        go_down(number, here);
    }
    return true;
}

/// For each row of the block the number of these cuts to which it answers yes; false if
/// there is no row.
template <class Sum, class Count>
bool Prediction<Sum, Count>::count_yes(std::uint32_t column, std::uint32_t first_cut,
                                       std::uint32_t n_cuts,
                                       std::uint32_t* n_yes) const {
    for (std::size_t row = 0; row < n_; ++row) {
        const std::uint32_t rank =
            rows_.ranks[(first_ + row) * problem_.splits.size() + column];
        const std::uint32_t end = first_cut + n_cuts;
        n_yes[row] = rank >= end ? 0 : std::min(n_cuts, end - rank);
    }
    return n_ > 0;
}

template <class Sum, class Count>
void Prediction<Sum, Count>::pass_on(Kinds whole, const Shares& shares, Kinds yes,
                                     Kinds no, bool joins_leaves,
                                     const std::uint32_t* n_yes, std::uint32_t n_cuts,
                                     Shares& to_yes, Shares& to_no) const {
    for (std::size_t a = 0; a < yes.size(); ++a) {
        std::size_t at = 0;
        for (std::size_t b = 0; b < no.size(); ++b) {
            const std::uint32_t leaves = yes[a].leaves + no[b].leaves;
            const Weight loss = yes[a].loss + no[b].loss;
            if (leaves == 2 && !joins_leaves) continue;
            const auto is_before = [&](const Bucket<Count>& kind) {
                return kind.leaves != leaves ? kind.leaves < leaves : kind.loss < loss;
            };
            // Kinds of the no side come in order, and so do those they are part of.
            while (at < whole.size() && is_before(whole[at])) ++at;
            if (at == whole.size()) break;
            if (whole[at].leaves != leaves || whole[at].loss != loss) continue;
            const auto part =
                static_cast<double>(as_real(yes[a].count) * as_real(no[b].count) /
                                    as_real(whole[at].count));
            for (std::size_t row = 0; row < n_; ++row) {
                const double share = shares[at * n_ + row] * part;
                to_yes[a * n_ + row] += share * n_yes[row];
                to_no[b * n_ + row] += share * (n_cuts - n_yes[row]);
            }
        }
    }
}

template <class Sum, class Count>
typename Prediction<Sum, Count>::Reached& Prediction<Sum, Count>::reach(
    std::uint32_t number, const Rows& parent, const Branch& branch, bool yes) {
    const auto at = reached_.find(number);
    if (at != reached_.end()) return at->second;
    Rows rows = rows_beside(problem_, parent, branch.column, branch.first_cut, yes);
    Shares shares(trees_.records()[number].buckets.size() * n_, 0.0);
    return reached_.emplace(number, Reached{std::move(rows), std::move(shares)})
        .first->second;
}

template <class Sum, class Count>
void Prediction<Sum, Count>::go_down(std::uint32_t number, const Reached& here) {
    if (std::all_of(here.shares.begin(), here.shares.end(),
                    [](double share) { return share == 0; })) {
        return;
    }
    const Record<Count>& record = trees_.records()[number];
    if (!record.buckets.empty() && record.buckets[0].leaves == 1) {
        add_leaf(here.rows, here.shares.data());
    }
    if (record.shape == Shape::pairs) return go_down_pairs(number, here);
    std::uint32_t n_yes[block];
    for (const Branch& branch : record.branches) {
        count_yes(branch.column, branch.first_cut, branch.n_cuts, n_yes);
        const Record<Count>&yes = trees_.records()[branch.yes],
              &no = trees_.records()[branch.no];
        Reached& to_yes = reach(branch.yes, here.rows, branch, true);
        Reached& to_no = reach(branch.no, here.rows, branch, false);
        const bool joins_leaves =
            trees_.allows_equal_siblings() || yes.label != no.label;
        pass_on(record.buckets, here.shares, yes.buckets, no.buckets, joins_leaves,
                n_yes, branch.n_cuts, to_yes.shares, to_no.shares);
    }
}

template <class Sum, class Count>
void Prediction<Sum, Count>::go_down_pairs(std::uint32_t number, const Reached& here) {
    const Record<Count>& record = trees_.records()[number];
    std::uint32_t n_yes[block];
    for (const FirstQuestion<Count>& first :
         list_last_levels(trees_, number, here.rows)) {
        count_yes(first.column, first.first_cut, first.n_cuts, n_yes);
        Shares yes(first.yes.size() * n_, 0.0), no(first.no.size() * n_, 0.0);
        pass_on(record.buckets, here.shares, first.yes, first.no, first.joins_leaves,
                n_yes, first.n_cuts, yes, no);
        for (const bool side : {true, false}) {
            const Rows rows =
                rows_beside(problem_, here.rows, first.column, first.first_cut, side);
            const Shares& shares = side ? yes : no;
            add_leaf(rows, shares.data());
            add_two(rows, side ? first.yes_two : first.no_two,
                    side ? first.yes : first.no, shares);
        }
    }
}

/// Trees of two leaves: each question of a kind has the same share.
template <class Sum, class Count>
void Prediction<Sum, Count>::add_two(const Rows& rows,
                                     const std::vector<SecondQuestion>& seconds,
                                     std::span<const Bucket<Count>> kinds,
                                     const Shares& shares) {
    std::uint32_t n_yes[block];
    double to_yes[block], to_no[block];
    for (const SecondQuestion& second : seconds) {
        const auto kind = std::lower_bound(
            kinds.begin() + 1, kinds.end(), second.loss,
            [](const Bucket<Count>& a, Weight loss) { return a.loss < loss; });
        const double* its =
            shares.data() + static_cast<std::size_t>(kind - kinds.begin()) * n_;
        if (std::all_of(its, its + n_, [](double share) { return share == 0; })) {
            continue;
        }
        const auto each = static_cast<double>(1 / as_real(kind->count));
        count_yes(second.column, second.first_cut, second.n_cuts, n_yes);
        for (std::size_t row = 0; row < n_; ++row) {
            to_yes[row] = its[row] * each * n_yes[row];
            to_no[row] = its[row] * each * (second.n_cuts - n_yes[row]);
        }
        add_leaf(rows_beside(problem_, rows, second.column, second.first_cut, true),
                 to_yes);
        add_leaf(rows_beside(problem_, rows, second.column, second.first_cut, false),
                 to_no);
    }
}

/// Add what a leaf with these training rows predicts, to each row of the block by its
/// share.
template <class Sum, class Count>
void Prediction<Sum, Count>::add_leaf(const Rows& rows, const double* shares) {
    if (std::all_of(shares, shares + n_, [](double share) { return share == 0; })) {
        return;
    }
    const std::uint32_t n_labels = problem_.layout.n_labels;
    const std::uint32_t slots = problem_.layout.size();
    std::vector<double> predicted(n_labels, 0.0);
    if (rows_.masses.empty()) {
        std::vector<Weight> gains(n_labels, 0);
        for (const std::uint32_t row : rows) {
            for (std::uint32_t label = 0; label < n_labels; ++label) {
                gains[label] += problem_.sums[std::size_t{row} * slots + label];
            }
        }
        const auto best = std::max_element(gains.begin(), gains.end()) - gains.begin();
        predicted[static_cast<std::size_t>(best)] = 1.0;
    } else {
        double all = 0;
        for (const std::uint32_t row : rows) {
            for (std::uint32_t label = 0; label < n_labels; ++label) {
                const double mass = rows_.masses[std::size_t{row} * n_labels + label];
                predicted[label] += mass;
                all += mass;
            }
        }
        for (double& share : predicted) share /= all;
    }
    for (std::size_t row = 0; row < n_; ++row) {
        double* out = out_.data() + (first_ + row) * n_labels;
        for (std::uint32_t label = 0; label < n_labels; ++label) {
            out[label] += shares[row] * predicted[label];
        }
    }
}

template class Prediction<std::int32_t, std::uint64_t>;
template class Prediction<std::int32_t, Wide>;
template class Prediction<std::int32_t, Natural>;
template class Prediction<std::int64_t, std::uint64_t>;
template class Prediction<std::int64_t, Wide>;
template class Prediction<std::int64_t, Natural>;

}  // namespace ostrya::rashomon
