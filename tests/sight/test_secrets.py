"""Nobody learns of a hidden combatant, nor of the numbers of those who are not theirs, whatever they look at."""

from __future__ import annotations

import re
from random import Random
from typing import Any

import msgspec
import pytest
from msgspec.structs import replace
from sight.hiding import FOES, FRIEND, GIFT, NAMES, OWN, SECRET, audiences, outputs, start, text_of, unknown

from affray import referee, sight
from affray.ask import Choose, Roll
from affray.encounter import Encounter
from affray.errors import AffrayError
from affray.events import get, put
from affray.interpreters.live import stream
from affray.ruleset import find, sample_order
from affray.sight import SPECTATOR, Audience
from affray.sight.eyes import SPOKEN
from affray.web import play as decisions


def play(fight: Encounter, rng: Random) -> None:
    """One decision by somebody: an answer, or an order of the one who is up."""
    if fight.open:
        asked = rng.choice(fight.open.requests)
        if isinstance(asked.request, Roll):
            faces = asked.request.pool.throw(stream(rng.randrange(10**6), 0, 0))
            fight.answer(asked.n, faces[len(asked.faces) :])
        else:
            try:
                fight.answer(asked.n, asked.request.domain.sample(rng.randrange))
            except AffrayError:
                fight.answer(asked.n, asked.request.default)
        return
    who = rng.choice(fight.up())
    fight.order(sample_order(fight.ruleset, fight.state, who, rng.randrange))


def check(fight: Encounter, deep: int = 0) -> int:
    """Nothing planted is in what any audience gets. Returns how many outputs were looked at."""
    looked = 0
    for audience in audiences(fight.ruleset.name):
        if not unknown(fight, audience):
            continue
        for one in outputs(fight, audience, deep):
            looked += 1
            told = text_of(one)
            assert SECRET not in told, told[max(0, told.index(SECRET) - 400) : told.index(SECRET) + 200]
            opposed = f"no {GIFT}"  # whoever is made to roll the same skill is told which
            assert GIFT not in told.replace(opposed, "") or audience.numbers
    return looked


@pytest.mark.parametrize("seed", [0, 1, *(pytest.param(n, marks=pytest.mark.slow) for n in range(2, 12))])
@pytest.mark.parametrize("name", NAMES)
def test_nothing_of_a_hidden_one_is_ever_told(name: str, seed: int) -> None:
    ruleset, rng = find(name), Random(seed)
    fight = Encounter(ruleset, start(name), seed, typed=("all",) if seed % 2 else None)
    fight.advance()
    looked = check(fight, 4 + seed)
    for step in range(45):
        if not fight.open and (ruleset.over(fight.state) or not fight.up()):
            break
        play(fight, rng)
        looked += check(fight, 7 if step % 20 == 7 else 0)
    assert looked > 100


@pytest.mark.parametrize("name", NAMES)
def test_the_turn_of_a_hidden_one_looks_like_the_master_thinking(name: str) -> None:
    ruleset = find(name)
    policies = dict.fromkeys((OWN[name], FRIEND[name], *FOES[name], "master", SECRET), ruleset.policies["random"])
    fight = Encounter(ruleset, start(name), 5, policies)
    fight.advance()
    acted = 0
    for _ in range(150):
        if ruleset.over(fight.state) or not fight.up():
            break
        if fight.up()[0] != SECRET:
            fight.step()
            continue
        for audience in audiences(name):
            if unknown(fight, audience):
                model = sight.fight(fight, audience)
                waiting = list(fight.up()[1:])  # who may break into any turn
                assert (model["turn"], model["up"], model["waiting"]) == ("", waiting, ["the master"])
                assert model["floor"] == "The master has the floor"
        before = {a: (sight.version(fight, a), ruleset.seen(fight.state, a)) for a in audiences(name)}
        fight.step()
        if fight.up()[:1] != (SECRET,):
            continue
        for audience, (version, seen) in before.items():
            if unknown(fight, audience) and ruleset.seen(fight.state, audience) == seen:
                quiet = sight.version(fight, audience) == version
                assert quiet or any(one["lines"] for one in sight.log(fight, audience)[-1:])
                acted += quiet
    assert acted


@pytest.mark.parametrize("name", NAMES)
def test_an_order_on_a_hidden_one_is_refused_like_one_on_nobody(name: str) -> None:
    fight = Encounter(find(name), start(name), 1)
    fight.advance()
    audience = Audience(own=(OWN[name], FRIEND[name]))
    tried = 0
    rng = Random(3)
    for _ in range(40):
        up = fight.up()[:1]
        if not fight.open and up and up[0] in audience.own and unknown(fight, audience):
            for offer in sight.offers(fight, audience, up[0]):
                fields = {f["name"]: f["default"] for f in offer["fields"] if f["default"] is not None}
                for field in offer["fields"]:
                    if field["name"] not in ("target", "targets", "towards", "patient", "who"):
                        continue
                    several = field["domain"]["kind"] == "subset"
                    words = []
                    for whom in (SECRET, "Nobody"):
                        order = {"do": offer["verb"], "by": up[0], **fields, field["name"]: [whom] if several else whom}
                        with pytest.raises(AffrayError) as told:
                            sight.order(fight, audience, order)
                        shown = sight.preview(fight, audience, order)
                        words.append((str(told.value).replace(whom, "X"), text_of(shown).replace(whom, "X")))
                    assert words[0] == words[1]
                    tried += 1
        if fight.ruleset.over(fight.state):
            break
        play(fight, rng)
    assert tried


TYPED = {
    "rond6": (("act", "text"), ("free", "text"), ("skill", "skill"), ("end", "because")),
    "rd6": (("other", "text"), ("end", "because")),
    "cepheus": (("free", "text"), ("check", "skill"), ("check", "because"), ("end", "because")),
}


@pytest.mark.parametrize("name", NAMES)
def test_words_that_happen_to_be_the_name_of_a_hidden_one_are_words(name: str) -> None:
    """A look at an order is no way to find out who is there: whatever is guessed reads the same."""
    fight = Encounter(find(name), start(name), 1)
    fight.advance()
    audience = Audience(own=(OWN[name], FRIEND[name]))
    rng = Random(3)
    while fight.open or not set(fight.up()) & set(audience.own):
        play(fight, rng)
    who = next(one for one in fight.up() if one in audience.own)
    assert unknown(fight, audience)
    for verb, field in TYPED[name]:
        words = []
        for whom in (SECRET, "Nobody", f"I call {SECRET}!", "I call Nobody!"):
            order = {"do": verb, "by": who, field: whom}
            words.append(text_of(sight.preview(fight, audience, order)).replace(whom, "X"))
            sight.known(fight, audience, order)
        assert '"refused": null' in words[0], (verb, words[0])
        assert len(set(words)) == 1


def mine_now(name: str, seed: int) -> tuple[Encounter, str]:
    """A fight in which somebody of the audience is up, and who that is."""
    fight = Encounter(find(name), start(name), seed)
    fight.advance()
    rng = Random(3)
    while fight.open or not set(fight.up()) & {OWN[name], FRIEND[name]}:
        play(fight, rng)
    return fight, next(one for one in fight.up() if one in (OWN[name], FRIEND[name]))


@pytest.mark.parametrize("several", [False, True])
@pytest.mark.parametrize("name", NAMES)
def test_what_a_player_says_is_told_as_typed_whoever_is_named(name: str, several: bool) -> None:
    """After it was said as well: log and scene read the same whatever name was guessed. `several`: in the order of a group."""
    tried = 0
    for verb, field in (*TYPED[name], *((("work", "name"),) if name == "cepheus" else ())):
        told = []
        for said in (SECRET, "Nobody", f"{SECRET} blade 0", f"Hark, {SECRET}, {SECRET} band!", "Hark, Nobody, Nobody band!"):
            fight, who = mine_now(name, 4)
            audience = Audience(own=(OWN[name], FRIEND[name]))
            assert unknown(fight, audience)
            extra = {"skill": "Mechanics"} if verb == "work" else {}
            play_order(fight, audience, {"do": verb, "by": [who] if several else who, field: said, **extra})
            seen = text_of([list(outputs(fight, one)) for one in (audience, SPECTATOR)])
            assert SPOKEN not in seen
            assert said in text_of(sight.log(fight, sight.MASTER)) or field == "because"
            told.append(seen.replace(said, "X"))
            tried += said in text_of(sight.log(fight, audience))
        assert len({re.sub('"version": "[^"]*"', "", one) for one in told}) == 1, told
    assert tried >= 5


def play_order(fight: Encounter, audience: Audience, order: dict[str, Any]) -> None:
    """An order, and what it asks answered as usual."""
    decisions.order(fight, audience, order)
    while fight.open:
        asked = fight.open.requests[0]
        assert isinstance(asked.request, Choose)
        fight.answer(asked.n, asked.request.default)


@pytest.mark.parametrize("name", NAMES)
def test_signs_for_what_is_said_cannot_be_typed(name: str) -> None:
    """They would open what comes after them; a master's own words are not marked: names in them are veiled."""
    fight, who = mine_now(name, 4)
    audience = Audience(own=(OWN[name], FRIEND[name]))
    given = sight.known(fight, audience, {"do": "free", "by": who, "text": f"a{SPOKEN}b", "what": [f"{SPOKEN}x"]})
    assert given == {"do": "free", "by": who, "text": f"{SPOKEN}ab{SPOKEN}", "what": ["x"]}
    fight.order(referee.Say("master", text=f"{SECRET} comes"))
    assert SECRET not in text_of(sight.log(fight, audience)) and SECRET in text_of(sight.log(fight, sight.MASTER))


@pytest.mark.parametrize("name", NAMES)
def test_what_was_said_before_somebody_came_stays_as_it_was(name: str) -> None:
    """Somebody who comes later, and hides, leaves what was told before as it was told."""
    ruleset, state = find(name), start(name)
    late = next(f for f in state.fighters if f.id == SECRET)
    fights = []
    for _ in range(2):
        fight = Encounter(ruleset, replace(state, fighters=tuple(f for f in state.fighters if f.id != SECRET)), 1)
        fight.order(referee.Say("master", text=f"Who is {SECRET}?"))
        fights.append(fight)
    before = [text_of(sight.log(fights[0], one)) for one in audiences(name)]
    assert all(SECRET in one for one in before)
    fights[1].order(referee.Add("master", fighter=msgspec.to_builtins(late)))
    assert [text_of(sight.log(fights[1], one)) for one in audiences(name)] == before


@pytest.mark.parametrize("name", NAMES)
def test_one_who_comes_into_view_is_a_newcomer(name: str) -> None:
    ruleset = find(name)
    policies = dict.fromkeys((OWN[name], FRIEND[name], *FOES[name], "master", SECRET), ruleset.policies["random"])
    fight = Encounter(ruleset, start(name), 2, policies)
    fight.advance()
    for _ in range(12):
        fight.step()
    audience = Audience(own=(OWN[name],))
    if not unknown(fight, audience):
        pytest.skip("he has shown himself")
    before = sight.log(fight, audience)
    fight.order(referee.Set("master", who=SECRET, fields={"hidden": False}))
    after = sight.log(fight, audience)
    assert after[: len(before)] == before
    assert after[len(before)]["lines"][0]["text"].endswith("comes into view")
    assert SECRET in [f["id"] for f in sight.fight(fight, audience)["fighters"]]
    fight.order(referee.Set("master", who=SECRET, fields={"hidden": True}))
    assert SECRET not in text_of(sight.log(fight, audience)) + text_of(sight.fight(fight, audience))


@pytest.mark.parametrize("name", NAMES)
def test_one_who_left_unseen_was_never_there(name: str) -> None:
    ruleset = find(name)
    policies = dict.fromkeys((OWN[name], FRIEND[name], *FOES[name], "master", SECRET), ruleset.policies["random"])
    fight = Encounter(ruleset, start(name), 4, policies)
    fight.advance()
    for _ in range(25):
        if not ruleset.over(fight.state) and fight.up():
            fight.step()
    audience = SPECTATOR
    if not unknown(fight, audience):
        pytest.skip("he has shown himself")
    if fight.state.turn != SECRET:
        fight.order(referee.Remove("master", who=SECRET))
        for one in outputs(fight, audience):
            assert SECRET not in text_of(one)


def strangers(name: str, state: Any) -> Any:
    """The same scene with other hidden numbers of the second side."""
    for who in FOES[name]:
        me = get(state, who)
        sheet = me.sheet
        if name == "rond6":
            from affray.dice import Code

            skills = tuple((skill, Code(9, 2)) for skill, _ in sheet.skills)
            sheet = replace(sheet, skills=skills, attributes=(("Strength", Code(7)),), talents=(("Quickness", 2),), resistance=4)
            me = replace(me, sheet=sheet, character=9, fate=3, fatigue=2, wounds=me.wounds and 2)
        elif name == "rd6":
            from affray.dice import Code
            from affray.rulesets.rd6.sheet import Skill

            skills = tuple(Skill(skill.name, Code(9, 2)) for skill in sheet.skills)
            sheet = replace(sheet, skills=skills, attributes=(("Strength", Code(7)),), toughness=30, hero=True)
            me = replace(me, sheet=sheet, character_points=9, fate_points=3, fatigued=2)
        else:
            sheet = replace(sheet, strength=15, dexterity=14, endurance=13, skills=(("Slug Rifle", 6), ("Natural Weapons", 5)))
            lost = {n: getattr(sheet, n) - getattr(me.sheet, n) + getattr(me, n) for n in ("strength", "dexterity", "endurance")}
            me = replace(me, sheet=sheet, supplies=("combat_drug",), **lost)
        state = put(state, me)
    return state


@pytest.mark.parametrize("name", NAMES)
def test_a_players_odds_know_nothing_of_enemies_numbers(name: str) -> None:
    ruleset, state = find(name), start(name)
    audience = Audience(own=(OWN[name],))
    other = strangers(name, state)
    assert other != state
    assert ruleset.seen(other, audience) == ruleset.seen(state, audience)
    looked = []
    for one in (state, other):
        fight = Encounter(ruleset, ruleset.ready(one, OWN[name]), 1)
        found = list(outputs(fight, audience, deep=1))
        found[0] |= {"order": [], "version": ""}  # how a tie is broken is plain to see
        looked.append([text_of(one) for one in found])
    assert looked[0] == looked[1]
    open_to_all = Audience(own=(OWN[name],), numbers=True)
    assert ruleset.seen(other, open_to_all) != ruleset.seen(state, open_to_all)


@pytest.mark.parametrize("name", NAMES)
def test_with_and_without_the_hidden_one_the_scene_is_the_same(name: str) -> None:
    ruleset, state = find(name), start(name)
    alone = replace(state, fighters=tuple(f for f in state.fighters if f.id != SECRET))
    audience = Audience(own=(OWN[name],))
    seen = ruleset.seen(state, audience)
    assert [f.id for f in seen.fighters] == [f.id for f in alone.fighters]
    assert SECRET not in text_of(str(seen))
    assert not ruleset.problems(seen)


@pytest.mark.parametrize("name", NAMES)
def test_what_is_not_theirs_is_forbidden(name: str) -> None:
    fight = Encounter(find(name), start(name), 1)
    fight.advance()
    player = Audience(own=(OWN[name],))
    for who in (SECRET, FOES[name][0], "Nobody"):
        with pytest.raises(sight.Forbidden) as wrong:
            sight.offers(fight, player, who)
        assert str(wrong.value) == "that combatant is not yours"
        with pytest.raises(sight.Forbidden):
            sight.order(fight, player, {"do": "end", "by": who})
        with pytest.raises(sight.Forbidden):
            sight.preview(fight, player, {"do": "end", "by": who})
    with pytest.raises(sight.Forbidden):
        sight.order(fight, player, referee.Say("master", text="so"))
    with pytest.raises(sight.Forbidden):
        sight.answer(fight, player, 77, True)


@pytest.mark.parametrize("name", NAMES)
def test_what_a_hidden_one_does_unseen_leaves_no_trace(name: str) -> None:
    """The same fight twice: in one of them he does something quiet before he ends his turn."""
    ruleset = find(name)

    def reach(seed: int) -> Encounter:
        policies = dict.fromkeys((OWN[name], FRIEND[name], *FOES[name], "master", SECRET), ruleset.policies["random"])
        fight = Encounter(ruleset, start(name), seed, policies)
        fight.advance()
        for _ in range(40):
            if ruleset.over(fight.state) or fight.up()[:1] == (SECRET,):
                break
            fight.step()
        return fight

    audience, compared = Audience(own=(OWN[name],)), 0
    for seed in range(8):
        plain = reach(seed)
        if plain.up()[:1] != (SECRET,) or not unknown(plain, audience):
            continue
        end = {"do": "end", "by": SECRET}
        sight.order(plain, sight.MASTER, end)
        for offer in ruleset.offers(reach(seed).state, SECRET):
            busy = reach(seed)
            if offer.refused is not None or offer.verb == "end":
                continue
            order = {"do": offer.verb, "by": SECRET, **{f.name: f.default for f in offer.fields if f.default is not None}}
            before = ruleset.seen(busy.state, audience), len(sight.log(busy, audience))
            try:
                sight.order(busy, sight.MASTER, order)
                quiet = (ruleset.seen(busy.state, audience), len(sight.log(busy, audience))) == before
                if not quiet or busy.up()[:1] != (SECRET,):
                    continue
                assert sight.fight(busy, audience) == sight.fight(reach(seed), audience)
                sight.order(busy, sight.MASTER, end)
            except AffrayError:
                continue
            if (busy.state.round, plain.state.round) != (reach(seed).state.round,) * 2:
                continue  # a new round throws other dice
            assert sight.fight(busy, audience) == sight.fight(plain, audience)
            assert sight.log(busy, audience) == sight.log(plain, audience)
            compared += 1
        if compared > 4:
            break
    assert compared
