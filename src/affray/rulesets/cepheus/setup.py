"""From a described encounter to the state in which it begins; what a sheet may say in a file.

Reports everything that is wrong at its place. Positions: distances of pairs (metres, or the name of a band) in the model of
pairs, places `at` on a line or a grid. `space.light` takes several words: light, smoke, weather, gravity, terrain.
"""

from __future__ import annotations

import re
from typing import Any, get_type_hints

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from affray.errors import BadAnswer, plainly
from affray.reading import NOTHING, Report, read
from affray.rules import rule
from affray.rulesets.cepheus import movement, tables
from affray.rulesets.cepheus.sheet import SCORES, Armour, Fighter, Held, Pair, Sheet, State, Weapon, parse_upp
from affray.rulesets.cepheus.special import comms
from affray.setup import Placed, Setup

WORDS: dict[str, tuple[str, Any]] = {
    "bright": ("light", "bright"), "daylight": ("light", "bright"), "low": ("light", "low"), "low light": ("light", "low"),
    "dusk": ("light", "low"), "dark": ("light", "dark"), "total darkness": ("light", "dark"), "darkness": ("light", "dark"),
    "smoke": ("smoke", "smoke"), "fog": ("smoke", "smoke"), "thick smoke": ("smoke", "thick"), "storm": ("storm", True),
    "zero gravity": ("zero_g", True), "zero-g": ("zero_g", True), "extreme cold": ("cold", True), "jammed": ("jammed", True),
    "tight": ("terrain", "tight"), "outdoors": ("terrain", "outdoors"), "open": ("terrain", "open"),
}  # fmt: skip
"""Words of `space.light`, and what of the scene they set."""


class Form(Struct, frozen=True, forbid_unknown_fields=True):
    """What a sheet may say: a profile (`upp`) or single scores, skills with levels, gear by name or in full."""

    upp: str | None = None
    strength: int | None = None
    dexterity: int | None = None
    endurance: int | None = None
    intelligence: int | None = None
    education: int | None = None
    standing: int | None = None
    skills: dict[str, int] = {}
    weapons: tuple[Weapon, ...] = ()
    armor: tuple[Armour, ...] = ()
    gear: tuple[dict[str, Any], ...] = ()
    sensors: tuple[str, ...] = ()
    means: tuple[str, ...] = ("direct",)
    traits: tuple[str, ...] = ()
    supplies: tuple[str, ...] = ()
    ready: tuple[str, ...] | None = None
    unit: str = ""
    commander: bool = False
    immune: str = ""
    cold: bool = False
    load: float = 0
    notes: str = ""


SENSORS = (
    "infra_red",
    "light_intensification",
    "laser_targeting",
    "motion",
    "electromagnetic",
    "densitometer",
    "bioscanner",
    "nas",
)
SUPPLIES = ("stim", "combat_drug", "metabolic_accelerator", "plastic", "tdx", "pocket_nuke")
MEANS = ("direct", "hardlink", "radio", "laser", "maser", "meson")
TRAITS = (
    "fast metabolism", "slow metabolism", "cold-blooded", "armored", "natural weapon", "huge", "great leaper", "flyer",
    "fast", "slow", "aquatic", "engineered",
)  # fmt: skip


def setup(described: Setup, report: Report) -> State | None:
    """The state in which the encounter begins, or None after reporting what is wrong."""
    fighters = [fighter(one, report.at("combatant", n)) for n, one in enumerate(described.combatants)]
    scene = conditions(described.ground.light, report.at("space", "light"))
    pairs = apart(described, report)
    no_map(described, report)
    if any(one is None for one in fighters) or scene is None or pairs is None:
        return None
    everybody = tuple(one for one in fighters if one is not None)
    state = State(aware(everybody, described), described.rulings, pairs=pairs, **scene)
    if state.rulings.space_model in ("pair", "bands"):
        state = replace(state, pairs=movement.starting_pairs(state))
    return started(state, described, report.at("start"))


# ---- one combatant


def fighter(placed: Placed, report: Report) -> Fighter | None:
    """A combatant in full health with loaded weapons, or None after reporting."""
    form = read(Form, placed.sheet, report)
    if form is NOTHING:
        return None
    scores = scores_of(form, report)
    for names, known, key in (
        (form.sensors, SENSORS, "sensors"),
        (form.means, MEANS, "means"),
        (form.traits, TRAITS, "traits"),
        (form.supplies, SUPPLIES, "supplies"),
    ):
        for name in names:
            if name not in known:
                report.at(key).unknown(key.rstrip("s"), name, known)
                scores = None
    if not sensible(form, report) or scores is None:
        return None
    sensors = (*form.sensors, *(str(item["sensor"]) for item in form.gear if item.get("sensor")))
    means = (*form.means, *(str(item["means"]) for item in form.gear if item.get("means")))
    traits = form.traits
    skills = tuple(form.skills.items())
    six: dict[str, Any] = dict(zip(SCORES, scores, strict=True))
    sheet = Sheet(
        **six, skills=skills, weapons=form.weapons, armour=form.armor, sensors=sensors,
        traits=traits, unit=form.unit, commander=form.commander, immune=form.immune, cold=form.cold, load=form.load,
    )  # fmt: skip
    return Fighter(
        placed.id,
        placed.side,
        sheet,
        **six,
        held=in_hand(form.weapons, form.ready),
        supplies=form.supplies,
        means=tuple(dict.fromkeys(means)),
        at=placed.cell,
        hidden=placed.hidden,
        aloft="flyer" in traits,
    )


DICE = re.compile(r"[0-9]{1,2}D6?", re.IGNORECASE)
"""Damage as the rules read it."""


def sensible(form: Form, report: Report) -> bool:
    """Whether skills, load and gear are numbers that the rules can use; reports everything that is not."""
    wrong: list[tuple[Report, str]] = []

    def within(value: float, least: float, most: float, at: Report) -> None:
        if not least <= value <= most:
            wrong.append((at, f"{value}: must be from {least:g} to {most:g}"))

    for skill, level in form.skills.items():
        within(level, 0, 99, report.at("skills", skill))
    within(form.load, 0, 100000, report.at("load"))
    for n, weapon in enumerate(form.weapons):
        at = report.at("weapons", n)
        for row in weapon.rows:
            if row not in tables.GRID:
                at.at("rows").unknown("range row", row, tuple(tables.GRID))
                wrong.append((at, ""))
        for key in ("rows", "skills", "modes"):
            if not getattr(weapon, key):
                wrong.append((at.at(key), "needs at least one"))
        codes = [("damage", weapon.damage), ("backblast_damage", weapon.backblast_damage)]
        for key, text in (*codes, *(("rings", ring.damage) for ring in weapon.rings)):
            if text and not DICE.fullmatch(text):
                wrong.append((at.at(key), f"{text!r} is no damage; write for example 3D6"))
        for key in ("magazine", "draw", "reload", "reload_without_reactions", "radius", "backblast", "min_str"):
            within(getattr(weapon, key), 0, 10000, at.at(key))
        for mode in weapon.modes:
            within(mode.rounds, 1, 10000, at.at("modes"))
        for ring in weapon.rings:
            within(ring.within, 0, 100000, at.at("rings"))
    for n, layer in enumerate(form.armor):
        for key in ("rating", "rating_laser", "str_bonus", "dex_bonus"):
            within(getattr(layer, key) or 0, 0, 1000, report.at("armor", n, key))
    for place, text in wrong:
        if text:
            place.say(text)
    return not wrong


def scores_of(form: Form, report: Report) -> tuple[int, ...] | None:
    """The six scores: those of the profile, changed by what stands beside it; 7 where nothing is said."""
    base: tuple[int, ...] = (7,) * 6
    if form.upp is not None:
        try:
            base = parse_upp(form.upp)
        except BadAnswer as wrong:
            report.at("upp").say(str(wrong))
            return None
    found = tuple(base[i] if (own := getattr(form, name)) is None else own for i, name in enumerate(SCORES))
    for name, value in zip(SCORES, found, strict=True):
        if not 0 <= value <= 99:
            report.at(name).say(f"{value}: a score is 0 to 99")
            return None
    return found


def in_hand(weapons: tuple[Weapon, ...], ready: tuple[str, ...] | None) -> tuple[Held, ...]:
    """CEP-ACT-8: the first weapon is in hand, or those that are named; magazines are full."""
    return tuple(
        Held(
            weapon.name,
            (i == 0) if ready is None else weapon.name in ready,
            weapon.magazine,
            0 if weapon.kind == "grenade" else -1,
            mode=weapon.modes[0].name if weapon.mode_switch else "",
            stocked=weapon.stock,
        )
        for i, weapon in enumerate(weapons)
    )


# ---- the scene


def conditions(words: str, report: Report) -> dict[str, Any] | None:
    """Fields of the state from the words for light and the like."""
    found: dict[str, Any] = {}
    for word in words.replace(";", ",").split(","):
        if not (plain := word.strip().lower()):
            continue
        if plain not in WORDS:
            report.unknown("word for the scene", plain, tuple(WORDS))
            return None
        name, value = WORDS[plain]
        found[name] = value
    return found


def no_map(described: Setup, report: Report) -> None:
    """There are no areas here: who stands behind what is said of each combatant."""
    for key in dict.fromkeys({"wall": "walls", "cover": "cover"}.get(a.kind, "terrain") for a in described.ground.space.areas):
        report.at("space", key).say("the map of this ruleset has no areas; give a combatant its cover: state = { cover = 2 }")


def apart(described: Setup, report: Report) -> tuple[Pair, ...] | None:
    """The pairs whose distance is stated, in metres or by band."""
    order = [one.id for one in described.combatants]
    found: dict[tuple[str, str], Pair] = {}
    for a, b, far in described.ground.apart:
        if isinstance(far, str):
            name = next((one for one in tables.STATED if one.lower() == far.lower()), "")
            if not name:
                report.at("distances").unknown("range band", far, tuple(tables.STATED))
                return None
            metres, extreme = tables.STATED[name], name == tables.EXTREME
        else:
            metres, extreme = float(far), False
        first, second = sorted((a, b), key=order.index)
        found[first, second] = Pair(first, second, metres, extreme)
    return tuple(found.values())


@rule("CEP-AWR-1", "CEP-SEN-2")
def aware(fighters: tuple[Fighter, ...], described: Setup) -> tuple[Fighter, ...]:
    """CEP-AWR-1: everybody knows of everybody, but the surprised know of no opponent and nobody of a hidden one."""
    surprised = {one.id for one in described.combatants if one.surprised}
    return tuple(
        replace(
            me,
            aware=tuple(
                other.id
                for other in fighters
                if other.id != me.id and (other.side == me.side or (me.id not in surprised and not other.hidden))
            ),
        )
        for me in fighters
    )


def started(state: State, described: Setup, report: Report) -> State | None:
    """The state with what is stated in `start`: any field of the scene; a round or a turn means that the fight is on."""
    start = dict(described.start)
    start.pop("declared", None)
    hints = [name for name in State.__struct_fields__ if name not in ("fighters", "rulings")]
    values: dict[str, Any] = {}
    for name, value in start.items():
        if name not in hints:
            report.at(name).unknown("field of the scene", name, tuple(hints))
            return None
        try:
            values[name] = msgspec.convert(value, _type_of(name))
        except msgspec.ValidationError as wrong:
            report.at(name).say(plainly(wrong))
            return None
    if "round" not in values and "turn" not in values:
        return replace(state, **values)
    turn = values.get("turn", "")
    if turn and all(f.id != turn for f in state.fighters):
        report.at("turn").unknown("combatant", turn, tuple(f.id for f in state.fighters))
        return None
    fighters = tuple(replace(f, rolled=True, base=7, begun=f.id == turn) for f in state.fighters)
    state = replace(state, fighters=fighters, **{"phase": "fight", **values})
    if turn and "count" not in values:
        state = replace(state, count=comms.initiative(state, state[turn]))
    if "pairs" in values and state.rulings.space_model in ("pair", "bands"):
        state = replace(state, pairs=movement.starting_pairs(state))
    return state


def _type_of(name: str) -> Any:
    return get_type_hints(State, include_extras=True)[name]
