"""`ontomask verify`: is anyone's file k-anonymous?"""

from __future__ import annotations

import sys

import click

from ..errors import plural


@click.command(short_help="Check that a file is k-anonymous.")
@click.argument("table")
@click.option("-q", "--quasi", multiple=True, required=True, metavar="COLUMN", help="A column that counts. Once per column.")
@click.option("-k", type=int, required=True, metavar="K", help="At least so many records must be equal in all these columns.")
@click.option("--memory-limit", metavar="SIZE", help="As 500MB or 4GB; what does not fit goes to disk.")
@click.option("--engine", default="duckdb", metavar="NAME", help="duckdb (default), or spark.")
@click.option("--master", metavar="URL", help="The cluster for --engine spark, such as local[2] or spark://host:7077.")
def command(table: str, quasi: tuple[str, ...], k: int, memory_limit: str | None, engine: str, master: str | None) -> None:
    """Count the records of TABLE that are equal in all the named columns, as they are written.

    Missing values are equal to each other. Exit code 0: every class has at least K records; 1: some class has fewer.
    """
    from ..run.verify import verify
    from .mask import engine_named
    from .progress import shown

    columns = [name.partition("=")[0] for name in quasi]
    with shown(["open", "count"]) as observer:
        found = verify(table, columns, k, engine=engine_named(engine, master, memory_limit), progress=observer)
    click.echo(f"{found.input}: {found.sentence()}")
    if found.missing:
        have = f"{plural(found.missing, 'record')} {'has' if found.missing == 1 else 'have'}"
        click.echo(f"{have} a missing value among {', '.join(columns)}; missing counts as a value.")
    if not found.kept:
        sys.exit(1)
