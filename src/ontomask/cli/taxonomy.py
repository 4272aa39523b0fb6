"""`ontomask taxonomy`: look into a taxonomy, measure in it, check a file, compile it."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from time import perf_counter
from typing import TYPE_CHECKING, Any

import click

from .._registry import FORMATS, MEASURES

if TYPE_CHECKING:
    from ..taxonomy.draft import Draft, Problem
    from ..taxonomy.taxonomy import Taxonomy

DEFAULT = "wordnet"

_format = click.option("--format", "format_", metavar="NAME", help=f"Read the file as: {', '.join(FORMATS)}.")
_taxonomy = click.option(
    "-t", "--taxonomy", "named", metavar="TAXONOMY", help=f"A file, a folder or a bundled name; default: {DEFAULT}."
)


@click.group()
def command() -> None:
    """Look into, check and convert taxonomies.

    TAXONOMY is a bundled name (wordnet; icd10cm with the extra icd10), a file or a folder in one of the known formats.
    """


@command.command(short_help="Say what is in a taxonomy.")
@click.argument("taxonomy")
@_format
def info(taxonomy: str, format_: str | None) -> None:
    """Say what is in a taxonomy."""
    import numpy as np

    begun = perf_counter()
    tax = _load(taxonomy, format_)
    seconds = perf_counter() - begun
    graph, lexicon = tax.graph, tax.lexicon
    real = np.arange(len(graph)) != graph.root if tax.virtual_root else np.ones(len(graph), bool)
    parents, children = np.diff(graph.up_ptr), np.diff(graph.down_ptr)
    links = len(graph.up) - (len(tax.roots) if tax.virtual_root else 0)
    several = int(((parents > 1) & real).sum())
    ambiguous = int((np.diff(lexicon.sense_ptr) > 1).sum())
    click.secho(" ".join(x for x in (tax.name or taxonomy, tax.version) if x), bold=True)
    _facts(
        ("concepts", f"{len(tax):,}"),
        ("is-a links", f"{links:,}"),
        ("with several parents", f"{several:,}"),
        ("leaves", f"{int((children == 0).sum()):,}"),
        ("depth", f"{tax.max_depth - tax.virtual_root} nodes on the longest way down"),
        ("roots", _some([_named(tax, r) for r in tax.roots], most=3)),
        ("labels", f"{len(lexicon.labels) - tax.virtual_root:,}"),
        ("ambiguous labels", f"{ambiguous:,} of {len(lexicon.keys):,} distinct"),
        ("definitions", f"{len(tax.glosses):,}"),
        ("references elsewhere", f"{sum(len(tax.xrefs[c]) for c in tax.xrefs):,}"),
        ("former ids", f"{len(tax.aliases):,}"),
        ("licence", tax.licence or "not stated"),
        ("loaded in", f"{seconds:.2f} s"),
    )
    for problem in tax.problems:
        click.secho(f"  warning: {problem.message}" + (f" (line {problem.line})" if problem.line else ""), fg="yellow")


@command.command(short_help="Show what a word may mean.")
@click.argument("words", nargs=-1, required=True)
@_taxonomy
@_format
@click.option("--limit", default=10, show_default=True, help="At most so many labels that contain the words.")
def search(words: tuple[str, ...], named: str | None, format_: str | None, limit: int) -> None:
    """Show what a word may mean: `search "heart attack"` in WordNet, `search TAXONOMY "heart attack"` in another one."""
    tax, rest = _first(words, named, format_)
    text = " ".join(rest)
    found = tax.find(text)
    if not found and text in tax:
        found = tax.ids([tax.index(text)])
    near = _containing(tax, text, limit)
    if not found and not near:
        tax.index(text)  # says what may have been meant
    for number, concept in enumerate(found, 1):
        c = tax.index(concept)
        click.secho(f"{number}. {tax.label(concept)}", bold=True, nl=False)
        click.echo(f"  {concept}")
        others = tax.labels(concept)[1:]
        if others:
            click.echo(f"   also: {_some(others)}")
        if gloss := tax.gloss(concept):
            click.echo(f"   {gloss}")
        click.echo(f"   is a: {_way_up(tax, c)}")
        if below := tax.children(concept):
            click.echo(f"   {_count(len(below), 'kind')} of it: {_some([tax.label(x) for x in below])}")
    if near:
        click.echo(("\nOther labels that contain it: " if found else "No label is that; these contain it: ") + ", ".join(near))


@command.command(short_help="Say how far two concepts lie apart.")
@click.argument("words", nargs=-1, required=True)
@_taxonomy
@_format
@click.option("-m", "--measure", default="logsc", show_default=True, help=f"One of: {', '.join(MEASURES)}; or 'all'.")
@click.option("--nearest", is_flag=True, help="Take the pair of senses that lies nearest, not the most frequent senses.")
def distance(words: tuple[str, ...], named: str | None, format_: str | None, measure: str, nearest: bool) -> None:
    """Say how far two concepts lie apart: `distance TAXONOMY coffee tea`; without TAXONOMY, in WordNet."""
    tax, rest = _first(words, named, format_, most=2)
    if len(rest) != 2:
        raise click.UsageError("Give two concepts, by label or id; quote those of several words.")
    for name in [] if measure == "all" else [measure]:
        MEASURES.load(name)
    one, other = (_senses(tax, text) if nearest else tax.ids([tax.index(text)]) for text in rest)
    a, b = _nearest(tax, one, other, "logsc" if measure == "all" else measure)
    common = tax.lcs(a, b)
    for concept in (a, b):
        click.echo(f"{_named(tax, concept)}: {_way_up(tax, tax.index(concept))}")
    click.echo(f"both are: {_named(tax, common)}, at depth {tax.depth(common)}")
    _facts(*((name, f"{value:.6g}") for name, value in _values(tax, a, b, measure)))


@command.command(short_help="Compile a taxonomy into a file that loads at once.")
@click.argument("source", metavar="IN")
@click.argument("target", metavar="OUT", type=click.Path(dir_okay=False, path_type=Path))
@_format
@click.option("--force", is_flag=True, help="Overwrite OUT.")
def convert(source: str, target: Path, format_: str | None, force: bool) -> None:
    """Compile the taxonomy IN to the file OUT, which loads at once, by memory map."""
    from ..taxonomy.formats import compiled
    from . import outputs

    outputs.check({"OUT": target}, force, [source])
    tax = _load(source, format_)
    compiled.write(tax, target)
    begun = perf_counter()
    _load(str(target), None)
    click.echo(f"{tax!r}\n{target}: {target.stat().st_size / 1e6:.1f} MB, loads in {perf_counter() - begun:.2f} s")


@command.command(short_help="Report whatever is wrong with a taxonomy file.")
@click.argument("file")
@_format
@click.pass_context
def check(ctx: click.Context, file: str, format_: str | None) -> None:
    """Report whatever is wrong with a taxonomy file; exit 1 where it cannot be used."""
    from .._progress import stages
    from ..run.steps import Steps
    from ..taxonomy import checks
    from ..taxonomy.load import locate, read_draft
    from ..taxonomy.source import Source
    from ..taxonomy.taxonomy import Taxonomy
    from .progress import shown

    def read() -> tuple[Draft | Taxonomy, list[Problem]]:
        reading, checking = stages(3, 1)
        with reading:
            draft = read_draft(Source(locate(file), told=True), format_)
        with checking:
            return draft, list(draft.problems) if isinstance(draft, Taxonomy) else [*draft.findings(), *checks.check(draft)]

    with shown(["read"]) as observer:
        draft, problems = Steps(observer).take("read", read)
    for problem in problems:
        colour = "red" if problem.severity == "error" else "yellow"
        click.secho(f"{problem.severity} {problem.code}", fg=colour, nl=False)
        click.echo((f", line {problem.line}" if problem.line else "") + f": {problem.message}")
    errors = sum(p.severity == "error" for p in problems)
    if errors:
        click.echo(f"{_count(errors, 'error')}: it cannot be used before they are mended.")
        ctx.exit(1)
    size = len(draft) if isinstance(draft, Taxonomy) else len(draft.ids())
    findings = _count(len(problems), "warning") if problems else "nothing to report"
    click.echo(f"It can be used: {_count(size, 'concept')}, {findings}.")


# --- what the commands share -------------------------------------------------------------------------------------------


def _load(source: str, format_: str | None) -> Taxonomy:
    from ..run.steps import Steps
    from ..taxonomy.load import load_taxonomy
    from .progress import shown

    with shown(["read"]) as observer:
        return Steps(observer).take("read", lambda: load_taxonomy(source, format=format_))


def _first(
    words: tuple[str, ...], named: str | None, format_: str | None, most: int | None = None
) -> tuple[Taxonomy, list[str]]:
    """The taxonomy and the words left: the first word names it where it can and others follow."""
    rest = list(words)
    if named is None:
        named = DEFAULT
        enough = len(rest) > 1 if most is None else len(rest) > most
        if enough and (most is not None or _names_a_taxonomy(rest[0])):
            named = rest.pop(0)
    return _load(named, format_), rest


def _names_a_taxonomy(word: str) -> bool:
    from ..taxonomy.load import BUNDLED, CARRIED

    return word in BUNDLED or word in CARRIED or Path(word).expanduser().exists()


def _senses(tax: Taxonomy, text: str) -> list[str]:
    return tax.find(text) or tax.ids([tax.index(text)])


def _nearest(tax: Taxonomy, one: list[str], other: list[str], measure: str) -> tuple[str, str]:
    """The pair at the least distance; among equals, the most frequent senses."""
    if len(one) == len(other) == 1:
        return one[0], other[0]
    import numpy as np

    distances = tax.distances(one, other, measure=measure)
    row, column = np.unravel_index(int(np.argmin(distances)), distances.shape)
    return one[int(row)], other[int(column)]


def _values(tax: Taxonomy, a: str, b: str, measure: str) -> Iterable[tuple[str, float]]:
    from ..errors import OntomaskError

    if measure != "all":
        yield measure, tax.distance(a, b, measure=measure)
        return
    for name in MEASURES:
        try:
            yield name, tax.distance(a, b, measure=name)
        except OntomaskError:  # some measures need definitions, which not every taxonomy has
            continue


def _containing(tax: Taxonomy, text: str, limit: int) -> list[str]:
    """Folded labels that contain the text, as whole words first, short ones first."""
    import pyarrow.compute as pc

    from ..taxonomy.lexicon import fold

    key = fold(text)
    if not key or limit < 1:
        return []
    found: list[str] = tax.lexicon.keys.filter(pc.match_substring(tax.lexicon.keys, key)).to_pylist()
    inside = [k for k in found if k != key and f" {key} " in f" {k} "]
    return sorted(inside, key=lambda k: (len(k), k))[:limit]


def _way_up(tax: Taxonomy, c: int) -> str:
    """One way up to the root, by first parents; long ones are shortened."""
    way: list[str] = []
    graph: Any = tax.graph
    while len(above := graph.parents(c)):
        c = int(above[0])
        if not (tax.virtual_root and c == graph.root):
            way.append(tax.lexicon.label(c))
    if len(way) > 6:
        way = [*way[:4], "…", way[-1]]
    return " → ".join(way) or "a root"


def _named(tax: Taxonomy, concept: str) -> str:
    label = tax.label(concept)
    return label if label == concept else f"{label} ({concept})"


def _count(number: int, of: str) -> str:
    return f"{number:,} {of}{'' if number == 1 else 's'}"


def _some(texts: list[str], most: int = 6) -> str:
    return ", ".join(texts[:most]) + (f" … ({len(texts):,} in all)" if len(texts) > most else "")


def _facts(*rows: tuple[str, str]) -> None:
    width = max((len(name) for name, _ in rows), default=0)
    for name, value in rows:
        click.echo(f"  {name:<{width}}  {value}")
