"""Fights with secrets planted in them: words that no player and no stranger may ever be sent."""

from __future__ import annotations

HIDDEN = ("Zorquill", "Nyxpack", "Umbrage", "Vexblade", "Nethercraft", "Hushnote", "Quillon", "Thraxgun", "Voidmail", "Wickwort")
"""Of hidden combatants: name, group, a side of nobody else, weapon, skill, notes; a second one among those who are seen."""
INNER = ("Kryssdirk", "Mumblenote", "Occultry")
"""Of a foe in plain sight: a stowed weapon, notes, a skill."""
PREP = ("Gloomplan", "Bloodmoon", "Drownvault")
"""The master's preparations: notes of the fight, a fight not yet begun, somebody in it."""
ELSEWHERE = ("Qantofeld", "Rivensloe", "Yddrath")
"""Another campaign: its title, a fight's title, somebody in it."""
CORRECTED = ("Whyzzle",)
"""The master's words beside a correction of somebody hidden."""
SECRETS = (*HIDDEN, *INNER, *PREP, *ELSEWHERE, *CORRECTED)

PLAYERS = ("Ann", "Bo")

_D6 = """
ruleset = "{ruleset}"
title = "The old mill"
notes = "Gloomplan: they wait in the loft."
seed = 77

[space]
size = [30, 20]

[[side]]
name = "Heroes"
[[side]]
name = "Gang"
[[side]]
name = "Umbrage"

[[combatant]]
name = "Ann"
side = "Heroes"
player = true
template = "duellist"
at = [4, 4]

[[combatant]]
name = "Bo"
side = "Heroes"
player = true
template = "marksman"
at = [4, 8]

[[combatant]]
name = "Guard"
side = "Gang"
count = 2
at = [[9, 4], [9, 6]]
template = "guard"
notes = "Mumblenote"
skills = {{ Occultry = "7D" }}
weapons = ["short sword", {{ name = "Kryssdirk", kind = "melee", damage = "{plus}3D", stowed = true }}]

[[combatant]]
name = "Quillon"
side = "Gang"
at = [10, 9]
hidden = true
template = "marksman"
weapons = [{{ name = "Thraxgun", kind = "ranged", damage = "6D", ranges = [10, 25, 50], ammo = 5 }}]

[[combatant]]
name = "Zorquill"
side = "Umbrage"
group = "Nyxpack"
at = [7, 12]
hidden = true
notes = "Hushnote"
template = "duellist"
skills = {{ Nethercraft = "6D" }}
weapons = [{{ name = "Vexblade", kind = "melee", damage = "{plus}2D" }}]
armor = [{{ name = "Voidmail", value = "1D" }}]
"""

_CEPHEUS = """
ruleset = "cepheus"
title = "The old mill"
notes = "Gloomplan: they wait in the loft."
seed = 77

[[side]]
name = "Heroes"
[[side]]
name = "Gang"
[[side]]
name = "Umbrage"

[[combatant]]
name = "Ann"
side = "Heroes"
player = true
template = "Officer"

[[combatant]]
name = "Bo"
side = "Heroes"
player = true
template = "Sniper"

[[combatant]]
name = "Guard"
side = "Gang"
count = 2
template = "Veteran Guard"
notes = "Mumblenote"
skills = { Occultry = 2 }
weapons = [{ name = "Baton", damage = "2D6" }, { name = "Kryssdirk", damage = "2D6" }]
ready = ["Baton"]

[[combatant]]
name = "Quillon"
side = "Gang"
hidden = true
template = "Sniper"
skills = { Wickwort = 1 }
weapons = [{ name = "Thraxgun", kind = "ranged", rows = ["assault_weapon"], damage = "3D6", magazine = 10 }]

[[combatant]]
name = "Zorquill"
side = "Umbrage"
group = "Nyxpack"
hidden = true
notes = "Hushnote"
template = "Knife Fighter"
skills = { Nethercraft = 3 }
weapons = [{ name = "Vexblade", damage = "2D6" }]
armor = [{ name = "Voidmail" }]
"""

_PREPARED = """
ruleset = "{ruleset}"
title = "Bloodmoon"

[[combatant]]
name = "Drownvault"
side = "a"
template = "{template}"
[[combatant]]
name = "Peg"
side = "b"
template = "{template}"
"""

RULESETS = ("rond6", "rd6", "cepheus")


def fight(ruleset: str) -> str:
    """An encounter file with secrets in it."""
    if ruleset == "cepheus":
        return _CEPHEUS
    return _D6.format(ruleset=ruleset, plus={"rond6": "STR+", "rd6": "+"}[ruleset])


def prepared(ruleset: str) -> str:
    """A fight that the master has only prepared."""
    return _PREPARED.format(ruleset=ruleset, template="Officer" if ruleset == "cepheus" else "guard")


def elsewhere(ruleset: str) -> str:
    """A fight of another campaign."""
    return prepared(ruleset).replace("Bloodmoon", "Rivensloe").replace("Drownvault", "Yddrath")
