"""Moving about: on the grid by steps around walls, or by changing plain distances."""

from __future__ import annotations

from collections import deque

from affray.ask import Why
from affray.domains import Number, OneOf, Place
from affray.errors import Refusal
from affray.events import Changed, get
from affray.rules import rule
from affray.ruleset import Field, Order
from affray.rulesets.rond6.actions import ACTION, FREE, FULL, Command, RondScene, pay
from affray.rulesets.rond6.checks import reaches
from affray.rulesets.rond6.numbers import distance, level, test_of
from affray.rulesets.rond6.sheet import Fighter, State
from affray.space import Cell

RUN = Why("run", "RON-MOVE-8", "running")


class Move(Order, frozen=True, tag="move"):
    """Move to the cell `to`; or, where distances are stated, `steps` Spaces towards (negative: away from) somebody."""

    to: Cell | None = None
    towards: str = ""
    steps: int = 0


@rule("RON-MOVE-2", "RON-SPC-17")
def move_value(me: Fighter) -> int:
    """Spaces of a Full Move: stated, or 5, or 6 for 3D in Athletics or Fortitude; half while Prone."""
    sheet = me.sheet
    fit = any(name in ("Athletics", "Fortitude") and code.dice >= 3 for name, code in sheet.skills)
    fit = fit or sheet.attribute("Strength").dice >= 3 or sheet.attribute("Stamina").dice >= 3
    spaces = sheet.move or (6 if fit else 5)
    return spaces // 2 if me.prone else spaces


def path_length(state: State, start: Cell, end: Cell, most: int) -> int:
    """Steps from start to end around walls; `most` + 1 when it is farther than that."""
    walls = state.space.walls()
    if start == end:
        return 0
    if end in walls:
        return most + 1
    seen, queue = {start}, deque([(start, 0)])
    manhattan = state.rulings.distance == "manhattan"
    moves = [(dx, dy) for dx in (-1, 0, 1) for dy in (-1, 0, 1) if (dx or dy) and not (manhattan and dx and dy)]
    while queue:
        (x, y), steps = queue.popleft()
        if steps == most:
            continue
        for dx, dy in moves:
            cell = (x + dx, y + dy)
            if cell == end:
                return steps + 1
            if cell not in seen and cell not in walls:
                seen.add(cell)
                queue.append((cell, steps + 1))
    return most + 1


def spaces_of(state: State, me: Fighter, order: Move) -> int:
    """Spaces that an order asks for; far beyond any run when there is no way."""
    most = 6 * move_value(me)
    if order.to is not None and me.at is not None:
        if distance(state, me, me) == 0 and max(abs(order.to[0] - me.at[0]), abs(order.to[1] - me.at[1])) > most:
            return most + 1
        return path_length(state, me.at, order.to, most)
    return abs(order.steps)


@rule("RON-MOVE-3", "RON-MOVE-4", "RON-MOVE-7", "RON-MOVE-9")
def cost_of(spaces: int, move: int, ruling: str) -> int:
    """What so many Spaces cost: half of Move an Action, beyond that a Full Action; the other readings by ruling."""
    half = move // 2
    if ruling == "categories":
        return ACTION if spaces <= half else FULL
    if spaces <= half:
        return FREE
    return ACTION if spaces <= 2 * move else FULL


def move_cost(state: State, me: Fighter, order: Move) -> int:
    return cost_of(spaces_of(state, me, order), move_value(me), state.rulings.movement_costs)


@rule("RON-MOVE-3", "RON-MOVE-4", "RON-MOVE-8", "RON-CON-9")
def move_refused(state: State, me: Fighter, order: Move) -> Refusal | None:
    """Why this move is not possible now."""
    if me.has("grappled"):
        return Refusal("RON-CON-9", f"{me.name} is held and cannot move away")
    if order.to is None:
        if not order.towards or all(f.id != order.towards for f in state.fighters) or order.towards == me.id:
            return Refusal("RON-MOVE-3", "say where to: a cell `to`, or somebody to move `towards` and the steps")
        if not order.steps:
            return Refusal("RON-MOVE-3", "say how many steps")
        if order.steps > 0 and order.steps >= distance(state, me, get(state, order.towards)):
            return Refusal("RON-MOVE-3", "that would go through them: stop at 1 Space")
    elif me.at is None:
        return Refusal("RON-MOVE-1", f"{me.name} stands nowhere on the map")
    elif order.to == me.at:
        return Refusal("RON-MOVE-3", f"{me.name} stands there already")
    elif any(f.at == order.to and f.out not in ("dead", "gone", "destroyed") for f in state.fighters):
        return Refusal("RON-MOVE-3", "somebody stands there")
    move = move_value(me)
    spaces = spaces_of(state, me, order)
    if spaces > 6 * move:
        return Refusal("RON-MOVE-8", f"that is farther than 6 times Move ({6 * move} Spaces), or there is no way")
    if state.rulings.movement_costs != "categories" and me.moved and spaces + me.moved > move // 2 and spaces <= move // 2:
        return Refusal("RON-MOVE-7", f"only {move // 2} Spaces are free in a turn")
    return None


def move_fields(state: State, me: Fighter) -> tuple[Field, ...] | Refusal:
    if me.at is not None:
        return (Field("to", Place(me.at, move_value(me)), None, "where to"),)
    others = tuple(f.id for f in state.fighters if f.id != me.id)
    if not others:
        return Refusal("RON-MOVE-3", "there is nobody to move towards")
    move = move_value(me)
    return (
        Field("towards", OneOf(others), others[0], "towards"),
        Field("steps", Number(-move, move), 1, "Spaces, negative: away"),
    )


@rule("RON-MOVE-3", "RON-MOVE-4", "RON-MOVE-8", "RON-MOVE-9")
def move(scene: RondScene, order: Move) -> None:
    """Go; beyond Move a run Test decides whether it is all of the way or just Move."""
    me: Fighter = get(scene.state, order.by)
    spaces, most = spaces_of(scene.state, me, order), move_value(me)
    pay(scene, order.by, move_cost(scene.state, me, order), order.verb)
    if spaces > most:
        step = (spaces + most - 1) // most - 2
        test = test_of(get(scene.state, order.by), "Athletics", scene.state.rulings, specialization="Running")
        if not scene.call(reaches, test, level(scene.state.rulings, step), RUN, order.by):
            spaces = most
    arrive(scene, order, spaces)


def arrive(scene: RondScene, order: Move, spaces: int) -> None:
    """Put the mover where so many Spaces of its way end."""
    me: Fighter = get(scene.state, order.by)
    data = (("spaces", spaces),)
    if order.to is not None and me.at is not None:
        cell = along(scene.state, me.at, order.to, spaces)
        scene.tell(Changed(order.by, "RON-MOVE-3", (("at", cell), ("moved", me.moved + spaces)), "move.goes", data))
        return
    steps = spaces if order.steps > 0 else -spaces
    other: Fighter = get(scene.state, order.towards)
    gap = max(0, distance(scene.state, me, other) - steps)
    space = scene.state.space
    scene.tell(Changed(order.by, "RON-MOVE-3", (("moved", me.moved + spaces),), "move.goes", data))
    changed = space.__class__(space.grid, space.areas, space.with_gap(me.id, other.id, gap), space.default_gap)
    scene.tell(Changed("", "RON-MOVE-3", (("space", changed),)))


def along(state: State, start: Cell, end: Cell, spaces: int) -> Cell:
    """The cell that is reached after so many steps on a shortest way from start to end."""
    here = start
    for _ in range(spaces):
        if here == end:
            break
        far = path_length(state, here, end, 200)
        x, y = here
        around = [(x + dx, y + dy) for dx in (-1, 0, 1) for dy in (-1, 0, 1) if dx or dy]
        walls = state.space.walls()
        here = min(
            (c for c in around if c not in walls),
            key=lambda c: (path_length(state, c, end, far), abs(c[0] - end[0]) + abs(c[1] - end[1])),
        )
    return here


COMMANDS: dict[type, Command] = {Move: Command(move_cost, move_refused, move_fields, move, "move", single=True)}
