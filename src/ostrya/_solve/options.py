"""The table of options: name, default, range, and one line of help for each."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Option:
    """One numeric option of a search.

    ``least`` belongs to the range unless ``least_is_excluded``; None belongs to it
    when ``none_means`` says what None stands for, and "auto" likewise.
    """

    name: str
    kind: type[int] | type[float]
    default: float | None
    help: str
    least: int | None = None
    least_is_excluded: bool = False
    none_means: str | None = None
    auto_means: str | None = None

    @property
    def allowed(self) -> str:
        """The range in words.

        Examples
        --------
        >>> OPTIONS["max_depth"].allowed
        'an integer >= 0, "auto" (as deep as some seconds allow), or None (no limit)'
        """
        words = "an integer" if self.kind is int else "a finite number"
        if self.least is not None:
            words += f" {'>' if self.least_is_excluded else '>='} {self.least:d}"
        if self.auto_means is not None:
            words += f', "auto" ({self.auto_means})'
        if self.none_means is not None:
            words += f", or None ({self.none_means})"
        return words


MEBIBYTE = 2**20

OPTIONS = {
    option.name: option
    for option in (
        Option(
            "leaf_penalty",
            float,
            0.01,
            "charge for each leaf, in units of the loss",
            least=0,
        ),
        Option(
            "max_depth",
            int,
            None,
            "most questions asked of a row; a lone leaf has depth 0",
            least=0,
            none_means="no limit",
            auto_means="as deep as some seconds allow",
        ),
        Option("max_leaves", int, None, "most leaves", least=1, none_means="no limit"),
        Option(
            "min_samples_leaf",
            int,
            1,
            "fewest training rows in a leaf, counted without weights",
            least=1,
        ),
        Option(
            "time_limit",
            float,
            None,
            "seconds until the search stops with what it has",
            least=0,
            least_is_excluded=True,
            none_means="no limit",
        ),
        Option(
            "memory_limit",
            int,
            None,
            "bytes of memory the process may hold, at least 32 MiB",
            least=32 * MEBIBYTE,
            none_means="half of the machine's",
        ),
        Option(
            "upper_bound",
            float,
            None,
            "look only for trees with an objective strictly below this",
            none_means="no bound",
        ),
    )
}
