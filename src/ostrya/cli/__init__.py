"""The command line: ``ostrya fit``, ``predict``, ``show``, ``plot`` and ``demo``."""
