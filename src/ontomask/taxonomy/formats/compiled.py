"""A taxonomy compiled for use where it lies: one Arrow IPC file, read by memory map.

The file holds one record batch of one row; each column is a list that holds one array of the taxonomy, and the schema's
metadata the rest (name, version, licence, findings) as JSON. Without buffer compression nothing is copied on loading: the
arrays of the graph and the strings of the lexicon stay in the file. Ancestors are not stored: they are computed on
first use, quicker than a disk would read them.
"""

from __future__ import annotations

import json
import os
import zlib
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, Generic, TypeVar

import numpy as np
import pyarrow as pa

from ...errors import FormatError, OutputError
from ..draft import Problem
from ..graph import Graph
from ..lexicon import Lexicon
from ..source import Source
from ..taxonomy import Taxonomy

MAGIC = b"ARROW1"
KEY = b"ontomask taxonomy"  # the schema's metadata entry; its value is the header
LAYOUT = 1
GRAPH = ("up_ptr", "up", "down_ptr", "down", "order", "depth")
LEXICON = ("ids", "labels", "label_ptr", "keys", "sense_ptr", "senses")
ROWS = ("glosses", "features", "xrefs")
T = TypeVar("T")


class Rows(Mapping[int, T], Generic[T]):
    """Texts by concept, where they lie: of[i] is the i-th concept that has any, texts[ptr[i]:ptr[i+1]] are its."""

    def __init__(self, of: Any, ptr: Any, texts: pa.StringArray, one: bool) -> None:
        self.of, self.ptr, self.texts, self.one = of, ptr, texts, one

    def __getitem__(self, concept: int) -> T:
        i = int(np.searchsorted(self.of, concept))
        if i == len(self.of) or self.of[i] != concept:
            raise KeyError(concept)
        found: Any = self.texts[int(self.ptr[i]) : int(self.ptr[i + 1])].to_pylist()
        return found[0] if self.one else found  # type: ignore[no-any-return]

    def __iter__(self) -> Iterator[int]:
        return iter(self.of.tolist())

    def __len__(self) -> int:
        return len(self.of)


def write(taxonomy: Taxonomy, path: str | os.PathLike[str], *, compress: bool = False) -> None:
    """Write the compiled file, whole or not at all; `compress` for shipping (such a file is unpacked on loading)."""
    graph, lexicon = taxonomy.graph, taxonomy.lexicon
    columns: dict[str, Any] = {name: getattr(graph, name) for name in GRAPH}
    columns |= {name: getattr(lexicon, name) for name in LEXICON}
    for name in ROWS:
        rows: Mapping[int, Any] = getattr(taxonomy, name)
        of = sorted(rows)
        texts = [[rows[c]] if name == "glosses" else list(rows[c]) for c in of]
        columns[f"{name}_of"] = np.asarray(of, np.int32)
        columns[f"{name}_ptr"] = np.cumsum([0, *map(len, texts)], dtype=np.int64)
        columns[name] = pa.array([t for row in texts for t in row], pa.string())
    columns["aliases"] = pa.array(list(taxonomy.aliases), pa.string())
    columns["aliases_of"] = np.asarray(list(taxonomy.aliases.values()), np.int32)
    header = {
        "layout": LAYOUT,
        "name": taxonomy.name,
        "version": taxonomy.version,
        "licence": taxonomy.licence,
        "root": graph.root,
        "virtual_root": taxonomy.virtual_root,
        "problems": [[p.code, p.severity, p.message, p.line] for p in taxonomy.problems],
    }
    header["checksum"] = _checksum(header, columns)
    lists = {name: _one_row(values) for name, values in columns.items()}
    schema = pa.schema([(n, a.type) for n, a in lists.items()], metadata={KEY: json.dumps(header).encode()})
    options = pa.ipc.IpcWriteOptions(compression=pa.Codec("zstd", compression_level=19) if compress else None)
    target = Path(path)
    temporary = target.with_name(f".{target.name}.{os.getpid()}.tmp")
    try:
        with pa.ipc.new_file(str(temporary), schema, options=options) as out:
            out.write_batch(pa.record_batch(list(lists.values()), schema=schema))
        temporary.replace(target)
    except OSError as error:
        raise OutputError(f"The file '{target}' cannot be written: {error.strerror or error}.") from None
    finally:
        temporary.unlink(missing_ok=True)


def _checksum(header: dict[str, Any], columns: Mapping[str, Any]) -> int:
    """CRC-32 of the header and of whatever the columns hold: a damaged file is an error, never a wrong answer."""
    sum_ = zlib.crc32(json.dumps(header, sort_keys=True).encode())
    for name in sorted(columns):
        values = columns[name]
        if isinstance(values, pa.StringArray):
            if not len(values):
                continue
            _, offsets, data = values.buffers()
            ends = np.frombuffer(offsets, np.int32, len(values) + 1, 4 * values.offset)
            sum_ = zlib.crc32((ends - ends[0]).tobytes(), sum_)
            sum_ = zlib.crc32(memoryview(data)[ends[0] : ends[-1]] if data is not None else b"", sum_)
        else:
            sum_ = zlib.crc32(np.ascontiguousarray(values).view(np.uint8).data, sum_)
    return sum_


def _one_row(values: Any) -> pa.LargeListArray:
    array = values if isinstance(values, pa.Array) else pa.array(np.asarray(values))
    return pa.LargeListArray.from_arrays(pa.array([0, len(array)], pa.int64()), array)


class Compiled:
    name = "compiled"

    def sniff(self, source: Source) -> bool:
        return source.head.startswith(MAGIC)

    def read(self, source: Source) -> Taxonomy:
        if source.is_gzip:
            raise source.bad("it is compressed by gzip and cannot be mapped into memory", then="Unpack it first.")
        try:
            with pa.ipc.open_file(pa.memory_map(str(source.path))) as file:
                if KEY not in (file.schema.metadata or {}):
                    raise source.bad("it is an Arrow file, but not a compiled taxonomy")
                header = json.loads(file.schema.metadata[KEY])
                batch = file.get_batch(0)
            if header["layout"] != LAYOUT:
                raise source.bad(
                    "it was compiled by another version of ontomask", then="Compile it anew: ontomask taxonomy convert"
                )
            batch.validate(full=True)
            part = {field.name: batch.column(i).flatten() for i, field in enumerate(batch.schema)}
            return _assemble(source, header, part)
        except FormatError:
            raise
        except (pa.ArrowException, OSError, ValueError, KeyError, TypeError, IndexError) as error:
            raise source.bad(f"its contents are damaged or cut off ({type(error).__name__})") from None


def _assemble(source: Source, header: dict[str, Any], part: dict[str, pa.Array]) -> Taxonomy:
    a = {n: v if v.type == pa.string() else v.to_numpy(zero_copy_only=True) for n, v in part.items()}
    stated = header.pop("checksum", None)
    if stated is not None and stated != _checksum(header, a):
        raise source.bad("its contents are damaged (the checksum does not fit)")
    n, labels, keys = len(a["ids"]), len(a["labels"]), len(a["keys"])
    sound = (
        all(_indices(a[x], n) for x in ("up", "down", "order", "senses", "aliases_of", *(f"{r}_of" for r in ROWS)))
        and _pointers(a["up_ptr"], n, len(a["up"]))
        and _pointers(a["down_ptr"], n, len(a["down"]))
        and _pointers(a["label_ptr"], n, labels)
        and _pointers(a["sense_ptr"], keys, len(a["senses"]))
        and all(_pointers(a[f"{r}_ptr"], len(a[f"{r}_of"]), len(a[r])) for r in ROWS)
        and len(a["aliases"]) == len(a["aliases_of"])
        and len(a["order"]) == len(a["depth"]) == n > header["root"] >= 0
        and _climbs(a)
    )
    if not sound:
        raise source.bad("its parts do not fit together", then="Compile it anew: ontomask taxonomy convert")
    return Taxonomy(
        graph=Graph(**{x: a[x] for x in GRAPH}, root=header["root"]),
        lexicon=Lexicon(**{x: a[x] for x in LEXICON}),
        name=header["name"],
        version=header["version"],
        licence=header["licence"],
        virtual_root=header["virtual_root"],
        problems=tuple(Problem(*p) for p in header["problems"]),
        glosses=Rows[str](a["glosses_of"], a["glosses_ptr"], a["glosses"], one=True),
        features=Rows[list[str]](a["features_of"], a["features_ptr"], a["features"], one=False),
        xrefs=Rows[list[str]](a["xrefs_of"], a["xrefs_ptr"], a["xrefs"], one=False),
        aliases=dict(zip(a["aliases"].to_pylist(), a["aliases_of"].tolist(), strict=True)),
    )


def _indices(values: Any, below: int) -> bool:
    return values.dtype == np.int32 and (not len(values) or (int(values.min()) >= 0 and int(values.max()) < below))


def _pointers(ptr: Any, rows: int, end: int) -> bool:
    """Ascending from 0 to end: no kernel that follows them can leave its array."""
    return ptr.dtype == np.int64 and len(ptr) == rows + 1 and ptr[0] == 0 and ptr[-1] == end and bool((np.diff(ptr) >= 0).all())


def _climbs(a: dict[str, Any]) -> bool:
    """Every parent is less deep than its child and comes before it: there is no cycle, and depths may be ranked."""
    place = np.full(len(a["order"]), -1)
    place[a["order"]] = np.arange(len(place))
    links = np.diff(a["up_ptr"])
    return a["depth"].dtype == np.int32 and bool(
        (a["depth"][a["up"]] < np.repeat(a["depth"], links)).all()
        and (place[a["up"]] < np.repeat(place, links)).all()
        and (place >= 0).all()
        and (a["depth"] >= 1).all()
        and (a["depth"] <= len(a["depth"])).all()
    )


FORMAT = Compiled()
