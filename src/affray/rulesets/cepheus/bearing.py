"""How a combatant looks to people: as a stranger to those whose it is not, and in words for a screen."""

from __future__ import annotations

from typing import Any

from msgspec.structs import replace

from affray.audience import Audience, without
from affray.modifiers import Modifier, Parts
from affray.recent import remembered
from affray.ruleset import Bearing, Distances, Figure, Shown, Sign
from affray.rulesets.cepheus import actions, damage, numbers, tables
from affray.rulesets.cepheus.sheet import PHYSICAL, SCORES, SHORT, Armour, Fighter, Held, Sheet, State, to_upp
from affray.rulesets.cepheus.special import comms

ORDINARY = 7
"""Every score of somebody of whom nothing is known."""


def condition(me: Fighter) -> str:
    """How somebody looks, in a word or two."""
    if me.status != "up":
        return me.status
    if me.serious:
        return "seriously wounded"
    return "wounded" if any(getattr(me, n) < getattr(me.sheet, n) for n in PHYSICAL) else "unhurt"


LEVELS = {"unhurt": 0, "wounded": 2, "seriously wounded": 3}


# ---- strangers


def secret(state: State, me: Fighter) -> bool:
    """Hidden, and no opponent knows of him yet."""
    return me.hidden and not any(me.id in f.aware for f in state.fighters if f.side != me.side)


def knows(state: State, audience: Audience) -> frozenset[str]:
    """Ids of those of whom the audience knows: whoever is not hidden, or of whom one of their own is aware."""
    own = {*audience.own, *audience.known}
    known = own | {who for f in state.fighters if f.id in audience.own for who in f.aware}
    return frozenset(f.id for f in state.fighters if audience.master or f.id in known or not secret(state, f))


def seen(state: State, audience: Audience) -> State:
    """The state as the audience knows it."""
    if audience.master:
        return state
    shown: State = without(state, knows(state, audience))
    fighters = tuple(f if audience.whole(f.id) else stranger(f) for f in shown.fighters)
    held_back = tuple(one for one in shown.waiting if audience.whole(one.who))
    return replace(shown, fighters=fighters, waiting=held_back)


@remembered(1024)
def stranger(me: Fighter) -> Fighter:
    """Somebody of whom no more is known than shows: ordinary, with what is worn and in hand."""
    old = me.sheet
    in_hand = [(w, h) for w, h in zip(old.weapons, me.held, strict=False) if h.ready and not h.gone]
    sheet = Sheet(
        weapons=tuple(w for w, _ in in_hand),
        armour=tuple(Armour(a.name, a.rating, a.rating_laser, a.ablative) for a in old.armour if not a.concealable),
        traits=(),
    )
    word = condition(me)
    lost = {"wounded": (0, 0, 3), "seriously wounded": (3, 3, 3)}.get(word, (0, 0, 0))
    if me.status in ("dead", "unconscious"):
        lost = (ORDINARY,) * 3 if me.status == "dead" else (ORDINARY, ORDINARY, 0)
    scores = {name: ORDINARY - less for name, less in zip(PHYSICAL, lost, strict=True)}
    return replace(
        me,
        sheet=sheet,
        **{name: scores.get(name, ORDINARY) for name in SCORES},
        eased=False,
        was_hurt=False,
        fatigued=False,
        held=tuple(Held(h.weapon, rounds=w.magazine, mode=h.mode) for w, h in in_hand),
        supplies=(),
        doses=(),
        stims=0,
        rads=0,
        wear=0,
        rested=0.0,
        task=None,
        failed_wakings=0,
        fell=0,
        hurt_at=-1,
        aided="",
        kill=0,
        help=0,
        lost=0,
    )


# ---- words


def bearing(state: State, who: str) -> Bearing:
    """How a fighter stands."""
    me = state[who]
    rest = ""
    if who == state.turn or me.waiting:
        rest = f"{int(actions.significant_left(me))} significant, {actions.minor_left(me)} minor left"
    now = tuple(getattr(me, name) for name in SCORES)
    full = {name: word for word, name in SHORT.items()}
    own = [(full[name].capitalize(), f"{getattr(me, name)} of {getattr(me.sheet, name)}") for name in PHYSICAL]
    own.append(("Profile", to_upp(now)))
    return Bearing(
        condition(me),
        4 if me.status != "up" else LEVELS[condition(me)],
        comms.initiative(state, me),
        me.begun,
        rest,
        tuple(signs(me)),
        (),
        tuple(w.name for w, _ in numbers.ready_weapons(me)),
        tuple(own),
        (),
        tuple((w.name, h.rounds, w.magazine) for w, h in zip(me.sheet.weapons, me.held, strict=False) if w.magazine),
    )


def signs(me: Fighter) -> list[Sign]:
    """What is so with somebody for now, wounds aside."""
    cover = numbers.cover_quarters(me)
    found = [
        Sign(me.stance, "until the stance changes", "CEP-ACT-7") if me.stance != "standing" else None,
        Sign(f"cover {cover}/4 ({tables.COVER[cover]:+d})", "", "CEP-COV-1") if cover else None,
        Sign("waiting", "until he acts", "CEP-ACT-19") if me.waiting else None,
        Sign(f"suppressed (Initiative −{me.suppressed})", "until his next turn", "CEP-SUP-3") if me.suppressed >= 0 else None,
        Sign("fatigued", "until rested", "CEP-FAT-1") if me.fatigued else None,
        Sign("hastened", "this round", "CEP-RND-6") if me.hasted else None,
        Sign("helpless", "", "CEP-UNC-1") if me.helpless else None,
        Sign(f"in a grapple with {me.grapple}", "until somebody gets away", "CEP-GRP-1") if me.grapple else None,
        Sign(f"aims at {me.aim_at}: +{me.aim}", "until the shot or a hindrance", "CEP-ACT-3") if me.aim else None,
        Sign(f"aims for the kill: +{me.kill}", "until the shot or a hindrance", "CEP-ACT-6") if me.kill else None,
    ]
    for toll in me.tolls:
        found.append(Sign(f"DM {toll.amount:+d}", f"{toll.rounds} round{'s' * (toll.rounds != 1)} left", toll.rule))
    for dose in me.doses:
        on = f"{dose.left} rounds left" if not dose.onset else f"works in {dose.onset} rounds"
        found.append(Sign(dose.drug.replace("_", " "), on, "CEP-GER-13"))
    if me.task:
        found.append(Sign(f"works: {me.task.name}", f"{me.task.done} of {me.task.rounds} rounds done", "CEP-ACT-16"))
    return [one for one in found if one is not None]


def band_of(state: State, order: object) -> str:
    """The range band between the one who orders and the target."""
    by, target = getattr(order, "by", ""), getattr(order, "target", "")
    ids = {f.id for f in state.fighters}
    if by not in ids or target not in ids or by == target:
        return ""
    return str(tables.BANDS[numbers.band(state, by, target)])


def ground(state: State) -> tuple[str, str, float]:
    """A grid of squares of 1.5 m where the ruling says so, else distances of pairs."""
    return ("grid" if state.rulings.space_model == "grid" else "bands", "square", tables.SQUARE)


def apart(state: State, a: str, b: str) -> tuple[str, float, str]:
    """How far two are apart."""
    far, name = numbers.metres(state, a, b), tables.BANDS[numbers.band(state, a, b)]
    return f"{far:g} m, {name}", far, name


def scene(state: State) -> tuple[tuple[str, str], ...]:
    """Light, smoke, weather and ground; what is not so is left out."""
    so = (("storm", state.storm), ("zero g", state.zero_g), ("jammed", state.jammed))
    smoke = (("smoke", state.smoke),) if state.smoke != "none" else ()
    return (("light", state.light), *smoke, *((name, "yes") for name, is_so in so if is_so), ("terrain", state.terrain))


def put_apart(state: State, a: str, b: str, far: float | str) -> dict[str, Any]:
    """The pair is now so far apart; a band stands for its nominal distance."""
    first, second = sorted((a, b), key=[f.id for f in state.fighters].index)
    metres = tables.STATED[far] if isinstance(far, str) else far
    now = replace(numbers.pair(state, first, second), metres=metres, extreme=far == tables.EXTREME)
    return {"pairs": (*(p for p in state.pairs if {p.a, p.b} != {a, b}), now)}


DISTANCES = Distances(
    lambda state: "" if state.rulings.space_model in ("line", "grid") else "metres, or a band", put_apart, tuple(tables.STATED)
)


def figures(state: State, target: str, value: object) -> tuple[Figure, ...]:
    """The numbers of an attack: the throw and its damage, what the target does to the throw, and its armour."""
    if isinstance(value, numbers.Line):
        throw = f"{'3D6 less the highest' if value.pool == 3 else '2D6'}{value.dm:+d}" if value.dm else "2D6"
        found = [Figure("attack", "by", Shown(value.dm, f"{throw}, 8 or more", value.parts), "CEP-ATK-1")]
        if value.dice and value.manner != "suppress":
            dice = f"{value.dice}D6" + (f"×{value.factor}" if value.factor != 1 else "")
            dice += f"{value.plus:+d}" if value.plus else ""
            found.append(Figure("damage", "by", Shown(value.dice, f"{dice}, and the Effect"), "CEP-DMG-1"))
        laser = value.laser
        if target in {f.id for f in state.fighters}:
            layers = damage.armour(state[target], laser)
            rows = Parts([Modifier(rating, "", name, "CEP-ARM-1") for rating, name in layers])
            rating = sum(rating for rating, _ in layers)
            found.append(Figure("armour", "target", Shown(rating, str(rating), rows), "CEP-ARM-1"))
        return tuple(found)
    if isinstance(value, numbers.Guard):
        return (Figure("target", "target", Shown(value.dm, f"DM {value.dm:+d}", value.parts), "CEP-MOD-1"),)
    return ()
