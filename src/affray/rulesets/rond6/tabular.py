"""RonD6 for tables: fighters without name, place and score, moved by the procedures and mechanics of the table.

A solo operation is the ordinary procedure, run in a scene in which the fighter is alone.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import cached_property
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from affray.ask import ATTACKER, SELF, Ask
from affray.events import get
from affray.modifiers import NO_PARTS, total
from affray.policies import Policy
from affray.rules import rule
from affray.rulesets.rond6 import attack, initiative, policies
from affray.rulesets.rond6.actions import ACTION, End, pay, unaffordable
from affray.rulesets.rond6.checks import rolled
from affray.rulesets.rond6.commands import COMMANDS, why_not
from affray.rulesets.rond6.mechanics import ATTACK, Hit, Outcome, Slip, judge, receive
from affray.rulesets.rond6.numbers import (
    Circumstances,
    Guard,
    Line,
    Test,
    circumstances,
    distance,
    guard,
    line,
    passive_defence,
    standing_test,
)
from affray.rulesets.rond6.policies import Doctrine
from affray.rulesets.rond6.sheet import Fighter, Kind, State, Weapon
from affray.tabular import END, PLENTY, Bout, Outlook, Seat, Simpler, Then, as_it_is

DOCTRINES: dict[str, Doctrine] = {doctrine.name: doctrine for doctrine in (policies.AGGRESSIVE, policies.CAUTIOUS)}
ME = "me"
"""The id of everybody in a table."""
ALL = 10_000
"""More than any margin."""


class Riding(Struct, frozen=True):
    """Puts back what a seat carries along: all of it, or what somebody who has fallen keeps."""

    whole: tuple[tuple[str, Any], ...]
    fallen: tuple[tuple[str, Any], ...]

    def __call__(self, after: Seat) -> Seat:
        return Seat(replace(after.me, **dict(self.fallen if after.me.out else self.whole)), after.policy)


class RondTables:
    """See `affray.tabular.Tabular`."""

    rerolls = True
    together = False

    def __init__(self, state: State) -> None:
        self.state, self.rulings = state, state.rulings
        self._numbers: dict[Any, Any] = {}

    # ---- the start

    def refused(self, state: State, chosen: Mapping[str, Policy]) -> str:
        """Tables hold fights in which everybody reaches an enemy from where they stand, by the simple doctrines."""
        if strange := {policy.name for key, policy in chosen.items() if key != "master"} - set(DOCTRINES):
            return f"the policy {', '.join(sorted(strange))} looks at more than tables hold"
        if state.turn or state.interrupting or any(f.waiting for f in state.fighters):
            return "a turn is in progress"
        for me in state.fighters:
            if me.sheet.object or me.has("surprised") or me.grappled_by:
                return f"{me.name}: things, surprise and grapples are not tabulated"
            if not initiative.in_play(me):
                continue
            foes = [f for f in state.fighters if f.side != me.side and initiative.in_play(f)]
            if not all(policies.why_not_reach(state, me, foe) for foe in foes):
                return f"{me.name} has to move to reach an enemy"
        return ""

    @rule("RON-TIME-3", "RON-TIME-9")
    def midway(self, state: State) -> tuple[tuple[int, ...], tuple[bool, ...]] | None:
        """Scores are places in the order of the round, which is thrown anew anyhow."""
        if not state.round:
            return None
        keys = [(f.initiative, initiative.priority(f)) for f in state.fighters]
        ranked = sorted(set(keys))
        return tuple([ranked.index(key) for key in keys]), tuple([f.acted for f in state.fighters])

    def seat(self, state: State, who: str, policy: str) -> Seat:
        return Seat(plain(get(state, who)), policy)

    def between(self, state: State, a: str, b: str) -> tuple[Weapon, Circumstances]:
        """The weapon that a uses on b, and what lies between them."""
        weapon = attack.chosen_weapon(state, get(state, a), b, "") or attack.in_hand(get(state, a))[0]
        return weapon, circumstances(state, a, b, weapon)

    def near(self, state: State, a: str, b: str) -> bool:
        return distance(state, get(state, a), get(state, b)) <= 3

    def preference(self, state: State, who: str) -> tuple[str, ...]:
        me: Fighter = get(state, who)
        return tuple(f.id for f in sorted(state.fighters, key=lambda f: (distance(state, me, f), f.id)) if f.id != who)

    def tie(self, state: State, who: str) -> tuple[int, ...]:
        return initiative.priority(get(state, who))[:3]

    def group(self, state: State, who: str) -> str:
        me: Fighter = get(state, who)
        return f"{me.side}/{me.group}" if me.group else ""

    # ---- alone

    @rule("RON-TIME-5")
    def initiative(self, ask: Any, seat: Seat, first: bool) -> int:
        test = replace(initiative.initiative_test(seat.me, self.rulings, first), parts=NO_PARTS)
        return ask.finish(rolled, test, initiative.INITIATIVE, SELF)  # type: ignore[no-any-return]

    def opens(self, ask: Any, seat: Seat) -> Seat:
        return self._alone(ask, seat, initiative.open_round, turn=False)

    def begins(self, ask: Any, seat: Seat) -> Seat:
        return self._alone(ask, seat, lambda scene: initiative.begin_turn(scene, initiative.Turn(ME)), turn=False)

    def ends(self, ask: Any, seat: Seat) -> Seat:
        ended = self._alone(ask, seat, lambda scene: initiative.end_turn(scene, End(ME)))
        return Seat(replace(ended.me, **TURN_OVER), ended.policy)

    def acts(self, ask: Any, seat: Seat, action: str) -> Seat:
        if self.attacks(action):
            weapon = attack.in_hand(seat.me)[0]
            return self._alone(ask, seat, lambda scene: begin_attack(scene, weapon))
        order = self._order(seat, action)
        return self._alone(ask, seat, lambda scene: COMMANDS[type(order)].run(scene, order))

    def after(self, ask: Any, seat: Seat, action: str) -> Seat:
        return self._alone(ask, seat, lambda scene: attack.after_attack(scene, ME, ME))

    def _alone(self, ask: Any, seat: Seat, procedure: Callable[[Any], None], turn: bool = True) -> Seat:
        """Run a procedure in a scene of one."""
        ask.state = State((seat.me,), rulings=self.rulings, round=2, turn=ME if turn else "")
        procedure(ask)
        return Seat(plain(ask.state.fighters[0]), seat.policy)

    # ---- a turn

    def next(self, seat: Seat, outlook: Outlook) -> str:
        doctrine = DOCTRINES[seat.policy]
        dice = policies.attack_dice(seat.me)
        view = policies.Outlook(True, outlook.outnumbered, dice, outlook.threatened)
        word = doctrine.next(seat.me, view, self.rulings)
        if word == "attack":
            weapon = attack.in_hand(seat.me)[0]
            loaded = not weapon.ammo or seat.me.rounds(weapon) > 0  # else the doctrine reloads
            state = State((seat.me,), rulings=self.rulings, round=2, turn=ME)
            return word if loaded and unaffordable(state, seat.me, ACTION, True) is None else END
        return word if word != "end" and self._order(seat, word) is not None else END

    def attacks(self, action: str) -> bool:
        return action == "attack"

    def _order(self, seat: Seat, word: str) -> Any:
        """The first legal order that carries out a word, or None."""
        state = State((seat.me,), rulings=self.rulings, round=2, turn=ME)
        orders = DOCTRINES[seat.policy].orders(state, seat.me, word, ())
        return next((order for order in orders if why_not(state, order) is None), None)

    def simpler(self, seat: Seat, step: str, detail: Any = None) -> Simpler | None:
        """What stands, what is carried over and the rounds left ride along; a turn that begins ends them."""
        me: Fighter = seat.me
        riding: dict[str, Any] = {"standing": me.standing, "carried": me.carried}
        if step == "receives":
            riding = {"standing": me.standing} if isinstance(detail, Slip) else riding
            riding["ammo"] = me.ammo
        elif step == "acts" and detail != "attack":
            return None
        if not any(riding.values()):
            return None
        bare = Seat(replace(me, **{name: 0 if name == "carried" else () for name in riding}), seat.policy)
        if step in ("initiative", "next", "begins"):
            return bare, as_it_is
        fallen = {"ammo": me.ammo} if "ammo" in riding else {}
        return bare, Riding(tuple(riding.items()), tuple(fallen.items()))

    # ---- two of them

    @rule("RON-ATK-1")
    def bout(self, seat: Seat, action: str, between: tuple[Weapon, Circumstances], target: Seat) -> Bout:
        weapon, c = between
        c = replace(c, prone=target.me.prone)
        met = self._remembered(guard, target.me, weapon.kind, c, self.rulings, weapon.stun)
        mine = self._remembered(line, seat.me, weapon, c, self.rulings)
        rest = replace(mine, test=NO_TEST, damage=replace(mine.damage, parts=NO_PARTS))
        against = replace(met, value=0, test=0, parts=NO_PARTS, drt_parts=NO_PARTS)
        beaten = met.value if self.rulings.defense_rp_source == "any_miss" else met.test
        idle = self._remembered(self.idle_margin, target.me) if met.test else 0
        given = (met.value, beaten, idle)
        return Bout(thrown, (replace(mine.test, parts=NO_PARTS),), Then(margin, given, judged, (rest, against)))

    def brings(self, seat: Seat, action: str) -> Seat:
        return Seat(replace(seat.me, **NO_MATTER_TO_MY_ATTACK), seat.policy)

    def offers(self, seat: Seat) -> Seat:
        me: Fighter = seat.me
        points = int(me.character > 0 or me.fate > 0)
        return Seat(replace(me, **NO_MATTER_TO_MY_DEFENCE, character=points), seat.policy)

    def _remembered(self, number: Callable[..., Any], *args: Any) -> Any:
        """A number of attacker or target, worked out once."""
        key = (number, args)
        found = self._numbers.get(key)
        if found is None:
            found = self._numbers[key] = number(*args)
        return found

    def messages(self, outcome: Outcome, at: None = None) -> tuple[Any, Any]:
        return None if outcome.to_target == NO_HIT else outcome.to_target, None

    def aside(self, message: Any) -> bool:
        return isinstance(message, Slip)

    def heard(self, seat: Seat, message: Any) -> Any:
        return message

    def receives(self, ask: Any, seat: Seat, message: Any) -> Seat:
        return Seat(plain(receive(ask, seat.me, message)), seat.policy)

    @rule("RON-DEF-6", "RON-DEF-8")
    def idle_margin(self, me: Fighter) -> int:
        """The best margin of a defense that still changes nothing: the carried points stay below the standing Test.

        Until both end nothing else is read of them. 0 where every margin counts.
        """
        if self.rulings.defense_rp_stack == "sum":
            return 0
        kinds, cover = self.attacks_made
        test = min((standing_test(me, kind) for kind in kinds), default=0)
        bare = total(passive_defence(me, self.rulings, cover)) - me.carried
        if not test:
            return 0
        return ALL if self.rulings.active_vs_passive == "replace" else max(me.carried, test - bare)

    @cached_property
    def attacks_made(self) -> tuple[tuple[Kind, ...], int]:
        """The kinds of attacks in this fight, and the best cover that anybody has."""
        fighters = self.state.fighters
        met = [self.between(self.state, a.id, b.id) for a in fighters for b in fighters if a.side != b.side]
        return tuple(dict.fromkeys(weapon.kind for weapon, _ in met)), max((c.cover for _, c in met), default=0)

    # ---- ammunition

    def supply(self, seat: Seat) -> int:
        weapon = attack.in_hand(seat.me)[0]
        return seat.me.rounds(weapon) if weapon.ammo else PLENTY

    def in_use(self, seat: Seat) -> str:
        return attack.in_hand(seat.me)[0].name

    def capacity(self, seat: Seat) -> int:
        return attack.in_hand(seat.me)[0].ammo or PLENTY

    def enough(self, seat: Seat) -> int:
        """Doctrines attack twice at most; the third keeps them from reloading."""
        return 3

    def stocked(self, seat: Seat, rounds: int) -> Seat:
        name = attack.in_hand(seat.me)[0].name
        others = tuple([one for one in seat.me.ammo if one[0] != name])
        return Seat(replace(seat.me, ammo=(*others, (name, rounds))), seat.policy)

    # ---- what is read of a seat

    def rank(self, seat: Seat, by: str) -> tuple[int, ...]:
        return DOCTRINES[by].rank(seat.me)

    def shift(self, seat: Seat) -> int:
        return 0

    def tie_now(self, seat: Seat) -> int:
        return 0

    def able(self, seat: Seat) -> bool:
        return initiative.able(seat.me)

    def acting(self, seat: Seat) -> bool:
        return initiative.able(seat.me)

    def fate(self, seat: Seat) -> str:
        me: Fighter = seat.me
        return "dead" if me.out == "dead" else "out" if me.out else "wounded" if me.wounds else "untouched"


def thrown(ask: Ask, test: Test) -> int:
    """The total of an attack."""
    return ask.roll(test.pool(ask.rulings), ATTACK, ATTACKER) + test.plus


def margin(total: int, value: int, beaten: int, idle: int) -> int:
    """All that matters of a total: by how much it reaches the value, or -1 less what a defender wins by (0 if it is idle)."""
    if total >= value:
        return total - value
    return -1 - (beaten - total) if beaten - total > idle else -1


def judged(margin: int, mine: Line, met: Guard) -> Bout:
    """What comes of a margin."""
    if margin >= 0:
        return Bout(judge, (mine, met, margin))
    return Bout(judge, (NO_LINE, Guard(max(1, -1 - margin), -1 - margin, 0), 0))


def begin_attack(scene: Any, weapon: Weapon) -> None:
    """The cost of an attack: an Action, and a round from a magazine."""
    pay(scene, ME, ACTION, "attack")
    attack.spend_rounds(scene, ME, weapon, 1)


BLANK = {"name": "", "id": ME, "side": "", "group": "", "at": None, "initiative": 0, "tie": 0, "acted": False}
BLANK |= {"injury": 0, "treated": 0, "moved": 0, "hidden": False, "player": False}


NO_TEST = Test(0)
NO_HIT = Hit(-1)
"""Damage below the resistance, of a target that has no points to spend on more."""
NO_LINE = Line(NO_TEST, NO_TEST, "ranged")

TURN_OVER: dict[str, Any] = {"declared": 0, "used": 0, "full": False, "limit_doubled": False, "extra": 0, "doing": ""}
"""Fields that the next Round sets anew and nothing reads before."""

NO_MATTER: dict[str, Any] = {"used": 0, "full": False, "limit_doubled": False, "doing": "", "rested": False, "massive": 0}
NO_MATTER |= {"mortal": 0, "asleep": 0, "fainted": "", "barred": False, "fate": 0, "ammo": (), "lost": 0}
NO_MATTER_TO_MY_ATTACK = NO_MATTER | {"standing": (), "carried": 0, "defence_bonus": 0, "prone": False, "character": 0}
NO_MATTER_TO_MY_DEFENCE = NO_MATTER | {"wounds": 0, "stunned": False, "fatigue": 0, "declared": 0, "aim": 0}
"""Fields that neither `line` nor `guard` reads, and what only the other one reads."""


def plain(me: Fighter) -> Fighter:
    """A fighter without what cannot matter in a table."""
    if me.out == "dead":
        return Fighter(ME, "", "", me.sheet, wounds=5, out="dead", character=me.character, fate=me.fate, ammo=me.ammo)
    if me.out == "unconscious" and me.fainted == "wounds":  # only healing wakes it
        kept: dict[str, Any] = {"wounds": me.wounds, "mortal": me.mortal, "fainted": me.fainted, "fatigue": me.fatigue}
        means: dict[str, Any] = {"character": me.character, "fate": me.fate, "ammo": me.ammo}
        return Fighter(ME, "", "", me.sheet, out=me.out, conditions=me.conditions, **kept, **means)
    return replace(me, **BLANK)
