"""Odds of orders: they add up, agree with live dice, start in the middle of an order, and compare plans."""

from __future__ import annotations

import json
from collections import Counter
from fractions import Fraction
from math import sqrt
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from affray import odds
from affray.cli import affray
from affray.dice import Code, WildPool
from affray.encounter import Encounter
from affray.errors import AffrayError, IllegalOrder
from affray.formats.encounter import load_fight
from affray.interpreters.live import Live
from affray.interpreters.replay import Replay, Scripted
from affray.odds.compare import by_answer, by_field, by_open, by_plan, compare
from affray.rulesets.rond6 import RULESET
from affray.rulesets.rond6.areas import Area
from affray.rulesets.rond6.attack import Attack
from affray.rulesets.rond6.sheet import Condition, Fighter, Sheet, State, Weapon
from affray.scene import Recorder

EXAMPLES = Path(__file__).resolve().parents[2] / "examples"
FILES = ("rond6-ambush.toml", "rond6-6v10.toml", "rd6-street.toml", "cepheus-street.toml", "cepheus-ridge.toml")


def shot(file: str) -> tuple[Any, Any, Any]:
    """(ruleset, state, order): the first attack that somebody may make on an enemy at the beginning of a fight."""
    fight = load_fight(EXAMPLES / file)
    for me in fight.state.fighters:
        state = fight.ruleset.ready(fight.state, me.id)
        for foe in state.fighters:
            if foe.side != me.side:
                order = fight.ruleset.order({"do": "attack", "by": me.id, "target": foe.id})
                if fight.ruleset.why_not(state, order) is None:
                    return fight.ruleset, state, order
    raise AssertionError(f"nobody can attack in {file}")


def duel(attack: int, damage: int, **target: Any) -> State:
    """Ash with a club against Bo (Defense 10, resistance 8), both Stymied: no die is thrown again."""
    plain = tuple((name, Code(2)) for name in ("Strength", "Agility", "Stamina", "Perception", "Will Power"))
    club = Weapon("club", "melee", Code(damage))
    sheet = Sheet(plain, (("Melee Weapons", Code(attack)),), (club,))
    stymied = (Condition("stymied"),)
    ash = Fighter("Ash", "Ash", "a", sheet, at=(0, 0), held=("club",), conditions=stymied)
    bo = Fighter("Bo", "Bo", "b", sheet, at=(1, 0), held=("club",), conditions=stymied, **target)
    return State((ash, bo), round=1, turn="Ash")


@pytest.mark.parametrize("file", FILES)
def test_every_answer_adds_up_to_one(file: str) -> None:
    ruleset, state, order = shot(file)
    found = odds.Lab(ruleset, state, number=Fraction).of(order)
    watched = found.of(order.target)
    assert sum(weight for _, weight in watched.results.outcomes) == 1
    assert set(watched.results.values) <= set(ruleset.results)
    for measure in watched.measures:
        assert sum(weight for _, weight in measure.outcomes) == 1
    floats = odds.of(ruleset, state, order).of(order.target)
    for word, weight in watched.results.outcomes:
        assert floats.results.chance(word) == pytest.approx(float(weight), abs=1e-12)
    json.dumps(found.plain())


def sampled(ruleset: Any, state: Any, order: Any, samples: int) -> Counter[str]:
    """Words of that many live runs."""
    policy = next(iter(ruleset.policies.values()))
    before = next(f for f in state.fighters if f.id == order.target)
    found: Counter[str] = Counter()
    for entry in range(samples):
        scene = Returning(state, Replay((), Live(5, entry, lambda who: policy)))
        ruleset.perform(scene, order)
        after = next(f for f in scene.state.fighters if f.id == order.target)
        found[ruleset.result(before, after, tuple(scene.returned)).word] += 1
    return found


class Returning(Recorder):
    """A recorder that keeps what the outermost mechanics answered, as the exact interpreter does."""

    def __init__(self, *args: Any) -> None:
        super().__init__(*args)
        self.returned: list[Any] = []
        self._depth = 0

    def call(self, mechanic: Any, *args: Any, roles: Any = None, alike: Any = None) -> Any:
        self._depth += 1
        found = super().call(mechanic, *args, roles=roles)
        self._depth -= 1
        if not self._depth:
            self.returned.append(found)
        return found


def agree(watched: Any, found: Counter[str]) -> None:
    samples = found.total()
    assert set(found) <= set(watched.results.values)
    for word in watched.results.values:
        p = watched.results.chance(word)
        assert abs(found[word] / samples - p) <= 4 * sqrt(p * (1 - p) / samples) + 3 / samples, word


@pytest.mark.parametrize("file", FILES)
def test_live_dice_agree(file: str) -> None:
    ruleset, state, order = shot(file)
    agree(odds.of(ruleset, state, order).of(), sampled(ruleset, state, order, 3_000))


@pytest.mark.slow
@pytest.mark.parametrize("samples", [50_000, pytest.param(1_000_000, marks=pytest.mark.endurance)])
@pytest.mark.parametrize("file", FILES)
def test_many_live_dice_agree(file: str, samples: int) -> None:
    """Live attacks within four standard deviations."""
    ruleset, state, order = shot(file)
    agree(odds.of(ruleset, state, order).of(), sampled(ruleset, state, order, samples))


def kinds(file: str) -> list[tuple[Any, Any, Any]]:
    """(ruleset, state, order): each verb that somebody may order at the beginning of a fight, with its usual options."""
    fight = load_fight(EXAMPLES / file)
    verbs: dict[str, tuple[Any, Any, Any]] = {}
    for me in fight.state.fighters:
        state = fight.ruleset.ready(fight.state, me.id)
        for offer in fight.ruleset.offers(state, me.id):
            if offer.refused is not None or offer.verb in verbs:
                continue
            data = {one.name: one.default for one in offer.fields if one.default is not None}
            try:
                order = fight.ruleset.order({"do": offer.verb, "by": me.id, **data})
            except IllegalOrder:
                continue
            if fight.ruleset.why_not(state, order) is None:
                verbs[offer.verb] = fight.ruleset, state, order
    return list(verbs.values())


def every_kind_agrees(file: str, samples: int) -> None:
    """Odds of each kind of order against live dice, for its target and for the one who acts."""
    for ruleset, state, order in kinds(file):
        policy = next(iter(ruleset.policies.values()))
        watched = dict.fromkeys((str(getattr(order, "target", "")) or order.by, order.by))
        lab = odds.Lab(ruleset, state, number=Fraction)
        found = {who: Counter[str]() for who in watched}
        for entry in range(samples):
            scene = Returning(state, Replay((), Live(9, entry, lambda who, policy=policy: policy)))
            ruleset.perform(scene, order)
            for who in watched:
                told = lab.result(one_of(state, who), scene.state, who, scene.returned if who != order.by else [])
                found[who][told.word] += 1
        preview = lab.of(order, watched)
        for who in watched:
            agree(preview.of(who), found[who])
            assert sum(weight for _, weight in preview.of(who).results.outcomes) == 1


def one_of(state: Any, who: str) -> Any:
    return next(fighter for fighter in state.fighters if fighter.id == who)


@pytest.mark.parametrize("file", ["rond6-6v10.toml", "rd6-street.toml", "cepheus-ridge.toml"])
def test_every_kind_of_order_agrees(file: str) -> None:
    every_kind_agrees(file, 400)


@pytest.mark.slow
@pytest.mark.parametrize("samples", [4_000, pytest.param(100_000, marks=pytest.mark.endurance)])
@pytest.mark.parametrize("file", ["rond6-6v10.toml", "rd6-street.toml", "cepheus-ridge.toml"])
def test_every_kind_of_order_agrees_with_many_dice(file: str, samples: int) -> None:
    every_kind_agrees(file, samples)


def test_in_the_middle_of_an_attack() -> None:
    """The dice have fallen (15 against 10: 5 Result Points), the feat is asked: a die more stuns in 15/36, else never."""
    fight = Encounter(RULESET, duel(3, 1), policies={"Bo": RULESET.policies["aggressive"]}, auto=False)
    fight.script = Scripted([5, 5, 5])
    opened = fight.order(Attack("Ash", "Bo", "club"))
    assert [one.request.why.key for one in opened] == ["feat"]
    found = by_open(odds.Lab(RULESET, fight.settled, number=Fraction), fight, "stunned")
    assert found.best == "feat: add_die"
    by_name = {row.name: row.preview.of("Bo") for row in found.rows if row.preview}
    assert by_name["feat: add_die"].measure("stunned").exact(1) == Fraction(15, 36)
    assert by_name["feat: stop"].measure("stunned").exact(1) == 0
    assert all(sum(weight for _, weight in one.results.outcomes) == 1 for one in by_name.values())


def test_some_dice_of_a_roll_have_fallen() -> None:
    """3D against 10, of which a 4 and a 3 lie there: 3 to 6 on the last die, 4/6. And a 6 on a Wild Die goes on."""
    fight = Encounter(RULESET, duel(3, 1), typed=["all"], policies={"Bo": RULESET.policies["aggressive"]}, auto=False)
    (asked,) = fight.order(Attack("Ash", "Bo", "club"))
    fight.die(asked.n, 4)
    fight.die(asked.n, 3)
    found = by_open(odds.Lab(RULESET, fight.settled, number=Fraction), fight, "hits")
    assert found.rows[0].preview is not None
    assert found.rows[0].preview.of("Bo").measure("hits").exact(1) == Fraction(4, 6)
    after = dict(WildPool(2).outcomes_after((6,)))
    assert Fraction(after[8], sum(after.values())) == Fraction(1, 36)


def test_plans_of_several_orders_by_hand() -> None:
    """Two attacks with 3D − 1D for the second action: 10 or more on 2D, 6 of 36 each; damage cannot stun. Hits add up."""
    found = by_plan(odds.Lab(RULESET, duel(3, 1), number=Fraction), Attack("Ash", "Bo", "club"), "actions", "hits")
    hits = {row.name: row.preview.of().measure("hits") for row in found.rows if row.preview}
    assert hits["1 action"].exact(1) == Fraction(135, 216)
    assert hits["2 actions"].exact(2) == Fraction(1, 36)
    assert hits["2 actions"].exact(0) == Fraction(25, 36)
    assert found.best == "1 action"


def test_aiming_and_dodging_are_compared() -> None:
    ruleset, state, order = shot("rond6-ambush.toml")
    lab = odds.Lab(ruleset, state)
    aim = {row.name: row.preview for row in by_plan(lab, order, "aim", "hits").rows if row.preview}
    assert aim["aim, next turn"].of().expect("hits") > aim["now"].of().expect("hits")
    attack = Attack("Ash", "Bo", "club")
    dodge = by_plan(odds.Lab(RULESET, duel(4, 3)), attack, "dodge", "wounds")
    rows = {row.name: row.preview for row in dodge.rows if row.preview}
    mine = {name: preview.of("Ash").expect("hits") for name, preview in rows.items()}
    assert mine["full dodge"] < mine["attack"]
    assert rows["full dodge"].of("Bo").expect("hits") == 0


def test_options_and_questions_are_compared() -> None:
    ruleset, state, order = shot("rond6-ambush.toml")
    lab = odds.Lab(ruleset, state)
    targets = by_field(lab, order, "target", "wounds")
    worth = [targets.expect(row) for row in targets.rows]
    assert worth == sorted(worth, reverse=True) and len(worth) == 5
    feats = by_answer(lab, order, "feat", "wounds")
    assert {"feat: add_die", "feat: stop"} <= {row.name for row in feats.rows}
    with pytest.raises(AffrayError, match="did you mean 'target'"):
        by_field(lab, order, "targte")
    with pytest.raises(AffrayError, match="nobody is asked 'courage'"):
        by_answer(lab, order, "courage")


def test_a_lost_order_is_told() -> None:
    """A target at four Wounds of five: what kills it at once loses the second attack."""
    state = duel(3, 9, wounds=4)
    plan = (Attack("Ash", "Bo", "club"), None, Attack("Ash", "Bo", "club"))
    found = odds.of(RULESET, state, plan, number=Fraction)
    first = odds.of(RULESET, state, Attack("Ash", "Bo", "club"), number=Fraction)
    assert found.lost == pytest.approx(first.of().results.chance("dead"))
    assert found.of().results.exact("dead") > first.of().results.exact("dead")


def test_what_is_not_possible_is_refused() -> None:
    with pytest.raises(IllegalOrder):
        odds.of(RULESET, duel(3, 1), Attack("Ash", "Ash", "club"))
    with pytest.raises(AffrayError, match="there is no target"):
        compare(odds.Lab(RULESET, duel(3, 1)), [("x", Attack("Ash", "Cy"), ())])


@pytest.mark.rules("RON-AREA-10")
def test_a_burst_is_seen_by_one_victim_at_a_time() -> None:
    """Whoever else stands in the burst changes nothing for the one who is watched."""
    plain = tuple((name, Code(3)) for name in ("Strength", "Agility", "Stamina", "Perception", "Will Power"))
    bomb = Weapon("bomb", "thrown", Code(5), ranges=(5, 10, 20), area="burst medium")
    sheet = Sheet(plain, (("Throwing", Code(5)),), (bomb,))
    ash = Fighter("Ash", "Ash", "a", sheet, at=(0, 0), held=("bomb",))
    crowd = [Fighter(f"Foe {n}", f"Foe {n}", "b", sheet, at=(4 + n % 3, n // 3)) for n in range(8)]
    whole = State((ash, *crowd), round=1, turn="Ash")
    order = Area("Ash", "bomb", (5, 1))
    many = odds.of(RULESET, whole, order, watch=("Foe 4", "Foe 0"), number=Fraction)
    alone = odds.of(RULESET, State((ash, crowd[4]), round=1, turn="Ash"), order, watch=("Foe 4",), number=Fraction)
    assert many.of("Foe 4").results == alone.of("Foe 4").results
    assert sum(weight for _, weight in many.of("Foe 0").results.outcomes) == 1
    assert many.of("Foe 4").expect("wounds") > 0


def run(*arguments: str, code: int = 0) -> str:
    done = CliRunner().invoke(affray, ["odds", *arguments])
    if done.exception and not isinstance(done.exception, SystemExit | AffrayError):
        raise done.exception
    assert (done.exit_code == 0) == (code == 0)
    return str(done.output) + (str(done.exception) if isinstance(done.exception, AffrayError) else "")


def test_the_command_gives_fractions_in_json() -> None:
    file = str(EXAMPLES / "rond6-ambush.toml")
    plain = json.loads(run("attack", file, "--by", "vera", "--at", "Soldier", "--json"))
    rows = plain["watched"][0]["results"]["results"]
    assert sum(Fraction(row["exact"]) for row in rows) == 1
    assert [d["policy"] for d in plain["decided"]] == ["aggressive", "aggressive"]


def test_the_command_says_what_is_wrong() -> None:
    file = str(EXAMPLES / "rond6-ambush.toml")
    assert "unknown combatant 'Veera'" in run("attack", file, "--by", "Veera", code=2)
    assert "did you mean 'attack'" in run("atack", file, "--by", "Vera", "--at", "Soldier", code=2)
    assert "write a number, a range" in run("test", "5D", "--difficulty", "x", code=2)
    assert "name the dice" in run("test", "--difficulty", "5", code=2)


def test_the_command_draws(tmp_path: Path) -> None:
    file, chart = str(EXAMPLES / "rond6-ambush.toml"), tmp_path / "shot.svg"
    run("attack", file, "--by", "Vera", "--at", "Soldier 1", "--plot", str(chart))
    assert chart.read_bytes().startswith(b"<?xml")


def test_a_saved_fight_is_asked_about(tmp_path: Path) -> None:
    """A save that waits for a feat: one line for each answer, with the dice as they fell."""
    from affray.store.jsonl import JsonLines
    from affray.store.lines import head

    path = tmp_path / "duel.jsonl"
    journal = JsonLines(path, create=True)
    start = duel(3, 1)
    journal.append([head(RULESET, start, 3, "", ["all"])])
    fight = Encounter(RULESET, start, 3, {"Bo": RULESET.policies["aggressive"]}, ["all"], journal, auto=False)
    (asked,) = fight.order(Attack("Ash", "Bo", "club"))
    fight.answer(asked.n, (6, 5, 5))
    journal.close()
    told = run("open", "--from-save", str(path))
    assert "feat: add_die" in told and "feat: stop" in told
    assert "Bo" in run("attack", "--from-save", str(path), "--by", "Ash", "--at", "Bo")
