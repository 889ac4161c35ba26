"""Rd6 for tables: fighters without name, place and score, moved by the procedures and mechanics of the table.

A solo operation is the ordinary procedure, run in a scene in which the fighter is alone.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from msgspec.structs import replace

from affray.ask import Ask
from affray.dice import Code
from affray.modifiers import NO_PARTS
from affray.policies import Policy
from affray.rules import rule
from affray.rulesets.rd6 import initiative
from affray.rulesets.rd6.actions import pay
from affray.rulesets.rd6.attack import in_hand, used_up
from affray.rulesets.rd6.commands import Begin, End
from affray.rulesets.rd6.damage import NO_HARM, Harm, Soak, harm, receive, soak, suffer_harm
from affray.rulesets.rd6.defence import announce
from affray.rulesets.rd6.doctrines import DOCTRINES, Doctrine, attack_word, solo_order, threatens
from affray.rulesets.rd6.legality import why_not
from affray.rulesets.rd6.mechanics import Blow, Outcome, attack_roll, resolve, strike
from affray.rulesets.rd6.numbers import (
    Circumstances,
    Guard,
    Line,
    band,
    circumstances,
    guard,
    initiative_bonus,
    line,
    metres,
    stymied,
    tie_break,
)
from affray.rulesets.rd6.procedures import PROCEDURES
from affray.rulesets.rd6.sheet import Aim, Fighter, State, Weapon, code
from affray.rulesets.rd6.special.fire import fire_option, rounds_left, spend_rounds
from affray.rulesets.rd6.telling import able, fighter
from affray.space import visible
from affray.tabular import END, PLENTY, Bout, Outlook, Seat, Simpler, Then

BY_NAME: dict[str, Doctrine] = {doctrine.name: doctrine for doctrine in DOCTRINES}
ME = "me"
"""The id of everybody in a table."""
UNBEGUN = -1
"""Actions declared by somebody whose fight has not begun: marks that a partial defence may still be announced."""


class RdTables:
    """See `affray.tabular.Tabular`."""

    together = False

    def __init__(self, state: State) -> None:
        self.rulings = state.rulings

    @property
    def rerolls(self) -> bool:
        return self.rulings.initiative_method != "roll_once"

    # ---- the start

    def refused(self, state: State, policies: Mapping[str, Policy]) -> str:
        """Tables hold fights in which everybody reaches every enemy from where they stand, by the doctrines."""
        if strange := {policy.name for key, policy in policies.items() if key != "master"} - set(BY_NAME):
            return f"the policy {', '.join(sorted(strange))} looks at more than tables hold"
        if state.turn:
            return "a turn is in progress"
        if state.rulings.initiative_method == "first_significant_action":
            return "who opened the fight is not tabulated"
        for me in state.fighters:
            if not able(me):
                continue
            if me.held_by or me.holding or me.pinned or me.prone or me.rising or me.lost_turns or me.aim.rounds:
                return f"{me.name}: grips, falls, lost turns and aims are not tabulated"
            if any(cover.name == me.behind and cover.hides >= 100 and cover.toughness.dice for cover in state.covers):
                return f"{me.name}: cover that can be shot to pieces is not tabulated"
            weapon = in_hand(me, "")
            for foe in state.fighters:
                if foe.side == me.side or not able(foe):
                    continue
                hidden = not state.distances and not visible(me.at, foe.at, state.space.walls())
                if hidden or not band(metres(state, me, foe), weapon):
                    return f"{me.name} has to move to reach {foe.name}"
        return ""

    @rule("RD6-RND-6")
    def midway(self, state: State) -> tuple[tuple[int, ...], tuple[bool, ...]] | None:
        if not state.round:
            return None
        return tuple([f.initiative for f in state.fighters]), tuple([f.begun or f.done for f in state.fighters])

    def seat(self, state: State, who: str, policy: str) -> Seat:
        me = plain(fighter(state, who))
        return Seat(replace(me, declared=UNBEGUN) if state.round == 0 else me, policy)

    def between(self, state: State, a: str, b: str) -> tuple[Weapon, Circumstances]:
        """The weapon that a uses on b, and what lies between them."""
        me = fighter(state, a)
        weapon = in_hand(me, "")
        return weapon, circumstances(state, me, fighter(state, b), weapon)

    def near(self, state: State, a: str, b: str) -> bool:
        return threatens(state, fighter(state, a), fighter(state, b))

    def preference(self, state: State, who: str) -> tuple[str, ...]:
        me = fighter(state, who)
        return tuple(f.id for f in sorted(state.fighters, key=lambda f: (metres(state, me, f), f.id)) if f.id != who)

    def tie(self, state: State, who: str) -> tuple[int, int]:
        return tie_break(fighter(state, who))

    def group(self, state: State, who: str) -> str:
        me = fighter(state, who)
        return f"{me.side}/{me.group}" if me.group else ""

    # ---- alone

    @rule("RD6-RND-4")
    def initiative(self, ask: Any, seat: Seat, first: bool) -> int:
        sheet = seat.me.sheet
        bonus = initiative_bonus(sheet)
        return ask.finish(initiative.thrown, code(sheet, "Perception"), bonus, stymied(seat.me))  # type: ignore[no-any-return]

    def opens(self, ask: Any, seat: Seat) -> Seat:
        return self._alone(ask, seat, open_round, turn=False)

    def begins(self, ask: Any, seat: Seat) -> Seat:
        return self._alone(ask, seat, lambda scene: initiative.begin_turn(scene, Begin(ME)), turn=False)

    def ends(self, ask: Any, seat: Seat) -> Seat:
        ended = self._alone(ask, seat, lambda scene: initiative.end_turn(scene, End(ME)))
        return Seat(replace(ended.me, done=False), ended.policy)

    def acts(self, ask: Any, seat: Seat, action: str) -> Seat:
        if self.attacks(action):
            weapon, shots = in_hand(seat.me, ""), int(action.split()[1])
            return self._alone(ask, seat, lambda scene: begin_attack(scene, weapon, shots))
        order = solo_order(seat.me, action)
        return self._alone(ask, seat, lambda scene: PROCEDURES[type(order)](scene, order))

    def after(self, ask: Any, seat: Seat, action: str) -> Seat:
        return self._alone(ask, seat, lambda scene: used_up(scene, ME, in_hand(seat.me, "")))

    def _alone(self, ask: Any, seat: Seat, procedure: Callable[[Any], None], turn: bool = True) -> Seat:
        """Run a procedure in a scene of one."""
        ask.state = State((seat.me,), rulings=self.rulings, round=2, turn=ME if turn else "")
        procedure(ask)
        return Seat(plain(ask.state.fighters[0]), seat.policy)

    # ---- a turn

    def next(self, seat: Seat, outlook: Outlook) -> str:
        word = BY_NAME[seat.policy].next(seat.me, outlook, self.rulings)
        if word == "attack":
            word = attack_word(seat.me, in_hand(seat.me, ""))
        if word == "end" or self.attacks(word):
            return END if word == "end" else word
        state = State((seat.me,), rulings=self.rulings, round=2, turn=ME)
        return word if why_not(state, solo_order(seat.me, word)) is None else END

    def attacks(self, action: str) -> bool:
        return action.startswith("attack")

    def simpler(self, seat: Seat, step: str, detail: Any = None) -> Simpler | None:
        """A defence that stands and the rounds left ride along."""
        return None

    # ---- two of them

    @rule("RD6-SUC-1")
    def bout(self, seat: Seat, action: str, between: tuple[Weapon, Circumstances], target: Seat) -> Bout:
        weapon, c = between
        option = fire_option(weapon, "normal", int(action.split()[1]), self.rulings)
        mine = line(seat.me, weapon, option, c, target.me.prone)
        met = guard(target.me, mine, c, self.rulings)
        mine, met = replace(mine, parts=NO_PARTS, damage_parts=NO_PARTS), replace(met, parts=NO_PARTS)
        if target.me.character_points or target.me.fate_points:
            return Bout(resolve, (mine, met))  # whoever may spend points is asked when the damage is known
        against = soak(target.me, Blow(0, mine.resisted), self.rulings)
        shown = replace(mine, code=Code(0), plus=0, points=0)
        alike = (shown, met, replace(against, parts=NO_PARTS))
        return Bout(attack_roll, (mine,), Then(over, (met.need,), landing, alike))

    def brings(self, seat: Seat, action: str) -> Seat:
        return Seat(replace(seat.me, **NO_MATTER_TO_MY_ATTACK), seat.policy)

    def offers(self, seat: Seat) -> Seat:
        me: Fighter = seat.me
        points = int(me.character_points > 0 or me.fate_points > 0)
        return Seat(replace(me, **NO_MATTER_TO_MY_DEFENCE, character_points=points), seat.policy)

    def messages(self, outcome: Outcome | tuple[Any, Any], at: None = None) -> tuple[Any, Any]:
        return outcome if isinstance(outcome, tuple) else (outcome.to_target, outcome.to_self)

    def aside(self, message: Any) -> bool:
        return False

    def heard(self, seat: Seat, message: Any) -> Any:
        return message

    def receives(self, ask: Any, seat: Seat, message: Any) -> Seat:
        if isinstance(message, Harm):
            return Seat(plain(suffer_harm(ask, seat.me, message, minutes=False)), seat.policy)
        return Seat(plain(receive(ask, seat.me, message)), seat.policy)

    # ---- ammunition

    def supply(self, seat: Seat) -> int:
        return rounds_left(seat.me, in_hand(seat.me, ""))

    def in_use(self, seat: Seat) -> str:
        return in_hand(seat.me, "").name

    def capacity(self, seat: Seat) -> int:
        return in_hand(seat.me, "").clip or PLENTY

    def enough(self, seat: Seat) -> int:
        """Doctrines attack twice at most."""
        weapon = in_hand(seat.me, "")
        shots = 2 if "semi" in weapon.modes else 1
        return 2 * max(shots, fire_option(weapon, "normal", shots, self.rulings).shots)

    def stocked(self, seat: Seat, rounds: int) -> Seat:
        name = in_hand(seat.me, "").name
        loaded = tuple([(one, rounds if one == name else left) for one, left in seat.me.loaded])
        return Seat(replace(seat.me, loaded=loaded), seat.policy)

    # ---- what is read of a seat

    def rank(self, seat: Seat, by: str) -> tuple[int, ...]:
        return BY_NAME[by].rank(seat.me)

    def shift(self, seat: Seat) -> int:
        return 0

    def tie_now(self, seat: Seat) -> int:
        return 0

    def able(self, seat: Seat) -> bool:
        return able(seat.me)

    def acting(self, seat: Seat) -> bool:
        return able(seat.me)

    def fate(self, seat: Seat) -> str:
        me: Fighter = seat.me
        return "dead" if me.dead else "out" if me.unconscious else "wounded" if me.wounds else "untouched"


def over(hits: int, need: int) -> tuple[bool, int]:
    """All that matters of a roll: the successes over those needed, or those of a miss."""
    return (True, hits - need) if hits >= need else (False, hits)


def landing(label: tuple[bool, int], mine: Line, met: Guard, against: Soak) -> Bout:
    """What so many successes do. Of a hit only those over the Difficulty matter, and of the guard what is in the way."""
    hit, hits = label
    return Bout(landed, (mine, Guard(0, wall=met.wall) if hit else met, hits, against))


def landed(ask: Ask, mine: Line, met: Guard, hits: int, against: Soak) -> tuple[Any, Any]:
    """What so many successes do, the resistance included: the messages to both. Few different ones keep tables small."""
    outcome = strike(ask, mine, met, hits)
    if outcome.to_target is None or outcome.to_target.damage < 0:
        return outcome.to_target, outcome.to_self
    came = ask.call(harm, outcome.to_target.damage, against)
    return (None if came == NO_HARM else came), outcome.to_self


def open_round(scene: Any) -> None:
    """The last round closes and a new one opens; before the first, a partial defence may be announced."""
    unbegun = fighter(scene, ME).declared == UNBEGUN
    if not unbegun:
        initiative.end_of_round(scene, ME)
    initiative.refresh(scene, ME)
    if unbegun:
        announce(scene)


def begin_attack(scene: Any, weapon: Weapon, shots: int) -> None:
    """The cost of an attack: an action, and rounds from the clip."""
    option = fire_option(weapon, "normal", shots, scene.rulings)
    pay(scene, ME, option.whole_round, keeps_aim=True)
    spend_rounds(scene, ME, weapon, option.shots)


BLANK: dict[str, Any] = {"id": ME, "name": "", "side": "", "group": "", "at": (0, 0), "initiative": 0, "begun": False}
BLANK |= {"moved": 0, "treated": False, "behind": "", "hidden": False}


NO_MATTER: dict[str, Any] = {"exclusive": False, "done": False, "turtled": False, "loaded": (), "unready": (), "dying": 0}
NO_MATTER |= {"fate_points": 0, "lost": (), "out_rounds": 0, "owed": 0}
NO_MATTER_TO_MY_ATTACK = NO_MATTER | {"standing": (), "stance": 0, "exposed": 0, "prone": False, "character_points": 0}
NO_MATTER_TO_MY_DEFENCE = NO_MATTER | {"wounds": 0, "stunned": False, "fatigued": 0, "declared": 0, "used": 0, "aim": Aim()}
"""Fields that neither `line` nor `guard` reads, and what only the other one reads."""


def plain(me: Fighter) -> Fighter:
    """A fighter without what cannot matter in a table; whoever is out by a failed roll does not wake within a fight."""
    if able(me):
        return replace(me, **BLANK)
    blank = Fighter(ME, "", "", me.sheet, character_points=me.character_points, fate_points=me.fate_points, loaded=me.loaded)
    if me.dead:
        return replace(blank, wounds=5, dead=True, unconscious=True)
    return replace(blank, wounds=me.wounds, unconscious=me.unconscious, left=me.left, dying=me.dying)
