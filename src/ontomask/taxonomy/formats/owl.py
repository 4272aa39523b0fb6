"""An OWL ontology in RDF/XML: named classes under named classes. What is read, see `_triples`.

Needs pyoxigraph (the extra `rdf`). Other RDF syntaxes of OWL are read by the format `rdf`.
"""

from __future__ import annotations

from ..draft import Draft
from ..source import Source
from . import _triples, _xml

NAMESPACE = b"http://www.w3.org/2002/07/owl#"


class Owl:
    name = "owl"

    def sniff(self, source: Source) -> bool:
        if source.is_folder:
            return False
        root = _xml.root_of(source)
        return root is not None and root[0].endswith("RDF") and (NAMESPACE in source.head or source.suffix == ".owl")

    def read(self, source: Source) -> Draft:
        _xml.refuse_entities(source, short_ones=True)
        return _triples.read(source, "RDF_XML", self.name)


FORMAT = Owl()
