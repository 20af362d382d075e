#include "top_k/impurity.hpp"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <limits>

namespace ostrya {
namespace {

/// The squares of the class masses over their sum: the mass less its Gini impurity.
/// `mass_of(label)` is what a class weighs in the set.
template <class MassOf>
double gini_purity(std::uint32_t n_labels, const MassOf& mass_of) {
    double sum = 0, squares = 0;
    for (std::uint32_t label = 0; label < n_labels; ++label) {
        const auto mass = static_cast<double>(mass_of(label));
        sum += mass;
        squares += mass * mass;
    }
    return sum > 0 ? squares / sum : 0;
}

/// Masses up to here are looked up: a table of 2 MiB at most.
constexpr std::int64_t table_size = std::int64_t{1} << 18;

constexpr double units = 4294967296.0;  // 2^32

/// The nearest integer, by letting the fraction fall off the end of the mantissa: a
/// plain addition, which compilers turn into vectors.
inline double rounded(double x) {
    constexpr double shift = 6755399441055744.0;  // 1.5 * 2^52
    return (x + shift) - shift;
}

inline double part(double mass) {
    return mass > 0 ? mass * std::log2(mass) : 0;
}

std::int64_t mass_of_all(const Problem& problem) {
    const SumLayout& layout = problem.layout;
    std::int64_t mass = 0;
    for (std::size_t group = 0; group < problem.n_groups; ++group) {
        const Weight* sums =
            problem.sums.data() + group * layout.size() + layout.mass_slot();
        for (std::uint32_t label = 0; label < layout.n_labels; ++label) {
            mass += sums[label];
        }
    }
    return mass;
}

}  // namespace

template <class Sum>
Impurity<Sum>::Impurity(const TopK& top_k, const Problem& problem, MemoryBudget& memory)
    : criterion_(top_k.criterion),
      own_(top_k.own),
      parts_(memory),
      yes_(memory),
      left_(memory),
      shares_(memory),
      impurities_(memory) {
    assert((criterion_ == SplitCriterion::own) == static_cast<bool>(own_));
    if (criterion_ != SplitCriterion::entropy) return;
    // The masses of all labels are at most 2^60 (`Request::is_on_grid`) where they
    // weigh rows; where they are gains, `TopKTrees` has checked that their sum fits.
    // `fits_narrow_sums` has checked both for 32 bits.
    const std::int64_t largest = mass_of_all(problem);
    assert(0 <= largest && largest <= std::numeric_limits<Sum>::max() / 2);
    parts_.resize(static_cast<std::size_t>(std::min(largest, table_size)) + 1);
    for (std::size_t mass = 0; mass < parts_.size(); ++mass) {
        parts_[mass] = part(static_cast<double>(mass));
    }
}

template <class Sum>
void Impurity<Sum>::score(const SideMasses<Sum>& side, Vector<double>& scores) {
    mass_ = 0;
    yes_.assign(side.n, 0);
    for (std::uint32_t label = 0; label < side.n_labels; ++label) {
        mass_ += static_cast<double>(side.total[label]);
        const Sum* yes = side.masses + label * side.stride;
        for (std::size_t j = 0; j < side.n; ++j) {
            yes_[j] += static_cast<double>(yes[j]);
        }
    }
    left_.assign(side.n, 0);
    switch (criterion_) {
        case SplitCriterion::entropy:
            entropy(side);
            break;
        case SplitCriterion::gini:
            gini(side);
            break;
        case SplitCriterion::square_root:
            square_root(side);
            break;
        case SplitCriterion::own:
            own(side);
            break;
    }
    scores.resize(side.n);
    const double scale = units / mass_;
    for (std::size_t j = 0; j < side.n; ++j) {
        const auto yes = yes_[j];
        const bool parts = (yes > 0) & (yes < mass_);
        scores[j] = parts ? rounded(left_[j] * scale) : no_score;
    }
}

template <class Sum>
double Impurity<Sum>::of_side(const Sum* masses, std::uint32_t n_labels) {
    Sum mass = 0;
    for (std::uint32_t label = 0; label < n_labels; ++label) mass += masses[label];
    const auto n = static_cast<double>(mass);
    if (mass == 0) return 0;
    double left = 0;
    if (criterion_ == SplitCriterion::entropy) {
        const bool is_listed = static_cast<std::size_t>(mass) < parts_.size();
        const auto part_of = [&](Sum m) {
            return is_listed ? parts_[static_cast<std::size_t>(m)]
                             : part(static_cast<double>(m));
        };
        left = part_of(mass);
        for (std::uint32_t label = 0; label < n_labels; ++label) {
            left -= part_of(masses[label]);
        }
        return left;
    }
    if (criterion_ == SplitCriterion::gini) {
        return n - gini_purity(n_labels, [&](std::uint32_t at) { return masses[at]; });
    }
    if (criterion_ == SplitCriterion::own) {
        shares_.resize(n_labels);
        for (std::uint32_t label = 0; label < n_labels; ++label) {
            shares_[label] = static_cast<double>(masses[label]) / n;
        }
        own_(shares_.data(), 1, n_labels, &left);
        return n * left;
    }
    for (std::uint32_t label = 0; label < n_labels; ++label) {
        const auto m = static_cast<double>(masses[label]);
        left += std::sqrt(m * (n - m));
    }
    return left;
}

/// One unit less than the score itself: far more than floats can be off.
template <class Sum>
double Impurity<Sum>::least_score(double impurity, double mass) {
    return impurity * (units / mass) - 1;
}

/// n log n of each side less m log m of each class in it.
template <class Sum>
void Impurity<Sum>::entropy(const SideMasses<Sum>& side) {
    if (static_cast<std::size_t>(mass_) < parts_.size()) {
        const double* parts = parts_.data();
        add_entropy(side, [parts](Sum mass) { return parts[mass]; });
    } else {
        add_entropy(side, [](Sum mass) { return part(static_cast<double>(mass)); });
    }
}

template <class Sum>
template <class Part>
void Impurity<Sum>::add_entropy(const SideMasses<Sum>& side, const Part& part_of) {
    for (std::uint32_t label = 0; label < side.n_labels; ++label) {
        const Sum* yes = side.masses + label * side.stride;
        const Sum total = side.total[label];
        for (std::size_t j = 0; j < side.n; ++j) {
            left_[j] -= part_of(yes[j]) + part_of(total - yes[j]);
        }
    }
    const auto mass = static_cast<Sum>(mass_);
    for (std::size_t j = 0; j < side.n; ++j) {
        const auto yes = static_cast<Sum>(yes_[j]);
        left_[j] += part_of(yes) + part_of(mass - yes);
    }
}

/// n less the squares of the classes over n, for each side.
template <class Sum>
void Impurity<Sum>::gini(const SideMasses<Sum>& side) {
    for (std::uint32_t label = 0; label < side.n_labels; ++label) {
        const Sum* yes = side.masses + label * side.stride;
        const auto total = static_cast<double>(side.total[label]);
        for (std::size_t j = 0; j < side.n; ++j) {
            const auto mass = static_cast<double>(yes[j]);
            const double rest = total - mass;
            const double n_yes = std::max(yes_[j], 1.0);
            const double n_no = std::max(mass_ - yes_[j], 1.0);
            left_[j] += mass * (yes_[j] - mass) / n_yes +
                        rest * (mass_ - yes_[j] - rest) / n_no;
        }
    }
}

template <class Sum>
void Impurity<Sum>::square_root(const SideMasses<Sum>& side) {
    for (std::uint32_t label = 0; label < side.n_labels; ++label) {
        const Sum* yes = side.masses + label * side.stride;
        const auto total = static_cast<double>(side.total[label]);
        for (std::size_t j = 0; j < side.n; ++j) {
            const auto mass = static_cast<double>(yes[j]);
            const double rest = total - mass;
            left_[j] += std::sqrt(mass * (yes_[j] - mass)) +
                        std::sqrt(rest * (mass_ - yes_[j] - rest));
        }
    }
}

/// Both sides of all splits in one call: first the yes sides, then the no sides. A side
/// without rows counts as one of the first class.
template <class Sum>
void Impurity<Sum>::own(const SideMasses<Sum>& side) {
    const std::size_t n_labels = side.n_labels;
    shares_.assign(2 * side.n * n_labels, 0);
    impurities_.assign(2 * side.n, 0);
    for (std::size_t j = 0; j < side.n; ++j) {
        double* yes = shares_.data() + j * n_labels;
        double* no = yes + side.n * n_labels;
        const double n_yes = yes_[j], n_no = mass_ - n_yes;
        if (n_yes == 0) yes[0] = 1;
        if (n_no == 0) no[0] = 1;
        for (std::size_t label = 0; label < n_labels; ++label) {
            const Sum mass = side.masses[label * side.stride + j];
            if (n_yes > 0) yes[label] = static_cast<double>(mass) / n_yes;
            const auto rest = static_cast<double>(side.total[label] - mass);
            if (n_no > 0) no[label] = rest / n_no;
        }
    }
    own_(shares_.data(), 2 * side.n, side.n_labels, impurities_.data());
    for (std::size_t j = 0; j < side.n; ++j) {
        left_[j] =
            yes_[j] * impurities_[j] + (mass_ - yes_[j]) * impurities_[side.n + j];
    }
}

template class Impurity<std::int32_t>;
template class Impurity<std::int64_t>;

}  // namespace ostrya
