"""A WordNet dictionary folder: the nouns of data.noun and index.noun (versions 2.1, 3.0, 3.1; manual pages wndb, wninput).

Concept ids are the synset's offset and part of speech, "02121620-n"; labels are its words with spaces for underscores.
Instance links (`@i`) count as is-a. The senses of a word are in the order of index.noun, most frequent first.
"""

from __future__ import annotations

import re
from pathlib import Path

from ..draft import Draft
from ..source import Source

NAMES = (("data.noun", "index.noun"), ("noun.dat", "noun.idx"))  # Unix, and Windows up to 2.1
UP = frozenset({"@", "@i"})
# Parts and attributes of a concept, which some measures compare: meronyms (member, substance, part) and attributes.
FEATURES = frozenset({"%m", "%s", "%p", "="})
_VERSION = re.compile(r"WordNet (?:Release )?(\d+(?:\.\d+)*)")


def _files(folder: Path) -> tuple[Path, Path] | None:
    for place in (folder, folder / "dict"):
        for data, index in NAMES:
            if (place / data).is_file():
                return place / data, place / index
    return None


class WordNet:
    name = "wordnet"

    def sniff(self, source: Source) -> bool:
        if source.is_folder:
            return _files(source.path) is not None
        return source.path.name in ("data.noun", "noun.dat")

    def read(self, source: Source) -> Draft:
        files = _files(source.path if source.is_folder else source.path.parent)
        if files is None:
            raise source.bad("it holds no data.noun", then="Name the folder of a WordNet dictionary.")
        data, index = (Source(f) for f in files)
        if not index.path.is_file():
            raise source.bad(f"it holds {data.path.name} but no {index.path.name}")
        draft = Draft(name="wordnet", format=self.name, licence="WordNet licence, Princeton University")
        _read_synsets(data, draft)
        if not draft.concepts:
            raise data.bad("it holds no synset")
        _read_senses(index, draft)
        return draft


def _read_synsets(data: Source, draft: Draft) -> None:
    """data.noun: offset lex_filenum ss_type w_cnt (word lex_id)… p_cnt (symbol offset pos source/target)… | gloss."""
    parts: list[tuple[str, str]] = []
    for number, line in enumerate(data.lines(), 1):
        if line.startswith("  "):  # the licence stands at the top, each line indented and numbered
            if not draft.version and (found := _VERSION.search(line)):
                draft.version = found.group(1)
            continue
        fields, _, gloss = line.partition("|")
        f = fields.split(" ")
        try:
            words = int(f[3], 16)
            at = 4 + 2 * words
            pointers = int(f[at])
            concept = f"{int(f[0]):08d}-n"
            if f[2] != "n" or words < 1 or len(f) < at + 1 + 4 * pointers:
                raise ValueError
            for i in range(at + 1, at + 1 + 4 * pointers, 4):
                if f[i] in UP:
                    draft.edges.append((concept, f"{int(f[i + 1]):08d}-n"))
                elif f[i] in FEATURES and f[i + 2] == "n":
                    parts.append((concept, f"{int(f[i + 1]):08d}-n"))
        except (ValueError, IndexError):
            raise data.bad("this is not a noun synset", number) from None
        draft.concepts.append(concept)
        draft.labels[concept] = [w.replace("_", " ") for w in f[4:at:2]]
        if gloss:
            draft.glosses[concept] = gloss.strip()
    for concept, part in parts:
        draft.features.setdefault(concept, []).extend(draft.labels.get(part, [])[:1])


def _read_senses(index: Source, draft: Draft) -> None:
    """index.noun: lemma pos synset_cnt p_cnt symbol… sense_cnt tagsense_cnt offset…."""
    for number, line in enumerate(index.lines(), 1):
        if line.startswith("  "):
            continue
        f = line.split()
        try:
            senses = int(f[2])
            offsets = [f"{int(o):08d}-n" for o in f[6 + int(f[3]) :]]
            if f[1] != "n" or len(offsets) != senses:
                raise ValueError
        except (ValueError, IndexError):
            raise index.bad("this is not an entry of a noun", number) from None
        # Two spellings of one word ("baby_sitter", "baby-sitter") may share a key: the senses of both, in file order.
        draft.senses.setdefault(f[0].replace("_", " "), []).extend(offsets)


FORMAT = WordNet()
