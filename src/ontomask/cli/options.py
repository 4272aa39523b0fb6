"""What several commands ask for in the same words, and how NAME=VALUE options are read."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, TypeVar

import click

Command = TypeVar("Command", bound=Callable[..., Any])

# Of the commands that judge maskings; `ontomask mask` says more of each and may find them in a recipe.
_JUDGING = (
    click.option("--measure", default="logsc", show_default=True, metavar="NAME", help="How words compare."),
    click.option("--confidential", multiple=True, metavar="COLUMN[=KIND]", help="Say what classes give away about it (l, t)."),
    click.option("--weights", multiple=True, metavar="COLUMN=NUMBER", help="How much a column counts in the distance."),
    click.option("--overrides", multiple=True, metavar="COLUMN=FILE", help="A CSV of value,concept: what words mean."),
    click.option("--unmatched", default="error", metavar="WHAT", help="Original words without a meaning: as for mask."),
    click.option("--missing", default="value", metavar="WHAT", help="Missing values: as for mask."),
    click.option("--senses", default="context", metavar="HOW", help="Words with several meanings: context (default), first."),
    click.option("--alpha", type=float, default=0.5, show_default=True, help="The weight of loss in the score."),
    click.option("--memory-limit", metavar="SIZE", help="As 500MB or 4GB; what does not fit goes to disk."),
)


def judging(command: Command) -> Command:
    """The options that evaluate and compare share."""
    for option in reversed(_JUDGING):
        command = option(command)
    return command


def judged_by(given: Mapping[str, Any]) -> dict[str, Any]:
    """Those options, as om.evaluate and om.compare take them."""
    same = ("measure", "unmatched", "missing", "senses", "alpha", "memory_limit")
    return {n: given[n] for n in same} | {
        "confidential": pairs("--confidential", given["confidential"], alone="flat"),
        "weights": {n: number("--weights", v) for n, v in pairs("--weights", given["weights"]).items()},
        "overrides": pairs("--overrides", given["overrides"]),
    }


# Files that are not one record a row.
_SHAPES = (
    click.option("--long", metavar="RECORD,ITEM", help="TABLE holds one item of a set per row: these two columns are read."),
    click.option(
        "--baskets", metavar="CHARACTER", help="TABLE holds one set a line, with this between the items: column 'items'."
    ),
)


def shaped(command: Command) -> Command:
    """The options that say which shape a table of sets has."""
    for option in reversed(_SHAPES):
        command = option(command)
    return command


def shape_of(given: Mapping[str, Any]) -> dict[str, Any]:
    """--long and --baskets as a recipe writes them."""
    long, baskets = given["long"], given["baskets"]
    if long is not None and baskets is not None:
        raise click.UsageError("--long and --baskets are two shapes of a table. Choose one.")
    if baskets is not None:
        return {"baskets": baskets}
    if long is None:
        return {}
    names = [name.strip() for name in long.split(",")]
    if len(names) != 2 or not all(names):
        raise click.UsageError(f"--long takes RECORD,ITEM: two columns. Got '{long}' instead.")
    return {"long": names}


def as_sets(quasi: Mapping[str, str], shape: Mapping[str, Any]) -> dict[str, str]:
    """The column of items that a shape makes is one of sets, whether -q says so or only names a taxonomy."""
    column = shape["long"][1] if "long" in shape else "items" if shape else None
    found = dict(quasi)
    if column in found and found[column].partition(":")[0] != "set":
        found[column] = "set:|" if found[column] == "flat" else f"set:|:{found[column]}"
    return found


def pairs(parameter: str, given: Sequence[str], alone: str | None = None) -> dict[str, str]:
    """NAME=VALUE options as a dict; `alone` stands for the value where there is only a name."""
    found: dict[str, str] = {}
    for text in given:
        name, sign, value = text.partition("=")
        if not name or (not sign and alone is None):
            raise click.UsageError(f"{parameter} takes NAME=VALUE. Got '{text}' instead.")
        if name in found:
            raise click.UsageError(f"{parameter} names '{name}' twice. Name each once.")
        found[name] = value if sign else str(alone)
    return found


def number(parameter: str, text: str) -> float:
    try:
        return float(text)
    except ValueError:
        raise click.UsageError(f"{parameter} takes COLUMN=NUMBER. Got '{text}' instead of a number.") from None


def read_by(given: Mapping[str, Any]) -> list[str]:
    """Whatever the options of a command may name as a file to read, beside the table: taxonomies, overrides, hierarchies."""
    named = [text.partition("=")[2] for name in ("quasi", "overrides", "hierarchy") for text in given.get(name) or ()]
    return [text for text in named if text]
