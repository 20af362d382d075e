"""One file per target: `draw` creates a case, `check` tests what must hold."""

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
    "certificates",
)
