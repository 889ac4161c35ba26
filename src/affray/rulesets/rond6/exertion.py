"""Climbing, swimming, jumping, holding one's breath, and tiring."""

from __future__ import annotations

from affray.rulesets.rond6.actions import Command

COMMANDS: dict[type, Command] = {}
