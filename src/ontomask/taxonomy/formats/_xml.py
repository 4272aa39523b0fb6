"""XML read with limits: element by element, no entities of the file's own, nothing fetched, no endless depth."""

from __future__ import annotations

import xml.etree.ElementTree as ET
from collections.abc import Callable, Iterator
from contextlib import suppress
from xml.parsers import expat

from ...errors import FormatError
from ..source import Source

DEEPEST = 200  # nested elements; no taxonomy format comes near
LONGEST_ENTITY = 200  # characters: a namespace's address, not a text
_CHUNK = 1 << 18

Element = ET.Element


def root_of(source: Source) -> tuple[str, dict[str, str]] | None:
    """Name and attributes of the root element as they are written, or None where the head holds no XML (for sniffing)."""
    if not source.head.lstrip(b"\xef\xbb\xbf\xff\xfe \t\r\n").startswith(b"<"):
        return None
    found: list[tuple[str, dict[str, str]]] = []
    parser = expat.ParserCreate()

    def started(name: str, attributes: dict[str, str]) -> None:
        found.append((name, attributes))
        raise _Enough

    parser.StartElementHandler = started
    with suppress(_Enough, expat.ExpatError, ValueError, LookupError):  # whatever is wrong, reading will say
        parser.Parse(source.head, False)
    return found[0] if found else None


class _Enough(Exception):
    """The root element has begun: nothing after it, entities above all, is looked at."""


def refuse_entities(source: Source, *, short_ones: bool = False) -> None:
    """Raise FormatError where the file declares entities, which can make a small file unfold without end.

    With `short_ones`, entities that are short and refer to no other are let through: ontology editors write namespaces so.
    """
    parser = expat.ParserCreate()
    found: list[str] = []

    def declared(name: str, parameter: bool, value: str | None, *where: str | None) -> None:
        short = value is not None and len(value) <= LONGEST_ENTITY and "&" not in value and "%" not in value
        if not short_ones or not short or parameter:
            raise source.bad(f"it declares the XML entity '{name}', which is refused because entities can unfold without end")

    def started(name: str, attributes: dict[str, str]) -> None:
        found.append(name)
        raise _Enough  # entities are declared before the root element or not at all

    parser.EntityDeclHandler = declared
    parser.StartElementHandler = started
    try:
        parser.Parse(source.head, source.whole)
    except _Enough:
        return
    except expat.ExpatError as error:
        raise source.bad(f"it is not well-formed XML ({expat.ErrorString(error.code)})", error.lineno) from None
    except FormatError:
        raise
    except (ValueError, LookupError) as error:
        raise source.bad(f"its encoding is not supported ({error})") from None
    raise source.bad("no XML element begins where one should")


def elements(source: Source, *tags: str, **opened: Callable[[dict[str, str]], None]) -> Iterator[Element]:
    """Every element of these tags once it is whole, without namespace; it is emptied afterwards.

    An element within another of these tags is part of the outer one, and does not come by itself. `opened` maps the
    tag of an enclosing element, in lower case, to what is called with its attributes when it opens.
    """
    refuse_entities(source)
    parser: ET.XMLPullParser[Element] = ET.XMLPullParser(("start", "end"))
    wanted = set(tags)
    above: list[Element] = []
    inside = 0
    try:
        with source.open() as file:
            while True:
                data = file.read(_CHUNK)
                if data:
                    parser.feed(data)
                else:
                    parser.close()
                for event, element in parser.read_events():  # type: ignore[misc]
                    assert isinstance(element, ET.Element)
                    if event == "start":
                        element.tag = element.tag.rpartition("}")[2]
                        above.append(element)
                        inside += element.tag in wanted
                        if element.tag.lower() in opened:
                            opened[element.tag.lower()](dict(element.attrib))
                        if len(above) > DEEPEST:
                            raise source.bad(f"its elements are nested more than {DEEPEST} deep")
                        continue
                    above.pop()
                    inside -= element.tag in wanted
                    if inside:
                        continue
                    if element.tag in wanted:
                        yield element
                    if above:
                        above[-1].remove(element)
                if not data:
                    return
    except ET.ParseError as error:
        line, _ = error.position
        raise source.bad(f"it is not well-formed XML ({expat.ErrorString(error.code) or error})", line) from None
    except FormatError:
        raise
    except (ValueError, LookupError) as error:
        raise source.bad(f"its encoding is not supported ({error})") from None


def text_of(element: Element, path: str) -> str:
    """The text at a path below the element, blanks collapsed; empty where there is none."""
    return " ".join((element.findtext(path) or "").split())
