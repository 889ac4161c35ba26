"""Cepheus for tables: combatants without name, place and score, moved by the procedures and mechanics of the table.

A solo operation is the ordinary procedure in a scene in which the fighter is alone. The score of Initiative is thrown once;
what lasts for a round (`shift`) and the Dexterity that breaks ties (`tie_now`) are read from the seat.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from affray.ask import SELF, Why
from affray.events import get
from affray.modifiers import total
from affray.policies import Policy
from affray.rules import rule
from affray.rulesets.cepheus import actions, attack, conditions, damage, defence, initiative, numbers, policies
from affray.rulesets.cepheus import commands as c
from affray.rulesets.cepheus.mechanics import TWO
from affray.rulesets.cepheus.numbers import Attack, Circumstances
from affray.rulesets.cepheus.policies import Doctrine
from affray.rulesets.cepheus.sheet import Armour, Dose, Fighter, Held, Hit, Sheet, State, Suppression, Weapon
from affray.rulesets.cepheus.special import comms
from affray.tabular import END, PLENTY, Bout, Outlook, Seat, Simpler

DOCTRINES: dict[str, Doctrine] = {doctrine.name: doctrine for doctrine in (policies.AGGRESSIVE, policies.CAUTIOUS)}
ME = "me"
"""The id of everybody in a table."""


class Reacted(Struct, frozen=True):
    """The target has reacted, whatever came of it."""

    kind: str


class Worn(Struct, frozen=True):
    """What stands between a hit and the body."""

    armour: tuple[Armour, ...]
    traits: tuple[str, ...]
    wear: int
    doses: tuple[Dose, ...]


class Riding(Struct, frozen=True):
    """Puts back what a seat carries along."""

    what: tuple[tuple[str, Any], ...]

    def __call__(self, after: Seat) -> Seat:
        return Seat(replace(after.me, **dict(self.what)), after.policy)


class InHand(Struct, frozen=True):
    """Puts back what somebody holds, or what lies there when he has fallen, and whether he has had his turn."""

    held: tuple[Held, ...]
    fallen: tuple[Held, ...]
    begun: bool

    def __call__(self, after: Seat) -> Seat:
        status = after.me.status
        begun = self.begun and status != "dead"
        return Seat(replace(after.me, held=self.held if status == "up" else self.fallen, begun=begun), after.policy)


class CepheusTables:
    """See `affray.tabular.Tabular`."""

    rerolls = False

    def __init__(self, state: State) -> None:
        self.rulings = state.rulings
        self._alike: dict[tuple[Sheet, str, int], int] = {}
        self._hits: dict[tuple[Hit, Worn], Hit] = {}
        self.together = state.rulings.initiative_full_tie == "simultaneous"

    # ---- the start

    def refused(self, state: State, chosen: Mapping[str, Policy]) -> str:
        """Tables hold fights at fixed ranges in which everybody knows of everybody, by the simple doctrines."""
        if strange := {policy.name for key, policy in chosen.items() if key != "master"} - set(DOCTRINES):
            return f"the policy {', '.join(sorted(strange))} looks at more than tables hold"
        if state.clouds or state.rulings.initiative_full_tie == "roll_off":
            return "clouds and rolls for ties are not tabulated"
        if state.turn or state.stack or state.tied or state.waiting or any(f.waiting or f.hastes for f in state.fighters):
            return "a turn is in progress"
        for me in state.fighters:
            if told := self._strange(state, me):
                return f"{me.id}: {told}"
        return ""

    def _strange(self, state: State, me: Fighter) -> str:
        """Why this one needs more than tables."""
        begun = state.phase != "begin"
        if begun and me.status != "up":
            return ""
        foes = [f for f in state.fighters if f.side != me.side and (not begun or f.status == "up")]
        if me.status != "up" or me.doses or me.task or me.grapple or me.rolled != begun or me.aloft:
            return "drugs, work, grapples and the unconscious at the start are not tabulated"
        if any(foe.id not in me.aware for foe in foes):
            return "surprise is not tabulated"
        if me.sheet.commander and (me.sheet.level("Tactics") is not None or any(a.expert_tactics for a in me.sheet.armour)):
            return "Tactics ties the luck of a unit together"
        weapon, _ = policies.in_hand(me)
        if weapon.payload or weapon.radiates or weapon.flechette or "thrown" in weapon.rows or me.cover == 4:
            return f"{weapon.name} or full cover needs the scene"
        for other in state.fighters:
            if other.id != me.id and other.status == "up" and numbers.band(state, me.id, other.id) == 0:
                return "brawls at Personal range are not tabulated"
        for foe in foes:
            circ = numbers.circumstances(state, me.id, foe.id)
            if circ.blind or circ.extreme or not attack.reaches(state, policies.shot(me, foe.id)):
                return "not every enemy can be attacked from there"
        return ""

    @rule("CEP-INI-4", "CEP-RND-5")
    def midway(self, state: State) -> tuple[tuple[int, ...], tuple[bool, ...]] | None:
        if state.phase == "begin":
            return None
        scores = [comms.initiative(state, f) - numbers.initiative(plain(f)) for f in state.fighters]
        return tuple(scores), tuple([f.begun for f in state.fighters])

    def seat(self, state: State, who: str, policy: str) -> Seat:
        me: Fighter = get(state, who)
        if me.status == "unconscious":  # rounds since the fall, as `opens` counts them
            since = max(0, state.round - me.fell)
            me = replace(me, fell=(since - 1) % conditions.MINUTE + 1 if since else 0)
        return Seat(plain(me), policy)

    def between(self, state: State, a: str, b: str) -> tuple[Weapon, Circumstances]:
        """The weapon that a uses on b, and what lies between them."""
        return policies.in_hand(state[a])[0], numbers.circumstances(state, a, b)

    def near(self, state: State, a: str, b: str) -> bool:
        return numbers.band(state, a, b) <= policies.NEAR

    def preference(self, state: State, who: str) -> tuple[str, ...]:
        return tuple(f.id for f in sorted(state.fighters, key=lambda f: numbers.metres(state, who, f.id)) if f.id != who)

    def tie(self, state: State, who: str) -> int:
        return 0

    def group(self, state: State, who: str) -> str:
        return ""

    # ---- alone

    @rule("CEP-INI-1", "CEP-INI-3")
    def initiative(self, ask: Any, seat: Seat, first: bool) -> int:
        parts = initiative.starting_dm(seat.me, State((seat.me,), rulings=self.rulings))
        thrown = 12
        if self.rulings.initiative_all_aware != "auto12":
            thrown = ask.roll(TWO, Why("initiative", "CEP-INI-1"), SELF, parts)
        return int(thrown + total(parts))

    def opens(self, ask: Any, seat: Seat) -> Seat:
        """The last round closes: waking after every ten rounds, and what lasted for the round. `fell` counts rounds here."""
        me = seat.me
        if me.status == "unconscious":
            if me.fell and me.fell % conditions.MINUTE == 0:
                me = conditions.wake(ask, me)
            me = replace(me, fell=me.fell % conditions.MINUTE + 1 if me.status == "unconscious" else 0)
        return Seat(plain(initiative.round_over(ask, me)), seat.policy)

    def begins(self, ask: Any, seat: Seat) -> Seat:
        return self._alone(ask, seat, lambda scene: initiative.take_turn(scene, ME), turn=False)

    def ends(self, ask: Any, seat: Seat) -> Seat:
        ended = self._alone(ask, seat, initiative.finish_turn)
        return Seat(replace(ended.me, minor=0, significant=0), ended.policy)

    def acts(self, ask: Any, seat: Seat, action: str) -> Seat:
        if self.attacks(action):
            order = policies.shot(seat.me, ME)
            return self._alone(ask, seat, lambda scene: begin_attack(scene, order))
        order = DOCTRINES[seat.policy].orders(seat.me, action, ME)[0]
        return self._alone(ask, seat, lambda scene: DOES[type(order)](scene, order))

    def after(self, ask: Any, seat: Seat, action: str) -> Seat:
        return self._alone(ask, seat, lambda scene: attack.used_up(scene, ME))

    def _alone(self, ask: Any, seat: Seat, procedure: Callable[[Any], None], turn: bool = True) -> Seat:
        """Run a procedure in a scene of one."""
        ask.state = State((seat.me,), rulings=self.rulings, round=2, phase="fight", turn=ME if turn else "")
        procedure(ask)
        return Seat(plain(ask.state.fighters[0]), seat.policy)

    # ---- a turn

    def next(self, seat: Seat, outlook: Outlook) -> str:
        if actions.nothing_left(seat.me):
            return END
        word = DOCTRINES[seat.policy].next(seat.me, outlook)
        if word == "draw" and not any(actions.drawable(seat.me, one.weapon) >= 0 for one in seat.me.held):
            return END
        return word

    def attacks(self, action: str) -> bool:
        return action == "attack"

    def simpler(self, seat: Seat, step: str, detail: Any = None) -> Simpler | None:
        """The characteristics ride along where nothing looks at them, and what is held, and the turn, when somebody is hit."""
        me: Fighter = seat.me
        if me.status != "up":
            return None
        if step == "receives":
            if not isinstance(detail, Hit) or not (me.held or me.begun):
                return None
            fallen = dict(damage.dropped(me))["held"]
            return Seat(replace(me, held=(), begun=False), seat.policy), InHand(me.held, fallen, me.begun)
        if step not in ("opens", "ends", "after"):
            return None
        riding: dict[str, Any] = {name: getattr(me, name) for name in ("strength", "dexterity", "endurance", "was_hurt")}
        bare = Seat(replace(me, **{name: type(value)() for name, value in riding.items()}), seat.policy)
        return bare, Riding(tuple(riding.items()))

    # ---- two of them

    @rule("CEP-ATK-1")
    def bout(self, seat: Seat, action: str, between: tuple[Weapon, Circumstances], target: Seat) -> Bout:
        weapon, circ = between
        me, foe = seat.me, target.me
        declared = declared_by(me, weapon, circ)
        line = numbers.line(me, declared, circ, self.rulings)
        options = reactions(foe, declared)
        guards = tuple((name, numbers.guard(foe, declared, circ, self.rulings, name)) for name in options)
        worn = Worn(foe.sheet.armour, foe.sheet.traits, foe.wear, foe.doses)
        return Bout(defence.exchange, (line, guards, defence.threat(foe, declared, circ.zero_g, self.rulings)), at=worn)

    def brings(self, seat: Seat, action: str) -> Seat:
        me: Fighter = seat.me
        same = {name: self._lowest_alike(me, name) for name in ("strength", "dexterity")}
        return Seat(replace(me, **NO_MATTER_TO_MY_ATTACK, **same, held=unloaded(me)), seat.policy)

    def _lowest_alike(self, me: Fighter, name: str) -> int:
        """The lowest score of a characteristic that comes to the same in an attack."""
        key = (me.sheet, name, getattr(me, name))
        if key not in self._alike:
            mine = self._in_attacks(me, name)
            lower = (value for value in range(key[2]) if self._in_attacks(replace(me, **{name: value}), name) == mine)
            self._alike[key] = next(lower, key[2])
        return self._alike[key]

    def _in_attacks(self, me: Fighter, name: str) -> tuple[Any, ...]:
        """What `line` reads of a characteristic."""
        modifier = numbers.characteristic(me, name, self.rulings)
        if name != "strength":
            return (modifier,)
        return modifier, numbers.load(me), tuple([numbers.weakness(me, weapon) for weapon in me.sheet.weapons])

    def offers(self, seat: Seat) -> Seat:
        me: Fighter = seat.me
        held = unloaded(me)
        return Seat(replace(me, **NO_MATTER_TO_MY_DEFENCE, held=held), seat.policy)

    def messages(self, outcome: defence.Struck, at: Worn | None = None) -> tuple[Any, Any, Any, Any]:
        """The reaction at once, nothing for the attacker, and the harm, as it is and as it is when held back."""
        harm = outcome.harm
        if at is not None and isinstance(harm, Hit):
            harm = self._lowest_hit(harm, at)
        quiet = replace(harm, quiet=True) if isinstance(harm, Hit) else harm
        return Reacted(outcome.reaction) if outcome.reaction != "none" else None, None, harm, quiet

    @rule("CEP-ARM-1", "CEP-ARM-2")
    def _lowest_hit(self, hit: Hit, at: Worn) -> Hit:
        """The lowest hit of which as much reaches the body, where that stays so; armour that wears off is left alone."""
        key = (hit, at)
        if key not in self._hits:
            sheet = Sheet(armour=at.armour, traits=at.traits)
            me = Fighter(ME, "", sheet, wear=at.wear, doses=at.doses)
            points, _ = damage.passed(me, hit, self.rulings)
            worn = sum(rating for rating, _ in damage.armour(me, hit.laser))
            lowest = replace(hit, damage=points and points + worn, through=False)
            changes = at.doses or (hit.laser and any(layer.ablative for layer in at.armour))
            same = damage.passed(me, lowest, self.rulings)[0] == points
            self._hits[key] = lowest if same and not changes else hit
        return self._hits[key]

    def aside(self, message: Any) -> bool:
        return not isinstance(message, Hit)

    @rule("CEP-DMG-4")
    def heard(self, seat: Seat, message: Any) -> Any:
        """More than enough to die of is enough, and a hit that is held back differs only for those whom it could disturb."""
        me: Fighter = seat.me
        if not isinstance(message, Hit) or me.doses or me.task:
            return message
        enough = sum(rating for rating, _ in damage.armour(me, message.laser)) + sum(damage.scores(me))
        quiet = message.quiet and bool(me.aim or me.kill)
        if quiet == message.quiet and message.damage <= enough:
            return message
        return replace(message, damage=min(message.damage, enough), quiet=quiet)

    def receives(self, ask: Any, seat: Seat, message: Reacted | Hit | Suppression) -> Seat:
        if isinstance(message, Reacted):
            return Seat(plain(defence.react(ask, seat.me, message.kind)), seat.policy)
        me = damage.receive(ask, seat.me, message)
        if seat.me.status == "up" != me.status:
            me = replace(me, fell=0)
        return Seat(plain(me), seat.policy)

    # ---- ammunition

    def supply(self, seat: Seat) -> int:
        weapon, held = policies.in_hand(seat.me)
        return held.rounds if weapon.magazine else PLENTY

    def in_use(self, seat: Seat) -> int:
        _, used = policies.in_hand(seat.me)
        return next((place for place, one in enumerate(seat.me.held) if one is used), -1)

    def capacity(self, seat: Seat) -> int:
        return policies.in_hand(seat.me)[0].magazine or PLENTY

    def enough(self, seat: Seat) -> int:
        """One attack a turn; after it there must be enough for the next, or the doctrine reloads."""
        return 2 * max((mode.rounds for mode in policies.in_hand(seat.me)[0].modes), default=1)

    def stocked(self, seat: Seat, rounds: int) -> Seat:
        _, used = policies.in_hand(seat.me)
        held = tuple([replace(one, rounds=rounds) if one is used else one for one in seat.me.held])
        return Seat(replace(seat.me, held=held), seat.policy)

    # ---- what is read of a seat

    def rank(self, seat: Seat, by: str) -> tuple[int, ...]:
        return DOCTRINES[by].rank(seat.me)

    def shift(self, seat: Seat) -> int:
        return numbers.initiative(seat.me)

    def tie_now(self, seat: Seat) -> int:
        """CEP-INI-6: the Dexterity of now."""
        return numbers.score(seat.me, "dexterity")

    def able(self, seat: Seat) -> bool:
        return initiative.able(seat.me)

    def acting(self, seat: Seat) -> bool:
        return initiative.able(seat.me)

    def fate(self, seat: Seat) -> str:
        me: Fighter = seat.me
        if me.status != "up":
            return "dead" if me.status == "dead" else "out"
        return "wounded" if policies.hurt(me) else "untouched"


DOES: dict[type, Callable[[Any, Any], None]] = {
    c.Aim: actions.aim,
    c.Stance: actions.stance,
    c.Reload: actions.reload,
    c.Draw: actions.draw,
}


def declared_by(me: Fighter, weapon: Weapon, circ: Circumstances) -> Attack:
    """The attack of a doctrine, after its price has been paid."""
    held = next(h for w, h in zip(me.sheet.weapons, me.held, strict=True) if w is weapon or w == weapon) if me.held else None
    row = attack.choose_row(weapon, held or policies.in_hand(me)[1], "", circ.band) or weapon.rows[0]
    name, fire = policies.fire_of(me, weapon, held or policies.in_hand(me)[1])
    rounds = next(mode.rounds for mode in weapon.modes if mode.name == name)
    return Attack(weapon, row, rounds, fire if rounds > 1 else "", by="", aim=me.aim)


def reactions(me: Fighter, declared: Attack) -> tuple[str, ...]:
    """What the target may do: everybody is aware of everybody here."""
    if me.status != "up" or me.helpless:
        return ("none",)
    return ("none", *(("dodge",) if me.stance != "prone" else ()), *(("parry",) if declared.melee else ()))


def begin_attack(scene: Any, order: c.Attack) -> None:
    """The price of an attack: the significant action, and the rounds of its mode."""
    actions.pay(scene, ME, "significant", "CEP-ATK-1", keep_aim=True)
    me = scene.state[ME]
    weapon, _ = policies.in_hand(me)
    attack.spend(scene, order, Attack(weapon, weapon.rows[0]))


BLANK: dict[str, Any] = {
    "id": ME, "side": "", "base": 0, "tactics": 0, "aware": (), "at": (0, 0), "hidden": False, "hurt_at": -1, "aided": "",
    "hastes": 0, "means": (), "supplies": (), "moved": 0.0, "moved_before": 0.0, "rolled": True, "was_hurt": False,
}  # fmt: skip


NO_MATTER: dict[str, Any] = {"was_hurt": False, "shifts": (), "begun": False, "minor": 0, "significant": 0, "crawled": 0.0}
NO_MATTER |= {"failed_wakings": 0, "fell": 0, "aim_at": "", "suppressed": -1}
NO_MATTER_TO_MY_ATTACK: dict[str, Any] = NO_MATTER | {"cover": 0, "stance": "standing", "endurance": 0}
NO_MATTER_TO_MY_DEFENCE: dict[str, Any] = NO_MATTER | {"kill": 0, "strength": 0, "dexterity": 0, "endurance": 0}
"""Fields that neither `line` nor `guard` and `threat` read, and what only the others read."""


def unloaded(me: Fighter) -> tuple[Held, ...]:
    """What is held, however many rounds are left."""
    return tuple([replace(one, rounds=0, magazines=0) for one in me.held])


def plain(me: Fighter) -> Fighter:
    """A fighter without what cannot matter in a table."""
    if me.status == "dead":
        return Fighter(ME, "", Sheet(), status="dead", held=me.held)
    if me.status == "unconscious":
        me = replace(me, minor=0, significant=0)
    return replace(me, **(BLANK | ({"was_hurt": me.was_hurt} if me.was_hurt else {})))
