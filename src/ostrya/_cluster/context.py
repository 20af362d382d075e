"""The cluster that searches of this context use."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Protocol, TypeVar

from ostrya._arguments import show

Value = TypeVar("Value", covariant=True)


class Future(Protocol[Value]):
    """What a search asks of a future of Dask."""

    key: str
    status: str

    def result(self, timeout: float | None = None) -> Value:
        """Return what it holds."""

    def exception(self, timeout: float | None = None) -> BaseException | None:
        """Return why there is no result."""

    def add_done_callback(self, tell: Callable[[Future[Value]], None]) -> None:
        """Have `tell` called once it is done."""


class Client(Protocol):
    """What a search asks of a client of Dask."""

    asynchronous: bool

    def nthreads(self) -> Mapping[str, int]:
        """Return the threads of every worker, by its address."""

    def scatter(self, data: object, broadcast: bool = False) -> Future[object]:
        """Send data to the workers."""

    def submit(
        self,
        task: Callable[..., Value],
        *arguments: object,
        key: str,
        pure: bool,
        retries: int,
        workers: list[str] | None,
        allow_other_workers: bool,
    ) -> Future[Value]:
        """Have a worker run a task."""

    def cancel(self, futures: list[Future[Value]], force: bool = False) -> None:
        """Have no worker begin these."""


_CLIENT: ContextVar[Client | None] = ContextVar("ostrya_cluster", default=None)


def current_client() -> Client | None:
    """Return the client that searches of this context use."""
    return _CLIENT.get()


@contextmanager
def cluster(client: Client | None = None) -> Iterator[Client]:
    """Have the searches of this context run on a cluster of Dask.

    A search that is not over after a second is cut into tasks, each some first splits
    of the tree with a few seconds of time; workers run them, tell each other of better
    trees, and may come and go. Objective, status and tree are those of a search on one
    machine. Only additive objectives are searched so, and not where
    ``max_depth="auto"``, nor with `top_k` or guesses; all else stays on this machine.

    Parameters
    ----------
    client : distributed.Client, default=None
        Its workers need this version of ostrya. None: the client made last.

    Yields
    ------
    distributed.Client
        The client.

    Examples
    --------
    >>> from dask.distributed import Client  # doctest: +SKIP
    >>> from ostrya import OptimalTreeClassifier, cluster
    >>> client = Client("tcp://scheduler:8786")  # doctest: +SKIP
    >>> with cluster(client):  # doctest: +SKIP
    ...     clf = OptimalTreeClassifier(leaf_penalty=0.001, max_depth=5).fit(X, y)
    """
    token = _CLIENT.set(checked := _check_client(client))
    try:
        yield checked
    finally:
        _CLIENT.reset(token)


def _check_client(client: object) -> Client:
    try:
        from distributed import Client as DaskClient
        from distributed import default_client
    except ImportError:
        raise ImportError(
            "a search on a cluster needs distributed; install ostrya[dask]"
        ) from None
    if client is None:
        client = default_client()
    if not isinstance(client, DaskClient):
        raise TypeError(
            f"client must be a distributed.Client or None; got {show(client)}"
        )
    if client.asynchronous:
        raise ValueError(
            "client must not be asynchronous; make it with asynchronous=False"
        )
    found: Client = client
    return found
