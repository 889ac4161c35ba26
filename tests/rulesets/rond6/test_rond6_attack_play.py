"""Random fights in which nearly every order is some sort of attack: invariants, the same again, undo."""

from __future__ import annotations

from collections import Counter
from typing import Any

import pytest

from affray.dice import Code
from affray.encounter import Encounter
from affray.events import get
from affray.interpreters.replay import Replay
from affray.policies.random import Random
from affray.record import refold
from affray.ruleset import sample_order
from affray.rulesets.rond6 import RULESET
from affray.rulesets.rond6.sheet import Armor, Fighter, Sheet, State, Weapon
from affray.scene import Recorder
from affray.space import Area, Space

VERBS = ("attack", "two_weapons", "charge", "sweep", "coordinate", "area", "wait", "declare", "dodge", "move", "end")
WEAPONS = (
    Weapon("pistol", "ranged", Code(3), ranges=(5, 10, 20), ammo=6, modes=("single", "semi")),
    Weapon("left pistol", "ranged", Code(3), ranges=(5, 10, 20), ammo=6, modes=("single", "semi")),
    Weapon("gun", "ranged", Code(3), ranges=(8, 20, 40), ammo=20, modes=("semi", "burst", "auto"), rounds_auto=5, hands=2),
    Weapon("spear", "melee", Code(3), reach=2),
    Weapon("sword", "melee", Code(3)),
    Weapon("grenade", "thrown", Code(3), ranges=(5, 10, 15), area="burst medium"),
    Weapon("flamer", "ranged", Code(3), ranges=(6, 6, 6), area="cone medium"),
)
SKILLS = ("Ranged Weapons", "Melee Weapons", "Fighting", "Throwing", "Dodge")


def start(grid: bool = True) -> State:
    sheet = Sheet(
        (("Strength", Code(3)), ("Agility", Code(4)), ("Stamina", Code(3))), tuple((name, Code(5)) for name in SKILLS),
        WEAPONS, Armor(Code(2)),
    )  # fmt: skip
    held = (("pistol", "left pistol"), ("gun", "sword"), ("spear", "grenade"), ("sword", "flamer"))
    fighters = tuple(
        Fighter(f"{side}{n}", f"{side}{n}", side, sheet, at=(x, 2 * n) if grid else None, held=held[n], character=2)
        for side, x in (("a", 0), ("b", 6))
        for n in range(4)
    )
    areas = (Area(3, 3, 3, 3, "wall"), Area(6, 0, 6, 1, "cover", 3)) if grid else ()
    return State(fighters, space=Space(grid, areas, default_gap=5))


def draw(state: Any, who: str, pick: Any) -> Any:
    """Some legal order, an attack of some sort if one can be found."""
    offers = [offer for offer in RULESET.offers(state, who) if offer.verb in VERBS and offer.refused is None]
    kinds = {str(kind.__struct_config__.tag): kind for kind in RULESET.orders.__args__}
    if not pick(4):
        return sample_order(RULESET, state, who, pick)
    for verb in ("attack", VERBS[pick(len(VERBS))], VERBS[pick(len(VERBS))]):
        for offer in (offer for offer in offers if offer.verb == verb):
            for _ in range(20):
                drawn = {f.name: f.default if pick(3) else f.domain.sample(pick) for f in offer.fields}
                order = kinds[offer.verb](by=who, **drawn)
                if RULESET.why_not(state, order) is None:
                    return order
    return kinds["end"](by=who)


def fight(seed: int, grid: bool = True, orders: int = 120) -> Encounter:
    player = Random(draw)
    encounter = Encounter(RULESET, start(grid), seed, dict.fromkeys(("a", "b", "master"), player))
    encounter.advance()
    while not RULESET.over(encounter.state) and len(encounter.entries) < orders:
        encounter.step()
    return encounter


@pytest.mark.parametrize("grid", [True, False])
@pytest.mark.parametrize("seed", range(6))
def test_fights_full_of_special_attacks_keep_the_invariants(seed: int, grid: bool) -> None:
    encounter = fight(seed, grid)
    before: Any = encounter.start
    for entry in encounter.entries:
        assert RULESET.problems(entry.state) == ()
        scene = Recorder(before, Replay(entry.answers))
        RULESET.perform(scene, entry.order)
        assert tuple(scene.events) == entry.events
        for fighter in entry.state.fighters:
            for weapon in WEAPONS:
                assert 0 <= fighter.rounds(weapon) <= weapon.ammo
        before = entry.state
    assert refold(encounter.start, encounter.entries) == encounter.state


def test_every_sort_of_attack_comes_up() -> None:
    wanted = {"plain", "rapid", "called", "all_out", "single", "full_auto", "charge", "sweep", "coordinate", "area"}
    seen: Counter[str] = Counter()
    for seed in range(60):
        for entry in fight(seed, orders=90).entries:
            order = entry.order
            seen[order.verb] += 1
            if order.verb == "attack":
                seen[order.manner or ("rapid" if order.rounds > 1 else "plain")] += 1
        if wanted <= set(seen):
            break
    assert wanted <= set(seen), seen


@pytest.mark.parametrize("seed", range(3))
def test_undo_takes_rounds_and_walks_back(seed: int) -> None:
    encounter = fight(seed, orders=50)
    decided = [n for n, entry in enumerate(encounter.entries) if not entry.auto]
    states = [encounter.start, *(entry.state for entry in encounter.entries)]
    for n in reversed(decided):
        encounter.undo()
        assert encounter.state == states[n]


@pytest.mark.rules("RON-SPC-7", "RON-SPC-8")
def test_a_charge_is_walked_space_by_space_and_undone_as_a_whole() -> None:
    encounter = Encounter(RULESET, start(), 1, dict.fromkeys(("a", "b", "master"), RULESET.policies["random"]), auto=False)
    encounter.order(RULESET.order({"do": "round", "by": ""}))
    who = RULESET.up(encounter.state)[0]
    for _ in range(40):
        if who == "b0":
            break
        encounter.order(RULESET.order({"do": "end", "by": who}))
        if not (up := RULESET.up(encounter.state)):
            encounter.order(RULESET.order({"do": "round", "by": ""}))
            up = RULESET.up(encounter.state)
        who = up[0]
    before = encounter.state
    encounter.order(RULESET.order({"do": "charge", "by": "b0", "target": "a0"}))
    steps = [e for e in encounter.entries[-1].events if e.rule == "RON-SPC-7" and "at" in dict(getattr(e, "set", ()))]
    assert len(steps) == get(encounter.state, "b0").moved == 5
    encounter.undo()
    assert encounter.state == before
