from typing import Any

def solve(
    X: Any,
    codes: Any,
    weights: Any,
    costs: Any,
    scale: int,
    penalty: int,
    options: dict[str, Any],
    on_progress: Any,
) -> dict[str, Any]: ...
def instruction_set() -> str: ...
