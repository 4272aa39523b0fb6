"""Benchmarks and studies. Machines are noisy: what counts are ratios measured in one run."""

# Module of this package → what it measures.
BENCHMARKS: dict[str, str] = {
    "measures": "distances of WordNet nouns: matrices, pairs, spaces, centroids; other packages beside them",
    "similarity": "measures against people's judgement of 65 and 30 pairs of nouns (into the page of measures)",
    "evaluation": "loss, risk, statistics and exact record linkage, up to three million tuples",
    "methods": "every method on real tables, the largest ones on 20 million records",
    "patterns": "PATTERN's tables 1 and 2 on Adult; what finding patterns costs",
    "end_to_end": "from file to verified file: the shell, 100 million records, little memory",
    "peers": "what other tools make of Adult, beside what we make of it",
    "refined": "how much less refined microaggregation loses, and how far it is from the best possible",
    "taxonomies": "loading: seconds and memory, beside other libraries",
    "swapping": "SWAP's tables 2 to 6 on the discharge survey; what rank swapping costs",
    "matching": "real words and WordNet: what is matched, how, how fast, and how much of it is right",
    "sets": "SETS' table 1 on queries and patients; what masking sets costs",
    "wide": "400,000 concepts and 60,000 distinct values a column, within 8 GB",
    "scale": "how time and memory grow with records and with tuples, on DuckDB and on Spark",
}
