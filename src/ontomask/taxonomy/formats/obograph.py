"""An ontology as OBO Graphs JSON (the format that ROBOT and the OBO Foundry publish beside OBO and OWL).

Concepts are the classes that have a label or an is-a link; others are mentioned only. Labels, ids, former ids and deprecated
classes are treated as in OBO and OWL files, so that all three give the same taxonomy.
"""

from __future__ import annotations

import json
import re
from typing import Any

from ...errors import FormatError
from ..draft import Draft
from ..source import Source
from . import _triples

_GRAPHS = re.compile(r'\s*\{.*"graphs"\s*:', re.DOTALL)
SYNONYMS = ("hasExactSynonym", "hasNarrowSynonym", "hasBroadSynonym", "hasRelatedSynonym")
IS_A = frozenset({"is_a", _triples.RDFS + "subClassOf"})
REPLACED_BY = _triples.OBO + "IAO_0100001"


class Obograph:
    name = "obograph"

    def sniff(self, source: Source) -> bool:
        return not source.is_folder and _GRAPHS.match(source.head_text) is not None

    def read(self, source: Source) -> Draft:
        with source.open() as file:
            try:
                document = json.load(file)
            except json.JSONDecodeError as error:
                raise source.bad(f"it is not well-formed JSON ({error.msg})", error.lineno) from None
            except UnicodeDecodeError:
                raise source.bad("it is not UTF-8 text", then="Convert it to UTF-8 first.") from None
            except FormatError:
                raise
            except ValueError as error:  # a number of millions of digits
                raise source.bad(f"it is not well-formed JSON ({error})") from None
        draft = Draft(format=self.name)
        try:
            for graph in document["graphs"]:
                _read_graph(graph, draft)
        except (KeyError, TypeError, AttributeError) as error:
            raise source.bad(f"it is no OBO graph ({type(error).__name__}: {error})") from None
        return draft


def _read_graph(graph: dict[str, Any], draft: Draft) -> None:
    about = graph.get("meta", {})
    draft.version = draft.version or _text(about.get("version", ""))
    nodes = [node for node in graph["nodes"] if node.get("type") == "CLASS"]
    gone = {node["id"] for node in nodes if node.get("meta", {}).get("deprecated")}
    links = [(e["sub"], e["obj"]) for e in graph.get("edges", []) if e["pred"] in IS_A]
    classes = {node["id"] for node in nodes}
    links = [link for link in links if not gone.intersection(link) and classes.issuperset(link)]
    linked = {end for link in links for end in link}
    for node in nodes:
        if node["id"] in gone:
            _former(node, draft)
        elif "lbl" in node or node["id"] in linked:
            _read_node(node, draft)
    draft.edges += [(_triples.id_of(child), _triples.id_of(parent)) for child, parent in links]


def _read_node(node: dict[str, Any], draft: Draft) -> None:
    id_, meta = _triples.id_of(node["id"]), node.get("meta", {})
    draft.concepts.append(id_)
    synonyms = [s for s in meta.get("synonyms", []) if s["pred"] in SYNONYMS]
    synonyms.sort(key=lambda s: SYNONYMS.index(s["pred"]))
    labels = dict.fromkeys(text for text in map(_text, (node.get("lbl", ""), *(s["val"] for s in synonyms))) if text)
    if labels:
        draft.labels[id_] = list(labels)
    if gloss := meta.get("definition", {}).get("val"):
        draft.glosses[id_] = _text(gloss)
    if xrefs := [_text(x["val"]) for x in meta.get("xrefs", [])]:
        draft.xrefs[id_] = xrefs
    if id_ != node["id"]:
        draft.aliases[node["id"]] = id_
    for value in meta.get("basicPropertyValues", []):
        if value["pred"] == _triples.OIO + "hasAlternativeId":
            draft.aliases[_text(value["val"])] = id_


def _text(value: object) -> str:
    if not isinstance(value, str):
        raise TypeError(f"{type(value).__name__} where a text should be")
    return value


def _former(node: dict[str, Any], draft: Draft) -> None:
    """A deprecated class leads to the one that replaced it, where that is said."""
    for value in node["meta"].get("basicPropertyValues", []):
        if value["pred"] == REPLACED_BY:
            draft.aliases[_triples.id_of(node["id"])] = _triples.id_of(value["val"])


FORMAT = Obograph()
