"""MeSH descriptors (US National Library of Medicine), as ASCII (d20….bin) or XML (desc20….xml).

A descriptor stands at one or more tree numbers; its parents are the descriptors at those numbers cut by one step, and at the
top the sixteen categories ("C", Diseases). Ids are the descriptors' unique ids (D009203); labels are the heading and the entry
terms. Descriptors without a tree number (check tags) are left out. Where different places in the tree put two
descriptors under one another, the link that would close the cycle is left out and reported.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

from ..draft import Draft, Problem
from ..source import Source
from . import _xml

CATEGORIES = {
    "A": "Anatomy",
    "B": "Organisms",
    "C": "Diseases",
    "D": "Chemicals and Drugs",
    "E": "Analytical, Diagnostic and Therapeutic Techniques, and Equipment",
    "F": "Psychiatry and Psychology",
    "G": "Phenomena and Processes",
    "H": "Disciplines and Occupations",
    "I": "Anthropology, Education, Sociology, and Social Phenomena",
    "J": "Technology, Industry, and Agriculture",
    "K": "Humanities",
    "L": "Information Science",
    "M": "Named Groups",
    "N": "Health Care",
    "V": "Publication Characteristics",
    "Z": "Geographicals",
}
_RECORD = "*NEWRECORD"


@dataclass
class _Descriptor:
    id: str = ""
    labels: list[str] = field(default_factory=list)
    numbers: list[str] = field(default_factory=list)
    gloss: str = ""


class Mesh:
    name = "mesh"

    def sniff(self, source: Source) -> bool:
        if source.is_folder:
            return False
        root = _xml.root_of(source)
        return source.head_text.lstrip().startswith(_RECORD) or (root is not None and root[0] == "DescriptorRecordSet")

    def read(self, source: Source) -> Draft:
        draft = Draft(name="MeSH", format=self.name, licence="US National Library of Medicine")
        found = list(_from_xml(source) if _xml.root_of(source) else _from_ascii(source))
        placed = {number: d.id for d in found for number in d.numbers}
        if not placed:
            raise source.bad("it holds no descriptor with a tree number")
        links: dict[tuple[str, str], None] = {}
        tops: dict[str, None] = {}
        for descriptor in found:
            if not descriptor.numbers:
                continue
            draft.concepts.append(descriptor.id)
            draft.labels[descriptor.id] = list(dict.fromkeys(descriptor.labels))
            if descriptor.gloss:
                draft.glosses[descriptor.id] = descriptor.gloss
            for number in descriptor.numbers:
                above = number.rpartition(".")[0]
                while above and above not in placed:  # a part of the descriptors may be a file, too
                    above = above.rpartition(".")[0]
                parent = placed.get(above, number[0])
                if not above:
                    tops[parent] = None
                if parent != descriptor.id:
                    links[descriptor.id, parent] = None
        for top in tops:
            draft.concepts.append(top)
            draft.labels[top] = [CATEGORIES.get(top, top)]
        draft.edges = _without_cycles(links, draft)
        return draft


def _from_ascii(source: Source) -> Iterator[_Descriptor]:
    """Records of lines "MH = …": MH heading, ENTRY and PRINT ENTRY terms, MN tree number, MS scope note, UI id."""
    current: _Descriptor | None = None
    opened = 0
    for number, line in enumerate(source.lines(), 1):
        if line.startswith(_RECORD):
            if current is not None:
                yield _whole(source, current, opened)
            current, opened = _Descriptor(), number
            continue
        tag, equals, value = line.partition(" = ")
        if not line.strip():
            continue
        if not equals or current is None:
            raise source.bad("this is not a 'TAG = value' line of a record", number)
        value = value.strip()
        if not value:
            continue
        if tag == "MH":
            current.labels.insert(0, value)
        elif tag in ("ENTRY", "PRINT ENTRY"):
            current.labels.append(value.split("|", 1)[0])
        elif tag == "MN":
            current.numbers.append(value)
        elif tag == "MS":
            current.gloss = value
        elif tag == "UI":
            current.id = value
    if current is not None:
        yield _whole(source, current, opened)


def _whole(source: Source, descriptor: _Descriptor, line: int) -> _Descriptor:
    if not descriptor.id or not descriptor.labels:
        raise source.bad("the record that begins here has no UI or no MH", line)
    return descriptor


def _from_xml(source: Source) -> Iterator[_Descriptor]:
    for element in _xml.elements(source, "DescriptorRecord"):
        descriptor = _Descriptor(id=_xml.text_of(element, "DescriptorUI"))
        heading = _xml.text_of(element, "DescriptorName/String")
        if not descriptor.id or not heading:
            raise source.bad("a DescriptorRecord has no DescriptorUI or no DescriptorName")
        terms = (" ".join((s.text or "").split()) for s in element.iterfind("ConceptList/Concept/TermList/Term/String"))
        descriptor.labels = [heading, *(term for term in terms if term)]
        descriptor.numbers = [text for n in element.iterfind("TreeNumberList/TreeNumber") if (text := (n.text or "").strip())]
        descriptor.gloss = _xml.text_of(element, "ConceptList/Concept[@PreferredConceptYN='Y']/ScopeNote")
        yield descriptor


def _without_cycles(links: dict[tuple[str, str], None], draft: Draft) -> list[tuple[str, str]]:
    """The links without those that lead back to a concept on the way up (found depth first, in file order)."""
    parents: dict[str, list[str]] = {}
    for child, parent in links:
        parents.setdefault(child, []).append(parent)
    done: set[str] = set()
    dropped: set[tuple[str, str]] = set()
    for start in draft.concepts:
        if start in done:
            continue
        way = {start: iter(parents.get(start, []))}  # from the start up, in order
        while way:
            at, above = next(reversed(way.items()))
            for parent in above:
                if parent in way:
                    dropped.add((at, parent))
                elif parent not in done:
                    way[parent] = iter(parents.get(parent, []))
                    break
            else:
                done.add(at)
                del way[at]
    for child, parent in dropped:
        draft.problems.append(Problem("cycle", "warning", f"the link '{child}' → '{parent}' closes a cycle and is left out"))
    return [link for link in links if link not in dropped]


FORMAT = Mesh()
