"""`ontomask evaluate`: what a masked table lost and what could be found in it, whichever tool made it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from ..errors import plural
from .options import judged_by, judging, pairs, read_by
from .outputs import check, put

if TYPE_CHECKING:
    from ..evaluation.evaluate import Evaluation


@click.command(short_help="Say what a masked table lost and what an intruder could find.")
@click.argument("original")
@click.argument("masked")
@click.option(
    "-q",
    "--quasi",
    multiple=True,
    required=True,
    metavar="COLUMN=KIND",
    help="A column that was masked, and how its values compare: as for `ontomask mask`. Once per column.",
)
@click.option("-k", type=int, metavar="K", help="What class sizes are held against; default: 2.")
@click.option("--id", "id_", metavar="COLUMN", help="Match records by this column; default: by their place.")
@click.option("--suppressed", is_flag=True, help="Records may have been left out (needs --id), or say * in every column.")
@click.option(
    "--hierarchy", multiple=True, metavar="COLUMN=FILE", help="The levels that another tool used: value;level1;level2;…"
)
@click.option("--learn", multiple=True, metavar="COLUMN", help="How well models learn it from the release (scikit-learn).")
@judging
@click.option("--unresolved", default="error", metavar="WHAT", help="Masked words without a meaning: error (default), root.")
@click.option("--clusters", type=int, default=5, show_default=True, help="How many a cluster analysis makes.")
@click.option("--json", "json_", is_flag=False, flag_value="-", metavar="[FILE]", help="Everything as JSON; no FILE: printed.")
@click.option("--csv", "csv_", is_flag=False, flag_value="-", metavar="[FILE]", help="Figures as CSV; no FILE: printed.")
@click.option("--force", is_flag=True, help="Replace existing files.")
def command(original: str, masked: str, **given: Any) -> None:
    """Compare MASKED with its ORIGINAL: information lost, risk left, statistics kept.

    MASKED may come from any tool. A value of it may be a value of the original, a concept, a level of a hierarchy, a set
    such as {a, b} or a~b, an interval, or *.

    \b
    ontomask evaluate people.csv masked.csv -q occupation=wordnet -q age=number -k 5
    """
    from ..run.evaluate import evaluate
    from .progress import shown

    check({"--json": given["json_"], "--csv": given["csv_"]}, given["force"], [original, masked, *read_by(given)])
    with shown(["open", "read", "pair", "match", "evaluate"]) as observer:
        found = evaluate(
            original,
            masked,
            pairs("-q", given["quasi"], alone="flat"),
            learn=list(given["learn"]),
            id=given["id_"],
            suppressed=given["suppressed"],
            hierarchies=pairs("--hierarchy", given["hierarchy"]),
            k=given["k"],
            clusters=given["clusters"],
            **judged_by(given),
            unresolved=given["unresolved"],
            progress=observer,
        )
    if given["json_"]:
        import json

        put(json.dumps(found.to_dict(), ensure_ascii=False, indent=1, allow_nan=False) + "\n", given["json_"])
    if given["csv_"]:
        put(as_csv(found), given["csv_"])
    if "-" not in (given["json_"], given["csv_"]):
        _show(found)


def as_csv(found: Evaluation) -> str:
    """part,measure,of,value: one line per figure."""
    import csv
    import io

    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(["part", "measure", "of", "value"])
    told = found.to_dict()
    for part in ("loss", "risk"):
        for measure, value in told[part].items():
            for of, figure in _flat(value):
                writer.writerow([part, measure, of, figure])
    for of, row in told["statistics"].items():
        for measure, value in row.items():
            for side, figure in _flat(value):
                writer.writerow(["statistics", f"{measure} {side}".strip(), of, figure])
    return text.getvalue()


def _flat(value: Any, path: str = "") -> list[tuple[str, Any]]:
    if not isinstance(value, dict):
        return [(path, value)]
    return [pair for key, inner in value.items() for pair in _flat(inner, f"{path} {key}".strip())]


def _show(found: Evaluation) -> None:
    """The figures, each with what it is."""
    from .._registry import LOSSES, RISKS

    click.echo(f"{plural(found.records, 'record')}; {', '.join(found.attributes)}; {found.notes['records matched']}")
    for title, figures, registry in (("Lost", found.loss, LOSSES), ("Can be found", found.risk, RISKS)):
        click.secho(f"\n{title}", bold=True)
        for name, value in figures.items():
            what = registry.entry(name).summary if name in registry else "α·L + (1−α)·SRL"
            for of, figure in _flat(value):
                click.echo(f"  {name + (f' ({of})' if of else ''):<32}{_said(figure):>14}  {what}")
    click.secho("\nStatistics (original → masked)", bold=True)
    for names, row in found.statistics.items():
        of = names if isinstance(names, str) else " × ".join(names)
        for measure, value in row.items():
            if measure == "mean":
                continue  # a word of the data: --json has it
            said = f"{_said(value['original'])} → {_said(value['masked'])}" if isinstance(value, dict) else _said(value)
            click.echo(f"  {of}: {measure} {said}")
    resolved = found.notes.get("resolved", {})
    if resolved:
        click.secho("\nHow masked values were read", bold=True)
        for column, ways in resolved.items():
            for way, often in ways.items():
                click.echo(f"  {column}: {often:,} × {way}")
    for name in ("classes", "missing", "suppressed", "clustering"):
        if name in found.notes:
            click.echo(f"  {name}: {found.notes[name]}")


def _said(value: Any) -> str:
    if value is None:
        return "–"
    return f"{value:,}" if isinstance(value, int) else f"{value:.4g}" if isinstance(value, float) else str(value)
