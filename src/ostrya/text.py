"""Draw a tree as text; the name that came before `ostrya.export`."""

from ostrya.export.text import export_text as draw

__all__ = ["draw"]
