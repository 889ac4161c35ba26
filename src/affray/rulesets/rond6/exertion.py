"""Strength and wind: jumping, holding one's breath, strenuous activity; lying down and standing up."""

from __future__ import annotations

from typing import Any

from affray import space
from affray.ask import MASTER, Why
from affray.domains import OneOf, YesNo
from affray.errors import Refusal
from affray.events import Changed, get
from affray.modifiers import listed
from affray.rules import rule
from affray.ruleset import Field, Order
from affray.rulesets.rond6 import feats
from affray.rulesets.rond6.actions import ACTION, FREE, Command, RondScene, nothing, pay
from affray.rulesets.rond6.checks import reaches, rolled
from affray.rulesets.rond6.conditions import tire
from affray.rulesets.rond6.damage import FALLEN, MINUTE
from affray.rulesets.rond6.movement import approach, full_move, nowhere, where_fields
from affray.rulesets.rond6.numbers import level, test_of
from affray.rulesets.rond6.points import cannot_spend, spend, spending_fields
from affray.rulesets.rond6.rulings import Rulings
from affray.rulesets.rond6.sheet import Fighter, State
from affray.rulesets.rond6.skills import liberty
from affray.space import Cell

JUMP = Why("jump", "RON-MOVE-12", "jumping")
BREATH = Why("breath", "RON-MOVE-14", "taking a deep breath")
OUT_OF_BREATH = Why("out_of_breath", "RON-MOVE-13", "what being out of breath does this Round")
EXERT = Why("exertion", "RON-MOVE-15", "keeping up the effort")

LONGEST = 6
"""Most Spaces that Result Points add to a jump."""


class Jump(Order, frozen=True, tag="jump"):
    """Jump in a straight line to the cell `to`, or `steps` Spaces towards (negative: away from) somebody.

    `adjust`: Spaces that gravity or surroundings add or take, as the Game Master says.
    """

    to: Cell | None = None
    towards: str = ""
    steps: int = 0
    adjust: int = 0
    points: int = 0
    fate: bool = False


class HoldBreath(Order, frozen=True, tag="hold_breath"):
    """Hold one's breath; `prepared`: with a deep breath and a Fortitude Test, an Action."""

    prepared: bool = False


class Breathe(Order, frozen=True, tag="breathe"):
    """Breathe again."""


class Exert(Order, frozen=True, tag="exert"):
    """What is done this Round is strenuous: it is counted, and after a while it asks for a Test."""


class LieDown(Order, frozen=True, tag="drop_prone"):
    """Drop to the ground."""


class Stand(Order, frozen=True, tag="stand"):
    """Stand up."""


# ---- jumping


def jump_cost(state: State, me: Fighter, order: Jump) -> int:
    return ACTION


def gap_of(me: Fighter, order: Jump) -> int:
    """Spaces that a jump is to cover; a diagonal step is one."""
    return space.distance(me.at, order.to) if order.to is not None and me.at is not None else abs(order.steps)


@rule("RON-MOVE-12", "RON-CON-9", "RON-SPC-17")
def jump_refused(state: State, me: Fighter, order: Jump) -> Refusal | None:
    """Why this jump is not possible now."""
    if me.has("grappled"):
        return Refusal("RON-CON-9", f"{me.name} is held and cannot jump away")
    if me.prone:
        return Refusal("RON-SPC-17", f"{me.name} is prone: stand up first")
    if wrong := nowhere(state, me, order.to, order.towards, order.steps):
        return wrong
    most = max(0, 1 + LONGEST + order.adjust)
    if gap_of(me, order) > most:
        return Refusal("RON-MOVE-12", f"no jump is longer than {most} Spaces")
    if order.to is not None and me.at is not None and not space.visible(me.at, order.to, state.space.walls()):
        return Refusal("RON-MOVE-12", "a wall is in the way")
    return cannot_spend(me, order.points, order.fate)


def jump_fields(state: State, me: Fighter) -> tuple[Field, ...] | Refusal:
    where = where_fields(state, me, 1 + LONGEST)
    return where if isinstance(where, Refusal) else (*where, *spending_fields(me))


@rule("RON-MOVE-12", "RON-RP-1", "RON-RP-16")
def jump(scene: RondScene, order: Jump) -> None:
    """A jump of one Space, one more for each two Result Points; a run-up of half of Move gives a die."""
    pay(scene, order.by, ACTION, order.verb)
    spend(scene, order.by, order.points, order.fate)
    me: Fighter = get(scene.state, order.by)
    rulings = scene.state.rulings
    run_up = listed((1 if me.moved >= max(1, full_move(me) // 2) else 0, "D", "run-up", "RON-MOVE-12"))
    test = test_of(
        me, "Athletics", rulings, run_up, specialization="Jumping", points=order.points, fate=order.fate, standard=True
    )
    margin = scene.call(rolled, test, JUMP, order.by) - level(rulings, 1)
    wanted = gap_of(me, order)
    points = feats.result_points(max(0, margin), rulings)
    reach = max(0, min(LONGEST, points // 2) + 1 + order.adjust) if margin >= 0 else 0
    result = "success" if reach >= wanted else "short" if reach else "failure"
    land(scene, order, min(wanted, reach), (("result", result), ("result_points", points), ("reach", reach)))


def land(scene: RondScene, order: Jump, spaces: int, data: tuple[tuple[str, Any], ...]) -> None:
    """Come down so many Spaces on."""
    me: Fighter = get(scene.state, order.by)
    told = (("spaces", spaces), *data)
    fields: list[tuple[str, Any]] = [("moved", me.moved + spaces)] if spaces else []
    if order.to is not None and me.at is not None:
        cells = (me.at, *space.line(me.at, order.to), order.to)
        while spaces and any(f.at == cells[spaces] and f.id != me.id and not f.out for f in scene.state.fighters):
            spaces -= 1
        fields += [("at", cells[spaces])] if spaces else []
    scene.tell(Changed(order.by, "RON-MOVE-12", tuple(fields), "move.jumps", told))
    if order.to is None and spaces:
        approach(scene, order.by, order.towards, spaces if order.steps > 0 else -spaces)


# ---- breath


@rule("RON-MOVE-13")
def breath(me: Fighter) -> int:
    """Rounds of breath without preparation: ten seconds, two Rounds, for each die of Fortitude."""
    return 2 * test_code(me)


def test_code(me: Fighter) -> int:
    """Dice of Fortitude, before any penalty."""
    return next((code.dice for name, code in me.sheet.skills if name == "Fortitude"), me.sheet.attribute("Stamina").dice)


@rule("RON-MOVE-14")
def breath_prepared(total: int, rulings: Rulings) -> int:
    """Rounds of breath after a deep breath, by the total of Fortitude: five minutes for each point of its result."""
    points = feats.result_points(max(0, total - level(rulings, 1)), rulings)
    result = {"per5": total // 5, "total": total, "result_points": points}[rulings.breath_result]
    return 5 * MINUTE * max(0, result)


def hold_cost(state: State, me: Fighter, order: HoldBreath) -> int:
    return ACTION if order.prepared else FREE


def hold_refused(state: State, me: Fighter, order: HoldBreath) -> Refusal | None:
    return Refusal("RON-MOVE-13", f"{me.name} is holding the breath already") if me.breath_rounds else None


def hold_fields(state: State, me: Fighter) -> tuple[Field, ...]:
    return (Field("prepared", YesNo(), False, "with a deep breath"),)


@rule("RON-MOVE-13", "RON-MOVE-14")
def hold_breath(scene: RondScene, order: HoldBreath) -> None:
    """Hold the breath; preparation never makes it shorter."""
    me: Fighter = get(scene.state, order.by)
    rounds = breath(me)
    pay(scene, order.by, hold_cost(scene.state, me, order), order.verb)
    if order.prepared:
        test = test_of(get(scene.state, order.by), "Fortitude", scene.state.rulings)
        rounds = max(rounds, breath_prepared(scene.call(rolled, test, BREATH, order.by), scene.state.rulings))
    data = (("rounds", rounds), ("minutes", rounds // MINUTE))
    scene.tell(Changed(order.by, "RON-MOVE-13", (("breath_rounds", rounds),), "breath.holds", data))


def breathe_refused(state: State, me: Fighter, order: Breathe) -> Refusal | None:
    return None if me.breath_rounds else Refusal("RON-MOVE-13", f"{me.name} breathes freely")


@rule("RON-MOVE-13")
def breathe(scene: RondScene, order: Breathe) -> None:
    """Breathe again."""
    scene.tell(Changed(order.by, "RON-MOVE-13", (("breath_rounds", 0),), "breath.breathes"))


@rule("RON-MOVE-13", "RON-MOVE-15", "RON-TIME-1")
def round_passes(scene: RondScene) -> None:
    """As a new Round opens: held breath runs down, and whoever made no effort last Round is fresh again.

    Out of breath, the Game Master says each Round what it does; Fatigue is proposed.
    """
    for fighter in scene.state.fighters:
        if fighter.strenuous or fighter.exertion:
            rounds = fighter.exertion if fighter.strenuous else 0
            scene.tell(Changed(fighter.id, "RON-MOVE-15", (("strenuous", False), ("exertion", rounds))))
        if fighter.breath_rounds > 1:
            scene.tell(Changed(fighter.id, "RON-MOVE-13", (("breath_rounds", fighter.breath_rounds - 1),)))
        elif fighter.breath_rounds:
            out_of_breath(scene, fighter.id)


@rule("RON-MOVE-13")
def out_of_breath(scene: RondScene, who: str) -> None:
    """No breath is left."""
    me: Fighter = get(scene.state, who)
    if me.breath_rounds > 0:
        scene.tell(Changed(who, "RON-MOVE-13", (("breath_rounds", -1),), "breath.out"))
    if me.out in ("dead", "gone", "destroyed"):
        return
    options = ("nothing", "fatigue", "unconscious", "breathes")
    judged = scene.choose(OneOf(options), OUT_OF_BREATH, MASTER, "fatigue", (me,))
    if judged == "fatigue":
        scene.become(who, tire)
    elif judged == "unconscious" and not me.out:
        fields = (("out", "unconscious"), ("fainted", "breath"), *FALLEN)
        scene.tell(Changed(who, "RON-MOVE-13", fields, "breath.faints"))
    elif judged == "breathes":
        scene.tell(Changed(who, "RON-MOVE-13", (("breath_rounds", 0),), "breath.breathes"))


# ---- effort


def exert_refused(state: State, me: Fighter, order: Exert) -> Refusal | None:
    return Refusal("RON-MOVE-15", "this Round is counted already") if me.strenuous else None


@rule("RON-MOVE-15", "RON-CON-4")
def exert(scene: RondScene, order: Exert) -> None:
    """A Round of strenuous activity: free for as many as Fortitude has dice, then a Test that gets harder each Round."""
    me: Fighter = get(scene.state, order.by)
    rounds = me.exertion + 1
    fields = (("exertion", rounds), ("strenuous", True))
    scene.tell(Changed(order.by, "RON-MOVE-15", fields, "exertion.round", (("rounds", rounds),)))
    late = rounds - test_code(me)
    if late < 1:
        return
    rulings = scene.state.rulings
    test = test_of(me, "Fortitude", rulings, action=False, standard=late == 1)
    if scene.call(reaches, test, level(rulings, late), EXERT, order.by):
        scene.tell(Changed(order.by, "RON-MOVE-15", (), "exertion.goes_on", (("result", "success"),)))
        return
    scene.become(order.by, tire)
    scene.tell(Changed(order.by, "RON-MOVE-15", (("exertion", 0),), "exertion.stops", (("result", "failure"),)))


# ---- down and up


def lie_refused(state: State, me: Fighter, order: LieDown) -> Refusal | None:
    return Refusal("RON-SPC-17", f"{me.name} is prone already") if me.prone else None


@rule("RON-SPC-17", "RON-ACT-4")
def lie_down(scene: RondScene, order: LieDown) -> None:
    """Dropping to the ground is free."""
    if liberty(scene, order.by):
        scene.tell(Changed(order.by, "RON-SPC-17", (("prone", True),), "move.lies"))


def stand_refused(state: State, me: Fighter, order: Stand) -> Refusal | None:
    return None if me.prone else Refusal("RON-SPC-17", f"{me.name} is on the feet")


@rule("RON-SPC-17")
def stand(scene: RondScene, order: Stand) -> None:
    """Standing up is an Action."""
    pay(scene, order.by, ACTION, order.verb)
    scene.tell(Changed(order.by, "RON-SPC-17", (("prone", False),), "move.stands"))


def free_cost(state: State, me: Fighter, order: Order) -> int:
    return FREE


def one_action(state: State, me: Fighter, order: Order) -> int:
    return ACTION


COMMANDS: dict[type, Command] = {
    Jump: Command(jump_cost, jump_refused, jump_fields, jump, "jump", single=True),
    LieDown: Command(free_cost, lie_refused, nothing, lie_down, "drop to the ground"),
    Stand: Command(one_action, stand_refused, nothing, stand, "stand up", single=True),
    HoldBreath: Command(hold_cost, hold_refused, hold_fields, hold_breath, "hold one's breath", single=True),
    Breathe: Command(free_cost, breathe_refused, nothing, breathe, "breathe again"),
    Exert: Command(free_cost, exert_refused, nothing, exert, "count a Round of strenuous activity"),
}
