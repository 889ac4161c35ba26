"""Moving about: on the grid by steps around walls, or by changing plain distances; swimming and climbing the same way."""

from __future__ import annotations

from typing import Literal

from affray.ask import MASTER, Why
from affray.domains import Number, OneOf, Place
from affray.errors import Refusal
from affray.events import Changed, Noted, get
from affray.rules import rule
from affray.ruleset import Field, Order
from affray.rulesets.rond6 import paths
from affray.rulesets.rond6.actions import ACTION, FREE, FULL, Command, RondScene, pay
from affray.rulesets.rond6.checks import reaches
from affray.rulesets.rond6.numbers import distance, level, test_of
from affray.rulesets.rond6.paths import TERRAIN, ground
from affray.rulesets.rond6.points import cannot_spend, spend, spending_fields
from affray.rulesets.rond6.rulings import Rulings
from affray.rulesets.rond6.sheet import Fighter, State
from affray.space import Cell

RUN = Why("run", "RON-MOVE-8", "moving on")
OBSTACLE = Why("obstacle", "RON-MOVE-5", "how hard is the obstacle on the way?")

MODES = {"": "Running", "swim": "Swimming", "climb": "Climbing"}
"""Ways of moving, with the specialization of Athletics that their Tests use (RON-MOVE-8)."""
PRICES = {"action": ACTION, "full": FULL}


class Move(Order, frozen=True, tag="move"):
    """Move to the cell `to`; or, where distances are stated, `steps` Spaces towards (negative: away from) somebody.

    `mode`: '', 'swim' or 'climb'. `terrain`: the ground as the Game Master says, over and above the map. `price`: which of
    the printed prices is paid, where more than one is legal (ruling movement_costs). `points`, `fate`: on the Test, if any.
    """

    to: Cell | None = None
    towards: str = ""
    steps: int = 0
    mode: Literal["", "swim", "climb"] = ""
    terrain: str = ""
    price: Literal["", "action", "full"] = ""
    points: int = 0
    fate: bool = False


# ---- how far


@rule("RON-MOVE-2")
def full_move(me: Fighter) -> int:
    """Spaces of a Full Move on foot: stated, or 5, or 6 for 3D in Athletics or Fortitude."""
    sheet = me.sheet
    fit = any(name in ("Athletics", "Fortitude") and code.dice >= 3 for name, code in sheet.skills)
    fit = fit or sheet.attribute("Strength").dice >= 3 or sheet.attribute("Stamina").dice >= 3
    return sheet.move or (6 if fit else 5)


@rule("RON-MOVE-10", "RON-MOVE-11", "RON-SPC-17")
def move_value(me: Fighter, mode: str = "") -> int:
    """Spaces of a Full Move: half while crawling; half, rounded up, in water; climbing half without its specialization."""
    spaces = full_move(me)
    if mode == "swim":
        return (spaces + 1) // 2
    if mode == "climb":
        return spaces if any(name == "Athletics (Climbing)" for name, _ in me.sheet.skills) else spaces // 2
    return spaces // 2 if me.prone else spaces


def path_length(state: State, start: Cell, end: Cell, most: int) -> int:
    """Spaces from start to end around walls; `most` + 1 when it is farther than that."""
    found = paths.way(state, start, end, most)
    return most + 1 if found is None else paths.length(state, start, found)


def along(state: State, start: Cell, end: Cell, spaces: int) -> Cell:
    """The cell that is reached after so many Spaces on a shortest way from start to end."""
    return paths.after(state, start, paths.way(state, start, end, paths.FAR) or (), spaces)


def spaces_of(state: State, me: Fighter, order: Move) -> int:
    """Spaces that an order asks for; far beyond any run when there is no way."""
    if order.to is not None and me.at is not None:
        return path_length(state, me.at, order.to, 6 * move_value(me, order.mode))
    return abs(order.steps)


# ---- what it costs


@rule("RON-MOVE-3", "RON-MOVE-4", "RON-MOVE-7", "RON-MOVE-9")
def prices(spaces: int, move: int, moved: int, ruling: str) -> tuple[int, ...]:
    """What so many Spaces may cost, the usual price first. `moved`: Spaces moved this turn already.

    By default half of Move is an Action and all beyond a Full Action. The other reading: half of Move in a turn free, up to
    twice Move an Action, farther a Full Action; and with 'cheapest' every price that is printed anywhere.
    """
    half = move // 2
    by_kind = ACTION if spaces <= half else FULL
    if ruling == "categories":
        return (by_kind,)
    free = FREE if spaces + moved <= half else ACTION if spaces <= 2 * move else FULL
    if ruling == "normal":
        return (free,)
    return tuple(dict.fromkeys((free, by_kind, FULL if spaces > half else by_kind)))


def move_prices(state: State, me: Fighter, order: Move) -> tuple[int, ...]:
    spaces, move = spaces_of(state, me, order), move_value(me, order.mode)
    return prices(spaces, move, me.moved, state.rulings.movement_costs)


def move_cost(state: State, me: Fighter, order: Move) -> int:
    return PRICES[order.price] if order.price else move_prices(state, me, order)[0]


# ---- whether it is possible


@rule("RON-MOVE-3", "RON-MOVE-4", "RON-MOVE-8", "RON-CON-9")
def move_refused(state: State, me: Fighter, order: Move) -> Refusal | None:
    """Why this move is not possible now."""
    if me.has("grappled"):
        return Refusal("RON-CON-9", f"{me.name} is held and cannot move away")
    if order.terrain and ground(order.terrain) is None:
        return Refusal("RON-MOVE-6", f"{order.terrain!r} is no kind of ground", tuple(TERRAIN))
    if wrong := nowhere(state, me, order.to, order.towards, order.steps):
        return wrong
    move, spaces = move_value(me, order.mode), spaces_of(state, me, order)
    if spaces > 6 * move:
        return Refusal("RON-MOVE-8", f"that is farther than 6 times Move ({6 * move} Spaces), or there is no way")
    legal = move_prices(state, me, order)
    if order.price and PRICES[order.price] not in legal:
        return Refusal("RON-MOVE-3", f"{spaces} Spaces have another price")
    return cannot_spend(me, order.points, order.fate)


def nowhere(state: State, me: Fighter, to: Cell | None, towards: str, steps: int) -> Refusal | None:
    """Why nobody can stand where this leads."""
    if to is None:
        if not towards or all(f.id != towards for f in state.fighters) or towards == me.id:
            return Refusal("RON-MOVE-3", "say where to: a Space, or towards whom and how many steps")
        if not steps:
            return Refusal("RON-MOVE-3", "say how many steps")
        if steps > 0 and steps >= distance(state, me, get(state, towards)):
            return Refusal("RON-MOVE-3", "that would go through them: stop at 1 Space")
    elif me.at is None:
        return Refusal("RON-MOVE-1", f"{me.name} stands nowhere on the map")
    elif to == me.at:
        return Refusal("RON-MOVE-3", f"{me.name} stands there already")
    elif any(f.at == to and f.out not in ("dead", "gone", "destroyed") for f in state.fighters):
        return Refusal("RON-MOVE-3", "somebody stands there")
    return None


def move_fields(state: State, me: Fighter) -> tuple[Field, ...] | Refusal:
    where = where_fields(state, me, move_value(me))
    if isinstance(where, Refusal):
        return where
    modes = Field("mode", OneOf(tuple(MODES)), "", "on foot, or how")
    terrain = Field("terrain", OneOf(("", *TERRAIN)), "", "the ground, over and above the map")
    return (*where, modes, terrain, *spending_fields(me))


def where_fields(state: State, me: Fighter, move: int) -> tuple[Field, ...] | Refusal:
    """Options that say where to, at most `move` Spaces away unless typed in."""
    if me.at is not None:
        return (Field("to", Place(me.at, move), None, "where to"),)
    others = tuple(f.id for f in state.fighters if f.id != me.id)
    if not others:
        return Refusal("RON-MOVE-3", "there is nobody to move towards")
    return (
        Field("towards", OneOf(others), others[0], "towards"),
        Field("steps", Number(-move, move), 1, "Spaces, negative: away"),
    )


# ---- going


@rule("RON-MOVE-3", "RON-MOVE-4", "RON-MOVE-5", "RON-MOVE-6", "RON-MOVE-8", "RON-MOVE-9")
def move(scene: RondScene, order: Move) -> None:
    """Go; ground, obstacles and distance beyond Move may ask for a Test, which decides how far one comes."""
    state = scene.state
    me: Fighter = get(state, order.by)
    spaces, most, cost = spaces_of(state, me, order), move_value(me, order.mode), move_cost(state, me, order)
    cells = () if order.to is None or me.at is None else paths.way(state, me.at, order.to, 6 * most) or ()
    pay(scene, order.by, cost, order.verb)
    levels, end = hindrance(scene, order, cells)
    if end is not None and me.at is not None:
        spaces = paths.length(state, me.at, cells[:end])
    result = ""
    step = run_step(spaces, most) + levels
    if step >= 0 and spaces:
        reached = moving_test(scene, order, step)
        result = "success" if reached else "failure"
        if not reached:
            spaces = fallback(spaces, most, cost)
    elif order.points or order.fate:
        scene.tell(Noted(order.by, "RON-MOVE-8", "move.no_test"))
    arrive(scene, order, spaces, cells, result)


@rule("RON-MOVE-8")
def run_step(spaces: int, most: int) -> int:
    """The level of a run (0: Easy) by the multiple of Move; -1, the rung under Easy, when it is no run."""
    return (spaces + most - 1) // most - 2 if spaces > most else -1


@rule("RON-MOVE-5", "RON-MOVE-6")
def hindrance(scene: RondScene, order: Move, cells: tuple[Cell, ...]) -> tuple[int, int | None]:
    """Levels that the way adds, the hardest ground alone; and the steps before an obstacle that cannot be passed, or None."""
    stated = ground(order.terrain) if order.terrain else None
    levels = TERRAIN[stated] if stated else 0
    end = None
    for steps, area in paths.obstacles(scene.state, cells):
        default = next((name for name, more in TERRAIN.items() if more == area.value), "Moderate") if area.value else "Moderate"
        judged = scene.choose(OneOf((*TERRAIN, "impassable")), OBSTACLE, MASTER, default, (order,))
        if judged == "impassable":
            end = steps
            break
        levels = max(levels, TERRAIN[judged])
    crossed = cells if end is None else cells[:end]
    return max([levels, *(paths.levels_at(scene.state, cell) for cell in crossed)]), end


@rule("RON-MOVE-8")
def moving_test(scene: RondScene, order: Move, step: int) -> bool:
    """The Test of a run, a swim, a climb or a walk over hard ground."""
    spend(scene, order.by, order.points, order.fate)
    test = test_of(
        get(scene.state, order.by),
        "Athletics",
        scene.state.rulings,
        specialization=MODES[order.mode],
        points=order.points,
        fate=order.fate,
        standard=step == 1,
    )
    return scene.call(reaches, test, level(scene.state.rulings, step), RUN, order.by)


@rule("RON-MOVE-6", "RON-MOVE-9")
def fallback(spaces: int, most: int, cost: int) -> int:
    """How far one comes after a failed Test: Move for a run, otherwise half of what the move chosen allows."""
    if spaces > most:
        return most
    allowed = most // 2 if cost == FREE or (cost == ACTION and spaces <= most // 2) else most
    return min(spaces, allowed // 2)


def arrive(scene: RondScene, order: Move, spaces: int, cells: tuple[Cell, ...], result: str = "") -> None:
    """Put the mover where so many Spaces of its way end."""
    me: Fighter = get(scene.state, order.by)
    data = (("spaces", spaces), *((("result", result),) if result else ()))
    note = "move.fails" if result == "failure" else "move.goes"
    if order.to is not None and me.at is not None:
        cell = paths.after(scene.state, me.at, cells, spaces)
        fields = (("at", cell), ("moved", me.moved + spaces))
        scene.tell(Changed(order.by, "RON-MOVE-3", fields, note, data))
        return
    scene.tell(Changed(order.by, "RON-MOVE-3", (("moved", me.moved + spaces),), note, data))
    approach(scene, order.by, order.towards, spaces if order.steps > 0 else -spaces)


def approach(scene: RondScene, who: str, other: str, steps: int) -> None:
    """Change a plain distance: nearer by so many Spaces (negative: farther)."""
    space = scene.state.space
    gap = max(0, distance(scene.state, get(scene.state, who), get(scene.state, other)) - steps)
    changed = space.__class__(space.grid, space.areas, space.with_gap(who, other, gap), space.default_gap)
    scene.tell(Changed("", "RON-MOVE-3", (("space", changed),)))


def price(rulings: Rulings) -> str:
    """What moving costs before anybody has said how far."""
    return "1 Action or Full Action" if rulings.movement_costs == "categories" else "free up to half the Move, then more"


COMMANDS: dict[type, Command] = {Move: Command(move_cost, move_refused, move_fields, move, "move", single=True, price=price)}
