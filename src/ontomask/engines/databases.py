"""SQLite and PostgreSQL tables, by URL, through the ADBC drivers (an extra): one read, as a stream of Arrow batches.

    sqlite:///people.db#visitors            a relative path (four slashes: an absolute one)
    postgresql://user@host/database#visitors          #schema.table where it is not in the search path

The table's name may be left out where there is only one.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any
from urllib.parse import unquote

import pyarrow as pa

from ..errors import DataError, OntomaskError, needs
from .opening import which_table
from .sql import quote

_SQLITE = "SELECT '', name FROM sqlite_master WHERE type IN ('table', 'view') AND name NOT LIKE 'sqlite_%' ORDER BY name"
_POSTGRESQL = (
    "SELECT CASE WHEN table_schema = 'public' THEN '' ELSE table_schema END, table_name FROM information_schema.tables "
    "WHERE table_schema NOT IN ('pg_catalog', 'information_schema') ORDER BY 1, 2"
)


@contextmanager
def fetch(url: str) -> Iterator[pa.RecordBatchReader]:
    """The records of the table that a URL names."""
    location, _, table = url.partition("#")
    scheme = location.partition(":")[0].lower()
    name = "SQLite" if scheme == "sqlite" else "PostgreSQL"
    try:
        with _connect(location, scheme) as connection, connection.cursor() as cursor:
            cursor.execute(_SQLITE if scheme == "sqlite" else _POSTGRESQL)
            known = {f"{s}.{t}" if s else t: (s, t) for s, t in cursor.fetchall()}
            schema, found = known[which_table(f"the {name} database", unquote(table), list(known))]
            cursor.execute(f"SELECT * FROM {quote(schema) + '.' if schema else ''}{quote(found)}")
            yield cursor.fetch_record_batch()
    except OntomaskError:
        raise
    except Exception as error:  # the drivers' own errors; their text may quote values
        if not type(error).__module__.startswith(("adbc_driver", "pyarrow")):
            raise
        raise DataError(
            f"The {name} database cannot be read ({type(error).__name__}). Look at the URL, the server and your rights."
        ) from None


def _connect(location: str, scheme: str) -> Any:
    if scheme == "sqlite":
        try:
            from adbc_driver_sqlite import dbapi as sqlite
        except ImportError:
            raise needs("adbc-driver-sqlite", "databases", "Reading from SQLite") from None
        path = Path(unquote(location.partition("://")[2].removeprefix("/"))).expanduser()
        if not path.is_file():  # the driver would make an empty database
            raise DataError(f"There is no file '{path}'. A path from the root has four slashes: sqlite:////data/people.db.")
        return sqlite.connect(str(path))
    try:
        from adbc_driver_postgresql import dbapi as postgresql
    except ImportError:
        raise needs("adbc-driver-postgresql", "databases", "Reading from PostgreSQL") from None
    return postgresql.connect(location)
