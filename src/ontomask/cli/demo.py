"""`ontomask demo`: the bundled example, from a CSV to a verified CSV and a report."""

from __future__ import annotations

import shutil
from pathlib import Path

import click

from ..errors import OutputError

EXAMPLE = Path(__file__).parents[1] / "data" / "visitors.csv"
MEANINGS = EXAMPLE.with_name("visitors-meanings.csv")  # what a person who looked at the matches put right
COLUMNS = ("reason", "activity")


@click.command(short_help="Mask the bundled example.")
@click.option("--output", metavar="DIR", default="demo", show_default=True, help="The folder that is made and filled.")
@click.option("--force", is_flag=True, help="Replace files that are there already.")
def command(output: str, force: bool) -> None:
    """Mask the bundled example, print what happened, write a report.

    The example is a made-up survey of 975 visitors of a nature park, like the real one of the first paper on the subject:
    free words say why people came and what they did. Who knows both of a person would recognise one in eight.
    """
    from .mask import run

    folder = Path(output)
    folder.mkdir(parents=True, exist_ok=True)
    masked, report = folder / "visitors-masked.csv", folder / "report.html"
    example, meanings = (folder / file.name for file in (EXAMPLE, MEANINGS))
    for path in (example, meanings, masked, report):
        if path.exists() and not force:
            raise OutputError(
                f"The file '{path}' is there already. Name another folder with --output, or replace it with --force."
            )
    shutil.copyfile(EXAMPLE, example)
    shutil.copyfile(MEANINGS, meanings)
    click.echo("975 visitors of a nature park said why they came and what they did. Each is asked to look like four others.\n")
    run(
        str(example),
        str(masked),
        quasi=dict.fromkeys(COLUMNS, "wordnet"),
        overrides=dict.fromkeys(COLUMNS, str(meanings)),
        method="sa-mdav",
        k=5,
        drop=["visitor"],
        confidential=["age", "gender", "origin", "days", "companions"],
        seed=1,
        force=force,
        report=str(report),
    )
    click.echo(f"\nOpen {report} in a browser. The same by hand:\n")
    click.echo(
        f"  ontomask mask {example} -o masked.csv -q reason=wordnet -q activity=wordnet \\\n"
        f"    --overrides reason={meanings} --overrides activity={meanings} \\\n"
        "    --method sa-mdav -k 5 --drop visitor --report report.html"
    )
