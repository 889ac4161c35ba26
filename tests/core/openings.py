"""A small opening fight of RonD6: one against two, in reach of one another."""

from __future__ import annotations

from affray.formats.encounter import Fight, Reader
from affray.formats.toml import loads

FILE = """
ruleset = "rond6"
[[combatant]]
name = "Kess"
side = "heroes"
attributes = { Agility = "4D", Perception = "4D" }
skills = { "Fighting" = "5D" }
at = [0, 0]
[[combatant]]
name = "Orc"
side = "orcs"
count = 2
skills = { "Fighting" = "3D" }
at = [[1, 0], [1, 1]]
"""
SEED = 3


def opening() -> Fight:
    reader = Reader(loads(FILE, "test"))
    fight = reader.read(reader.doc.data)
    assert fight is not None, reader.problems
    return fight
