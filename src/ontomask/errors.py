"""Every error a user can meet, and the grammar in which all of them speak.

A message says which parameter, of what, must be what, what it got, and what to do next:

    The 'k' parameter of Recoding must be an int ≥ 2. Got 1 instead. Choose k = 2 or more.

No message prints a cell value of the data: names of columns, parameters, files and concepts asked for may be named.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from difflib import get_close_matches


class OntomaskError(Exception):
    """The root of the tree: `except OntomaskError` catches whatever this package raises on purpose."""


class ParameterError(OntomaskError, ValueError):
    """A parameter has an illegal value."""


class UnknownNameError(ParameterError, KeyError):
    """A name (column, method, measure, taxonomy, recipe key) is not among the known ones."""

    def __str__(self) -> str:  # KeyError would print the repr of the message
        return str(self.args[0]) if self.args else ""


class DataError(OntomaskError, ValueError):
    """The table cannot be read or used as it is."""


class TaxonomyError(OntomaskError, ValueError):
    """A taxonomy is not a usable is-a graph."""


class FormatError(TaxonomyError):
    """A taxonomy file is not what its format asks for."""


class UnknownConceptError(TaxonomyError, KeyError):
    """A concept id or label is not in the taxonomy."""

    def __str__(self) -> str:
        return str(self.args[0]) if self.args else ""


class MatchingError(OntomaskError, ValueError):
    """Some values could not be matched to a concept."""


class PromiseError(OntomaskError):
    """A release does not keep what it promises (k-anonymity, kept marginals)."""


class OutputError(OntomaskError, OSError):
    """The result cannot be written where it was asked for."""


class DependencyError(OntomaskError, ImportError):
    """An optional package is needed and not installed."""


def did_you_mean(word: str, options: Iterable[str], cutoff: float = 0.6) -> str:
    """The sentence " Did you mean 'x'?" or the empty string.

    >>> did_you_mean("ocupation", ["occupation", "age"])
    " Did you mean 'occupation'?"
    """
    known = [str(o) for o in options]
    folded = {o.casefold(): o for o in known}
    near = get_close_matches(str(word).casefold(), list(folded), n=3, cutoff=cutoff)
    names = [f"'{folded[n]}'" for n in near]
    if not names:
        return ""
    return f" Did you mean {' or '.join(names)}?"


def listed(names: Sequence[str], most: int = 12) -> str:
    """'a', 'b', 'c' … (and 5 more)."""
    shown = ", ".join(f"'{n}'" for n in names[:most])
    return shown + (f" (and {len(names) - most} more)" if len(names) > most else "")


def plural(n: int, word: str) -> str:
    """
    >>> plural(1, "record"), plural(1200, "class")
    ('1 record', '1,200 classes')
    """
    ending = "" if n == 1 else "es" if word.endswith(("s", "x")) else "s"
    return f"{n:,} {word}{ending}"


def illegal(parameter: str, of: str, must: str, got: object, then: str = "") -> ParameterError:
    """The one sentence in which an illegal parameter is refused.

    >>> str(illegal("k", "Recoding", "be an int ≥ 2", 1, "Choose k = 2 or more."))
    "The 'k' parameter of Recoding must be an int ≥ 2. Got 1 instead. Choose k = 2 or more."
    """
    text = f"The '{parameter}' parameter of {of} must {must}. Got {got!r} instead."
    return ParameterError(f"{text} {then}".rstrip())


def unknown(kind: str, name: str, known: Iterable[str], then: str = "", of: str = "") -> UnknownNameError:
    """The one sentence in which an unknown name is refused.

    >>> str(unknown("measure", "logsk", ["logsc", "path"]))
    "There is no measure 'logsk'. Did you mean 'logsc'? Known: 'logsc', 'path'."
    """
    names = [str(n) for n in known]
    text = f"There is no {kind} '{name}'{of and f' {of}'}.{did_you_mean(name, names)} Known: {listed(names) or 'none'}."
    return UnknownNameError(f"{text} {then}".rstrip())


def needs(package: str, extra: str, purpose: str) -> DependencyError:
    """The one sentence in which a missing optional package is reported."""
    return DependencyError(
        f"{purpose} needs the package '{package}', which is not installed. Install it with: pip install 'ontomask[{extra}]'"
    )
