"""The fight loop on tables: whole numbers and flat arrays only, no rule of any game.

Plain functions, which run uncompiled for small jobs and where numba is absent; `compiled` makes machine code of the same
source. Every fight has its own stream of random numbers from (seed, number of the fight), so results do not depend on
batches, threads or what was built before. A missing row ends the fight and names itself; the fight is then run again.

A combatant is the place of its numbers in the room of its thread. It stands in a *node* (see `kernel_tables`), the place of a
record in `words`, which holds what the loop reads of the node and a code for each step that it can take (see `lots`). There are
so few arrays because every address of one takes a register away. What stands where is in `layout`.
"""

from __future__ import annotations

from typing import Any

from affray.simulate.layout import (  # isort: skip
    ABLE, ACTING, ACTORS, AFTER, BACK, BARE, BASE, BRINGS, DONE, DOWNED, DRAW, ENDS, FIRST, FOE, FOES,
    GROUND, GROUP, HARM, HARMS, HEALTH, HELD, KEPT, KEY, LAST, LAST_STEP, LOOK, MAX_HELD, MAX_STEPS, MISS, MISSED,
    MISS_BOUT, MISS_JOIN, MISS_RECEIVE, MISS_STEP, MOMENT, MOMENTS, NEAR, NOBODY, NODE, NOW, OFFERS, OF_JOIN, OPEN, PEOPLE,
    PERSON, POLICY, QUEUE, REROLL, RESORT, RIDER, ROSTER, ROUNDS, SCORE, SCORES, SEAT, SEATS, SEEN, SHIFTED, SHOTS, SIDE, SIDES,
    SPENDS, STALE, THREATS, THROWN, TIED, TURN, UNDECIDED, WAITING, WON
)  # fmt: skip
from affray.simulate.lots import UNKNOWN, draw, draw_chain, look_up, sow


def standing(room: Any) -> Any:
    """The only side that can still fight, UNDECIDED while there are more, DRAW when there is none."""
    found = DRAW
    for s in range(room[SIDES]):
        if room[room[ENDS] + 1 + s] > 0:
            if found != DRAW:
                return UNDECIDED
            found = s
    return found


def count(j: Any, sign: Any, room: Any) -> None:
    """Count person j in (1) or out (-1) among those who can fight."""
    ends = room[ENDS]
    room[ends] += sign
    room[room[j + SIDE]] += sign
    k, last, i = room[j + FOES], room[j + LAST], PEOPLE
    while k < last:
        room[room[k] + THREATS] += sign * room[k + NEAR]
        k += FOE
    while i < ends:
        outnumbered = 1 if room[ends] > 2 * room[room[i + SIDE]] else 0
        room[i + LOOK] = TURN + outnumbered + (2 if room[i + THREATS] > 0 else 0)
        i += PERSON
    room[WON] = standing(room)


def noticed(j: Any, before: Any, now: Any, room: Any) -> Any:
    """Others notice what has become of person j: 1 if that changes who can fight, else 0."""
    room[j + NOW] = now
    shift = (now >> MOMENT) - (before >> MOMENT)
    if shift != 0:
        room[j + KEY] += shift << MOMENT
        room[RESORT] = 1
        room[STALE] = 1
    if (now ^ before) & ACTING:
        room[STALE] = 1
    if (now ^ before) & ABLE == 0:
        return 0
    count(j, 1 if now & ABLE else -1, room)
    return 1


def enter(j: Any, new: Any, words: Any, room: Any) -> Any:
    """Put person j into a node; 1 if that changes who can fight, else 0."""
    room[j + NODE] = new
    before, now = room[j + NOW], words[new + SEEN]
    if now == before:
        return 0
    return noticed(j, before, now, room)


def missed(kind: Any, a: Any, b: Any, c: Any, room: Any) -> Any:
    """Note which row is missing."""
    room[MISS], room[MISS + 1], room[MISS + 2], room[MISS + 3] = kind, a, b, c
    return MISSED


def step(j: Any, field: Any, words: Any, room: Any) -> Any:
    """Person j takes a step of its own: 1 if that changes who can fight, MISSED if the row is not there."""
    at = room[j + NODE]
    new = words[at + field]
    if new < 0:
        if new == UNKNOWN:
            return missed(MISS_STEP, at, field, 0, room)
        new = draw(new, words, room)
    return enter(j, new, words, room)


def receive(j: Any, by: Any, message: Any, words: Any, keys: Any, room: Any) -> Any:
    """Person j is told something by another; answers like `step`. Notes who put it out of the fight first.

    What rides along with a node is left out of the row and joined to its outcome again.
    """
    at, kind = room[j + NODE], message & 1
    bare = words[at + BARE + kind]
    code = look_up(bare << SEATS | message, keys) if bare >= 0 else UNKNOWN
    if code == UNKNOWN:
        return missed(MISS_RECEIVE, at, message, 0, room)
    seat = draw(code, words, room)
    if seat == bare:
        return 0
    rider = words[at + RIDER + kind]
    new = look_up(OF_JOIN | seat << SEATS | rider, keys)
    if new == UNKNOWN:
        return missed(MISS_JOIN, seat, rider, 0, room)
    changed = enter(j, new, words, room)
    if j != by:
        room[by + HARM] += max(0, words[at + HEALTH] - words[new + HEALTH])
        if changed and room[j + DOWNED] < 0 and room[j + NOW] & ABLE == 0:
            room[j + DOWNED] = (by - PEOPLE) // PERSON
    return changed


def choose(i: Any, words: Any, room: Any) -> Any:
    """Where the enemy stands whom person i attacks: lowest rank, then its own preference; -1 if there is none."""
    best, lowest, place = -1, NOBODY, room[i + POLICY]
    k, last = room[i + FOES], room[i + LAST]
    while k < last:
        rank = words[room[room[k] + NODE] + place]
        if rank < lowest:
            best, lowest = k, rank
        k += FOE
    return best


def whose(key: Any) -> Any:
    """The person to whom a key in the queue belongs."""
    return ~key & ROSTER


def arrange(first: Any, last: Any, room: Any) -> None:
    """Sort a part of the queue by keys as they are now, highest first. It is nearly sorted as a rule."""
    first, last = first + room[QUEUE], last + room[QUEUE]
    for k in range(first, last):
        key, p = room[whose(room[k]) + KEY], k
        while p > first and room[p - 1] < key:
            room[p] = room[p - 1]
            p -= 1
        room[p] = key


def turn(i: Any, words: Any, keys: Any, room: Any) -> Any:
    """One turn: steps of its own up to an attack, the attack, and on. Returns who stands then, or MISSED."""
    for _ in range(MAX_STEPS):
        changed = step(i, room[i + LOOK], words, room)
        if changed and (changed < 0 or room[WON] != UNDECIDED):
            return MISSED if changed < 0 else room[WON]
        at = room[i + NODE]
        brings = words[at + BRINGS]
        if brings < 0:
            return UNDECIDED
        k = choose(i, words, room)
        if k < 0:
            break
        room[i + SHOTS] += words[at + SPENDS]
        j = room[k]
        met = room[j + NODE]
        code = look_up(brings | room[k + GROUND] | words[met + OFFERS], keys)
        if code == UNKNOWN:
            return missed(MISS_BOUT, at, met, room[k + GROUND], room)
        told = draw_chain(code, words, room)
        if told == 0:
            continue  # nothing is told to anybody
        changed = 0
        if words[told + BACK] >= 0:  # else what comes after an attack is part of the next step
            changed = step(i, AFTER, words, room)
            if changed < 0:
                return changed
        for what in range(3):  # at once to the target, its harm, to the attacker
            to, message = j, words[told + what]
            if what == BACK:
                to = i
            elif what == HARMS and message >= 0 and room[i + TIED] == room[j + TIED] and room[WAITING] < MAX_HELD:
                waits = room[HELD] + 3 * room[WAITING]
                room[waits], room[waits + 1], room[waits + 2] = j, i, words[told + KEPT]
                room[WAITING] += 1
                message = -1
            if message >= 0:
                now = receive(to, i, message, words, keys, room)
                if now < 0:
                    return now
                changed |= now
        if changed and room[WON] != UNDECIDED:
            return room[WON]
    changed = step(i, LAST_STEP, words, room)
    return MISSED if changed < 0 else room[WON]


def let_go(words: Any, keys: Any, room: Any) -> Any:
    """All who act at one moment have acted: what they did to each other takes effect. Returns who stands then, or MISSED."""
    first = room[HELD]
    for h in range(first, first + 3 * room[WAITING], 3):
        now = receive(room[h], room[h + 1], room[h + 2], words, keys, room)
        if now < 0:
            return now
    room[WAITING] = 0
    return room[WON]


def same_moment(at: Any, room: Any) -> Any:
    """The end of the group that acts at one moment, from a place in the queue. Marks its members."""
    room[MOMENTS] += 1
    queue, acting = room[QUEUE], room[ACTORS]
    moment, last = room[queue + at] >> MOMENT, at
    while last < acting and room[queue + last] >> MOMENT == moment:
        i = whose(room[queue + last])
        if room[i + NOW] & ACTING:
            room[i + TIED] = room[MOMENTS]
        last += 1
    return last


def opening(words: Any, room: Any) -> Any:
    """A round opens for everybody. MISSED if a row is not there."""
    i = PEOPLE
    while i < room[ENDS]:
        if step(i, OPEN, words, room) < 0:
            return MISSED
        i += PERSON
    return 0


def line_up(opens: Any, throws: Any, words: Any, room: Any) -> Any:
    """Who gets a turn in a round, with their keys in the queue, highest first; or MISSED.

    `opens`: 0 where the fight begins in the middle of the round. `throws`: the field of initiative, 0 if there is none.
    """
    acting, i, queue = 0, PEOPLE, room[QUEUE]
    while i < room[ENDS]:
        seen = room[i + NOW]
        if seen & ACTING and (opens or room[i + DONE] == 0):
            if throws:
                group = room[i + GROUP]
                if room[group + THROWN] != room[ROUNDS]:
                    at = room[i + NODE]
                    code = words[at + throws]
                    if code == UNKNOWN:
                        return missed(MISS_STEP, at, throws, 0, room)
                    room[group + THROWN], room[group + SCORE] = room[ROUNDS], draw(code, words, room) - SHIFTED
                room[i + SCORE] = room[group + SCORE]
            key = (room[i + SCORE] << SCORES) + (seen >> MOMENT << MOMENT) + room[i + BASE]
            room[i + KEY] = key
            for k in range(queue, queue + acting):  # all the way: a branch that depends on throws is guessed wrong too often
                other = room[k]
                room[k], key = max(other, key), min(other, key)
            room[queue + acting] = key
            acting += 1
        i += PERSON
    room[ACTORS], room[RESORT], room[STALE] = acting, 0, 1 - opens
    return 0


def fight(max_rounds: Any, rerolls: Any, together: Any, midway: Any, cast: Any, words: Any, keys: Any, room: Any) -> Any:
    """One fight to its end: the side that won, UNDECIDED after `max_rounds`, DRAW, or MISSED. Rounds stand in `room`.

    `cast`: people as they are when it begins; `midway`: 1 where that is in the middle of a round.
    """
    room[ROUNDS], room[WAITING], room[MOMENTS] = 0, 0, 0
    for k in range(PEOPLE, room[QUEUE]):
        room[k] = cast[k]
    room[WON], room[STALE] = standing(room), 1
    while room[WON] == UNDECIDED and room[ROUNDS] < max_rounds:
        room[ROUNDS] += 1
        opens, throws = 1, REROLL if rerolls else 0
        if room[ROUNDS] == 1:
            opens, throws = 1 - midway, 0 if midway else FIRST
        if opens and opening(words, room) < 0:
            return MISSED
        if room[WON] != UNDECIDED:
            break
        if (throws or room[STALE]) and line_up(opens, throws, words, room) < 0:
            return MISSED
        at = 0
        while at < room[ACTORS]:
            last = same_moment(at, room) if together else at + 1
            while at < last:
                i = whose(room[room[QUEUE] + at])
                at += 1
                if room[i + NOW] & ACTING:
                    won = turn(i, words, keys, room)
                    if won != UNDECIDED:
                        return won
            if room[WAITING]:
                won = let_go(words, keys, room)
                if won != UNDECIDED:
                    return won
            if room[RESORT]:
                arrange(at, room[ACTORS], room)
                room[RESORT] = 0
    return room[WON]


def fights(
    lo: Any, hi: Any, seed: Any, max_rounds: Any, rerolls: Any, together: Any, midway: Any, cast: Any, words: Any, keys: Any,
    room: Any, todo: Any, winner: Any, rounds: Any, final: Any, deeds: Any, misses: Any,
) -> Any:  # fmt: skip
    """Fight the numbered fights todo[lo:hi]; returns how many of them missed a row (`misses` holds kind and key, else 0).

    The arrays come one by one, since compiled code gets the address of each and no more. `room` is of this caller alone.
    `final`: the seat of each person in each fight; `deeds`: DOWNED, HARM, SHOTS.
    """
    lost, at = 0, 0
    for t in range(lo, hi):
        sow(seed, todo[t], room)
        won = fight(max_rounds, rerolls, together, midway, cast, words, keys, room)
        winner[t] = won
        misses[4 * t] = 0
        if won == MISSED:
            lost += 1
            for k in range(4):
                misses[4 * t + k] = room[MISS + k]
            continue
        rounds[t] = room[ROUNDS]
        at = t * ((room[ENDS] - PEOPLE) // PERSON)
        for i in range(PEOPLE, room[ENDS], PERSON):
            final[at] = words[room[i + NODE] + SEAT]
            for k in range(3):
                deeds[3 * at + k] = room[i + DOWNED + k]
            at += 1
    return lost
