"""The fight loop on tables: whole numbers and flat arrays only, no rule of any game.

Plain functions, which run uncompiled for small jobs and where numba is absent; `compiled` makes machine code of the same
source. Every fight has its own stream of random numbers from (seed, number of the fight), so results do not depend on
batches, threads or what was built before. A missing row ends the fight and names itself; the fight is then run again.

A combatant is a *node* (see `packed`): the place of its record in `record`. A record holds what the loop reads of the node
and a *code* for each step that it can take: -1 not known yet, an even number twice the only outcome, an odd number the place
in `entries` of a table of outcomes, by the alias method (see `packed`), or of a chain of two draws. All products stay below
2**63, since beyond it compiled code may do as it likes.
"""

from __future__ import annotations

from typing import Any

# ---- a record: the places of its fields
FLAGS, ORDER, BRINGS, OFFERS, TURN = 0, 1, 2, 3, 4
LOOKS = 4
OPEN, REROLL, AFTER, ENDS = 8, 9, 10, 11
BARE, RIDER = 12, 14
"""Seat that receives a message in place of this node, and the number of what it leaves out; for both kinds of messages."""
FIRST, HEALTH, SPENDS, RANK = 16, 17, 18, 19
"""Health left; rounds that the attack which has begun has cost. Ranks as a target, one for each policy, end a record."""
LINE = 8
"""Records begin at multiples of so many words, since what is read together shall lie together."""
NOBODY = 1 << 62
"""Rank of those who cannot fight."""
ABLE, ACTING, AIMING = 1, 2, 4
"""FLAGS: can still fight (in ORDER as well); gets a turn; has begun an attack and wants a target."""

# ---- numbers packed together
ROSTER, TIE, SCORE = 0, 12, 36
"""ORDER and base: bits from which the place in the roster, ties and scores stand; TIE holds two of 12 bits."""
MOMENT = 24
"""Bits below which nothing parts those who act at one moment."""
VALUE = 30
"""Bits of an outcome in an entry; above them stands its share of the column."""
CHAINED = 63
"""Low bits of a code; in a chain only the last of them is set."""
SEATS = 22
"""Bits of a number of a seat, a message or a rider, and one more."""
LOWEST = -(1 << 62)
SCORES = 1 << 16
"""Added to a score, so that outcomes are never negative."""
FACTOR = 2142482625
"""Of the random stream: FACTOR * 2**32 - 1 is a safe prime, so the period is near 2**62."""

# ---- what a fight comes to
UNDECIDED, DRAW, MISSED = -1, -2, -(1 << 60)
MISS_STEP, MISS_BOUT, MISS_RECEIVE, MISS_JOIN = 1, 2, 3, 4
MAX_STEPS = 40
"""Attacks in one turn after which it is ended, so that a policy cannot hang a fight."""
MAX_HELD = 256
"""Harm held back among those who act at one moment; beyond this it takes effect at once."""
RESORT, WAITING, ROUNDS, MISS, PEOPLE, SIDES = 1, 2, 3, 4, 8, 9
"""Places in `reg`; 0 is the random state, four numbers tell what was missed, two how many there are."""
REGISTERS = 10


def mix(h: Any) -> Any:
    """A bijection of 32-bit numbers that scatters well."""
    h = ((h >> 16) ^ h) * 0x45D9F3B & 0xFFFFFFFF
    h = ((h >> 16) ^ h) * 0x45D9F3B & 0xFFFFFFFF
    return (h >> 16) ^ h


def sow(seed: Any, fight: Any, reg: Any) -> None:
    """Start the stream of one fight."""
    h = mix(mix(seed & 0xFFFFFFFF) ^ mix((seed >> 32 & 0x7FFFFFFF) + 0x9E3779B9 & 0xFFFFFFFF))
    h = mix(h ^ mix(fight & 0xFFFFFFFF)) ^ mix((fight >> 32) + 0x7F4A7C15 & 0xFFFFFFFF)
    high = mix(h + 0x9E3779B9 & 0xFFFFFFFF) % (FACTOR - 2)
    reg[0] = high + 1 << 32 | mix(h ^ 0x5BD1E995)


def draw(code: Any, entries: Any, reg: Any) -> Any:
    """The outcome that a code stands for; one with a single outcome takes no random number.

    The stream multiplies with carry (Marsaglia's generator, both halves of its state combined as Thomas does).
    """
    if code & 1 == 0:
        return code >> 1
    low, high = reg[0] & 0xFFFFFFFF, reg[0] >> 32
    reg[0] = FACTOR * low + high
    thrown, shift = low ^ high, code >> 1 & 31
    at = (code >> 6) + 2 * (thrown >> shift)
    own, other = entries[at], entries[at + 1]
    return own & (1 << VALUE) - 1 if (thrown & (1 << shift) - 1) < own >> VALUE else other


def draw_chain(code: Any, entries: Any, reg: Any) -> Any:
    """The same for a code that may be a chain: the code of a first draw, then a code for each of its results."""
    if code & CHAINED == 1:
        at = code >> 6
        code = entries[at + 1 + draw(entries[at], entries, reg)]
    return draw(code, entries, reg)


def place(key: Any, last: Any) -> Any:
    """Where the search for a key begins in a table of last + 1 places."""
    return ((key ^ key >> 31) & 0x7FFFFFFF) * 0x5BD1E995 >> 15 & last


def look_up(key: Any, table: Any) -> Any:
    """Value of a key in an open-addressed table; -1: not there.

    The first word is the number of the last place (a power of two, less one); two words on, keys and values in turn.
    """
    last = table[0]
    at = place(key, last)
    while table[2 * at + 2] != key:
        if table[2 * at + 2] < 0:
            return -1
        at = at + 1 & last
    return table[2 * at + 3]


def standing(living: Any, reg: Any) -> Any:
    """The only side that can still fight, UNDECIDED while there are more, DRAW when there is none."""
    found = DRAW
    for s in range(reg[SIDES]):
        if living[s] > 0:
            if found != DRAW:
                return UNDECIDED
            found = s
    return found


def enter(j: Any, new: Any, nodes: Any, record: Any, side: Any, near: Any, living: Any, threats: Any, key: Any, reg: Any) -> Any:
    """Put combatant j into a node; 1 if that changes who can fight, else 0."""
    old = nodes[j]
    nodes[j] = new
    if record[new + ORDER] == record[old + ORDER]:
        return 0
    shift = (record[new + ORDER] >> 1) - (record[old + ORDER] >> 1)
    if shift != 0:
        key[j] += 2 * shift
        reg[RESORT] = 1
    now = record[new + ORDER] & ABLE
    if now == record[old + ORDER] & ABLE:
        return 0
    count(j, 1 if now else -1, side, near, living, threats, reg)
    return 1


def count(j: Any, sign: Any, side: Any, near: Any, living: Any, threats: Any, reg: Any) -> None:
    """Count combatant j in (1) or out (-1) among those who can fight."""
    n = reg[PEOPLE]
    living[side[j]] += sign
    living[reg[SIDES]] += sign
    for i in range(n):
        threats[i] += sign * near[i * n + j]


def missed(kind: Any, a: Any, b: Any, c: Any, reg: Any) -> Any:
    """Note which row is missing."""
    reg[MISS], reg[MISS + 1], reg[MISS + 2], reg[MISS + 3] = kind, a, b, c
    return MISSED


def step(
    j: Any, field: Any, nodes: Any, record: Any, entries: Any, side: Any, near: Any, living: Any, threats: Any, key: Any, reg: Any
) -> Any:
    """Combatant j takes a step of its own: 1 if that changes who can fight, MISSED if the row is not there."""
    at = nodes[j]
    code = record[at + field]
    if code == at << 1:
        return 0  # as most rounds open
    if code < 0:
        return missed(MISS_STEP, at, field, 0, reg)
    return enter(j, draw(code, entries, reg), nodes, record, side, near, living, threats, key, reg)


def receive(
    j: Any,
    by: Any,
    message: Any,
    nodes: Any,
    record: Any,
    entries: Any,
    receives: Any,
    joins: Any,
    side: Any,
    near: Any,
    living: Any,
    threats: Any,
    key: Any,
    downed: Any,
    reg: Any,
) -> Any:
    """Combatant j is told something by another; answers like `step`. Notes who put it out of the fight first.

    What rides along with a node is left out of the row and joined to its outcome again.
    """
    at, kind = nodes[j], message & 1
    bare = record[at + BARE + kind]
    code = look_up(bare << SEATS | message, receives) if bare >= 0 else -1
    if code < 0:
        return missed(MISS_RECEIVE, at, message, 0, reg)
    seat = draw(code, entries, reg)
    if seat == bare:
        return 0
    rider = record[at + RIDER + kind]
    new, healthy = look_up(seat << SEATS | rider, joins), record[at + HEALTH]
    if new < 0:
        return missed(MISS_JOIN, seat, rider, 0, reg)
    changed = enter(j, new, nodes, record, side, near, living, threats, key, reg)
    if j != by:
        if healthy > record[new + HEALTH]:
            downed[reg[PEOPLE] + by] += healthy - record[new + HEALTH]
        if changed and downed[j] < 0 and record[new + FLAGS] & ABLE == 0:
            downed[j] = by
    return changed


def choose(i: Any, foes: Any, policy: Any, nodes: Any, record: Any, reg: Any) -> Any:
    """The enemy whom combatant i attacks: lowest rank, then its own preference; -1 if there is none."""
    n = reg[PEOPLE]
    best, lowest, place = -1, NOBODY, RANK + policy[i]
    for k in range(i * n, i * n + n):
        j = foes[k]
        if j < 0:
            break
        rank = record[nodes[j] + place]
        if rank < lowest:
            best, lowest = j, rank
    return best


def arrange(first: Any, last: Any, queue: Any, key: Any) -> None:
    """Sort a part of the queue by key, highest first. It is nearly sorted as a rule."""
    for k in range(first + 1, last):
        i = queue[k]
        mine, p = key[i], k
        while p > first and key[queue[p - 1]] < mine:
            queue[p] = queue[p - 1]
            p -= 1
        queue[p] = i


def put_in_order(acting: Any, queue: Any, key: Any, reg: Any) -> None:
    """Sort the queue of a round, in no order yet, by the keys that stand behind those of everybody. Without a branch that
    has to be guessed: the place of each is the number of keys above its own, and no two are equal."""
    n = reg[PEOPLE]
    for k in range(acting):
        mine, above = key[n + k], 0
        for other in range(acting):
            above += 1 if key[n + other] > mine else 0
        queue[n + above] = queue[k]
    for k in range(acting):
        queue[k] = queue[n + k]


def throw_initiative(i: Any, field: Any, group: Any, shared: Any, nodes: Any, record: Any, entries: Any, reg: Any) -> Any:
    """A score of initiative; a group throws once."""
    if shared[group[i]] == LOWEST:
        code = record[nodes[i] + field]
        if code < 0:
            return missed(MISS_STEP, nodes[i], field, 0, reg)
        shared[group[i]] = draw(code, entries, reg) - SCORES
    return shared[group[i]]


def turn(
    i: Any,
    side: Any,
    policy: Any,
    foes: Any,
    ground: Any,
    near: Any,
    record: Any,
    bouts: Any,
    receives: Any,
    joins: Any,
    told: Any,
    entries: Any,
    nodes: Any,
    living: Any,
    threats: Any,
    key: Any,
    tied: Any,
    held: Any,
    downed: Any,
    reg: Any,
) -> Any:
    """One turn: steps of its own up to an attack, the attack, and on. Returns who stands then, or MISSED."""
    n, sides = reg[PEOPLE], reg[SIDES]
    for _ in range(MAX_STEPS):
        friends = living[side[i]]
        look = (1 if living[sides] - friends > friends else 0) + (2 if threats[i] > 0 else 0)
        changed = step(i, TURN + look, nodes, record, entries, side, near, living, threats, key, reg)
        if changed:
            won = MISSED if changed < 0 else standing(living, reg)
            if won != UNDECIDED:
                return won
        if record[nodes[i] + FLAGS] & AIMING == 0:
            return UNDECIDED
        j = choose(i, foes, policy, nodes, record, reg)
        if j < 0:
            break
        downed[2 * n + i] += record[nodes[i] + SPENDS]
        between = ground[i * n + j]
        code = look_up((record[nodes[i] + BRINGS] << 12 | between) << 24 | record[nodes[j] + OFFERS], bouts)
        if code < 0:
            return missed(MISS_BOUT, nodes[i], nodes[j], between, reg)
        pair = 4 * draw_chain(code, entries, reg)
        if pair == 0:
            continue  # nothing is told to anybody
        changed = 0
        if told[pair + 2] >= 0:  # else what comes after an attack is part of the next step
            changed = step(i, AFTER, nodes, record, entries, side, near, living, threats, key, reg)
            if changed < 0:
                return changed
        for what in range(3):  # at once to the target, its harm, to the attacker
            to, message = j, told[pair + what]
            if what == 2:
                to = i
            elif what == 1 and message >= 0 and tied[i] and tied[j] and reg[WAITING] < MAX_HELD:
                at = 3 * reg[WAITING]
                held[at], held[at + 1], held[at + 2] = j, i, told[pair + 3]
                reg[WAITING] += 1
                message = -1
            if message >= 0:
                now = receive(
                    to, i, message, nodes, record, entries, receives, joins, side, near, living, threats, key, downed, reg
                )
                if now < 0:
                    return now
                changed |= now
        if changed:
            won = standing(living, reg)
            if won != UNDECIDED:
                return won
    changed = step(i, ENDS, nodes, record, entries, side, near, living, threats, key, reg)
    return MISSED if changed < 0 else standing(living, reg)


def fight(
    max_rounds: Any,
    rerolls: Any,
    together: Any,
    first: Any,
    side: Any,
    group: Any,
    base: Any,
    policy: Any,
    foes: Any,
    ground: Any,
    near: Any,
    midway: Any,
    record: Any,
    bouts: Any,
    receives: Any,
    joins: Any,
    told: Any,
    entries: Any,
    nodes: Any,
    living: Any,
    threats: Any,
    key: Any,
    queue: Any,
    score: Any,
    shared: Any,
    tied: Any,
    held: Any,
    downed: Any,
    reg: Any,
) -> Any:
    """One fight to its end: the side that won, UNDECIDED after `max_rounds`, DRAW, or MISSED. Rounds stand in `reg`.

    `midway`: 1 where the fight begins in the middle of a round, then the scores, then 1 for whoever has had a turn in it.
    """
    n = reg[PEOPLE]
    reg[ROUNDS], reg[WAITING] = 0, 0
    for s in range(reg[SIDES] + 1):
        living[s] = 0
    for i in range(n):
        threats[i] = 0
    for i in range(n):
        nodes[i], downed[i], downed[n + i], downed[2 * n + i] = first[i], -1, 0, 0
        if record[first[i] + FLAGS] & ABLE:
            count(i, 1, side, near, living, threats, reg)
    won = standing(living, reg)
    while won == UNDECIDED and reg[ROUNDS] < max_rounds:
        reg[ROUNDS] += 1
        # ---- the round opens
        changed, acting = 0, 0
        going_on = midway[0] == 1 and reg[ROUNDS] == 1
        throws = rerolls or (reg[ROUNDS] == 1 and midway[0] == 0)
        field = FIRST if reg[ROUNDS] == 1 and midway[0] == 0 else REROLL
        for i in range(n):
            shared[i] = LOWEST
        for i in range(n):
            if not going_on:
                now = step(i, OPEN, nodes, record, entries, side, near, living, threats, key, reg)
                if now < 0:
                    return now
                changed |= now
            tied[i] = 0
            if midway[0] == 1 and reg[ROUNDS] == 1:
                score[i] = midway[1 + i]
            if record[nodes[i] + FLAGS] & ACTING and not (going_on and midway[1 + n + i]):
                if throws and not going_on:
                    score[i] = throw_initiative(i, field, group, shared, nodes, record, entries, reg)
                    if score[i] == MISSED:
                        return MISSED
                key[i] = (score[i] << SCORE) + (record[nodes[i] + ORDER] >> 1 << 1) + base[i]
                queue[acting], key[n + acting] = i, key[i]
                acting += 1
        if changed:
            won = standing(living, reg)
            if won != UNDECIDED:
                return won
        put_in_order(acting, queue, key, reg)
        reg[RESORT] = 0
        # ---- turns, up to `last` by those who act at one moment
        at, last = 0, 0
        while True:
            if at == last:
                for h in range(reg[WAITING]):  # all have acted: what they did to each other takes effect
                    now = receive(
                        held[3 * h],
                        held[3 * h + 1],
                        held[3 * h + 2],
                        nodes,
                        record,
                        entries,
                        receives,
                        joins,
                        side,
                        near,
                        living,
                        threats,
                        key,
                        downed,
                        reg,
                    )
                    if now < 0:
                        return now
                if reg[WAITING]:
                    reg[WAITING] = 0
                    won = standing(living, reg)
                    if won != UNDECIDED:
                        return won
                if reg[RESORT]:
                    arrange(at, acting, queue, key)
                    reg[RESORT] = 0
                if at >= acting:
                    break
                last = at + 1
                if together:
                    last = same_moment(at, acting, nodes, record, queue, key, tied, reg)
            i = queue[at]
            at += 1
            if record[nodes[i] + FLAGS] & ACTING:
                won = turn(
                    i,
                    side,
                    policy,
                    foes,
                    ground,
                    near,
                    record,
                    bouts,
                    receives,
                    joins,
                    told,
                    entries,
                    nodes,
                    living,
                    threats,
                    key,
                    tied,
                    held,
                    downed,
                    reg,
                )
                if won != UNDECIDED:
                    return won
    return won


def same_moment(at: Any, acting: Any, nodes: Any, record: Any, queue: Any, key: Any, tied: Any, reg: Any) -> Any:
    """The end of the group that acts at one moment, from a place in the queue. Marks its members, if there are several."""
    for i in range(reg[PEOPLE]):
        tied[i] = 0
    moment, last, several = key[queue[at]] >> MOMENT, at, 0
    while last < acting and key[queue[last]] >> MOMENT == moment:
        several += 1 if record[nodes[queue[last]] + FLAGS] & ACTING else 0
        last += 1
    if several > 1:
        for k in range(at, last):
            tied[queue[k]] = 1 if record[nodes[queue[k]] + FLAGS] & ACTING else 0
    return last


def fights(
    lo: Any,
    hi: Any,
    seed: Any,
    max_rounds: Any,
    rerolls: Any,
    together: Any,
    first: Any,
    side: Any,
    group: Any,
    base: Any,
    policy: Any,
    foes: Any,
    ground: Any,
    near: Any,
    midway: Any,
    record: Any,
    bouts: Any,
    receives: Any,
    joins: Any,
    told: Any,
    entries: Any,
    nodes: Any,
    living: Any,
    threats: Any,
    key: Any,
    queue: Any,
    score: Any,
    shared: Any,
    tied: Any,
    held: Any,
    downed: Any,
    reg: Any,
    todo: Any,
    winner: Any,
    rounds: Any,
    final: Any,
    deeds: Any,
    misses: Any,
) -> Any:
    """Fight the numbered fights todo[lo:hi]; returns how many of them missed a row (`misses` holds kind and key, else 0).

    The arrays come one by one, since compiled code gets the address of each and no more. `nodes` up to `reg` are room to
    work in, of this caller alone; `reg` holds how many there are. `downed`, and `deeds` for each fight: who put out each,
    then the harm that each has done to others, then the rounds that it has shot.
    """
    n, lost = reg[PEOPLE], 0
    for t in range(lo, hi):
        sow(seed, todo[t], reg)
        won = fight(
            max_rounds,
            rerolls,
            together,
            first,
            side,
            group,
            base,
            policy,
            foes,
            ground,
            near,
            midway,
            record,
            bouts,
            receives,
            joins,
            told,
            entries,
            nodes,
            living,
            threats,
            key,
            queue,
            score,
            shared,
            tied,
            held,
            downed,
            reg,
        )
        winner[t] = won
        misses[4 * t] = 0
        if won == MISSED:
            lost += 1
            for k in range(4):
                misses[4 * t + k] = reg[MISS + k]
            continue
        rounds[t] = reg[ROUNDS]
        for i in range(n):
            final[t * n + i] = nodes[i]
        for i in range(3 * n):
            deeds[3 * t * n + i] = downed[i]
    return lost
