"""A tiny rule system, so that nothing of a real one leaks into the core: brawlers with vigour, a blow, a guess, a flinch."""

from __future__ import annotations

from typing import Any

import msgspec
from msgspec import Struct

from affray.ask import ATTACKER, SELF, TARGET, Ask, Roll, Why
from affray.dice import PlainPool
from affray.domains import Number, OneOf, Split, YesNo
from affray.errors import IllegalOrder, Refusal
from affray.events import Changed, get
from affray.policies.random import Random
from affray.ruleset import Field, Offer, Order, Ruleset, Shown, sample_order

BLOW, DAMAGE, FLINCH = Why("blow", "TOY-1"), Why("damage", "TOY-2"), Why("flinch", "TOY-3", "flinch?")
PLACE, LOT, BET = Why("place", "TOY-4", "where does it hurt?"), Why("lot", "TOY-5", "lot"), Why("bet", "TOY-6", "bet")


class Rulings(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    brutal: bool = False


class Brawler(Struct, frozen=True):
    id: str
    name: str
    side: str
    vigour: int = 8
    wits: int = 4
    lot: int = 0
    acted: bool = False
    flinching: bool = False


class Ring(Struct, frozen=True):
    fighters: tuple[Brawler, ...]
    rulings: Rulings = Rulings()
    round: int = 0
    turn: str = ""


class Hit(Order, frozen=True, tag="hit"):
    target: str = ""
    force: int = 0


class Rest(Order, frozen=True, tag="rest"):
    pass


class Bell(Order, frozen=True, tag="bell"):
    pass


def able(b: Brawler) -> bool:
    return b.vigour > 0 and b.wits > 0


def up(s: Ring) -> tuple[str, ...]:
    left = [b for b in s.fighters if able(b) and not b.acted]
    best = max((b.lot for b in left), default=0)
    return tuple(b.id for b in left if b.lot == best)[:1]


def over(s: Ring) -> bool:
    return len({b.side for b in s.fighters if able(b)}) < 2


def flow(s: Ring) -> Order | None:
    return None if over(s) or (s.round and up(s)) else Bell("")


def why_not(s: Ring, o: Any) -> Refusal | None:
    if isinstance(o, Bell):
        return None if flow(s) == o else Refusal("TOY-0", "not now")
    if o.by not in up(s):
        return Refusal("TOY-0", "not your turn", up(s))
    if isinstance(o, Hit) and (all(b.id != o.target for b in s.fighters) or o.target == o.by or not 0 <= o.force <= 2):
        return Refusal("TOY-1", "no such target")
    return None


def offers(s: Ring, who: str) -> tuple[Offer, ...]:
    foes = tuple(b.id for b in s.fighters if b.id != who and able(b))
    if not foes:
        return (Offer("hit", "", (), Refusal("TOY-1", "nobody")), Offer("rest", "", (), why_not(s, Rest(who))))
    fields = (Field("target", OneOf(foes), foes[0]), Field("force", Number(0, 2), 0))
    return (Offer("hit", "the turn", fields, why_not(s, Hit(who, foes[0]))), Offer("rest", "the turn", (), why_not(s, Rest(who))))


def resolve(ask: Ask, force: int, flinching: bool) -> int:
    bet = ask.choose(Number(0, 2), BET, ATTACKER, 0, (force, flinching))
    total = ask.roll(PlainPool(2), BLOW, ATTACKER) + force - bet
    if ask.choose(YesNo(), FLINCH, TARGET, False, (total,)):
        total -= 2
    return ask.call(damage, 1 + bet) if total >= (8 if flinching else 6) else 0


def damage(ask: Ask, dice: int) -> int:
    return min(6, ask.roll(PlainPool(dice), DAMAGE, ATTACKER))


def suffer(ask: Ask, me: Brawler, points: int) -> Brawler:
    points = min(points, me.vigour + me.wits)
    shares = ask.choose(
        Split(points, (("vigour", me.vigour), ("wits", me.wits))), PLACE, SELF, _default(points, me.vigour), (me, points)
    )
    fields = (("vigour", me.vigour - shares[0]), ("wits", me.wits - shares[1]))
    return ask.tell(Changed(me.id, "TOY-4", fields, "hurt", (("points", points),)), me)


def _default(points: int, vigour: int) -> tuple[int, int]:
    return (min(points, vigour), points - min(points, vigour))


def perform(scene: Any, o: Any) -> None:
    if not isinstance(o, Order):
        o = msgspec.convert(o, Hit | Rest | Bell)
    if refusal := why_not(scene.state, o):
        raise IllegalOrder(refusal)
    if isinstance(o, Bell):
        scene.tell(Changed("", "TOY-5", (("round", scene.state.round + 1),), "bell"))
        living = [b.id for b in scene.state.fighters if able(b)]
        for who, lot in zip(living, scene.all([Roll(PlainPool(1), LOT, who) for who in living]), strict=True):
            scene.tell(Changed(who, "TOY-5", (("lot", lot), ("acted", False)), "lot"))
        return
    scene.tell(Changed(o.by, "TOY-0", (("acted", True), ("flinching", isinstance(o, Rest)))))
    if isinstance(o, Hit):
        target: Brawler = get(scene.state, o.target)
        points = scene.call(resolve, o.force, target.flinching, roles={ATTACKER: o.by, TARGET: o.target})
        if points:
            scene.become(o.target, suffer, points)


def problems(s: Ring) -> tuple[str, ...]:
    return tuple(f"{b.id} below 0" for b in s.fighters if b.vigour < 0 or b.wits < 0)


class Steady:
    """Hits the first foe, flinches when the blow is heavy."""

    name = "steady"

    def order(self, state: Ring, who: str, pick: Any) -> Any:
        foe = next(b.id for b in state.fighters if able(b) and b.side != get(state, who).side)
        return Hit(who, foe)

    def answer(self, request: Any, state: Any, pick: Any) -> Any:
        return request.seen[0] >= 9 if request.why.key == "flinch" else request.default


TOY: Ruleset = Ruleset(
    name="toy",
    title="Toy",
    package="toy",
    State=Ring,
    Fighter=Brawler,
    Rulings=Rulings,
    orders=Hit | Rest | Bell,
    perform=perform,
    why_not=why_not,
    offers=offers,
    up=up,
    flow=flow,
    over=over,
    fallen=lambda b: "" if able(b) else "out",
    view=lambda s, audience: {"round": s.round, "fighters": [msgspec.to_builtins(b) for b in s.fighters]},
    numbers=lambda s, who: {"vigour": Shown(get(s, who).vigour, str(get(s, who).vigour))},
    problems=problems,
    policies={
        "steady": Steady(),
        "random": Random(lambda state, who, pick: sample_order(TOY, state, who, pick)),
    },
    texts={"hurt": "{who} loses {points}", "bell": "the bell", "lot": ""},
)


def ring(each: int = 2) -> Ring:
    """Two sides of that many."""
    return Ring(tuple(Brawler(f"{side}{i}", f"{side}{i}", side) for side in "ab" for i in range(1, each + 1)))
