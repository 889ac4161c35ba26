"""Coordinated attacks: who will strike one target together, named before the first of them does."""

from __future__ import annotations

from affray.domains import OneOf, Subset
from affray.errors import Refusal
from affray.events import Changed, get
from affray.rules import rule
from affray.ruleset import Field, Order
from affray.rulesets.rond6.actions import FREE, Command, RondScene
from affray.rulesets.rond6.attack import targets
from affray.rulesets.rond6.sheet import Fighter, State, Team

PROFIT = 4
"""Most attackers who profit."""


class Coordinate(Order, frozen=True, tag="coordinate"):
    """Name the allies (`by` among them) who attack `target` together this Round."""

    target: str = ""
    members: tuple[str, ...] = ()


def still_to_come(state: State, me: Fighter) -> tuple[str, ...]:
    """Allies whose attacks of this Round are still to come, oneself first."""
    others = [f for f in state.fighters if f.side == me.side and f.id != me.id and may_join(f)]
    return (me.id, *(f.id for f in others))


def may_join(me: Fighter) -> bool:
    """Has not acted this Round, or holds an Action back."""
    return not me.out and not me.sheet.object and (not me.acted or bool(me.waiting))


@rule("RON-SPC-9")
def coordinate_refused(state: State, me: Fighter, order: Coordinate) -> Refusal | None:
    """Why these cannot attack that one together."""
    target = next((f for f in state.fighters if f.id == order.target), None)
    if target is None or target.id in order.members or target.out in ("dead", "destroyed", "gone"):
        return Refusal("RON-SPC-9", f"there is no target {order.target!r}", targets(state, me)[:12])
    if me.id not in order.members:
        return Refusal("RON-SPC-9", f"{me.name}, who speaks, must be one of them")
    if len(set(order.members)) < max(2, len(order.members)):
        return Refusal("RON-SPC-9", "two or more different allies attack together")
    free = still_to_come(state, me)
    for who in order.members:
        if who not in free:
            return Refusal("RON-SPC-9", f"{who} cannot take part: no ally whose attack is still to come", free)
    if me.doing:
        return Refusal("RON-SPC-9", "who takes part is said before the first of the attacks")
    for team in state.teams:
        if team.round == state.round and team.target == order.target and set(team.members) & set(order.members):
            return Refusal("RON-SPC-9", f"an attack on {target.name} has been agreed upon already")
    return None


def coordinate_fields(state: State, me: Fighter) -> tuple[Field, ...] | Refusal:
    free, foes = still_to_come(state, me), tuple(who for who in targets(state, me) if get(state, who).side != me.side)
    if len(free) < 2 or not foes:
        return Refusal("RON-SPC-9", "there is no ally whose attack is still to come")
    return (
        Field("target", OneOf(foes), foes[0], "target"),
        Field("members", Subset(free, 2), free[:2], "who takes part"),
    )


@rule("RON-SPC-9")
def coordinate(scene: RondScene, order: Coordinate) -> None:
    """They agree, at no cost. The highest initiatives stand first: past four, only they profit."""
    state = scene.state
    ranked = sorted(order.members, key=lambda who: -get(state, who).initiative)
    teams = (*(team for team in state.teams if team.round == state.round), Team(order.target, tuple(ranked), state.round))
    data = (("target", order.target), ("members", ", ".join(ranked)), ("n", min(PROFIT, len(ranked))))
    scene.tell(Changed("", "RON-SPC-9", (("teams", teams),), "coordinate.agreed", data))


COMMANDS: dict[type, Command] = {
    Coordinate: Command(lambda state, me, order: FREE, coordinate_refused, coordinate_fields, coordinate, "attack together"),
}
