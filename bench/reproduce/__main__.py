"""Run the studies and write docs/reproduction.md: `python -m bench.reproduce [STUDY …]` (parts are kept between "
"comments)."""

from __future__ import annotations

import re
import sys
import time
from importlib import import_module

from ..__main__ import ROOT, insert
from . import STUDIES

PAGE = ROOT / "docs" / "reproduction.md"
HEAD = """# Reproduction

The package stands on five sources. This page runs their studies again, on the data at hand, and says of each conclusion
whether it holds. It is written by `make reproduce`; nothing in it is set by hand but the explanations where a conclusion does
not hold. The sources print most results as pictures without numbers, so conclusions are what can be compared; where they
print numbers, these stand beside ours.

FUSION: Martínez, Sánchez, Valls, Batet, *Privacy protection of textual attributes through a semantic-based masking method*.
THESIS: Martínez, *Ontology based semantic anonymisation of microdata*. SWAP: semantic rank swapping. PATTERN: Armengol,
Torra, *Generalization-based k-anonymization*. SETS: Batet, Erola, Sánchez, Castellà-Roca, *Semantic anonymisation of
set-valued data*.

**visitors**: the bundled survey of 975 visitors of a nature park, two free-text answers. It is made up, with the size and
shape of the Delta survey that FUSION and THESIS use and that was never published (211 tuples, 118 unique; ours: 213
combinations as written, 117 unique, and fewer once two spellings are one concept). What holds on it is a property of the
methods; figures cannot be compared. **Adult**: occupation and native-country of the 30,162 complete training records, words
mapped as in THESIS table 12. **stays**: 3,006 stays of the US National Hospital Discharge Survey of 2010, first and second
diagnosis, over the ICD-9-CM tree; the source has 3,006 discharges of a Californian hospital, mapped to SNOMED CT.
"""


def main() -> None:
    names = sys.argv[1:] or list(STUDIES)
    unknown = [n for n in names if n not in STUDIES]
    if unknown:
        sys.exit(f"There is no study {', '.join(unknown)}. Known: {', '.join(STUDIES)}.")
    page = PAGE.read_text(encoding="utf-8") if PAGE.exists() else HEAD
    page = HEAD.rstrip() + "\n\n" + page[page.index("<!-- bench:") :] if "<!-- bench:" in page else HEAD
    for name in names:
        start = time.perf_counter()
        module = import_module(f"bench.reproduce.{name}")
        found = module.study()
        parts = [f"## {module.TITLE}", *(finding.page() for finding in found)]
        page = insert(page, name, "\n\n".join(parts))
        claims = [c for f in found for c in f.claims]
        seconds = time.perf_counter() - start
        print(f"{name}: {sum(c.holds for c in claims)} of {len(claims)} claims hold, {seconds:.0f} s", flush=True)
        for finding in found:
            for claim in finding.claims:
                if not claim.holds:
                    print(f"  {finding.figures}: NOT {claim.said} ({claim.shown})", flush=True)
    PAGE.write_text(_counted(page), encoding="utf-8")


def _counted(page: str) -> str:
    """The page with the number of conclusions that hold, counted from itself."""
    holds = len(re.findall(r"^- \*\*holds\*\*", page, re.MULTILINE))
    others = len(re.findall(r"^- \*\*does not hold\*\*", page, re.MULTILINE))
    return page.replace(HEAD.rstrip(), f"{HEAD.rstrip()}\n\n**{holds} of {holds + others} conclusions hold.**", 1)


if __name__ == "__main__":
    main()
