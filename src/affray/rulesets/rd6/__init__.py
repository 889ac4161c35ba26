"""Rd6 Combat 3.0: the older D6 edition, which counts successes of six."""

from __future__ import annotations

from affray.policies.random import Random
from affray.policies.thinker import Thinker
from affray.ruleset import Ground, Ruleset, sample_order
from affray.rulesets.rd6 import bearing, chances, mechanics
from affray.rulesets.rd6.commands import AnyOrder
from affray.rulesets.rd6.doctrines import DOCTRINES
from affray.rulesets.rd6.healing import due, health, kept, stock
from affray.rulesets.rd6.initiative import flow, over, up
from affray.rulesets.rd6.legality import why_not
from affray.rulesets.rd6.offers import cost, offers
from affray.rulesets.rd6.procedures import perform
from affray.rulesets.rd6.rulings import Rulings
from affray.rulesets.rd6.setup import Form, setup
from affray.rulesets.rd6.sheet import ATTRIBUTES, SKILLS, Fighter, State
from affray.rulesets.rd6.tabular import RdTables
from affray.rulesets.rd6.texts import TEXTS
from affray.rulesets.rd6.view import bonds, coming, problems, shown, view

RULESET: Ruleset = Ruleset(
    name="rd6",
    title="Rd6 Combat 3.0",
    package="affray.rulesets.rd6",
    State=State,
    Fighter=Fighter,
    Rulings=Rulings,
    orders=AnyOrder,
    perform=perform,
    why_not=why_not,
    offers=offers,
    cost=cost,
    explains=mechanics.explains,
    helps=frozenset({"treat"}),
    up=up,
    coming=coming,
    flow=flow,
    over=over,
    fallen=bearing.fallen,
    view=view,
    numbers=shown,
    problems=problems,
    bonds=bonds,
    policies={
        **{doctrine.name: doctrine for doctrine in DOCTRINES},
        "thinker": Thinker(lambda: RULESET),
        "random": Random(lambda state, who, pick: sample_order(RULESET, state, who, pick)),
    },
    result=chances.result,
    results=chances.RESULTS,
    alike=chances.alike,
    ready=chances.ready,
    plans=chances.plans,
    seen=bearing.seen,
    bearing=bearing.bearing,
    band=bearing.band_of,
    figures=bearing.figures,
    ground=bearing.ground,
    grounds=(Ground("wall"), Ground("cover", (), "hidden, in per cent", 50, 100)),
    conditions=tuple(bearing.RULES),
    apart=bearing.apart,
    scene=bearing.scene,
    distances=bearing.DISTANCES,
    attributes=ATTRIBUTES,
    skills=tuple(SKILLS),
    dice=chances.DICE,
    texts=TEXTS,
    setup=setup,
    Form=Form,
    tabular=RdTables,
    due=due,
    kept=kept,
    stock=stock,
    health=health,
)
"""The ruleset as the rest of the project knows it."""
