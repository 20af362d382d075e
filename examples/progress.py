"""Watch the bounds meet, and keep the tree when the time is up."""

from sklearn.datasets import load_breast_cancer

import ostrya


def show(progress: ostrya.Progress) -> None:
    """Print one line."""
    print(
        f"{progress.seconds:5.1f} s   optimum in [{progress.lower_bound:.4f}, "
        f"{progress.objective:.4f}]   {progress.n_leaves} leaves"
    )


data = load_breast_cancer()
outcome = ostrya.solve(
    data.data,
    data.target,
    leaf_penalty=0.01,
    max_depth=3,
    time_limit=1.0,
    on_progress=show,
)
print(f"{outcome.status}: objective {outcome.objective:.4f}, gap {outcome.gap:.4f}")
