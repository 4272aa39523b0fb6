"""DataFrames: columns go out as Arrow, masked columns come back in; everything else stays as it is.

Only the columns that matter are converted, so the index, the types and the values of all others cannot change. What a
frame would carry along unseen is cleaned: the categories of a masked column are those that were released, and no others.
"""

from __future__ import annotations

import contextlib
from collections.abc import Sequence
from typing import Any

import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pyarrow.compute as pc

from ..errors import DataError
from .base import Column

Rows = npt.NDArray[np.int64]


def frame_kind(data: Any) -> str | None:
    """ "pandas", "polars", "pyarrow", or None: nothing is imported to find out."""
    root = type(data).__module__.partition(".")[0]
    name = type(data).__name__
    if isinstance(data, pa.Table):
        return "pyarrow"
    if root == "pandas" and name == "DataFrame":
        return "pandas"
    if root == "polars" and name in ("DataFrame", "LazyFrame"):
        return "polars"
    return None


def names_of(data: Any, kind: str) -> list[str]:
    """The columns' names; all must be text."""
    names = list(data.column_names if kind == "pyarrow" else data.columns)
    if not all(isinstance(n, str) for n in names):
        raise DataError("The table has column names that are not text. Rename them: df.columns = [str(c) for c in df.columns].")
    return names


def to_arrow(data: Any, kind: str, columns: Sequence[str]) -> pa.Table:
    """Some columns as an Arrow table, without metadata and dictionaries."""
    names = list(columns)
    if kind == "pyarrow":
        table = data.select(names)
    elif kind == "polars":
        table = data.select(names).to_arrow()
    else:
        arrays = []
        for name in names:
            try:
                arrays.append(pa.array(data[name], from_pandas=True))
            except (pa.ArrowInvalid, pa.ArrowTypeError):
                raise DataError(
                    f"The column '{name}' holds values of several types. Make them one: df['{name}'].astype('string')."
                ) from None
        arrays = [a.combine_chunks() if isinstance(a, pa.ChunkedArray) else a for a in arrays]
        table = pa.table(arrays, names=names)
    plain = [_plain(column) for column in table.columns]
    return pa.table(plain, names=names)


def _plain(column: pa.ChunkedArray) -> pa.ChunkedArray:
    kind = column.type
    if pa.types.is_dictionary(kind):
        column = column.cast(kind.value_type)
    if pa.types.is_large_string(column.type) or pa.types.is_string_view(column.type):
        column = column.cast(pa.string()) if column.nbytes < 1 << 31 else column.cast(pa.large_string())
    return pa.chunked_array([column]) if isinstance(column, pa.Array) else column


def describe(table: pa.Table) -> tuple[Column, ...]:
    return tuple(Column(f.name, kind_of(f.type), str(f.type)) for f in table.schema)


def kind_of(kind: pa.DataType) -> str:
    """The kind of an Arrow type, as `Column.kind`."""
    if pa.types.is_dictionary(kind):
        return kind_of(kind.value_type)
    if pa.types.is_boolean(kind):
        return "truth"
    if pa.types.is_integer(kind) or pa.types.is_floating(kind) or pa.types.is_decimal(kind):
        return "number"
    if pa.types.is_date(kind) or pa.types.is_timestamp(kind) or pa.types.is_time(kind):
        return "time"
    if pa.types.is_string(kind) or pa.types.is_large_string(kind) or pa.types.is_string_view(kind) or pa.types.is_null(kind):
        return "text"
    return "nested"


def rebuild(data: Any, kind: str, released: pa.Table, target: Rows, drop: Sequence[str]) -> Any:
    """The frame with the columns of `released` taken at `target` (by row; −1: the row goes), without the columns of `drop`."""
    kept = target >= 0
    take = pa.array(target[kept])
    masked = {
        name: column.combine_chunks().take(take) for name, column in zip(released.column_names, released.columns, strict=True)
    }
    build = {"pandas": _pandas, "polars": _polars, "pyarrow": _pyarrow}[kind]
    return build(data, masked, kept, list(drop))


def _pyarrow(data: pa.Table, masked: dict[str, pa.Array], kept: npt.NDArray[np.bool_], drop: list[str]) -> pa.Table:
    table = data.drop_columns(drop) if drop else data
    if not kept.all():
        table = table.filter(pa.array(kept))
    for name, column in masked.items():
        asked = data.schema.field(name).type
        again = pc.dictionary_encode(column) if pa.types.is_dictionary(asked) else fitted(column, asked)
        table = table.set_column(table.schema.get_field_index(name), name, again)
    return table.replace_schema_metadata(None)


def _pandas(data: Any, masked: dict[str, pa.Array], kept: npt.NDArray[np.bool_], drop: list[str]) -> Any:
    import pandas as pd

    table = data.drop(columns=drop) if drop else data.copy(deep=False)
    if not kept.all():
        table = table.loc[kept]
    if isinstance(data.index, pd.RangeIndex):  # gaps would tell which rows are gone
        table = table.reset_index(drop=True)
    for name, column in masked.items():
        table[name] = _series(column, data[name].dtype, table.index)
    table.attrs = {}
    return table


def _series(column: pa.Array, dtype: Any, index: Any) -> Any:
    """A masked column in the type it had, where its values fit."""
    import pandas as pd

    series = pd.Series(column.to_pandas().to_numpy(), index=index, dtype=None)
    if isinstance(dtype, pd.CategoricalDtype):
        return series.astype("category")
    if pd.api.types.is_object_dtype(dtype):  # not by its kind: pandas' types for text are of kind "O", too
        return series.astype(object).where(series.notna(), None)
    try:
        return series.astype(dtype)
    except (TypeError, ValueError, NotImplementedError):
        return series


def _polars(data: Any, masked: dict[str, pa.Array], kept: npt.NDArray[np.bool_], drop: list[str]) -> Any:
    import polars as pl

    table = data.drop(drop) if drop else data
    if not kept.all():
        table = table.filter(pl.Series(kept))
    columns = []
    for name, column in masked.items():
        series = pl.Series(name, column)
        dtype = data.schema[name]
        if dtype == pl.Enum:
            series = series.cast(pl.Enum(series.drop_nulls().unique(maintain_order=True)))
        elif series.dtype != dtype:
            with contextlib.suppress(pl.exceptions.PolarsError):  # a word that the type cannot hold: text it is
                series = series.cast(dtype)
        columns.append(series)
    return table.with_columns(columns)


def fitted(column: pa.Array, asked: pa.DataType) -> pa.Array:
    """The column as type `asked`, where its values fit; else as it is."""
    try:
        return column.cast(asked)
    except (pa.ArrowInvalid, pa.ArrowNotImplementedError):
        return column
