"""Named plug-ins: measures, methods, formats, engines.

A registry maps a public name to where its implementation lives (`"package.module:attribute"`), so that naming one
costs nothing and only the one that is used is imported. Adding a plug-in is one file and one line here. Registries also
let a lower room *use* a plug-in by name without importing the room above it.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from importlib import import_module
from typing import Any

from .errors import unknown


@dataclass(frozen=True)
class Entry:
    """One line of a registry."""

    name: str
    where: str
    summary: str
    source: str = ""

    def load(self) -> Any:
        module, _, attribute = self.where.partition(":")
        return getattr(import_module(module), attribute)


class Registry:
    """An ordered mapping of public name → Entry; unknown names are refused with what is known."""

    def __init__(self, kind: str, entries: tuple[Entry, ...]) -> None:
        self.kind = kind
        self._entries = {e.name: e for e in entries}
        if len(self._entries) != len(entries):
            raise ValueError(f"a {kind} is registered twice")

    def __iter__(self) -> Iterator[str]:
        return iter(self._entries)

    def __len__(self) -> int:
        return len(self._entries)

    def __contains__(self, name: object) -> bool:
        return name in self._entries

    def entries(self) -> tuple[Entry, ...]:
        return tuple(self._entries.values())

    def entry(self, name: str) -> Entry:
        if name not in self._entries:
            raise unknown(self.kind, name, self._entries)
        return self._entries[name]

    def load(self, name: str) -> Any:
        return self.entry(name).load()


class RegistryWithOptions(Registry):
    """Options may follow a colon: "path:normalised=true" loads "path", and asks it for itself with "normalised=true"."""

    def load(self, name: str) -> Any:
        plain, colon, options = str(name).partition(":")
        found = super().load(plain)
        return found.asked(options) if colon else found


_M = "ontomask.semantics.measures."
MEASURES = RegistryWithOptions(
    "measure",
    (
        Entry("path", _M + "path:path", "fewest is-a links between the two concepts", "THESIS 3.1"),
        Entry("lch", _M + "lch:lch", "path length on a log scale of the depth (Leacock & Chodorow)", "THESIS 3.2"),
        Entry("wup", _M + "wup:wup", "how deep the common subsumer lies, in nodes (Wu & Palmer)", "SWAP 3"),
        Entry("wup-links", _M + "wup:wup_links", "Wu & Palmer with depths in links", "FUSION 4, THESIS 3.3"),
        Entry("jaccard", _M + "jaccard:jaccard", "share of ancestors that the two do not have in common", "SETS 1"),
        Entry("logsc", _M + "jaccard:logsc", "log2(1 + jaccard): the default", "THESIS 3.9"),
        Entry("resnik", _M + "information:resnik", "information content of the common subsumer", "THESIS 3.11"),
        Entry("lin", _M + "information:lin", "shared over own information content", "THESIS 3.12"),
        Entry("jcn", _M + "information:jcn", "difference of information contents (Jiang & Conrath)", "THESIS 3.13"),
        Entry("tversky", _M + "tversky:tversky", "label sets of the concepts and their neighbours", "THESIS 3.4-3.5"),
        Entry("rodriguez", _M + "glosses:rodriguez", "synsets, features and neighbours, weighted", "THESIS 3.6"),
        Entry("xsim", _M + "glosses:xsim", "X-similarity of synsets, glosses and neighbourhoods", "THESIS 3.7-3.8"),
        Entry("vector", _M + "glosses:vector", "cosine of gloss vectors", "THESIS 3.14"),
    ),
)

_F = "ontomask.taxonomy.formats."
# Order matters: the first format whose `sniff` recognises a file reads it, so the most particular come first.
FORMATS = Registry(
    "taxonomy format",
    (
        Entry("compiled", _F + "compiled:FORMAT", "a taxonomy compiled by `ontomask taxonomy convert`"),
        Entry("wordnet", _F + "wordnet:FORMAT", "a WordNet dictionary folder (data.noun, index.noun)"),
        Entry("rf2", _F + "rf2:FORMAT", "a SNOMED CT RF2 release folder"),
        Entry("omop", _F + "omop:FORMAT", "an OMOP vocabulary folder (CONCEPT.csv …)"),
        Entry("wn-lmf", _F + "wn_lmf:FORMAT", "a wordnet in WN-LMF XML"),
        Entry("icd10cm", _F + "icd10cm:FORMAT", "the ICD-10-CM tabular list in XML, or the one on PyPI"),
        Entry("mesh", _F + "mesh:FORMAT", "MeSH descriptors with tree numbers (ASCII or XML)"),
        Entry("owl", _F + "owl:FORMAT", "an OWL ontology in RDF/XML"),
        Entry("obograph", _F + "obograph:FORMAT", "an ontology in OBO Graphs JSON"),
        Entry("rdf", _F + "rdf:FORMAT", "RDF, RDFS or SKOS in Turtle, RDF/XML, N-Triples or JSON-LD"),
        Entry("obo", _F + "obo:FORMAT", "an OBO ontology"),
        Entry("paths", _F + "paths:FORMAT", "category paths, one a line: A > B > C"),
        Entry("hierarchy", _F + "hierarchy:FORMAT", "a value hierarchy as ARX and anjana write it: leaf;level1;…;*"),
        Entry("edges", _F + "edges:FORMAT", "a CSV of child,parent[,label]"),
    ),
)

_T = "ontomask.methods."
METHODS = Registry(
    "method",
    (
        Entry("recoding", _T + "recoding:Recoding", "fuse the smallest groups with their nearest", "FUSION 3"),
        Entry("sa-mdav", _T + "microaggregation:Microaggregation", "clusters grown around the centroid", "THESIS 6"),
        Entry("sa-mdav-static", _T + "microaggregation:Microaggregation", "clusters grown around a tuple", "THESIS 6"),
        Entry("mdav", _T + "microaggregation:Microaggregation", "clusters of k records (MDAV)", "THESIS 6.1"),
        Entry("mdav-equality", _T + "microaggregation:Microaggregation", "the same without meaning, modes", "THESIS 6.1.2"),
        Entry("mdav-wup", _T + "microaggregation:Microaggregation", "the same by wup, subsumers", "THESIS 6.1.2"),
        Entry("refined", _T + "microaggregation:Microaggregation", "clusters improved until nothing gets better"),
        Entry("resampling", _T + "resampling:Resampling", "centroids of ordered samples", "THESIS 7"),
        Entry("resampling-equality", _T + "resampling:Resampling", "resampling by equality, modes", "THESIS 7.3, setting 1"),
        Entry("resampling-mode", _T + "resampling:Resampling", "resampling by wup, modes", "THESIS 7.3, setting 2"),
        Entry("resampling-lcs", _T + "resampling:Resampling", "resampling by wup, subsumers", "THESIS 7.3, setting 3"),
        Entry("resampling-heer", _T + "resampling:Resampling", "overlapping samples: not k-anonymous", "THESIS 7.1"),
        Entry("generalisation", _T + "generalisation:Generalisation", "values climb their hierarchy", "THESIS 8.4.2"),
        Entry("suppression", _T + "suppression:Suppression", "records of groups below k go", "THESIS 8.4.2"),
        Entry("rank-swapping", _T + "rank_swapping:RankSwapping", "values of near records change places", "SWAP 3.4"),
        Entry("rank-swapping-dynamic", _T + "rank_swapping:RankSwapping", "near values change places", "SWAP 3.3"),
        Entry("rank-swapping-static", _T + "rank_swapping:RankSwapping", "the same along one ranking", "SWAP 3.3"),
        Entry("rank-swapping-distributional", _T + "rank_swapping:RankSwapping", "along frequencies", "SWAP 4.2"),
        Entry("rank-swapping-unrestricted", _T + "rank_swapping:RankSwapping", "any values change places", "SWAP 4.2"),
        Entry("patterns", _T + "patterns:Patterns", "k-anonymous patterns by anti-unification", "PATTERN"),
        Entry("sets", _T + "sets:SetMicroaggregation", "microaggregation of records that are sets", "SETS"),
    ),
)

_E = "ontomask.engines."
ENGINES = Registry(
    "engine",
    (
        Entry("duckdb", _E + "duckdb:DuckDB", "embedded, out of core: the default"),
        Entry("spark", _E + "spark:Spark", "a cluster, through PySpark"),
    ),
)

REPORTS = Registry("report format", (Entry("html", "ontomask.report.html:write", "one offline HTML file"),))

_L = "ontomask.evaluation.loss:"
LOSSES = Registry(
    "measure of loss",
    (
        Entry("similarity", _L + "similarity", "mean over records and attributes of 1 − distance", "FUSION 8-9"),
        Entry("distance", _L + "distance", "its complement: the mean distance of a record to its original", "FUSION 9"),
        Entry("sse", _L + "sse", "sum over records of the squared distance", "THESIS 6.2"),
        Entry("sst", _L + "sst", "the same against the centroid of the whole table", "THESIS 6.3"),
        Entry("loss_percent", _L + "loss_percent", "L = 100·SSE/SST", "THESIS 6.4"),
        Entry("rmse", _L + "rmse", "per attribute, the root of the mean squared distance", "SWAP 4.1"),
        Entry("dm", _L + "dm", "discernibility: sum over classes of the squared size", "FUSION 1"),
        Entry("kl", _L + "kl", "divergence of the tuples' frequencies, in nats", "THESIS 9.2"),
        Entry("changed", _L + "changed", "records in which something changed, in percent"),
        Entry("suppressed", _L + "suppressed", "records that are not released"),
        Entry("clustering", "ontomask.evaluation.clustering:clustering", "distance of the clusters found", "FUSION 10-13"),
        Entry("accuracy", "ontomask.evaluation.learning:accuracy", "of models learned from the release", "PATTERN 4"),
    ),
)

_R, _D = "ontomask.evaluation.risk:", "ontomask.evaluation.diversity:"
RISKS = Registry(
    "measure of risk",
    (
        Entry("k", _R + "k", "the smallest class of the release"),
        Entry("classes", _R + "classes", "distinct masked tuples"),
        Entry("records_below_k", _R + "records_below_k", "released records in classes below the k asked for"),
        Entry("share_below_k", _R + "share_below_k", "the same, in percent of the released records"),
        Entry("prosecutor_max", _R + "prosecutor_max", "chance to find a person known to be in it: worst class"),
        Entry("prosecutor_mean", _R + "prosecutor_mean", "the same, on average over the released records"),
        Entry("mrl", _R + "mrl", "records linked to their original by equality, in percent", "FUSION 14-15"),
        Entry("srl", _R + "srl", "originals linked to their masked record by meaning, in percent", "THESIS 8.1-8.4"),
        Entry("l_distinct", _D + "l_distinct", "fewest distinct values of a confidential column in a class"),
        Entry("l_entropy", _D + "l_entropy", "the same, weighing how evenly they are spread: exp(entropy)"),
        Entry("t_equal", _D + "t_equal", "largest distance of a class's distribution from the release's"),
        Entry("t_semantic", _D + "t_semantic", "the same, mass moving by semantic distance"),
    ),
)
