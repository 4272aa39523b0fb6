"""What the sources of this package found, found again: `python -m bench.reproduce` writes docs/reproduction.md.

One module per study, each with `study() -> list[Finding]`. A claim of a source is a sentence and a test of what was measured
here; whether it holds is never written by hand.
"""

# Modules of this package, in the order of the page.
STUDIES = ("fusion", "centroids", "microaggregation", "resampling", "linkage", "clinical", "swaps", "pattern", "sets")
