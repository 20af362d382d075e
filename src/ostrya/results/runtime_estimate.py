"""RuntimeEstimate: the result of `ostrya.estimate_runtime`."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class RuntimeEstimate:
    """Predicted effort of a search on one core.

    Attributes
    ----------
    method : str
        "exact", "guessed_thresholds", "top_k" or "frontier".
    is_counted : bool
        True if the search was completed by the trial, so that subproblems and work are
        exact and only the seconds depend on the machine.
    subproblems : float
        Number of subproblems.
    work : float
        Words of memory read, as in `Statistics`.
    seconds : float
        Time at the speed of a usual laptop, including reading the table, but not the
        time for guessing.
    memory : float
        Memory of the search, in bytes.
    factor : float
        Seconds, subproblems and memory may be wrong by this factor in either direction;
        nine of ten estimates are closer. See docs/research/estimates.md.

    Examples
    --------
    >>> import ostrya
    >>> estimate = ostrya.estimate_runtime([[1], [2], [3], [4]], [0, 1, 1, 0])
    >>> estimate.is_counted, estimate.seconds < 1
    (True, True)
    >>> print(estimate)
    exact: less than a second (counted)
    """

    method: str
    is_counted: bool
    subproblems: float
    work: float
    seconds: float
    memory: float
    factor: float

    @property
    def least_seconds(self) -> float:
        """Time in seconds if the estimate is too high by `factor`."""
        return self.seconds / self.factor

    @property
    def most_seconds(self) -> float:
        """Time in seconds if the estimate is too low by `factor`."""
        return self.seconds * self.factor

    def __str__(self) -> str:
        """Return the estimate in one line."""
        if self.is_counted:
            return f"{self.method}: {_duration(self.seconds)} (counted)"
        return (
            f"{self.method}: about {_duration(self.seconds)}, from "
            f"{_duration(self.least_seconds)} to {_duration(self.most_seconds)}; about "
            f"{_bytes(self.memory)}"
        )


def _duration(seconds: float) -> str:
    """Return seconds in the unit that people would use.

    Examples
    --------
    >>> _duration(0.002), _duration(90), _duration(3600), _duration(1e12)
    ('less than a second', '1.5 minutes', '1 hour', 'years')
    """
    if seconds < 1:
        return "less than a second"
    for most, unit, name in (
        (60, 1, "second"),
        (3600, 60, "minute"),
        (48 * 3600, 3600, "hour"),
        (2 * 365 * 86400, 86400, "day"),
    ):
        if seconds < most:
            count = f"{float(f'{seconds / unit:.2g}'):g}"
            return f"{count} {name}" if count == "1" else f"{count} {name}s"
    return "years"


def _bytes(count: float) -> str:
    for unit in ("B", "kB", "MB", "GB"):
        if count < 1000:
            return f"{count:.3g} {unit}"
        count /= 1000
    return f"{count:.3g} TB"
