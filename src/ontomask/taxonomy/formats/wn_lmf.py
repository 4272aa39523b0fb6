"""A wordnet in WN-LMF XML (Global WordNet Association; versions 1.0 to 1.4): its noun synsets.

Ids are the synsets'; labels are the written forms of their members. Hypernym and instance hypernym count as is-a, as in the
dictionary folder. The senses of a word are in the order of its entry. All lexicons of the file are read as one taxonomy.
"""

from __future__ import annotations

from ..draft import Draft
from ..source import Source
from . import _xml

UP = frozenset({"hypernym", "instance_hypernym"})
DOWN = frozenset({"hyponym", "instance_hyponym"})
FEATURES = frozenset({"mero_member", "mero_substance", "mero_part", "attribute"})


class WnLmf:
    name = "wn-lmf"

    def sniff(self, source: Source) -> bool:
        root = None if source.is_folder else _xml.root_of(source)
        return root is not None and root[0] == "LexicalResource"

    def read(self, source: Source) -> Draft:
        root = _xml.root_of(source)
        if root is None or root[0] != "LexicalResource":
            raise source.bad("it is not an XML file whose root is LexicalResource")
        draft = Draft(format=self.name)
        reading = _Reading(draft)
        for element in _xml.elements(source, "LexicalEntry", "Synset", lexicon=reading.lexicon):
            if element.tag == "LexicalEntry":
                reading.entry(element)
            else:
                reading.synset(element)
        if not draft.concepts:
            raise source.bad("it holds no noun synset")
        reading.finish()
        return draft


class _Reading:
    """Entries and synsets as they come; entries come first."""

    def __init__(self, draft: Draft) -> None:
        self.draft = draft
        self.words: dict[str, str] = {}  # sense or entry id → written form
        self.members: dict[str, list[str]] = {}  # synset → written forms, in the order of the entries
        self.senses: dict[str, list[str]] = {}  # written form → synsets
        self.links: dict[tuple[str, str], None] = {}
        self.parts: list[tuple[str, str]] = []

    def lexicon(self, attributes: dict[str, str]) -> None:
        draft = self.draft
        draft.name = " + ".join(x for x in (draft.name, attributes.get("id", "")) if x)
        draft.version = draft.version or attributes.get("version", "")
        draft.licence = draft.licence or attributes.get("license", "")

    def entry(self, element: _xml.Element) -> None:
        lemma = element.find("Lemma")
        if lemma is None or lemma.get("partOfSpeech") != "n":
            return
        word = lemma.get("writtenForm", "").strip()
        self.words[element.get("id", "")] = word
        senses = list(element.iterfind("Sense"))
        # The attribute n, where it is given, is the sense's rank; else the order of the file is.
        senses.sort(key=lambda sense: int(n) if (n := sense.get("n", "0")).isdecimal() else 0)
        for sense in senses:
            synset = sense.get("synset", "")
            self.words[sense.get("id", "")] = word
            self.members.setdefault(synset, []).append(word)
            self.senses.setdefault(word, []).append(synset)

    def synset(self, element: _xml.Element) -> None:
        if element.get("partOfSpeech") != "n":
            return
        draft, id_ = self.draft, element.get("id", "")
        draft.concepts.append(id_)
        ordered = [self.words[m] for m in element.get("members", "").split() if m in self.words]
        labels = list(dict.fromkeys([*ordered, *self.members.get(id_, [])]))
        if labels:
            draft.labels[id_] = labels
        gloss = _xml.text_of(element, "Definition")
        if gloss:
            draft.glosses[id_] = gloss
        ili = element.get("ili", "")
        if ili not in ("", "in"):
            draft.xrefs[id_] = [f"ili:{ili}"]
        for relation in element.iterfind("SynsetRelation"):
            kind, target = relation.get("relType", ""), relation.get("target", "")
            if kind in UP:
                self.links[id_, target] = None
            elif kind in DOWN:
                self.links[target, id_] = None
            elif kind in FEATURES:
                self.parts.append((id_, target))

    def finish(self) -> None:
        draft = self.draft
        draft.edges = list(self.links)
        draft.senses = self.senses
        for id_, part in self.parts:
            draft.features.setdefault(id_, []).extend(draft.labels.get(part, [])[:1])


FORMAT = WnLmf()
