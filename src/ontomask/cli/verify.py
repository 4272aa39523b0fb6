"""`ontomask verify`: is anyone's file k-anonymous?"""

from __future__ import annotations

import sys

import click


@click.command(short_help="Check that a file is k-anonymous.")
@click.argument("table")
@click.option("-q", "--quasi", multiple=True, required=True, metavar="COLUMN", help="A column that counts. Once per column.")
@click.option("-k", type=int, required=True, metavar="K", help="At least so many records must be equal in all these columns.")
@click.option("--memory-limit", metavar="SIZE", help="As 500MB or 4GB; what does not fit goes to disk.")
def command(table: str, quasi: tuple[str, ...], k: int, memory_limit: str | None) -> None:
    """Count the records of TABLE that are equal in all the named columns, as they are written.

    Missing values are equal to each other. Exit code 0: every class has at least K records; 1: some class has fewer.
    """
    from ..run.verify import verify

    columns = [name.partition("=")[0] for name in quasi]
    found = verify(table, columns, k, memory_limit=memory_limit)
    click.echo(f"{found.input}: {found.sentence()}")
    if found.missing:
        click.echo(f"{found.missing:,} records have a missing value among {', '.join(columns)}; missing counts as a value.")
    if not found.kept:
        sys.exit(1)
