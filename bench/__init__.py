"""Benchmarks and studies. Machines are noisy: what counts are ratios measured in one run."""

# Module of this package → what it measures.
BENCHMARKS: dict[str, str] = {}
