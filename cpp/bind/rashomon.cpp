#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/variant.h>
#include <nanobind/stl/vector.h>

#include <string_view>
#include <unordered_map>

#include "bind/functions.hpp"
#include "bind/handed_over.hpp"
#include "bind/resident_memory.hpp"
#include "bind/translate.hpp"
#include "bind/watcher.hpp"
#include "data/stop_check.hpp"
#include "rashomon/tree_set.hpp"

namespace ostrya {
namespace {

using Words = std::vector<std::uint32_t>;
using Kinds = std::vector<std::tuple<Cost, std::uint32_t, Words>>;
using Shares = nb::ndarray<const double, nb::ndim<1>, nb::c_contig, nb::device::cpu>;
using Averages = nb::ndarray<nb::numpy, double, nb::ndim<2>, nb::c_contig>;

/// What Python keeps of an enumeration: all trees within a threshold.
class RashomonTrees {
public:
    RashomonTrees(const Rows& values, const ClassCodes& codes, const Weights& weights,
                  const Costs& costs, Cost scale, Cost penalty,
                  const values::Limits& limits, Cost optimum, Cost most,
                  bool allows_equal_siblings, const values::AllocationTrouble& trouble,
                  Question is_interrupted)
        : problem_(memory_), allows_equal_siblings_(allows_equal_siblings) {
        Request request =
            request_to_count({values, codes, weights, costs, {scale, penalty}}, limits);
        StopSign stop(limits.time_limit);
        Progress progress;
        Watcher watcher(stop, progress, {}, std::move(is_interrupted));
        watcher.look();
        plan_trouble(memory_, trouble);
        {
            const nb::gil_scoped_release unlocked;
            stop.look_now_and_then([&] { watcher.look(); });
            set_search_limit(memory_, limits.memory_limit);
            const StopCheck is_stopped = [&] {
                return is_out_of_limits(memory_, stop);
            };
            try {
                problem_ = build_problem(request, memory_, is_stopped);
                if (problem_.is_complete) {
                    aliases_ = rashomon::merge_questions(problem_);
                    count(optimum, {most, allows_equal_siblings}, stop);
                }
            } catch (const std::bad_alloc&) {
                stop.memory_is_out();
            }
            if (set_) kinds_ = set_->kinds();
        }
        watcher.raise_kept_error();
        const bool is_complete = set_ && set_->complete_to() >= most;
        if (!is_complete) status_ = name_of(stop.reason());
        seconds_ = stop.watch.seconds();
    }
    RashomonTrees(const RashomonTrees&) = delete;
    RashomonTrees& operator=(const RashomonTrees&) = delete;

    const std::string& status() const { return status_; }
    std::optional<Cost> complete_to() const {
        if (!set_ || set_->complete_to() < 0) return {};
        return set_->complete_to();
    }
    Kinds kinds() const { return listed(kinds_); }
    /// Trees that ask about none of these features and cost at most `most`; nothing if
    /// stopped.
    std::optional<Kinds> kinds_without(const std::vector<std::uint32_t>& features,
                                       Cost most, std::optional<double> time_limit,
                                       Question is_interrupted) {
        StopSign stop(time_limit);
        Progress progress;
        Watcher watcher(stop, progress, {}, std::move(is_interrupted));
        std::optional<Kinds> out;
        {
            const nb::gil_scoped_release unlocked;
            stop.look_now_and_then([&] { watcher.look(); });
            Problem part = problem_;
            std::erase_if(part.splits, [&](const SplitColumn& column) {
                return std::count(features.begin(), features.end(), column.feature) > 0;
            });
            const rashomon::Request request{most, allows_equal_siblings_};
            std::unique_ptr<rashomon::TreeSet> set;
            bool is_done = false;
            repeat_for_size(part, request, stop, set,
                            [&] { is_done = set->count_to(most); });
            if (is_done) out = listed(set->kinds());
        }
        watcher.raise_kept_error();
        return out;
    }
    std::vector<std::tuple<std::uint32_t, double, std::uint32_t, double, bool>>
    aliases() const {
        std::vector<std::tuple<std::uint32_t, double, std::uint32_t, double, bool>> out;
        for (const rashomon::Alias& alias : aliases_) {
            out.emplace_back(alias.dropped.feature, alias.dropped.threshold,
                             alias.kept.feature, alias.kept.threshold, alias.is_turned);
        }
        return out;
    }
    auto tree(Cost cost, std::uint32_t leaves, const Words& place) {
        const rashomon::ListedTree tree = set_->tree(cost, leaves, place);
        return std::make_tuple(tree.column, tree.cut, tree.yes, tree.no);
    }
    /// The feature of each column of splits, and the thresholds of its cuts.
    std::vector<std::tuple<std::uint32_t, std::vector<double>>> columns() const {
        std::vector<std::tuple<std::uint32_t, std::vector<double>>> out;
        for (std::uint32_t column = 0; column < problem_.splits.size(); ++column) {
            std::vector<double> thresholds;
            const SplitColumn& from = problem_.splits[column];
            for (std::uint32_t cut = 0; cut < from.cuts.size(); ++cut) {
                thresholds.push_back(
                    rashomon::question_of(problem_, {column, cut}).threshold);
            }
            out.emplace_back(from.feature, std::move(thresholds));
        }
        return out;
    }
    /// What trees predict of rows on average. `ranks` as of `rashomon::NewRows`; with
    /// ranks, class codes and weights of the training rows, leaves predict the shares
    /// of the classes, else their labels.
    std::optional<Averages> predict(const RankedColumns& ranks,
                                    const std::optional<RankedColumns>& training,
                                    const ClassCodes& codes, const Shares& weights,
                                    Question is_interrupted) {
        StopSign stop{std::optional<double>()};
        Progress progress;
        Watcher watcher(stop, progress, {}, std::move(is_interrupted));
        std::vector<double> found;
        {
            const nb::gil_scoped_release unlocked;
            stop.look_now_and_then([&] { watcher.look(); });
            std::vector<double> masses;
            if (training) masses = masses_of(*training, codes, weights);
            const rashomon::NewRows rows{
                {ranks.data(), ranks.size()}, ranks.shape(0), masses};
            found = set_->predict(rows, [&] { return stop.is_up(); });
        }
        watcher.raise_kept_error();
        const std::size_t n_labels = problem_.layout.n_labels;
        if (found.size() != ranks.shape(0) * n_labels) return {};
        auto numbers = std::make_unique<double[]>(found.size());
        std::copy(found.begin(), found.end(), numbers.get());
        return handed_over<Averages>(std::move(numbers), {ranks.shape(0), n_labels});
    }
    std::size_t n_row_sets() const { return set_ ? set_->n_row_sets() : 0; }
    std::uint64_t peak_memory() const { return memory_.peak(); }
    double seconds() const { return seconds_; }

private:
    /// What each class weighs in each group of equal training rows.
    std::vector<double> masses_of(const RankedColumns& training,
                                  const ClassCodes& codes,
                                  const Shares& weights) const {
        const std::size_t n_columns = problem_.splits.size();
        std::unordered_map<std::string_view, std::size_t> group_of;
        std::vector<std::uint32_t> ranks(problem_.n_groups * n_columns);
        for (std::size_t column = 0; column < n_columns; ++column) {
            problem_.splits[column].ranks.visit([&](const auto its) {
                for (std::size_t group = 0; group < problem_.n_groups; ++group) {
                    ranks[group * n_columns + column] = its[group];
                }
            });
        }
        const auto bytes = [n_columns](const std::uint32_t* row) {
            return std::string_view(reinterpret_cast<const char*>(row),
                                    n_columns * sizeof *row);
        };
        for (std::size_t group = 0; group < problem_.n_groups; ++group) {
            group_of.emplace(bytes(ranks.data() + group * n_columns), group);
        }
        const std::size_t n_labels = problem_.layout.n_labels;
        std::vector<double> masses(problem_.n_groups * n_labels, 0.0);
        for (std::size_t row = 0; row < training.shape(0); ++row) {
            const std::size_t group =
                group_of.at(bytes(training.data() + row * n_columns));
            masses[group * n_labels + static_cast<std::size_t>(codes.data()[row])] +=
                weights.data()[row];
        }
        return masses;
    }

    static std::string name_of(std::optional<Status> reason) {
        if (reason == Status::time_limit) return "time_limit";
        if (reason == Status::memory_limit) return "memory_limit";
        return "interrupted";
    }

    /// Where it may take long, a part of the trees is counted first: what is there when
    /// a limit ends the count is complete up to some cost.
    void count(Cost optimum, const rashomon::Request& request, StopSign& stop) {
        constexpr double moment = 0.02;
        repeat_for_size(problem_, request, stop, set_, [&] {
            const Cost slack = request.most - optimum;
            bool goes_on = set_->count_to(optimum);
            for (const Cost share : {64, 16, 4}) {
                if (!goes_on || stop.watch.seconds() < moment) break;
                goes_on = set_->count_to(optimum + slack / share);
            }
            if (goes_on) set_->count_to(request.most);
        });
    }

    /// Count with the narrowest numbers that hold all counts.
    template <class Step>
    void repeat_for_size(const Problem& problem, const rashomon::Request& request,
                         StopSign& stop, std::unique_ptr<rashomon::TreeSet>& set,
                         const Step& step) {
        for (const int bits : {64, 128, 0}) {
            set.reset();
            set = rashomon::make_tree_set(problem, request, bits, stop, memory_);
            try {
                return step();
            } catch (const rashomon::CountOverflow&) {
            }
        }
    }

    static Kinds listed(const std::vector<rashomon::Kind>& kinds) {
        Kinds out;
        for (const rashomon::Kind& kind : kinds) {
            out.emplace_back(kind.cost, kind.leaves, kind.count);
        }
        return out;
    }

    MemoryBudget memory_;
    Problem problem_;
    std::unique_ptr<rashomon::TreeSet> set_;
    std::vector<rashomon::Alias> aliases_;
    std::vector<rashomon::Kind> kinds_;
    std::string status_ = "complete";
    bool allows_equal_siblings_ = true;
    double seconds_ = 0;
};

}  // namespace

void add_rashomon(nb::module_& module) {
    nb::class_<RashomonTrees>(module, "RashomonTrees")
        .def(nb::init<const Rows&, const ClassCodes&, const Weights&, const Costs&,
                      Cost, Cost, const values::Limits&, Cost, Cost, bool,
                      const values::AllocationTrouble&, Question>(),
             nb::arg("X"), nb::arg("codes"), nb::arg("weights"), nb::arg("costs"),
             nb::arg("scale"), nb::arg("penalty"), nb::arg("limits"),
             nb::arg("optimum"), nb::arg("most"), nb::arg("allows_equal_siblings"),
             nb::arg("trouble") = values::AllocationTrouble(),
             nb::arg("is_interrupted") = nb::none())
        .def_prop_ro("status", &RashomonTrees::status)
        .def_prop_ro("complete_to", &RashomonTrees::complete_to)
        .def_prop_ro("kinds", &RashomonTrees::kinds)
        .def("kinds_without", &RashomonTrees::kinds_without, nb::arg("features"),
             nb::arg("most"), nb::arg("time_limit") = nb::none(),
             nb::arg("is_interrupted") = nb::none())
        .def_prop_ro("aliases", &RashomonTrees::aliases)
        .def_prop_ro("n_row_sets", &RashomonTrees::n_row_sets)
        .def_prop_ro("peak_memory", &RashomonTrees::peak_memory)
        .def_prop_ro("seconds", &RashomonTrees::seconds)
        .def_prop_ro("columns", &RashomonTrees::columns)
        .def("predict", &RashomonTrees::predict, nb::arg("ranks"),
             nb::arg("training").none(), nb::arg("codes"), nb::arg("weights"),
             nb::arg("is_interrupted") = nb::none())
        .def("tree", &RashomonTrees::tree, nb::arg("cost"), nb::arg("leaves"),
             nb::arg("place"));
}

}  // namespace ostrya
