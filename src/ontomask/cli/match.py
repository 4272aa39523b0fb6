"""`ontomask match`: show which concept each value of a column means, for review."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any

import click

from .outputs import check

if TYPE_CHECKING:
    from ..matching.matches import Matches


@click.command()
@click.argument("file", metavar="FILE")
@click.option(
    "-q", "--quasi", "quasi", multiple=True, required=True, metavar="COLUMN=TAXONOMY", help="A column and what it speaks of."
)
@click.option("--overrides", metavar="CSV", help="value,concept: what some values mean; an edited review will do.")
@click.option("--senses", type=click.Choice(["context", "first"]), default="context", show_default=True)
@click.option("--measure", default="logsc", show_default=True, help="The distance that tells senses apart.")
@click.option("-o", "--output", metavar="CSV", help="Write the whole review there.")
@click.option("--force", is_flag=True, help="Overwrite the output.")
@click.option("--rows", default=20, show_default=True, help="Show so many values of each column: unmatched ones first.")
def command(
    file: str,
    quasi: tuple[str, ...],
    overrides: str | None,
    senses: str,
    measure: str,
    output: str | None,
    force: bool,
    rows: int,
) -> None:
    """Show which concept each value of a column means.

    The review (--output) is made to be read and edited: change the concept of a row to an id or a label, or empty it, and
    give the file back with --overrides. It shows cell values of the data. Of a column of sets (likes=set:|:wordnet) the items
    are matched.
    """
    from .._progress import several
    from ..matching.match import match
    from ..matching.matches import write_review
    from ..run.columns import attribute
    from ..run.steps import Steps
    from ..taxonomy.load import load_taxonomy
    from .progress import shown

    wanted = dict(_pair(text) for text in quasi)
    check({"-o": output}, force, [file, overrides, *wanted.values()])
    found: dict[str, Matches] = {}
    how: dict[str, Any] = {"senses": senses, "overrides": overrides, "measure": measure}

    def of(column: str) -> tuple[str, Matches]:
        (values, counts), taxonomy = read[column], wanted[column]
        if _is_set(taxonomy):
            return _of_sets(column, taxonomy, values, counts, how)
        return taxonomy, match(values, taxonomy, counts=counts, column=column, **how)

    with shown(["count", "read", "match"]) as observer:
        steps = Steps(observer)
        with steps("count"):
            read = _read(file, list(wanted))
        named = [partial(attribute, c, t) if _is_set(t) else partial(load_taxonomy, t) for c, t in wanted.items()]
        steps.take("read", lambda: several(named))
        matched = steps.take("match", lambda: several([partial(of, column) for column in wanted]))
    for column, (taxonomy, matches) in zip(wanted, matched, strict=True):
        found[column] = matches
        _show(column, taxonomy, matches, rows)
    if output:
        write_review(found, output)
        click.echo(f"The review of all values: {output}. Edit its 'concept', then give it back with --overrides {output}")


def _of_sets(column: str, spec: str, values: list[Any], counts: list[int], how: dict[str, Any]) -> tuple[str, Matches]:
    """The name of the items' taxonomy, and what the items of a column of sets mean: each looked up as a whole."""
    from ..matching.match import match
    from ..run.columns import attribute
    from ..run.sets import items_of

    meant = attribute(column, spec)
    if meant.taxonomy is None:
        raise click.BadParameter(f"'{spec}' names no taxonomy, as 'set:|:wordnet' does.", param_hint="-q")
    records: dict[str, int] = {}
    for value, n in zip(values, counts, strict=True):
        for item in items_of(meant, value):
            records[item] = records.get(item, 0) + n
    found = match(list(records), meant.taxonomy, counts=list(records.values()), column=column, **how)
    return meant.taxonomy.name or spec, found


def _is_set(spec: str) -> bool:
    return spec.partition(":")[0] == "set"


def _pair(text: str) -> tuple[str, str]:
    column, equals, taxonomy = text.partition("=")
    if not equals or not column or not taxonomy:
        raise click.BadParameter(f"'{text}' must be COLUMN=TAXONOMY, as in reason=wordnet.", param_hint="-q")
    return column, taxonomy


def _read(file: str, columns: list[str]) -> dict[str, tuple[list[Any], list[int]]]:
    """Distinct values of each column with their records, in order of first occurrence."""
    from .._registry import ENGINES
    from ..run.columns import check_roles

    engine = ENGINES.load("duckdb")()
    try:
        source = engine.open(file)
        check_roles(source.names, {"quasi": columns})
        found = {}
        for column in columns:
            counted = engine.count(source, [column])
            found[column] = (counted.values.column(0).to_pylist(), [int(n) for n in counted.counts])
        return found
    finally:
        engine.close()


def _show(column: str, taxonomy: str, found: Matches, rows: int) -> None:
    from rich.console import Console
    from rich.table import Table

    console = Console()
    s = found.summary()
    console.print(
        f"[bold]{_plain(column)}[/bold] in {_plain(taxonomy)}: {s['matched_values']:,} of {s['values']:,} values matched "
        f"({s['share_values']:.1%}), {s['matched_records']:,} of {s['records']:,} records ({s['share_records']:.1%})"
    )
    for how, n in s["how"].items():
        console.print(f"  {how}: {_many(n['values'], 'value')}, {_many(n['records'], 'record')}")
    first = set(found.unmatched)
    order = [*found.unmatched, *sorted((i for i in range(len(found)) if i not in first), key=lambda i: -int(found.counts[i]))]
    table = Table(show_edge=False, pad_edge=False)
    for title in ("value", "records", "label", "kind of", "sense", "how", "runner-up", "margin"):
        table.add_column(title, justify="right" if title in ("records", "margin") else "left")
    review = found.table(near=rows)
    for i in order[:rows]:
        row = {name: review.column(name)[i].as_py() for name in review.column_names}
        table.add_row(
            _plain(row["value"] if row["value"] is not None else "(missing)"),
            f"{row['records']:,}",
            *(_plain(row[name] or "") for name in ("label", "kind_of", "sense", "how", "runner_up")),
            "" if row["margin"] is None else f"{row['margin']:.3f}",
        )
    console.print(table)
    if len(order) > rows:
        console.print(f"  and {_many(len(order) - rows, 'more value')}; all of them with --output")


def _many(n: int, of: str) -> str:
    return f"{n:,} {of}{'' if n == 1 else 's'}"


def _plain(text: str) -> str:
    """Text that rich takes as it is."""
    from rich.markup import escape

    return escape(text)
