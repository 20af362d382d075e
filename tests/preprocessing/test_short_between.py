"""Short thresholds, many at once: the same as one by one."""

import sys

import numpy as np
from hypothesis import example, given
from hypothesis import strategies as st

from ostrya.preprocessing.digits import short_between, short_between_each

FINITE = st.floats(allow_nan=False, allow_infinity=False)
NEAR = st.tuples(FINITE, st.integers(1, 50)).map(
    lambda pair: (pair[0], _steps_up(*pair))
)
ROUND = st.tuples(
    st.integers(-(10**6), 10**6), st.integers(1, 100), st.integers(-8, 8)
).map(lambda t: (t[0] * 10.0 ** t[2], (t[0] + t[1]) * 10.0 ** t[2]))


def _steps_up(number, steps):
    for _ in range(steps):
        number = float(np.nextafter(number, sys.float_info.max))
    return number


@given(st.lists(st.tuples(FINITE, FINITE) | NEAR | ROUND, min_size=1))
@example([(0.125, 0.126), (-0.126, -0.125), (0.1245, 0.1255), (999.5, 1000.5)])
@example([(0.0, 5e-324), (-1.0, 1.0), (1e-310, 1.1e-310), (1e308, 1.7e308)])
def test_equals_one_by_one(pairs):
    pairs = [tuple(sorted(pair)) for pair in pairs]
    below, above = np.array(pairs).T
    expected = [
        short_between(low, high) for low, high in zip(below, above, strict=True)
    ]
    assert short_between_each(below, above).tolist() == expected
