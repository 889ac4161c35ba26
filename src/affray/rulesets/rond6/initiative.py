"""Rounds and turns: initiative, who is up, what happens by itself as Rounds and turns open and close."""

from __future__ import annotations

from typing import Any

from affray.ask import MASTER, Ask, Roll, Why
from affray.dice import PlainPool
from affray.domains import Ranking
from affray.events import Changed, get
from affray.modifiers import Modifier
from affray.order import first
from affray.rules import rule
from affray.ruleset import Order
from affray.rulesets.rond6 import exertion
from affray.rulesets.rond6.actions import FREE, Command, End, RondScene, allowed, limit, nothing
from affray.rulesets.rond6.conditions import after_round, after_turn, shake_off, shake_off_massive, sleep_on
from affray.rulesets.rond6.damage import mortal_clock
from affray.rulesets.rond6.numbers import Test, distance, test_of
from affray.rulesets.rond6.rulings import Rulings
from affray.rulesets.rond6.sheet import Condition, Fighter, State
from affray.rulesets.rond6.special.grapple import set_free
from affray.rulesets.rond6.tables import ATTACK_SKILL

INITIATIVE = Why("initiative", "RON-TIME-5", "initiative")
TIE = Why("tie", "RON-TIME-9", "who goes first among equals")
ROLL_OFF = Why("roll off", "RON-TIME-9", "roll-off")


GONE = ("dead", "gone", "destroyed")
"""Out for good: no Round brings anything to them."""


class Round(Order, frozen=True, tag="round"):
    """A Round closes and a new one opens; it comes by itself."""


class Turn(Order, frozen=True, tag="turn"):
    """A turn opens; it comes by itself."""


# ---- who is up


@rule("RON-TIME-9")
def priority(me: Fighter) -> tuple[int, int, int, int]:
    """What breaks a tie of initiative: a Talent that gives priority, Agility, the skill in use, the master's word."""
    agility = me.sheet.attribute("Agility").value
    return (int(me.sheet.talent("Priority") > 0), agility, skill_in_use(me), me.tie)


def skill_in_use(me: Fighter) -> int:
    """Worth of the skill that goes with the weapon in hand."""
    weapon = me.sheet.weapon(me.held[0]) if me.held else None
    name = ATTACK_SKILL[weapon.kind if weapon else "unarmed"]
    return next((code.value for known, code in me.sheet.skills if known == name), 0)


def able(me: Fighter) -> bool:
    """Can take a turn at all (RON-TIME-8)."""
    return in_play(me) and not me.has("immobilized")


def in_play(me: Fighter) -> bool:
    """Neither beaten nor gone: whoever is held fast fights on once it is loose."""
    return not me.out and not me.sheet.object


@rule("RON-TIME-3", "RON-TIME-7", "RON-TIME-8", "RON-TIME-9")
def up(state: State) -> tuple[str, ...]:
    """Who may act now: those cutting in, else the one whose turn it is, else the highest initiative that has not acted.

    The members of a group come together: until the first of them does something, the Game Master may pick another
    (RON-TIME-6).
    """
    if state.after:
        return ()
    if state.interrupting:
        return state.interrupting[-1:]
    if state.turn:
        me: Fighter = get(state, state.turn)
        untouched = not (me.declared or me.doing or me.moved)
        return (me.id, *(f.id for f in group_of(state, me) if untouched and f.id != me.id and able(f)))
    left = [f for f in state.fighters if able(f) and not f.acted]
    if not left or state.round == 0:
        return ()
    best = left[first([f.initiative for f in left], _ranks(left), [True] * len(left), len(left))]
    return (best.id, *(f.id for f in group_of(state, best) if f.id != best.id and able(f)))


def coming(state: State) -> tuple[str, ...]:
    """Who has still to act this Round, in order."""
    left = [f for f in state.fighters if able(f) and not f.acted and f.id != state.turn]
    return tuple(f.id for f in sorted(left, key=lambda f: (f.initiative, priority(f)), reverse=True))


@rule("RON-TIME-6")
def group_of(state: State, me: Fighter) -> tuple[Fighter, ...]:
    """Those of one's group who have not acted and share its initiative, oneself included."""
    if not me.group:
        return (me,)
    key = (me.side, me.group, me.initiative)
    return tuple(f for f in state.fighters if (f.side, f.group, f.initiative) == key and not f.acted)


def _ranks(fighters: list[Fighter]) -> list[int]:
    order = sorted({priority(f) for f in fighters})
    return [order.index(priority(f)) for f in fighters]


@rule("RON-TIME-3")
def over(state: State) -> bool:
    """One side is beaten, gone or has given up, or the Game Master has closed the fight."""
    return state.closed or state.after or len({f.side for f in state.fighters if in_play(f)}) < 2


@rule("RON-TIME-4")
def flow(state: State) -> Order | None:
    """What is due by itself: the next Round, a turn that opens, the end of a turn whose owner can no longer act."""
    if over(state):
        return None
    if state.turn:
        return End(state.turn) if not able(get(state, state.turn)) and not state.interrupting else None
    who = up(state)
    if not who:
        return Round("")
    return Turn(who[0])


# ---- Rounds


@rule("RON-TIME-1", "RON-TIME-4", "RON-ACT-15")
def new_round(scene: RondScene, order: Round) -> None:
    """Close the Round (clocks), open the next (durations, unused Actions vanish), roll initiative."""
    open_round(scene)
    roll_initiative(scene)
    if scene.state.rulings.surprise_turn == "loses_first_turn" and scene.state.round == 1:
        for fighter in scene.state.fighters:
            if fighter.has("surprised"):
                scene.tell(Changed(fighter.id, "RON-TIME-8", (("acted", True),), "time.surprised"))


@rule("RON-TIME-1", "RON-ACT-15", "RON-DMG-13", "RON-DMG-16")
def open_round(scene: RondScene) -> None:
    """The clocks of a Round that closes and of the one that opens."""
    close_waits(scene, all_of_them=True)
    for fighter in scene.state.fighters:
        if fighter.mortal and fighter.out != "dead":
            scene.become(fighter.id, mortal_clock)
    number = scene.state.round + 1
    scene.tell(Changed("", "RON-TIME-4", (("round", number), ("turn", "")), "time.round", (("round", number),)))
    for fighter in scene.state.fighters:
        if fighter.out not in GONE:
            scene.become(fighter.id, refresh)
    for fighter in scene.state.fighters:
        if fighter.asleep:
            scene.become(fighter.id, sleep_on)
    exertion.round_passes(scene)


def refresh(ask: Ask, me: Fighter) -> Fighter:
    """A fighter as a new Round opens."""
    fields: dict[str, Any] = {"acted": False, "declared": 0, "used": 0, "full": False, "limit_doubled": False, "extra": 0}
    fields |= {"waiting": "", "doing": "", "tie": 0, "conditions": after_round(me.conditions)}
    changed = tuple((name, value) for name, value in fields.items() if getattr(me, name) != value)
    return ask.tell(Changed(me.id, "RON-ACT-15", changed), me) if changed else me


@rule("RON-TIME-5", "RON-ACT-8", "RON-SPC-21")
def initiative_test(me: Fighter, rulings: Rulings, first_round: bool) -> Test:
    """The Perception roll for initiative; further Actions never touch it, surprise does in the first Round."""
    surprised = first_round and me.has("surprised")
    extra = [Modifier(-1, "D", "surprised", "RON-SPC-21")] if surprised else []
    if me.sheet.initiative:
        extra.append(Modifier(me.sheet.initiative, "", "initiative bonus", "RON-TIME-5"))
    hurt = -1 if rulings.wounds_lower_initiative else 0
    return test_of(me, "Perception", rulings, extra, action=False, hurt=hurt, standard=False)


@rule("RON-TIME-8")
def miss_turn(scene: RondScene, before: Fighter | None = None) -> None:
    """Those who cannot act miss the turn of this Round, also if they come to themselves later in it.

    `before`: only whose place in the order lies before this fighter's.
    """
    for me in scene.state.fighters:
        if me.acted or able(me) or me.sheet.object or me.out in GONE:
            continue
        if before is None or (me.initiative, priority(me)) > (before.initiative, priority(before)):
            scene.tell(Changed(me.id, "RON-TIME-8", (("acted", True),)))


@rule("RON-TIME-5", "RON-TIME-6", "RON-TIME-8")
def roll_initiative(scene: RondScene) -> None:
    """One roll for each fighter, one for each group, in the order of the roster; all may be thrown at once.

    Whoever cannot act as the Round opens throws none, and has no turn in it.
    """
    miss_turn(scene)
    units: dict[tuple[str, str], list[Fighter]] = {}
    for fighter in scene.state.fighters:
        if able(fighter):
            units.setdefault((fighter.side, fighter.group or fighter.id), []).append(fighter)
    tests = [initiative_test(members[0], scene.state.rulings, scene.state.round == 1) for members in units.values()]
    requests = [
        Roll(test.pool(scene.state.rulings), INITIATIVE, members[0].id, test.parts)
        for test, members in zip(tests, units.values(), strict=True)
    ]
    for rolled, test, members in zip(scene.all(requests), tests, units.values(), strict=True):
        for fighter in members:
            score = rolled + test.plus
            scene.tell(Changed(fighter.id, "RON-TIME-5", (("initiative", score),), "time.initiative", (("score", score),)))
    break_ties(scene)


@rule("RON-TIME-9")
def break_ties(scene: RondScene) -> None:
    """Ties that Talent, Agility and skill leave open are decided by the Game Master, or as the ruling says."""
    tied: dict[tuple[Any, ...], list[Fighter]] = {}
    for fighter in scene.state.fighters:
        if able(fighter):
            tied.setdefault((fighter.initiative, *priority(fighter)), []).append(fighter)
    how = scene.state.rulings.tie_last
    for members in tied.values():
        heads = {(f.side, f.group or f.id): f.id for f in reversed(members)}
        names = tuple(f.id for f in members if f.id in heads.values())
        if len(names) < 2 or how == "listing_order":
            continue
        if how == "roll_off":
            rolls = scene.all([Roll(PlainPool(1), ROLL_OFF, who) for who in names])
            by_roll = sorted(range(len(names)), key=lambda i, rolls=rolls: (-rolls[i], i))  # type: ignore[misc]
            ranked = tuple(names[i] for i in by_roll)
        else:
            ranked = scene.choose(Ranking(names), TIE, MASTER, names)
        for place, who in enumerate(ranked):
            lead: Fighter = get(scene.state, who)
            for fighter in members:
                if fighter.id == who or (fighter.group and (fighter.side, fighter.group) == (lead.side, lead.group)):
                    scene.tell(Changed(fighter.id, "RON-TIME-9", (("tie", len(ranked) - place),), "time.tie"))


# ---- turns


@rule("RON-TIME-3", "RON-DEF-3", "RON-DEF-8", "RON-CON-6", "RON-DMG-17")
def begin_turn(scene: RondScene, order: Turn) -> None:
    """A turn opens: defenses end, rest pays off, the hold of massive damage may be shaken off."""
    me: Fighter = get(scene.state, order.by)
    miss_turn(scene, me)
    scene.tell(Changed("", "RON-TIME-3", (("turn", order.by),), "time.turn", (("who", order.by),)))
    ended: dict[str, Any] = {"standing": (), "carried": 0, "defence_bonus": 0, "barred": False, "moved": 0, "doing": ""}
    ended["liberties"] = 0
    if me.rested and me.stunned:
        ended["stunned"] = False
    changed = tuple((name, value) for name, value in ended.items() if getattr(me, name) != value)
    if changed:
        scene.tell(Changed(order.by, "RON-DEF-3", changed, "time.turn_begins"))
    me = get(scene.state, order.by)
    if me.stunned and scene.state.rulings.stun_recovery == "free_at_turn_start":
        scene.become(order.by, shake_off, False)
    if me.massive:
        scene.become(order.by, shake_off_massive)
    if me.grappled_by and not still_held(scene.state, me):
        set_free(scene, order.by, "RON-CON-9")


@rule("RON-CON-9")
def still_held(state: State, me: Fighter) -> bool:
    """A hold lasts while the holder can act and is within reach of a hand."""
    holder = next((f for f in state.fighters if f.id == me.grappled_by), None)
    return holder is not None and not holder.out and distance(state, me, holder) <= 1


@rule("RON-ACT-15", "RON-ACT-16", "RON-CON-1", "RON-CON-6", "RON-CON-8")
def end_turn(scene: RondScene, order: End) -> None:
    """A turn closes: unused Actions are lost, an aim that was not kept up is lost, conditions run down."""
    me: Fighter = get(scene.state, order.by)
    if scene.state.interrupting:
        scene.tell(Changed("", "RON-ACT-14", (("interrupting", scene.state.interrupting[:-1]),)))
        return
    scene.tell(Changed(order.by, "RON-ACT-15", closed(me, scene.state.rulings), "time.turn_ends"))
    scene.tell(Changed("", "RON-TIME-3", (("turn", ""),)))


@rule("RON-ACT-15", "RON-ACT-16", "RON-CON-1", "RON-CON-6", "RON-CON-8", "RON-DMG-17", "RON-INT-6")
def closed(me: Fighter, rulings: Rulings) -> tuple[tuple[str, Any], ...]:
    """What changes as a fighter's turn closes. A turn that was passed by has forfeited the Actions that it owed."""
    fields: dict[str, Any] = {"acted": True, "open_turn": False, "waiting": ""}
    fields["rested"] = not me.doing and not me.moved and not me.out
    if me.doing != "aim":
        fields["aim"] = 0
    if me.massive == 2:
        fields["massive"] = 0
    if not me.declared:
        fields["lost"] = max(0, me.lost - limit(me, rulings))
    fields["conditions"] = tuple(c for c in after_turn(me.conditions) if not surprise_is_over(c, me))
    return tuple((name, value) for name, value in fields.items() if getattr(me, name) != value)


@rule("RON-ACT-13", "RON-CON-1")
def close_waits(scene: RondScene, all_of_them: bool = False) -> None:
    """The turn of one who waited closes when it has cut in, or with the Round."""
    for fighter in scene.state.fighters:
        if fighter.open_turn and (all_of_them or not fighter.waiting) and fighter.id not in scene.state.interrupting:
            scene.tell(Changed(fighter.id, "RON-ACT-15", closed(fighter, scene.state.rulings), "time.turn_ends"))


@rule("RON-SPC-21")
def surprise_is_over(condition: Condition, me: Fighter) -> bool:
    """Surprise matters until its first attack has been suffered and its first turn has passed."""
    return condition.name == "surprised" and me.attacked


COMMANDS: dict[type, Command] = {
    End: Command(lambda state, me, order: FREE, allowed, nothing, end_turn, "end the turn"),
}
