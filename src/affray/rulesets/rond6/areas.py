"""Bursts and cones: who is inside, and what an attack on an area does."""

from __future__ import annotations

from affray.rulesets.rond6.actions import Command

COMMANDS: dict[type, Command] = {}
