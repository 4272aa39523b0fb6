"""`ontomask compare`: several methods and k on one table, side by side."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from ..errors import plural
from .options import as_sets, judged_by, judging, pairs, read_by, shape_of, shaped
from .outputs import check, put

SHOWN = (
    ("method", "method", 0),
    ("k", "k", 0),
    ("loss_percent", "L %", 2),
    ("similarity", "similarity", 4),
    ("srl", "SRL %", 2),
    ("mrl", "MRL %", 2),
    ("score", "score", 2),
    ("k_reached", "k reached", 0),
    ("suppressed", "left out", 0),
    ("seconds", "seconds", 2),
)


@click.command(short_help="Try several methods and k on one table.")
@click.argument("table")
@click.option(
    "-q",
    "--quasi",
    multiple=True,
    required=True,
    metavar="COLUMN=KIND",
    help="A column by which people could be recognised, and how its values compare: as for `ontomask mask`.",
)
@click.option("-k", "ks", default="2,5,10,25", show_default=True, metavar="K,K,…", help="The k to try.")
@click.option("--method", "methods", multiple=True, metavar="NAME", help="A method to try; default: all. Once per method.")
@judging
@shaped
@click.option("--seed", type=int, help="Makes methods that draw lots repeatable.")
@click.option("--workers", type=int, metavar="N", help="Processes that share the work; default: as many as useful.")
@click.option("--csv", "csv_", is_flag=False, flag_value="-", metavar="[FILE]", help="The table as CSV; no FILE: printed.")
@click.option("--json", "json_", is_flag=False, flag_value="-", metavar="[FILE]", help="The table as JSON; no FILE: printed.")
@click.option("--report", metavar="FILE", help="A page with risk drawn against loss (HTML).")
@click.option("--force", is_flag=True, help="Replace existing files.")
def command(table: str, **given: Any) -> None:
    """Mask TABLE with several methods and k, in memory only, and say what each loses and what could be found.

    A * marks what is efficient: no other masking has less of both L and SRL.

    \b
    ontomask compare people.csv -q occupation=wordnet -q age=number -k 2,5,10,25
    """
    from ..engines.baskets import gathered
    from ..run.compare import about_comparison, compare
    from .progress import shown

    places = {"--csv": given["csv_"], "--json": given["json_"], "--report": given["report"]}
    check(places, given["force"], [table, *read_by(given)])
    shape = shape_of(given)
    with shown(["open", "read", "count", "match", "compare"]) as observer:
        found = compare(
            gathered(table, shape),
            as_sets(pairs("-q", given["quasi"], alone="flat"), shape),
            list(given["methods"]) or None,
            ks_of(given["ks"]),
            seed=given["seed"],
            workers=given["workers"],
            progress=observer,
            **judged_by(given),
        )
    rows, about = found.to_pylist(), about_comparison(found)
    if shape:
        about["input"] = Path(table.partition("#")[0]).name
    if given["csv_"]:
        put(_csv(rows), given["csv_"])
    if given["json_"]:
        import json

        put(json.dumps({"about": about, "rows": rows}, ensure_ascii=False, indent=1) + "\n", given["json_"])
    if given["report"]:
        from ..report.comparison import write_comparison

        write_comparison(rows, given["report"], about)
    if "-" not in (given["csv_"], given["json_"]):
        _show(rows, about)


def ks_of(text: str) -> list[int]:
    """2,5,10 as numbers."""
    try:
        return [int(part) for part in text.split(",")]
    except ValueError:
        raise click.UsageError(f"-k takes whole numbers separated by commas. Got '{text}' instead.") from None


def _csv(rows: list[dict[str, Any]]) -> str:
    import csv
    import io

    text = io.StringIO()
    writer = csv.DictWriter(text, list(rows[0]), lineterminator="\n")
    writer.writeheader()
    writer.writerows(rows)
    return text.getvalue()


def _show(rows: list[dict[str, Any]], about: dict[str, Any]) -> None:
    """A table on the terminal, the least loss first within each k; what could not be used comes last."""
    from ..report.comparison import not_done, without_promise

    done = [r for r in rows if r["error"] is None]
    click.echo(
        f"{about['input']}: {plural(about['records'], 'record')}, {plural(about['distinct tuples'] or 0, 'distinct tuple')}\n"
    )
    cells = [[_said(r[name], digits) for name, _, digits in SHOWN] for r in sorted(done, key=_order)]
    marks = ["*" if r["efficient"] else " " for r in sorted(done, key=_order)]
    titles = [title for _, title, _ in SHOWN]
    width = [max(map(len, column)) for column in zip(titles, *cells, strict=True)]
    click.secho("  " + "  ".join(_aligned(t, w, i) for i, (t, w) in enumerate(zip(titles, width, strict=True))), bold=True)
    for mark, row in zip(marks, cells, strict=True):
        click.echo(f"{mark} " + "  ".join(_aligned(t, w, i) for i, (t, w) in enumerate(zip(row, width, strict=True))))
    click.echo("\n* efficient: no other masking here has less of both L and SRL.")
    unpromised = without_promise(rows)
    if unpromised:
        click.echo(f"  {unpromised}")
    for failed in not_done(rows):
        click.echo(f"  Not done: {failed}")


def _order(row: dict[str, Any]) -> tuple[int, float]:
    return row["k"], row["loss_percent"]


def _aligned(text: str, width: int, column: int) -> str:
    return text.ljust(width) if column == 0 else text.rjust(width)


def _said(value: Any, digits: int) -> str:
    if value is None:
        return "–"
    return f"{value:,.{digits}f}" if isinstance(value, float) else f"{value:,}" if isinstance(value, int) else str(value)
