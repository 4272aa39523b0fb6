"""`ontomask methods`: what can be done to a table."""

from __future__ import annotations

import click

from .._registry import METHODS


@click.command(short_help="List the masking methods.")
@click.argument("name", required=False)
def command(name: str | None) -> None:
    """List the masking methods, or tell about the one that is NAMEd, with its settings."""
    if name is None:
        width = max(len(n) for n in METHODS)
        for entry in METHODS.entries():
            source = f"  ({entry.source})" if entry.source else ""
            click.echo(click.style(f"{entry.name:<{width}}  ", bold=True) + entry.summary + source)
        return
    from dataclasses import MISSING, fields
    from inspect import getdoc

    entry = METHODS.entry(name)
    method = entry.load()
    click.secho(f"{entry.name}: {entry.summary}" + (f" ({entry.source})" if entry.source else ""), bold=True)
    click.echo((getdoc(method) or "").strip())
    preset = method.presets.get(name, {})
    click.secho("\nSettings (--set NAME=VALUE):", bold=True)
    for setting in fields(method):
        usual = preset.get(setting.name, None if setting.default is MISSING else setting.default)
        click.echo(f"  {setting.name}" + (" (by -k)" if setting.name == "k" else f" = {usual}"))
