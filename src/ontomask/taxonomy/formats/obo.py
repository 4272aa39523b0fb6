"""An OBO ontology (flat file formats 1.2 and 1.4): the terms that are not obsolete, their names, synonyms and is-a links.

Read line by line and leniently: a line that is not as it should be is skipped and reported with its number, and tags that
say nothing about is-a or names are passed over. Synonyms of exact scope come before the others. Alternative ids, and the
ids of obsolete terms that name their replacement, lead to the term that replaced them.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field

from ..draft import Draft
from ..source import Source

_ESCAPES = {"n": "\n", "t": "\t", "W": " "}
_ESCAPED = re.compile(r"\\(.)")
_QUOTED = re.compile(r'\s*"((?:[^"\\]|\\.)*)"\s*(\w*)')
_TRAILING = re.compile(r"\s+(?:!.*|\{[^{}]*=[^{}]*\}\s*(?:!.*)?)$")
_STANZA = re.compile(r"\[(\w+)\]\s*(?:!.*)?$")
_HEADER = re.compile(r"(?:\[Term\]|format-version:)", re.MULTILINE)
QUOTED = frozenset({"synonym", "def", "exact_synonym", "narrow_synonym", "broad_synonym", "related_synonym"})
TAGS = QUOTED | {"id", "name", "is_a", "alt_id", "xref", "is_obsolete", "replaced_by"}
SCOPES = ("EXACT", "NARROW", "BROAD", "RELATED")


def unescape(text: str) -> str:
    """The text that an OBO value stands for.

    >>> unescape(r'a \\"b\\"\\, c')
    'a "b", c'
    """
    return _ESCAPED.sub(lambda m: _ESCAPES.get(m[1], m[1]), text) if "\\" in text else text


def _bare(value: str) -> str:
    """A value without its trailing comment and qualifiers."""
    return _TRAILING.sub("", value) if "!" in value or "{" in value else value


@dataclass
class _Term:
    """One stanza while it is read."""

    id: str = ""
    name: str = ""
    synonyms: list[tuple[int, str]] = field(default_factory=list)  # (scope, text)
    parents: list[str] = field(default_factory=list)
    former: list[str] = field(default_factory=list)
    xrefs: list[str] = field(default_factory=list)
    replaced_by: list[str] = field(default_factory=list)
    gloss: str = ""
    obsolete: bool = False


class Obo:
    name = "obo"

    def sniff(self, source: Source) -> bool:
        return not source.is_folder and (source.suffix == ".obo" or _HEADER.match(source.head_text.lstrip()) is not None)

    def read(self, source: Source) -> Draft:
        draft = Draft(format=self.name)
        term: _Term | None = None
        stanza = ""
        for number, raw in enumerate(source.lines(), 1):
            line = raw.strip()
            if not line or line[0] == "!":
                continue
            if line[0] == "[":
                _finish(term, draft)
                opened = _STANZA.match(line)
                if opened is None:
                    draft.skip("this does not open a stanza", number)
                stanza = opened[1] if opened else "?"
                term = _Term() if stanza == "Term" else None
                continue
            tag, colon, value = line.partition(":")
            if stanza and term is None:
                continue  # a Typedef, an Instance
            if not colon or not (value := value.strip()):
                draft.skip("this is not a 'tag: value' pair", number)
            elif term is None:
                _header(draft, tag, value)
            elif tag in TAGS and (problem := _read_tag(term, tag, value)):
                draft.skip(problem, number)
        _finish(term, draft)
        if not stanza:
            raise source.bad("it holds no [Term] stanza")
        return draft


def _header(draft: Draft, tag: str, value: str) -> None:
    if tag == "ontology":
        draft.name = value.removesuffix(".obo")
    elif tag == "data-version":
        draft.version = value
    elif tag == "property_value" and value.split(" ", 1)[0].rpartition(":")[2] in ("license", "licence"):
        draft.licence = _bare(value.partition(" ")[2]).removesuffix(" xsd:string").strip('"')


def _read_tag(term: _Term, tag: str, value: str) -> str:
    """Put one tag into the term; what is wrong with it, or the empty string."""
    if tag == "is_a":
        term.parents.append(_bare(value))
    elif tag == "id":
        if term.id:
            return f"the term '{term.id}' has a second id"
        term.id = _bare(value)
    elif tag == "name":
        if term.name:
            return f"the term '{term.id}' has a second name"
        term.name = unescape(_bare(value))
    elif tag in QUOTED:
        quoted = _QUOTED.match(value)
        if quoted is None:
            return f"the {tag} is not a quoted text"
        if tag == "def":
            term.gloss = unescape(quoted[1])
        else:
            scope = quoted[2] if tag == "synonym" else tag.split("_")[0].upper()
            term.synonyms.append((SCOPES.index(scope) if scope in SCOPES else len(SCOPES), unescape(quoted[1])))
    elif tag == "xref":
        term.xrefs.append(_bare(value).split(" ", 1)[0])
    elif tag == "alt_id":
        term.former.append(_bare(value))
    elif tag == "is_obsolete":
        term.obsolete = _bare(value) == "true"
    elif tag == "replaced_by":
        term.replaced_by.append(_bare(value))
    return ""


def _finish(term: _Term | None, draft: Draft) -> None:
    """Hand the stanza over once it is whole."""
    if term is None:
        return
    if not term.id:
        draft.skip(f"the term '{term.name}' before this has no id" if term.name else "a term has no id", None)
        return
    if term.obsolete:
        # With several replacements nobody knows which is meant.
        if len(term.replaced_by) == 1:
            draft.aliases.setdefault(term.id, term.replaced_by[0])
        return
    draft.concepts.append(term.id)
    draft.edges += [(term.id, parent) for parent in term.parents]
    texts = [term.name, *(text for _, text in sorted(term.synonyms, key=lambda s: s[0]))]
    draft.labels[term.id] = list(dict.fromkeys(text for text in texts if text))
    if term.gloss:
        draft.glosses[term.id] = term.gloss
    if term.xrefs:
        draft.xrefs[term.id] = term.xrefs
    for former in term.former:
        draft.aliases[former] = term.id


FORMAT = Obo()
