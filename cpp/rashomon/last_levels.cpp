#include "rashomon/last_levels.hpp"

namespace ostrya::rashomon {
namespace {

template <class Question>
bool stands_before(const Question& a, const Question& b) {
    return a.column != b.column ? a.column < b.column : a.first_cut < b.first_cut;
}

}  // namespace

template <class Sum, class Count>
std::vector<FirstQuestion<Count>> list_last_levels(Enumeration<Sum, Count>& trees,
                                                   std::uint32_t number,
                                                   const Vector<std::uint32_t>& rows) {
    const Record<Count>& record = trees.records()[number];
    Scanner<Sum>& scanner = trees.costs().scanner;
    Level<Sum>& level = trees.spare_level();
    scanner.build_rows(trees.costs().level(0), rows, level);
    scanner.scan_singles(level);
    scanner.name_questions(level);
    const NodeSplits<Sum>& splits = level.node.splits;
    const std::uint32_t width = splits.width;
    const Scope scope = trees.scope(record.scope);
    const Weight two_most = scope.largest_loss(2), three_most = scope.largest_loss(3),
                 four_most = scope.largest_loss(4);
    std::vector<FirstQuestion<Count>> out;
    const auto start = [&](std::uint32_t split) -> FirstQuestion<Count>& {
        FirstQuestion<Count> first;
        first.column = splits.names[split].column;
        first.first_cut = level.first_cut[split];
        first.n_cuts = level.n_cuts[split];
        first.yes.push_back({level.yes_leaf[split], 1, Count{1}});
        first.no.push_back({level.no_leaf[split], 1, Count{1}});
        first.joins_leaves = trees.allows_equal_siblings() ||
                             level.yes_label[split] != level.no_label[split];
        return out.emplace_back(std::move(first));
    };
    const auto is_split = [&](std::uint32_t split) {
        return splits.is_split[split] != 0;
    };
    if (record.n_levels == 1) {
        for (std::uint32_t split = 0; split < width; ++split) {
            if (!is_split(split)) continue;
            if (Weight{level.yes_leaf[split]} + level.no_leaf[split] <= two_most) {
                start(split);
            }
        }
    } else {
        Vector<Sum> yes_two(width, 0, rows.get_allocator()),
            no_two(width, 0, rows.get_allocator());
        Vector<Bucket<Count>> kinds(rows.get_allocator());
        scanner.for_each_first(level, is_split, [&](std::uint32_t split) {
            scanner.kernels().two_leaves(scanner.row(level, split),
                                         trees.allows_equal_siblings(), yes_two.data(),
                                         no_two.data());
            const Sum least_yes = *std::min_element(yes_two.begin(), yes_two.end()),
                      least_no = *std::min_element(no_two.begin(), no_two.end());
            const Weight yes_leaf = level.yes_leaf[split],
                         no_leaf = level.no_leaf[split];
            const Weight yes_most =
                std::max(three_most - no_leaf, four_most - least_no);
            const Weight no_most =
                std::max(three_most - yes_leaf, four_most - least_yes);
            const bool is_wanted = yes_leaf + no_leaf <= two_most ||
                                   least_yes <= yes_most || least_no <= no_most;
            if (!is_wanted) return;
            FirstQuestion<Count>& first = start(split);
            const auto list = [&](Weight leaf, const Vector<Sum>& two, Weight most,
                                  auto& buckets, auto& seconds) {
                list_small_trees(leaf, two.data(), width, most, level.n_cuts, kinds);
                buckets.assign(kinds.begin(), kinds.end());
                for (std::uint32_t second = 0; second < width; ++second) {
                    if (two[second] > most) continue;
                    seconds.push_back({splits.names[second].column,
                                       level.first_cut[second], level.n_cuts[second],
                                       two[second]});
                }
                std::sort(seconds.begin(), seconds.end(),
                          stands_before<SecondQuestion>);
            };
            list(yes_leaf, yes_two, yes_most, first.yes, first.yes_two);
            list(no_leaf, no_two, no_most, first.no, first.no_two);
        });
    }
    std::sort(out.begin(), out.end(), stands_before<FirstQuestion<Count>>);
    return out;
}

template std::vector<FirstQuestion<std::uint64_t>> list_last_levels(
    Enumeration<std::int32_t, std::uint64_t>&, std::uint32_t,
    const Vector<std::uint32_t>&);
template std::vector<FirstQuestion<Wide>> list_last_levels(
    Enumeration<std::int32_t, Wide>&, std::uint32_t, const Vector<std::uint32_t>&);
template std::vector<FirstQuestion<Natural>> list_last_levels(
    Enumeration<std::int32_t, Natural>&, std::uint32_t, const Vector<std::uint32_t>&);
template std::vector<FirstQuestion<std::uint64_t>> list_last_levels(
    Enumeration<std::int64_t, std::uint64_t>&, std::uint32_t,
    const Vector<std::uint32_t>&);
template std::vector<FirstQuestion<Wide>> list_last_levels(
    Enumeration<std::int64_t, Wide>&, std::uint32_t, const Vector<std::uint32_t>&);
template std::vector<FirstQuestion<Natural>> list_last_levels(
    Enumeration<std::int64_t, Natural>&, std::uint32_t, const Vector<std::uint32_t>&);

}  // namespace ostrya::rashomon
