"""Whatever is wrong with the input is said in one helpful sentence, without a cell value, and nothing is written."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import ontomask as om
from ontomask.errors import DataError, MatchingError, OntomaskError, ParameterError, PromiseError, UnknownNameError
from ontomask.methods.base import make_method
from tests.small_table import PAIN, frame, mask


@pytest.mark.parametrize(
    ("arguments", "error", "said"),
    [
        ({"method": "recoding", "k": 1}, ParameterError, "int ≥ 2"),
        ({"method": "recoding"}, ParameterError, "k = 5 is a common choice"),
        ({"method": om.Recoding(k=21)}, ParameterError, "at most the number of records, 20"),
        ({"method": "recodign", "k": 2}, UnknownNameError, "Did you mean 'recoding'?"),
        ({"method": 5}, ParameterError, "om.Recoding(k=5)"),
        ({"measure": "logsk"}, UnknownNameError, "Did you mean 'logsc'?"),
        ({"quasi": {"pian": PAIN}}, DataError, "Did you mean 'pain'?"),
        ({"quasi": {"pain": "wordnte"}}, ParameterError, "Did you mean 'wordnet'?"),
        ({"quasi": {"pain": "/no/such/taxonomy.obo"}}, OntomaskError, "/no/such/taxonomy.obo"),
        ({"quasi": {"pain": 7}}, ParameterError, "be a taxonomy"),
        ({"quasi": {"pain": "ordinal:low"}}, ParameterError, "ordinal:low<middle<high"),
        ({"quasi": {"pain": "numbr"}}, ParameterError, "Did you mean 'number'"),
        ({"quasi": {"pain": "number"}}, DataError, "used as a number"),
        ({"quasi": {}}, ParameterError, "at least one column"),
        ({"quasi": ["sex", "sex"]}, ParameterError, "name each column once"),
        ({"confidential": ["pain"]}, DataError, "named as quasi and as confidential"),
        ({"drop": ["pain"]}, DataError, "named as quasi and as dropped"),
        ({"drop": ["no"]}, DataError, "There is no column 'no'"),
        ({"weights": {"sex": 2}}, ParameterError, "name columns of quasi"),
        ({"weights": {"pain": 0}}, ParameterError, "above 0"),
        ({"overrides": {"sex": {}}}, ParameterError, "columns of quasi"),
        ({"overrides": {"pian": {}}}, ParameterError, "columns of quasi ('pain')"),
        ({"weights": {"pian": 2}}, ParameterError, "Did you mean 'pain'?"),
        ({"unmatched": "ignore"}, ParameterError, "'suppress'"),
        ({"unmatched": "rooot"}, ParameterError, "Did you mean 'root'?"),
        ({"missing": "ignore"}, ParameterError, "'suppress'"),
        ({"seed": -1}, ParameterError, "whole number"),
        ({"seed": True}, ParameterError, "whole number"),
        ({"memory_limit": "much"}, ParameterError, "500MB"),
        ({"data": 7}, DataError, "A table is a path"),
        ({"data": frame(0)}, DataError, "no records"),
        ({"data": "no_such_file.csv"}, DataError, "There is no file"),
    ],
)
def test_wrong_arguments(arguments: dict[str, Any], error: type[Exception], said: str) -> None:
    with pytest.raises(error) as found:
        mask(**arguments)
    assert said in str(found.value)
    assert isinstance(found.value, OntomaskError)


def test_unmatched_values_are_listed_with_what_can_be_done() -> None:
    data = frame()
    data.loc[0, "pain"] = "lumbagoo"
    with pytest.raises(MatchingError, match="lumbago") as found:
        mask(data)
    assert "overrides" in str(found.value)


FULL = """
import resource, sys, pandas as pd, ontomask as om
data = pd.DataFrame({"sex": ["f", "m"] * 50_000, "x": [f"some text {i}" for i in range(100_000)]})
masked = om.mask(data, ["sex"], om.Suppression(k=5))
resource.setrlimit(resource.RLIMIT_FSIZE, (100_000, 100_000))
try:
    masked.write(sys.argv[1])
except om.OntomaskError as error:
    print(type(error).__name__, error)
"""


@pytest.mark.parametrize("suffix", ["csv", "parquet"])
def test_a_disk_that_is_full_leaves_nothing_behind(suffix: str, tmp_path: Path) -> None:
    ran = subprocess.run(
        [sys.executable, "-c", FULL, str(tmp_path / f"o.{suffix}")], capture_output=True, text=True, check=True
    )
    assert ran.stdout.startswith("OutputError"), ran.stdout + ran.stderr
    assert not list(tmp_path.iterdir())


def test_a_method_that_breaks_its_promise_is_caught() -> None:
    class Lying(om.Recoding):
        def mask(self, tuples: Any, rng: np.random.Generator) -> Any:
            from ontomask.flow import make_flow

            return make_flow(np.arange(tuples.p), tuples.codes, tuples.counts)

    with pytest.raises(PromiseError, match="promised classes of at least 6"):
        mask(method=Lying(k=6))


def test_a_wrong_setting_is_named_before_its_method() -> None:
    with pytest.raises(UnknownNameError, match=r"There is no setting 'guid' of the method 'recoding'\. Did you mean 'guide'\?"):
        make_method("recoding", 5, guid="semantic")


def test_k_is_no_setting() -> None:
    with pytest.raises(
        UnknownNameError, match=r"There is no setting 'k' of the method 'suppression'\. .* k is given on its own"
    ):
        make_method("suppression", 5, k=3)
