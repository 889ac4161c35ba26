"""Attacks on the mind: intimidation, taunts, tricks, maneuvers, and heads-down fire."""

from __future__ import annotations

from affray.rulesets.rond6.actions import Command

COMMANDS: dict[type, Command] = {}
