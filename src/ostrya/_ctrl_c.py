"""CtrlC: Ctrl-C ends a search, and never costs the result of one.

Python would raise KeyboardInterrupt wherever it happens to be. Once a search has begun
there is a tree to bring back; so Ctrl-C is then kept, the search hears of it at its
next look around, and returns the best tree so far. Where it comes too late for that, in
the last moments of a search or while its tree is counted again, the result is returned
all the same, and KeyboardInterrupt is raised a moment later, in the caller.

Where many searches run one after another, as in a grid, whoever wants to end them all
presses twice: within `INSISTENCE` of a Ctrl-C that ended a search, the next one is
raised at once, in the same search or in a later one.
"""

from __future__ import annotations

import _thread
import math
import signal
import threading
import time
from types import FrameType, TracebackType

# Until the caller has the result: Python looks for signals even between a call that
# returns and the assignment of what it returned.
MOMENT = 0.05
# Seconds within which a second Ctrl-C says that the first was not enough.
INSISTENCE = 2.0


class CtrlC:
    """Keep Ctrl-C for the searches in this context.

    Contexts inside each other are one. It does nothing where Ctrl-C is not Python's own
    affair: outside the main thread, or under a handler of the caller's.

    Until `keep` is called there is nothing to bring back, and KeyboardInterrupt is
    raised as ever. Pressed again before a search has heard of the first, or within
    `INSISTENCE` of it, it is raised too: whoever is in such a hurry wants no tree.
    """

    # When Ctrl-C was last kept for a search. Of the process, as its signals are: the
    # second press may come in another search than the first.
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
        """From here on there is something to bring back."""
        self._is_kept = True

    def is_pressed(self) -> bool:
        """Return True once Ctrl-C was pressed and no search has ended by it."""
        return self._is_pressed

    def has_searched(self, *, was_interrupted: bool) -> None:
        """Take Ctrl-C as answered where a search came back early by it."""
        if was_interrupted:
            self._is_pressed = False
        self.raise_again()

    def raise_again(self) -> None:
        """Raise KeyboardInterrupt if it was raised to end the call.

        Engines and callbacks take it for a wish to end a search, and go on.
        """
        if self._is_raised:
            raise KeyboardInterrupt

    def _press(self, number: int, frame: FrameType | None) -> None:
        now = time.monotonic()
        is_first = now - CtrlC._last_kept >= INSISTENCE
        if self._is_kept and not self._is_pressed and is_first:
            self._is_pressed, CtrlC._last_kept = True, now
            return
        # First: nobody may be left to leave the context.
        signal.signal(signal.SIGINT, signal.default_int_handler)
        self._is_raised = True
        raise KeyboardInterrupt


def _press_again() -> None:
    """Send Ctrl-C to the main thread, which may be asleep."""
    if hasattr(signal, "pthread_kill"):
        signal.pthread_kill(threading.main_thread().ident or 0, signal.SIGINT)
    else:  # on Windows, where it is heard when the main thread wakes up
        _thread.interrupt_main()
