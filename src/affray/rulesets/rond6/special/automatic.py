"""Several rounds at once: rapid fire, full auto, sweep fire."""

from __future__ import annotations

from affray.rulesets.rond6.actions import Command

COMMANDS: dict[type, Command] = {}
