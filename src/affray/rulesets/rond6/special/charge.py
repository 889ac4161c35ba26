"""Charging, and weapons set against a charge."""

from __future__ import annotations

from affray.rulesets.rond6.actions import Command

COMMANDS: dict[type, Command] = {}
