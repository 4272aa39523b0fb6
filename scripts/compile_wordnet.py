"""Compile the nouns of a WordNet dictionary folder into the file that the package carries.

    python scripts/compile_wordnet.py [FOLDER] [OUT]

FOLDER is by default the one of Debian's package wordnet-base (WordNet 3.0). Labels, sense order, hypernyms and instance
hypernyms go in; glosses and other links do not. The licence notice, which must go with it, is written beside it.
"""

from __future__ import annotations

import re
import sys
from pathlib import Path

from ontomask.taxonomy.build import build
from ontomask.taxonomy.formats import compiled
from ontomask.taxonomy.load import BUNDLED, read_draft
from ontomask.taxonomy.source import Source

DEBIAN = Path("/usr/share/wordnet")


def notice(folder: Path) -> str:
    """The licence as it stands, indented and numbered, at the top of data.noun."""
    lines = []
    for line in (folder / "data.noun").read_text(encoding="utf-8").splitlines():
        if not line.startswith("  "):
            break
        lines.append(re.sub(r"^ +\d+ ?", "", line).rstrip())
    return "\n".join(lines) + "\n"


def main() -> None:
    folder = Path(sys.argv[1]) if len(sys.argv) > 1 else DEBIAN
    out = Path(sys.argv[2]) if len(sys.argv) > 2 else BUNDLED["wordnet"]
    draft = read_draft(Source(folder), "wordnet")
    draft.glosses, draft.features = {}, {}
    taxonomy = build(draft)
    out.parent.mkdir(parents=True, exist_ok=True)
    compiled.write(taxonomy, out, compress=True)
    (out.parent / f"LICENSE-{out.stem}.txt").write_text(
        f"{out.name} is derived from the noun files of WordNet {draft.version}: words, sense order, hypernym and instance\n"
        "hypernym links; glosses and other links are left out. It is distributed under WordNet's licence, which follows.\n\n"
        + notice(folder),
        encoding="utf-8",
    )
    print(f"{taxonomy!r} -> {out} ({out.stat().st_size:,} bytes)")


if __name__ == "__main__":
    main()
