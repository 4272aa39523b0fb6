"""Does a model learned from the release know what one learned from the original knows? (PATTERN 5: train masked, test original)

A decision tree and a logistic regression learn a confidential column from the quasi-identifiers of masked training
records, and predict it for original test records that they have not seen. Beside them stands the same model learned from
the originals of the same training records, and the accuracy of always saying the most frequent value.

A word is told to the model as everything that it is: the indicator of each of its ancestors. So a model can learn that
*metalworkers* earn more, and apply it to *welders*; one value for each word would make every generalised word a stranger.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from ..errors import needs
from ..semantics.spaces.base import Ints, Longs, Space
from ..semantics.spaces.line import LineSpace
from .case import Case, Labelled

HELD_BACK = 0.3  # share of the records that models are tested on
SEED = 19930801  # of the split into training and test records, and of the models
STEPS = 1_000  # of the logistic regression


def accuracy(case: Case) -> dict[str, dict[str, float]] | None:
    """Per labelled column: accuracy in percent of each model on original test records, learned from masked ones.

    `tree` and `logistic` learned from the release, `tree_original` and `logistic_original` from the originals, `majority`
    from neither. None where no column is to be learned.
    """
    return {name: _accuracy(case, labelled) for name, labelled in case.labelled.items()} or None


def _accuracy(case: Case, data: Labelled) -> dict[str, float]:
    rng = np.random.default_rng(SEED)
    tested = rng.binomial(data.count, HELD_BACK)
    trained = data.count - tested
    released = trained * (data.target >= 0)
    spaces = case.tuples.spaces
    before = features(spaces, case.tuples.codes)
    after = features(spaces, case.outcomes)
    labels = np.bincount(data.label, weights=trained)
    everything = max(1, int(tested.sum()))
    found = {"majority": 100.0 * float(tested[data.label == labels.argmax()].sum()) / everything}
    for name, make in _models().items():
        for suffix, x, weight in (("", after[data.target], released), ("_original", before[data.source], trained)):
            right = _learn_and_predict(make(), x, data.label, weight, before[data.source]) == data.label
            found[name + suffix] = 100.0 * float(tested @ right) / everything
    return found


def features(spaces: tuple[Space, ...], codes: Ints) -> Any:
    """What models are told of tuples of candidate codes: a scipy CSR matrix, one row per tuple.

    Words and flat values: an indicator for each ancestor-or-self. Numbers, dates and ordered words: the middle of the
    interval as a share of the range, and an indicator of "known".
    """
    from scipy.sparse import csr_array, hstack

    parts = []
    for j, space in enumerate(spaces):
        if isinstance(space, LineSpace):
            middle = (space.low + space.high) / 2
            known = np.isfinite(middle)
            low, high = (float(middle[known].min()), float(middle[known].max())) if known.any() else (0.0, 0.0)
            scaled = np.where(known, (middle - low) / ((high - low) or 1.0), 0.0)
            parts.append(csr_array(np.column_stack([scaled, known])[codes[:, j]]))
            continue
        said = csr_array((np.ones(len(space.up), np.float64), space.up, space.up_ptr), shape=(space.h, space.h))
        parts.append(said[codes[:, j]])
    told = hstack(parts, format="csr")
    told.indices, told.indptr = told.indices.astype(np.int32), told.indptr.astype(np.int32)  # what scikit-learn's trees take
    return told


def _models() -> Mapping[str, Any]:
    try:
        from sklearn.linear_model import LogisticRegression
        from sklearn.tree import DecisionTreeClassifier
    except ImportError as error:
        raise needs("scikit-learn", "learn", "The accuracy of models learned from the release") from error
    return {
        "tree": lambda: DecisionTreeClassifier(min_weight_fraction_leaf=0.001, random_state=SEED),
        "logistic": lambda: LogisticRegression(max_iter=STEPS),
    }


def _learn_and_predict(model: Any, x: Any, label: Ints, weight: Longs, asked: Any) -> Ints:
    """Learn from the rows that have weight; where only one label is left, that is the answer."""
    used = weight > 0
    known = np.unique(label[used])
    if len(known) < 2:
        return np.full(len(label), known[0] if len(known) else -1, np.int32)
    model.fit(x[used], label[used], sample_weight=weight[used])
    predicted: Ints = model.predict(asked).astype(np.int32)
    return predicted
