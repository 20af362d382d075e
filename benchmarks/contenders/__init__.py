"""Contenders by name; each is a small adapter around one package."""

from __future__ import annotations

from benchmarks.contenders.base import Contender
from benchmarks.contenders.binoct import BinOct
from benchmarks.contenders.cart import Cart
from benchmarks.contenders.gosdt import Gosdt
from benchmarks.contenders.imodels import Imodels
from benchmarks.contenders.leaf_sets import LeafSets
from benchmarks.contenders.licketysplit import LicketySplit
from benchmarks.contenders.ostrya import Ostrya
from benchmarks.contenders.pycontree import PyConTree
from benchmarks.contenders.pydl85 import PyDl85
from benchmarks.contenders.pystreed import PyStreed
from benchmarks.contenders.pytrees import PyTrees, PyTreesLds
from benchmarks.contenders.top_k import Top1, Top8, Top16
from benchmarks.contenders.two_threads import GosdtTwo, OstryaTwo, Top16Two
from benchmarks.contenders.unpriced import Unpriced

CONTENDERS: dict[str, type[Contender]] = {
    contender.name: contender
    for contender in (
        *(Ostrya, PyStreed, Gosdt, PyConTree, Imodels, PyTrees, PyTreesLds),
        *(PyDl85, LicketySplit, Cart, BinOct),
        *(Top1, Top8, Top16, LeafSets, Unpriced, OstryaTwo, GosdtTwo, Top16Two),
    )
}
