"""RonD6 Combat 4.0."""

from affray.policies.random import Random
from affray.policies.thinker import Thinker
from affray.ruleset import Ruleset, sample_order
from affray.rulesets.rond6 import (
    areas,
    bearing,
    chances,
    commands,
    feats,
    initiative,
    paths,
    policies,
    rest,
    setup,
    tactics,
    view,
)
from affray.rulesets.rond6.rulings import Rulings
from affray.rulesets.rond6.sheet import ATTRIBUTES, CONDITIONS, SKILLS, Fighter, State
from affray.rulesets.rond6.tabular import RondTables
from affray.rulesets.rond6.texts import TEXTS

RULESET: Ruleset = Ruleset(
    name="rond6",
    title="RonD6 Combat 4.0",
    package=__name__,
    State=State,
    Fighter=Fighter,
    Rulings=Rulings,
    orders=commands.ORDERS,
    perform=commands.perform,
    why_not=commands.why_not,
    offers=commands.offers,
    cost=commands.cost,
    explains=feats.explains,
    helps=frozenset({"treat", "release"}),
    up=initiative.up,
    coming=initiative.coming,
    flow=initiative.flow,
    over=initiative.over,
    fallen=lambda fighter: str(fighter.out),
    view=view.view,
    numbers=view.numbers,
    problems=view.problems,
    policies={
        "aggressive": policies.AGGRESSIVE,
        "cautious": policies.CAUTIOUS,
        "tactical": tactics.TACTICAL,
        "thinker": Thinker(lambda: RULESET),
        "random": Random(lambda state, who, pick: sample_order(RULESET, state, who, pick)),
    },
    covered=areas.covered,
    setup=setup.setup,
    Form=setup.Form,
    tabular=RondTables,
    due=rest.due,
    kept=rest.kept,
    stock=rest.stock,
    health=rest.health,
    result=chances.result,
    results=chances.RESULTS,
    ready=chances.ready,
    plans=chances.plans,
    seen=bearing.seen,
    bearing=bearing.bearing,
    band=bearing.band_of,
    figures=bearing.figures,
    ground=bearing.ground,
    grounds=paths.GROUNDS,
    conditions=(*CONDITIONS, "setback"),
    apart=bearing.apart,
    distances=bearing.DISTANCES,
    attributes=ATTRIBUTES,
    skills=tuple(SKILLS),
    dice=chances.DICE,
    texts=TEXTS,
)
