"""Grappling: the opposed check, what its winner picks, and how it ends."""

from __future__ import annotations

from typing import Any

from msgspec.structs import replace

from affray.ask import ATTACKER, TARGET, Why
from affray.domains import OneOf, YesNo
from affray.errors import Refusal
from affray.events import Changed, Noted
from affray.modifiers import Parts
from affray.rules import rule
from affray.rulesets.cepheus import actions, initiative, movement, numbers
from affray.rulesets.cepheus.commands import Grapple, Wrestle
from affray.rulesets.cepheus.mechanics import opposed, rolled
from affray.rulesets.cepheus.sheet import Fighter, Grip, Hit, State

Scene = Any
OPTIONS = ("continue", "disarm", "drag", "escape", "damage", "prone", "throw")
SKILL = "Natural Weapons"


def grapple_refusal(state: State, order: Grapple) -> Refusal | None:
    me = state[order.by]
    if refusal := actions.target_refusal(state, order.by, order.target) or actions.significant_refusal(me):
        return refusal
    if me.stance == "prone":
        return Refusal("CEP-STN-4", f"{me.id} is prone and cannot seize anybody", ("stance",))
    if numbers.band(state, order.by, order.target) != 0:
        return Refusal("CEP-GRP-1", f"a grapple needs Personal range; {order.target} is farther away")
    if state[order.target].grapple:
        return Refusal("CEP-GRP-1", f"{order.target} is in a grapple already")
    if state[order.target].status != "up":
        return Refusal("CEP-GRP-1", f"{order.target} is {state[order.target].status}")
    return actions.skill_refusal(state, me, SKILL)


def wrestle_refusal(state: State, order: Wrestle) -> Refusal | None:
    me = state[order.by]
    if not me.grapple:
        return Refusal("CEP-GRP-4", f"{me.id} is in no grapple")
    if not actions.significant_left(me):
        return Refusal("CEP-RND-3", f"{me.id} has no significant action left this round")
    if me.wrestled and state.rulings.grapple_checks == "one_per_round":
        return Refusal("CEP-GRP-4", "this pair has wrestled this round")
    return None


def better(me: Fighter, using: str, rulings: Any) -> str:
    """Strength or Dexterity, as chosen, else the better one (Strength on a tie)."""
    if using:
        return using
    dexterous = numbers.characteristic(me, "dexterity", rulings) > numbers.characteristic(me, "strength", rulings)
    return "dexterity" if dexterous else "strength"


@rule("CEP-GRP-1", "CEP-CHK-9", "CEP-RND-7", "CEP-ZRG-2")
def contest(scene: Scene, by: str, at: str, using: str, dm: int) -> tuple[str, str, int]:
    """(winner, loser, winner's Effect) of an opposed Natural Weapons check; the answering roll is free."""
    state: State = scene.state
    me, other = state[by], state[at]
    mine, theirs = better(me, using, state.rulings), better(other, "", state.rulings)

    def parts(who: Fighter, score: str, extra: int) -> Parts:
        return numbers.check(who, state.rulings, SKILL, score, 0, extra, zero_g=state.zero_g)

    won, a, b = scene.call(
        opposed,
        parts(me, mine, dm),
        parts(other, theirs, 0),
        (numbers.score(me, mine), numbers.score(other, theirs)),
        Why("grapple", "CEP-GRP-1"),
        roles={ATTACKER: by, TARGET: at},
    )
    winner, loser, effect = (by, at, a) if won else (at, by, b)
    scene.tell(Noted(winner, "CEP-CHK-9", "wins", (("against", loser), ("effect", effect))))
    return winner, loser, effect


@rule("CEP-GRP-1", "CEP-GRP-2")
def seize(scene: Scene, order: Grapple) -> None:
    """The attacker must win; then both are in the grapple and he picks."""
    actions.pay(scene, order.by, "significant", "CEP-GRP-1")
    winner, loser, effect = contest(scene, order.by, order.target, order.using, order.dm)
    reveal(scene, order.by)
    if winner != order.by:
        scene.tell(Noted(order.by, "CEP-GRP-1", "grapple fails"))
        return
    initiative.deliver(scene, winner, loser, Grip(winner, effect, new=True))


def reveal(scene: Scene, by: str) -> None:
    from affray.rulesets.cepheus import attack

    attack.reveal(scene, by)


@rule("CEP-GRP-4")
def wrestle(scene: Scene, order: Wrestle) -> None:
    """Another check; its winner, whoever that is, picks."""
    other = scene.state[order.by].grapple
    scene.tell(Changed(order.by, "CEP-GRP-4", (("significant", scene.state[order.by].significant + 1), ("wrestled", True))))
    scene.tell(Changed(other, "CEP-GRP-4", (("wrestled", True),)))
    winner, loser, effect = contest(scene, order.by, other, order.using, order.dm)
    initiative.deliver(scene, winner, loser, Grip(winner, effect))


@rule("CEP-GRP-1", "CEP-GRP-4", "CEP-INI-7")
def hold(scene: Scene, loser: str, grip: Grip) -> None:
    """A check that was won takes effect: at once, or between tied ones when both have acted and can still grapple."""
    winner = grip.by
    pair = scene.state[winner], scene.state[loser]
    if any(one.status != "up" for one in pair):
        return
    if grip.new:
        if any(one.grapple for one in pair):
            return
        for who, other in ((winner, loser), (loser, winner)):
            gone = (("aim_at", ""), ("aim", 0), ("kill", 0), ("task", None))
            scene.tell(Changed(who, "CEP-GRP-1", (("grapple", other), ("wrestled", True), *gone), "grapples", (("with", other),)))
    elif pair[0].grapple != loser:
        return
    picked(scene, winner, loser, grip.effect)


@rule("CEP-GRP-2", "CEP-GRP-3")
def picked(scene: Scene, winner: str, loser: str, effect: int) -> None:
    """What the winner does with it, and whether the grapple goes on."""
    option = scene.choose(
        OneOf(OPTIONS), Why("grapple", "CEP-GRP-2"), winner, "damage", (scene.state[winner], scene.state[loser], effect)
    )
    scene.tell(Noted(winner, "CEP-GRP-2", f"grapple {option}", (("with", loser), ("effect", effect))))
    if option == "disarm":
        disarm(scene, winner, loser, effect)
    elif option == "damage":
        initiative.deliver(scene, winner, loser, Hit(max(0, 2 + effect), through=effect >= 6))
    elif option == "prone":
        scene.tell(Changed(loser, "CEP-GRP-2", (("stance", "prone"),), "prone"))
    elif option == "throw":
        let_go(scene, winner, loser)
        apart(scene, winner, loser, 3.0)
        initiative.deliver(scene, winner, loser, Hit(rolled(scene, 1, "throw", "CEP-GRP-2", winner)))
    elif option == "drag":
        drag(scene, winner, loser)
    elif option == "escape":
        let_go(scene, winner, loser)
        apart(scene, loser, winner, movement.STEP)
    still = scene.state[winner].grapple == loser
    asked = option in ("disarm", "drag", "damage", "prone") and still
    if asked and not scene.choose(YesNo(), Why("hold on", "CEP-GRP-3"), winner, True):
        let_go(scene, winner, loser)


DRAG = 3.0
"""Metres of a drag."""


@rule("CEP-GRP-2")
def drag(scene: Scene, winner: str, loser: str) -> None:
    """Both move up to 3 m, toward or away from somebody whom the winner names."""
    state = scene.state
    others = [f.id for f in state.fighters if f.id not in (winner, loser)]
    if not others or state.rulings.space_model == "bands":
        return
    ways = ("nowhere", *(f"toward {who}" for who in others), *(f"away from {who}" for who in others))
    way = scene.choose(OneOf(ways), Why("drag", "CEP-GRP-2", "where to drag"), winner, "nowhere")
    if way == "nowhere":
        return
    near = way.startswith("toward ")
    mark = way.removeprefix("toward ").removeprefix("away from ")
    if state.rulings.space_model == "pair":
        for who in (winner, loser):
            before = numbers.metres(scene.state, who, mark)
            movement.set_distance(scene, who, mark, max(0.0, before - DRAG) if near else before + DRAG)
        return
    x, y = state[loser].at
    u, v = movement.heading(state, state[loser], DRAG, (mark,) if near else (), () if near else (mark,))
    for who in (winner, loser):
        at = state[who].at
        scene.tell(Changed(who, "CEP-GRP-2", (("at", (at[0] + u - x, at[1] + v - y)),), "moved", (("metres", DRAG),)))


@rule("CEP-GRP-3")
def let_go(scene: Scene, a: str, b: str) -> None:
    """The grapple is over for both."""
    for who in (a, b):
        scene.tell(Changed(who, "CEP-GRP-3", (("grapple", ""),), "free of grapple"))


def apart(scene: Scene, a: str, b: str, metres: float) -> None:
    """Two who were at Personal range are so many metres apart now: `b` has moved."""
    model = scene.state.rulings.space_model
    if model == "pair":
        movement.set_distance(scene, a, b, metres)
    elif model in ("line", "grid"):
        place = movement.heading(scene.state, scene.state[b], metres, (), (a,))
        scene.tell(Changed(b, "CEP-GRP-2", (("at", place),), "moved", (("metres", metres),)))


@rule("CEP-GRP-2")
def disarm(scene: Scene, winner: str, loser: str, effect: int) -> None:
    """The weapon in hand falls; with Effect 6 or more the winner has it."""
    me = scene.state[loser]
    index = next((i for i, held in enumerate(me.held) if held.ready), -1)
    if index < 0:
        return
    weapon = me.sheet.weapons[index] if index < len(me.sheet.weapons) else None
    if weapon is None:
        return
    if effect >= 6:
        taken = scene.state[winner]
        sheet = replace(taken.sheet, weapons=(*taken.sheet.weapons, weapon))
        scene.tell(
            Changed(
                winner,
                "CEP-GRP-2",
                (("sheet", sheet), ("held", (*taken.held, me.held[index]))),
                "takes weapon",
                (("weapon", weapon.name),),
            )
        )
        weapons = tuple(w for i, w in enumerate(me.sheet.weapons) if i != index)
        held = tuple(h for i, h in enumerate(me.held) if i != index)
        scene.tell(
            Changed(
                loser,
                "CEP-GRP-2",
                (("sheet", replace(me.sheet, weapons=weapons)), ("held", held)),
                "disarmed",
                (("weapon", weapon.name),),
            )
        )
        return
    actions.put_held(scene, loser, index, "CEP-GRP-2", "disarmed", ("weapon", weapon.name), ready=False)
