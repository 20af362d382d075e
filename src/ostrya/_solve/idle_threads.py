"""Warn if a search cannot use the threads that were requested."""

from __future__ import annotations

from typing import Any

from ostrya._solve.validation import check_n_jobs
from ostrya._warn_caller import warn_caller


def warn_of_idle_threads(n_jobs: Any, max_depth: Any, *, counts_work: bool) -> None:
    """Warn if several threads are requested of a search that ends after counted work.

    Raise if `n_jobs` is invalid.

    `counts_work` says whether `max_depth="auto"` limits the work of this search, as it
    does for additive objectives alone. What several threads prove within some work
    depends on how they take turns, so such a search uses one.
    """
    check_n_jobs(n_jobs)
    if n_jobs is None or n_jobs == 1 or max_depth != "auto" or not counts_work:
        return
    warn_caller(
        f'n_jobs={n_jobs} does not speed up the search, because max_depth="auto" ends '
        "it after a fixed amount of work of one thread, so that every machine returns "
        "the same tree. To use several threads, set max_depth to a number or to None; "
        "to keep the default depth, omit n_jobs.",
        UserWarning,
    )
