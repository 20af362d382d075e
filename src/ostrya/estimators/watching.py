"""Watch a fit: its clock, its callback, Ctrl-C, and the live line of `verbose`."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager, nullcontext
from typing import Any

import numpy as np

from ostrya._arguments import picture, show
from ostrya._ctrl_c import CtrlC
from ostrya._solve.fit_monitor import FitMonitor
from ostrya.results.outcome import Progress


@contextmanager
def watching(estimator: Any, on_progress: Any) -> Iterator[FitMonitor]:
    """Give the monitor of a fit, by the parameters of its estimator."""
    with _live_line(estimator.verbose) as live, CtrlC() as ctrl_c:
        monitor = FitMonitor(estimator.time_limit, on_progress, ctrl_c, show=live)
        yield monitor
        if live is not None:
            bounds = estimator.lower_bound_, estimator.objective_
            end = Progress(monitor.seconds(), *bounds, 0, 0, estimator.n_leaves_)
            live.end(end, estimator.status_)


def _live_line(verbose: Any) -> Any:
    """Return the line that `verbose` asks for, as a context, or raise."""
    if not isinstance(verbose, (int, np.integer, np.bool_)):
        raise TypeError(f"verbose must be an integer >= 0; got {show(verbose)}")
    if verbose < 0:
        raise ValueError(f"verbose must be an integer >= 0; got {picture(verbose)}")
    if not verbose:
        return nullcontext()
    from ostrya._live import LiveLine  # rich takes a while to import

    return LiveLine()
