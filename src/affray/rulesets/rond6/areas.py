"""Bursts and cones: which Spaces they cover, who is inside, and attacks with weapons that make them."""

from __future__ import annotations

from msgspec import Struct

from affray import space
from affray.ask import ATTACKER, MASTER, Why
from affray.domains import OneOf, Place, Subset
from affray.errors import Refusal
from affray.events import Changed, Noted, get
from affray.modifiers import Parts, listed
from affray.rules import rule
from affray.ruleset import Field, Order
from affray.rulesets.rond6.actions import ACTION, Command, RondScene, pay
from affray.rulesets.rond6.attack import loaded, points_fields, poor, spend_points, spend_rounds, targets
from affray.rulesets.rond6.checks import reaches
from affray.rulesets.rond6.mechanics import ATTACK
from affray.rulesets.rond6.numbers import band, distance, level
from affray.rulesets.rond6.rulings import Rulings
from affray.rulesets.rond6.sheet import Fighter, State, Weapon
from affray.rulesets.rond6.tables import rows
from affray.rulesets.rond6.volley import Victim, common_line, victim, volley
from affray.space import FACINGS, Cell

WALL = Why("burst_wall", "RON-AREA-3", "does a wall shield from the burst")
PLACED = Why("burst_lands", "RON-AREA-10", "where a burst lands that was not well placed")
AWAY = ("dead", "destroyed", "gone")
BURSTS: dict[str, int] = {row["name"].lower(): row["radius"] for row in rows("burst")}
CONES: dict[str, int] = {row["name"].lower(): row["length"] for row in rows("cone")}
STRAIGHT = ("north", "south", "east", "west")


class Template(Struct, frozen=True):
    """An area put down: a 'burst' around `at`, or a 'cone' towards `facing`. `size`: small, medium, large or huge."""

    shape: str
    size: str
    at: Cell | None = None
    facing: str = ""


class Area(Order, frozen=True, tag="area"):
    """Attack an area with `weapon`: a burst at the Space `at`, or a cone towards `facing`; points as for an attack.

    Without a map `targets` are those inside, as the Game Master says; the first of them stands at the centre.
    """

    weapon: str = ""
    at: Cell | None = None
    facing: str = ""
    targets: tuple[str, ...] = ()
    situational: int = 0
    points: int = 0
    damage_points: int = 0
    fate: bool = False


# ---- templates


@rule("RON-AREA-5")
def widths(size: str) -> tuple[int, ...]:
    """How many Spaces a cone is wide at each distance, from 1 to its length."""
    table = rows("cone_width")
    return tuple(next(row["width"] for row in table if d <= row["upto"]) for d in range(1, CONES[size] + 1))


@rule("RON-AREA-1", "RON-AREA-4", "RON-AREA-5", "RON-AREA-6")
def template_cells(template: Template, by: Cell | None, rulings: Rulings) -> tuple[Cell, ...]:
    """All Spaces of a template on open ground; `by`: where the maker of a cone stands. For drawing as well."""
    if template.shape == "burst":
        return space.burst(template.at, BURSTS[template.size], rulings.distance) if template.at is not None else ()
    if by is None:
        return ()
    if rulings.cone_row_1 == "adjacent":
        return space.cone(by, template.facing, widths(template.size))
    dx, dy = FACINGS[template.facing]
    tip = (by[0] + dx, by[1] + dy)
    return (tip, *space.cone(tip, template.facing, widths(template.size)))


@rule("RON-AREA-8", "RON-AREA-3")
def cells(state: State, by: str, template: Template) -> tuple[Cell, ...]:
    """The Spaces that a template covers on this map: no walls, and for a cone nothing that a wall hides from its maker."""
    at, walls = get(state, by).at, state.space.walls()
    covered = [cell for cell in template_cells(template, at, state.rulings) if cell not in walls]
    if template.shape == "cone" and at is not None:
        covered = [cell for cell in covered if space.visible(at, cell, walls)]
    return tuple(covered)


@rule("RON-AREA-2", "RON-AREA-7", "RON-AREA-10")
def inside(state: State, by: str, template: Template) -> tuple[str, ...]:
    """Everybody and everything in a template, friend or foe; its maker too if it is a burst. Roster order."""
    covered = set(cells(state, by, template))
    spared = by if template.shape == "cone" else ""
    return tuple(f.id for f in state.fighters if f.at in covered and f.id != spared and f.out not in AWAY)


@rule("RON-AREA-3")
def screened(state: State, template: Template, who: str) -> bool:
    """Whether a wall stands between the centre of a burst and somebody in it."""
    at = get(state, who).at
    if template.shape != "burst" or template.at is None or at is None:
        return False
    return not space.visible(template.at, at, state.space.walls())


def of_weapon(weapon: Weapon, at: Cell | None, facing: str) -> Template:
    """The area that a weapon makes, put down."""
    shape, _, size = weapon.area.partition(" ")
    return Template(shape, size or "small", at, facing)


def bursting(weapon: Weapon) -> bool:
    return weapon.area.startswith("burst")


def covered(state: State, order: Order) -> tuple[Cell, ...]:
    """The Spaces that an order on an area covers; none for other orders, and for one that names no place yet."""
    if not isinstance(order, Area):
        return ()
    weapon = area_weapon(get(state, order.by), order.weapon)
    if weapon is None or (order.at is None if bursting(weapon) else order.facing not in FACINGS):
        return ()
    return cells(state, order.by, of_weapon(weapon, order.at, order.facing))


# ---- the attack


def area_weapons(me: Fighter) -> tuple[Weapon, ...]:
    """Loaded weapons in hand that make an area."""
    return tuple(weapon for weapon in loaded(me) if weapon.area)


def area_weapon(me: Fighter, name: str) -> Weapon | None:
    """The named one of them, or the first."""
    return next((weapon for weapon in area_weapons(me) if name in ("", weapon.name)), None)


@rule("RON-AREA-2", "RON-AREA-6", "RON-AREA-10", "RON-SPC-20")
def area_refused(state: State, me: Fighter, order: Area) -> Refusal | None:
    """Why this area cannot be attacked."""
    weapon = area_weapon(me, order.weapon)
    if weapon is None:
        known = tuple(w.name for w in area_weapons(me))
        return Refusal("RON-AREA-10", f"no loaded weapon in hand that makes an area is called {order.weapon!r}", known)
    if me.at is None:
        return _without_map(state, me, order, weapon) or poor(me, order)
    if order.targets:
        return Refusal("RON-AREA-10", "on a map the Spaces decide who is inside: say where (at) or which way (facing)")
    wrong = _burst_refused(state, me, order, weapon) if bursting(weapon) else _cone_refused(state, order)
    return wrong or poor(me, order)


@rule("RON-AREA-2")
def _burst_refused(state: State, me: Fighter, order: Area, weapon: Weapon) -> Refusal | None:
    assert me.at is not None
    if order.at is None:
        return Refusal("RON-AREA-2", "say at which Space the burst is centred")
    far = space.distance(me.at, order.at, state.rulings.distance)
    if not reaches_centre(weapon, far):
        return Refusal("RON-AREA-2", f"the centre is {far} Spaces away, out of range of the {weapon.name}")
    walls = state.space.walls()
    if order.at in walls or not space.visible(me.at, order.at, walls):
        return Refusal("RON-AREA-2", f"a wall stands between {me.name} and the centre")
    return None


def reaches_centre(weapon: Weapon, far: int) -> bool:
    """Whether the centre of a burst is in range."""
    return far <= max(1, weapon.ranges[2] if weapon.kind in ("ranged", "thrown") else weapon.reach)


@rule("RON-AREA-6")
def _cone_refused(state: State, order: Area) -> Refusal | None:
    if order.facing not in FACINGS:
        return Refusal("RON-AREA-6", f"{order.facing!r} is no facing", facings(state.rulings))
    if order.facing not in facings(state.rulings):
        return Refusal("RON-AREA-6", "a cone has no diagonal facing here", facings(state.rulings))
    return None


def facings(rulings: Rulings) -> tuple[str, ...]:
    """The facings that a cone may have."""
    return STRAIGHT if rulings.cone_facings == 4 else tuple(FACINGS)


def _without_map(state: State, me: Fighter, order: Area, weapon: Weapon) -> Refusal | None:
    known = targets(state, me)
    if not order.targets or any(who not in (*known, me.id) for who in order.targets):
        return Refusal("RON-AREA-10", "without a map, name those who are inside as targets", known[:12])
    if len(set(order.targets)) < len(order.targets):
        return Refusal("RON-AREA-10", "name each of them once")
    far = distance(state, me, get(state, order.targets[0])) if order.targets[0] != me.id else 0
    if bursting(weapon) and not reaches_centre(weapon, far):
        return Refusal("RON-AREA-2", f"the centre is {far} Spaces away, out of range of the {weapon.name}")
    return None


def area_fields(state: State, me: Fighter) -> tuple[Field, ...] | Refusal:
    """The options: an area weapon, and where it goes; by default the nearest enemy who can be reached."""
    weapons = area_weapons(me)
    if not weapons:
        return Refusal("RON-AREA-10", f"{me.name} has no weapon in hand that makes an area")
    names = tuple(weapon.name for weapon in weapons)
    fields = [Field("weapon", OneOf(names), names[0], "weapon")]
    others = targets(state, me)
    if me.at is None:
        if not others:
            return Refusal("RON-AREA-10", "there is nobody to attack")
        return (*fields, Field("targets", Subset(others, 1), others[:1], "who is inside"), *points_fields(me))
    spot = next((at for who in others if (at := get(state, who).at) is not None), me.at)
    if any(bursting(weapon) for weapon in weapons):
        reach = max(max(1, weapon.ranges[2]) for weapon in weapons if bursting(weapon))
        fields.append(Field("at", Place(me.at, reach), spot, "centre of the burst"))
    if not all(bursting(weapon) for weapon in weapons):
        fields.append(Field("facing", OneOf(facings(state.rulings)), towards(me.at, spot), "facing of the cone"))
    return (*fields, *points_fields(me))


def towards(here: Cell, there: Cell) -> str:
    """The straight facing that comes nearest to a direction."""
    dx, dy = there[0] - here[0], there[1] - here[1]
    if abs(dx) >= abs(dy):
        return "east" if dx >= 0 else "west"
    return "north" if dy > 0 else "south"


@rule("RON-AREA-2", "RON-AREA-7", "RON-AREA-9", "RON-AREA-10")
def area(scene: RondScene, order: Area) -> None:
    """Pay, put the template down, judge the walls, one Test and one damage roll for all inside."""
    me: Fighter = get(scene.state, order.by)
    weapon = area_weapon(me, order.weapon)
    assert weapon is not None
    pay(scene, order.by, ACTION, order.verb)
    spend_rounds(scene, order.by, weapon, 1)
    spend_points(scene, order)
    template = of_weapon(weapon, order.at, order.facing)
    sure = scene.rulings.area_attack == "all_affected"
    if sure and bursting(weapon) and order.at is not None:
        template = place(scene, order, weapon, template)
    victims = caught(scene, order, weapon, template)
    brought = common_line(
        scene.state, order.by, weapon, victims, centre_band(scene.state, me, weapon, order), _situation(order),
        points=order.points, fate=order.fate, damage_points=order.damage_points,
    )  # fmt: skip
    if victims:
        volley(scene, order.by, weapon, brought, victims, sure)
    if me.aim or me.aware:  # nobody need be inside for an aim to be used up
        scene.tell(Changed(order.by, "RON-ACT-16", (("aim", 0), ("aware", 0))))


def _situation(order: Area) -> Parts:
    return listed((order.situational, "", "the Game Master's modifier", "RON-ATK-9"))


@rule("RON-AREA-2", "RON-AREA-7")
def centre_band(state: State, me: Fighter, weapon: Weapon, order: Area) -> str:
    """The range band that counts: of the centre for a burst, none for a cone."""
    if not bursting(weapon) or weapon.kind not in ("ranged", "thrown"):
        return ""
    if me.at is not None and order.at is not None:
        return band(weapon, space.distance(me.at, order.at, state.rulings.distance))
    first = order.targets[0] if order.targets else me.id
    return band(weapon, distance(state, me, get(state, first)) if first != me.id else 0)


@rule("RON-AREA-10")
def place(scene: RondScene, order: Area, weapon: Weapon, template: Template) -> Template:
    """Where all inside are affected, a Standard Test puts the centre where it was meant; else the Game Master says where."""
    me: Fighter = get(scene.state, order.by)
    brought = common_line(
        scene.state, order.by, weapon, (), centre_band(scene.state, me, weapon, order), _situation(order),
        points=order.points, fate=order.fate,
    )  # fmt: skip
    if scene.call(reaches, brought.test, level(scene.rulings, 1), ATTACK, ATTACKER, roles={ATTACKER: order.by}):
        return template
    at = scene.choose(Place(), PLACED, MASTER, template.at, (template,))
    return Template(template.shape, template.size, at)


@rule("RON-AREA-2", "RON-AREA-3", "RON-AREA-7", "RON-AREA-10")
def caught(scene: RondScene, order: Area, weapon: Weapon, template: Template) -> tuple[Victim, ...]:
    """Those inside, with their own modifiers; the Game Master judges those whom a wall screens from a burst."""
    state = scene.state
    who_is_in = inside(state, order.by, template) if get(state, order.by).at is not None else order.targets
    found = []
    for who in who_is_in:
        spared = "unhindered"
        if screened(state, template, who):
            spared = scene.choose(OneOf(("blocked", "weakened", "unhindered")), WALL, MASTER, "blocked", (who,))
        if spared != "blocked":
            found.append(victim(state, order.by, who, weapon, own_band=False, half=spared == "weakened"))
    where = f"at {list(template.at)}" if template.at is not None else template.facing
    data = (("shape", template.shape), ("size", template.size), ("where", where), ("inside", ", ".join(v.id for v in found)))
    scene.tell(Noted(order.by, "RON-AREA-10", "area.placed", data))
    return tuple(found)


COMMANDS: dict[type, Command] = {
    Area: Command(lambda state, me, order: ACTION, area_refused, area_fields, area, "attack an area"),
}
