"""Check a certificate of Ostrya: a proof that no decision tree costs less than a bound.

    python ostrya_check.py problem.bin proof.ostrya

This program needs only Python and NumPy, and nothing of Ostrya. It follows the page
docs/reference/certificates.md, in the same order: the problem, its reduction, the tree,
the claims, the dual prices. It exits with 0 if every step of the proof holds, with 1 if
one does not (the first is reported), and with 2 if a file cannot be read.
"""

from __future__ import annotations

import hashlib
import itertools
import math
import sys
import zlib
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

import numpy as np

MOST_BOUND = 2**61
MOST_DEPTH = 2_000  # nested claims, and nodes on a path of the tree
MOST_DIVISIONS = 10_000  # of states of boxes within each other

Limits = tuple[float, float]  # depth and leaves; infinite without a limit


class Refused(Exception):
    """The first thing in a file that does not hold."""


def require(holds: bool, otherwise: str) -> None:
    if not holds:
        raise Refused(otherwise)


class Numbers:
    """A sequence of LEB128 varints, read once from blocks of bytes."""

    def __init__(self, blocks: Iterable[bytes], name: str) -> None:
        self.bytes, self.name = itertools.chain.from_iterable(blocks), name

    def next(self) -> int:
        value = 0
        for shift in range(0, 63, 7):
            byte = next(self.bytes, None)
            if byte is None:
                raise Refused(f"the {self.name} ends too early")
            value |= (byte & 127) << shift
            if byte < 128:
                require(byte > 0 or shift == 0, f"extra bytes in the {self.name}")
                return value
        raise Refused(f"a number in the {self.name} is too large")

    def signed(self) -> int:
        value = self.next()
        return -(value // 2) - 1 if value % 2 else value // 2

    def below(self, limit: int, what: str) -> int:
        value = self.next()
        require(value < limit, f"{what} {value} does not exist")
        return value

    def end(self) -> None:
        require(next(self.bytes, None) is None, f"something follows the {self.name}")


# ------------------------------------------------------------------------ the problem


@dataclass
class Problem:
    scale: int
    penalty: int
    limits: Limits
    min_rows: int
    n_ranks: list[int]  # of each column
    ranks: np.ndarray  # groups x columns
    rows: np.ndarray  # of each group
    loss: np.ndarray  # groups x labels


def read_problem(data: bytes) -> Problem:
    head = b"ostrya problem 1\n"
    require(data.startswith(head), "this is not a problem file")
    numbers = Numbers([data[len(head) :]], "problem file")
    n_groups, n_columns, n_classes = (numbers.next() for _ in range(3))
    require(n_groups > 0 and n_classes > 0, "the problem has no rows or no classes")
    scale, penalty, depth, leaves, min_rows = (numbers.next() for _ in range(5))
    require(scale >= 1 and penalty <= 2**59, "scale or penalty is out of range")
    costs = [[numbers.next() for _ in range(n_classes)] for _ in range(n_classes)]
    n_ranks = [numbers.next() for _ in range(n_columns)]
    require(all(1 <= n <= n_groups for n in n_ranks), "a column has too many ranks")
    ranks, rows, loss = [], [], []
    for _ in range(n_groups):
        ranks.append([numbers.below(n, "rank") for n in n_ranks])
        require(len(ranks) < 2 or ranks[-2] < ranks[-1], "the groups are not sorted")
        rows.append(numbers.next())
        require(rows[-1] >= 1, "a group has no rows")
        weights = [numbers.next() for _ in range(n_classes)]
        loss.append(
            [sum(map(int.__mul__, weights, of)) for of in zip(*costs, strict=True)]
        )
    numbers.end()
    # These are integers of Python, which do not overflow; those of NumPy must not.
    require(sum(rows) <= 2**60, "there are too many rows")
    require(scale * sum(map(max, loss)) <= 2**60, "the losses are too large")
    return Problem(
        scale,
        penalty,
        (depth - 1 if depth else math.inf, leaves or math.inf),
        min_rows,
        n_ranks,
        np.array(ranks, dtype=np.int64).reshape(n_groups, n_columns),
        np.array(rows, dtype=np.int64),
        np.array(loss, dtype=np.int64),
    )


def sums_by_cell(cells: np.ndarray, values: np.ndarray, n_cells: int) -> np.ndarray:
    """Return the exact sums of integer values by cell (all below 2**61)."""
    low = np.bincount(cells, values & (2**26 - 1), n_cells)
    high = np.bincount(cells, values >> 26, n_cells)
    return low.astype(np.int64) + (high.astype(np.int64) << 26)


# -------------------------------------------------------------------------- reduction


class Table:
    """The groups, columns and cuts that a proof is about."""

    def __init__(self, problem: Problem) -> None:
        ranks, rows, loss = problem.ranks, problem.rows, problem.loss
        columns = range(ranks.shape[1])
        cuts = [np.arange(n - 1) for n in problem.n_ranks]  # what remains of them
        least = problem.penalty // problem.scale
        is_stable = False
        while not is_stable:
            potential = loss.max(axis=1) - loss.min(axis=1)
            n_before = len(ranks), sum(map(len, cuts))
            for c in columns:
                by_rank = sums_by_cell(ranks[:, c], potential, problem.n_ranks[c])
                yes = np.cumsum(by_rank)[cuts[c]]
                cuts[c] = cuts[c][np.minimum(yes, potential.sum() - yes) > least]
            cells = np.zeros_like(ranks)
            for c in columns:
                cells[:, c] = np.searchsorted(cuts[c], ranks[:, c], side="left")
            order = lexicographic(cells)
            cells = cells[order]
            starts = np.flatnonzero(np.r_[True, (cells[1:] != cells[:-1]).any(axis=1)])
            ranks, cells = ranks[order][starts], cells[starts]
            rows = np.add.reduceat(rows[order], starts)
            loss = np.add.reduceat(loss[order], starts, axis=0)
            is_stable = n_before == (len(ranks), sum(map(len, cuts)))
        self.base = int(loss.min(axis=1).sum())
        loss = loss - loss.min(axis=1, keepdims=True)
        if problem.min_rows <= 1:
            kept = loss.max(axis=1) > 0
            cells, rows, loss = cells[kept], rows[kept], loss[kept]
        remaining = {}  # columns by how they part the groups
        for c in columns:
            sides = cells[:, c]
            if len(cuts[c]) == 1 and len(sides) > 0:
                sides = sides ^ sides[0]
            if len(cuts[c]) > 0:
                remaining.setdefault(sides.tobytes(), c)
        cells = cells[:, list(remaining.values())]
        order = lexicographic(cells)
        self.cells = cells[order]  # remaining cuts below each group in each column
        self.rows, self.loss = rows[order], loss[order]
        self.potential = self.loss.max(axis=1)
        self.n_groups, self.n_columns = self.cells.shape
        self.n_cuts = np.array([len(cuts[c]) for c in remaining.values()], dtype=int)
        # Columns, cuts and cells, numbered through:
        self.column_of_cut = np.repeat(np.arange(self.n_columns), self.n_cuts)
        first_cut = np.cumsum(self.n_cuts) - self.n_cuts
        self.cut_in_column = (
            np.arange(self.n_cuts.sum()) - first_cut[self.column_of_cut]
        )
        self.cell_of_cut = np.arange(self.n_cuts.sum()) + self.column_of_cut
        self.places = self.cells + first_cut + np.arange(self.n_columns)

    def is_yes(self, groups: np.ndarray, cut: int) -> np.ndarray:
        """Return which of some groups are on the yes side of a cut."""
        return self.cells[groups, self.column_of_cut[cut]] <= self.cut_in_column[cut]


def lexicographic(cells: np.ndarray) -> np.ndarray:
    return np.lexsort(cells.T[::-1]) if cells.shape[1] else np.arange(len(cells))


# ------------------------------------------------------------------------------- tree


def cost_of_tree(problem: Problem, proof: Numbers) -> int:
    """Read the tree, and return what it costs; it must be allowed."""
    max_depth, max_leaves = problem.limits
    loss = leaves = 0
    todo = [(np.arange(len(problem.ranks)), 0)]
    while todo:
        groups, depth = todo.pop()
        kind = proof.next()
        if kind == 0:
            loss += int(
                problem.loss[groups, proof.below(len(problem.loss[0]), "label")].sum()
            )
            leaves += 1
            is_enough = depth == 0 or problem.rows[groups].sum() >= problem.min_rows
            require(is_enough, "a leaf of the tree has too few rows")
            continue
        require(kind <= len(problem.n_ranks), f"column {kind - 1} does not exist")
        cut = proof.below(problem.n_ranks[kind - 1] - 1, "cut")
        require(depth < min(max_depth, MOST_DEPTH), "the tree is too deep")
        yes = problem.ranks[groups, kind - 1] <= cut
        todo += [(groups[~yes], depth + 1), (groups[yes], depth + 1)]
    require(leaves <= max_leaves, "the tree has too many leaves")
    cost = problem.scale * loss + problem.penalty * leaves
    require(proof.next() == cost, f"the tree costs {cost}, not what is written")
    return cost


# ----------------------------------------------------------------------------- claims


@dataclass
class Claim:
    """Which groups a claim is about, and what it has proved once it is complete."""

    parent: Claim | None = None
    cut: int = 0  # of the parent's groups, of which it has one side
    is_yes: bool = True
    bound: int = 0
    limits: Limits | None = None  # None: it is not complete

    def groups(self, table: Table) -> np.ndarray:
        if self.parent is None:
            return np.arange(table.n_groups)
        groups = self.parent.groups(table)
        return groups[table.is_yes(groups, self.cut) == self.is_yes]


class Claims:
    """Reads and checks claims. Sums over groups are arrays of `slots`, see there."""

    def __init__(self, problem: Problem, table: Table, proof: Numbers) -> None:
        self.table, self.proof = table, proof
        self.scale, self.penalty = problem.scale, problem.penalty
        self.min_rows = problem.min_rows
        prices = read_prices(problem, table, proof)
        self.has_prices = prices is not None
        price, self.shift = prices or (np.zeros(table.n_groups, dtype=np.int64), 0)
        ones = np.ones_like(table.rows)
        self.slots = np.column_stack(  # of each group; losses of the labels come last
            [price, table.potential, table.rows, ones, table.loss]
        )
        self.begun: list[Claim] = []
        self.depth = 0  # of the claim that is read

    def look(self, groups: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """Return the sums over groups, those of all yes sides, and the usable cuts."""
        table, slots = self.table, self.slots[groups]
        places = table.places[groups].ravel()
        n_cells = len(table.cell_of_cut) + table.n_columns
        by_cell = np.column_stack(
            [
                sums_by_cell(places, np.repeat(slot, table.n_columns), n_cells)
                for slot in slots.T
            ]
        )
        # Every column has each group once: the sums of earlier columns are subtracted.
        total = slots.sum(axis=0)
        yes = np.cumsum(by_cell, axis=0)[table.cell_of_cut]
        yes -= table.column_of_cut[:, None] * total
        smaller = np.minimum(yes, total - yes)
        usable = (
            (smaller[:, 1] > self.penalty // self.scale)
            & (smaller[:, 2] >= self.min_rows)
            & (by_cell[table.cell_of_cut, 3] > 0)
        )
        return total, yes, usable

    def leaf(self, sums: np.ndarray) -> np.ndarray:
        return self.scale * sums[..., 4:].min(axis=-1) + self.penalty

    def price(self, sums: np.ndarray) -> np.ndarray:
        """Return the least cost that is not below what is paid."""
        paid = sums[..., 0]
        return paid << -self.shift if self.shift < 0 else -(-paid >> self.shift)

    def simple(self, sums: np.ndarray, limits: Limits) -> np.ndarray:
        leaf = self.leaf(sums)
        if limits[0] == 0 or limits[1] == 1:
            return leaf
        least = np.minimum(leaf, 2 * self.penalty)
        return np.maximum(least, self.price(sums)) if self.has_prices else least

    def scan(self, groups: np.ndarray, limits: Limits) -> int:
        total, yes, usable = self.look(groups)
        leaf = int(self.leaf(total))
        if limits[0] == 0 or limits[1] == 1 or not usable.any():
            return leaf
        yes, no = self.leaf(yes[usable]), self.leaf(total - yes[usable])
        exact = min(leaf, int((yes + no).min()))
        if limits[0] == 1 or limits[1] == 2:
            return exact
        cell = int(np.minimum(yes, no).min())  # one penalty included
        return min(exact, 2 * self.penalty + cell, 4 * self.penalty)

    def reference(self, groups: np.ndarray, limits: Limits) -> int:
        """Return what an earlier claim shows about a set of groups."""
        back = self.proof.next()
        require(1 <= back <= len(self.begun), "a reference leads nowhere")
        claim = self.begun[-back]
        if claim.limits is None:
            raise Refused("a reference to a claim that is not complete")
        is_wide = claim.limits[0] >= limits[0] and claim.limits[1] >= limits[1]
        require(is_wide, "a reference to a claim under tighter limits")
        others = claim.groups(self.table)
        missing = np.setdiff1d(others, groups, assume_unique=True)
        is_same = len(missing) == 0 and len(others) == len(groups)
        require(is_same or self.min_rows <= 1, "a reference to other groups")
        return claim.bound - self.scale * int(self.table.potential[missing].sum())

    def evidence(
        self, kind: int, groups: np.ndarray, limits: Limits, needed: int, claim: Claim
    ) -> int:
        """Read the evidence for one side of a cut, and return the bound it shows."""
        if kind == 0:
            return 0
        if kind == 1:
            return self.scan(groups, limits)
        if kind == 2:
            return self.reference(groups, limits)
        claim.bound = needed + self.proof.signed()
        require(abs(claim.bound) <= MOST_BOUND, "a bound is out of range")
        self.check(groups, limits, claim)
        return claim.bound

    def sides(
        self,
        claim: Claim,
        cut: int,
        groups: np.ndarray,
        sums: tuple[np.ndarray, np.ndarray],
        limits: tuple[Limits, Limits],
        kind: int,
    ) -> tuple[int, int]:
        """Read the evidence for both sides of a cut, and return the bounds it shows."""
        require(kind < 16, f"evidence of kind {kind} does not exist")
        is_yes = self.table.is_yes(groups, cut)
        yes, no = (int(self.simple(*of)) for of in zip(sums, limits, strict=True))
        own = groups[is_yes], limits[0], claim.bound - no, Claim(claim, cut, True)
        yes = max(yes, self.evidence(kind // 4, *own))
        own = groups[~is_yes], limits[1], claim.bound - yes, Claim(claim, cut, False)
        no = max(no, self.evidence(kind % 4, *own))
        return yes, no

    def check(self, groups: np.ndarray, limits: Limits, claim: Claim) -> None:
        """Read a claim about some groups, and check that it holds."""
        table, name = self.table, f"claim {len(self.begun)}"
        self.begun.append(claim)
        self.depth += 1
        require(self.depth <= MOST_DEPTH, "claims are nested too deeply")
        total, yes_sums, usable = self.look(groups)
        no_sums = total - yes_sums
        if limits[0] == 0 or limits[1] == 1:
            usable[:] = False
        below = limits[0] - 1, limits[1] - 1
        yes, no = self.simple(yes_sums, below), self.simple(no_sums, below)
        settled = ~usable
        cut = 0
        while step := self.proof.next():
            cut += (step - 1) // 2 if step % 2 else -(step // 2)
            is_usable = 0 <= cut < len(yes) and bool(usable[cut])
            require(is_usable, f"{name}: an item about a cut that is not usable")
            own = claim, cut, groups, (yes_sums[cut], no_sums[cut])
            kind = self.proof.next()
            if kind == 17:
                self.check_same_sides(name, groups, cut, usable)
                settled[cut] = True
            elif kind == 16:
                require(limits[1] < math.inf, "leaves are shared without a limit")
                for h in range(1, int(limits[1])):
                    shares = (below[0], h), (below[0], limits[1] - h)
                    found = self.sides(*own, shares, self.proof.next())
                    text = f"{name}: cut {cut} is not bounded with {h} leaves on yes"
                    require(sum(found) >= claim.bound, text)
                settled[cut] = True
            else:
                found = self.sides(*own, (below, below), kind)
                yes[cut], no[cut] = max(yes[cut], found[0]), max(no[cut], found[1])
        require(self.leaf(total) >= claim.bound, f"{name}: a leaf costs less")
        if self.min_rows <= 1:
            self.carry(usable, self.scale * yes_sums[:, 1], yes, no)
        if not (self.has_prices and self.price(total) >= claim.bound):
            for cut in np.flatnonzero(~settled & (yes + no < claim.bound)):
                is_yes = table.is_yes(groups, cut)
                shown = max(yes[cut], self.scan(groups[is_yes], below))
                shown += max(no[cut], self.scan(groups[~is_yes], below))
                text = f"{name}: cut {cut} may lead to a tree below its bound"
                require(shown >= claim.bound, text)
        claim.limits = self.reach(limits, claim.bound)
        self.depth -= 1

    def check_same_sides(
        self, name: str, groups: np.ndarray, cut: int, usable: np.ndarray
    ) -> None:
        other = cut - self.proof.next()
        is_usable = 0 <= other < cut and bool(usable[other])
        require(is_usable, f"{name}: a cut is compared with one that is not usable")
        alike = self.table.is_yes(groups, cut) == self.table.is_yes(groups, other)
        text = f"{name}: cuts {other} and {cut} do not part alike"
        require(alike.all() or not alike.any(), text)

    def carry(
        self, usable: np.ndarray, potential: np.ndarray, yes: np.ndarray, no: np.ndarray
    ) -> None:
        """Carry bounds between the usable cuts of each column."""
        for column in range(self.table.n_columns):
            these = usable & (self.table.column_of_cut == column)
            gone, y, n = potential[these], yes[these], no[these]
            y = np.maximum.accumulate(y)
            yes[these] = np.maximum.accumulate((y - gone)[::-1])[::-1] + gone
            n = np.maximum.accumulate(n[::-1])[::-1]
            no[these] = np.maximum.accumulate(n + gone) - gone

    def reach(self, limits: Limits, bound: int) -> Limits:
        """Return the limits under which a claim that was proved under these holds."""
        if self.penalty == 0:
            return limits
        depth, leaves = limits
        most_leaves = -(-bound // self.penalty) - 1  # of a tree below the bound
        return (
            math.inf if depth >= most_leaves - 1 else depth,
            math.inf if leaves >= most_leaves else leaves,
        )


# ------------------------------------------------------------------------ dual prices


def read_prices(
    problem: Problem, table: Table, proof: Numbers
) -> tuple[np.ndarray, int] | None:
    """Return the price of each group in units of 2**-shift, which are feasible."""
    if proof.below(2, "number of price vectors") == 0:
        return None
    shift = proof.signed()
    require(-62 <= shift <= 30, "the unit of prices is out of range")
    listed = [proof.signed() for _ in range(table.n_groups)]
    paid, cost = 2 ** max(-shift, 0), 2 ** max(shift, 0)
    most_cost = problem.scale * int(table.potential.sum()) + problem.penalty
    largest = max(cost * most_cost, paid * sum(map(abs, listed)))
    require(largest <= MOST_BOUND, "prices or costs are too large")
    prices = np.array(listed, dtype=np.int64)
    for label in range(table.loss.shape[1]):
        worth = paid * prices - cost * problem.scale * table.loss[:, label]
        check_boxes(table, proof, worth, cost * problem.penalty, label)
    return prices, shift


@dataclass
class State:
    """Boxes whose sides lie in given ranges; see the page."""

    first: np.ndarray  # least and greatest first cell of each column
    last: np.ndarray
    outer: np.ndarray  # groups of the largest box
    outside: np.ndarray  # sides of the smallest box that each of them violates
    depth: int = 0


def check_boxes(
    table: Table, proof: Numbers, worth: np.ndarray, most: int, label: int
) -> None:
    """Check that no box is worth more than `most`, along the search that is written."""
    ends = np.stack([np.zeros_like(table.n_cuts), table.n_cuts])
    outside = (table.cells < table.n_cuts).sum(axis=1) + (table.cells > 0).sum(axis=1)
    todo = [State(ends, ends, np.arange(table.n_groups), outside)]
    while todo:
        state = todo.pop()
        value = proof.next()
        if value == 0:
            outer = worth[state.outer]
            bound = int(outer[(outer > 0) | (state.outside == 0)].sum())
            require(bound <= most, f"a box under label {label} may be paid too much")
            continue
        is_last, cut = (value - 1) % 2 == 1, (value - 1) // 2
        require(cut < len(table.cut_in_column), f"cut {cut} does not exist")
        require(state.depth < MOST_DIVISIONS, "states are divided too often")
        column, cell = table.column_of_cut[cut], table.cut_in_column[cut]
        sides = state.last if is_last else state.first
        least, greatest = sides[:, column]
        require(least <= cell < greatest, "a state is divided where it has no boxes")
        lower, upper = sides.copy(), sides.copy()
        lower[1, column], upper[0, column] = cell, cell + 1
        here = table.cells[state.outer, column]
        # One part has a smaller outer box, and the other a larger inner one.
        kept = here <= cell if is_last else here > cell
        cut_off = state.outer[kept], state.outside[kept], state.depth + 1
        if is_last:
            freed = (here > least) & (here <= cell + 1)
        else:
            freed = (here >= cell) & (here < greatest)
        grown = state.outer, state.outside - freed, state.depth + 1
        if is_last:
            parts = [
                State(state.first, lower, *cut_off),
                State(state.first, upper, *grown),
            ]
        else:
            parts = [
                State(lower, state.last, *grown),
                State(upper, state.last, *cut_off),
            ]
        todo += reversed(parts)


# ------------------------------------------------------------------------------ proof


@dataclass
class Verified:
    cost: int  # of the tree
    lower: int  # of every allowed tree


def unpacked(data: bytes) -> Iterator[bytes]:
    """Yield what is compressed, block by block."""
    unpacker = zlib.decompressobj(-15)
    while not unpacker.eof:
        try:
            block = unpacker.decompress(data, 2**16)
        except zlib.error:
            raise Refused("the proof cannot be unpacked") from None
        data = unpacker.unconsumed_tail
        require(block or data or unpacker.eof, "the proof cannot be unpacked")
        yield block
    require(not unpacker.unused_data, "something follows the packed proof")


def open_proof(data: bytes, problem_digest: bytes) -> Numbers:
    head = b"ostrya proof 1\n"
    require(data.startswith(head) and len(data) > 79, "this is not a proof file")
    require(hashlib.sha256(data[47:]).digest() == data[15:47], "the file is damaged")
    require(data[47:79] == problem_digest, "the proof is about another problem")
    return Numbers(unpacked(data[79:]), "proof")


def check(problem_file: bytes, proof_file: bytes) -> Verified:
    """Return what a proof verifies about a problem, or raise `Refused`."""
    sys.setrecursionlimit(max(sys.getrecursionlimit(), 10 * MOST_DEPTH))
    problem = read_problem(problem_file)
    proof = open_proof(proof_file, hashlib.sha256(problem_file).digest())
    table = Table(problem)
    cost = cost_of_tree(problem, proof)
    claims = Claims(problem, table, proof)
    first = Claim(bound=proof.next())
    require(first.bound <= MOST_BOUND, "a bound is out of range")
    claims.check(np.arange(table.n_groups), problem.limits, first)
    proof.end()
    lower = problem.scale * table.base + first.bound
    require(lower <= cost, "the bound is above the cost of a tree")
    return Verified(cost, lower)


def main(arguments: list[str]) -> int:
    if len(arguments) != 2:
        print(__doc__)
        return 2
    try:
        files = []
        for path in arguments:
            with open(path, "rb") as file:
                files.append(file.read())
        verified = check(*files)
    except OSError as error:
        print(f"cannot read {error.filename}: {error.strerror}", file=sys.stderr)
        return 2
    except MemoryError:
        print("out of memory", file=sys.stderr)
        return 2
    except Refused as refused:
        print(f"REFUSED: {refused}")
        return 1
    print(f"cost of the tree: {verified.cost}")
    print(f"lower bound:      {verified.lower}")
    if verified.cost == verified.lower:
        print("VERIFIED: no allowed tree costs less")
    else:
        gap = verified.cost - verified.lower
        print(f"VERIFIED: no allowed tree costs less by more than {gap}")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
