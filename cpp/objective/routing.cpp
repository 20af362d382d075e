#include "objective/routing.hpp"

#include <algorithm>
#include <array>
#include <stdexcept>

namespace ostrya {
namespace {

/// Rows on their way at once: each waits for memory on its own, so others can move.
constexpr std::size_t n_lanes = 8;

}  // namespace

Router::Router(const TreeArrays& tree) : steps_(tree.n_nodes) {
    const auto n_nodes = static_cast<std::int64_t>(tree.n_nodes);
    if (n_nodes == 0) throw std::invalid_argument("a tree has at least one node");
    for (std::int32_t node = 0; node < n_nodes; ++node) {
        Step& step = steps_[static_cast<std::size_t>(node)];
        if (tree.feature[node] < 0) {
            step = {0.0, 0, {node, node}};
            continue;
        }
        step = {
            tree.threshold[node], tree.feature[node], {tree.no[node], tree.yes[node]}};
        for (const std::int32_t child : step.next) {
            if (child <= node || child >= n_nodes) {
                throw std::invalid_argument("children must come after their parent");
            }
        }
        asked_.push_back(step.feature);
    }
    std::sort(asked_.begin(), asked_.end());
    asked_.erase(std::unique(asked_.begin(), asked_.end()), asked_.end());
    std::vector<std::size_t> levels(steps_.size(), 0);  // below each node
    for (std::size_t node = steps_.size(); node-- > 0;) {
        for (const std::int32_t next : steps_[node].next) {
            const auto child = static_cast<std::size_t>(next);
            if (child != node) levels[node] = std::max(levels[node], levels[child] + 1);
        }
    }
    n_levels_ = levels[0];
}

void Router::find_leaves(const RowView& rows, std::int32_t* leaves) const {
    if (asked_.empty()) {  // a lone leaf; there may be no column to read
        std::fill_n(leaves, rows.n_rows, 0);
        return;
    }
    if (static_cast<std::size_t>(asked_.back()) >= rows.n_columns) {
        throw std::invalid_argument("X must have all columns that the tree uses");
    }
    for (std::size_t first = 0; first < rows.n_rows; first += n_lanes) {
        const std::size_t n_rows = std::min(n_lanes, rows.n_rows - first);
        std::array<const double*, n_lanes> row{};
        std::array<std::int32_t, n_lanes> at{};
        for (std::size_t lane = 0; lane < n_lanes; ++lane) {
            // Lanes that are left over go with the last row.
            const std::size_t index = first + std::min(lane, n_rows - 1);
            row[lane] = rows.data + static_cast<std::ptrdiff_t>(index) * rows.row_step;
        }
        bool is_moving = true;
        for (std::size_t level = 0; level < n_levels_ && is_moving; ++level) {
            is_moving = false;
            for (std::size_t lane = 0; lane < n_lanes; ++lane) {
                const Step& step = steps_[static_cast<std::size_t>(at[lane])];
                const double value = row[lane][step.feature * rows.column_step];
                const std::int32_t next = step.next[value <= step.threshold];
                is_moving |= next != at[lane];
                at[lane] = next;
            }
        }
        std::copy_n(at.begin(), n_rows, leaves + first);
    }
}

void Router::count_rows(const RowView& rows, const std::int32_t* codes,
                        std::size_t n_classes, double* counts) const {
    std::array<std::int32_t, 256> leaves{};
    RowView part = rows;
    for (std::size_t first = 0; first < rows.n_rows; first += part.n_rows) {
        part.n_rows = std::min(leaves.size(), rows.n_rows - first);
        part.data = rows.data + static_cast<std::ptrdiff_t>(first) * rows.row_step;
        find_leaves(part, leaves.data());
        for (std::size_t row = 0; row < part.n_rows; ++row) {
            const auto code = static_cast<std::size_t>(codes[first + row]);
            if (code >= n_classes) throw std::invalid_argument("a code is no class");
            ++counts[static_cast<std::size_t>(leaves[row]) * n_classes + code];
        }
    }
}

bool Router::asks_about_nan(const RowView& rows) const {
    bool has_nan = false;
    for (const std::int32_t feature : asked_) {
        const double* value = rows.data + feature * rows.column_step;
        for (std::size_t row = 0; row < rows.n_rows; ++row, value += rows.row_step) {
            has_nan |= *value != *value;
        }
    }
    return has_nan;
}

void Router::add_up(double* sums, std::size_t width) const {
    for (std::size_t node = steps_.size(); node-- > 0;) {
        const auto no = static_cast<std::size_t>(steps_[node].next[0]);
        const auto yes = static_cast<std::size_t>(steps_[node].next[1]);
        if (yes == node) continue;  // a leaf
        for (std::size_t at = 0; at < width; ++at) {
            sums[node * width + at] = sums[yes * width + at] + sums[no * width + at];
        }
    }
}

std::vector<std::int32_t> depths_of(const std::int32_t* feature, std::size_t n_nodes) {
    std::vector<std::int32_t> depths(n_nodes);
    std::vector<std::int32_t> open;  // depths of splits whose no child is to come
    std::int32_t depth = 0;
    for (std::size_t node = 0; node < n_nodes; ++node) {
        depths[node] = depth;
        if (feature[node] >= 0) {
            open.push_back(depth++);
        } else if (!open.empty()) {
            depth = open.back() + 1;
            open.pop_back();
        }
    }
    return depths;
}

}  // namespace ostrya
