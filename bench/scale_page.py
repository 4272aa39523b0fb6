"""What the points of `scale` say: tables, plots, and an estimate for a cluster with what it rests on."""

from __future__ import annotations

from pathlib import Path
from typing import Any

WORKERS, CORES, MEASURED_ON = 16, 2, 2  # of the cluster on paper; the cores of this machine
NETWORK = 1.25e9  # bytes a second that a worker sends: ten gigabits. Assumed
ROW_BYTES = 100  # of a record in a shuffle. Assumed
BILLION = 10**9
WHERE = {"processes": "two processes", "spark": "Spark, two tasks"}


def result(points: list[dict[str, Any]]) -> dict[str, Any]:
    """The points by what they measure, in the order of their size, and the estimate."""
    by_records = [_told(p, ("engine", "n")) for p in points if p["point"] == "mask_file"]
    by_pairs = [_told(p, ("engine", "n", "words")) for p in points if p["point"] == "mask_many"]
    by_tuples = [_told(p, ("method", "n", "words")) for p in points if p["point"] == "mask_tuples"]
    in_parts = [_told(p, ("n", "words", "most", "where")) for p in points if p["point"] == "mask_parts"]
    return {
        "by_records": sorted(by_records, key=lambda p: (p["engine"], p["n"])),
        "by_pairs": sorted(by_pairs, key=lambda p: (p["engine"], p["n"])),
        "by_tuples": sorted(by_tuples, key=lambda p: (p["method"], p["n"])),
        "in_parts": in_parts,
        "cluster": _cluster(by_records, by_pairs, in_parts),
    }


def _told(point: dict[str, Any], names: tuple[str, ...]) -> dict[str, Any]:
    """A point with its arguments by name, whether it could be measured or not."""
    measured = {k: v for k, v in point.items() if k not in ("point", "arguments")}
    return {**dict(zip(names, point["arguments"], strict=True)), **measured}


# --- the estimate ----------------------------------------------------------------------------------------------------


def _cluster(by_records: list[Any], by_pairs: list[Any], in_parts: list[Any]) -> dict[str, float]:
    """A thousand million records on paper.

    Seconds of a step = fixed + slope · records · (cores here / cores there), where fixed and slope are those of a line
    through the smallest and the largest point measured on Spark. What passes through the driver (tuples, flow) does not
    shrink with the workers: it is taken as it was measured. A shuffle also sends its records through the network.
    """
    spark = sorted((p for p in by_records if p["engine"] == "spark" and "seconds" in p), key=lambda p: p["n"])
    if len(spark) < 2:
        return {}
    small, large = spark[0], spark[-1]
    share = MEASURED_ON / (WORKERS * CORES)
    found: dict[str, float] = {"from_n": small["n"], "to_n": large["n"]}
    here = there = 0.0
    for step in ("count", "write", "verify"):
        slope = max(0.0, (large["steps"][step] - small["steps"][step]) / (large["n"] - small["n"]))
        found[f"{step}_fixed_s"], found[f"{step}_per_million_s"] = small["steps"][step], slope * 1e6
        here += small["steps"][step] + slope * BILLION
        there += small["steps"][step] + slope * BILLION * share
    # The write puts the records in order: each of them may have to go to another worker once.
    found["network_s"] = BILLION * ROW_BYTES * (WORKERS - 1) / WORKERS / (WORKERS * NETWORK)
    rest = sum(large["steps"].get(step, 0.0) for step in ("open", "match", "mask"))
    found |= {"driver_s": rest, "here_s": here + rest, "there_s": there + rest + found["network_s"]}
    many = sorted((p for p in by_pairs if p["engine"] == "spark" and "seconds" in p), key=lambda p: p["n"])
    if many:
        found |= {"many_p": many[-1]["p"], "many_match_s": many[-1]["steps"].get("match", 0.0)}
        # What counting takes beyond its records is bringing the tuples to the driver.
        beyond = many[-1]["steps"]["count"] - found["count_fixed_s"] - found["count_per_million_s"] * many[-1]["n"] / 1e6
        found["many_collect_s"] = max(0.0, beyond)
    whole = next((p for p in in_parts if p["most"] is None and "seconds" in p), None)
    parts = next((p for p in in_parts if p["where"] == "spark" and "seconds" in p), None)
    if whole:
        found["mask_driver_s"] = whole["seconds"]
    if parts:
        at_once = min(parts["parts"], WORKERS * CORES)
        found["mask_parts_s"] = parts["split_s"] + (parts["seconds"] - parts["split_s"]) * min(MEASURED_ON, at_once) / at_once
    return found


def _estimate(c: dict[str, float]) -> list[str]:
    lines = ["", "### On paper: 16 workers", ""]
    if not c:
        return [*lines, "Nothing could be measured on Spark, so there is no estimate."]
    lines += [
        f"A cluster of {WORKERS} workers with {CORES} cores each, such as these. **Measured** on one machine, "
        f"{c['from_n']:,} to {c['to_n']:,} records of few tuples, on Spark:",
        "",
        "| step | whatever the size, s | for each million records, s |",
        "|---|--:|--:|",
    ]
    for step in ("count", "write", "verify"):
        lines.append(f"| {step} | {c[f'{step}_fixed_s']:.1f} | {c[f'{step}_per_million_s']:.2f} |")
    lines += [
        "",
        f"**Extrapolated** to a thousand million records: {c['here_s'] / 60:,.0f} minutes on this machine, "
        f"{c['there_s'] / 60:,.1f} minutes on the cluster. The model: what grows with the records is shared out among the "
        f"cores ({MEASURED_ON} here, {WORKERS * CORES} there); what does not grow, and what the driver does "
        f"({c['driver_s']:.1f} s to open, match and mask), stays; and putting the release in order sends every record to "
        f"another worker once, {c['network_s']:.0f} s at {ROW_BYTES} bytes a record and ten gigabits a second for each worker, "
        "both assumed. Below a million values the join is a broadcast of some megabytes and is taken to cost nothing; above, "
        "it shuffles, and the same network time comes once more.",
    ]
    if "many_p" in c:
        more = c["many_collect_s"] + c["many_match_s"]
        lines += [
            "",
            f"With {c['many_p']:,.0f} distinct tuples the driver also needs {more:.1f} s to collect and match them "
            f"(measured){_masked(c)}.",
        ]
    lines += ["", "Not in it: machines that fail or wait, skewed partitions, and storage slower than the disk of this machine."]
    return lines


def _masked(c: dict[str, float]) -> str:
    said = ""
    if "mask_driver_s" in c:
        said += f", and {c['mask_driver_s']:.0f} s to mask them at once by SA-MDAV (measured)"
    if "mask_parts_s" in c:
        said += (
            f"; in parts on the executors that would be about {c['mask_parts_s']:.0f} s (measured with two tasks at a time, "
            "extrapolated to one task for each part or core, as if all parts took as long)"
        )
    return said


# --- tables ----------------------------------------------------------------------------------------------------------


def table(found: dict[str, Any]) -> str:
    lines = ["## Growth", "", "Time and peak memory of a run with all its processes, two cores, everything compiled.", ""]
    lines += ["![Seconds and memory by the number of records](scale-records.svg)", ""]
    lines += ["Few tuples, very many records: SA-MDAV, Parquet to verified Parquet.", ""]
    lines += ["| engine | records | tuples | seconds | peak MB |", "|---|--:|--:|--:|--:|"]
    lines += [_row(p, p["engine"]) for p in found["by_records"]]
    lines += ["", "![Seconds and memory by the number of tuples](scale-tuples.svg)", ""]
    lines += ["Very many tuples: recoding, Parquet to verified Parquet; below, the methods alone.", ""]
    lines += ["| engine | records | tuples | seconds | peak MB |", "|---|--:|--:|--:|--:|"]
    lines += [_row(p, p["engine"]) for p in found["by_pairs"]]
    lines += ["", "| method | records | tuples | seconds | peak MB |", "|---|--:|--:|--:|--:|"]
    lines += [_row(p, p["method"]) for p in found["by_tuples"]]
    lines += _parts(found["in_parts"]) + _estimate(found["cluster"])
    return "\n".join(lines)


def _row(p: dict[str, Any], who: str) -> str:
    if "seconds" not in p:
        return f"| {who} | {p['n']:,} |  | failed: {p['failed']} |  |"
    return f"| {who} | {p['n']:,} | {p['p']:,} | {p['seconds']:.2f} | {p['peak_mb']:,.0f} |"


def _parts(points: list[dict[str, Any]]) -> list[str]:
    whole = next((p for p in points if p["most"] is None and "seconds" in p), None)
    size = f"{whole['p']:,} tuples of {whole['n']:,} records" if whole else "pairs of nouns"
    lines = [
        "",
        "### In parts",
        "",
        f"SA-MDAV, k = 5, on {size} (two columns of WordNet nouns by Zipf's law): what parts lose.",
        "",
    ]
    lines += ["| tuples in a part, at most | parts | where | seconds | peak MB | loss | times the loss at once |"]
    lines += ["|--:|--:|---|--:|--:|--:|--:|"]
    for p in points:
        most, where = (f"{p['most']:,}", WHERE[p["where"]]) if p["most"] else ("all", "at once")
        if "seconds" not in p:
            lines.append(f"| {most} |  | {where} | failed: {p['failed']} |  |  |  |")
            continue
        times = f"{p['loss'] / whole['loss']:.4f}" if whole else ""
        lines.append(
            f"| {most} | {p['parts']:,} | {where} | {p['seconds']:.1f} | {p['peak_mb']:,.0f} | {p['loss']:.4f} | {times} |"
        )
    return lines


# --- plots -----------------------------------------------------------------------------------------------------------


def plot(found: dict[str, Any], folder: Path) -> None:
    """scale-records.svg and scale-tuples.svg: seconds and memory, both axes by powers of ten."""
    few = [(p["engine"], p["n"], p) for p in found["by_records"]]
    many = [(f"{p['engine']}, recoding, file to file", p.get("p"), p) for p in found["by_pairs"]]
    many += [(f"{p['method']} alone", p.get("p"), p) for p in found["by_tuples"]]
    _figure(few, "records n (few tuples, Parquet to Parquet)", folder / "scale-records.svg")
    _figure(many, "distinct tuples p", folder / "scale-tuples.svg")


def _figure(points: list[tuple[str, Any, dict[str, Any]]], label: str, path: Path) -> None:
    import matplotlib

    matplotlib.use("svg")
    import matplotlib.pyplot as plt

    matplotlib.rcParams.update({"svg.hashsalt": "ontomask", "font.size": 10})
    figure, axes = plt.subplots(1, 2, figsize=(9, 3.6), layout="constrained")
    for axis, what, title in zip(axes, ("seconds", "peak_mb"), ("seconds", "peak memory, MB"), strict=True):
        for kind in dict.fromkeys(k for k, _, _ in points):
            line = [(x, p[what]) for k, x, p in points if k == kind and what in p]
            axis.plot([x for x, _ in line], [y for _, y in line], marker="o", label=kind)
        axis.set(xscale="log", yscale="log", xlabel=label, ylabel=title)
        axis.grid(True, alpha=0.3)
    axes[0].legend(fontsize=8)
    figure.savefig(path, metadata={"Date": None})
    plt.close(figure)
