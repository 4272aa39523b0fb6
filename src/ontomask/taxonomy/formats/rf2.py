"""A SNOMED CT release folder in Release Format 2 (SNOMED International, "Release File Specification"): the Snapshot files.

Active concepts; active is-a relationships (116680003) between them, the inferred ones; active descriptions: the fully
specified name first, then the synonyms, English before other languages. Ids are the concepts' SCTIDs. The folder is the
release's own, or any above or below it that holds the Snapshot's Terminology files; several (an edition and its extension)
are read together.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from ..draft import Draft
from ..source import Source
from . import _tables

IS_A, FULLY_SPECIFIED, SYNONYM = "116680003", "900000000000003001", "900000000000013009"


def _file(kind: str) -> re.Pattern[str]:
    return re.compile(rf"x?sct2_{kind}_\w*Snapshot[-_].*\.txt(?:\.gz)?", re.IGNORECASE)


CONCEPTS, RELATIONSHIPS, DESCRIPTIONS = _file("Concept"), _file("Relationship"), _file("Description")
_ANY = re.compile(r"x?sct2_Concept_.*\.txt(?:\.gz)?", re.IGNORECASE)
_DATE = re.compile(r"_(\d{8})\.txt")


class Rf2:
    name = "rf2"

    def sniff(self, source: Source) -> bool:
        return source.is_folder and bool(_tables.find(source.path, _ANY))

    def read(self, source: Source) -> Draft:
        if not source.is_folder:
            raise source.bad("an RF2 release is a folder", then="Name the folder that holds the Snapshot files.")
        files = {}
        for what, pattern in (("Concept", CONCEPTS), ("Relationship", RELATIONSHIPS), ("Description", DESCRIPTIONS)):
            files[what] = _tables.find(source.path, pattern)
            if not files[what]:
                raise source.bad(f"it holds no sct2_{what}_Snapshot file", then="Full and Delta releases are not read.")
        numbers = _concepts(files["Concept"])
        ids = numbers.to_pylist()
        draft = Draft(name="SNOMED CT", format=self.name, concepts=ids)
        draft.version = max((found[1] for file in files["Concept"] if (found := _DATE.search(file.name))), default="")
        draft.licence = "SNOMED CT licence of SNOMED International or of the national release centre"
        for child, parent in _active(files["Relationship"], ["sourceid", "destinationid"], IS_A):
            draft.edges += zip(child.to_pylist(), parent.to_pylist(), strict=True)
        draft.edges = list(dict.fromkeys(draft.edges))
        draft.labels = _labels(files["Description"], numbers, ids)
        return draft


def _concepts(files: list[Path]) -> pa.StringArray:
    """Active ids, each once, in file order."""
    found = []
    for file in files:
        for batch in _tables.batches(Source(file), ["id", "active"]):
            found.append(pc.filter(batch.column("id"), pc.equal(batch.column("active"), "1")))
    return pc.unique(pa.chunked_array(found, pa.string()))


def _active(files: list[Path], columns: list[str], type_id: str) -> Iterator[list[pa.StringArray]]:
    """The columns of the active rows of one type, batch by batch."""
    for file in files:
        for batch in _tables.batches(Source(file), [*columns, "active", "typeid"]):
            wanted = pc.and_(pc.equal(batch.column("active"), "1"), pc.equal(batch.column("typeid"), type_id))
            yield [pc.filter(batch.column(name), wanted) for name in columns]


def _labels(files: list[Path], numbers: pa.StringArray, ids: list[str]) -> dict[str, list[str]]:
    """Terms by concept: fully specified names first, English first among either, then file order."""
    owners, ranks, terms = [], [], []
    for rank, type_id in enumerate((FULLY_SPECIFIED, SYNONYM)):
        for concept, language, term in _active(files, ["conceptid", "languagecode", "term"], type_id):
            owners.append(pc.fill_null(pc.index_in(concept, value_set=numbers), -1).to_numpy(zero_copy_only=False))
            foreign = pc.not_equal(language, "en").to_numpy(zero_copy_only=False)
            ranks.append(2 * rank + foreign.astype(np.int8))
            terms.append(term)
    if not terms:
        return {}
    owner, rank_of = np.concatenate(owners), np.concatenate(ranks)
    order = np.lexsort((rank_of, owner))
    order = order[np.searchsorted(owner[order], 0) :]  # without those of inactive concepts
    texts = pc.take(pa.chunked_array(terms, pa.string()), pa.array(order)).to_pylist()
    ends = np.searchsorted(owner[order], np.arange(len(ids)), side="right").tolist()
    starts = [0, *ends[:-1]]
    return {id_: list(dict.fromkeys(texts[a:b])) for id_, a, b in zip(ids, starts, ends, strict=True) if a < b}


FORMAT = Rf2()
