"""Where numbers stand in the arrays of the kernel: registers and people in its room, records in its words. Whole numbers only.

`room` is what one thread works in: registers, then the people, how many can fight, the queue, the enemies of each, harm that is
held back. `words` is what was built: records of nodes, rows of outcomes, what attacks tell. `keys` is where rows are found.
"""

# ---- registers: the places at which a room begins
STATE, RESORT, STALE, WAITING, ROUNDS, MOMENTS, WON, ACTORS = 0, 1, 2, 3, 4, 5, 6, 7
"""The state of the random stream; is the queue to be sorted, or made anew for the next round; how much harm is held back;
moments at which several may have acted; who stands; how many get a turn in this round."""
MISS, ENDS, SIDES, QUEUE, HELD = 8, 12, 13, 14, 15
"""Four numbers tell what was missed; the end of the people, behind whom stands how many can fight in all and of each side; how
many sides there are; where the queue and the harm that is held back begin."""
PEOPLE = 16
"""Where the first person stands."""

# ---- a record: the places of its fields, those that are read together in one line
SEEN, BRINGS, TURN, OPEN, SPENDS = 0, 1, 2, 6, 7
REROLL, AFTER, LAST_STEP, FIRST, SEAT, DOING = 8, 9, 10, 11, 12, 13
OFFERS, BARE, RIDER, HEALTH, RANK = 16, 17, 19, 21, 22
"""SEEN: what others notice of it (see below). BRINGS: -1 without an attack that wants a target. SPENDS: rounds that the attack
which has begun has cost. DOING, of the SEAT: what it will do. BARE, RIDER: the seat that receives a message in place of this
node, and what it leaves out; for both kinds of messages. HEALTH left. Ranks as a target, one for each policy, end a record."""
LOOKS = 4
NOBODY = 1 << 62
"""Rank of those who cannot fight."""
ABLE, ACTING = 1, 2
"""SEEN: can still fight; gets a turn; from MOMENT, what it adds to its place in the order."""

# ---- a person: the places of its numbers
NODE, NOW, KEY, SCORE, THROWN, DONE, GROUP, BASE = 0, 1, 2, 3, 4, 5, 6, 7
"""NOW: SEEN of its node. Place in the order and the score in it; the round in which that of its GROUP was THROWN, counted with
the first of it; DONE: has had its turn in the round in which the fight begins; BASE: what parts it from equals in the order."""
LOOK, THREATS, SIDE, FOES, LAST, POLICY, TIED = 8, 9, 10, 11, 12, 13, 14
"""TURN and what its policy sees of the rest; enemies near it who can fight; where those of its side are counted; its enemies, up
to LAST, those whom it prefers first; where it reads their ranks; the number of the moment at which it acts with others."""
DOWNED, HARM, SHOTS = 15, 16, 17
"""The number of who put it out of the fight first (-1: nobody), the harm that it has done to others, the rounds that it shot."""
PERSON = 18
FOE, GROUND, NEAR = 3, 1, 2
"""Numbers of an enemy: the person, the ground between the two, 1 if it is near that person."""

# ---- numbers packed together
TIE, MOMENT, SCORES = 16, 28, 40
"""Bits of a KEY from which ties and scores stand; TIE holds two of 12 bits. Nothing below MOMENT parts those who act at one
moment. The lowest bits are a person, counted from the end."""
ROSTER = (1 << TIE) - 1
KINDS, SEATS, GROUNDS, BROUGHT = 22, 24, 24, 36
"""Bits of the key of a row. Lowest stands the number of a message, a rider or what a target offers; above KINDS, what the key is
of; above it a seat, or the ground and what an attacker brings."""
OF_JOIN, OF_BOUT = 1 << KINDS, 2 << KINDS
SHIFTED = 1 << 16
"""Added to a score, so that outcomes are never negative."""

# ---- what an attack tells: the places of its messages, -1 where there is none
AT_ONCE, HARMS, BACK, KEPT = 0, 1, 2, 3
"""At once to the target, its harm, to the attacker, the harm as it is told when it was held back. Place 0 tells nothing."""

# ---- what a fight comes to
UNDECIDED, DRAW, MISSED = -1, -2, -(1 << 60)
MISS_STEP, MISS_BOUT, MISS_RECEIVE, MISS_JOIN = 1, 2, 3, 4
MAX_STEPS = 40
"""Attacks in one turn after which it is ended, so that a policy cannot hang a fight."""
MAX_HELD = 256
"""Harm held back among those who act at one moment; beyond this it takes effect at once."""
