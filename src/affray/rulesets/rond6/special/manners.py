"""Ways to make one attack: all-out, called shot, lunge, single shot of a burst weapon, off hand, two weapons."""

from __future__ import annotations

from affray.rulesets.rond6.actions import Command

COMMANDS: dict[type, Command] = {}
