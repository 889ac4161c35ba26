"""How procedures read and change the scene: small helpers, no rules."""

from __future__ import annotations

from typing import Any, cast

from affray.events import Changed, Noted, get
from affray.modifiers import Modifier
from affray.rulesets.rd6.sheet import Fighter, State
from affray.scene import Scene


def fighter(scene: Scene[State] | State, who: str) -> Fighter:
    """The fighter with this id, as it is now. Raises AffrayError when there is none."""
    state = scene if isinstance(scene, State) else scene.state
    return cast(Fighter, get(state, who))


def change(
    scene: Scene[State],
    who: str,
    rule: str,
    note: str,
    data: dict[str, Any] | None = None,
    parts: tuple[Modifier, ...] = (),
    **values: Any,
) -> None:
    """Tell that these fields of `who` (of the scene, when '') have these values now."""
    scene.tell(Changed(who, rule, tuple(values.items()), note, tuple((data or {}).items()), parts))


def note(
    scene: Scene[State], who: str, rule: str, told: str, data: dict[str, Any] | None = None, parts: tuple[Modifier, ...] = ()
) -> None:
    """Tell something that changes nothing."""
    scene.tell(Noted(who, rule, told, tuple((data or {}).items()), parts))


def able(me: Fighter) -> bool:
    """Whether this fighter can still fight."""
    return not (me.unconscious or me.dead or me.left)


def foes(state: State, me: Fighter) -> tuple[Fighter, ...]:
    """Opponents who can still fight, in roster order."""
    return tuple(f for f in state.fighters if f.side != me.side and able(f))
