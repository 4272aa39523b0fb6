"""Classes and concepts out of RDF triples, as they stream by: what the formats owl and rdf share.

A concept is what is declared an owl:Class, rdfs:Class or skos:Concept, or stands in a link; links are rdfs:subClassOf between
named classes (restrictions and other blank nodes are passed over), skos:broader and skos:narrower. Deprecated classes are
left out; where they name their replacement their id leads to it. The preferred label is English or without language
where there is one; labels in other languages follow. Ids are the addresses, except those of OBO ontologies, which are
written as OBO writes them: http://purl.obolibrary.org/obo/GO_0005634 is GO:0005634.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from ...errors import FormatError, needs
from ..draft import Draft
from ..source import Source

RDFS = "http://www.w3.org/2000/01/rdf-schema#"
OWL = "http://www.w3.org/2002/07/owl#"
SKOS = "http://www.w3.org/2004/02/skos/core#"
TYPE = "http://www.w3.org/1999/02/22-rdf-syntax-ns#type"
OIO = "http://www.geneontology.org/formats/oboInOwl#"
OBO = "http://purl.obolibrary.org/obo/"
DCT = "http://purl.org/dc/terms/"

CLASSES = frozenset({OWL + "Class", RDFS + "Class", SKOS + "Concept"})
TOP = frozenset({OWL + "Thing", RDFS + "Resource"})  # above everything by definition: says nothing
# Predicate → rank among the labels of a concept, the preferred first.
LABELS = {
    SKOS + "prefLabel": 0,
    RDFS + "label": 1,
    SKOS + "altLabel": 2,
    OIO + "hasExactSynonym": 3,
    OIO + "hasNarrowSynonym": 4,
    OIO + "hasBroadSynonym": 5,
    OIO + "hasRelatedSynonym": 6,
    SKOS + "hiddenLabel": 7,
}
GLOSSES = frozenset({OBO + "IAO_0000115", SKOS + "definition"})
XREFS = frozenset({OIO + "hasDbXref", SKOS + "exactMatch", SKOS + "closeMatch"})
_PURL = re.compile(re.escape(OBO) + r"([A-Za-z][A-Za-z_]*)_(\w+)")


def id_of(iri: str) -> str:
    """The id of a concept.

    >>> id_of("http://purl.obolibrary.org/obo/GO_0005634"), id_of("http://example.org/pain")
    ('GO:0005634', 'http://example.org/pain')
    """
    found = _PURL.fullmatch(iri)
    return f"{found[1]}:{found[2]}" if found else iri


def quads(source: Source, format: str) -> Iterator[Any]:
    """The triples of the file; `format` is the name of one of pyoxigraph's formats."""
    try:
        import pyoxigraph
    except ImportError:
        raise needs("pyoxigraph", "rdf", "Reading OWL, RDF and SKOS") from None
    with source.open() as file:
        try:
            yield from pyoxigraph.parse(file, format=getattr(pyoxigraph.RdfFormat, format), base_iri="file:///")
        except SyntaxError as error:
            raise source.bad(f"it is not well-formed RDF ({_first_line(error)})", error.lineno) from None
        except FormatError:
            raise
        except ValueError as error:
            raise source.bad(f"it is not well-formed RDF ({_first_line(error)})") from None


def _first_line(error: Exception) -> str:
    text = str(error.args[0] if error.args else error).splitlines() or [type(error).__name__]
    return text[0][:200]


class _Gathering:
    """The triples that matter, by subject, until the last one has come."""

    def __init__(self) -> None:
        self.classes: dict[str, None] = {}
        self.links: dict[tuple[str, str], None] = {}
        self.labels: dict[str, list[tuple[int, int, str]]] = {}  # (foreign, rank, text)
        self.glosses: dict[str, str] = {}
        self.xrefs: dict[str, list[str]] = {}
        self.former: dict[str, str] = {}
        self.deprecated: set[str] = set()
        self.replaced: dict[str, str] = {}
        self.about: dict[str, dict[str, str]] = {}  # ontology or scheme → what it says of itself

    def named(self, subject: str, predicate: str, other: str) -> None:
        """A triple between two named nodes."""
        if predicate == TYPE:
            if other in CLASSES and subject not in TOP:
                self.classes[subject] = None
            elif other in (OWL + "Ontology", SKOS + "ConceptScheme"):
                self.about.setdefault(subject, {})
        elif predicate in (RDFS + "subClassOf", SKOS + "broader"):
            if other not in TOP and subject not in TOP and (subject != other or predicate == SKOS + "broader"):
                self.links[subject, other] = None  # a class is its own subclass by definition: no self-loop
        elif predicate == SKOS + "narrower":
            self.links[other, subject] = None
        elif predicate in XREFS:
            self.xrefs.setdefault(subject, []).append(id_of(other))
        elif predicate == OBO + "IAO_0100001":
            self.replaced[subject] = other
        elif predicate in (OWL + "versionIRI", DCT + "license"):
            self.about.setdefault(subject, {})[predicate] = other

    def literal(self, subject: str, predicate: str, text: str, language: str | None) -> None:
        """A triple whose object is a text."""
        text = text.strip()
        if predicate in LABELS:
            foreign = language is not None and language.lower().split("-")[0] != "en"
            self.labels.setdefault(subject, []).append((int(foreign), LABELS[predicate], text))
        elif predicate in GLOSSES:
            self.glosses.setdefault(subject, text)
        elif predicate in XREFS:
            self.xrefs.setdefault(subject, []).append(text)
        elif predicate == OIO + "hasAlternativeId":
            self.former[text] = subject
        elif predicate == OWL + "deprecated":
            if text in ("true", "1"):
                self.deprecated.add(subject)
        elif predicate in (OWL + "versionInfo", DCT + "license", DCT + "title"):
            self.about.setdefault(subject, {})[predicate] = text

    def draft(self, format: str) -> Draft:
        """Number, name and link whatever is not deprecated."""
        gone = self.deprecated
        links = [link for link in self.links if not gone.intersection(link)]
        everything = dict.fromkeys([*self.classes, *(c for link in links for c in link)])
        kept = [c for c in everything if c not in gone]
        ids = {c: id_of(c) for c in kept}
        draft = Draft(format=format, concepts=list(dict.fromkeys(ids.values())))
        draft.edges = [(ids[a], ids[b]) for a, b in links]
        for c in kept:
            texts = dict.fromkeys(text for *_, text in sorted(self.labels.get(c, []), key=lambda row: row[:2]) if text)
            if texts:
                draft.labels[ids[c]] = list(texts)
        draft.glosses = {ids[c]: text for c, text in self.glosses.items() if c in ids}
        draft.xrefs = {ids[c]: there for c, there in self.xrefs.items() if c in ids}
        draft.aliases = {old: ids[new] for old, new in self.former.items() if new in ids}
        draft.aliases |= {id_of(old): ids[new] for old, new in self.replaced.items() if old in gone and new in ids}
        draft.aliases |= {c: id_ for c, id_ in ids.items() if c != id_}
        for facts in self.about.values():
            draft.version = draft.version or facts.get(OWL + "versionInfo", "") or facts.get(OWL + "versionIRI", "")
            draft.licence = draft.licence or facts.get(DCT + "license", "")
        return draft


def read(source: Source, format: str, name: str) -> Draft:
    """The draft of an RDF file; `format` as pyoxigraph names it, `name` as we do."""
    gathered = _Gathering()
    for subject, predicate, other, _ in quads(source, format):
        kind = type(other).__name__
        if type(subject).__name__ != "NamedNode":
            continue
        if kind == "NamedNode":
            gathered.named(subject.value, predicate.value, other.value)
        elif kind == "Literal":
            gathered.literal(subject.value, predicate.value, other.value, other.language)
    draft = gathered.draft(name)
    if not draft.concepts:
        raise source.bad("it holds neither a class nor a SKOS concept")
    return draft
