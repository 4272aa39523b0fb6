"""`ontomask mask`: from a file to a verified file."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from .options import as_sets, number, pairs, shape_of, shaped

if TYPE_CHECKING:
    from ..engines.base import Engine
    from ..methods.base import Method
    from ..run.masked import Masked

DEFAULT_METHOD = "refined"
DEFAULT_K = 5
MASKING = ("open", "read", "count", "match", "mask")  # the phases of every run


@click.command(short_help="Mask a table and verify the result.")
@click.argument("table", required=False)
@click.option(
    "-o", "--output", metavar="FILE", help="Where the masked table goes: CSV, TSV, Parquet, JSON lines (.gz), DuckDB."
)
@click.option(
    "-q",
    "--quasi",
    multiple=True,
    metavar="COLUMN=KIND",
    help="A column by which people could be recognised, and how its values compare: a taxonomy (wordnet, or a file), number, "
    "number:quantile, date, ordinal:low<middle<high, flat (also if only COLUMN is given), set:|:TAXONOMY. Once per column.",
)
@click.option("--method", metavar="NAME", help=f"See `ontomask methods`; default: {DEFAULT_METHOD}.")
@click.option("-k", type=int, metavar="K", help=f"At least so many records look alike; default: {DEFAULT_K}.")
@click.option(
    "--set",
    "settings",
    multiple=True,
    metavar="NAME=VALUE",
    help="A setting of the method; or COLUMN=CHARACTER: the column holds sets, with this between the items. Once per setting.",
)
@shaped
@click.option("--measure", metavar="NAME", help="How words compare, see `ontomask measures`; default: logsc.")
@click.option("--drop", multiple=True, metavar="COLUMN", help="Leave this column out. Once per column.")
@click.option("--confidential", multiple=True, metavar="COLUMN[=KIND]", help="Release as it is, and say what it gives away.")
@click.option("--weights", multiple=True, metavar="COLUMN=NUMBER", help="How much a column counts in the distance; default: 1.")
@click.option(
    "--overrides", multiple=True, metavar="COLUMN=FILE", help="A CSV of value,concept: what words mean in this column."
)
@click.option("--unmatched", metavar="WHAT", help="Words without a meaning: error (default), root, own, suppress.")
@click.option("--missing", metavar="WHAT", help="Missing values: value (default: one of its own), root, suppress, error.")
@click.option("--senses", metavar="HOW", help="Words with several meanings: context (default), first.")
@click.option("--labels", metavar="HOW", help="How concepts are written: table (default: as it mostly does), preferred.")
@click.option("--seed", type=int, help="Makes the run repeatable. Private: with it a masking can be undone in part.")
@click.option("--memory-limit", metavar="SIZE", help="As 500MB or 4GB; what does not fit goes to disk.")
@click.option("--max-tuples", type=int, metavar="N", help="More distinct tuples are masked in parts; default: 5,000,000.")
@click.option("--threads", type=int, metavar="N", help="Cores to use; default: all. Results do not depend on it.")
@click.option("--engine", metavar="NAME", help="duckdb (default), or spark: output is then a folder of Parquet files.")
@click.option("--master", metavar="URL", help="The cluster for --engine spark, such as local[2] or spark://host:7077.")
@click.option("--report", metavar="FILE", help="Write a report that may be published (HTML).")
@click.option("--patterns", metavar="FILE", help="With --method patterns: their table as CSV, besides or instead of -o.")
@click.option("--private-report", metavar="FILE", help="Write a report that shows values. Not to be published.")
@click.option(
    "--private-manifest", metavar="DIR", help="Write recipe, seed, flow and hashes to this folder. Not to be published."
)
@click.option("--recipe", metavar="FILE", help="Take everything that is not given here from this TOML file.")
@click.option("--force", is_flag=True, help="Replace an existing output.")
@click.option("--quiet", is_flag=True, help="Print warnings and errors only.")
def command(**given: Any) -> None:
    """Mask TABLE so that at least K people look alike in the named columns, and prove it.

    TABLE is a CSV, TSV, Parquet or JSON lines file (.gz), file.duckdb#table, or a URL such as postgresql://host/db#table.

    \b
    ontomask mask people.csv -o masked.csv -q occupation=wordnet -q age=number -k 5 --report report.html
    """
    from . import outputs

    options = settled(given)
    output = options.pop("output")
    places = {name: options.pop(name) for name in ("report", "patterns", "private_report", "private_manifest")}
    force, quiet = options.pop("force"), options.pop("quiet")
    table, method = options.pop("data"), options.pop("method")
    if given["recipe"]:
        outputs.apart(places_of(output, **places), [given["recipe"]])
    run(table, output, method=method, force=force, quiet=quiet, **places, **options)


def settled(given: dict[str, Any]) -> dict[str, Any]:
    """The options of a run: those given, else those of the recipe, else the defaults."""
    from ..methods.base import make_method

    given = dict(given)
    found: dict[str, Any] = {"force": False}
    name, k, settings = DEFAULT_METHOD, DEFAULT_K, dict[str, Any]()
    shape: dict[str, Any] = {}
    if given["recipe"]:
        from ..recipe import Recipe

        recipe = Recipe.read(given["recipe"])
        found |= recipe.but_data() | dict(recipe.output)
        found["output"], found["data"] = found.pop("path", None), recipe.input.get("path")
        shape = {name: recipe.input[name] for name in ("long", "baskets") if name in recipe.input}
        name, k, settings = recipe.method, recipe.k, dict(recipe.settings)
    if given["method"] and given["method"] != name:
        name, settings = given["method"], {}
    quasi = pairs("-q", given["quasi"], alone="flat")
    for n, v in pairs("--set", given["settings"]).items():
        if n in quasi:
            quasi[n] = f"set:{v}" if quasi[n] == "flat" else f"set:{v}:{quasi[n]}"
        else:
            settings[n] = _plain(v)
    shape = shape_of(given) or shape
    quasi = as_sets(quasi, shape)
    method: Method = make_method(name, given["k"] if given["k"] is not None else k, **settings)
    more = {
        "data": given["table"],
        "output": given["output"],
        "quasi": quasi,
        "drop": list(given["drop"]),
        "confidential": pairs("--confidential", given["confidential"], alone="flat"),
        "weights": {n: number("--weights", v) for n, v in pairs("--weights", given["weights"]).items()},
        "overrides": pairs("--overrides", given["overrides"]),
    }
    if given["engine"]:
        more["engine"] = engine_named(given["engine"], given["master"], given["memory_limit"])
    same = (
        "measure",
        "unmatched",
        "missing",
        "senses",
        "labels",
        "seed",
        "memory_limit",
        "max_tuples",
        "threads",
    )
    more |= {n: given[n] for n in (*same, "report", "patterns", "private_report", "private_manifest")}
    found |= {n: v for n, v in more.items() if v not in (None, [], {})}
    found |= {"method": method, "shape": shape, "quiet": given["quiet"], "force": given["force"] or found["force"]}
    for needed, how in (
        ("data", "the TABLE"),
        ("output", "the output: -o FILE"),
        ("quasi", "at least one column: -q COLUMN=KIND"),
    ):
        if not found.get(needed) and not (needed == "output" and found.get("patterns")):
            raise click.UsageError(f"Name {how}.")
    if found.get("private_manifest") and not found.get("output"):
        raise click.UsageError("--private-manifest goes with -o FILE.")
    return dict.fromkeys(("output", "report", "patterns", "private_report", "private_manifest")) | found


def run(
    table: Any,
    output: str | None,
    *,
    force: bool = False,
    quiet: bool = False,
    report: str | None = None,
    patterns: str | None = None,
    private_report: str | None = None,
    private_manifest: str | None = None,
    shape: Mapping[str, Any] | None = None,
    **options: Any,
) -> Masked:
    """Mask, tell, write, verify, report."""
    from ..engines.baskets import gathered
    from ..run.ahead import beside
    from ..run.mask import mask
    from ..run.publish import check_output
    from . import outputs, tell
    from .progress import shown

    source = Path(str(table).partition("#")[0])
    folders = bool(getattr(options.get("engine"), "writes_folders", False))
    if output:
        check_output(Path(output), force, source if source.exists() else None, folders)
    places = places_of(output, report, patterns, private_report, private_manifest)
    outputs.apart(places, [table, *(options.get("overrides") or {}).values(), *options["quasi"].values()])
    outputs.check({n: p for n, p in places.items() if n not in ("-o", "--private-manifest")}, force)
    wanted = {"evaluate": report or private_report or not quiet, "write": output, "verify": output}
    wanted["report"] = report or private_report
    with (
        beside(options["method"], options.get("threads"), bool(wanted["report"])),
        shown([*MASKING, *(phase for phase, asked in wanted.items() if asked)]) as observer,
    ):
        masked = mask(gathered(table, shape) if shape else table, progress=observer, **options)
        try:
            if shape:
                masked.recipe = replace(masked.recipe, input={"path": str(table), **shape})
                masked.about["input"] = source.name
            tell.warnings(masked)
            if not quiet:
                masked.evaluation  # noqa: B018 - computed now, while progress is shown
            if patterns:
                outputs.put(as_csv(masked.patterns), patterns)
            if output:
                masked.write(output, force=force, manifest=private_manifest)
            for path, private in ((report, False), (private_report, True)):
                if path:
                    masked.report(path, private=private)
        except BaseException:
            masked.close()
            raise
    if not quiet:
        tell.before(masked)
        tell.after(masked)
        tell.proof(masked)
        tell.wrote(*(p for p in (output, report, patterns, private_report, private_manifest) if p))
    return masked


def places_of(
    output: str | None,
    report: str | None = None,
    patterns: str | None = None,
    private_report: str | None = None,
    private_manifest: str | None = None,
) -> dict[str, str | None]:
    """Option → where it writes."""
    return {
        "-o": output,
        "--report": report,
        "--patterns": patterns,
        "--private-report": private_report,
        "--private-manifest": private_manifest,
    }


def as_csv(table: Any) -> str:
    """An Arrow table as CSV: the columns' names, then the rows; a missing value is an empty cell."""
    import csv
    from io import StringIO

    text = StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(table.column_names)
    writer.writerows(zip(*(column.to_pylist() for column in table.columns), strict=True))
    return text.getvalue()


def engine_named(name: str, master: str | None, memory_limit: str | None) -> Engine:
    """The engine of --engine and --master."""
    from .._registry import ENGINES

    if master is not None and name != "spark":
        raise click.UsageError("--master goes with --engine spark.")
    more = {"master": master} if master is not None else {}
    made: Engine = ENGINES.load(name)(memory_limit=memory_limit, **more)
    return made


def _plain(text: str) -> Any:
    """A setting as the command line writes it: true, false, none, a number, several words separated by commas, a word."""
    low = text.lower()
    if low in ("true", "false", "none"):
        return {"true": True, "false": False, "none": None}[low]
    for kind in (int, float):
        try:
            return kind(text)
        except ValueError:
            continue
    return tuple(text.split(",")) if "," in text else text
