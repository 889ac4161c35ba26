"""Breaking into somebody else's turn: each of those who wait may take a whole turn inside an order."""

from __future__ import annotations

from typing import Any

import msgspec

from affray.ask import Why
from affray.domains import AnOrder, YesNo
from affray.errors import BadAnswer, plainly
from affray.rules import rule
from affray.rulesets.cepheus import initiative

Scene = Any
MOST_ORDERS = 12
"""Orders in one interrupting turn; free acts would otherwise have no end."""


@rule("CEP-ACT-20", "CEP-ACT-19")
def interrupts(scene: Scene, by: str) -> None:
    """After a declaration and before its dice: does anybody who waits act now?"""
    for f in scene.state.fighters:
        if f.id == by or not f.waiting or not initiative.may_act(scene.state, scene.state[f.id]):
            continue
        if scene.choose(YesNo(), Why("interrupt", "CEP-ACT-20"), f.id, False):
            whole_turn(scene, f.id)


def whole_turn(scene: Scene, who: str) -> None:
    """One order after the other until he passes or nothing is left; then the interrupted turn goes on."""
    from affray.rulesets.cepheus import dispatch  # the dispatcher knows attacks, which know this

    initiative.take_turn(scene, who, waited=True)
    for _ in range(MOST_ORDERS):
        state = scene.state
        if not initiative.able(state[who]) or state.turn != who or dispatch.spent(state[who]):
            break
        ready = dispatch.examples(state, who)
        if not ready:
            break
        answer = scene.choose(AnOrder(who, ready), Why("order", "CEP-ACT-20"), who, None, (who,))
        if answer is None:
            break
        order = _order(answer, who)
        if order.by != who:
            raise BadAnswer(f"it is {who} who acts now")
        dispatch.perform(scene, order)
    if scene.state.turn == who:
        initiative.finish_turn(scene)


def _order(answer: Any, who: str) -> Any:
    """An order from what was answered: an order, or plain data."""
    from affray.rulesets.cepheus import commands

    if not isinstance(answer, dict):
        return answer
    try:
        return msgspec.convert({"by": who, **answer}, commands.Orders)
    except msgspec.ValidationError as wrong:
        raise BadAnswer(f"that is no order: {plainly(wrong)}") from None
