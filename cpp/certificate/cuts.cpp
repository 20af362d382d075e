#include "certificate/cuts.hpp"

#include <algorithm>
#include <stdexcept>
#include <unordered_map>

namespace ostrya::certificate {

void carry_bounds(std::span<Cut> column, Cost factor) {
    for (std::size_t at = 1; at < column.size(); ++at) {
        const Cut& before = column[at - 1];
        Cut& cut = column[at];
        const Cost between = factor * (cut.potential - before.potential);
        cut.yes = std::max(cut.yes, before.yes);
        cut.no = std::max(cut.no, before.no - between);
    }
    for (std::size_t at = column.size(); at-- > 1;) {
        const Cut& after = column[at];
        Cut& cut = column[at - 1];
        const Cost between = factor * (after.potential - cut.potential);
        cut.yes = std::max(cut.yes, after.yes - between);
        cut.no = std::max(cut.no, after.no);
    }
}

template <class Sum>
void CutLister::list(const Node<Sum>& node, const Groups& groups, Limits below,
                     Cost bound, Vector<Cut>& out) {
    out.clear();
    table_.list_usable(groups, usable_);
    std::int64_t paid = 0;
    if (prices_) {
        paid = table_.sum_prices(groups, *prices_, yes_prices_);
        if (price_scale_.cost_of(paid) >= bound) return;
    }
    for (const UsableCut& usable : usable_) {
        Cut cut;
        cut.split = usable.split;
        cut.number = usable.number;
        cut.potential = usable.potential;
        cut.yes_loss = usable.yes_loss;
        cut.no_loss = usable.no_loss;
        if (prices_) {
            const std::int64_t yes = yes_prices_[cut.number];
            cut.yes_price = price_scale_.cost_of(yes);
            cut.no_price = price_scale_.cost_of(paid - yes);
        }
        cut.yes = simple_bound(cut.yes_loss, cut.yes_price, below, scale_);
        cut.no = simple_bound(cut.no_loss, cut.no_price, below, scale_);
        out.push_back(cut);
    }
    match(node, groups, out);
}

/// Find the splits of the node that part its rows as the cuts do. The node lists those
/// that part alike once, of whichever column, and either side may come first.
template <class Sum>
void CutLister::match(const Node<Sum>& node, const Groups& groups, Vector<Cut>& cuts) {
    const NodeSplits<Sum>& splits = node.splits;
    std::size_t n_matched = 0;
    for (std::uint32_t at = 0; at < splits.width; ++at) {
        if (!splits.is_split[at]) continue;
        const std::uint32_t number = table_.number(splits.names[at]);
        const auto cut = std::lower_bound(
            cuts.begin(), cuts.end(), number,
            [](const Cut& each, std::uint32_t wanted) { return each.number < wanted; });
        if (cut == cuts.end() || cut->number != number) continue;
        cut->at = at;
        ++n_matched;
    }
    if (n_matched == cuts.size()) return;
    table_.hash_sides(groups, sides_);
    const RowHash all = node.rows.hash;
    struct Class {
        std::size_t first;
        std::uint32_t at = none;
        bool is_turned = false;  // beside the first
    };
    const auto turned_side = [&](const Cut& cut) {
        const RowHash yes = sides_[cut.number], no = all - yes;
        return no.low < yes.low || (no.low == yes.low && no.high < yes.high);
    };
    std::unordered_map<RowHash, Class, HashOfRows> classes;
    for (std::size_t index = 0; index < cuts.size(); ++index) {
        Cut& cut = cuts[index];
        const bool is_turned = turned_side(cut);
        const RowHash yes = sides_[cut.number];
        const auto [each, is_new] =
            classes.try_emplace(is_turned ? all - yes : yes, Class{index});
        Class& alike = each->second;
        if (!is_new) cut.same = cuts[alike.first].number;
        if (cut.at != none && alike.at == none) {
            alike.at = cut.at;
            alike.is_turned = is_turned != turned_side(cuts[alike.first]);
        }
    }
    // Splits whose column was dropped beside the same sides have a name of their own.
    for (std::uint32_t at = 0; at < splits.width; ++at) {
        if (!splits.is_split[at]) continue;
        const RowHash yes = sides_[table_.number(splits.names[at])];
        for (const bool is_turned : {false, true}) {
            const auto each = classes.find(is_turned ? all - yes : yes);
            if (each == classes.end() || each->second.at != none) continue;
            each->second.at = at;
            each->second.is_turned = is_turned != turned_side(cuts[each->second.first]);
        }
    }
    for (const auto& [key, alike] : classes) {
        Cut& first = cuts[alike.first];
        if (alike.at == none) {
            throw std::logic_error("a usable cut is no split of the search");
        }
        first.at = alike.at;
        first.is_turned = alike.is_turned;
    }
}

template void CutLister::list(const Node<std::int32_t>&, const Groups&, Limits, Cost,
                              Vector<Cut>&);
template void CutLister::list(const Node<std::int64_t>&, const Groups&, Limits, Cost,
                              Vector<Cut>&);

}  // namespace ostrya::certificate
