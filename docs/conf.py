"""Sphinx: Markdown pages by MyST, no network."""

project = "ontomask"
author = "the ontomask developers"
copyright = "the ontomask developers"
extensions = ["myst_parser"]
myst_enable_extensions = ["colon_fence", "deflist", "dollarmath"]
myst_heading_anchors = 3
source_suffix = {".md": "markdown"}
exclude_patterns = ["_build"]
html_theme = "furo"
html_title = "ontomask"
html_show_sphinx = False
