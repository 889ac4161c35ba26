"""The fight loop on tables: whole numbers and arrays only, no rule of any game.

Plain functions, which run uncompiled for small jobs and where numba is absent; `compiled` makes machine code of the same
source. Every fight has its own stream of random numbers from (seed, number of the fight), so results do not depend on
batches, threads or what was built before. A missing row ends the fight with its key; it is then run again from the start.
"""

from __future__ import annotations

from typing import Any

import numpy as np

# numbers of solo operations, as in `tables`
OPENS, BEGINS, ENDS, INITIATIVE, FIRST, ACTS = 0, 1, 2, 3, 4, 5
MISS_SOLO, MISS_NEXT, MISS_BOUT, MISS_RECEIVE, MISS_FACTS = 1, 2, 3, 4, 5
UNDECIDED, DRAW = -1, -2
MAX_STEPS = 40
MAX_HELD = 256
"""Harm held back among those who act at one moment; beyond this it takes effect at once."""
"""Actions in one turn after which it is ended, so that a policy cannot hang a fight."""


def mix(h: Any) -> Any:
    """A bijection of 32-bit numbers that scatters well; all products stay below 2**63."""
    h = ((h >> 16) ^ h) * 0x45D9F3B & 0xFFFFFFFF
    h = ((h >> 16) ^ h) * 0x45D9F3B & 0xFFFFFFFF
    return (h >> 16) ^ h


def sow(rng: Any, seed: Any, fight: Any) -> None:
    """Start the stream of one fight: three words of state and a counter (the generator sfc32 by Doty-Humphrey)."""
    h = mix(mix(seed & 0xFFFFFFFF) ^ mix((seed >> 32 & 0x7FFFFFFF) + 0x9E3779B9 & 0xFFFFFFFF))
    h = mix(h ^ mix(fight & 0xFFFFFFFF)) ^ mix((fight >> 32) + 0x7F4A7C15)
    for i in range(3):
        h = mix((h + 0x9E3779B9 & 0xFFFFFFFF) ^ mix(i + 77))
        rng[i] = h
    rng[3] = 1
    for _ in range(12):
        chance(rng)


def chance(rng: Any) -> Any:
    """A number from 0 up to 1, in steps of 2**-32."""
    t = rng[0] + rng[1] + rng[3] & 0xFFFFFFFF
    rng[3] += 1
    rng[0] = rng[1] ^ rng[1] >> 9
    rng[1] = rng[2] + (rng[2] << 3) & 0xFFFFFFFF
    rng[2] = ((rng[2] << 21 | rng[2] >> 11) & 0xFFFFFFFF) + t & 0xFFFFFFFF
    return t * (1.0 / 4294967296.0)


def draw(row: Any, start: Any, value: Any, cumulative: Any, rng: Any) -> Any:
    """An outcome of a row; rows with one outcome take no random number."""
    at = start[row]
    if start[row + 1] - at == 1:
        return value[at]
    u = chance(rng)
    while cumulative[at] <= u:
        at += 1
    return value[at]


def look_up(key: Any, keys: Any, found: Any) -> Any:
    """Value of a key in an open-addressed table (length a power of two, keys from 0 up, -1 empty); -1 when it is not there."""
    last = len(keys) - 1
    at = mix((key & 0xFFFFFFFF) ^ mix(key >> 32 & 0x7FFFFFFF)) & last
    while keys[at] != key:
        if keys[at] < 0:
            return -1
        at = (at + 1) & last
    return found[at]


def choose(i: Any, n: Any, seats: Any, side: Any, able: Any, rank: Any, policy: Any, prefer: Any) -> Any:
    """The enemy whom combatant i attacks: lowest rank, then its own preference; -1 if there is none."""
    best, lowest = -1, 0
    for j in range(n):
        if side[j] != side[i] and able[seats[j]]:
            r = rank[policy[i], seats[j]]
            if best < 0 or r < lowest or (r == lowest and prefer[i, j] < prefer[i, best]):
                best, lowest = j, r
    return best


def outlook_of(i: Any, n: Any, seats: Any, side: Any, able: Any, near: Any) -> Any:
    """The code of what combatant i may know of the rest (see `affray.tabular.Outlook`)."""
    friends, foes, threatened = 0, 0, 0
    for j in range(n):
        if able[seats[j]]:
            if side[j] == side[i]:
                friends += 1
            else:
                foes += 1
                if near[i, j]:
                    threatened = 1
    return (1 if foes > friends else 0) + 2 * threatened


def standing(n: Any, seats: Any, side: Any, able: Any) -> Any:
    """The only side that can still fight, UNDECIDED while there are more, DRAW when there is none."""
    found = -2
    for i in range(n):
        if able[seats[i]]:
            if found == -2:
                found = side[i]
            elif found != side[i]:
                return -1
    return found


def fights(
    lo: Any,
    hi: Any,
    seed: Any,
    max_rounds: Any,
    rerolls: Any,
    together: Any,
    side: Any,
    first_seat: Any,
    group: Any,
    tie: Any,
    policy: Any,
    ground: Any,
    near: Any,
    prefer: Any,
    solo: Any,
    following: Any,
    aimed: Any,
    bout_keys: Any,
    bout_rows: Any,
    receive_keys: Any,
    receive_rows: Any,
    start: Any,
    value: Any,
    cumulative: Any,
    pair_target: Any,
    pair_self: Any,
    pair_harm: Any,
    pair_held: Any,
    able: Any,
    acting: Any,
    shift: Any,
    tie_now: Any,
    rank: Any,
    todo: Any,
    winner: Any,
    rounds: Any,
    final: Any,
    downed_by: Any,
    misses: Any,
) -> Any:
    """Fight the numbered fights todo[lo:hi]; returns how many ended with a miss (their `misses` row holds kind and key).

    The arrays come one by one: in a tuple, compiled code would count references to each at every use.
    """
    n = len(side)
    missed = 0
    rng = np.zeros(4, np.int64)
    seats = np.zeros(n, np.int64)
    score = np.zeros(n, np.int64)
    group_score = np.zeros(n, np.int64)
    group_known = np.zeros(n, np.int64)
    done = np.zeros(n, np.int64)
    tied = np.zeros(n, np.int64)
    held_to = np.zeros(MAX_HELD, np.int64)
    held_by = np.zeros(MAX_HELD, np.int64)
    held = np.zeros(MAX_HELD, np.int64)
    for t in range(lo, hi):
        fight = todo[t]
        sow(rng, seed, fight)
        kind, key = 0, 0
        for i in range(n):
            seats[i] = first_seat[i]
            downed_by[t, i] = -1
        number = 0
        won = standing(n, seats, side, able)
        while won == -1 and kind == 0:
            if number == max_rounds:
                break
            number += 1
            # ---- the round opens
            for i in range(n):
                row = solo[OPENS, seats[i]]
                if row < 0:
                    kind, key = MISS_SOLO, OPENS << 42 | seats[i]
                    break
                seats[i] = draw(row, start, value, cumulative, rng)
                done[i] = 0
                group_known[i] = 0
            if kind:
                break
            won = standing(n, seats, side, able)
            if won != -1:
                break
            if rerolls or number == 1:
                op = FIRST if number == 1 else INITIATIVE
                for i in range(n):
                    if not acting[seats[i]]:
                        continue
                    g = group[i]
                    if not group_known[g]:
                        row = solo[op, seats[i]]
                        if row < 0:
                            kind, key = MISS_SOLO, op << 42 | seats[i]
                            break
                        group_score[g] = draw(row, start, value, cumulative, rng)
                        group_known[g] = 1
                    score[i] = group_score[g]
                if kind:
                    break
            # ---- turns
            in_tie, waiting = 0, 0
            for j in range(n):
                tied[j] = 0
            while True:
                i, best_score = -1, 0
                if in_tie:  # the group is fixed; its members act in the order of the roster
                    for j in range(n):
                        if tied[j] and done[j] == 0 and acting[seats[j]]:
                            i = j
                            break
                    if i < 0:  # all have acted: what they did to each other takes effect
                        in_tie = 0
                        for h in range(waiting):
                            j = held_to[h]
                            key = seats[j] << 21 | held[h]
                            row = look_up(key, receive_keys, receive_rows)
                            if row < 0:
                                kind = MISS_RECEIVE
                                break
                            seats[j] = draw(row, start, value, cumulative, rng)
                            if not able[seats[j]] and downed_by[t, j] < 0:
                                downed_by[t, j] = held_by[h]
                        waiting = 0
                        for j in range(n):
                            tied[j] = 0
                        if kind:
                            break
                        won = standing(n, seats, side, able)
                        if won != -1:
                            break
                        continue
                if i < 0:
                    for j in range(n):
                        if done[j] == 0 and acting[seats[j]]:
                            s = score[j] + shift[seats[j]]
                            if i < 0 or s > best_score:
                                i, best_score = j, s
                            elif s == best_score:
                                a, b = tie_now[seats[j]], tie_now[seats[i]]
                                if a > b or (a == b and tie[j] > tie[i]):
                                    i = j
                if i < 0:
                    break
                if together and not in_tie:
                    for j in range(n):
                        equal = score[j] + shift[seats[j]] == best_score and tie_now[seats[j]] == tie_now[seats[i]]
                        if equal and j != i and done[j] == 0 and acting[seats[j]]:
                            tied[j], in_tie = 1, 1
                    tied[i] = in_tie
                done[i] = 1
                row = solo[BEGINS, seats[i]]
                if row < 0:
                    kind, key = MISS_SOLO, BEGINS << 42 | seats[i]
                    break
                seats[i] = draw(row, start, value, cumulative, rng)
                for _ in range(MAX_STEPS):
                    if not acting[seats[i]]:
                        break
                    look = outlook_of(i, n, seats, side, able, near)
                    action = following[seats[i], look]
                    if action < 0:
                        kind, key = MISS_NEXT, look << 42 | seats[i]
                        break
                    if action == 0:
                        break
                    j = -1
                    if aimed[action]:
                        j = choose(i, n, seats, side, able, rank, policy, prefer)
                        if j < 0:
                            break
                    row = solo[ACTS + 2 * action, seats[i]]
                    if row < 0:
                        kind, key = MISS_SOLO, (ACTS + 2 * action) << 42 | seats[i]
                        break
                    seats[i] = draw(row, start, value, cumulative, rng)
                    if j < 0:
                        continue
                    key = ((action << 10 | ground[i, j]) << 21 | seats[i]) << 21 | seats[j]
                    row = look_up(key, bout_keys, bout_rows)
                    if row < 0:
                        kind = MISS_BOUT
                        break
                    pair = draw(row, start, value, cumulative, rng)
                    row = solo[ACTS + 2 * action + 1, seats[i]]
                    if row < 0:
                        kind, key = MISS_SOLO, (ACTS + 2 * action + 1) << 42 | seats[i]
                        break
                    seats[i] = draw(row, start, value, cumulative, rng)
                    if pair_target[pair] >= 0:
                        key = seats[j] << 21 | pair_target[pair]
                        row = look_up(key, receive_keys, receive_rows)
                        if row < 0:
                            kind = MISS_RECEIVE
                            break
                        seats[j] = draw(row, start, value, cumulative, rng)
                        if not able[seats[j]] and downed_by[t, j] < 0:
                            downed_by[t, j] = i
                    if pair_harm[pair] >= 0:
                        if tied[i] and tied[j] and waiting < MAX_HELD:
                            held_to[waiting], held_by[waiting], held[waiting] = j, i, pair_held[pair]
                            waiting += 1
                        else:
                            key = seats[j] << 21 | pair_harm[pair]
                            row = look_up(key, receive_keys, receive_rows)
                            if row < 0:
                                kind = MISS_RECEIVE
                                break
                            seats[j] = draw(row, start, value, cumulative, rng)
                            if not able[seats[j]] and downed_by[t, j] < 0:
                                downed_by[t, j] = i
                    if pair_self[pair] >= 0:
                        key = seats[i] << 21 | pair_self[pair]
                        row = look_up(key, receive_keys, receive_rows)
                        if row < 0:
                            kind = MISS_RECEIVE
                            break
                        seats[i] = draw(row, start, value, cumulative, rng)
                    won = standing(n, seats, side, able)
                    if won != -1:
                        break
                if kind or won != -1:
                    break
                row = solo[ENDS, seats[i]]
                if row < 0:
                    kind, key = MISS_SOLO, ENDS << 42 | seats[i]
                    break
                seats[i] = draw(row, start, value, cumulative, rng)
                won = standing(n, seats, side, able)
                if won != -1:
                    break
        if kind:
            missed += 1
            misses[t, 0], misses[t, 1] = kind, key
            winner[t] = -9
            continue
        misses[t, 0] = 0
        winner[t] = won
        rounds[t] = number
        for i in range(n):
            final[t, i] = seats[i]
    return missed
