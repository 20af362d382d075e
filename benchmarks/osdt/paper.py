"""Results in the paper: Hu, Rudin and Seltzer, NeurIPS 2019, Table 2 (supplement I).

ProPublica data, penalty 0.005, cold start, curiosity.
"""

from __future__ import annotations

from typing import NamedTuple


class Row(NamedTuple):
    """Total and to the optimum: seconds and trees; memory in gigabytes."""

    seconds: float | None
    seconds_to_optimum: float | None
    trees: int | None
    trees_to_optimum: int | None
    memory: float | None
    finished: bool = True


TABLE_2 = {
    "all bounds": Row(14.70, 1.01, 232_402, 16_001, 0.08),
    "node_support": Row(17.11, 1.09, 279_763, 18_880, 0.08),
    "incremental_accuracy": Row(30.16, 1.13, 546_402, 21_686, 0.08),
    "leaf_accuracy": Row(31.83, 1.23, 475_691, 19_676, None),
    "look_ahead": Row(31_721.0, 187.18, 284_651_888, 3_078_274, 10.0),
    "equivalent_points": Row(12_475.0, None, 77_000_000, None, 64.0, finished=False),
}

# Figure 2 says of the curves only what the text says: curiosity finds the optimum much
# sooner than the lower bound. Figure 3 has no numbers in the text.
