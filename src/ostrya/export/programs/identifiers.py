"""Convert column names to identifiers that are valid in every language."""

from __future__ import annotations

import keyword
import re
from collections.abc import Container, Iterable

_PLAIN = re.compile(r"[A-Za-z][A-Za-z0-9_]*")
_ODD = re.compile(r"[^A-Za-z0-9]+")
MOST_LETTERS = 60

# Names with a meaning in a language, in its compilers, or in the exported programs.
_C = """
alignas alignof and_eq asm auto bitand bitor bool case catch char char8_t char16_t
char32_t compl concept const consteval constexpr constinit const_cast co_await
co_return co_yield decltype default delete do double dynamic_cast enum explicit export
extern false float friend goto i386 inline int linux long mutable namespace new noexcept
not_eq nullptr operator or_eq private protected public register reinterpret_cast
requires restrict short signed sizeof static static_assert static_cast struct switch
template this thread_local throw true typedef typeid typename typeof typeof_unqual union
unix unsigned using virtual void volatile wchar_t xor xor_eq NULL strcmp
"""
_JAVASCRIPT = """
abstract arguments await boolean byte debugger eval final function implements
extends instanceof interface let native null package super synchronized throws
transient undefined var Date Error NaN Number Object TypeError
"""
# Macros of compilers, and of headers that may be included before the exported one.
_MACROS = """
complex errno far huge imaginary mips near noreturn pascal small sparc stderr stdin
stdout sun CHAR_BIT CHAR_MAX CHAR_MIN CONST DBL_MAX DBL_MIN DELETE EOF ERROR FALSE
FLT_MAX FLT_MIN HUGE_VAL I IN INFINITY INT_MAX INT_MIN LONG_MAX LONG_MIN NAN OPTIONAL
OUT TRUE VOID
"""
_OURS = """
cell classes column datetime isinstance label leaf moment number predict predictProba
probabilities row text unused value
"""
RESERVED = {
    *(*keyword.kwlist, *keyword.softkwlist),
    *(*_C.split(), *_JAVASCRIPT.split(), *_MACROS.split(), *_OURS.split()),
}


def identifiers(names: Iterable[str]) -> list[str]:
    """Return a distinct identifier for each name.

    A name that is an identifier is never changed, even if another name is converted to
    the same identifier; then the other one gets a number.

    Examples
    --------
    >>> identifiers(["age", "marital status", "marital-status", "class", "2020", "年"])
    ['age', 'marital_status', 'marital_status_2', 'class_', 'column_2020', 'column_']
    """
    names = list(names)
    taken = {name for name in names if _is_plain(name)}
    given: list[str] = []
    for name in names:
        if _is_plain(name):
            given.append(name)
            continue
        word = _ODD.sub("_", name).strip("_")[:MOST_LETTERS].rstrip("_")
        if not word[:1].isalpha():
            word = f"column_{word}".rstrip("_")
        if word in RESERVED:
            word += "_"
        given.append(unlike(word, taken))
        taken.add(given[-1])
    return given


def unlike(name: str, taken: Container[str]) -> str:
    """Return the name, followed by a number if the name is taken.

    Examples
    --------
    >>> unlike("prediction", {"age", "prediction"})
    'prediction_2'
    """
    number, other = 2, name
    while other in taken:
        other, number = f"{name}_{number}", number + 1
    return other


def _is_plain(name: str) -> bool:
    is_word = _PLAIN.fullmatch(name) is not None and len(name) <= MOST_LETTERS
    return is_word and name not in RESERVED
