"""Other people's programs, set up so that tests and benchmarks may ask them."""

from __future__ import annotations

import shutil
import warnings
from pathlib import Path
from typing import Any

DICTIONARY = Path("/usr/share/wordnet")  # Debian's wordnet-base
# The package lacks the file lexnames; its list is the one of the manual page wninput.
LEXNAMES = (
    "adj.all adj.pert adv.all noun.Tops noun.act noun.animal noun.artifact noun.attribute noun.body noun.cognition "
    "noun.communication noun.event noun.feeling noun.food noun.group noun.location noun.motive noun.object noun.person "
    "noun.phenomenon noun.plant noun.possession noun.process noun.quantity noun.relation noun.shape noun.state noun.substance "
    "noun.time verb.body verb.change verb.cognition verb.communication verb.competition verb.consumption verb.contact "
    "verb.creation verb.emotion verb.motion verb.perception verb.possession verb.social verb.stative verb.weather adj.ppl"
)


def nltk_wordnet(folder: Path) -> Any:
    """NLTK's reader of Debian's dictionary, copied into `folder`: NLTK reads dictionaries below its own data path only."""
    import nltk
    from nltk.corpus.reader.wordnet import WordNetCorpusReader

    corpus = folder / "corpora" / "wordnet"
    shutil.copytree(DICTIONARY, corpus)
    kinds = {"noun": 1, "verb": 2, "adj": 3, "adv": 4}
    lines = [f"{i:02}\t{name}\t{kinds[name.split('.')[0]]}\n" for i, name in enumerate(LEXNAMES.split())]
    (corpus / "lexnames").write_text("".join(lines), encoding="ascii")
    (corpus / "index.sense").touch()  # opened by NLTK, used only to map between versions
    nltk.data.path.insert(0, str(folder))  # for good: files are opened when they are needed
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return WordNetCorpusReader(nltk.data.find("corpora/wordnet"), None)
