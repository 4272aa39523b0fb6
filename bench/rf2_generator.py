"""A SNOMED CT release that nobody published: the layout, the sizes and the shape of the international edition, made-up words.

    python -m bench.rf2_generator FOLDER [CONCEPTS] [LINKS]

Writes the Snapshot's concept, description and relationship files: CONCEPTS active concepts and a tenth as many inactive
ones, LINKS active is-a relationships, as many attribute relationships, and two and a half terms per concept.
"""

from __future__ import annotations

import sys
from pathlib import Path

import numpy as np

CORE = "900000000000207008"
IS_A, ATTRIBUTE = "116680003", "363698007"
INFERRED, SOME = "900000000000011006", "900000000000451002"
FULLY_SPECIFIED, SYNONYM = "900000000000003001", "900000000000013009"
SYLLABLES = ["ar", "bro", "car", "der", "ent", "fi", "gas", "hep", "it", "ker", "lum", "my", "neur", "os", "pne", "ren"]
DEPTH = 15


def generate(folder: Path, concepts: int = 400_000, links: int = 600_000, seed: int = 1) -> Path:
    """Write the release; the folder is the release's own."""
    rng = np.random.default_rng(seed)
    place = folder / "Snapshot" / "Terminology"
    place.mkdir(parents=True, exist_ok=True)
    ids = 100_000_000 + 10 * np.arange(concepts, dtype=np.int64) + rng.integers(0, 10, concepts)
    pairs = _links(rng, concepts, links)
    with (place / "sct2_Concept_Snapshot_INT_20240101.txt").open("w", encoding="utf-8", newline="") as out:
        out.write("id\teffectiveTime\tactive\tmoduleId\tdefinitionStatusId\r\n")
        for id_ in ids.tolist():
            out.write(f"{id_}\t20240101\t1\t{CORE}\t900000000000074008\r\n")
        for i in range(concepts // 10):
            out.write(f"{900_000_000 + i}\t20240101\t0\t{CORE}\t900000000000074008\r\n")
    with (place / "sct2_Relationship_Snapshot_INT_20240101.txt").open("w", encoding="utf-8", newline="") as out:
        columns = "sourceId\tdestinationId\trelationshipGroup\ttypeId\tcharacteristicTypeId\tmodifierId"
        out.write(f"id\teffectiveTime\tactive\tmoduleId\t{columns}\r\n")
        for number, (child, parent) in enumerate(pairs.tolist()):
            out.write(f"{number}\t20240101\t1\t{CORE}\t{ids[child]}\t{ids[parent]}\t0\t{IS_A}\t{INFERRED}\t{SOME}\r\n")
            out.write(f"{number}1\t20240101\t1\t{CORE}\t{ids[child]}\t{ids[parent]}\t1\t{ATTRIBUTE}\t{INFERRED}\t{SOME}\r\n")
    with (place / "sct2_Description_Snapshot-en_INT_20240101.txt").open("w", encoding="utf-8", newline="") as out:
        columns = "conceptId\tlanguageCode\ttypeId\tterm\tcaseSignificanceId"
        out.write(f"id\teffectiveTime\tactive\tmoduleId\t{columns}\r\n")
        syllables = rng.integers(0, len(SYLLABLES), (concepts, 8))
        for i, (id_, row) in enumerate(zip(ids.tolist(), syllables.tolist(), strict=True)):
            word = "".join(SYLLABLES[s] for s in row[:4]) + " of " + "".join(SYLLABLES[s] for s in row[4:])
            terms = [(FULLY_SPECIFIED, f"{word} {i} (disorder)"), (SYNONYM, f"{word} {i}")]
            if i % 2:
                terms.append((SYNONYM, f"{word}, {i}th kind"))
            for type_id, term in terms:
                out.write(f"{i}\t20240101\t1\t{CORE}\t{id_}\ten\t{type_id}\t{term}\t900000000000448009\r\n")
    return folder


def _links(rng: np.random.Generator, concepts: int, links: int) -> np.ndarray:
    """Distinct (child, parent) pairs, parents one level up, levels growing as in a terminology: the first has one."""
    level = np.minimum((DEPTH * np.sqrt(np.arange(concepts) / concepts)).astype(np.int64) + 1, DEPTH)
    level[0] = 0
    starts = np.searchsorted(level, np.arange(DEPTH + 1))
    ends = np.searchsorted(level, np.arange(DEPTH + 1), side="right")

    def above(children: np.ndarray) -> np.ndarray:
        up = level[children] - 1
        return starts[up] + (rng.random(len(children)) * (ends[up] - starts[up])).astype(np.int64)

    first = np.arange(1, concepts)
    pairs = np.column_stack([first, above(first)])
    while len(pairs) < links:
        more = rng.integers(ends[1], concepts, links - len(pairs))
        pairs = np.unique(np.concatenate([pairs, np.column_stack([more, above(more)])]), axis=0)
    return pairs


if __name__ == "__main__":
    generate(Path(sys.argv[1]), *map(int, sys.argv[2:]))
