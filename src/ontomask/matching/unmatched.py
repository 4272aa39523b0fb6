"""Values that mean no concept: what is near them, and what to do about them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
import pyarrow as pa

from ..errors import MatchingError, illegal
from ..taxonomy.graph import Graph
from ..taxonomy.lexicon import Lexicon, fold
from ..taxonomy.taxonomy import Taxonomy
from .forms import bare
from .matches import Matches

POLICIES = ("error", "root", "own", "suppress", "keep")
_SHOWN = 10


def near_labels(texts: Sequence[str], taxonomy: Taxonomy, most: int = 3, at_least: float = 75.0) -> list[list[str]]:
    """For each text up to `most` labels that are spelt nearly like it (Levenshtein ratio in percent ≥ `at_least`)."""
    if not len(texts):
        return []
    from rapidfuzz import fuzz, process

    key = ("matching", "keys")
    if key not in taxonomy.memo:
        taxonomy.memo[key] = taxonomy.lexicon.keys.to_pylist()
    keys = taxonomy.memo[key]
    return [
        [hit[0] for hit in process.extract(bare(t), keys, scorer=fuzz.ratio, limit=most, score_cutoff=at_least)] for t in texts
    ]


def settle(matches: Matches, unmatched: str = "error", column: str = "") -> Matches:
    """Apply a policy to the values that have no concept.

    `error` refuses them; `root` lets them mean the root: anything; `own` makes each a concept of its own under the root;
    `suppress` marks them, so that their records are not released; `keep` leaves them as they are.
    """
    if unmatched not in POLICIES:
        raise illegal("unmatched", "match", f"be one of {', '.join(POLICIES)}", unmatched)
    left = matches.unmatched
    if not left or unmatched == "keep":
        return matches
    if unmatched == "error":
        raise MatchingError(_refusal(matches, column))
    how = list(matches.how)
    for i in left:
        how[i] = {"root": "root", "own": "own", "suppress": "suppressed"}[unmatched]
    if unmatched == "suppress":
        return replace(matches, how=how)
    concepts, sense, senses = matches.concepts.copy(), matches.sense.copy(), matches.senses.copy()
    taxonomy = matches.taxonomy
    if unmatched == "root":
        concepts[left] = taxonomy.graph.root
    else:
        in_order = sorted(left)
        numbers: dict[str, int] = {}  # two spellings of one unknown word are one concept
        for i in in_order:
            numbers.setdefault(bare(str(matches.values[i])), len(taxonomy.graph) + len(numbers))
        firsts = dict.fromkeys(numbers, "")
        for i in in_order:
            key = bare(str(matches.values[i]))
            firsts[key] = firsts[key] or str(matches.values[i]).strip()
            concepts[i] = numbers[key]
        taxonomy = extended(taxonomy, list(firsts.values()))
    sense[left] = senses[left] = 1
    return replace(matches, taxonomy=taxonomy, concepts=concepts, sense=sense, senses=senses, how=how)


def extended(taxonomy: Taxonomy, words: Sequence[str]) -> Taxonomy:
    """The taxonomy with one more concept under its root for each word; the concepts it has keep their numbers."""
    graph, lexicon = taxonomy.graph, taxonomy.lexicon
    n, more = len(graph), len(words)
    child = np.concatenate([np.repeat(np.arange(n), np.diff(graph.up_ptr)), np.arange(n, n + more)]).astype(np.int32)
    parent = np.concatenate([graph.up, np.full(more, graph.root)]).astype(np.int32)
    taken = set(lexicon.index)
    ids = lexicon.ids.to_pylist()
    for word in words:
        id_ = f"own:{word}"
        while id_ in taken:
            id_ += "*"
        taken.add(id_)
        ids.append(id_)
    return Taxonomy(
        graph=Graph.from_links(child, parent, n + more, graph.root),
        lexicon=_more_words(lexicon, ids, words),
        name=taxonomy.name,
        version=taxonomy.version,
        licence=taxonomy.licence,
        virtual_root=taxonomy.virtual_root,
        problems=taxonomy.problems,
        glosses=taxonomy.glosses,
        features=taxonomy.features,
        xrefs=taxonomy.xrefs,
        aliases=taxonomy.aliases,
    )


def _more_words(lexicon: Lexicon, ids: Sequence[str], words: Sequence[str]) -> Lexicon:
    """The lexicon with one more concept for each word, which comes last among the senses of that word."""
    n = len(lexicon.ids)
    meanings: dict[str, list[int]] = {}
    for c, word in enumerate(words, n):
        meanings.setdefault(fold(word), []).append(c)
    meanings.pop("", None)
    known = lexicon.positions(list(meanings)).tolist()
    keys = [*lexicon.keys.to_pylist(), *(key for key, at in zip(meanings, known, strict=True) if at < 0)]
    starts = np.concatenate([lexicon.sense_ptr[:-1], np.zeros(len(keys) - len(lexicon.keys), np.int64)])
    sizes = np.concatenate([np.diff(lexicon.sense_ptr), np.zeros(len(keys) - len(lexicon.keys), np.int64)])
    parts, end, fresh = [lexicon.senses], len(lexicon.senses), len(lexicon.keys)
    for (_, concepts), at in zip(meanings.items(), known, strict=True):
        row = np.concatenate([lexicon.senses_at(at) if at >= 0 else lexicon.senses[:0], concepts]).astype(np.int32)
        where, fresh = (at, fresh) if at >= 0 else (fresh, fresh + 1)
        starts[where], sizes[where] = end, len(row)
        parts.append(row)
        end += len(row)
    flat = np.concatenate(parts)
    order = np.asarray(sorted(range(len(keys)), key=keys.__getitem__), np.int64)
    sense_ptr = np.zeros(len(keys) + 1, np.int64)
    np.cumsum(sizes[order], out=sense_ptr[1:])
    within = np.arange(sense_ptr[-1]) - np.repeat(sense_ptr[:-1], sizes[order])
    return Lexicon(
        ids=pa.array(ids, pa.string()),
        labels=pa.concat_arrays([lexicon.labels, pa.array(words, pa.string())]),
        label_ptr=np.concatenate([lexicon.label_ptr, lexicon.label_ptr[-1] + np.arange(1, len(words) + 1)]),
        keys=pa.array([keys[i] for i in order], pa.string()),
        sense_ptr=sense_ptr,
        senses=flat[np.repeat(starts[order], sizes[order]) + within],
    )


def _refusal(matches: Matches, column: str) -> str:
    left = matches.unmatched
    shown = left[:_SHOWN]
    near = near_labels([str(matches.values[i]) for i in shown], matches.taxonomy)
    rows = []
    for i, labels in zip(shown, near, strict=True):
        doubt = f"; '{matches.heads[str(matches.values[i])]}' may mean several things" if matches.how[i] == "doubtful" else ""
        hint = f"; near: {', '.join(labels)}" if labels and not doubt else doubt
        rows.append(f"  '{matches.values[i]}' ({_many(int(matches.counts[i]), 'record')}{hint})")
    where = f" of column '{column}'" if column else ""
    of = f"the taxonomy '{matches.taxonomy.name}'" if matches.taxonomy.name else "the taxonomy"
    more = f"\n  and {len(left) - len(shown):,} more" if len(left) > len(shown) else ""
    return (
        f"{_many(len(left), 'value')}{where} ({_many(int(matches.counts[np.asarray(left)].sum()), 'record')}) "
        f"without a clear concept of {of}:\n"
        + "\n".join(rows)
        + more
        + _in_doubt(matches)
        + "\nSay what they mean with overrides (a CSV of value,concept, or a dict), or what shall become of them with "
        + "unmatched='root' (they mean anything), 'own' (a concept of their own) or 'suppress' (their records go; an item "
        + "leaves its set). `ontomask match` writes every match for review."
    )


def _in_doubt(matches: Matches) -> str:
    """The words whose override would settle most values, where more than one value hangs on a word."""
    hang: dict[str, int] = {}
    for i, how in enumerate(matches.how):
        if how == "doubtful":
            word = matches.heads[str(matches.values[i])]
            hang[word] = hang.get(word, 0) + 1
    most = sorted((word for word in hang if hang[word] > 1), key=lambda word: -hang[word])[:5]
    if not most:
        return ""
    said = ", ".join(f"'{word}' ({hang[word]:,} values)" for word in most)
    return f"\nAn override of a single word settles all phrases that end in it: {said}."


def _many(n: int, of: str) -> str:
    return f"{n:,} {of}{'' if n == 1 else 's'}"
