"""`ontomask measures`: how meanings can be compared."""

from __future__ import annotations

import click

from .._registry import MEASURES

# What the text of an option looks like.
SAID = {
    "normalised": "true or false (usually false)",
    "depth": "nodes on the longest path from the root (usually the taxonomy's own)",
    "counts": "a CSV of concept,count; in Python a mapping (usually none: information comes from the taxonomy)",
    "weights": "three numbers with / between them (usually 1/3 each)",
}


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
        click.secho("\nOptions", bold=True)
        for option in measure.known:
            click.echo(f"  {option:<12}{SAID[option]}")
        first = next(iter(measure.known))
        click.echo(f"\nAs in --measure {name}:{first}=…, or tax.distance(a, b, measure='{name}', {first}=…).")
