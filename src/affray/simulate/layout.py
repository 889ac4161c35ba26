"""Where numbers stand in the arrays of the kernel: in records, people, keys and registers. Whole numbers only."""

# ---- a record: the places of its fields, those that are read together in one line
SEEN, BRINGS, TURN, OPEN, REROLL = 0, 1, 2, 6, 7
SPENDS, AFTER, ENDS, FIRST = 8, 9, 10, 11
OFFERS, BARE, RIDER, HEALTH, RANK = 16, 17, 19, 21, 22
"""BRINGS: -1 without an attack that wants a target. BARE, RIDER: the seat that receives a message in place of this node, and
the number of what it leaves out; for both kinds of messages. HEALTH left; SPENDS: rounds that the attack which has begun has
cost. Ranks as a target, one for each policy, end a record."""
LOOKS = 4
NOBODY = 1 << 62
"""Rank of those who cannot fight."""
ABLE, ACTING = 1, 2
"""SEEN: can still fight; gets a turn. Above MOMENT: what it adds to its place in the order."""

# ---- a person: the places of its numbers in `people`
NODE, KEY, SCORE, THROWN, DONE, GROUP, BASE, TIED = 0, 1, 2, 3, 4, 5, 6, 7
"""Place in the order and the score in it; the round in which that of its GROUP was THROWN, counted with the first of it;
DONE: has had its turn in the round in which the fight begins; TIED: the number of the moment at which it acts with others."""
LOOK, THREATS, SIDE, FOES, LAST, POLICY = 8, 9, 10, 11, 12, 13
"""TURN and what its policy sees of the rest; enemies near it who can fight; the place in `people` where those of its side are
counted; where its enemies stand in `foes`, up to LAST, those whom it prefers first; where it reads their ranks."""
DOWNED, HARM, SHOTS = 14, 15, 16
"""Who put it out of the fight first (-1: nobody), the harm that it has done to others, the rounds that it has shot."""
PERSON = 17
"""Behind the last person stands how many can fight in all, then of each side."""
FOE, GROUND, NEAR = 3, 1, 2
"""Numbers of an enemy in `foes`: the person, the ground between the two, 1 if it is near that person."""

# ---- numbers packed together
ROSTER, TIE, MOMENT, SCORES = 0, 12, 24, 36
"""Bits of a KEY from which the place in the roster, ties and scores stand; TIE holds two of 12 bits. Nothing below MOMENT
parts those who act at one moment."""
SEATS = 22
"""Bits of a number of a seat, a message or a rider, and one more."""
BOUT, BETWEEN = 36, 24
"""Bits of the key of an attack above which stand what is brought and the ground; what is offered stands below."""
SHIFTED = 1 << 16
"""Added to a score, so that outcomes are never negative."""

# ---- what a fight comes to
UNDECIDED, DRAW, MISSED = -1, -2, -(1 << 60)
MISS_STEP, MISS_BOUT, MISS_RECEIVE, MISS_JOIN = 1, 2, 3, 4
MAX_STEPS = 40
"""Attacks in one turn after which it is ended, so that a policy cannot hang a fight."""
MAX_HELD = 256
"""Harm held back among those who act at one moment; beyond this it takes effect at once."""
RESORT, WAITING, ROUNDS, MISS, PEOPLE, SIDES, MOMENTS = 1, 2, 3, 4, 8, 9, 10
"""Places in `reg`: is the order to be sorted, how much harm is held back; four numbers tell what was missed; the end of all
persons in `people`, how many sides there are, moments at which several may have acted."""
REGISTERS = 11
