"""What a reader is: something that recognises its files and turns one into a draft."""

from __future__ import annotations

from typing import Protocol

from ..draft import Draft
from ..source import Source
from ..taxonomy import Taxonomy


class Format(Protocol):
    """Registered in `_registry.FORMATS`; one instance per file of this folder, called FORMAT."""

    name: str

    def sniff(self, source: Source) -> bool:
        """Whether the source looks like this format: from its head, its suffix or, for a folder, its files' names."""

    def read(self, source: Source) -> Draft | Taxonomy:
        """The whole source; FormatError (by `source.bad`) where it is not as the format asks."""
