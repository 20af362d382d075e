"""The engine of ostrya."""

from typing import Annotated

import numpy
from numpy.typing import NDArray

from ostrya._core import testing as testing


def solve(X: Annotated[NDArray[numpy.float64], dict(shape=(None, None), order='A', device='cpu', writable=False)], codes: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)], weights: Annotated[NDArray[numpy.int64], dict(shape=(None,), device='cpu', writable=False)], costs: Annotated[NDArray[numpy.int64], dict(shape=(None, None), order='C', device='cpu', writable=False)], scale: int, penalty: int, options: dict, on_progress: object | None) -> dict: ...

def solve_leaf_sets(X: Annotated[NDArray[numpy.float64], dict(shape=(None, None), order='A', device='cpu', writable=False)], codes: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)], weights: Annotated[NDArray[numpy.int64], dict(shape=(None,), device='cpu', writable=False)], costs: Annotated[NDArray[numpy.int64], dict(shape=(None, None), order='C', device='cpu', writable=False)], scale: int, penalty: int, options: dict, measure: dict, on_progress: object | None) -> dict: ...

def instruction_set() -> str: ...
