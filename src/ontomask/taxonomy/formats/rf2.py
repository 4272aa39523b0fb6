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
        draft = Draft(name="SNOMED CT", format=self.name, concepts=numbers.to_pylist())
        draft.version = max((found[1] for file in files["Concept"] if (found := _DATE.search(file.name))), default="")
        draft.licence = "SNOMED CT licence of SNOMED International or of the national release centre"
        links = _active(files["Relationship"], ["sourceid", "destinationid"], [IS_A])
        draft.edges = list(dict.fromkeys(zip(*(column.to_pylist() for column in links.columns), strict=True)))
        draft.labels = _labels(files["Description"], numbers)
        return draft


def _concepts(files: list[Path]) -> pa.StringArray:
    """Active ids, each once, in file order."""
    found = []
    for file in files:
        for batch in _tables.batches(Source(file), ["id", "active"]):
            found.append(pc.filter(batch.column("id"), pc.equal(batch.column("active"), "1")))
    return pc.unique(pa.chunked_array(found, pa.string()))


def _active(files: list[Path], columns: list[str], types: list[str]) -> pa.Table:
    """The columns of the active rows of some types."""
    read = [*columns, "active", "typeid"]
    kept = pa.array(types)

    def wanted() -> Iterator[pa.RecordBatch]:
        for file in files:
            for batch in _tables.batches(Source(file), read):
                rows = pc.and_(pc.equal(batch.column("active"), "1"), pc.is_in(batch.column("typeid"), value_set=kept))
                yield batch.filter(rows).select(columns)

    return pa.Table.from_batches(wanted(), pa.schema([(name, pa.string()) for name in columns]))


def _labels(files: list[Path], numbers: pa.StringArray) -> dict[str, list[str]]:
    """Terms by concept: fully specified names first, English first among either, then file order."""
    rows = _active(files, ["conceptid", "languagecode", "typeid", "term"], [FULLY_SPECIFIED, SYNONYM])
    owner = pc.fill_null(pc.index_in(rows["conceptid"], value_set=numbers), -1).to_numpy()
    synonym = pc.equal(rows["typeid"], SYNONYM).to_numpy()
    foreign = pc.not_equal(rows["languagecode"], "en").to_numpy()
    order = np.lexsort((foreign, synonym, owner))
    order = order[np.searchsorted(owner[order], 0) :]  # without those of inactive concepts
    texts = pc.take(rows["term"], pa.array(order)).to_pylist()
    ends = np.searchsorted(owner[order], np.arange(len(numbers)), side="right").tolist()
    starts = [0, *ends[:-1]]
    return {id_: list(dict.fromkeys(texts[a:b])) for id_, a, b in zip(numbers.to_pylist(), starts, ends, strict=True) if a < b}


FORMAT = Rf2()
