"""What it brings that values climb their hierarchy: the loop of generalisation."""

from __future__ import annotations

import numpy as np

from . import kernel


@kernel()
def gains(ptr, members, target, codes, candidates, size, rest, rests, k):  # type: ignore[no-untyped-def]
    """Records that become anonymous when values of one attribute become another one: int64[moves].

    Move i takes the values members[ptr[i]:ptr[i+1]] (int32, without target[i]) to target[i] (int32), in all records.
    `codes` int32[groups]: what each group of equal records holds in this attribute, below `candidates`; `size` int64[groups]:
    its records; `rest` int64[groups]: a number below `rests` for what it holds in all others. Groups with the same target
    and the same rest become one; a record is anonymous in a group of at least `k`.
    """
    group_ptr = np.zeros(candidates + 2, np.int64)
    for v in codes:
        group_ptr[v + 2] += 1
    for v in range(candidates):
        group_ptr[v + 2] += group_ptr[v + 1]
    group = np.empty(len(codes), np.int64)  # the groups that hold value v: group[group_ptr[v]:group_ptr[v+1]]
    for g in range(len(codes)):
        group[group_ptr[codes[g] + 1]] = g
        group_ptr[codes[g] + 1] += 1
    together = np.zeros(rests, np.int64)
    waiting = np.zeros(rests, np.int64)  # of these records, those that are not anonymous yet
    out = np.zeros(len(target), np.int64)
    for i in range(len(target)):
        for x in range(ptr[i], ptr[i + 1] + 1):
            v = target[i] if x == ptr[i + 1] else members[x]
            for e in range(group_ptr[v], group_ptr[v + 1]):
                g = group[e]
                together[rest[g]] += size[g]
                if size[g] < k:
                    waiting[rest[g]] += size[g]
        for x in range(ptr[i], ptr[i + 1] + 1):
            v = target[i] if x == ptr[i + 1] else members[x]
            for e in range(group_ptr[v], group_ptr[v + 1]):
                r = rest[group[e]]
                if together[r] >= k:
                    out[i] += waiting[r]
                together[r] = 0
                waiting[r] = 0
    return out
