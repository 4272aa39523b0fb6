"""What can go wrong around a run: it is killed, its input changes, several run at once, its recipe is garbage."""

from __future__ import annotations

import hashlib
import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import ontomask as om
from ontomask.errors import DataError
from ontomask.recipe import Recipe

PHASES = ["open", "count", "match", "mask", "write", "verify"]
ROWS = "name,pain,age\n" + "".join(f"p{i},{('colic', 'ache', 'Aches', 'lumbago')[i % 4]},{20 + i % 7}\n" for i in range(200))
EDGES = "child,parent\ncolic,pain\nache,pain\nlumbago,ache\n"
SCRIPT = """
import os, signal, sys
import ontomask as om
phase, table, tax, output = sys.argv[1:]
def observer(now, share):
    if now == phase:
        os.kill(os.getpid(), signal.SIGKILL)
om.mask(table, {"pain": tax, "age": "number"}, om.Suppression(k=3), drop=["name"], progress=observer).write(output)
"""


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "table.csv").write_text(ROWS)
    (tmp_path / "pain.csv").write_text(EDGES)
    return tmp_path


def digest(path: Path) -> str:
    return hashlib.sha256(path.read_bytes()).hexdigest()


@pytest.mark.parametrize("phase", PHASES)
def test_killed_in_any_phase_leaves_no_release_and_the_next_run_works(phase: str, folder: Path) -> None:
    table, output = folder / "table.csv", folder / "masked.csv"
    before = digest(table)
    arguments = [phase, str(table), str(folder / "pain.csv"), str(output)]
    environment = {**os.environ, "TMPDIR": str(folder)}
    done = subprocess.run([sys.executable, "-c", SCRIPT, *arguments], capture_output=True, env=environment, check=False)
    assert done.returncode == -signal.SIGKILL, done.stderr.decode()
    assert digest(table) == before
    assert not output.exists()
    om.mask(table, {"pain": str(folder / "pain.csv"), "age": "number"}, om.Suppression(k=3), drop=["name"]).write(output)
    assert om.verify(output, ["pain", "age"], 3).kept


@pytest.mark.parametrize("change", ["longer", "same length"])
def test_an_input_that_changes_under_the_run_is_an_error(change: str, folder: Path) -> None:
    table, output = folder / "table.csv", folder / "masked.csv"

    def observer(phase: str, share: float | None) -> None:
        if phase == "write" and share is None:
            text = table.read_text()
            table.write_text(text + "new,colic,22\n" if change == "longer" else text.replace("colic,20", "lumba,99"))

    masked = om.mask(table, {"pain": str(folder / "pain.csv"), "age": "number"}, om.Recoding(k=3), progress=observer)
    with pytest.raises(DataError, match="changed while"):
        masked.write(output)
    assert sorted(p.name for p in folder.iterdir()) == ["pain.csv", "table.csv"]


def test_an_input_that_changes_before_it_is_collected_is_an_error(folder: Path) -> None:
    table = folder / "table.csv"
    masked = om.mask(table, {"pain": str(folder / "pain.csv"), "age": "number"}, om.Recoding(k=3))
    table.write_text(ROWS.replace("p7,", "q7,"))
    with pytest.raises(DataError, match="changed while"):
        masked.data  # noqa: B018


def test_eight_runs_at_once(folder: Path) -> None:
    command = [sys.executable, "-m", "ontomask", "mask", str(folder / "table.csv"), "-q", f"pain={folder / 'pain.csv'}"]
    command += ["-q", "age=number", "--method", "suppression", "-k", "3", "--drop", "name", "--quiet", "-o"]
    running = [
        subprocess.Popen([*command, str(folder / f"masked{i}.csv")], stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        for i in range(8)
    ]
    for process in running:
        _, errors = process.communicate(timeout=300)
        assert process.returncode == 0, errors.decode()
    assert len({digest(folder / f"masked{i}.csv") for i in range(8)}) == 1
    assert len(list(folder.iterdir())) == 10


GOOD = """
[input]
path = "table.csv"
[quasi]
pain = "wordnet"
age = "number"
[method]
name = "sa-mdav"
k = 5
[options]
drop = ["name"]
seed = 7
[weights]
age = 0.5
"""


@settings(max_examples=150)
@given(st.data())
def test_no_recipe_ends_in_a_traceback(data: st.DataObject) -> None:
    text = GOOD
    for _ in range(data.draw(st.integers(1, 4))):
        at = data.draw(st.integers(0, len(text)))
        until = data.draw(st.integers(at, min(len(text), at + 12)))
        odd = ["[", "]", "=", '"', "\n", "{}", "true", "1e999", "[[quasi]]\n"]
        piece = data.draw(st.text(max_size=6) | st.sampled_from(odd))
        text = text[:at] + piece + text[until:]
    import tempfile

    with tempfile.TemporaryDirectory() as place:
        path = Path(place) / "recipe.toml"
        path.write_text(text, encoding="utf-8", errors="surrogatepass")
        try:
            Recipe.read(path)
        except om.OntomaskError as error:
            assert str(error).strip()  # noqa: PT017 - a recipe or a sentence: either is right, a traceback is not
