"""How long it takes to load a taxonomy, and how much memory, beside what other libraries need for the same file.

Each figure comes from a process of its own: the time is from before the first import to a taxonomy that answers, the
memory is the peak of the whole process. Nothing is compiled by numba on the way.
"""

from __future__ import annotations

import gzip
import json
import subprocess
import sys
import tempfile
from pathlib import Path

from .data import folder
from .rf2_generator import generate

# What a process does: {path} is the file. Whatever comes must answer how many concepts there are.
OURS = "import ontomask as om\ntax = om.load_taxonomy({path!r})\ntax.parents(tax.ids([5])[0])\ncount = len(tax)"
OTHERS = {
    "fastobo": "import fastobo\ncount = sum(isinstance(f, fastobo.term.TermFrame) for f in fastobo.load({path!r}))",
    "obonet": "import obonet\ncount = len(obonet.read_obo({path!r}))",
    "pronto": "import pronto, warnings\nwarnings.simplefilter('ignore')\ncount = len(pronto.Ontology({path!r}).terms())",
}
MEASURE = """
import json, time
begun, used = time.perf_counter(), time.process_time()
{code}
print(json.dumps({{
    "seconds": time.perf_counter() - begun,
    "cpu": time.process_time() - used,
    "mb": next(int(line.split()[1]) / 1024 for line in open("/proc/self/status") if line.startswith("VmHWM")),
    "concepts": count,
}}))
"""
TARGETS = {
    "hp.obo.gz": (0.8, None),
    "RF2 folder": (20, 2000),
    "wordnet": (1, 150),
    "RF2 compiled": (1, None),
    "hp.obo compiled": (1, None),
}


def measured(code: str, path: str) -> dict[str, float] | None:
    """The best of three processes; None where the library is not installed."""
    best: dict[str, float] | None = None
    for _ in range(3):
        command = [sys.executable, "-c", MEASURE.format(code=code.format(path=path))]
        done = subprocess.run(command, capture_output=True, text=True, check=False)
        if "ModuleNotFoundError" in done.stderr:
            return None
        if done.returncode:
            raise RuntimeError(done.stderr)
        found = json.loads(done.stdout)
        if best is None or found["cpu"] < best["cpu"]:
            best = found
    return best


def run() -> dict[str, object]:
    hpo = folder() / "hpo" / "hp.obo.gz"
    loads: dict[str, object] = {}
    others: dict[str, object] = {}
    with tempfile.TemporaryDirectory() as made:
        place = Path(made)
        release = generate(place / "rf2")
        (place / "hp.obo").write_bytes(gzip.decompress(hpo.read_bytes()))
        sources = {"wordnet": "wordnet", "hp.obo.gz": str(hpo), "RF2 folder": str(release)}
        for name, path in (("hp.obo compiled", str(hpo)), ("RF2 compiled", str(release))):
            sources[name] = str(place / f"{name}.arrow")
            command = [
                sys.executable,
                "-c",
                "from ontomask.cli import main; main()",
                "taxonomy",
                "convert",
                path,
                sources[name],
            ]
            subprocess.run(command, check=True, capture_output=True)
        for name, path in sources.items():
            loads[name] = measured(OURS, path)
        others["ontomask"] = measured(OURS, str(place / "hp.obo"))
        for name, code in OTHERS.items():
            others[name] = measured(code, str(place / "hp.obo"))
    return {"loads": loads, "hp.obo": others}


def table(result: dict[str, object]) -> str:
    loads, others = result["loads"], result["hp.obo"]
    assert isinstance(loads, dict)
    assert isinstance(others, dict)
    lines = [
        "## Loading taxonomies",
        "",
        "Seconds from before the first import to a taxonomy that answers (best of three processes), processor seconds, peak",
        "memory of the whole process. The RF2 release is generated: 400,000 concepts, 600,000 is-a links, a million terms.",
        "",
        "| source | concepts | seconds | of processor | peak MB | wanted |",
        "|---|---:|---:|---:|---:|---|",
    ]
    for name, row in loads.items():
        seconds, mb = TARGETS[name]
        wanted = f"≤ {seconds:g} s" + (f", ≤ {mb:,} MB" if mb else "")
        lines.append(
            f"| {name} | {row['concepts']:,} | {row['seconds']:.2f} | {row['cpu']:.2f} | {row['mb']:,.0f} | {wanted} |"
        )
    lines += [
        "",
        "The same file, hp.obo (not compressed), read by other libraries, which keep every tag; ontomask keeps names,",
        "synonyms, definitions, references and is-a links, and builds the graph and the index of labels:",
        "",
        "| library | seconds | of processor | peak MB | times as long, by processor |",
        "|---|---:|---:|---:|---:|",
    ]
    ours = others["ontomask"]["cpu"]
    for name, row in others.items():
        if row is None:
            lines.append(f"| {name} | not installed | | | |")
        else:
            ratio = row["cpu"] / ours
            lines.append(f"| {name} | {row['seconds']:.2f} | {row['cpu']:.2f} | {row['mb']:,.0f} | {ratio:.1f} |")
    return "\n".join(lines)
