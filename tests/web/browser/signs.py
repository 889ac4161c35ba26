"""Fights that hold every sign there is at once: all levels of wounds, each condition with and without time left, defences that
hold, the fallen, the hidden and the surprised. What the eye meets on a page then hangs on no dice."""

from __future__ import annotations

from typing import Any

from web.browser.small import source

WORD = "on fire"
"""A condition that is the master's own word."""

_D6 = {
    "Ann": "duellist", "Bo": "marksman", "Cy": "guard", "Dee": "guard", "Eve": "guard", "Fay": "guard",
    "Gus": "thug", "Hob": "thug", "Ira": "thug", "Jon": "thug",
}  # fmt: skip
_2D6 = {
    "Ann": "Officer", "Bo": "Sniper", "Cy": "Officer", "Dee": "Officer", "Eve": "Officer", "Fay": "Officer",
    "Gus": "Veteran Guard", "Hob": "Sniper", "Ira": "Veteran Guard", "Jon": "Veteran Guard",
}  # fmt: skip
GANG = ("Gus", "Hob", "Ira", "Jon", "Ruffian")
HIDDEN = "Hob"
"""Who is hidden from the player and the spectator."""

STATES: dict[str, dict[str, dict[str, Any]]] = {
    "rond6": {
        "Ann": {
            "wounds": 1, "stunned": True, "prone": True, "massive": 1, "aim": 2, "aware": 3, "defence_bonus": 1, "barred": True,
            "cover": 2, "breath_rounds": 3, "fatigue": 2, "standing": [{"kind": "dodge", "total": 17}],
            "conditions": [
                {"name": "confused", "turns": 2}, {"name": "stymied", "rounds": 3}, {"name": "untrained"},
                {"name": "setback", "turns": 3}, {"name": "immobilized"}, {"name": WORD, "rounds": 12},
            ],
        },
        "Bo": {
            "wounds": 2, "waiting": "any", "grappled_by": "Gus", "conditions": [{"name": "grappled"}],
            "standing": [{"kind": "parry", "total": 21}, {"kind": "block", "total": 9}, {"kind": "resolve", "total": 12}],
        },
        "Cy": {
            "wounds": 3, "waiting": "charge", "defence_bonus": -1, "aim": 2,
            "conditions": [{"name": "confused", "turns": 2}, {"name": "setback", "turns": 1}],
        },
        "Dee": {"stunned": True},
        "Eve": {"wounds": 3, "out": "unconscious", "prone": True},
        "Fay": {"wounds": 4, "out": "dead"},
        "Gus": {"wounds": 1, "conditions": [{"name": "surprised"}, {"name": "confused"}]},
        "Ira": {"out": "gone"},
        "Jon": {"wounds": 3, "stunned": True, "conditions": [{"name": WORD}]},
    },
    "rd6": {
        "Ann": {
            "wounds": 1, "stunned": True, "prone": True, "pinned": True, "held_by": "Jon", "behind": "wall", "exposed": 1,
            "stance": 1, "ready": 2, "fatigued": 1, "aim": {"target": "Gus", "rounds": 2},
            "conditions": [{"kind": "stymied", "turns": 1}, {"kind": "untrained", "turns": 3}],
            "standing": [{"kind": "dodge", "mode": "active", "result": 17}, {"kind": "resolve", "mode": "full", "result": 9}],
        },
        "Bo": {
            "wounds": 2, "aim": {"target": "Jon", "rounds": 1},
            "standing": [
                {"kind": "parry", "mode": "partial", "result": 21, "turns": 2}, {"kind": "block", "mode": "full", "result": 4},
            ],
        },
        "Cy": {"wounds": 3, "conditions": [{"kind": "stymied", "turns": 2}]},
        "Dee": {"stunned": True},
        "Eve": {"wounds": 3, "unconscious": True},
        "Fay": {"wounds": 5, "dead": True},
        "Gus": {"wounds": 4, "unconscious": True, "dying": 2},
        "Ira": {"left": True},
        "Jon": {"wounds": 3, "stunned": True, "holding": "Ann", "grip": "pin"},
    },
    "cepheus": {
        "Ann": {
            "strength": 4, "stance": "prone", "cover": 3, "soft_cover": True, "waiting": True, "suppressed": 2, "fatigued": True,
            "hasted": True, "aim_at": "Gus", "aim": 3, "kill": 1, "tolls": [
                {"amount": -1, "rule": "CEP-SUP-3", "rounds": 1}, {"amount": -2, "rule": "CEP-RND-6", "rounds": 3},
            ],
            "doses": [{"drug": "combat_drug", "onset": 0, "left": 9}, {"drug": "metabolic_accelerator", "onset": 4, "left": 9}],
            "task": {"name": "opens the hatch", "skill": "Mechanics", "characteristic": "education", "rounds": 3, "done": 1},
        },
        "Bo": {"strength": 3, "dexterity": 3, "endurance": 3, "stance": "crouched", "cover": 1, "helpless": True},
        "Cy": {"endurance": 2, "cover": 4},
        "Dee": {"fatigued": True, "suppressed": 0},
        "Eve": {"strength": 0, "endurance": 0, "status": "unconscious"},
        "Fay": {"strength": 0, "dexterity": 0, "endurance": 0, "status": "dead"},
        "Gus": {"endurance": 1, "tolls": [{"amount": -3, "rule": "CEP-SUP-3", "rounds": 2}]},
        "Ira": {"status": "gone"},
        "Jon": {"strength": 1, "dexterity": 1, "endurance": 1},
    },
}  # fmt: skip
"""What is so with whom, in the fields of the ruleset."""
MUTUAL = {"cepheus": {"Bo": {"grapple": "Gus"}, "Gus": {"grapple": "Bo"}}}
"""What must be so with two at once, from the beginning."""


def fight(ruleset: str) -> str:
    """The encounter file: ten people, of whom a player has Ann, and a band of three who move as one."""
    templates = _2D6 if ruleset == "cepheus" else _D6
    people: list[dict[str, Any]] = [
        {"name": name, "side": "Gang" if name in GANG else "Heroes", "template": template}
        | ({"player": True} if name == "Ann" else {}) | ({"hidden": True} if name == HIDDEN else {})
        | ({"state": state} if (state := MUTUAL.get(ruleset, {}).get(name)) else {})
        for name, template in templates.items()
    ]  # fmt: skip
    people.append({"name": "Ruffian", "side": "Gang", "count": 3, "group": "Ruffians", "template": templates["Jon"]})
    head: dict[str, Any] = {"title": "Every sign"}
    if ruleset != "cepheus":
        for n, one in enumerate(people[:-1]):
            one["at"] = [2 + 2 * (n % 5), 2 + 3 * (n // 5)]
        people[6]["at"] = [3, 2]
        people[-1]["at"] = [[14, 3], [14, 5], [14, 7]]
        head["space"] = {"size": [18, 10], "walls": [[16, 0, 16, 4]], "cover": [{"area": [8, 7, 10, 8], "value": 5}]}
    return source(ruleset, *people, **head)


def put(api: Any, fight: str) -> None:
    """What `STATES` says comes true in a running fight, by corrections. `api`: as that of a test server."""
    view = api(f"/fights/{fight}")
    ids = {one["name"]: one["id"] for one in view["fighters"]}
    for name, fields in STATES[view["ruleset"]["name"]].items():
        api(f"/fights/{fight}/corrections", do="set", who=ids[name], fields=fields)
