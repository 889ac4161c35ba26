"""Which procedure carries out which order."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from affray.errors import IllegalOrder
from affray.rulesets.rd6 import actions, attack, commands, defence, healing, initiative, interaction, movement
from affray.rulesets.rd6.legality import why_not
from affray.rulesets.rd6.sheet import State
from affray.rulesets.rd6.special import grips, objects, spray
from affray.scene import Scene

DUE = (commands.Round, commands.Begin)

PROCEDURES: dict[type, Callable[[Scene[State], Any], None]] = {
    commands.Round: initiative.begin_round,
    commands.Begin: initiative.begin_turn,
    commands.End: initiative.end_turn,
    commands.Declare: actions.declare,
    commands.Attack: attack.attack,
    commands.AllOut: attack.all_out,
    commands.Charge: attack.charge,
    commands.Tackle: attack.tackle,
    commands.Grab: grips.seize,
    commands.Flip: grips.seize,
    commands.Hold: grips.seize,
    commands.ArmPin: grips.seize,
    commands.Lift: grips.seize,
    commands.Slam: grips.slam,
    commands.Squeeze: grips.squeeze,
    commands.Escape: grips.escape,
    commands.Release: grips.release,
    commands.Sweep: spray.sweep,
    commands.HeadsDown: spray.heads_down,
    commands.Dodge: defence.defend,
    commands.Block: defence.defend,
    commands.Parry: defence.defend,
    commands.Resist: defence.defend,
    commands.Grant: defence.grant,
    commands.TakeAim: actions.aim,
    commands.Intimidate: interaction.interact,
    commands.Taunt: interaction.interact,
    commands.Trick: interaction.interact,
    commands.Maneuver: interaction.interact,
    commands.Move: movement.move,
    commands.Stand: actions.stand,
    commands.Recover: actions.shake_off,
    commands.Reload: actions.reload,
    commands.Ready: actions.ready,
    commands.Test: actions.make_test,
    commands.Other: actions.other,
    commands.Break: objects.smash,
    commands.Treat: healing.treat,
    commands.Rest: healing.rest,
}


def perform(scene: Scene[State], order: Any) -> None:
    """Carry out an order. Raises IllegalOrder when it is not possible."""
    ended = isinstance(order, commands.End) and scene.state.turn == order.by
    if not isinstance(order, DUE) and not ended and (refused := why_not(scene.state, order)):
        raise IllegalOrder(refused)
    PROCEDURES[type(order)](scene, order)
