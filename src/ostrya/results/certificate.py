"""Certificate: a proof of a lower bound that programs other than Ostrya can check."""

from __future__ import annotations

import hashlib
import os
from dataclasses import dataclass, field

from ostrya._whole_file import write_whole


@dataclass(frozen=True)
class Certificate:
    """A proof that no tree within the limits is better, or better by more than a gap.

    The reference defines the format of both files, and two programs in the folder
    ``verify`` of the repository check them without Ostrya.

    Attributes
    ----------
    proof : bytes
        The proof file.
    problem : bytes
        The problem file: the table as ranks, the weights, costs and limits.
    lower_bound : float
        The lower bound on the objective that is proved.
    digest : str
        The SHA-256 checksum of the proof file.

    Examples
    --------
    >>> import ostrya
    >>> X, y = [[0], [1], [2], [3]], [0, 0, 1, 1]
    >>> outcome = ostrya.solve(X, y, leaf_penalty=0.01, certify=True)
    >>> outcome.certificate.proof[:14], outcome.certificate.lower_bound
    (b'ostrya proof 1', 0.02)
    """

    proof: bytes = field(repr=False)
    problem: bytes = field(repr=False)
    lower_bound: float

    @property
    def digest(self) -> str:
        """The SHA-256 checksum of the proof file."""
        return hashlib.sha256(self.proof).hexdigest()

    def save(
        self,
        proof: str | os.PathLike[str],
        problem: str | os.PathLike[str] | None = None,
    ) -> None:
        """Write the proof file, and the problem file if a place is given for it."""
        write_whole(proof, self.proof)
        if problem is not None:
            write_whole(problem, self.problem)
