"""The model of a fight: its shape for every audience, previews that tell what is then rolled, logs that open into parts."""

from __future__ import annotations

import contextlib
import json
import re
from typing import Any

import msgspec
import pytest
from conformance.rulesets import STARTS
from sight.hiding import FOES, FRIEND, NAMES, OWN, start

from affray import sight
from affray.encounter import Encounter
from affray.errors import AffrayError
from affray.events import Rolled
from affray.render.text import minus
from affray.ruleset import find
from affray.sight import MASTER, SPECTATOR, Audience


def fought(name: str, seed: int, steps: int, policy: str = "aggressive") -> Encounter:
    ruleset, state = find(name), STARTS[name][0]()
    chosen = ruleset.policies[policy]
    fight = Encounter(ruleset, state, seed, {"a": chosen, "b": chosen, "master": chosen})
    fight.advance()
    for _ in range(steps):
        if ruleset.over(fight.state) or not fight.up():
            break
        fight.step()
    return fight


def keys(value: Any) -> Any:
    """The shape of plain data: names of keys, of lists the first element's."""
    if isinstance(value, dict):
        return {key: keys(one) for key, one in value.items()}
    return [keys(value[0])] if isinstance(value, list) and value else type(value).__name__ if value is not None else None


@pytest.mark.parametrize("name", NAMES)
def test_one_shape_for_all(name: str) -> None:
    fight = fought(name, 3, 14)
    models = [sight.fight(fight, a, id="f1", title="A fight") for a in (MASTER, Audience(own=(OWN[name],)), SPECTATOR)]
    for model in models:
        assert json.loads(json.dumps(model)) == model
        assert model["id"] == "f1"
        assert {f["id"] for f in model["fighters"]} == {f.id for f in fight.state.fighters}
        assert sorted(who for row in model["order"] for who in row["ids"]) == sorted(f["id"] for f in model["fighters"])
        assert model.keys() == models[0].keys()
        for one in model["fighters"]:
            assert one.keys() == models[0]["fighters"][0].keys()
            assert 0 <= one["state"]["level"] <= 4 and one["state"]["word"]
            if not one["whole"]:
                assert not (one["wounds"] or one["points"] or one["ammo"])
    master, player, spectator = models
    assert all(one["whole"] and one["mine"] and one["wounds"] for one in master["fighters"])
    assert [one["id"] for one in player["fighters"] if one["mine"]] == [OWN[name]]
    assert spectator["you"]["spectator"] and not player["you"]["spectator"]
    assert len({model["version"] for model in models}) == 3


@pytest.mark.parametrize("name", NAMES)
def test_the_version_changes_with_what_is_seen(name: str) -> None:
    fight = fought(name, 3, 6)
    player = Audience(own=(OWN[name],))
    before = sight.version(fight, player), sight.version(fight, MASTER)
    assert before == (sight.version(fight, player), sight.version(fight, MASTER))
    fight.step()
    assert sight.version(fight, MASTER) != before[1]
    fight.undo()
    assert sight.version(fight, player) == before[0]


@pytest.mark.parametrize("name", NAMES)
def test_nobody_is_aimed_at_by_default_whom_one_would_not_hurt(name: str) -> None:
    checked = 0
    for seed in range(6):
        fight = fought(name, seed, 2 * seed, "random")
        sides = {f.id: f.side for f in fight.state.fighters}
        for who in fight.up():
            for offer in sight.offers(fight, MASTER, who):
                for one in offer["fields"]:
                    if one["name"] not in ("target", "targets") or offer["refused"] or not one["default"]:
                        continue
                    aimed = one["default"] if isinstance(one["default"], tuple) else [one["default"]]
                    options = [each["value"] for each in one["domain"]["options"]]
                    if offer["helps"] and sides[aimed[0]] != sides[who]:  # then no friend can be helped
                        friends = [each for each in options if sides[each] == sides[who]]
                        orders = [{"do": offer["verb"], "by": who, one["name"]: each} for each in friends]
                        assert all(sight.preview(fight, MASTER, order)["refused"] for order in orders), offer
                    elif not offer["helps"]:
                        assert all(sides[each] != sides[who] for each in aimed), offer
                    checked += 1
    assert checked > 10


@pytest.mark.parametrize("name", NAMES)
def test_where_only_friends_are_in_reach_nobody_is_named(name: str) -> None:
    state = STARTS[name][0]()
    ours = msgspec.structs.replace(state, fighters=tuple(msgspec.structs.replace(f, side="a") for f in state.fighters[:3]))
    foe = msgspec.structs.replace(state.fighters[3], at=(400, 400))
    state = msgspec.structs.replace(ours, fighters=(*ours.fighters, foe))
    if hasattr(state, "pairs"):
        pairs = tuple(msgspec.structs.replace(p, metres=5000.0) if foe.id in (p.a, p.b) else p for p in state.pairs)
        state = msgspec.structs.replace(state, pairs=pairs)
    chosen = find(name).policies["aggressive"]
    for seed in range(20):
        fight = Encounter(find(name), state, seed, {"master": chosen, "a": chosen, "b": chosen})
        fight.advance()
        if fight.up() and foe.id not in fight.up():
            break
    offer = next(one for one in sight.offers(fight, MASTER, fight.up()[0]) if one["verb"] == "attack")
    target = next((one for one in offer["fields"] if one["name"] == "target"), None)
    if target is not None and not offer["refused"]:
        assert target["default"] == foe.id or (target["default"] is None and target["needed"])
    else:  # it tells that nobody is in reach
        assert offer["refused"]


@pytest.mark.parametrize("name", NAMES)
def test_a_preview_tells_what_is_then_rolled(name: str) -> None:
    looked = 0
    for seed in range(6):
        fight = fought(name, seed, 2 * seed)
        up = fight.up()
        if fight.ruleset.over(fight.state) or not up:
            continue
        offer = next(o for o in sight.offers(fight, MASTER, up[0]) if o["verb"] == "attack")
        if offer["refused"]:
            continue
        order = {"do": "attack", "by": up[0]}
        order |= {f["name"]: f["default"] for f in offer["fields"] if f["default"] is not None}
        if "target" not in order:
            continue
        told = sight.preview(fight, MASTER, order)
        assert told["refused"] is None and told["cost"]
        for row in told["odds"]:
            assert sum(one["chance"] for one in row["results"]) == pytest.approx(1)
        numbers = {one["name"]: one for one in told["numbers"]}
        attack = numbers["attack"]
        dice = sum(part["value"] for part in attack["parts"] if part["unit"] == "D")
        assert dice == 0 or attack["text"].startswith(f"{dice}D")
        assert any(one["whose"] == "target" for one in told["numbers"])
        sight.order(fight, MASTER, order)
        last = next(e for e in reversed(fight.entries) if not e.auto)
        rolled = next(e for e in last.events if isinstance(e, Rolled) and e.why == "attack")
        assert attack["text"].startswith(rolled.pool.split(" ")[0].split("+")[0])
        told_parts = [part["value"] for part in attack["parts"]]
        assert told_parts == [part.amount for part in rolled.parts][: len(told_parts)]  # a reaction may come after them
        looked += 1
    assert looked >= 2


@pytest.mark.parametrize("name", NAMES)
def test_lines_of_the_log_open_into_their_parts(name: str) -> None:
    fight = fought(name, 7, 20)
    rolls = [line for one in sight.log(fight, MASTER) for line in one["lines"] if line["dice"]]
    assert rolls
    for line in rolls:
        dice = line["dice"]
        assert [face for chain in dice["wild"] for face in chain] + dice["plain"] == dice["faces"]
        assert all(part["rule"] for part in line["parts"])
    log = sight.log(fight, MASTER)
    assert [one["n"] for one in log] == list(range(1, len(log) + 1))
    assert [one["id"] for one in log] == [e.id for e in fight.entries]


@pytest.mark.parametrize("name", NAMES)
def test_the_log_of_a_player_shows_only_own_dice(name: str) -> None:
    fight = fought(name, 7, 20)
    player = Audience(own=(OWN[name],))
    rolls = [line for one in sight.log(fight, player) for line in one["lines"] if line["dice"] or line["parts"]]
    assert rolls
    assert {line["who"] for line in rolls} <= {OWN[name]}
    told = {line["who"] for one in sight.log(fight, player) for line in one["lines"]}
    assert FOES[name][0] in told | {"", *FRIEND}


@pytest.mark.parametrize("name", NAMES)
def test_offers_say_how_far_targets_are(name: str) -> None:
    fight = Encounter(find(name), find(name).ready(start(name), OWN[name]), 1)
    offer = next(o for o in sight.offers(fight, Audience(own=(OWN[name],)), OWN[name]) if o["verb"] == "attack")
    field = next(f for f in offer["fields"] if f["name"] == "target")
    assert {one["value"] for one in field["domain"]["options"]} <= set(FOES[name]) | {FRIEND[name]}
    assert all(one["fighter"] and one["distance"] for one in field["domain"]["options"])
    refused = [o for o in sight.offers(fight, MASTER, OWN[name]) if o["refused"]]
    assert refused and all(o["refused"]["text"] for o in refused)


@pytest.mark.parametrize("name", NAMES)
def test_derived_numbers_are_for_those_who_may_see_them(name: str) -> None:
    fight = fought(name, 2, 5)
    player = Audience(own=(OWN[name],))
    found = {one["name"]: one for one in sight.numbers(fight, player, OWN[name])}
    assert len(found) > 8 and all(one["text"] for one in found.values())
    assert any(one["parts"] for one in found.values())
    for who in FOES[name]:
        assert sight.numbers(fight, MASTER, who)
        with pytest.raises(sight.Forbidden):
            sight.numbers(fight, player, who)


@pytest.mark.parametrize("name", NAMES)
def test_signs_name_rules_that_exist(name: str) -> None:
    from affray import rules

    known = rules.index(find(name).package)
    for seed in range(4):
        fight = fought(name, seed, 40, "random")
        for entry in fight.entries[::3]:
            for fighter in entry.state.fighters:
                stands = fight.ruleset.bearing(entry.state, fighter.id)
                assert stands.word
                for sign in (*stands.signs, *stands.standing):
                    assert sign.word and (not sign.rule or sign.rule in known)


def test_what_an_order_comes_down_to_adds_up() -> None:
    """The parts of an attack and of a defence sum up to their numbers."""
    for name in NAMES:
        fight = fought(name, 1, 4)
        up = fight.up()
        if not up:
            continue
        for who in FOES[name]:
            order = {"do": "attack", "by": up[0], "target": who}
            for one in sight.preview(fight, MASTER, order)["numbers"]:
                if one["name"] == "defense":
                    assert sum(part["value"] for part in one["parts"] if part["unit"] == "") == int(one["text"])


@pytest.mark.parametrize("name", ["rond6", "rd6"])
def test_how_many_actions_somebody_may_take_follows_from_the_sheet(name: str) -> None:
    """Others read the sheet of a stranger as average: they are told nothing instead of a wrong number."""
    fight = fought(name, 3, 0)
    up = fight.up()[0]
    for audience, told in ((MASTER, True), (SPECTATOR, False)):
        one = next(f for f in sight.fight(fight, audience, id="f1", title="A fight")["fighters"] if f["id"] == up)
        assert one["left"].startswith("up to") is told, one["left"]


@pytest.mark.parametrize(
    ("written", "read"),
    [
        ("5D -1", "5D −1"),
        ("2D6-3", "2D6−3"),
        ("2D6-3 less", "2D6−3 less"),
        ("DM -2", "DM −2"),
        ("cover 2/4 (-1)", "cover 2/4 (−1)"),
        ("at -1, -5", "at −1, −5"),
        ("rounds 1-3", "rounds 1-3"),
        ("model X-5", "model X-5"),
        ("2026-05-01", "2026-05-01"),
        ("re-roll", "re-roll"),
        ("", ""),
    ],
)
def test_one_sign_for_less(written: str, read: str) -> None:
    assert minus(written) == read


@pytest.mark.parametrize("name", NAMES)
def test_no_hyphen_stands_for_less_in_what_people_read(name: str) -> None:
    made = fought(name, 5, 12)
    seen = [*readable(sight.fight(made, MASTER)), *readable(sight.log(made, MASTER))]
    for who in made.up():
        for offer in sight.offers(made, MASTER, who):
            given = {one["name"]: one["default"] for one in offer["fields"] if one["default"] is not None}
            if offer["refused"] is None and offer["verb"] in ("attack", "move", "aim", "dodge"):
                with contextlib.suppress(AffrayError):
                    seen += readable(sight.preview(made, MASTER, {"do": offer["verb"], "by": who, **given}))
    assert len(seen) > 100 and not [one for one in seen if re.search(r"(^|[ (]|\dD|D6)-\d", one)]


def readable(value: Any) -> list[str]:
    """All texts in plain data that people read."""
    if isinstance(value, str):
        return [value]
    parts = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list | tuple) else ()
    return [text for key, one in parts if key not in ("id", "value", "order", "default", "rule") for text in readable(one)]
