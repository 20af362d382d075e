#include "rashomon/tree_set.hpp"

#include "rashomon/prediction.hpp"
#include "rashomon/unranking.hpp"
#include "search/narrow_sums.hpp"

namespace ostrya::rashomon {
namespace {

template <class Sum, class Count>
class CountedSet final : public TreeSet {
public:
    CountedSet(const Problem& problem, const Request& request, StopSign& stop,
               MemoryBudget& memory)
        : problem_(problem),
          trees_(problem, request, stop, memory),
          unranking_(trees_),
          later_(std::optional<double>()) {}

    bool count_to(Cost most) override { return trees_.count_to(most); }
    Cost complete_to() const override { return trees_.complete_to(); }
    std::size_t n_row_sets() const override { return trees_.records().size(); }

    std::vector<Kind> kinds() override {
        std::vector<Kind> out;
        if (complete_to() < 0) return out;
        for (const auto& bucket : trees_.records()[trees_.root].buckets) {
            const Cost cost = problem_.scale.cost(bucket.loss, bucket.leaves) + base();
            out.push_back({cost, bucket.leaves, words_of(bucket.count)});
        }
        std::sort(out.begin(), out.end(), [](const Kind& a, const Kind& b) {
            return a.cost != b.cost ? a.cost < b.cost : a.leaves < b.leaves;
        });
        return out;
    }

    ListedTree tree(Cost cost, std::uint32_t leaves,
                    const std::vector<std::uint32_t>& place) override {
        heed_later();
        const Weight loss =
            (cost - base() - problem_.scale.penalty * leaves) / problem_.scale.factor;
        return unranking_.tree(leaves, loss, count_of<Count>(place));
    }

    std::vector<double> predict(const NewRows& rows,
                                const std::function<bool()>& is_stopped) override {
        heed_later();
        return Prediction<Sum, Count>(trees_, rows, is_stopped).run();
    }

private:
    Cost base() const { return problem_.scale.factor * problem_.base; }
    /// The limits were those of the enumeration: no tree that was counted is refused.
    void heed_later() { trees_.costs().scanner.heed(later_); }

    const Problem& problem_;
    Enumeration<Sum, Count> trees_;
    Unranking<Sum, Count> unranking_;
    StopSign later_;
};

template <class Sum>
std::unique_ptr<TreeSet> set_of(const Problem& problem, const Request& request,
                                int bits, StopSign& stop, MemoryBudget& memory) {
    if (bits == 64) {
        return std::make_unique<CountedSet<Sum, std::uint64_t>>(problem, request, stop,
                                                                memory);
    }
    if (bits == 128) {
        return std::make_unique<CountedSet<Sum, Wide>>(problem, request, stop, memory);
    }
    return std::make_unique<CountedSet<Sum, Natural>>(problem, request, stop, memory);
}

}  // namespace

std::unique_ptr<TreeSet> make_tree_set(const Problem& problem, const Request& request,
                                       int bits, StopSign& stop, MemoryBudget& memory) {
    return fits_narrow_sums(problem)
               ? set_of<std::int32_t>(problem, request, bits, stop, memory)
               : set_of<std::int64_t>(problem, request, bits, stop, memory);
}

}  // namespace ostrya::rashomon
