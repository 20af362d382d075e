"""The figures of the paper, as data.

H. McTavish, C. Zhong, R. Achermann, I. Karimalis, J. Chen, C. Rudin and M. Seltzer,
"Fast Sparse Decision Tree Optimization via Reference Ensembles", AAAI 2022,
arXiv:2112.00798, Tables 4 and 6 (depth limit 5, 30 minutes, 125 GB). Each figure is the
mean of five folds; None where no model came out.
"""

from __future__ import annotations

from dataclasses import dataclass

REFERENCES = ((40, 1), (30, 2), (50, 2), (20, 3))
TIMEOUT, MEMORY = "timeout", "memory out"


@dataclass(frozen=True)
class Figure:
    """One entry: seconds or how it ended, training and test accuracy."""

    seconds: float | str | None
    train: float | None
    test: float | None


@dataclass(frozen=True)
class DataSet:
    """One data set of the tables: its name there, our file, its penalties.

    `bounds`, `thresholds` hold the columns gosdt+th+lb and gosdt+th, in the order of
    `REFERENCES`; `plain` the column gosdt. `table3` are all penalties of Table 3.
    """

    name: str
    file: str
    penalty: float
    table3: tuple[float, ...]
    bounds: tuple[Figure, ...]
    thresholds: tuple[Figure, ...]
    plain: Figure


NOTHING = Figure(MEMORY, None, None)
PENALTIES = (0.005, 0.002, 0.001, 0.0005)

DATA_SETS = (
    DataSet(
        "COMPAS",
        "compas",
        0.001,
        (*PENALTIES, 0.0002),
        (
            Figure(1.115, 0.684, 0.677),
            Figure(14.019, 0.688, 0.681),
            Figure(47.026, 0.688, 0.681),
            Figure(25.94, 0.688, 0.681),
        ),
        (
            Figure(0.97, 0.684, 0.677),
            Figure(17.688, 0.688, 0.681),
            Figure(65.787, 0.688, 0.681),
            Figure(34.807, 0.688, 0.68),
        ),
        Figure(TIMEOUT, 0.668, 0.657),
    ),
    DataSet(
        "Broward",
        "broward_general_2y",
        0.005,
        PENALTIES,
        (
            Figure(0.341, 0.638, 0.603),
            Figure(73.397, 0.645, 0.593),
            Figure(TIMEOUT, 0.647, 0.588),
            Figure(TIMEOUT, 0.648, 0.589),
        ),
        (
            Figure(1.659, 0.639, 0.598),
            Figure(104.071, 0.646, 0.594),
            Figure(TIMEOUT, 0.645, 0.589),
            Figure(TIMEOUT, 0.644, 0.594),
        ),
        NOTHING,
    ),
    DataSet(
        "Netherlands",
        "netherlands_11000",
        0.001,
        (*PENALTIES, 0.0002, 0.0001),
        (
            Figure(0.445, 0.702, 0.701),
            Figure(123.816, 0.716, 0.713),
            Figure(TIMEOUT, 0.715, 0.711),
            Figure(TIMEOUT, 0.716, 0.712),
        ),
        (
            Figure(0.664, 0.703, 0.701),
            Figure(214.298, 0.719, 0.714),
            Figure(TIMEOUT, 0.716, 0.711),
            Figure(TIMEOUT, 0.715, 0.711),
        ),
        NOTHING,
    ),
    DataSet(
        "FICO",
        "fico",
        0.0005,
        (*PENALTIES, 0.0002),
        (
            Figure(9.598, 0.72, 0.712),
            Figure(TIMEOUT, 0.729, 0.715),
            Figure(TIMEOUT, 0.712, 0.705),
            Figure(TIMEOUT, 0.703, 0.697),
        ),
        (Figure(47.934, 0.726, 0.709), Figure(TIMEOUT, 0.726, 0.71), NOTHING, NOTHING),
        NOTHING,
    ),
    DataSet(
        "Takeaway",
        "coupon_carryout",
        0.001,
        PENALTIES,
        (
            Figure(None, None, None),  # GOSDT takes no reference of one class
            Figure(1.82, 0.751, 0.738),
            Figure(45.672, 0.763, 0.745),
            Figure(124.575, 0.765, 0.746),
        ),
        (
            Figure(8.8e-5, 0.738, 0.736),
            Figure(12.398, 0.765, 0.74),
            Figure(119.158, 0.777, 0.744),
            Figure(350.801, 0.796, 0.741),
        ),
        Figure(TIMEOUT, 0.739, 0.737),
    ),
    DataSet(
        "Restaurant",
        "coupon_restaurant",
        0.001,
        PENALTIES,
        (
            Figure(0.003, 0.76, 0.753),
            Figure(16.607, 0.774, 0.757),
            Figure(97.332, 0.781, 0.757),
            Figure(57.195, 0.777, 0.762),
        ),
        (
            Figure(0.027, 0.765, 0.764),
            Figure(45.988, 0.788, 0.756),
            Figure(174.871, 0.792, 0.757),
            Figure(169.309, 0.794, 0.761),
        ),
        Figure(TIMEOUT, 0.757, 0.752),
    ),
)
