"""What a ruleset provides to the rest, and how to find one.

Everything above the rules (encounter, odds, terminal, page) works through this; nothing outside a ruleset's package, its
compendium and its file format may know which ruleset it is.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from importlib import import_module
from typing import Any, get_type_hints

import msgspec
from msgspec import Struct

from affray import audience as looking
from affray.audience import Audience
from affray.clock import Due
from affray.domains import Domain, Pick
from affray.errors import DataError, IllegalOrder, Problem, Refusal, nearest, plainly, steering, unknown
from affray.modifiers import NO_PARTS, Modifier
from affray.policies import Policy
from affray.reading import Report, misfit
from affray.setup import Setup

NAMES = ("rond6", "rd6", "cepheus")


class _By(Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True, tag_field="do"):
    by: str


class Order(_By, frozen=True, kw_only=True):
    """What somebody wants done. Each verb of a ruleset is a subclass with its tag; fields beside `by` are its options."""

    because: str = ""
    """Why, in words for the log; policies give one. It changes nothing."""

    @property
    def verb(self) -> str:
        return str(self.__struct_config__.tag)


class Field(Struct, frozen=True):
    """One option of an order: its name, what may be put there, what is assumed if it is left out, and words for it."""

    name: str
    domain: Any
    default: Any = None
    text: str = ""


class Offer(Struct, frozen=True):
    """A verb that may be ordered now, its cost in words, its options; or `refused` and why."""

    verb: str
    cost: str
    fields: tuple[Field, ...] = ()
    refused: Refusal | None = None
    text: str = ""


class Shown(Struct, frozen=True):
    """A derived number as people see it: its value, how it reads ('5D', '11'), and the modifiers it is made of."""

    value: Any
    text: str
    parts: tuple[Modifier, ...] = NO_PARTS


class Figure(Struct, frozen=True):
    """A number that an order comes down to: what it is, whose ('by' or 'target'), its value with its parts, and its rule."""

    name: str
    whose: str
    shown: Shown
    rule: str = ""


class Sign(Struct, frozen=True):
    """Something that is so with a fighter for now: a condition, a stance, a defence. `left`: for how long, in words."""

    word: str
    left: str = ""
    rule: str = ""


class Bearing(Struct, frozen=True):
    """How a fighter stands, for people who look at the fight. `word` and `level` say how hurt: 0 unhurt to 4 out of it.

    `own` is for those alone who may see all of the fighter: (name, words) of wounds, points and the like, and `ammo` as
    (weapon, rounds left, of how many).
    """

    word: str
    level: int
    score: int
    acted: bool
    left: str = ""
    """What is left of the turn."""
    signs: tuple[Sign, ...] = ()
    standing: tuple[Sign, ...] = ()
    """Defences that hold."""
    held: tuple[str, ...] = ()
    """What is in hand."""
    own: tuple[tuple[str, str], ...] = ()
    points: tuple[tuple[str, int], ...] = ()
    ammo: tuple[tuple[str, int, int], ...] = ()
    may: str = ""
    """What may be done in the turn, while nothing is stated. It follows from the sheet: for those who may see all."""


class Result(Struct, frozen=True):
    """What an order came to for one fighter, for odds: one word, and whole numbers by name.

    A number that is never but 0 or 1 says whether something happened; its expectation is a probability.
    """

    word: str
    measures: tuple[tuple[str, int], ...] = ()


class Ground(Struct, frozen=True):
    """A kind of area on the map that makes a difference. `words`: other words for it. `value`: what its number says, '' where
    it has none; `usual` and `most` of that number."""

    name: str
    words: tuple[str, ...] = ()
    value: str = ""
    usual: int = 0
    most: int = 0


@dataclass(frozen=True)
class Dice:
    """How a ruleset throws and reads dice where there is no fight, for questions of odds."""

    pool: Callable[[str], Any]
    """pool('5D+1'): the dice of a plain test. Raises BadAnswer."""
    margin: Callable[[int, int], int]
    """margin(total, difficulty): by how much the test succeeds; negative: it fails."""
    harm: Callable[[int], str] | None = None
    """harm(over): what damage that exceeds a resistance by `over` does, in a word; None: a roll and a number do not say."""
    check: Callable[[int, int, int], int] | None = None
    """check(natural, dm, need): the Effect of a 2D6 check; None: the total less the number."""


@dataclass(frozen=True)
class Distances:
    """How a ruleset keeps what somebody says of how far two are apart, where no place on a map decides it."""

    unit: Callable[[Any], str]
    """unit(state): what distances are counted in: 'Spaces', 'metres, or a band'; '' where places decide."""
    put: Callable[[Any, str, str, float | str], dict[str, Any]]
    """put(state, a, b, far): the fields of the state that say so, `far` being a number or one of `bands`."""
    bands: tuple[str, ...] = ()
    """Names that may be written for a distance."""
    whole: bool = False
    """Only whole numbers are kept."""


def ruling(rule: str, meaning: str, values: Mapping[str, str] | None = None, /, **alternatives: str) -> msgspec.Meta:
    """Metadata of a ruling: the rule it alters, what it is about, and what each alternative means."""
    return msgspec.Meta(description=meaning, extra={"rule": rule, "values": {**(values or {}), **alternatives}})


def _plain_bearing(state: Any, who: str) -> Bearing:
    return Bearing("", 0, 0, False)


def _no_files(setup: Setup, report: Report) -> Any:
    report.say(f"the ruleset {setup.ruleset!r} cannot be played from files yet")
    return None


@dataclass(frozen=True)
class Ruleset:
    """A rule system. All functions are pure; states, fighters and orders are frozen structs."""

    name: str
    title: str
    package: str
    """Where `rules.toml` lies: 'affray.rulesets.rond6'."""
    State: type
    """Has `fighters`, `rulings` and `round`. `turn` and `space` (of `affray.space`) mean the same in all that have them."""
    Fighter: type
    """Has `id` and `side`. `sheet`, `name`, `group`, `at`, `hidden`, `player` and `conditions` mean the same in all that have
    them, so those above may ask for them by name; whatever else they want of a fighter is a function below."""
    Rulings: type
    orders: Any
    """Union of all order structs."""
    perform: Callable[[Any, Any], None]
    """perform(scene, order): the procedure. Raises IllegalOrder."""
    why_not: Callable[[Any, Any], Refusal | None]
    """why_not(state, order): the one judge of legality."""
    offers: Callable[[Any, str], tuple[Offer, ...]]
    """offers(state, who): every verb, with cost and options, the refused ones with their reason."""
    up: Callable[[Any], tuple[str, ...]]
    """up(state): ids of those who may act now; a function of the state."""
    flow: Callable[[Any], Any]
    """flow(state): the order that is due by itself (a new round, a turn that begins or ends), or None when somebody decides."""
    over: Callable[[Any], bool]
    """over(state): at most one side can still fight."""
    fallen: Callable[[Any], str]
    """fallen(fighter): '' while able to fight, else the word for its state ('unconscious', 'dead', ...)."""
    view: Callable[[Any, str], dict[str, Any]]
    """view(state, audience): what 'master', a side's or a fighter's id, or 'spectator' may see, as plain data."""
    numbers: Callable[[Any, str], dict[str, Shown]]
    """numbers(state, who): derived numbers by name, with their parts."""
    problems: Callable[[Any], tuple[str, ...]]
    """problems(state): what can never be in a sound state (used by tests and by the referee's corrections)."""
    policies: Mapping[str, Policy] = field(default_factory=dict)
    setup: Callable[[Setup, Report], Any] = _no_files
    """setup(setup, report): the state in which a described fight begins, or None after reporting all that is wrong.

    Places of the report begin with ('combatant', position), ('space',), ('rulings',) or ('start',).
    """
    Form: Any = None
    """Struct of what a sheet may say in a file (see `affray.reading`); None: not known."""
    tabular: Any = None
    """tabular(state): an `affray.tabular.Tabular` under the rulings of that state; None: only the live loop serves."""
    coming: Callable[[Any], tuple[str, ...]] = lambda state: ()
    """coming(state): ids of those who have still to act this round, in order."""
    cost: Callable[[Any, Any], str] = lambda state, order: ""
    """cost(state, order): what this very order takes of the turn, in words ('Full Action', 'minor'); '' where nothing is
    counted. It never raises, however incomplete the order is."""
    helps: frozenset[str] = frozenset()
    """Verbs that are good for their target. All others that have one are aimed against somebody."""
    explains: Callable[[Any, str, Any], tuple[str, str]] = lambda rulings, key, value: ("", "")
    """explains(rulings, key, value): the rule that tells what an answer to a question (by the key of its why) does, and what it
    takes in words; '' where an answer speaks for itself."""
    due: Callable[[Any], tuple[Due, ...]] = lambda state: ()
    """due(state): what time will bring after the fight, the soonest first. Time passes by the ruleset's order `rest`."""
    kept: Callable[[Any, str], dict[str, Any]] = lambda state, who: {}
    """kept(state, who): what a fighter takes from this fight into the next one, as `state = {...}` of an encounter file says
    it: wounds, points, ammunition. What passes with the fight, and what is as it was at first, is left out."""
    stock: Callable[[Any], tuple[tuple[str, int], ...]] = lambda fighter: ()
    """stock(fighter): what it has left of all that runs out, by name: points, 'rounds' in its weapons."""
    health: Callable[[Any], int] = lambda fighter: 0
    """health(fighter): how much more it can take; what an attack takes off it is the harm that it does."""
    result: Callable[[Any, Any, tuple[Any, ...]], Result] | None = None
    """result(before, after, returned): what an order came to for a fighter, seen before and after it; `returned` are the
    answers of the mechanics that the order called, in order. None: only whether the fighter fell."""
    results: tuple[str, ...] = ()
    """The words of `result`, from the mildest to the worst."""
    alike: Callable[[Any], Any] | None = None
    """alike(fighter): what of a fighter odds tell apart; None: everything."""
    ready: Callable[[Any, str], Any] = lambda state, who: state
    """ready(state, who): the state as if it were the turn of `who`, to ask for odds out of turn."""
    plans: Callable[[Any, Any], tuple[tuple[str, str, tuple[Any, ...]], ...]] = lambda state, order: ()
    """plans(state, order): ways to fit an order into a turn, each with its kind ('actions', 'aim', 'dodge'), its name, and
    the orders that it takes."""
    covered: Callable[[Any, Any], tuple[tuple[int, int], ...]] = lambda state, order: ()
    """covered(state, order): the cells of the map that an order on an area covers, for drawing it and for odds."""
    knows: Callable[[Any, Audience], frozenset[str]] = looking.knows
    """knows(state, audience): the ids of those of whom the audience knows."""
    seen: Callable[[Any, Audience], Any] = looking.seen
    """seen(state, audience): the state as that audience knows it: the hidden are not there, and whoever is not theirs is an
    ordinary stranger with the gear that shows. Offers, refusals, numbers and odds for them are worked out from it."""
    bearing: Callable[[Any, str], Bearing] = _plain_bearing
    """bearing(state, who): how a fighter stands, for people who look at the fight."""
    band: Callable[[Any, Any], str] = lambda state, order: ""
    """band(state, order): the range band of what an order is aimed at, in words; '' where there is none."""
    figures: Callable[[Any, str, Any], tuple[Figure, ...]] = lambda state, target, value: ()
    """figures(state, target, value): the numbers in what an order hands to a mechanic (its `Line`, the target's `Guard`);
    () for any other value."""
    ground: Callable[[Any], tuple[str, str, float]] = lambda state: ("none", "", 0.0)
    """ground(state): 'grid', 'bands' (distances of pairs) or 'none'; what a cell of the map is called, and its metres."""
    apart: Callable[[Any, str, str], tuple[str, float, str]] = lambda state, a, b: ("", 0.0, "")
    """apart(state, a, b): how far two are apart, in words and in metres, and the band that everybody is in who is that far."""
    scene: Callable[[Any], tuple[tuple[str, str], ...]] = lambda state: ()
    """scene(state): what there is of light, smoke and the like, by name and in words."""
    seconds: Callable[[Any], int] | None = None
    """seconds(state): how long the fight has lasted; None: it is not counted."""
    bonds: Callable[[Any, Any], tuple[tuple[str, tuple[tuple[str, Any], ...]], ...]] = lambda before, after: ()
    """bonds(before, after): what a correction of one side of a bond (a hold, a grapple) changes on the other side, as
    (who, fields), so that the game master need not correct two people at once."""
    grounds: tuple[Ground, ...] = ()
    """What may be painted on a map; () where a map has no areas."""
    conditions: tuple[str, ...] = ()
    """Conditions that the rules know by name, besides the yes/no fields of a fighter."""
    distances: Distances | None = None
    """Distances that are stated; None: everybody has a place."""
    attributes: tuple[str, ...] = ()
    """Attributes that every sheet has, each with a code of its own; () where a profile says them all."""
    skills: tuple[str, ...] = ()
    """Skills of the book, for lists to pick from."""
    dice: Dice | None = None
    texts: Mapping[str, str] = field(default_factory=dict)
    """Templates by the `note` of an event: '{who} is stunned'. `{who}` and the event's data may be used."""

    def order(self, data: Any) -> Any:
        """An order from plain data ({'do': 'attack', 'by': ...}). Raises IllegalOrder with what is wrong and what is known."""
        if isinstance(data, Order):
            return data
        kinds = {str(kind.__struct_config__.tag): kind for kind in self.orders.__args__}
        verb = str(data.get("do", ""))
        if verb not in kinds:
            raise IllegalOrder(Refusal("", f"there is no order {verb!r}{_near(verb, kinds)}", tuple(kinds)))
        known = [f.encode_name for f in msgspec.structs.fields(kinds[verb])]
        for name in data:
            if name != "do" and name not in known:
                raise IllegalOrder(Refusal("", f"{verb!r} has no option {name!r}{_near(name, known)}", tuple(known)))
            if isinstance(data[name], str) and (problem := steering(data[name])):
                raise IllegalOrder(Refusal("", f"{verb}.{name}: {problem}"))
        try:
            return msgspec.convert(data, kinds[verb])
        except msgspec.ValidationError as wrong:
            raise IllegalOrder(_misfit(verb, kinds[verb], data, wrong)) from None

    def rulings(self, data: Mapping[str, Any]) -> Any:
        """Typed rulings from {key: value}. Raises DataError with every unknown key or value at once."""
        problems: list[Problem] = []
        fields = {f.encode_name: f for f in msgspec.structs.fields(self.Rulings)}
        hints = get_type_hints(self.Rulings, include_extras=True)
        good = {}
        for key, value in data.items():
            if key not in fields:
                problems.append(unknown("ruling", key, tuple(fields), "", 0, f"rulings.{key}"))
                continue
            try:
                good[key] = msgspec.convert(value, hints[fields[key].name], strict=True)
            except msgspec.ValidationError:
                allowed = tuple(ruling_values(hints[fields[key].name]))
                near = nearest(str(value), allowed)
                problems.append(Problem(f"{value!r} is not a value of this ruling", "", 0, f"rulings.{key}", allowed, near))
        if not problems:
            try:
                return msgspec.convert(msgspec.to_builtins(good), self.Rulings)
            except msgspec.ValidationError as wrong:
                problems.append(Problem(str(wrong), "", 0, "rulings"))
        raise DataError(problems)


def _misfit(verb: str, kind: Any, data: Mapping[str, Any], wrong: Exception) -> Refusal:
    """Which option of an order is wrong, with what it may be and the nearest value."""
    text, allowed = misfit(kind, {name: value for name, value in data.items() if name != "do"}, verb)
    return Refusal("", text, allowed) if text else Refusal("", f"{verb}: {plainly(wrong)}")


def _near(name: str, known: Iterable[str]) -> str:
    near = nearest(name, known)
    return f"; did you mean {near!r}?" if near else ""


def ruling_values(hint: Any) -> dict[str, str]:
    """The alternatives of a ruling's type hint, as {value: meaning}."""
    for meta in getattr(hint, "__metadata__", ()):
        if isinstance(meta, msgspec.Meta) and meta.extra:
            return dict(meta.extra["values"])
    return {}


def find(name: str) -> Ruleset:
    """The ruleset of that name. Raises DataError with the nearest name."""
    if name in NAMES:
        try:
            return import_module(f"affray.rulesets.{name}").RULESET  # type: ignore[no-any-return]
        except (ModuleNotFoundError, AttributeError):
            raise DataError([Problem(f"the ruleset {name!r} is not in this version")]) from None
    raise DataError([unknown("ruleset", name, NAMES)])


TRIES = 40
"""Orders drawn at random before a plain one is taken."""


def sample_order(ruleset: Ruleset, state: Any, who: str, pick: Pick) -> Any:
    """Some legal order of `who`, drawn from its offers; falls back on the first legal one that needs no options."""
    open_offers = [offer for offer in ruleset.offers(state, who) if offer.refused is None]
    kinds = {str(kind.__struct_config__.tag): kind for kind in ruleset.orders.__args__}
    for _ in range(TRIES):
        offer = open_offers[pick(len(open_offers))]
        order = kinds[offer.verb](by=who, **{f.name: _drawn(f, pick) for f in offer.fields})
        if ruleset.why_not(state, order) is None:
            return order
    for offer in open_offers:
        order = kinds[offer.verb](by=who, **{f.name: f.default for f in offer.fields})
        if ruleset.why_not(state, order) is None:
            return order
    raise IllegalOrder(Refusal("", f"{who} has no legal order"))


def _drawn(option: Field, pick: Pick) -> Any:
    """Half of the time the default, so that orders with many options are not nearly always refused."""
    return option.default if option.default is not None and pick(2) else option.domain.sample(pick)


__all__ = [
    "NAMES",
    "Bearing",
    "Dice",
    "Distances",
    "Domain",
    "Due",
    "Field",
    "Figure",
    "Offer",
    "Order",
    "Result",
    "Ruleset",
    "Shown",
    "Sign",
    "find",
    "ruling",
    "ruling_values",
    "sample_order",
]
