"""The fight loop on tables: whole numbers and flat arrays only, no rule of any game.

Plain functions, which run uncompiled for small jobs and where numba is absent; `compiled` makes machine code of the same
source. Every fight has its own stream of random numbers from (seed, number of the fight), so results do not depend on
batches, threads or what was built before. A missing row ends the fight and names itself; the fight is then run again.

A combatant is the place of its numbers in `people`. It stands in a *node* (see `kernel_tables`), the place of a record in
`record`, which holds what the loop reads of the node and a code for each step that it can take (see `lots`). What stands where
is in `layout`.
"""

from __future__ import annotations

from typing import Any

from affray.simulate.layout import (  # isort: skip
    ABLE, ACTING, AFTER, BARE, BASE, BETWEEN, BOUT, BRINGS, DONE, DOWNED, DRAW, ENDS, FIRST, FOE, FOES, GROUND, GROUP, HARM,
    HEALTH, KEY, LAST, LOOK, MAX_HELD, MAX_STEPS, MISS, MISSED, MISS_BOUT, MISS_JOIN, MISS_RECEIVE, MISS_STEP, MOMENT, MOMENTS,
    NEAR, NOBODY, NODE, OFFERS, OPEN, PEOPLE, PERSON, POLICY, REROLL, RESORT, RIDER, ROUNDS, SCORE, SCORES, SEATS, SEEN,
    SHIFTED, SHOTS, SIDE, SIDES, SPENDS, THREATS, THROWN, TIE, TIED, TURN, UNDECIDED, WAITING
)  # fmt: skip
from affray.simulate.lots import draw, draw_chain, look_up, sow


def standing(people: Any, reg: Any) -> Any:
    """The only side that can still fight, UNDECIDED while there are more, DRAW when there is none."""
    found = DRAW
    for s in range(reg[SIDES]):
        if people[reg[PEOPLE] + 1 + s] > 0:
            if found != DRAW:
                return UNDECIDED
            found = s
    return found


def count(j: Any, sign: Any, foes: Any, people: Any, reg: Any) -> None:
    """Count person j in (1) or out (-1) among those who can fight."""
    ends = reg[PEOPLE]
    people[ends] += sign
    people[people[j + SIDE]] += sign
    k, last, i = people[j + FOES], people[j + LAST], 0
    while k < last:
        people[foes[k] + THREATS] += sign * foes[k + NEAR]
        k += FOE
    while i < ends:
        outnumbered = 1 if people[ends] > 2 * people[people[i + SIDE]] else 0
        people[i + LOOK] = TURN + outnumbered + (2 if people[i + THREATS] > 0 else 0)
        i += PERSON


def enter(j: Any, new: Any, foes: Any, record: Any, people: Any, reg: Any) -> Any:
    """Put person j into a node; 1 if that changes who can fight, else 0."""
    old, now = record[people[j + NODE] + SEEN], record[new + SEEN]
    people[j + NODE] = new
    if now == old:
        return 0
    shift = (now >> MOMENT) - (old >> MOMENT)
    if shift != 0:
        people[j + KEY] += shift << MOMENT
        reg[RESORT] = 1
    if (now ^ old) & ABLE == 0:
        return 0
    count(j, 1 if now & ABLE else -1, foes, people, reg)
    return 1


def missed(kind: Any, a: Any, b: Any, c: Any, reg: Any) -> Any:
    """Note which row is missing."""
    reg[MISS], reg[MISS + 1], reg[MISS + 2], reg[MISS + 3] = kind, a, b, c
    return MISSED


def step(j: Any, field: Any, foes: Any, record: Any, entries: Any, people: Any, reg: Any) -> Any:
    """Person j takes a step of its own: 1 if that changes who can fight, MISSED if the row is not there."""
    at = people[j + NODE]
    code = record[at + field]
    if code < 0:
        return missed(MISS_STEP, at, field, 0, reg)
    return enter(j, draw(code, entries, reg), foes, record, people, reg)


def receive(
    j: Any, by: Any, message: Any, foes: Any, record: Any, receives: Any, joins: Any, entries: Any, people: Any, reg: Any,
) -> Any:  # fmt: skip
    """Person j is told something by another; answers like `step`. Notes who put it out of the fight first.

    What rides along with a node is left out of the row and joined to its outcome again.
    """
    at, kind = people[j + NODE], message & 1
    bare = record[at + BARE + kind]
    code = look_up(bare << SEATS | message, receives) if bare >= 0 else -1
    if code < 0:
        return missed(MISS_RECEIVE, at, message, 0, reg)
    seat = draw(code, entries, reg)
    if seat == bare:
        return 0
    rider = record[at + RIDER + kind]
    new = look_up(seat << SEATS | rider, joins)
    if new < 0:
        return missed(MISS_JOIN, seat, rider, 0, reg)
    changed = enter(j, new, foes, record, people, reg)
    if j != by:
        harm = record[at + HEALTH] - record[new + HEALTH]
        if harm > 0:
            people[by + HARM] += harm
        if changed and people[j + DOWNED] < 0 and record[new + SEEN] & ABLE == 0:
            people[j + DOWNED] = by
    return changed


def choose(i: Any, foes: Any, record: Any, people: Any) -> Any:
    """Where in `foes` the enemy stands whom person i attacks: lowest rank, then its own preference; -1 if there is none."""
    best, lowest, place = -1, NOBODY, people[i + POLICY]
    k, last = people[i + FOES], people[i + LAST]
    while k < last:
        rank = record[people[foes[k] + NODE] + place]
        if rank < lowest:
            best, lowest = k, rank
        k += FOE
    return best


def whose(key: Any, reg: Any) -> Any:
    """The person to whom a key in the queue belongs: its lowest bits are the place in the roster, counted from the end."""
    return reg[PEOPLE] - PERSON - PERSON * (key & (1 << TIE) - 1)


def arrange(first: Any, last: Any, queue: Any, people: Any, reg: Any) -> None:
    """Sort a part of the queue by keys as they are now, highest first. It is nearly sorted as a rule."""
    for k in range(first, last):
        key, p = people[whose(queue[k], reg) + KEY], k
        while p > first and queue[p - 1] < key:
            queue[p] = queue[p - 1]
            p -= 1
        queue[p] = key


def turn(
    i: Any, foes: Any, record: Any, bouts: Any, receives: Any, joins: Any, told: Any, entries: Any, people: Any, held: Any,
    reg: Any,
) -> Any:  # fmt: skip
    """One turn: steps of its own up to an attack, the attack, and on. Returns who stands then, or MISSED."""
    for _ in range(MAX_STEPS):
        changed = step(i, people[i + LOOK], foes, record, entries, people, reg)
        if changed:
            won = MISSED if changed < 0 else standing(people, reg)
            if won != UNDECIDED:
                return won
        at = people[i + NODE]
        brings = record[at + BRINGS]
        if brings < 0:
            return UNDECIDED
        k = choose(i, foes, record, people)
        if k < 0:
            break
        people[i + SHOTS] += record[at + SPENDS]
        j = foes[k]
        met = people[j + NODE]
        code = look_up(brings << BOUT | foes[k + GROUND] << BETWEEN | record[met + OFFERS], bouts)
        if code < 0:
            return missed(MISS_BOUT, at, met, foes[k + GROUND], reg)
        pair = 4 * draw_chain(code, entries, reg)
        if pair == 0:
            continue  # nothing is told to anybody
        changed = 0
        if told[pair + 2] >= 0:  # else what comes after an attack is part of the next step
            changed = step(i, AFTER, foes, record, entries, people, reg)
            if changed < 0:
                return changed
        for what in range(3):  # at once to the target, its harm, to the attacker
            to, message = j, told[pair + what]
            if what == 2:
                to = i
            elif what == 1 and message >= 0 and people[i + TIED] == people[j + TIED] and reg[WAITING] < MAX_HELD:
                waits = 3 * reg[WAITING]
                held[waits], held[waits + 1], held[waits + 2] = j, i, told[pair + 3]
                reg[WAITING] += 1
                message = -1
            if message >= 0:
                now = receive(to, i, message, foes, record, receives, joins, entries, people, reg)
                if now < 0:
                    return now
                changed |= now
        if changed:
            won = standing(people, reg)
            if won != UNDECIDED:
                return won
    changed = step(i, ENDS, foes, record, entries, people, reg)
    return MISSED if changed < 0 else standing(people, reg)


def let_go(foes: Any, record: Any, receives: Any, joins: Any, entries: Any, people: Any, held: Any, reg: Any) -> Any:
    """All who act at one moment have acted: what they did to each other takes effect. Returns who stands then, or MISSED."""
    for h in range(0, 3 * reg[WAITING], 3):
        now = receive(held[h], held[h + 1], held[h + 2], foes, record, receives, joins, entries, people, reg)
        if now < 0:
            return now
    reg[WAITING] = 0
    return standing(people, reg)


def same_moment(at: Any, acting: Any, record: Any, queue: Any, people: Any, reg: Any) -> Any:
    """The end of the group that acts at one moment, from a place in the queue. Marks its members."""
    reg[MOMENTS] += 1
    moment, last = queue[at] >> MOMENT, at
    while last < acting and queue[last] >> MOMENT == moment:
        i = whose(queue[last], reg)
        if record[people[i + NODE] + SEEN] & ACTING:
            people[i + TIED] = reg[MOMENTS]
        last += 1
    return last


def opening(opens: Any, throws: Any, foes: Any, record: Any, entries: Any, people: Any, queue: Any, reg: Any) -> Any:
    """A round opens: how many get a turn in it, with their keys in the queue, highest first; or MISSED.

    `opens`: 0 where the fight begins in the middle of the round. `throws`: the field of initiative, 0 if there is none.
    """
    i, acting = 0, 0
    while i < reg[PEOPLE]:
        at = people[i + NODE]
        if opens and record[at + OPEN] != at << 1:  # as most rounds open
            if step(i, OPEN, foes, record, entries, people, reg) < 0:
                return MISSED
            at = people[i + NODE]
        seen = record[at + SEEN]
        if seen & ACTING and (opens or people[i + DONE] == 0):
            if throws:
                group = people[i + GROUP]
                if people[group + THROWN] != reg[ROUNDS]:
                    code = record[at + throws]
                    if code < 0:
                        return missed(MISS_STEP, at, throws, 0, reg)
                    people[group + THROWN], people[group + SCORE] = reg[ROUNDS], draw(code, entries, reg) - SHIFTED
                people[i + SCORE] = people[group + SCORE]
            key = (people[i + SCORE] << SCORES) + (seen >> MOMENT << MOMENT) + people[i + BASE]
            people[i + KEY] = key
            for k in range(acting):  # all the way, since a branch that depends on throws is guessed wrong too often
                other = queue[k]
                queue[k], key = max(other, key), min(other, key)
            queue[acting] = key
            acting += 1
        i += PERSON
    reg[RESORT] = 0
    return acting


def fight(
    max_rounds: Any, rerolls: Any, together: Any, midway: Any, cast: Any, foes: Any, record: Any, bouts: Any, receives: Any,
    joins: Any, told: Any, entries: Any, people: Any, queue: Any, held: Any, reg: Any,
) -> Any:  # fmt: skip
    """One fight to its end: the side that won, UNDECIDED after `max_rounds`, DRAW, or MISSED. Rounds stand in `reg`.

    `cast`: people as they are when it begins; `midway`: 1 where that is in the middle of a round.
    """
    reg[ROUNDS], reg[WAITING], reg[MOMENTS] = 0, 0, 0
    for k in range(reg[PEOPLE] + 1 + reg[SIDES]):
        people[k] = cast[k]
    won = standing(people, reg)
    while won == UNDECIDED and reg[ROUNDS] < max_rounds:
        reg[ROUNDS] += 1
        opens, throws = 1, REROLL if rerolls else 0
        if reg[ROUNDS] == 1:
            opens, throws = 1 - midway, 0 if midway else FIRST
        acting = opening(opens, throws, foes, record, entries, people, queue, reg)
        if acting < 0:
            return acting
        won = standing(people, reg)
        at = 0
        while at < acting and won == UNDECIDED:
            last = same_moment(at, acting, record, queue, people, reg) if together else at + 1
            while at < last and won == UNDECIDED:
                i = whose(queue[at], reg)
                at += 1
                if record[people[i + NODE] + SEEN] & ACTING:
                    won = turn(i, foes, record, bouts, receives, joins, told, entries, people, held, reg)
            if won == UNDECIDED and reg[WAITING]:
                won = let_go(foes, record, receives, joins, entries, people, held, reg)
            if reg[RESORT]:
                arrange(at, acting, queue, people, reg)
                reg[RESORT] = 0
    return won


def fights(
    lo: Any, hi: Any, seed: Any, max_rounds: Any, rerolls: Any, together: Any, midway: Any, cast: Any, foes: Any, record: Any,
    bouts: Any, receives: Any, joins: Any, told: Any, entries: Any, people: Any, queue: Any, held: Any, reg: Any, todo: Any,
    winner: Any, rounds: Any, final: Any, deeds: Any, misses: Any,
) -> Any:  # fmt: skip
    """Fight the numbered fights todo[lo:hi]; returns how many of them missed a row (`misses` holds kind and key, else 0).

    The arrays come one by one, since compiled code gets the address of each and no more. `people` up to `reg` are room to
    work in, of this caller alone; `reg` holds how many there are. `deeds` of each person in each fight: DOWNED, HARM, SHOTS.
    """
    lost, at = 0, 0
    for t in range(lo, hi):
        sow(seed, todo[t], reg)
        won = fight(
            max_rounds, rerolls, together, midway, cast, foes, record, bouts, receives, joins, told, entries, people, queue,
            held, reg,
        )  # fmt: skip
        winner[t] = won
        misses[4 * t] = 0
        if won == MISSED:
            lost += 1
            for k in range(4):
                misses[4 * t + k] = reg[MISS + k]
            continue
        rounds[t] = reg[ROUNDS]
        at = t * (reg[PEOPLE] // PERSON)
        for i in range(0, reg[PEOPLE], PERSON):
            final[at] = people[i + NODE]
            for k in range(3):
                deeds[3 * at + k] = people[i + DOWNED + k]
            at += 1
    return lost
