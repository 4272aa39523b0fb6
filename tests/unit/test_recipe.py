"""Recipes: one TOML file = one run."""

from __future__ import annotations

from pathlib import Path

import numba
import pandas as pd
import pytest

import ontomask as om
from ontomask._registry import METHODS
from ontomask.errors import DataError, OntomaskError
from ontomask.recipe import Recipe

GOOD = {"quasi": {"sex": "flat"}, "method": {"name": "recoding", "k": 3}}


def test_a_run_can_be_repeated_from_its_recipe(tmp_path: Path) -> None:
    frame = pd.DataFrame(
        {"pain": ["colic", "ache", "aches", "rash"] * 5, 'a "b"': [i % 7 for i in range(20)], "row": range(20)}
    )
    edges = tmp_path / "pain.csv"
    edges.write_text("child,parent\ncolic,pain\nache,pain\nrash,pain\n", encoding="utf-8")
    path = tmp_path / "in.csv"
    frame.to_csv(path, index=False)
    masked = om.mask(
        path,
        {"pain": str(edges), 'a "b"': "number:quantile"},
        om.Resampling(k=2),
        weights={'a "b"': 0.5},
        overrides={"pain": {"rash": "colic"}},
        missing="suppress",
        drop=["row"],
        measure="path",
    )
    recipe = tmp_path / "recipe.toml"
    masked.recipe.write(recipe)
    again = Recipe.read(recipe)
    assert again == masked.recipe
    assert om.mask(**again.arguments()).data.equals(masked.data)


@pytest.mark.parametrize("name", [n for n in METHODS if n != "sets"])
def test_every_method_is_repeated_from_its_recipe_byte_by_byte(name: str, tmp_path: Path) -> None:
    frame = pd.DataFrame(
        {"pain": ["colic", "ache", "aches", "rash"] * 6, "age": [i % 7 for i in range(24)], "pay": ["l", "h", "h"] * 8}
    )
    frame.to_csv(tmp_path / "in.csv", index=False)
    (tmp_path / "pain.csv").write_text("child,parent\ncolic,pain\nache,pain\nrash,pain\n", encoding="utf-8")
    quasi = {"pain": str(tmp_path / "pain.csv"), "age": "number"}
    more = {"weights": {"age": 0.5}, "overrides": {"pain": {"rash": "colic"}}, "confidential": ["pay"]}
    masked = om.mask(tmp_path / "in.csv", quasi, name, k=3, **more)
    cores = numba.get_num_threads()
    masked.write(tmp_path / "first.csv")
    masked.recipe.write(tmp_path / "recipe.toml")
    again = om.mask(**Recipe.read(tmp_path / "recipe.toml").arguments(), threads=1)
    assert again.recipe == masked.recipe
    assert numba.get_num_threads() == 1
    again.write(tmp_path / "second.csv")
    assert (tmp_path / "first.csv").read_bytes() == (tmp_path / "second.csv").read_bytes()
    om.mask(tmp_path / "in.csv", quasi, "suppression", k=3)
    assert numba.get_num_threads() == cores


@pytest.mark.parametrize(
    ("content", "said"),
    [
        ({**GOOD, "quasy": {}}, "Did you mean 'quasi'?"),
        ({**GOOD, "options": {"mesure": "path"}}, "Did you mean 'measure'?"),
        ({**GOOD, "options": {"seed": "7"}}, "must be a whole number"),
        ({**GOOD, "options": {"seed": True}}, "must be a whole number"),
        ({**GOOD, "output": {"force": 1}}, "must be true or false"),
        ({**GOOD, "quasi": {"sex": 5}}, "must be text"),
        ({**GOOD, "weights": {"sex": "much"}}, "must be a whole number or a number"),
        ({**GOOD, "input": {"path": "x.csv", "long": ["user"]}}, "name two columns"),
        ({**GOOD, "input": {"path": "x.csv", "long": ["user", "item"], "baskets": ","}}, "Choose one"),
        ({**GOOD, "quasi": 5}, "write [quasi]"),
        ({**GOOD, "method": {"name": "recoding"}}, "needs k"),
        ({**GOOD, "method": {"name": "recodign", "k": 3}}, "Did you mean 'recoding'?"),
        ({**GOOD, "method": {"name": "recoding", "k": 3, "guid": "semantic"}}, "Did you mean 'guide'?"),
        ({**GOOD, "method": {"name": "recoding", "k": 1}}, "int ≥ 2"),
    ],
)
def test_what_is_wrong_is_said(content: dict[str, object], said: str) -> None:
    with pytest.raises(OntomaskError) as found:
        Recipe.from_dict(content)
    assert said in str(found.value)


def test_files_that_are_no_recipe(tmp_path: Path) -> None:
    with pytest.raises(DataError, match="cannot be read"):
        Recipe.read(tmp_path / "none.toml")
    (tmp_path / "bad.toml").write_text("[quasi\n", encoding="utf-8")
    with pytest.raises(DataError, match="is not TOML"):
        Recipe.read(tmp_path / "bad.toml")


def test_a_taxonomy_without_a_name_cannot_be_repeated() -> None:
    masked = om.mask(pd.DataFrame({"pain": ["colic"] * 5}), {"pain": [("colic", "pain")]}, om.Recoding(k=2))
    assert masked.recipe.quasi["pain"] != ""
    recipe = Recipe(quasi={"pain": "(given in Python)"}, method="recoding", k=2)
    with pytest.raises(OntomaskError, match="Save it to a file"):
        recipe.arguments()
