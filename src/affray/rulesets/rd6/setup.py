"""From a described encounter to the state in which it begins; what a sheet may say in a file.

Reports everything that is wrong at its place. The compendium's keys of weapons and armour are understood as they stand.
"""

from __future__ import annotations

import re
from difflib import get_close_matches
from typing import Annotated, Any

from msgspec import Meta, Struct, field
from msgspec.structs import replace

from affray.dice import Code
from affray.errors import AffrayError
from affray.reading import NOTHING, Report, read, sound
from affray.rulesets.rd6 import tables
from affray.rulesets.rd6.sheet import (
    ATTRIBUTES,
    SKILLS,
    UNARMED,
    Cover,
    Fighter,
    Sheet,
    Skill,
    State,
    Weapon,
    weapon_named,
)
from affray.setup import Placed, Setup

CLASSES = {
    "firearm": "ranged", "energy": "ranged", "bow": "ranged", "thrown": "ranged", "explosive": "ranged",
    "ranged": "ranged", "melee": "melee", "unarmed": "unarmed",
}  # fmt: skip
SHARP = ("sword", "knife", "dagger", "axe", "hatchet", "katana", "blade", "rapier", "sabre", "spear", "halberd", "scythe",
         "machete", "cutlass", "energy", "shears", "claymore", "scimitar", "pike", "lance", "javelin", "bayonet")  # fmt: skip
"""Words in the name of a melee weapon that make it bladed or energised unless the file says otherwise."""
HERO_POINTS = (6, 1)
"""Character and Fate Points of a player character whose sheet says nothing [RD6-DICE-11]."""
Few = Annotated[int, Meta(ge=0, le=10_000)]
RENAMED = {"Will Power": "Willpower"}


class WeaponForm(Struct, frozen=True, forbid_unknown_fields=True):
    """A weapon in a file. Metres throughout; `ranges` are the far ends of Short, Medium and Long."""

    name: str
    kind: str = ""
    damage: str = ""
    ranges: tuple[Few, ...] = ()
    length: Annotated[float, Meta(ge=0, le=100)] = 0.0
    hands: Few = 1
    min_strength: Code = Code(0)
    sharp: bool | None = None
    modes: tuple[str, ...] = ()
    clip: Few = 0
    single_load: bool = False
    skill: str = ""
    # as the compendium has it
    class_: str = field(default="", name="class")
    ranges_m: tuple[Few, ...] = ()
    fire_modes: tuple[str, ...] = ()
    ammo: Few = 0
    reload_rounds: Few = 0
    long: bool = False
    reach_m: Few = 0
    stowed: bool = False
    note: str = ""
    source: str = ""
    missing: bool = False


class ArmourForm(Struct, frozen=True, forbid_unknown_fields=True):
    """A piece of armour in a file: a die code, or pips."""

    name: str = ""
    value: str = ""
    pips: Few = 0
    kind: str = "armour"
    flat: bool = False
    note: str = ""
    source: str = ""
    energy_only: bool = False
    length_m: float = 0.0
    missing: bool = False


class CoverForm(Struct, frozen=True, forbid_unknown_fields=True):
    """An object: how much it hides (per cent) and how tough it is; behind it stands the combatant that lists it."""

    name: str = "cover"
    hides: Annotated[int, Meta(ge=0, le=100)] = 100
    toughness: str = ""
    at: tuple[int, int] | None = None


class PointsForm(Struct, frozen=True, forbid_unknown_fields=True):
    """Points at the beginning."""

    character: Few = 0
    fate: Few = 0


class Form(Struct, frozen=True, forbid_unknown_fields=True):
    """What a sheet may say, beside what is the same in every game."""

    attributes: dict[str, Code] = {}
    skills: dict[str, Code] = {}
    ranks: dict[str, Few] = {}
    weapons: tuple[WeaponForm, ...] = ()
    weapon: str = ""
    armor: Any = ()
    toughness: Annotated[int, Meta(ge=0, le=1000)] | None = None
    scale: str = "medium"
    move: Annotated[int, Meta(ge=0, le=1000)] = 0
    boss: bool = False
    points: PointsForm = PointsForm()
    reduction: int = 0
    body_safe: bool = False
    strength_special: int = 0
    cover: CoverForm | None = None
    talents: dict[str, int] = {}
    """Of the other edition; means nothing here."""
    policy: str = ""


class StartForm(Struct, frozen=True, forbid_unknown_fields=True):
    """A stated position: the round, whose turn it is and how many actions were announced, and the scene."""

    round: Few = 1
    turn: str = ""
    declared: Few = 0
    used: Few = 0
    light: str = ""
    objects: tuple[CoverForm, ...] = ()
    opened_by: str = ""


def setup(given: Setup, report: Report) -> State | None:
    """The state in which the encounter begins; None after reporting all that is wrong."""
    problems: list[str] = []
    start = read(StartForm, dict(given.start), report.at("start")) if given.start else StartForm(0)
    fighters, covers = [], []
    for number, placed in enumerate(given.combatants):
        here = report.at("combatant", number)
        form = read(Form, _plain(placed.sheet), here)
        if form is NOTHING:
            problems.append(placed.id)
            form = sound(Form, _plain(placed.sheet), without=("weapon",))
        fighter = _fighter(placed, form, here, problems)
        fighters.append(fighter)
        if form.cover is not None:
            spot = placed.cell if given.ground.space.grid else None
            covers.append(_cover(form.cover, spot, here.at("cover"), problems))
    light, smoke = _light(given.ground.light, report.at("space", "light"), problems)
    distances = _distances(given, report, problems)
    ground = [area for area in given.ground.space.areas if area.kind not in ("wall", "cover")]
    for number, area in enumerate(ground):
        report.at("space", "terrain", number, "kind").say(
            f"{area.kind!r}: the ground of the map makes no difference here; say `terrain` in the order of a test"
        )
    if start is NOTHING or problems:
        return None
    covers += [_cover(form, None, report.at("start", "objects"), problems) for form in start.objects]
    if start.light:
        light, smoke = _light(start.light, report.at("start", "light"), problems)
    state = State(
        tuple(fighters), given.rulings, start.round, start.turn, light, smoke, tuple(dict.fromkeys(covers)),
        given.ground.space, distances, (), start.opened_by,
    )  # fmt: skip
    return None if problems else _started(state, start, report.at("start"))


def _started(state: State, start: StartForm, report: Report) -> State | None:
    if not start.turn:
        return state
    if all(f.id != start.turn for f in state.fighters):
        report.at("turn").unknown("combatant", start.turn, [f.id for f in state.fighters])
        return None
    return replace(
        state,
        fighters=tuple(
            replace(f, begun=True, declared=start.declared, used=start.used) if f.id == start.turn else f
            for f in state.fighters
        ),
    )


def _plain(sheet: Any) -> dict[str, Any]:
    """The sheet with the spellings of the other edition understood, and gear in the shape of the forms."""
    found = dict(sheet)
    if isinstance(found.get("attributes"), dict):
        found["attributes"] = {RENAMED.get(name, name): code for name, code in found["attributes"].items()}
    for key in ("skills", "ranks"):
        if isinstance(found.get(key), dict):
            found[key] = {specialised(name): value for name, value in found[key].items()}
    if isinstance(found.get("weapons"), list | tuple):
        found["weapons"] = [_weapon_keys(entry) for entry in found["weapons"]]
    return found


_UNUSED = {"ranges_spaces", "reach_spaces", "range_formula", "ranges_for_strength", "mounted", "stun_only", "blast_m",
           "blast_spaces", "blast_share", "burn", "effect", "placed", "entangles", "unwieldy", "ammo_drum", "id",
           "stowed"}  # fmt: skip
"""Keys of the compendium that mean nothing in this edition."""


def _weapon_keys(entry: Any) -> Any:
    if not isinstance(entry, dict):
        return entry
    return {key: value for key, value in entry.items() if key not in _UNUSED}


def specialised(name: str) -> str:
    """'Athletics (Lift)' and 'Athletics: Lift' are the same."""
    found = re.fullmatch(r"\s*(.+?)\s*\((.+?)\)\s*", name)
    return f"{found[1]}: {found[2]}" if found else name


def _fighter(placed: Placed, form: Form, report: Report, problems: list[str]) -> Fighter:
    sheet = _sheet(placed, form, report, problems)
    if form.weapon and weapon_named(sheet, form.weapon) is UNARMED and form.weapon != UNARMED.name:
        report.at("weapon").unknown("weapon", form.weapon, [weapon.name for weapon in sheet.weapons])
        problems.append(form.weapon)
    points = (form.points.character, form.points.fate)
    if placed.player and "points" not in placed.sheet:
        points = HERO_POINTS
    return Fighter(
        placed.id,
        placed.id,
        placed.side,
        sheet,
        placed.group,
        placed.cell,
        weapon=form.weapon or _drawn(form, sheet.weapons),
        loaded=tuple((weapon.name, weapon.clip) for weapon in sheet.weapons if weapon.clip),
        character_points=points[0],
        fate_points=points[1],
        reduction=form.reduction,
        behind=form.cover.name if form.cover else "",
        hidden=placed.hidden,
    )


def _sheet(placed: Placed, form: Form, report: Report, problems: list[str]) -> Sheet:
    _known(form, report, problems)
    throws = "Throwing" in form.skills or "Throwing" in form.ranks
    weapons = tuple(_weapon(entry, throws, report.at("weapons", n), problems) for n, entry in enumerate(form.weapons))
    skills = [Skill(name, code, form.ranks.get(name, -1)) for name, code in form.skills.items()]
    skills += [Skill(name, None, ranks) for name, ranks in form.ranks.items() if name not in form.skills]
    return Sheet(
        placed.player or form.boss,
        tuple(form.attributes.items()),
        tuple(skills),
        weapons,
        _armour(form.armor, report.at("armor"), problems),
        -1 if form.toughness is None else form.toughness,
        form.scale.lower(),
        form.move or _move(form),
        any(name in ("Melee Weapons: Parry", "Melee Weapons: Melee Parry") for name in (*form.skills, *form.ranks)),
        form.body_safe,
        form.strength_special,
    )


def _known(form: Form, report: Report, problems: list[str]) -> None:
    """Names of attributes and sizes must be known; one that looks like a misspelt skill is refused."""
    for name in form.attributes:
        if name not in ATTRIBUTES:
            report.at("attributes", name).unknown("attribute", name, ATTRIBUTES)
            problems.append(name)
    for key, names in (("skills", form.skills), ("ranks", form.ranks)):
        for name in names:
            broad = name.partition(":")[0]
            if broad not in SKILLS and (close := get_close_matches(broad, SKILLS, n=1, cutoff=0.75)):
                report.at(key, name).say(f"unknown skill {name!r}", (), close[0])
                problems.append(name)
    if form.scale.lower() not in tables.SIZE:
        report.at("scale").unknown("scale", form.scale, tables.SIZE)
        problems.append(form.scale)


def _drawn(form: Form, weapons: tuple[Weapon, ...]) -> str:
    """The first weapon that is not stowed, if it is one to hold."""
    pairs = zip(form.weapons, weapons, strict=True)
    first = next((weapon for entry, weapon in pairs if not entry.stowed), None)
    return first.name if first and first.kind != "unarmed" else ""


def _move(form: Form) -> int:
    """5 Spaces, 6 with 3D in Athletics, Strength or Stamina [RD6-RND-12]."""
    attributes = form.attributes
    best = max(
        form.skills.get("Athletics", Code(0)).dice,
        attributes.get("Strength", Code(2)).dice,
        attributes.get("Stamina", Code(2)).dice,
    )
    return 6 if best >= 3 else 5


def damage_code(text: str) -> tuple[Code, bool]:
    """'4D', '+2D', 'STR+1D+2', 'STR+2': the code, and whether Strength Damage is added. Raises BadAnswer."""
    words = text.strip().upper().replace("SD", "STR", 1)
    strength = words.startswith(("+", "STR"))
    words = words.removeprefix("STR").removeprefix("+")
    if not words:
        return Code(0), strength
    if re.fullmatch(r"\d", words):
        return Code.of_pips(int(words)), strength
    return Code.parse(words), strength


def _weapon(form: WeaponForm, throws: bool, report: Report, problems: list[str]) -> Weapon:
    """A weapon as the rules know it. `throws`: its owner has the skill Throwing."""
    kind: Any = CLASSES.get((form.kind or form.class_).lower(), "")
    if not kind and not form.missing:
        report.at("kind").unknown("kind of weapon", form.kind or form.class_, ("ranged", "melee", "unarmed"))
        problems.append(form.name)
    damage, strength = Code(0), False
    try:
        if form.damage:
            damage, strength = damage_code(form.damage)
        elif not form.missing:
            report.say(f"the weapon {form.name!r} needs damage = \"4D\" or \"+2D\"")
            problems.append(form.name)
    except AffrayError as wrong:
        report.at("damage").say(str(wrong))
        problems.append(form.name)
    ranges = form.ranges or form.ranges_m
    if kind == "ranged" and len(ranges) != 3:
        report.at("ranges").say(f"the weapon {form.name!r} needs the three ends of its ranges in metres")
        problems.append(form.name)
    modes: Any = form.modes or form.fire_modes or ("single",)
    for mode in modes:
        if mode not in ("single", "semi", "burst", "auto"):
            report.at("modes").unknown("way of firing", mode, ("single", "semi", "burst", "auto"))
            problems.append(form.name)
    sharp = form.sharp if form.sharp is not None else any(word in form.name.lower() for word in SHARP)
    # a single shot (a bow, a crossbow) must be loaded again; how long the compendium says is not this edition's matter
    single_load = form.single_load or form.reload_rounds > 0
    clip = form.clip or (form.ammo if form.class_ in ("firearm", "energy") else 0)
    skill = form.skill or ("Throwing" if throws and form.class_ in ("thrown", "explosive") else "")
    return Weapon(
        form.name, kind or "ranged", damage, strength, tuple(ranges), form.length or form.reach_m or (1.2 if form.long else 1.0),
        form.hands, form.min_strength, sharp and kind != "ranged", tuple(modes), clip, single_load, skill,
    )  # fmt: skip


def _armour(given: Any, report: Report, problems: list[str]) -> Code:
    """Armour as one code, from a code, a number, or pieces: the best suit counts, a flat number is 3.5 to the die."""
    listed = isinstance(given, list | tuple)
    best = 0
    for number, entry in enumerate(given if listed else [given]):
        here = report.at(number) if listed else report
        form = read(ArmourForm, {"value": entry} if isinstance(entry, str) else entry, here)
        if form is NOTHING:
            problems.append("armor")
            continue
        if form.kind == "shield" or form.missing:
            continue
        try:
            pips = form.pips or (damage_code(form.value)[0].value if form.value else 0)
        except AffrayError as wrong:
            here.say(str(wrong))
            problems.append("armor")
            continue
        best = max(best, 3 * round(pips / 3.5) if form.flat else pips)
    return Code.of_pips(best)


def _cover(form: CoverForm, at: tuple[int, int] | None, report: Report, problems: list[str]) -> Cover:
    text = form.toughness.strip()
    if text in tables.TOUGHNESS:
        return Cover(form.name, form.hides, Code(tables.TOUGHNESS[text]), form.at or at)
    try:
        return Cover(form.name, form.hides, Code.parse(text) if text else Code(0), form.at or at)
    except AffrayError as wrong:
        report.at("toughness").say(str(wrong), tuple(tables.TOUGHNESS))
        problems.append(form.name)
        return Cover(form.name)


def _light(text: str, report: Report, problems: list[str]) -> tuple[Any, Any]:
    """'moonlit, thick smoke' as a row of light and a row of smoke."""
    light, smoke = "good", "none"
    names = {"twilight": "poor", "poor light": "poor", "moonlit night": "moonlit"}
    names |= {"darkness": "dark", "complete darkness": "dark"}
    for word in filter(None, (part.strip().lower() for part in re.split(r"[,;]| and ", text))):
        known = names.get(word, word)
        bare = re.sub(r"\s*(smoke or fog|smoke|fog)$", "", word)
        if known in tables.LIGHT:
            light = known
        elif bare != word and bare in tables.SMOKE:
            smoke = bare
        else:
            report.unknown("light or smoke", word, (*tables.LIGHT, *(f"{row} smoke" for row in tables.SMOKE if row != "none")))
            problems.append(word)
    return light, smoke


def _distances(given: Setup, report: Report, problems: list[str]) -> tuple[tuple[str, str, float], ...]:
    found = []
    for number, (one, other, far) in enumerate(given.ground.apart):
        if isinstance(far, str):
            report.at("distances", number).say(f"{far!r}: distances are numbers of metres here")
            problems.append(far)
        else:
            found.append((one, other, float(far)))
    return tuple(found)
