"""What happened in a run, in the words of somebody who does not program. Never a cell value."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from ..errors import plural

if TYPE_CHECKING:
    from ..run.masked import Masked

KINDS = {"flat": "plain values", "number": "numbers", "ordinal": "ordered words", "date": "dates"}


def before(masked: Masked) -> None:
    """What was read, and what each column was taken for."""
    from ..semantics.spaces.sets import SetSpace

    tuples, about = masked._tuples, masked.about
    names = [s.name for s in tuples.spaces]
    written, alone = about["combinations"], about["unique"]
    _line("Read", f"{about['input']}: {records(tuples.n)}" + "".join(f"; {note}" for note in masked._source.notes))
    _line("Before", f"{written:,} different combinations of {listed(names)}; {alone:,} of them single out one person")
    for space in tuples.spaces:
        matches = masked._matches.get(space.name)
        if isinstance(space, SetSpace) and matches is None:
            _line("", f"{space.name}: {plural(space.q, 'different set')} of {plural(space.inner.q, 'different item')}")
            continue
        if matches is None:
            _line("", f"{space.name}: {space.q:,} {KINDS.get(space.kind, 'values')}")
            continue
        summary = matches.summary()
        odd = summary["values"] - summary["matched_values"]
        rest = f"; {odd:,} understood as nothing ({about['unmatched']})" if odd else ""
        tax = matches.taxonomy.name or "the taxonomy"
        if isinstance(space, SetSpace):
            said = f"{plural(space.q, 'different set')} of {plural(summary['matched_values'], 'different item')}"
            _line("", f"{space.name}: {said}, understood as {plural(space.inner.q, 'concept')} of {tax}")
            continue
        _line("", f"{space.name}: {summary['values']:,} different words, understood as {space.q:,} concepts of {tax}{rest}")


def after(masked: Masked) -> None:
    """What was done, what it cost, and what it is good for."""
    tuples, flow, about, found = masked._tuples, masked._flow, masked.about, masked.evaluation
    k = about["k"]
    _line("Masked", f"with {about['method']}, k = {k:,}, in {masked._steps.seconds['mask']:.2f} s")
    if not len(flow.targets):
        _line("After", "every record was suppressed")
        return
    gone = f"; {records(flow.suppressed)} left out" if flow.suppressed else ""
    _line("After", f"{len(flow.targets):,} combinations, the rarest shared by {records(flow.k)}{gone}")
    changed, kept = found.loss["changed"], 100 * found.loss["similarity"]
    _line("Cost", f"{percent(changed, 0)} of the records changed; their meaning is kept to {percent(kept)}")
    _line("", f"(information lost: L = {percent(found.loss['loss_percent'])})")
    alone = 100 * about["combinations"] / tuples.n
    knows, linked = "someone who knows a person's true answers", found.risk.get("srl")
    if linked is None:  # not worked out for very large tables
        knows, linked = f"{knows} and looks for the same in the release", found.risk["mrl"]
    _line("Gain", f"{knows} finds the right record in {percent(linked)} of cases (before: {percent(alone)})")
    if not masked.method.promises_k:
        _line("Note", f"{about['method']} does not promise k-anonymity")
    fewest = found.risk.get("l_distinct", {})
    if fewest:
        said = ", ".join(f"{name} ({least:,})" for name, least in fewest.items())
        _line("Alike", f"people who look alike still differ in (fewest values in a group): {said}")
    if about.get("notes"):
        for note in about["notes"][len(masked._source.notes) :]:
            _line("Note", note)


def warnings(masked: Masked) -> None:
    for warning in masked.warnings:
        click.secho(f"Warning: {warning}", fg="yellow", err=True)


def proof(masked: Masked) -> None:
    """What was verified."""
    for sentence in masked.about["proof"]:
        _line("Checked", sentence)


def wrote(*paths: object) -> None:
    _line("Wrote", ", ".join(str(p) for p in paths))


def percent(value: float, digits: int = 1) -> str:
    """A share as it is said: neither "0 %" of what is a little more, nor "100 %" of what is a little less.

    >>> percent(3.62), percent(0.004), percent(99.98), percent(100.0)
    ('3.6 %', 'less than 0.1 %', 'more than 99.9 %', '100 %')
    """
    least = 10.0**-digits
    if value in (0, 100):
        return f"{value:.0f} %"
    if 0 < value < least:
        return f"less than {least:g} %"
    if 100 - least < value < 100:
        return f"more than {100 - least:.{digits}f} %"
    return f"{value:,.{digits}f} %"


def records(n: int) -> str:
    return plural(n, "record")


def listed(names: list[str]) -> str:
    """a, b and c"""
    return " and ".join([", ".join(names[:-1]), names[-1]]) if len(names) > 1 else names[0]


def _line(head: str, text: str) -> None:
    click.echo(click.style(f"{head:<10}", bold=not head.startswith(" ")) + text)
