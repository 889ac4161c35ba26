"""From the sheet of a file to a fighter, and from a described encounter to the state in which the fight begins.

Compendium entries and sheets written by hand have the same shape (`Form`). Facts only: nothing is rolled here.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from difflib import get_close_matches
from typing import Annotated, Any, Literal

from msgspec import Meta, Struct, field
from msgspec.structs import replace

from affray.dice import Code
from affray.errors import AffrayError, BadAnswer
from affray.reading import NOTHING, Report, read, sound
from affray.rulesets.rond6 import paths
from affray.rulesets.rond6.sheet import ATTRIBUTES, SKILLS, Armor, Condition, Fighter, Kind, Sheet, State, Weapon
from affray.setup import Placed, Setup, started

SIZES = (
    "Planetary",
    "Large Capital",
    "Small Capital",
    "Colossal",
    "Gargantuan",
    "Huge",
    "Large",
    "Medium",
    "Small",
)
TALENTS = ("Quickness", "Quick Draw", "Ambidextrous", "Priority")
CLASSES: dict[str, Kind] = {
    "firearm": "ranged",
    "energy": "ranged",
    "bow": "ranged",
    "thrown": "thrown",
    "explosive": "thrown",
    "melee": "melee",
    "unarmed": "unarmed",
    "ranged": "ranged",
}
BURSTS = (("small", 1), ("medium", 3), ("large", 6), ("huge", 12))

AREAS = tuple(f"{shape} {size}" for shape in ("burst", "cone") for size, _ in BURSTS)

Few = Annotated[int, Meta(ge=0, le=1000)]


class Damage(Struct, frozen=True):
    """A damage code, perhaps added to Strength Damage: 'STR+1D+2', '+2D', '4D', 'STR'."""

    code: Code
    strength: bool = False

    @staticmethod
    def parse(text: str) -> Damage:
        found = re.fullmatch(r"\s*(STR)?\s*\+?\s*((?:\d+\s*[dD]6?)?\s*(?:\+?\s*\d+)?)\s*", text)
        if not found or not text.strip():
            raise BadAnswer(f"{text!r} is no damage; write for example 4D, 4D+2 or STR+1D+2")
        rest = found[2].strip()
        if found[1] and rest.isdigit():
            rest = f"0D+{rest}"
        return Damage(Code.parse(rest) if rest else Code(0), found[1] is not None or text.strip().startswith("+"))


class WeaponForm(Struct, frozen=True, forbid_unknown_fields=True):
    """A weapon as written. Ranges are the ends of Short, Medium and Long in Spaces (`ranges_m`: in metres)."""

    name: Annotated[str, Meta(min_length=1)]
    damage: str
    kind: Kind | None = None
    class_: str = field(default="", name="class")
    ranges: tuple[Few, Few, Few] | None = None
    ranges_spaces: tuple[Few, Few, Few] | None = None
    ranges_m: tuple[Few, Few, Few] | None = None
    reach: Few = 0
    reach_spaces: Few = 0
    reach_m: float = 0
    ammo: Few = 0
    modes: tuple[Literal["single", "semi", "burst", "auto"], ...] = ()
    fire_modes: tuple[Literal["single", "semi", "burst", "auto"], ...] = ()
    rounds_auto: Few = 0
    stun: bool = False
    stun_only: bool = False
    ready: Few = 1
    reload_rounds: Few = 0
    hands: Few = 1
    area: str = ""
    bonus: int = 0
    strength: bool = False
    thrown_by_strength: bool = False
    stowed: bool = False
    # facts of the compendium that this chapter does not use
    source: str = ""
    note: str = ""
    long: bool = False
    range_formula: tuple[str, ...] = ()
    ranges_for_strength: str = ""
    blast_m: tuple[float, ...] = ()
    blast_spaces: tuple[int, ...] = ()
    blast_share: tuple[str, ...] = ()
    mounted: bool = False
    placed: bool = False
    entangles: bool = False
    unwieldy: bool = False
    burn: str = ""
    effect: str = ""
    ammo_drum: int = 0


class ArmorForm(Struct, frozen=True, forbid_unknown_fields=True):
    """Armour or a shield as written: `value` such as '1D+1' or '+2' (pips); `flat`: a plain number of points."""

    value: str
    name: str = ""
    kind: Literal["armour", "shield"] = "armour"
    pips: int = 0
    flat: bool = False
    energy_only: bool = False
    length_m: float = 0
    source: str = ""


class Points(Struct, frozen=True, forbid_unknown_fields=True):
    """Points to spend."""

    character: Few = 0
    fate: Few = 0


class Form(Struct, frozen=True, forbid_unknown_fields=True):
    """What a RonD6 sheet may say. Codes of skills are full totals. `armor`: a code, a number, or suits and shields."""

    attributes: dict[Literal["Strength", "Agility", "Stamina", "Perception", "Presence", "Will Power"], Code] = {}
    skills: dict[str, Code] = {}
    weapons: tuple[WeaponForm, ...] = ()
    held: tuple[str, ...] | None = None
    armor: Code | int | tuple[ArmorForm, ...] = 0
    shield: Annotated[int, Meta(ge=0, le=50)] = 0
    move: Annotated[int, Meta(ge=0, le=100)] = 0
    talents: dict[str, Annotated[int, Meta(ge=0, le=20)]] = {}
    points: Points = Points()
    scale: str = "Medium"
    scale_dice: Annotated[int, Meta(ge=0, le=30)] = 0
    initiative: Annotated[int, Meta(ge=-50, le=50)] = 0
    resistance: Annotated[int, Meta(ge=-200, le=200)] = 0
    object: bool = False
    kit: Annotated[int, Meta(ge=0, le=20)] = 0
    policy: str = ""


def setup(given: Setup, report: Report) -> State | None:
    """The state before the first Round of the encounter, or in the position that it states."""
    fighters = []
    for number, one in enumerate(given.combatants):
        fighter = _fighter(one, given.ground.space.grid, report.at("combatant", number))
        if fighter is not None:
            fighters.append(fighter)
    for number, (a, b, far) in enumerate(given.ground.apart):
        if type(far) is not int:
            report.at("distances", number, "is").say(f"{far!r} is not possible here; whole Spaces are expected ({a}, {b})")
    ground = [area for area in given.ground.space.areas if area.kind not in ("wall", "cover")]
    for number, area in enumerate(ground):
        if area.kind != "obstacle" and paths.ground(area.kind) is None:
            report.at("space", "terrain", number, "kind").unknown("ground", area.kind, (*paths.TERRAIN, "obstacle"))
    if len(fighters) < len(given.combatants):
        return None
    state = State(tuple(fighters), given.rulings, given.ground.space)
    return started(state, given.start, report.at("start"))  # type: ignore[no-any-return]


def _fighter(one: Placed, grid: bool, report: Report) -> Fighter | None:
    form = read(Form, one.sheet, report)
    _skills(one.sheet.get("skills"), report.at("skills"))
    whole = form is not NOTHING
    if not whole:
        form = sound(Form, one.sheet, without=("held",))
    talents = _talents(form.talents, report.at("talents"))
    weapons = _numbered([_weapon(weapon, report.at("weapons", n)) for n, weapon in enumerate(form.weapons)])
    size = next((known for known in SIZES if known.lower() == form.scale.lower()), "")
    if not size:
        report.at("scale").unknown("size", form.scale, SIZES)
    armor, shield = _armor(form, report.at("armor"))
    held = _held(form, [weapon.name for weapon in weapons], report)
    if not whole:
        return None
    sheet = Sheet(
        tuple((name, form.attributes[name]) for name in ATTRIBUTES if name in form.attributes),
        tuple((_proper(name), code) for name, code in form.skills.items()),
        weapons,
        armor,
        form.shield + shield,
        form.move,
        talents,
        form.initiative,
        form.resistance,
        size,
        form.scale_dice,
        form.object,
        form.kit,
    )
    return Fighter(
        one.id,
        one.id,
        one.side,
        sheet,
        group=one.group,
        player=one.player,
        hidden=one.hidden,
        at=one.cell if grid else None,
        conditions=(Condition("surprised"),) if one.surprised else (),
        character=form.points.character,
        fate=form.points.fate,
        held=held,
    )


def _held(form: Form, names: list[str], report: Report) -> tuple[str, ...]:
    """Weapons in hand: those that are named, else all that are not stowed."""
    if form.held is None:
        return tuple(name for name, weapon in zip(names, form.weapons, strict=False) if not weapon.stowed)
    for n, name in enumerate(form.held):
        if name not in names:
            report.at("held", n).unknown("weapon", name, names)
    return tuple(form.held)


def _proper(name: str) -> str:
    """A skill in the spelling of the rules, whatever its capitals."""
    return next((known for known in SKILLS if known.lower() == name.lower()), name)


def _skills(given: Any, report: Report) -> None:
    """Sheets may hold skills of their own, but not a known one misspelt."""
    if not isinstance(given, Mapping):
        return
    lower = {known.lower(): known for known in SKILLS}
    for name in given:
        base = name.split("(")[0].strip().lower()
        if base not in lower and (close := get_close_matches(base, lower, n=1, cutoff=0.75)):
            report.at(name).say(f"unknown skill {name!r}", near=lower[close[0]])


def _talents(given: Mapping[str, int], report: Report) -> tuple[tuple[str, int], ...]:
    lower = {known.lower(): known for known in TALENTS}
    for name in given:
        if name.lower() not in lower and get_close_matches(name.lower(), lower, n=1, cutoff=0.75):
            report.at(name).unknown("talent", name, TALENTS)
    return tuple((lower.get(name.lower(), name), rank) for name, rank in given.items())


def _weapon(form: WeaponForm, report: Report) -> Weapon | None:
    try:
        damage = Damage.parse(form.damage)
    except AffrayError as wrong:
        report.at("damage").say(str(wrong))
        return None
    ranges = form.ranges or form.ranges_spaces or _spaces(form.ranges_m)
    kind = form.kind or CLASSES.get(form.class_) or ("ranged" if ranges else "melee")
    if form.class_ and form.class_ not in CLASSES:
        report.at("class").unknown("class of weapon", form.class_, tuple(CLASSES))
    if form.mounted and kind == "thrown":
        kind = "ranged"
    if kind in ("ranged", "thrown") and not ranges:
        if not form.placed:
            report.say(f"a {kind} weapon needs ranges = [Short, Medium, Long] in Spaces")
        ranges = (0, 0, 0)
    if ranges and not ranges[0] <= ranges[1] <= ranges[2]:
        report.at("ranges").say(f"{list(ranges)}: Short, Medium and Long must grow")
    blast = max(form.blast_spaces, default=0)
    area = form.area or (f"burst {_burst(blast)}" if blast else "")
    if area and area not in AREAS:
        report.at("area").unknown("area", area, AREAS)
    reach = form.reach or form.reach_spaces or round(form.reach_m / 2)
    return Weapon(
        form.name,
        kind,
        damage.code,
        damage.strength or form.strength,
        ranges or (0, 0, 0),
        form.thrown_by_strength or bool(form.range_formula),
        reach,
        _magazine(form) if kind == "ranged" else 0,
        form.modes or form.fire_modes or ("single",),
        form.rounds_auto,
        form.stun or form.stun_only,
        max(form.ready, form.reload_rounds),
        form.hands,
        area,
        form.bonus,
    )


def _numbered(weapons: list[Weapon | None]) -> tuple[Weapon, ...]:
    """Each with a name of its own: the second 'pistol' is 'pistol 2'."""
    seen: dict[str, int] = {}
    named = []
    for weapon in weapons:
        if weapon:
            seen[weapon.name] = seen.get(weapon.name, 0) + 1
            copies = seen[weapon.name]
            named.append(weapon if copies == 1 else replace(weapon, name=f"{weapon.name} {copies}"))
    return tuple(named)


def _spaces(metres: tuple[int, int, int] | None) -> tuple[int, int, int] | None:
    """Ranges in Spaces of 2 m, halves up, at least 1."""
    return (max(1, (metres[0] + 1) // 2), max(1, (metres[1] + 1) // 2), max(1, (metres[2] + 1) // 2)) if metres else None


def _magazine(form: WeaponForm) -> int:
    """Rounds that are counted: not the one arrow of a bow that needs no reloading."""
    return 0 if form.class_ == "bow" and form.ammo == 1 and not form.reload_rounds else form.ammo


def _burst(radius: int) -> str:
    return next((name for name, reach in BURSTS if radius <= reach), "huge")


def _armor(form: Form, report: Report) -> tuple[Armor, int]:
    """What is worn (of several suits the best counts) and the bonus of shields: 1 for each full die, at least 1."""
    if isinstance(form.armor, Code):
        return Armor(form.armor), 0
    if isinstance(form.armor, int):
        return Armor(flat=form.armor), 0
    best, shield = (0, Armor()), 0
    for number, piece in enumerate(form.armor):
        pips = _pips(piece, report.at(number, "value"))
        if piece.kind == "shield":
            shield = max(shield, 1, pips // 3)
        elif pips > best[0]:
            best = (pips, Armor(flat=pips, name=piece.name) if piece.flat else Armor(Code.of_pips(pips), 0, piece.name))
    return best[1], shield


def _pips(piece: ArmorForm, report: Report) -> int:
    found = re.fullmatch(r"\s*\+?\s*(?:(\d+)\s*[dD]6?)?\s*(?:\+?\s*(\d+))?\s*", piece.value)
    if not found or not piece.value.strip(" +"):
        report.say(f"{piece.value!r} is no armour value; write for example 1D+1 or +2")
        return 0
    return 3 * int(found[1] or 0) + int(found[2] or 0)
