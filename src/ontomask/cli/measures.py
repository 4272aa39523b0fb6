"""`ontomask measures`: how meanings can be compared."""

from __future__ import annotations

import click

from .._registry import MEASURES


@click.command(short_help="List the semantic distance measures.")
@click.argument("name", required=False)
def command(name: str | None) -> None:
    """List the semantic distance measures, or tell about the one that is NAMEd, with its options."""
    if name is None:
        width = max(len(n) for n in MEASURES)
        for entry in MEASURES.entries():
            click.echo(click.style(f"{entry.name:<{width}}  ", bold=True) + f"{entry.summary}  ({entry.source})")
        return
    from inspect import getdoc

    entry = MEASURES.entry(name)
    measure = entry.load()
    click.secho(f"{entry.name}: {entry.summary} ({entry.source})", bold=True)
    click.echo((getdoc(measure) or "").strip())
    if not measure.symmetric:
        click.echo("It is not symmetric: the distance there may differ from the distance back.")
    if measure.known:
        click.secho("\nOptions, in Python (tax.distance(a, b, measure=…, OPTION=…)):", bold=True)
        for option, usual in measure.known.items():
            click.echo(f"  {option} = {usual}")
