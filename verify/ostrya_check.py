"""Check a certificate of Ostrya: a proof that no decision tree costs less than a bound.

    python ostrya_check.py problem.bin proof.ostrya

This program needs only Python and NumPy, and nothing of Ostrya. It follows the page
docs/reference/certificates.md, in the same order: the problem, its reduction, the tree,
the dual prices, the claims. It exits with 0 if every step of the proof holds, with 1 if
one does not (the first is reported), and with 2 if a file cannot be read.
"""

from __future__ import annotations

import hashlib
import math
import sys
import zlib
from dataclasses import dataclass, field

import numpy as np

NO_LIMIT = math.inf
MOST_BOUND = 2**61
MOST_DEPTH = 2_000  # nested claims, and nodes on a path of the tree


class Refused(Exception):
    """The first thing in a file that does not hold."""


def require(holds: bool, otherwise: str) -> None:
    if not holds:
        raise Refused(otherwise)


class Numbers:
    """A sequence of LEB128 varints."""

    def __init__(self, data: bytes, name: str) -> None:
        self.data, self.at, self.name = data, 0, name

    def next(self) -> int:
        value = shift = 0
        while True:
            require(self.at < len(self.data), f"the {self.name} ends too early")
            byte = self.data[self.at]
            self.at += 1
            value |= (byte & 127) << shift
            if byte < 128:
                break
            shift += 7
        require(byte > 0 or shift == 0, f"a number in the {self.name} has extra bytes")
        require(value < 2**63, f"a number in the {self.name} is too large")
        return value

    def signed(self) -> int:
        value = self.next()
        return -(value // 2) - 1 if value % 2 else value // 2

    def below(self, limit: int, what: str) -> int:
        value = self.next()
        require(value < limit, f"{what} {value} does not exist")
        return value

    def end(self) -> None:
        require(self.at == len(self.data), f"something follows the {self.name}")


# ------------------------------------------------------------------------ the problem


@dataclass
class Problem:
    scale: int
    penalty: int
    max_depth: float
    max_leaves: float
    min_rows: int
    n_ranks: list[int]
    ranks: np.ndarray  # groups x columns
    rows: np.ndarray  # of each group
    loss: np.ndarray  # groups x labels
    weights: np.ndarray  # groups x classes
    costs: np.ndarray  # classes x labels
    digest: bytes


def read_problem(data: bytes) -> Problem:
    head = b"ostrya problem 1\n"
    require(data.startswith(head), "this is not a problem file")
    numbers = Numbers(data[len(head) :], "problem file")
    n_groups, n_columns, n_classes = (numbers.next() for _ in range(3))
    require(n_groups > 0 and n_classes > 0, "the problem has no rows or no classes")
    require(
        (n_groups + 1) * (n_columns + n_classes + 1) <= 8 * len(data) + 8 * 64,
        "the problem file ends too early",
    )
    scale, penalty, depth, leaves, min_rows = (numbers.next() for _ in range(5))
    require(scale >= 1 and penalty <= 2**59, "scale or penalty is out of range")
    costs = [[numbers.next() for _ in range(n_classes)] for _ in range(n_classes)]
    n_ranks = [numbers.next() for _ in range(n_columns)]
    require(min(n_ranks, default=1) >= 1, "a column has no ranks")
    require(max(n_ranks, default=1) <= n_groups, "a column has more ranks than groups")
    ranks, rows, weights = [], [], []
    for _ in range(n_groups):
        ranks.append([numbers.below(n, "rank") for n in n_ranks])
        require(len(ranks) < 2 or ranks[-2] < ranks[-1], "the groups are not sorted")
        rows.append(numbers.next())
        require(rows[-1] >= 1, "a group has no rows")
        weights.append([numbers.next() for _ in range(n_classes)])
    numbers.end()
    loss = [
        [
            sum(w * c[k] for w, c in zip(group, costs, strict=True))
            for k in range(n_classes)
        ]
        for group in weights
    ]  # in Python's integers, which do not overflow
    require(scale * sum(map(max, loss)) <= 2**60, "the losses are too large")
    return Problem(
        scale,
        penalty,
        depth - 1 if depth else NO_LIMIT,
        leaves or NO_LIMIT,
        min_rows,
        n_ranks,
        np.array(ranks, dtype=np.int64).reshape(n_groups, n_columns),
        np.array(rows, dtype=np.int64),
        np.array(loss, dtype=np.int64),
        np.array(weights, dtype=np.int64),
        np.array(costs, dtype=np.int64),
        hashlib.sha256(data).digest(),
    )


def sums_by_cell(cells: np.ndarray, values: np.ndarray, n_cells: int) -> np.ndarray:
    """Return the exact sums of integer values by cell (all below 2**61)."""
    low = np.bincount(cells, values & (2**26 - 1), n_cells)
    high = np.bincount(cells, values >> 26, n_cells)
    return low.astype(np.int64) + (high.astype(np.int64) << 26)


# -------------------------------------------------------------------------- reduction


@dataclass
class Reduced:
    """The groups, columns and cuts that a proof is about."""

    problem: Problem
    base: int
    cells: np.ndarray  # groups x columns: remaining cuts below a group
    n_cuts: list[int]  # of each remaining column
    loss: np.ndarray  # above the base, groups x labels
    rows: np.ndarray
    potential: np.ndarray = field(init=False)

    def __post_init__(self) -> None:
        self.potential = self.loss.max(axis=1)
        self.n_groups, self.n_columns = self.cells.shape
        n_cells = [n + 1 for n in self.n_cuts]
        self.first_cell = np.concatenate([[0], np.cumsum(n_cells)])[:-1].astype(int)
        self.n_cells = sum(n_cells)
        column = np.repeat(np.arange(self.n_columns), self.n_cuts)
        self.column_of_cut = column
        first_cut = np.concatenate([[0], np.cumsum(self.n_cuts)])[:-1].astype(int)
        self.cell_of_cut = np.arange(sum(self.n_cuts)) + column
        self.local_cut = np.arange(sum(self.n_cuts)) - first_cut[column]
        self.place = self.cells + self.first_cell  # cells numbered through

    def yes(self, groups: np.ndarray, cut: int) -> np.ndarray:
        """Return which of some groups are on the yes side of a cut."""
        return self.cells[groups, self.column_of_cut[cut]] <= self.local_cut[cut]


def reduce(problem: Problem) -> Reduced:
    ranks, rows, loss = problem.ranks, problem.rows, problem.loss
    columns = list(range(ranks.shape[1]))
    cuts = [np.arange(n - 1) for n in problem.n_ranks]  # what remains of each column
    while True:
        potential = loss.max(axis=1) - loss.min(axis=1)
        total = int(potential.sum())
        n_before = sum(map(len, cuts))
        for c in columns:
            by_rank = sums_by_cell(ranks[:, c], potential, problem.n_ranks[c])
            yes = np.cumsum(by_rank)[cuts[c]]
            least = np.minimum(yes, total - yes)
            cuts[c] = cuts[c][[problem.scale * int(p) > problem.penalty for p in least]]
        cells = np.column_stack(
            [np.searchsorted(cuts[c], ranks[:, c], side="left") for c in columns]
            or [np.zeros((len(ranks), 0), dtype=np.int64)]
        )
        order = np.lexsort(cells.T[::-1]) if columns else np.arange(len(ranks))
        cells = cells[order]
        starts = np.flatnonzero(np.r_[True, (cells[1:] != cells[:-1]).any(axis=1)])
        is_stable = len(starts) == len(ranks) and sum(map(len, cuts)) == n_before
        ranks, cells = ranks[order][starts], cells[starts]
        rows = np.add.reduceat(rows[order], starts)
        loss = np.add.reduceat(loss[order], starts, axis=0)
        if is_stable:
            break
    base = int(loss.min(axis=1).sum())
    loss = loss - loss.min(axis=1, keepdims=True)
    if problem.min_rows <= 1:
        kept = loss.max(axis=1) > 0
        cells, rows, loss = cells[kept], rows[kept], loss[kept]
    seen, remaining = set(), []
    for c in columns:
        sides = cells[:, c]
        if len(cuts[c]) == 1 and len(sides):
            sides = sides ^ sides[0]
        if len(cuts[c]) == 0 or sides.tobytes() in seen:
            continue
        seen.add(sides.tobytes())
        remaining.append(c)
    cells = cells[:, remaining]
    order = np.lexsort(cells.T[::-1]) if remaining else np.arange(len(cells))
    n_cuts = [len(cuts[c]) for c in remaining]
    return Reduced(problem, base, cells[order], n_cuts, loss[order], rows[order])


# ------------------------------------------------------------------------------- tree


def cost_of_tree(problem: Problem, proof: Numbers) -> int:
    """Read the tree, and return what it costs; it must obey the limits."""
    loss = leaves = 0
    todo = [(np.arange(len(problem.ranks)), 0)]
    while todo:
        groups, depth = todo.pop()
        kind = proof.next()
        if kind == 0:
            label = proof.below(problem.loss.shape[1], "label")
            loss += int(problem.loss[groups, label].sum())
            leaves += 1
            require(
                depth == 0 or int(problem.rows[groups].sum()) >= problem.min_rows,
                "a leaf of the tree has too few rows",
            )
            continue
        require(kind <= problem.ranks.shape[1], f"column {kind - 1} does not exist")
        cut = proof.below(problem.n_ranks[kind - 1] - 1, "cut")
        yes = problem.ranks[groups, kind - 1] <= cut
        require(depth < min(problem.max_depth, MOST_DEPTH), "the tree is too deep")
        todo += [(groups[~yes], depth + 1), (groups[yes], depth + 1)]
    require(leaves <= problem.max_leaves, "the tree has too many leaves")
    cost = problem.scale * loss + problem.penalty * leaves
    require(
        proof.next() == cost, f"the tree costs {cost}, which is not what is written"
    )
    return cost


# ----------------------------------------------------------------------------- claims


@dataclass(frozen=True)
class Limits:
    depth: float
    leaves: float

    def child(self) -> Limits:
        return Limits(self.depth - 1, self.leaves - 1)


@dataclass
class Claim:
    """Where a claim stands, and what it has proved once it is complete."""

    parent: Claim | None
    cut: int
    is_yes: bool
    bound: int = 0
    limits: Limits | None = None  # None: it is not complete

    def groups(self, table: Reduced) -> np.ndarray:
        if self.parent is None:
            return np.arange(table.n_groups)
        groups = self.parent.groups(table)
        return groups[table.yes(groups, self.cut) == self.is_yes]


@dataclass
class Look:
    """What one look at every cut shows of a set of groups, as columns over the cuts."""

    leaf: int
    price: int
    usable: np.ndarray
    yes_leaf: np.ndarray
    no_leaf: np.ndarray
    yes_price: np.ndarray
    no_price: np.ndarray
    potential: np.ndarray  # of the yes side


class Claims:
    def __init__(self, table: Reduced, proof: Numbers, prices: Prices | None) -> None:
        self.table, self.proof = table, proof
        self.scale, self.penalty = table.problem.scale, table.problem.penalty
        self.min_rows = table.problem.min_rows
        self.begun: list[Claim] = []
        self.depth = 0  # of the claim that is read
        self.shift = prices.shift if prices else 0
        price = prices.of_group if prices else np.zeros(table.n_groups, dtype=np.int64)
        ones = np.ones(table.n_groups, dtype=np.int64)
        self.n_labels = table.loss.shape[1]
        self.slots = np.column_stack(
            [table.loss, table.potential, table.rows, ones, price]
        )
        self.has_prices = prices is not None

    def price(self, paid: np.ndarray | int) -> np.ndarray | int:
        """Return the least cost that is not below what is paid."""
        if self.shift < 0:
            return paid << -self.shift
        return -(-paid >> self.shift)

    def look(self, groups: np.ndarray) -> Look:
        table, k = self.table, self.n_labels
        of_groups = self.slots[groups]
        total = of_groups.sum(axis=0)
        places = table.place[groups].ravel()
        cut_cells = table.cell_of_cut
        columns = []
        for slot in of_groups.T:
            sums = sums_by_cell(places, np.repeat(slot, table.n_columns), table.n_cells)
            columns.append(sums)
        by_cell = np.column_stack(columns)
        # Every column has each group once: the sums of earlier columns are subtracted.
        yes = np.cumsum(by_cell, axis=0)[cut_cells]
        yes = yes - table.column_of_cut[:, None] * total
        no = total - yes
        floor = self.penalty // self.scale
        usable = (
            (np.minimum(yes[:, k], no[:, k]) > floor)
            & (np.minimum(yes[:, k + 1], no[:, k + 1]) >= self.min_rows)
            & (by_cell[cut_cells, k + 2] > 0)
        )
        return Look(
            leaf=self.leaf(int(total[:k].min())),
            price=int(self.price(int(total[k + 3]))),
            usable=usable,
            yes_leaf=self.leaf(yes[:, :k].min(axis=1)),
            no_leaf=self.leaf(no[:, :k].min(axis=1)),
            yes_price=self.price(yes[:, k + 3]),
            no_price=self.price(no[:, k + 3]),
            potential=yes[:, k],
        )

    def leaf(self, loss: np.ndarray | int) -> np.ndarray | int:
        return self.scale * loss + self.penalty

    def simple(self, leaf: np.ndarray, price: np.ndarray, limits: Limits) -> np.ndarray:
        if limits.depth == 0 or limits.leaves == 1:
            return leaf
        least = np.minimum(leaf, 2 * self.penalty)
        return np.maximum(least, price) if self.has_prices else least

    def scan(self, groups: np.ndarray, limits: Limits) -> int:
        look = self.look(groups)
        if limits.depth == 0 or limits.leaves == 1 or not look.usable.any():
            return look.leaf
        yes, no = look.yes_leaf[look.usable], look.no_leaf[look.usable]
        exact = min(look.leaf, int((yes + no).min()))
        if limits.depth == 1 or limits.leaves == 2:
            return exact
        cell = int(np.minimum(yes, no).min())  # one penalty included
        return min(exact, 2 * self.penalty + cell, 4 * self.penalty)

    def referred(self, groups: np.ndarray, limits: Limits) -> int:
        """Return what a reference shows about a set of groups."""
        back = self.proof.next()
        require(1 <= back <= len(self.begun), "a reference leads nowhere")
        claim = self.begun[-back]
        require(claim.limits is not None, "a reference to a claim that is not complete")
        known = claim.limits
        require(
            known.depth >= limits.depth and known.leaves >= limits.leaves,
            "a reference to a claim under tighter limits",
        )
        others = claim.groups(self.table)
        missing = np.setdiff1d(others, groups, assume_unique=True)
        if self.min_rows > 1:
            require(
                len(missing) == 0 and len(others) == len(groups),
                "a reference to other groups, although leaves need several rows",
            )
        return claim.bound - self.scale * int(self.table.potential[missing].sum())

    def evidence(
        self,
        kind: int,
        groups: np.ndarray,
        limits: Limits,
        simple: int,
        needed: int,
        claim: Claim,
    ) -> int:
        """Read the evidence for one side of a cut, and return the bound it shows."""
        if kind == 0:
            return simple
        if kind == 1:
            return max(simple, self.scan(groups, limits))
        if kind == 2:
            return max(simple, self.referred(groups, limits))
        claim.bound = needed + self.proof.signed()
        require(abs(claim.bound) <= MOST_BOUND, "a bound is out of range")
        self.check(groups, limits, claim)
        return max(simple, claim.bound)

    def both_sides(
        self,
        kind: int,
        cut: int,
        groups: np.ndarray,
        look: Look,
        own: Claim,
        yes_limits: Limits,
        no_limits: Limits,
    ) -> tuple[int, int]:
        require(kind < 16, f"evidence of kind {kind} does not exist")
        is_yes = self.table.yes(groups, cut)
        yes_simple = int(
            self.simple(look.yes_leaf[cut], look.yes_price[cut], yes_limits)
        )
        no_simple = int(self.simple(look.no_leaf[cut], look.no_price[cut], no_limits))
        yes = self.evidence(
            kind // 4,
            groups[is_yes],
            yes_limits,
            yes_simple,
            own.bound - no_simple,
            Claim(own, cut, True),
        )
        no = self.evidence(
            kind % 4,
            groups[~is_yes],
            no_limits,
            no_simple,
            own.bound - yes,
            Claim(own, cut, False),
        )
        return yes, no

    def check(self, groups: np.ndarray, limits: Limits, claim: Claim) -> None:
        """Read a claim about some groups, and check that it holds."""
        number = len(self.begun)
        self.begun.append(claim)
        self.depth += 1
        require(self.depth <= MOST_DEPTH, "claims are nested too deeply")
        table, bound, below = self.table, claim.bound, limits.child()
        look = self.look(groups)
        if limits.depth == 0 or limits.leaves == 1:
            look.usable[:] = False
        yes = self.simple(look.yes_leaf, look.yes_price, below).copy()
        no = self.simple(look.no_leaf, look.no_price, below).copy()
        settled = ~look.usable
        cut = 0
        while step := self.proof.next():
            cut += (step - 1) // 2 if step % 2 else -(step // 2)
            require(
                0 <= cut < len(yes) and bool(look.usable[cut]),
                f"claim {number}: an item about a cut that is not usable",
            )
            kind = self.proof.next()
            if kind == 17:
                other = cut - self.proof.next()
                require(
                    0 <= other < cut and bool(look.usable[other]),
                    "a cut is compared with one that is not usable",
                )
                alike = table.yes(groups, cut) == table.yes(groups, other)
                require(
                    alike.all() or not alike.any(),
                    f"claim {number}: cuts {other} and {cut} do not part alike",
                )
                settled[cut] = True
                continue
            if kind != 16:
                found = self.both_sides(kind, cut, groups, look, claim, below, below)
                yes[cut], no[cut] = max(yes[cut], found[0]), max(no[cut], found[1])
                continue
            require(limits.leaves < NO_LIMIT, "leaves are shared without a limit")
            for share in range(1, int(limits.leaves)):
                shares = share, limits.leaves - share
                found = self.both_sides(
                    self.proof.next(),
                    cut,
                    groups,
                    look,
                    claim,
                    *(Limits(below.depth, leaves) for leaves in shares),
                )
                require(
                    sum(found) >= bound,
                    f"claim {number}: cut {cut} is not bounded with "
                    f"{share} leaves on its yes side",
                )
            settled[cut] = True
        require(look.leaf >= bound, f"claim {number}: a leaf costs less than its bound")
        if self.min_rows <= 1:
            for column in range(table.n_columns):
                these = look.usable & (table.column_of_cut == column)
                gone = self.scale * look.potential[these]
                y, n = yes[these], no[these]
                y = np.maximum.accumulate(y)
                y = np.maximum.accumulate((y - gone)[::-1])[::-1] + gone
                n = np.maximum.accumulate(n[::-1])[::-1]
                n = np.maximum.accumulate(n + gone) - gone
                yes[these], no[these] = y, n
        is_open = ~settled & (yes + no < bound)
        if self.has_prices and look.price >= bound:
            is_open[:] = False
        if is_open.any():
            cut = int(np.argmax(is_open))
            raise Refused(
                f"claim {number}: cut {cut} may lead to a tree below its bound"
            )
        claim.limits = self.reach(limits, bound)
        self.depth -= 1

    def reach(self, limits: Limits, bound: int) -> Limits:
        """Return the limits under which a claim that was proved under these holds."""
        if self.penalty == 0:
            return limits
        most_leaves = -(-bound // self.penalty) - 1
        return Limits(
            NO_LIMIT if limits.depth >= most_leaves - 1 else limits.depth,
            NO_LIMIT if limits.leaves >= most_leaves else limits.leaves,
        )


# ------------------------------------------------------------------------ dual prices


@dataclass
class Prices:
    of_group: np.ndarray
    shift: int  # 2**shift units of price are a cost of 1


@dataclass
class State:
    """Boxes whose sides lie in given ranges; see the page."""

    first: np.ndarray  # least and greatest first cell of each column
    last: np.ndarray
    outer: np.ndarray  # groups of the largest box
    outside: np.ndarray  # sides of the smallest box that each of them violates


def read_prices(table: Reduced, proof: Numbers) -> Prices | None:
    if proof.below(2, "number of price vectors") == 0:
        return None
    shift = proof.signed()
    require(-62 <= shift <= 30, "the unit of prices is out of range")
    listed = [proof.signed() for _ in range(table.n_groups)]
    paid, cost = 2 ** max(-shift, 0), 2 ** max(shift, 0)
    scale, penalty = table.problem.scale, table.problem.penalty
    largest = max(
        cost * (scale * int(table.potential.sum()) + penalty),
        paid * sum(map(abs, listed)),
    )
    require(largest <= 2**61, "prices or costs are too large")
    prices = np.array(listed, dtype=np.int64)
    for label in range(table.loss.shape[1]):
        worth = paid * prices - cost * scale * table.loss[:, label]
        check_boxes(table, proof, worth, cost * penalty, label)
    return Prices(prices, shift)


def check_boxes(
    table: Reduced, proof: Numbers, worth: np.ndarray, most: int, label: int
) -> None:
    """Check that no box is worth more than `most`, along the search that is written."""
    gains, losses = np.maximum(worth, 0), np.minimum(worth, 0)
    last_cell = np.array(table.n_cuts, dtype=np.int64)
    ends = np.stack([np.zeros_like(last_cell), last_cell])
    groups = np.arange(table.n_groups)
    outside = (table.cells < last_cell).sum(axis=1) + (table.cells > 0).sum(axis=1)
    todo = [State(ends, ends, groups, outside)]
    while todo:
        state = todo.pop()
        value = proof.next()
        if value == 0:
            inner = state.outer[state.outside == 0]
            bound = int(gains[state.outer].sum() + losses[inner].sum())
            require(bound <= most, f"a box under label {label} may be paid too much")
            continue
        side, cut = (value - 1) % 2, (value - 1) // 2
        require(cut < len(table.local_cut), f"cut {cut} does not exist")
        column, cell = int(table.column_of_cut[cut]), int(table.local_cut[cut])
        sides = state.last if side else state.first
        least, greatest = sides[:, column]
        require(least <= cell < greatest, "a state is divided where it has no boxes")
        lower, upper = sides.copy(), sides.copy()
        lower[1, column], upper[0, column] = cell, cell + 1
        here = table.cells[state.outer, column]
        if side == 0:
            is_kept, freed = here > cell, (here >= cell) & (here < greatest)
            parts = (
                State(lower, state.last, state.outer, state.outside - freed),
                State(upper, state.last, state.outer[is_kept], state.outside[is_kept]),
            )
        else:
            is_kept, freed = here <= cell, (here > least) & (here <= cell + 1)
            parts = (
                State(state.first, lower, state.outer[is_kept], state.outside[is_kept]),
                State(state.first, upper, state.outer, state.outside - freed),
            )
        todo += reversed(parts)


# ------------------------------------------------------------------------------ proof


@dataclass
class Verified:
    cost: int  # of the tree
    lower: int  # of every allowed tree

    @property
    def gap(self) -> int:
        return max(self.cost - self.lower, 0)


def open_proof(data: bytes, problem: Problem) -> Numbers:
    head = b"ostrya proof 1\n"
    require(data.startswith(head) and len(data) > 79, "this is not a proof file")
    require(hashlib.sha256(data[47:]).digest() == data[15:47], "the file is damaged")
    require(data[47:79] == problem.digest, "the proof is about another problem")
    unpacker = zlib.decompressobj(-15)
    try:
        body = unpacker.decompress(data[79:])
    except zlib.error:
        raise Refused("the proof cannot be unpacked") from None
    require(unpacker.eof and not unpacker.unused_data, "the proof cannot be unpacked")
    return Numbers(body, "proof")


def check(problem_file: bytes, proof_file: bytes) -> Verified:
    """Return what a proof verifies about a problem, or raise `Refused`."""
    problem = read_problem(problem_file)
    proof = open_proof(proof_file, problem)
    table = reduce(problem)
    cost = cost_of_tree(problem, proof)
    prices = read_prices(table, proof)
    first = Claim(None, 0, True, bound=proof.next())
    require(first.bound <= MOST_BOUND, "a bound is out of range")
    limits = Limits(problem.max_depth, problem.max_leaves)
    claims = Claims(table, proof, prices)
    claims.check(np.arange(table.n_groups), limits, first)
    proof.end()
    return Verified(cost, problem.scale * table.base + first.bound)


def main(arguments: list[str]) -> int:
    if len(arguments) != 2:
        print(__doc__)
        return 2
    sys.setrecursionlimit(10 * MOST_DEPTH)
    try:
        files = []
        for path in arguments:
            with open(path, "rb") as file:
                files.append(file.read())
        verified = check(*files)
    except OSError as error:
        print(f"cannot read {error.filename}: {error.strerror}", file=sys.stderr)
        return 2
    except Refused as refused:
        print(f"REFUSED: {refused}")
        return 1
    print(f"cost of the tree: {verified.cost}")
    print(f"lower bound:      {verified.lower}")
    if verified.gap == 0:
        print("VERIFIED: no allowed tree costs less")
    else:
        print(f"VERIFIED: no allowed tree costs less by more than {verified.gap}")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
