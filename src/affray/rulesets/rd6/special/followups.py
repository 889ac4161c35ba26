"""What a hit sets off that needs the scene: feats with consequences, grips, damaged cover."""

from __future__ import annotations

from msgspec.structs import replace

from affray.ask import Why
from affray.domains import OneOf
from affray.rules import rule
from affray.rulesets.rd6 import tables
from affray.rulesets.rd6.actions import loaded
from affray.rulesets.rd6.interaction import play
from affray.rulesets.rd6.mechanics import test
from affray.rulesets.rd6.movement import shift
from affray.rulesets.rd6.numbers import cover_of, metres, pool, stymied
from affray.rulesets.rd6.sheet import State, Weapon
from affray.rulesets.rd6.special.grips import grip
from affray.rulesets.rd6.telling import change, fighter, foes, note
from affray.scene import Scene

FEAT_REACH_M = 10
"""5 Spaces: how near an opponent must be for the Taunt and Intimidate feats."""
DESTROYED_AT = 10
"""Points above the rolled Toughness that wreck an object."""


def follow(scene: Scene[State], who: str, at: str, name: str, number: int, weapon: Weapon) -> None:
    """One follow-up of an attack by `who` on `at`."""
    if name in ("grab", "hold", "pin", "lift"):
        grip(scene, who, at, name)
    elif name == "flip":
        change(scene, at, "RD6-SPC-10", "", rising=True)
    elif name == "pinned":
        change(scene, at, "RD6-RND-6", "pinned", pinned=True)
    elif name == "wall":
        cover = cover_of(scene.state, fighter(scene, at))
        if cover is not None:
            damage_object(scene, who, cover.name, number)
    elif name == "party_pool":
        fill_pool(scene, who, number)
    elif name == "knockback":
        knock_back(scene, who, at, number)
    elif name == "rapid_reload":
        loaded(scene, who, weapon.name, "RD6-RPF-7")
    elif name == "defensive_stance":
        change(scene, who, "RD6-RPF-10", "stance", stance=1)
    elif name == "battlefield_awareness":
        look_around(scene, who)
    else:
        provoke(scene, who, name)


@rule("RD6-SPC-3", "RD6-MOD-14")
def damage_object(scene: Scene[State], who: str, name: str, over: int) -> None:
    """What a total so many points above an object's roll does to it: 10 or more wreck it, less weakens it by 1D."""
    if over < 0:
        note(scene, who, "RD6-SPC-3", "object holds", {"object": name, "over": over})
        return
    covers = []
    for cover in scene.state.covers:
        if cover.name == name:
            wrecked = over >= DESTROYED_AT
            cover = replace(cover, broken=wrecked, toughness=cover.toughness if wrecked else cover.toughness.plus(-1))
        covers.append(cover)
    told = "object wrecked" if over >= DESTROYED_AT else "object weakened"
    change(scene, "", "RD6-SPC-3", told, {"object": name, "over": over}, covers=tuple(covers))


@rule("RD6-RPF-5")
def fill_pool(scene: Scene[State], who: str, points: int) -> None:
    """Each point is a Character Point in the pool of the attacker's side."""
    side = fighter(scene, who).side
    before = dict(scene.state.party_pool)
    after = {**before, side: before.get(side, 0) + points}
    change(scene, "", "RD6-RPF-5", "party pool", {"side": side, "points": after[side]}, party_pool=tuple(after.items()))


@rule("RD6-RPF-6")
def knock_back(scene: Scene[State], who: str, at: str, spaces: int) -> None:
    """The attacker picks who is moved and which way."""
    whom = scene.choose(OneOf(("target", "attacker")), Why("knocked", "RD6-RPF-6", "who is moved"), who, "target")
    way = scene.choose(OneOf(("away", "closer")), Why("direction", "RD6-RPF-6", "which way"), who, "away")
    one, other = (at, who) if whom == "target" else (who, at)
    shift(scene, one, other, spaces if way == "away" else -spaces, "RD6-RPF-6")


@rule("RD6-RPF-8")
def look_around(scene: Scene[State], who: str) -> None:
    """A free Perception test; success helps the next attack."""
    me = fighter(scene, who)
    dice, parts = pool(me, "Perception", action=False)
    why = Why("awareness", "RD6-RPF-8", "Perception")
    if scene.call(test, dice, why, who, 0, 0, stymied(me), parts) >= tables.MODERATE:
        change(scene, who, "RD6-RPF-8", "aware", ready=2)


@rule("RD6-RPF-12", "RD6-RPF-13")
def provoke(scene: Scene[State], who: str, kind: str) -> None:
    """A free Taunt or Intimidation of one opponent within 5 Spaces."""
    me = fighter(scene, who)
    near = tuple(foe.id for foe in foes(scene.state, me) if metres(scene.state, me, foe) <= FEAT_REACH_M)
    if not near:
        return
    why = Why(f"{kind} whom", "RD6-RPF-12" if kind == "taunt" else "RD6-RPF-13", f"whom to {kind}")
    whom = scene.choose(OneOf(near), why, who, near[0])
    play(scene, who, whom, kind, "Persuasion", action=False)
