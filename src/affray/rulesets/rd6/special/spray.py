"""One roll against several: sweeping an area, firing to scare."""

from __future__ import annotations

from msgspec.structs import replace

from affray.ask import ATTACKER
from affray.rules import rule
from affray.rulesets.rd6.actions import pay, pay_points
from affray.rulesets.rd6.attack import in_hand, strike_at, used_up
from affray.rulesets.rd6.commands import HeadsDown, Sweep
from affray.rulesets.rd6.interaction import take_effect
from affray.rulesets.rd6.mechanics import attack_roll
from affray.rulesets.rd6.numbers import Option, circumstances, line
from affray.rulesets.rd6.sheet import State
from affray.rulesets.rd6.special.fire import SWEEP, spend_rounds, sweep_rounds
from affray.rulesets.rd6.telling import fighter
from affray.scene import Scene


def _roll(scene: Scene[State], order: Sweep | HeadsDown, option: Option) -> int:
    """The one attack roll; scale and aim, which belong to a single target, take no part."""
    me = fighter(scene, order.by)
    weapon = in_hand(me, order.weapon)
    pay(scene, order.by, True)
    spend_rounds(scene, order.by, weapon, sweep_rounds(weapon, order.shots))
    pay_points(scene, order.by, order.points)
    me, target = fighter(scene, order.by), fighter(scene, order.targets[0])
    here = replace(circumstances(scene.state, me, target, weapon), scale=0, aim=0)
    mine = line(me, weapon, option, here, points=order.points)
    return scene.call(attack_roll, mine, roles={ATTACKER: order.by})


@rule("RD6-SPC-17")
def sweep(scene: Scene[State], order: Sweep) -> None:
    """One roll, compared with the Difficulty of each; damage with the Result Points of each."""
    hits = _roll(scene, order, SWEEP)
    weapon = in_hand(fighter(scene, order.by), order.weapon)
    for at in order.targets:
        strike_at(scene, order.by, at, weapon, SWEEP, successes=hits)


@rule("RD6-SPC-18")
def heads_down(scene: Scene[State], order: HeadsDown) -> None:
    """The attack roll counts as an Intimidation of each."""
    hits = _roll(scene, order, Option("heads down", "RD6-SPC-18", whole_round=True))
    used_up(scene, order.by, in_hand(fighter(scene, order.by), order.weapon))
    for at in order.targets:
        take_effect(scene, order.by, at, "intimidate", hits)
