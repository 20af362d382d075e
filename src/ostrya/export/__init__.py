"""A tree for people and for other programs: text, pictures, files, models."""

from ostrya.export.text import export_rules, export_text
from ostrya.export.wording import Wording

__all__ = ["Wording", "export_rules", "export_text"]
