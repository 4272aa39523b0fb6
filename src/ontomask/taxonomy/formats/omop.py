"""An OMOP vocabulary folder (OHDSI; as downloaded from Athena): CONCEPT with CONCEPT_RELATIONSHIP or CONCEPT_ANCESTOR.

Valid concepts and the valid "Is a" relationships between them ("Subsumes", where it is given alone, says the same the other
way round); without that file, the pairs of CONCEPT_ANCESTOR at min_levels_of_separation = 1. Concepts that no link touches
are kept where they are standard. Ids are concept_ids; labels are the name and, where the folder has CONCEPT_SYNONYM, the
synonyms; "VOCABULARY:code" leads to the concept and stands among its references elsewhere.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable

import pyarrow as pa
import pyarrow.compute as pc

from ..draft import Draft
from ..source import Source
from . import _tables


def _file(name: str) -> re.Pattern[str]:
    return re.compile(rf"{name}\.(?:csv|tsv|txt)(?:\.gz)?", re.IGNORECASE)


CONCEPT, RELATIONSHIP, ANCESTOR, SYNONYM = map(
    _file, ("CONCEPT", "CONCEPT_RELATIONSHIP", "CONCEPT_ANCESTOR", "CONCEPT_SYNONYM")
)


class Omop:
    name = "omop"

    def sniff(self, source: Source) -> bool:
        return source.is_folder and _one(source, CONCEPT) is not None

    def read(self, source: Source) -> Draft:
        if not source.is_folder:
            raise source.bad("an OMOP vocabulary is a folder", then="Name the folder that holds CONCEPT.csv.")
        concepts, relationships, ancestors = (_one(source, name) for name in (CONCEPT, RELATIONSHIP, ANCESTOR))
        if concepts is None:
            raise source.bad("it holds no CONCEPT.csv")
        columns = ["concept_id", "concept_name", "vocabulary_id", "concept_code", "standard_concept"]
        rows = _rows(concepts, columns, "invalid_reason", lambda b: pc.equal(b.column("invalid_reason"), ""))
        numbers = rows["concept_id"].combine_chunks()
        if relationships is not None:
            links = _relationships(relationships, numbers)
        elif ancestors is not None:
            links = _ancestors(ancestors, numbers)
        else:
            raise source.bad("it holds neither CONCEPT_RELATIONSHIP.csv nor CONCEPT_ANCESTOR.csv")
        edges = dict.fromkeys(links)
        linked = pa.array({id_ for link in edges for id_ in link}, pa.string())
        kept = rows.filter(pc.or_(pc.is_in(numbers, value_set=linked), pc.not_equal(rows["standard_concept"], "")))
        draft = Draft(name="OMOP", format=self.name, licence="of the vocabularies it holds")
        draft.concepts = kept["concept_id"].to_pylist()
        draft.edges = list(edges)
        for id_, label, vocabulary, code in zip(
            *(kept[name].to_pylist() for name in ("concept_id", "concept_name", "vocabulary_id", "concept_code")), strict=True
        ):
            draft.labels[id_] = [label] if label else []
            draft.xrefs[id_] = [f"{vocabulary}:{code}"]
            draft.aliases[f"{vocabulary}:{code}"] = id_
        if (synonyms := _one(source, SYNONYM)) is not None:
            for batch in _batches(synonyms, ["concept_id", "concept_synonym_name"]):
                for id_, text in zip(*(batch.column(i).to_pylist() for i in (0, 1)), strict=True):
                    if text and id_ in draft.labels and text not in draft.labels[id_]:
                        draft.labels[id_].append(text)
        return draft


def _one(source: Source, name: re.Pattern[str]) -> Source | None:
    found = [file for file in sorted(source.path.iterdir()) if name.fullmatch(file.name)]
    return Source(found[0]) if found else None


def _batches(file: Source, columns: list[str]) -> Iterable[pa.RecordBatch]:
    """Athena cuts by tabs and quotes nothing; other exports are CSV."""
    tabs = "\t" in file.head_text.split("\n", 1)[0]
    return _tables.batches(file, columns, "\t" if tabs else ",", quoted=not tabs)


def _relationships(file: Source, numbers: pa.StringArray) -> list[tuple[str, str]]:
    ends, kinds = ["concept_id_1", "concept_id_2"], pa.array(["Is a", "Subsumes"])
    rows = _rows(
        file,
        [*ends, "relationship_id"],
        "invalid_reason",
        lambda b: pc.and_(pc.equal(b.column("invalid_reason"), ""), pc.is_in(b.column("relationship_id"), value_set=kinds)),
    )
    up = rows.filter(pc.equal(rows["relationship_id"], "Is a"))
    if up.num_rows:
        return _pairs(up["concept_id_1"], up["concept_id_2"], numbers)
    return _pairs(rows["concept_id_2"], rows["concept_id_1"], numbers)


def _ancestors(file: Source, numbers: pa.StringArray) -> list[tuple[str, str]]:
    ends, levels = ["descendant_concept_id", "ancestor_concept_id"], "min_levels_of_separation"
    rows = _rows(file, ends, levels, lambda b: pc.equal(b.column(levels), "1"))
    return _pairs(rows[ends[0]], rows[ends[1]], numbers)


def _rows(file: Source, columns: list[str], also: str, wanted: Callable[[pa.RecordBatch], pa.BooleanArray]) -> pa.Table:
    """The columns of the rows that are wanted; `also` is read to tell which."""
    found = (batch.filter(wanted(batch)).select(columns) for batch in _batches(file, [*columns, also]))
    return pa.Table.from_batches(found, pa.schema([(name, pa.string()) for name in columns]))


def _pairs(child: pa.ChunkedArray, parent: pa.ChunkedArray, numbers: pa.StringArray) -> list[tuple[str, str]]:
    """Pairs both of whose ends are valid, different concepts (vocabularies relate some concepts to themselves)."""
    sound = pc.and_(pc.is_in(child, value_set=numbers), pc.is_in(parent, value_set=numbers))
    sound = pc.and_(sound, pc.not_equal(child, parent))
    return list(zip(child.filter(sound).to_pylist(), parent.filter(sound).to_pylist(), strict=True))


FORMAT = Omop()
