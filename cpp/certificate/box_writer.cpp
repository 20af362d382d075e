#include "certificate/box_writer.hpp"

#include <algorithm>

namespace ostrya::certificate {
namespace {

/// Of states within each other, as the format defines.
constexpr std::uint32_t most_divisions = 10'000;

}  // namespace

BoxWriter::BoxWriter(const GroupTable& table, ProofBytes& bytes, StopSign& stop,
                     MemoryBudget& memory)
    : table_(table),
      bytes_(bytes),
      stop_(stop),
      memory_(memory),
      sides_(memory),
      gains_(table.n_cells(), memory),
      first_losses_(table.n_cells(), memory),
      last_losses_(table.n_cells(), memory),
      n_open_(table.n_cells(), memory) {}

bool BoxWriter::write(std::span<const std::int64_t> worth, std::int64_t most,
                      std::int64_t& work) {
    worth_ = worth;
    most_ = most;
    work_ = &work;
    n_divisions_ = 0;
    sides_.clear();
    for (std::uint32_t column = 0; column < table_.n_columns(); ++column) {
        const std::uint32_t first = table_.first_cell(column);
        const std::uint32_t last = table_.first_cell(column + 1) - 1;
        sides_.push_back({first, last, first, last});
    }
    Members all(memory_);
    for (std::uint32_t group = 0; group < table_.n_groups(); ++group) {
        std::uint32_t outside = 0;
        for (std::uint32_t column = 0; column < table_.n_columns(); ++column) {
            const std::uint32_t cell = table_.cell(group, column);
            outside +=
                (cell < sides_[column].most_first) + (cell > sides_[column].least_last);
        }
        all.push_back({group, outside});
    }
    return visit(all);
}

/// Write the states of the boxes between the sides as they are now.
bool BoxWriter::visit(Members& members) {
    const std::size_t work = members.size() * table_.n_columns() + table_.n_cells();
    *work_ -= static_cast<std::int64_t>(work);
    if (*work_ < 0 || stop_.is_up_before(work) || memory_.is_exceeded()) return false;
    if (n_divisions_ > most_divisions) return false;
    std::int64_t bound = 0;
    for (const Member& each : members) {
        const std::int64_t worth = worth_[each.group];
        if (worth > 0 || each.outside == 0) bound += worth;
    }
    if (bound <= most_) {
        bytes_.add(0);
        return true;
    }
    count(members);
    std::size_t n_behind = 0;
    const Vector<Sides> before = sides_;
    const std::uint32_t n_divisions = n_divisions_;
    bool is_written = false;
    if (tighten(members, bound, n_behind)) {
        is_written = visit(members);
    } else {
        const Division division = choose();
        is_written = division.score > 0 && visit_parts(members, division);
    }
    for (; n_behind > 0; --n_behind) bytes_.add(0);
    sides_ = before;
    n_divisions_ = n_divisions;
    return is_written;
}

void BoxWriter::count(const Members& members) {
    std::fill(gains_.begin(), gains_.end(), 0);
    std::fill(first_losses_.begin(), first_losses_.end(), 0);
    std::fill(last_losses_.begin(), last_losses_.end(), 0);
    std::fill(n_open_.begin(), n_open_.end(), 0);
    for (const Member& each : members) {
        const std::int64_t worth = worth_[each.group];
        if (worth > 0) {
            for (std::uint32_t column = 0; column < table_.n_columns(); ++column) {
                gains_[table_.cell(each.group, column)] += worth;
            }
        } else if (each.outside > 0) {
            const double share =
                static_cast<double>(-worth) / (each.outside * each.outside);
            for (std::uint32_t column = 0; column < table_.n_columns(); ++column) {
                const std::uint32_t cell = table_.cell(each.group, column);
                const bool is_below = cell < sides_[column].most_first;
                const bool is_above = cell > sides_[column].least_last;
                if (is_below) first_losses_[cell] += share;
                if (is_above) last_losses_[cell] += share;
                n_open_[cell] += is_below || is_above;
            }
        }
    }
}

bool BoxWriter::tighten(Members& members, std::int64_t bound, std::size_t& n_behind) {
    bool has_moved = false;
    for (std::uint32_t column = 0; column < table_.n_columns(); ++column) {
        Sides& sides = sides_[column];
        const Sides old = sides;
        std::int64_t lost = 0;
        for (std::uint32_t cell = sides.least_first; cell < sides.most_first; ++cell) {
            lost += gains_[cell];
            if (bound - lost > most_) continue;
            const auto open = n_open_.begin();
            if (std::all_of(open + cell, open + sides.most_first,
                            [](std::uint32_t n) { return n == 0; })) {
                break;
            }
            write_division(column, cell, false);
            ++n_behind;  // boxes that begin after this cell
            sides.most_first = cell;
            break;
        }
        lost = 0;
        for (std::uint32_t cell = sides.most_last; cell > sides.least_last; --cell) {
            lost += gains_[cell];
            if (bound - lost > most_) continue;
            const auto open = n_open_.begin();
            if (std::all_of(open + sides.least_last + 1, open + cell + 1,
                            [](std::uint32_t n) { return n == 0; })) {
                break;
            }
            write_division(column, cell - 1, true);
            bytes_.add(0);  // boxes that end before this cell
            sides.least_last = cell;
            break;
        }
        if (old.most_first == sides.most_first && old.least_last == sides.least_last) {
            continue;
        }
        has_moved = true;
        for (Member& each : members) {
            const std::uint32_t cell = table_.cell(each.group, column);
            each.outside -= (sides.most_first <= cell && cell < old.most_first) +
                            (old.least_last < cell && cell <= sides.least_last);
        }
    }
    return has_moved;
}

/// The cut that lowers the bounds of both parts most.
BoxWriter::Division BoxWriter::choose() const {
    Division best;
    const auto offer = [&](std::uint32_t column, std::uint32_t cell, bool is_last,
                           double lost, double freed) {
        if (lost == 0 && freed == 0) return;
        const double score = (lost + 1) * (freed + 1);
        if (score > best.score) best = {column, cell, is_last, score};
    };
    for (std::uint32_t column = 0; column < table_.n_columns(); ++column) {
        const Sides& sides = sides_[column];
        double lost = 0, freed = 0;
        for (std::uint32_t cell = sides.least_first; cell < sides.most_first; ++cell) {
            freed += first_losses_[cell];
        }
        for (std::uint32_t cell = sides.least_first; cell < sides.most_first; ++cell) {
            lost += static_cast<double>(gains_[cell]);
            offer(column, cell, false, lost, freed);
            freed -= first_losses_[cell];
        }
        lost = freed = 0;
        for (std::uint32_t cell = sides.least_last + 1; cell <= sides.most_last;
             ++cell) {
            freed += last_losses_[cell];
        }
        for (std::uint32_t cell = sides.most_last; cell > sides.least_last; --cell) {
            lost += static_cast<double>(gains_[cell]);
            offer(column, cell - 1, true, lost, freed);
            freed -= last_losses_[cell];
        }
    }
    return best;
}

bool BoxWriter::visit_parts(const Members& members, const Division& division) {
    write_division(division.column, division.cell, division.is_last);
    Sides& sides = sides_[division.column];
    const Sides old = sides;
    for (const bool is_second : {false, true}) {
        const std::uint32_t cell = division.cell;
        if (division.is_last) {
            (is_second ? sides.least_last : sides.most_last) = cell + is_second;
        } else {
            (is_second ? sides.least_first : sides.most_first) = cell + is_second;
        }
        Members part(memory_);
        part.reserve(members.size());
        for (Member each : members) {
            const std::uint32_t at = table_.cell(each.group, division.column);
            if (at < sides.least_first || at > sides.most_last) continue;
            each.outside -= (sides.most_first <= at && at < old.most_first) +
                            (old.least_last < at && at <= sides.least_last);
            part.push_back(each);
        }
        const bool is_written = visit(part);
        sides_[division.column] = old;
        if (!is_written) return false;
    }
    return true;
}

void BoxWriter::write_division(std::uint32_t column, std::uint32_t cell, bool is_last) {
    // Columns have one cell more than cuts.
    const std::uint64_t cut = cell - column;
    ++n_divisions_;
    bytes_.add(1 + 2 * cut + is_last);
}

}  // namespace ostrya::certificate
