"""Healing in a fight and after it, and the clocks of rest."""

from __future__ import annotations

from affray.rulesets.rond6.actions import Command

COMMANDS: dict[type, Command] = {}
