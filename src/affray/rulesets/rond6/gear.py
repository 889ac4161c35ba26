"""Getting things ready, reloading, dropping them; standing up and dropping prone."""

from __future__ import annotations

from affray.rulesets.rond6.actions import Command

COMMANDS: dict[type, Command] = {}
