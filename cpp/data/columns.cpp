#include "data/columns.hpp"

#include <algorithm>
#include <memory>
#include <numeric>
#include <utility>

namespace ostrya {
namespace {

/// The codes of a categorical column, and which code has which rank among them.
struct RankedCodes {
    explicit RankedCodes(MemoryBudget& memory) : values(memory) {}

    Vector<double> values;
    std::shared_ptr<const Codes> codes;  // null: no level is read from this column
};

/// Rank the stored columns that levels are read from; nothing if stopped.
std::optional<Vector<RankedCodes>> rank_codes(const Matrix& matrix,
                                              const DistinctRows& rows,
                                              const KnownRanks& known,
                                              MemoryBudget& memory,
                                              const SharedLoop& loop) {
    Vector<RankedCodes> out(matrix.cells.n_columns, RankedCodes(memory), memory);
    Vector<std::uint32_t> coded(memory);
    for (const ColumnRule& rule : matrix.rules) {
        if (rule.kind == ColumnRule::Kind::level) coded.push_back(rule.stored);
    }
    std::sort(coded.begin(), coded.end());
    coded.erase(std::unique(coded.begin(), coded.end()), coded.end());
    const bool is_whole = loop.run(coded.size(), [&](const StopCheck& is_stopped) {
        return [&,
                ranker = std::make_unique<Ranker>(memory, is_stopped)](std::size_t at) {
            ColumnRule as_stored;
            as_stored.stored = coded[at];
            std::optional<Column> column = ranker->rank(
                matrix.cells, rows.first, as_stored, known.of_column(coded[at]));
            if (!column) return false;
            RankedCodes& to = out[coded[at]];
            const std::uint32_t n_codes = column->n_ranks();
            to.codes =
                std::make_shared<const Codes>(Codes{std::move(column->ranks), n_codes});
            to.values = std::move(column->values);
            return true;
        };
    });
    return is_whole ? std::optional(std::move(out)) : std::nullopt;
}

/// The column of one level: its value is 0 in the rows that have the level, else 1.
Column level_column(const RankedCodes& from, double level, MemoryBudget& memory) {
    Column out(memory);
    const auto at = std::lower_bound(from.values.begin(), from.values.end(), level);
    const bool is_there = at != from.values.end() && *at == level;
    if (is_there) out.values.push_back(0.0);
    if (!is_there || from.values.size() > 1) out.values.push_back(1.0);
    out.ranks = Ranks(from.codes, static_cast<std::uint32_t>(at - from.values.begin()),
                      out.n_ranks(), memory);
    return out;
}

}  // namespace

Vector<Column> rank_columns(const Matrix& matrix, const DistinctRows& rows,
                            const KnownRanks& known, MemoryBudget& memory,
                            const SharedLoop& loop) {
    const auto codes = rank_codes(matrix, rows, known, memory, loop);
    if (!codes) return Vector<Column>(memory);
    Vector<Column> columns(matrix.n_columns(), Column(memory), memory);
    const bool is_whole = loop.run(columns.size(), [&](const StopCheck& is_stopped) {
        return [&, ranker = std::make_unique<Ranker>(memory, is_stopped)](
                   std::size_t feature) {
            const ColumnRule rule = matrix.rule(feature);
            std::optional<Column> column;
            if (rule.kind == ColumnRule::Kind::level) {
                column = level_column((*codes)[rule.stored], rule.level, memory);
            } else {
                const bool is_stored = rule.kind == ColumnRule::Kind::as_stored;
                column =
                    ranker->rank(matrix.cells, rows.first, rule,
                                 is_stored ? known.of_column(rule.stored) : nullptr);
            }
            if (!column) return false;
            column->feature = static_cast<std::uint32_t>(feature);
            columns[feature] = std::move(*column);
            return true;
        };
    });
    if (!is_whole) columns.clear();
    return columns;
}

SplitColumn all_cuts(Column& column, MemoryBudget& memory) {
    SplitColumn out(memory);
    out.feature = column.feature;
    out.cuts.resize(column.n_ranks() - 1);
    std::iota(out.cuts.begin(), out.cuts.end(), 0);
    out.ranks = std::move(column.ranks);
    return out;
}

Vector<ColumnRun> runs_of(const Vector<SplitColumn>& columns) {
    Vector<ColumnRun> out(columns.get_allocator());
    for (std::size_t at = 0; at < columns.size(); ++at) {
        const auto& codes = columns[at].ranks.codes();
        if (codes && !out.empty() && columns[at - 1].ranks.codes() == codes) {
            ++out.back().end;
        } else {
            out.push_back({at, at + 1});
        }
    }
    return out;
}

namespace {

Ranks some_of(const Ranks& ranks, std::uint32_t n_ranks,
              const Vector<std::uint32_t>& rows) {
    return ranks.visit([&](const auto all) {
        const auto rank_of = [&](std::size_t at) { return all[rows[at]]; };
        return Ranks(rows.size(), n_ranks, rank_of, ranks.budget());
    });
}

}  // namespace

bool keep_rows(Vector<SplitColumn>& columns, const Vector<std::uint32_t>& rows,
               const SharedLoop& loop) {
    const Vector<ColumnRun> runs = runs_of(columns);
    return loop.run(runs.size(), [&](const StopCheck&) {
        return [&](std::size_t at) {
            SplitColumn& first = columns[runs[at].begin];
            const std::shared_ptr<const Codes> codes = first.ranks.codes();
            if (!codes) {
                first.ranks = some_of(first.ranks, first.n_ranks(), rows);
                return true;
            }
            const auto kept = std::make_shared<const Codes>(
                Codes{some_of(codes->of_row, codes->n_codes, rows), codes->n_codes});
            for (std::size_t column = runs[at].begin; column < runs[at].end; ++column) {
                columns[column].ranks.read_from(kept);
            }
            return true;
        };
    });
}

double threshold_between(double below, double above) {
    const double middle = below / 2 + above / 2;
    return middle >= below && middle < above ? middle : below;
}

}  // namespace ostrya
