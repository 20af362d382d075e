"""Ostrya and GOSDT with two threads."""

from __future__ import annotations

from benchmarks.contenders.gosdt import Gosdt
from benchmarks.contenders.ostrya import Ostrya
from benchmarks.contenders.top_k import Top16


class OstryaTwo(Ostrya):
    """`ostrya.solve` with `n_jobs=2`."""

    name = "ostrya-2"
    n_jobs = 2


class Top16Two(Top16):
    """The same with `top_k`."""

    name = "ostrya-top16-2"
    n_jobs = 2


class GosdtTwo(Gosdt):
    """`gosdt.GOSDTClassifier` with `worker_limit=2`."""

    name = "gosdt-2"
    n_workers = 2
