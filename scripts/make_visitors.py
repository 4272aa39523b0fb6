"""Make the bundled example: a survey of visitors of a nature park that never took place.

    python scripts/make_visitors.py

Like the survey of FUSION, section 4: 975 people, 26 of whose answers are here reduced to eight columns; two are free words,
with plurals, variants and phrases as people write them. Nobody real stands behind a line.
"""

from __future__ import annotations

import csv
from pathlib import Path

import numpy as np

TARGET = Path(__file__).parents[1] / "src" / "ontomask" / "data" / "visitors.csv"
SEED, PEOPLE = 7, 975

# A topic: why people come, what they then mostly do, and how large a part of the visitors it draws.
TOPICS = [
    (30, "nature|nature|wild nature|wildlife|ecology|environment", "hiking|walking|walks|long hike|sightseeing|photography"),
    (16, "beach|beaches|the beach|sea|sun", "swimming|bathing|sunbathing|volleyball|surfing|tanning"),
    (15, "landscape|landscapes|beautiful scenery|scenery", "photography|walking|cycling|bicycling|painting|drawing"),
    (12, "birds|bird|wildlife|flamingos|flamingo|herons", "photography|walking|hiking|boating"),
    (10, "tranquillity|quiet|peace|silence|rest|relaxation", "reading|walking|rest|relaxation|yoga|meditation|fishing"),
    (9, "holidays|holiday|vacation|weekend", "swimming|sightseeing|shopping|camping|dining|nightlife"),
    (8, "family|relatives|friends", "dining|conversation|walking|games|swimming"),
    (7, "fishing|river|lagoon", "fishing|angling|boating|sailing|rowing"),
    (6, "gastronomy|local cuisine|seafood|cooking", "dining|eating|wine tasting|shopping"),
    (6, "sport|sports|adventure|health", "cycling|jogging|football|golf|tennis|rowing|riding|snorkeling"),
    (4, "history|tradition|art|festival|music", "museum|museums|exhibition|concert|sightseeing|guided tour|dancing"),
    (3, "education|research|work", "guided tour|tour|museum|reading|conversation"),
]
ANYTHING = "walking|sightseeing|photography|dining|swimming|cycling|shopping|camping|riding|cruise|driving|gardening|games"
ORIGINS = ["Spain", "France", "Germany", "Belgium", "Holland", "Britain", "Italy", "Portugal", "Switzerland"]
FROM = [0.62, 0.14, 0.06, 0.05, 0.04, 0.04, 0.03, 0.01, 0.01]


def falling(n: int, steepness: float) -> np.ndarray:
    """Shares of n things that fall like 1 / rank^steepness."""
    share = 1 / np.arange(1, n + 1) ** steepness
    return share / share.sum()


def main() -> None:
    rng = np.random.default_rng(SEED)
    draw = np.asarray([share for share, _, _ in TOPICS], float)
    stray = ANYTHING.split("|")
    rows = []
    for number in rng.permutation(PEOPLE) + 10_001:
        _, reasons, activities = TOPICS[rng.choice(len(TOPICS), p=draw / draw.sum())]
        why, what = reasons.split("|"), activities.split("|")
        reason = why[rng.choice(len(why), p=falling(len(why), 2.2))]
        if rng.random() < 0.11:
            activity = stray[rng.integers(len(stray))]
        else:
            activity = what[rng.choice(len(what), p=falling(len(what), 2.2))]
        if rng.random() < 0.02:
            reason = reason.capitalize()
        days = int(1 + rng.geometric(0.45))
        rows.append(
            [
                number,
                int(np.clip(rng.normal(43, 14), 18, 88)),
                "F" if rng.random() < 0.52 else "M",
                ORIGINS[rng.choice(len(ORIGINS), p=FROM)],
                days,
                int(rng.poisson(1.8)),
                reason,
                activity,
            ]
        )
    with TARGET.open("w", encoding="utf-8", newline="") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(["visitor", "age", "gender", "origin", "days", "companions", "reason", "activity"])
        writer.writerows(rows)


if __name__ == "__main__":
    main()
