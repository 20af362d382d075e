"""The Dask cluster that searches in this context use."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Protocol, TypeVar

from ostrya._arguments import show

Value = TypeVar("Value", covariant=True)


class Future(Protocol[Value]):
    """The part of a Dask future that a search uses."""

    key: str
    status: str

    def result(self, timeout: float | None = None) -> Value:
        """Return the result."""

    def exception(self, timeout: float | None = None) -> BaseException | None:
        """Return the exception if there is no result."""

    def add_done_callback(self, tell: Callable[[Future[Value]], None]) -> None:
        """Call `tell` when the future is done."""


class Client(Protocol):
    """The part of a Dask client that a search uses."""

    asynchronous: bool

    def nthreads(self) -> Mapping[str, int]:
        """Return the number of threads of each worker, by address."""

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
        """Run a task on a worker."""

    def cancel(self, futures: list[Future[Value]], force: bool = False) -> None:
        """Cancel tasks that have not started."""


_CLIENT: ContextVar[Client | None] = ContextVar("ostrya_cluster", default=None)


def current_client() -> Client | None:
    """Return the client that searches in this context use."""
    return _CLIENT.get()


@contextmanager
def use_dask(client: Client | None = None) -> Iterator[Client]:
    """Distribute the searches in this context over a Dask cluster.

    Use it for a single search that takes more than about half a minute on one machine;
    for many fits, use joblib's Dask backend. A search that is not complete after a
    second is divided into tasks, which the workers run. Workers report better trees to
    each other and may join late or fail. Objective, status and tree are the same as on
    one machine. Only objectives that are sums over rows are distributed, and not with
    ``max_depth="auto"``, `top_k` or guesses; other searches run locally.

    Parameters
    ----------
    client : distributed.Client, default=None
        A client whose workers have this version of ostrya installed. None: the client
        that was created last.

    Yields
    ------
    distributed.Client
        The client.

    Examples
    --------
    >>> from dask.distributed import Client  # doctest: +SKIP
    >>> from ostrya import OptimalTreeClassifier, use_dask
    >>> client = Client("tcp://scheduler:8786")  # doctest: +SKIP
    >>> with use_dask(client):  # doctest: +SKIP
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
            "ostrya.use_dask requires the package distributed. Install it with: pip "
            'install "ostrya[dask]"'
        ) from None
    if client is None:
        client = default_client()
    if not isinstance(client, DaskClient):
        raise TypeError(
            f"client must be a distributed.Client or None; got {show(client)}"
        )
    if client.asynchronous:
        raise ValueError(
            "client must not be asynchronous; got one with asynchronous=True. Create "
            "it with asynchronous=False"
        )
    found: Client = client
    return found
