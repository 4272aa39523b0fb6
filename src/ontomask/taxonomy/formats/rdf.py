"""RDF, RDFS and SKOS in Turtle, N-Triples, N-Quads, TriG, N3, RDF/XML or JSON-LD. What is read, see `_triples`.

Needs pyoxigraph (the extra `rdf`). The syntax is told by the suffix, else by the head. JSON-LD contexts are not fetched from
the network: they must stand in the file.
"""

from __future__ import annotations

import re

from ..draft import Draft
from ..source import Source
from . import _triples, _xml

SUFFIXES = {
    ".ttl": "TURTLE",
    ".nt": "N_TRIPLES",
    ".nq": "N_QUADS",
    ".trig": "TRIG",
    ".n3": "N3",
    ".rdf": "RDF_XML",
    ".jsonld": "JSON_LD",
}
_TURTLE = re.compile(r"(?:\s|#[^\n]*\n)*(?:@prefix|@base|PREFIX|BASE)\b", re.IGNORECASE)
_TRIPLE = re.compile(r"(?:\s|#[^\n]*\n)*(?:<[a-z][^<>\s]*:[^<>\s]*>|_:\w+)\s+(?:a|<[a-z][^<>\s]*:[^<>\s]*>)\s", re.IGNORECASE)
_CONTEXT = re.compile(r'\s*[\[{].*"@(?:context|graph|id)"', re.DOTALL)


class Rdf:
    name = "rdf"

    def sniff(self, source: Source) -> bool:
        return not source.is_folder and _syntax(source) is not None

    def read(self, source: Source) -> Draft:
        syntax = _syntax(source)
        if syntax is None:
            raise source.bad("its RDF syntax is not recognised", then=f"Give it one of the suffixes {', '.join(SUFFIXES)}.")
        if syntax == "RDF_XML":
            _xml.refuse_entities(source, short_ones=True)
        return _triples.read(source, syntax, self.name)


def _syntax(source: Source) -> str | None:
    if source.suffix in SUFFIXES:
        return SUFFIXES[source.suffix]
    root = _xml.root_of(source)
    if root is not None and root[0].endswith("RDF"):
        return "RDF_XML"
    if _TURTLE.match(source.head_text) or _TRIPLE.match(source.head_text):
        return "TURTLE"  # of which N-Triples are a part
    return "JSON_LD" if _CONTEXT.match(source.head_text) else None


FORMAT = Rdf()
