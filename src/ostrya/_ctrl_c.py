"""CtrlC: end a search with Ctrl-C, without losing its result.

Python would raise KeyboardInterrupt at an arbitrary place. Once a search has started,
there is a tree to return. So Ctrl-C is then recorded; the search notices it at its next
check and returns the best tree found so far. If it is pressed too late for that, at the
end of a search or while its objective is recomputed, the result is still returned, and
KeyboardInterrupt is raised shortly afterwards in the caller.

When many searches run in a row, as in a grid search, press Ctrl-C twice to end all of
them: within `INSISTENCE` seconds of a Ctrl-C that ended a search, the next one raises
KeyboardInterrupt immediately, in the same search or in a later one.
"""

from __future__ import annotations

import _thread
import math
import signal
import threading
import time
from types import FrameType, TracebackType

# Seconds until the caller has the result. Python handles signals even between the
# return from a call and the assignment of its result.
MOMENT = 0.05
# Seconds within which a second Ctrl-C raises KeyboardInterrupt immediately.
INSISTENCE = 2.0


class CtrlC:
    """Record Ctrl-C for the searches inside this context.

    Nested contexts share one handler. The context does nothing outside the main thread
    or if the caller installed a handler of its own.

    Before `keep` is called there is no result to save, and Ctrl-C raises
    KeyboardInterrupt as usual. It also does if it is pressed again before a search has
    noticed the first press, or within `INSISTENCE` seconds of it.
    """

    # The time at which Ctrl-C was last recorded. It belongs to the process, because the
    # second press may happen in another search than the first.
    _last_kept = -math.inf

    def __init__(self) -> None:
        self._is_outermost = False
        self._is_kept = False
        self._is_pressed = False
        self._is_raised = False

    def __enter__(self) -> CtrlC:
        if threading.current_thread() is not threading.main_thread():
            return self
        handler = signal.getsignal(signal.SIGINT)
        outer = getattr(handler, "__self__", None)
        if isinstance(outer, CtrlC):
            return outer
        if handler is signal.default_int_handler:
            self._is_outermost = True
            signal.signal(signal.SIGINT, self._press)
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        if not self._is_outermost:
            return
        handler = signal.signal(signal.SIGINT, signal.default_int_handler)
        if getattr(handler, "__self__", None) is not self:  # a callback set its own
            signal.signal(signal.SIGINT, handler)
        elif self._is_pressed and error is None:
            later = threading.Timer(MOMENT, _press_again)
            later.daemon = True
            later.start()

    def keep(self) -> None:
        """Start to record Ctrl-C, because from now on there is a result to save."""
        self._is_kept = True

    def is_pressed(self) -> bool:
        """Return True if Ctrl-C was pressed and no search has stopped because of it."""
        return self._is_pressed

    def has_searched(self, *, was_interrupted: bool) -> None:
        """Note the end of a search, which may have stopped because of Ctrl-C."""
        if was_interrupted:
            self._is_pressed = False
        self.raise_again()

    def raise_again(self) -> None:
        """Raise KeyboardInterrupt again if it was raised to end the whole call.

        Engines and callbacks catch it, because for them it only ends a search.
        """
        if self._is_raised:
            raise KeyboardInterrupt

    def _press(self, number: int, frame: FrameType | None) -> None:
        now = time.monotonic()
        is_first = now - CtrlC._last_kept >= INSISTENCE
        if self._is_kept and not self._is_pressed and is_first:
            self._is_pressed, CtrlC._last_kept = True, now
            return
        # First of all, because `__exit__` may not run after the exception.
        signal.signal(signal.SIGINT, signal.default_int_handler)
        self._is_raised = True
        raise KeyboardInterrupt


def _press_again() -> None:
    """Send Ctrl-C to the main thread, which may be waiting."""
    if hasattr(signal, "pthread_kill"):
        signal.pthread_kill(threading.main_thread().ident or 0, signal.SIGINT)
    else:  # on Windows, where the main thread handles it when it wakes up
        _thread.interrupt_main()
