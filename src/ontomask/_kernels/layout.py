"""How the kernels see the attributes of a table: one tuple of arrays instead of a dozen arguments."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import numpy.typing as npt


class Layout(NamedTuple):
    """The arrays of `semantics.geometry.Geometry`, in the order and with the meaning that it describes.

    Attribute j has q[j] values and h[j] candidates. Fixed-point distance of candidate c and value v:
    `distance[at[j] + c * q[j] + v]`. Candidate c is number i = `first[j] + c` in `depth`, `tie` and `up_ptr`; its
    ancestors-or-self are the candidate codes `up[up_ptr[i]:up_ptr[i + 1]]`, root first, with `links` beside them.
    `top[j]` is the candidate that stands for anything.
    """

    q: npt.NDArray[np.int32]
    h: npt.NDArray[np.int32]
    at: npt.NDArray[np.int64]
    distance: npt.NDArray[np.int32]
    first: npt.NDArray[np.int64]
    up_ptr: npt.NDArray[np.int64]
    up: npt.NDArray[np.int32]
    links: npt.NDArray[np.int32]
    depth: npt.NDArray[np.int32]
    tie: npt.NDArray[np.int32]
    top: npt.NDArray[np.int32]
