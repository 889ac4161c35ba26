"""Any other Test of a skill, against a Difficulty that the Game Master names."""

from __future__ import annotations

from affray.rulesets.rond6.actions import Command

COMMANDS: dict[type, Command] = {}
