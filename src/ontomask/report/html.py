"""One offline HTML file: no script, style or picture from elsewhere, and a policy in the page that forbids them."""

from __future__ import annotations

import base64
import hashlib
import os
from functools import cache
from pathlib import Path
from typing import Any

from markupsafe import Markup

from .._progress import patiently
from .._registry import METHODS
from .summarise import Subject, summarise

TEMPLATES = Path(__file__).parent / "templates"


def render(template: str, **what: Any) -> str:
    """A page from one of the templates; everything is escaped unless it is markup of this package's own making."""
    style, script = _asset("style.css"), _asset("sort.js")
    rules = ("default-src 'none'", f"style-src '{_hash(style)}'", f"script-src '{_hash(script)}'", "base-uri 'none'")
    assets = {"style": Markup(style), "script": Markup(script), "policy": Markup("; ".join((*rules, "form-action 'none'")))}
    filled: str = _environment().get_template(template).render(**assets, **what)
    return filled


def page(subject: Subject, private: bool = False) -> str:
    """The report as text."""
    return render("report.html.j2", **summarise(subject, private))


def write(masked: Any, path: str | os.PathLike[str], private: bool = False) -> None:
    """The report of a masking (`om.Masked`) as one HTML file; complete or not there at all."""
    subject = subject_of(masked)
    put(patiently(lambda: page(subject, private)), path)


def subject_of(masked: Any) -> Subject:
    """What the report needs of a masking; `about["proof"]` holds the sentences on what was verified."""
    about = dict(masked.about)
    kind = METHODS.load(about["method"])
    return Subject(
        tuples=masked._tuples,
        flow=masked._flow,
        evaluation=masked.evaluation,
        k=int(about["k"]),
        method=str(about["method"]),
        promises_k=bool(about.get("promises_k", kind.promises_k)),
        keeps_marginals=kind.keeps_marginals,
        about=about,
        matches=masked._matches,
        proof=tuple(about.get("proof", ())),
    )


def put(text: str, path: str | os.PathLike[str]) -> None:
    """Write under a temporary name, then rename: a reader never meets half a page."""
    target = Path(path)
    part = target.with_name(f".{target.name}.{os.getpid()}.part")
    try:
        part.write_text(text, encoding="utf-8")
        os.replace(part, target)
    finally:
        part.unlink(missing_ok=True)


@cache
def _environment() -> Any:
    from jinja2 import Environment, FileSystemLoader, StrictUndefined

    return Environment(
        loader=FileSystemLoader(TEMPLATES), autoescape=True, undefined=StrictUndefined, trim_blocks=True, lstrip_blocks=True
    )


@cache
def _asset(name: str) -> str:
    return (TEMPLATES / name).read_text(encoding="utf-8").strip()


def _hash(text: str) -> str:
    return "sha256-" + base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()
