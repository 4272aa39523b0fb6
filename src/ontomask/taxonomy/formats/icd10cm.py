"""ICD-10-CM as its tabular list in XML (CDC/NCHS, CMS): chapters, sections, categories, codes.

Codes that need a seventh character stand in the list without it: they are made here, padded by X, below the code they
extend. Which combinations are valid the list does not say; where a file of valid codes stands beside it
(code-list….txt, icd10cm-codes….txt: a code at the start of each line), others are left out.

`load_taxonomy("icd10cm")` reads the list that the package simple-icd-10-cm carries (the extra `icd10`). Ids are codes with
the dot; codes without it lead to them. Labels are the description and the inclusion terms.
"""

from __future__ import annotations

import re
from importlib.util import find_spec
from pathlib import Path

from ...errors import needs
from ..draft import Draft
from ..source import Source
from . import _xml

ROOT = "ICD10CM.tabular"
_RANGE = re.compile(r"\s*\([A-Z]\w{2}(?:-[A-Z]\w{2})?\)$")
_CODE = re.compile(r"[A-Z]\w{2}(?:\.\w{1,4})?|[A-Z]\w{2,6}")
_LISTS = ("code-list*.txt", "icd10cm-codes*.txt", "icd10cm_codes*.txt")


def packaged() -> Path:
    """The tabular list that the package simple-icd-10-cm carries; the package itself, slow to import, is not."""
    spec = find_spec("simple_icd_10_cm")
    for folder in (spec.submodule_search_locations or []) if spec else []:
        for file in sorted((Path(folder) / "data").glob("*tabular*.xml")):
            return file
    raise needs("simple-icd-10-cm", "icd10", "The taxonomy 'icd10cm'")


class Icd10cm:
    name = "icd10cm"

    def sniff(self, source: Source) -> bool:
        root = None if source.is_folder else _xml.root_of(source)
        return root is not None and root[0] == ROOT

    def read(self, source: Source) -> Draft:
        root = _xml.root_of(source)
        if root is None or root[0] != ROOT:
            raise source.bad(f"it is not an XML file whose root is {ROOT}")
        draft = Draft(name="ICD-10-CM", format=self.name, licence="public domain (US government)")
        reading = _Reading(source, draft, _valid(source))
        for element in _xml.elements(source, "version", "chapter"):
            if element.tag == "version":
                draft.version = (element.text or "").strip()
            else:
                reading.chapter(element)
        if not draft.concepts:
            raise source.bad("it holds no chapter")
        return draft


def _valid(source: Source) -> frozenset[str]:
    """The codes, without dots, of the list that stands beside the file; empty where there is none."""
    for pattern in _LISTS:
        for file in sorted(source.path.parent.glob(pattern)):
            return frozenset(line.split(" ", 1)[0].replace(".", "") for line in Source(file).lines())
    return frozenset()


class _Reading:
    """The tree as it is walked."""

    def __init__(self, source: Source, draft: Draft, valid: frozenset[str]) -> None:
        self.source, self.draft, self.valid = source, draft, valid

    def add(self, id_: str, parent: str, labels: list[str]) -> None:
        draft = self.draft
        draft.concepts.append(id_)
        if parent:
            draft.edges.append((id_, parent))
        draft.labels[id_] = list(dict.fromkeys(text for text in labels if text))
        if "." in id_:
            draft.aliases[id_.replace(".", "")] = id_

    def chapter(self, element: _xml.Element) -> None:
        id_ = f"chapter {_xml.text_of(element, 'name')}"
        self.add(id_, "", [_RANGE.sub("", _xml.text_of(element, "desc"))])
        for section in element.iterfind("section"):
            self.section(section, id_)

    def section(self, element: _xml.Element, parent: str) -> None:
        """A section of one category bears the category's id: there the category stands for both."""
        id_ = element.get("id", "")
        codes = list(element.iterfind("diag"))
        if codes and id_ not in {_xml.text_of(code, "name") for code in codes}:
            self.add(id_, parent, [_RANGE.sub("", _xml.text_of(element, "desc"))])
            parent = id_
        for code in codes:
            self.code(code, parent, {})

    def code(self, element: _xml.Element, parent: str, seventh: dict[str, str]) -> None:
        id_ = _xml.text_of(element, "name")
        if not _CODE.fullmatch(id_):
            raise self.source.bad(f"a code below '{parent}' is missing or is none")
        label = _xml.text_of(element, "desc")
        terms = [" ".join((note.text or "").split()) for note in element.iterfind("inclusionTerm/note")]
        self.add(id_, parent, [label, *terms])
        own = element.find("sevenChrDef")
        if own is not None:
            seventh = _seventh(own)
        below = list(element.iterfind("diag"))
        for code in below:
            self.code(code, id_, seventh)
        if not below:
            self.extensions(id_, label, seventh)

    def extensions(self, id_: str, label: str, seventh: dict[str, str]) -> None:
        """The codes of seven characters below a code: a gap before the seventh is filled by X."""
        stem = (id_ if "." in id_ else id_ + ".").ljust(7, "X")
        if len(stem) > 7:
            return
        for character, text in seventh.items():
            code = stem + character
            if character and (not self.valid or code.replace(".", "") in self.valid):
                self.add(code, id_, [f"{label}, {text}"])


def _seventh(element: _xml.Element) -> dict[str, str]:
    """Seventh character → what it adds; a note continues the extension it follows."""
    found: dict[str, str] = {}
    last = ""
    for part in element:
        text = " ".join((part.text or "").split())
        if part.tag == "extension":
            last = part.get("char", "")
            found[last] = text
        elif part.tag == "note" and last:
            found[last] += f"/{text}"
    return found


FORMAT = Icd10cm()
