"""Random tables, random taxonomies, random recipes, with every invariant on: `python -m bench.soak --minutes 10`.

Each round is made from one number; a round that fails prints it, and `--round NUMBER` runs it again.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
import time
import traceback
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

import ontomask as om
from ontomask._registry import METHODS
from ontomask.methods.base import make_method

WORDS = ["colic", "ache", "lumbago", "migraine", "gastritis", "fever", "cough", "rash", "burn", "sprain", "flu", "cold"]


def random_taxonomy(rng: np.random.Generator) -> tuple[list[tuple[str, str]], list[str]]:
    """is-a links of a DAG with one root, and the words that may occur."""
    inner = [f"kind {i}" for i in range(int(rng.integers(1, 6)))]
    edges = [(inner[i], inner[int(rng.integers(0, i))]) for i in range(1, len(inner))]
    words = list(rng.permutation(WORDS))[: int(rng.integers(2, len(WORDS) + 1))]
    for word in words:
        for parent in rng.choice(inner, int(rng.integers(1, min(3, len(inner)) + 1)), replace=False):
            edges.append((str(word), str(parent)))
    return edges, [str(w) for w in words]


def random_table(rng: np.random.Generator) -> tuple[pd.DataFrame, dict[str, Any]]:
    """A table of one to four quasi-identifiers of any kind, with missing values, odd spellings and columns beside them."""
    n = int(rng.integers(6, 120))
    frame, quasi = pd.DataFrame({"row": np.arange(n)}), dict[str, Any]()
    for j in range(int(rng.integers(1, 5))):
        name = str(rng.choice(["a b", 'q"uote', "semi;colon", "ümlaut", "plain", "🙂", "comma,"])) + str(j)
        kind = str(rng.choice(["taxonomy", "number", "flat", "ordinal", "date"]))
        if kind == "taxonomy":
            edges, words = random_taxonomy(rng)
            values = rng.choice(words, n).astype(object)
            odd = rng.random(n) < 0.2
            values[odd] = [f" {w.upper()} " for w in values[odd]]
            quasi[name] = edges
        elif kind == "number":
            values = rng.integers(0, int(rng.integers(1, 60)) + 1, n).astype(object)
            quasi[name] = str(rng.choice(["number", "number:quantile"]))
        elif kind == "flat":
            values = rng.choice(["x", "y", "it's", 'a "b", c', "two\nlines"], n).astype(object)
            quasi[name] = "flat"
        elif kind == "ordinal":
            values = rng.choice(["low", "middle", "high"], n).astype(object)
            quasi[name] = "ordinal:low<middle<high"
        else:
            values = (np.datetime64("2020-01-01") + rng.integers(0, 400, n)).astype(str).astype(object)
            quasi[name] = "date"
        if rng.random() < 0.4:
            values[rng.random(n) < 0.1] = None
        frame[name] = values
    frame["secret"] = rng.choice(["s1", "s2", "s3"], n)
    frame["note"] = rng.choice(["free, text", 'with "quotes"', "", "ünïcode", "line\nbreak"], n)
    return frame, quasi


def play(number: int) -> str:
    """One round; returns what was run. AssertionError where an invariant is broken."""
    rng = np.random.default_rng(number)
    frame, quasi = random_table(rng)
    name = str(rng.choice([m for m in METHODS if m != "sets"]))
    method = make_method(name, int(rng.integers(2, 6)))
    options: dict[str, Any] = {
        "missing": str(rng.choice(["value", "root", "suppress"])),
        "labels": str(rng.choice(["table", "preferred"])),
        "measure": str(rng.choice(["logsc", "path", "wup", "jaccard", "lin", "jcn"])),
        "confidential": ["secret"],
        "seed": number,
    }
    if rng.random() < 0.3:
        options["max_tuples"] = int(rng.integers(3, 20))
        options["threads"] = 1
    if rng.random() < 0.3:
        options["weights"] = {column: float(rng.uniform(0.1, 3)) for column in quasi}
    said = f"{name}, k = {method.k}, {len(frame)} records, {list(quasi.values())}, {options}"
    try:
        masked = om.mask(frame, quasi, method, **options)
    except om.OntomaskError:  # refused in words
        return f"refused: {said}"
    release = masked.data
    columns = list(quasi)
    gone = masked._flow.suppressed
    assert len(release) == len(frame) - gone, said
    kept = frame.set_index("row").loc[release["row"]]
    for other in ("secret", "note"):
        assert release[other].tolist() == kept[other].tolist(), said
    assert release["row"].is_monotonic_increasing, said
    if method.promises_k and len(release):
        sizes = release.astype(object).groupby(columns, dropna=False).size()
        assert sizes.min() >= method.k, said
    if method.keeps_marginals and not gone:
        for column, space in zip(columns, masked._tuples.spaces, strict=True):
            flow, tuples, j = masked._flow, masked._tuples, columns.index(column)
            before = np.bincount(tuples.codes[:, j], weights=tuples.counts, minlength=space.h)
            after = np.bincount(flow.targets[flow.target, j], weights=flow.count, minlength=space.h)
            assert np.array_equal(before, after), said
    again = om.mask(frame, quasi, method, **options).data
    pd.testing.assert_frame_equal(release, again)
    evaluation = masked.evaluation.to_dict()
    assert 0 <= evaluation["loss"]["similarity"] <= 1 or options["measure"] == "path", said
    with tempfile.TemporaryDirectory() as folder:
        path, table = Path(folder) / "masked.csv", Path(folder) / "table.csv"
        frame.to_csv(table, index=False)
        written = om.mask(table, quasi, method, **options)
        written.write(path)
        assert sorted(p.name for p in Path(folder).iterdir()) == ["masked.csv", "table.csv"], said
        if method.promises_k and len(release):
            assert om.verify(path, columns, method.k).kept, said
    return said


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--minutes", type=float, default=10.0)
    parser.add_argument("--most", type=int, default=100_000, help="rounds, at most")
    parser.add_argument("--first", type=int, default=0, help="number of the first round")
    parser.add_argument("--round", type=int, help="this round alone, with its traceback")
    given = parser.parse_args()
    if given.round is not None:
        print(play(given.round))
        return
    begin, refused, failed, number = time.monotonic(), 0, [], given.first
    while time.monotonic() - begin < 60 * given.minutes and number < given.first + given.most:
        try:
            refused += play(number).startswith("refused")
        except Exception as error:
            failed.append(number)
            print(f"round {number}: {type(error).__name__}: {str(error)[:300]}")
            print(traceback.format_exc(limit=-2))
        number += 1
    print(f"{number - given.first:,} rounds, {refused:,} refused in words, {len(failed):,} failed: {failed[:20]}")
    sys.exit(bool(failed))


if __name__ == "__main__":
    main()
