"""One file per target: `draw` a case, `check` what must be true of it."""

NAMES = (
    "oracle",
    "rounding",
    "frontier",
    "prices",
    "engines",
    "relations",
    "limits",
    "interrupts",
    "threads",
    "allocations",
    "checkpoints",
    "traces",
    "readers",
)
