"""What the kernel draws and looks up: random numbers, rows of outcomes, hashed tables. Whole numbers and flat arrays only.

A *code* stands for a row: UNKNOWN; a number from 0 on is its only outcome; any other is, with its sign changed, the place in
`words` of a table of outcomes, by the alias method (see `memory`), or of a chain of two draws. All products stay below 2**63,
since beyond it compiled code may do as it likes.
"""

from __future__ import annotations

from typing import Any

from affray.simulate.layout import STATE

UNKNOWN = -1
VALUE = 30
"""Bits of an outcome in an entry; above them stands where its share of the column ends."""
PLACE = 6
"""Bits of a code above which the place stands; below, how far a random number is shifted to give the column. A chain has 0."""
FACTOR = 2142482625
"""Of the random stream: FACTOR * 2**32 - 1 is a safe prime, so the period is near 2**62."""
LOW = 22
"""Bits of a key that are scattered apart from those above."""


def mix(h: Any) -> Any:
    """A bijection of 32-bit numbers that scatters well."""
    h = ((h >> 16) ^ h) * 0x45D9F3B & 0xFFFFFFFF
    h = ((h >> 16) ^ h) * 0x45D9F3B & 0xFFFFFFFF
    return (h >> 16) ^ h


def sow(seed: Any, fight: Any, room: Any) -> None:
    """Start the stream of one fight."""
    h = mix(mix(seed & 0xFFFFFFFF) ^ mix((seed >> 32 & 0x7FFFFFFF) + 0x9E3779B9 & 0xFFFFFFFF))
    h = mix(h ^ mix(fight & 0xFFFFFFFF)) ^ mix((fight >> 32) + 0x7F4A7C15 & 0xFFFFFFFF)
    high = mix(h + 0x9E3779B9 & 0xFFFFFFFF) % (FACTOR - 2)
    room[STATE] = high + 1 << 32 | mix(h ^ 0x5BD1E995)


def draw(code: Any, words: Any, room: Any) -> Any:
    """The outcome that a code stands for; one with a single outcome takes no random number.

    The stream multiplies with carry (Marsaglia's generator, both halves of its state combined as Thomas does).
    """
    if code >= 0:
        return code
    low, high = room[STATE] & 0xFFFFFFFF, room[STATE] >> 32
    room[STATE] = FACTOR * low + high
    thrown = low ^ high
    at = (-code >> PLACE) + 2 * (thrown >> (-code & (1 << PLACE) - 1))
    at += thrown >= words[at] >> VALUE  # a branch here would be guessed wrong
    return words[at] & (1 << VALUE) - 1


def draw_chain(code: Any, words: Any, room: Any) -> Any:
    """The same for a code that may be a chain: the code of a first draw, then a code for each of its results."""
    if code < 0 and code & (1 << PLACE) - 1 == 0:
        at = -code >> PLACE
        code = words[at + 1 + draw(words[at], words, room)]
    return draw(code, words, room)


def place(key: Any, last: Any) -> Any:
    """Where the search for a key (below 2**57) begins in a table whose last place is `last`, both even."""
    return (key >> LOW) * 0x9E3779B + (key & (1 << LOW) - 1) * 0xC2B2AE3 >> 11 & last


def look_up(key: Any, keys: Any) -> Any:
    """Value of a key in an open-addressed table; UNKNOWN: not there.

    The first word is the last place (a power of two, less two); two words on, keys and values in turn.
    """
    last = keys[0]
    at = place(key, last) + 2
    while keys[at] != key:
        if keys[at] < 0:
            return UNKNOWN
        at = (at & last) + 2
    return keys[at + 1]
