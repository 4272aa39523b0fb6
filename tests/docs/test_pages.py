"""The documentation is tested: every Python example of README.md and docs/ runs as a doctest, page by page."""

from __future__ import annotations

import doctest
import os
import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").rglob("*.md"))]
FENCE = re.compile(r"^```(?:python|pycon)\n(.*?)^```", re.DOTALL | re.MULTILINE)


@pytest.mark.parametrize("page", [p for p in PAGES if ">>>" in p.read_text(encoding="utf-8")], ids=lambda p: p.stem)
def test_examples_of_the_page_run(page: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    text = page.read_text(encoding="utf-8")
    examples = "\n\n".join(block for block in FENCE.findall(text) if ">>>" in block)
    assert examples, f"{page.name} has examples outside a ```python fence"
    test = doctest.DocTestParser().get_doctest(examples, {}, page.name, str(page), 0)
    lines: list[str] = []
    runner = doctest.DocTestRunner(optionflags=doctest.ELLIPSIS | doctest.NORMALIZE_WHITESPACE)
    runner.run(test, out=lines.append)
    assert not runner.failures, os.linesep.join(lines)
