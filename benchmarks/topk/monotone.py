"""Theorem 3 at the sizes to which it applies, computed from states instead of points.

The label is Tribes of h bits or, with probability eps, the majority of K - 1 other
bits. A tree of depth h over so many bits cannot be written down, but this is not
necessary: as long as a path has only used majority bits, a node is described by how
many of them were one and how many were zero, and the gain of a bit there has a closed
form.

*Which bits lead.* Bits are fair coins and independent, so a split on any of them halves
a node, and every impurity gain grows with ``|E[f | bit = 1] - E[f | bit = 0]|``, the
bit's *pull*: the criterion does not matter. While the pull of a majority bit exceeds
that of a Tribes bit, the k best splits are majority bits, for k <= K - h of them are
left at any node that a tree of depth h splits.

*Top-k fails.* Follow the majority bits for h splits. If they still lead, a leaf knows
the odds of the majority and nothing about Tribes. If they stopped leading on the way,
all labels are counted as correct. The sum bounds the accuracy from above.

*Top-K succeeds.* Among K splits at most K - 1 are majority bits, so the best Tribes bit
is always a candidate, and h splits determine Tribes: the accuracy is at least 1 - eps /
2.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import lgamma, log

import numpy as np
import numpy.typing as npt

Floats = npt.NDArray[np.float64]

# States further from even than this many standard deviations are as good as never met;
# they too are counted as right.
WIDEST = 9.0


@dataclass(frozen=True)
class TribesBesideMajority:
    """The distribution: `tribes` blocks of `width` bits, and `votes` other bits (odd).

    Examples
    --------
    >>> drawn = TribesBesideMajority(width=2, tribes=2, votes=9, eps=0.7)
    >>> drawn.depth, round(drawn.top_k_at_most(), 4), drawn.top_all_at_least()
    (4, 0.7141, 0.65)
    """

    width: int
    tribes: int
    votes: int
    eps: float

    @property
    def depth(self) -> int:
        """The depth budget h, which is the number of Tribes bits."""
        return self.width * self.tribes

    @property
    def most_choices(self) -> int:
        """The largest k that fails, K - h."""
        return self.votes + 1 - self.depth

    def tribes_share(self) -> float:
        """Return how often some block is all ones."""
        return float(1 - (1 - 0.5**self.width) ** self.tribes)

    def tribes_pull(self) -> float:
        """Return the pull of a Tribes bit while none has been asked."""
        alone = 0.5 ** (self.width - 1)  # the rest of its block is all ones
        others = (1 - 0.5**self.width) ** (self.tribes - 1)  # and no other block is
        return float((1 - self.eps) * alone * others)

    def votes_pull(self, asked: int, ones: npt.NDArray[np.int64]) -> Floats:
        """Return the pull of a majority bit after `asked` of them, `ones` of them one.

        The bit decides where the others are even.
        """
        left = self.votes - asked - 1
        wanted = (self.votes - 1) // 2 - ones
        return self.eps * _binomial(left, wanted)

    def top_all_at_least(self) -> float:
        """Return what Top-K reaches: Tribes answered, the noise right half the time."""
        return 1 - self.eps / 2

    def top_k_at_most(self) -> float:
        """Return a bound from above on the accuracy of Top-k, k <= `most_choices`."""
        if self.most_choices < 1:
            raise ValueError(f"votes must be at least {self.depth}; got {self.votes}")
        pull = self.tribes_pull()
        reached, ones, escaped = np.ones(1), np.zeros(1, dtype=np.int64), 0.0
        for asked in range(self.depth):
            leads = self.votes_pull(asked, ones) > pull
            escaped += float(reached[~leads].sum())
            if not leads.any():
                return escaped
            reached, ones = reached[leads], ones[leads]
            # Answers are fair: half of every state goes on to each of the next two.
            low, high = int(ones[0]), int(ones[-1]) + 1
            after = np.zeros(high - low + 1)
            after[ones - low] += reached / 2
            after[ones + 1 - low] += reached / 2
            reached, ones = after, np.arange(low, high + 1)
            near = abs(2 * ones - asked - 1) <= WIDEST * np.sqrt(asked + 1)
            escaped += float(reached[~near].sum())
            reached, ones = reached[near], ones[near]
        positive = (1 - self.eps) * self.tribes_share() + self.eps * self._odds(ones)
        return escaped + float(reached @ np.maximum(positive, 1 - positive))

    def _odds(self, ones: npt.NDArray[np.int64]) -> Floats:
        """Return how often the majority is one, given `ones` among the first h."""
        left = self.votes - self.depth
        tail = np.cumsum(_binomial(left, np.arange(left + 1))[::-1])[::-1]
        wanted = (self.votes + 1) // 2 - ones
        return np.where(wanted > left, 0.0, tail[np.clip(wanted, 0, left)])


def _binomial(n: int, k: npt.NDArray[np.int64]) -> Floats:
    """Return how often n fair coins show k heads."""
    inside = (k >= 0) & (k <= n)
    heads = np.clip(k, 0, n)
    logs = lgamma(n + 1) - n * log(2.0)
    logs = logs - _log_factorial(heads) - _log_factorial(n - heads)
    return np.where(inside, np.exp(logs), 0.0)


_log_factorials: Floats = np.zeros(1)


def _log_factorial(k: npt.NDArray[np.int64]) -> Floats:
    global _log_factorials
    most = int(k.max(initial=0))
    if most >= len(_log_factorials):
        logs = np.log(np.arange(1, 2 * most + 2))
        _log_factorials = np.concatenate([[0.0], np.cumsum(logs)])
    return _log_factorials[k]
