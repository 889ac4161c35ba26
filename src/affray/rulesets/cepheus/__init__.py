"""Cepheus Engine personal combat: two dice against 8, characteristics instead of hit points, Initiative as a resource."""

from __future__ import annotations

from typing import Any

from affray.domains import Pick
from affray.policies.random import Random
from affray.policies.thinker import Thinker
from affray.ruleset import Ruleset, sample_order
from affray.rulesets.cepheus import bearing, chances, commands, dispatch, initiative, rest, view
from affray.rulesets.cepheus import setup as files
from affray.rulesets.cepheus.policies import AGGRESSIVE, CAUTIOUS
from affray.rulesets.cepheus.rulings import Rulings
from affray.rulesets.cepheus.sheet import Fighter, State
from affray.rulesets.cepheus.tabular import CepheusTables
from affray.rulesets.cepheus.tactical import TACTICAL
from affray.rulesets.cepheus.texts import TEXTS


def fallen(me: Fighter) -> str:
    """'' while able to fight, else the word for his state."""
    return "" if me.status == "up" else me.status


def anything(state: State, who: str, pick: Pick) -> Any:
    """Any legal order."""
    return sample_order(RULESET, state, who, pick)


RULESET: Ruleset = Ruleset(
    name="cepheus",
    title="Cepheus Engine personal combat",
    package="affray.rulesets.cepheus",
    State=State,
    Fighter=Fighter,
    Rulings=Rulings,
    orders=commands.Orders,
    perform=dispatch.perform,
    why_not=dispatch.why_not,
    offers=dispatch.offers,
    cost=dispatch.cost,
    helps=frozenset({"help", "lead", "first_aid", "surgery"}),
    up=initiative.up,
    coming=initiative.queue,
    flow=dispatch.flow,
    over=initiative.over,
    fallen=fallen,
    view=view.view,
    numbers=view.numbers_of,
    problems=view.problems,
    bonds=view.bonds,
    policies={
        "aggressive": AGGRESSIVE,
        "cautious": CAUTIOUS,
        "tactical": TACTICAL,
        "thinker": Thinker(lambda: RULESET),
        "random": Random(anything),
    },
    setup=files.setup,
    Form=files.Form,
    tabular=CepheusTables,
    due=rest.due,
    kept=rest.kept,
    stock=rest.stock,
    health=rest.health,
    result=chances.result,
    results=chances.RESULTS,
    ready=chances.ready,
    plans=chances.plans,
    knows=bearing.knows,
    seen=bearing.seen,
    figures=bearing.figures,
    ground=bearing.ground,
    apart=bearing.apart,
    scene=bearing.scene,
    seconds=lambda state: int(state.seconds),
    distances=bearing.DISTANCES,
    bearing=bearing.bearing,
    band=bearing.band_of,
    dice=chances.DICE,
    texts=TEXTS,
)
