"""What the kernel draws and looks up: random numbers, rows of outcomes, hashed tables. Whole numbers and flat arrays only.

A *code* stands for a row: -1 not known yet, an even number twice the only outcome, an odd number the place in `entries` of a
table of outcomes, by the alias method (see `memory`), or of a chain of two draws. All products stay below 2**63, since beyond
it compiled code may do as it likes.
"""

from __future__ import annotations

from typing import Any

STATE = 0
"""Place in `reg` of the state of the random stream."""
VALUE = 30
"""Bits of an outcome in an entry; above them stands its share of the column."""
CHAINED = 63
"""Low bits of a code; in a chain only the last of them is set."""
FACTOR = 2142482625
"""Of the random stream: FACTOR * 2**32 - 1 is a safe prime, so the period is near 2**62."""
LOW = 22
"""Bits of a key that are scattered apart from those above."""


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
    reg[STATE] = high + 1 << 32 | mix(h ^ 0x5BD1E995)


def draw(code: Any, entries: Any, reg: Any) -> Any:
    """The outcome that a code stands for; one with a single outcome takes no random number.

    The stream multiplies with carry (Marsaglia's generator, both halves of its state combined as Thomas does).
    """
    if code & 1 == 0:
        return code >> 1
    low, high = reg[STATE] & 0xFFFFFFFF, reg[STATE] >> 32
    reg[STATE] = FACTOR * low + high
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
    """Where the search for a key (below 2**57) begins in a table of last + 1 places."""
    return (key >> LOW) * 0x9E3779B + (key & (1 << LOW) - 1) * 0xC2B2AE3 >> 14 & last


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
