"""Distances of concepts from what their ancestors (or words) have in common.

Concept c has the items `items[ptr[c]:ptr[c+1]]` (ptr int64[N+1], items int32, ascending): its ancestors-or-self as ranks, or
its words as numbers. `links` int32 beside them are the fewest is-a links up to each ancestor. The common items of two
concepts give one int32 *score*: how many they are (`counting`), or else the greatest `weight[item]`, less the links of both
where `climbs`. `form` says how a distance comes from the score, from the sizes of both item lists, from what each concept
brings itself (`own` float64[N]) and from a `table` float64.
"""

from __future__ import annotations

import math

import numpy as np

from . import kernel

TABLE, SIZED, WUP, JACCARD, LOGSC, LIN, JCN, TVERSKY = range(8)
ONE = np.uint64(1)


@kernel(error_model="numpy", inner=True)
def distance(form, score, size1, size2, own1, own2, weight, table):  # type: ignore[no-untyped-def]
    """The distance that a score stands for, float64; the formulas are those of `semantics.measures`.

    TABLE: table[score]. SIZED: table[(size1 + size2)·stride + score], where stride is weight[0]. A score of form WUP is
    `depth << bits` plus 2**bits − 1 less the links; its table holds the nodes not counted (0 or 1) and bits.
    """
    if form == TABLE:
        return table[score]
    if form == SIZED:
        return table[(size1 + size2) * weight[0] + score]
    if form == WUP:
        bits = np.int32(table[1])
        least = (np.int32(1) << bits) - np.int32(1)
        links = np.float64(least - (score & least))
        both = 2.0 * (np.float64(score >> bits) - table[0]) + links
        return links / both if links > 0.0 else 0.0
    if form in (JACCARD, LOGSC):
        either = np.float64(size1 + size2 - score)
        apart = (either - score) / either if score < either else 0.0
        return apart if form == JACCARD else math.log2(1.0 + apart)
    if form == LIN:
        both = own1 + own2
        return 1.0 - 2.0 * table[score] / both if both > 0.0 else 0.0
    if form == JCN:
        return (own1 + own2 - 2.0 * table[score]) / 2.0
    share = (own1 if own1 <= own2 else own2) / (own1 + own2)
    apart = share * (size1 - score) + (1.0 - share) * (size2 - score)
    return apart / (score + apart) if apart > 0.0 else 0.0


@kernel(error_model="numpy")
def fill(rows, begin, end, columns, column, shape, runs, rule, out):  # type: ignore[no-untyped-def]
    """Rows begin … end−1 of the distances rows × columns, into out (float32 or float64 [len(rows), len(column)]).

    `columns` int32[n] are distinct concepts; output column j is columns[column[j]] (int32). `runs` says which columns have
    which item: (run_ptr int64[items+1], run_column int32[R], run_length int32[R], run_links int64[R], column_links int32[E]):
    item i is had by run_length[r] columns from run_column[r] on, for each run r in run_ptr[i]:run_ptr[i+1]; their links
    stand in column_links from run_links[r] on. `shape` is (ptr, items, links) of all concepts, `rule` (form, counting,
    climbs, weight, own, table).
    """
    ptr, items, links = shape
    run_ptr, run_column, run_length, run_links, column_links = runs
    form, counting, climbs, weight, own, table = rule
    n = len(columns)
    score = np.empty(n, np.int32)
    line = np.empty(n, out.dtype)
    size2 = np.empty(n, np.int32)
    own2 = np.empty(n, np.float64)
    for t in range(n):
        size2[t] = ptr[columns[t] + 1] - ptr[columns[t]]
        own2[t] = own[columns[t]]
    for i in range(begin, end):
        c = rows[i]
        for t in range(n):
            score[t] = 0
        for e in range(ptr[c], ptr[c + 1]):
            item = items[e]
            for r in range(run_ptr[item], run_ptr[item + 1]):
                mine = score[run_column[r] : run_column[r] + run_length[r]]
                if counting:
                    for t in range(len(mine)):
                        mine[t] += np.int32(1)
                elif climbs:
                    most = np.int32(weight[item] - links[e])
                    up = column_links[run_links[r] : run_links[r] + run_length[r]]
                    for t in range(len(mine)):
                        mine[t] = max(mine[t], np.int32(most - up[t]))
                else:
                    most = weight[item]
                    for t in range(len(mine)):
                        mine[t] = max(mine[t], most)
        size1 = np.int32(ptr[c + 1] - ptr[c])
        own1 = own[c]
        # One loop per form: inside it the form is known, so that the loop is vectorised.
        if form == TABLE:
            for t in range(n):
                line[t] = table[score[t]]
        elif form == SIZED:  # noqa: SIM114
            for t in range(n):
                line[t] = distance(form, score[t], size1, size2[t], own1, own2[t], weight, table)
        elif form == WUP:  # noqa: SIM114
            for t in range(n):
                line[t] = distance(form, score[t], size1, size2[t], own1, own2[t], weight, table)
        elif form == JACCARD:  # noqa: SIM114
            for t in range(n):
                line[t] = distance(form, score[t], size1, size2[t], own1, own2[t], weight, table)
        elif form == LOGSC:  # noqa: SIM114
            for t in range(n):
                line[t] = distance(form, score[t], size1, size2[t], own1, own2[t], weight, table)
        elif form == LIN:  # noqa: SIM114
            for t in range(n):
                line[t] = distance(form, score[t], size1, size2[t], own1, own2[t], weight, table)
        elif form == JCN:  # noqa: SIM114
            for t in range(n):
                line[t] = distance(form, score[t], size1, size2[t], own1, own2[t], weight, table)
        elif form == TVERSKY:
            for t in range(n):
                line[t] = distance(form, score[t], size1, size2[t], own1, own2[t], weight, table)
        for t in range(n):
            if columns[t] == c:
                line[t] = 0.0
        target = out[i]
        for j in range(len(column)):
            target[j] = line[column[j]]


@kernel(error_model="numpy")
def pair(left, right, begin, end, shape, simple, rule, out):  # type: ignore[no-untyped-def]
    """Distances begin … end−1 of the pairs left[k], right[k] (int32) into out (float32 or float64); else as `fill`.

    What two `simple` (bool[N]) concepts have in common stands at the beginning of both lists and nowhere else.
    """
    # Indices are unsigned, so that numba need not look for those that count from the end; the two loops over pairs call no
    # function, for a call with so many arrays costs as much as the work.
    ptr, items, links = shape
    form, counting, climbs, weight, own, table = rule
    climb = np.int32(climbs)
    score = np.zeros(end - begin, np.int32)
    if counting:
        for k in range(begin, end):
            a, b = np.uint64(left[k]), np.uint64(right[k])
            i, j = np.uint64(ptr[a]), np.uint64(ptr[b])
            last1, last2 = np.uint64(ptr[a + ONE]), np.uint64(ptr[b + ONE])
            count = np.int32(0)
            while i < last1 and j < last2 and items[i] == items[j]:
                count += np.int32(1)
                i += ONE
                j += ONE
            if not (simple[a] and simple[b]):
                while i < last1 and j < last2:
                    x, y = items[i], items[j]
                    count += np.int32(x == y)
                    i += np.uint64(x <= y)  # without a branch, which would be guessed wrong half of the time
                    j += np.uint64(y <= x)
            score[k - begin] = count
    else:
        for k in range(begin, end):
            a, b = np.uint64(left[k]), np.uint64(right[k])
            i, j = np.uint64(ptr[a]), np.uint64(ptr[b])
            last1, last2 = np.uint64(ptr[a + ONE]), np.uint64(ptr[b + ONE])
            best = np.int32(0)
            while i < last1 and j < last2 and items[i] == items[j]:
                best = max(best, np.int32(weight[np.uint64(items[i])] - climb * (links[i] + links[j])))
                i += ONE
                j += ONE
            if not (simple[a] and simple[b]):
                while i < last1 and j < last2:
                    x, y = items[i], items[j]
                    if x == y:
                        best = max(best, np.int32(weight[np.uint64(x)] - climb * (links[i] + links[j])))
                    i += np.uint64(x <= y)
                    j += np.uint64(y <= x)
            score[k - begin] = best
    for k in range(begin, end):
        a, b = np.uint64(left[k]), np.uint64(right[k])
        size1, size2 = np.int32(ptr[a + ONE] - ptr[a]), np.int32(ptr[b + ONE] - ptr[b])
        out[k] = distance(form, score[k - begin], size1, size2, own[a], own[b], weight, table) if a != b else 0.0
