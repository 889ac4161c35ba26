"""Attacks as they are ordered: legality, declaration, interruption, reaction, the roll, and what follows for the scene."""

from __future__ import annotations

from typing import Any

from affray.ask import ATTACKER, TARGET
from affray.errors import Refusal
from affray.events import Changed, Noted
from affray.rules import rule
from affray.rulesets.cepheus import actions, defence, initiative, numbers, tables
from affray.rulesets.cepheus import commands as c
from affray.rulesets.cepheus.mechanics import Outcome, degree, resolve, rolled
from affray.rulesets.cepheus.numbers import Attack, Circumstances
from affray.rulesets.cepheus.sheet import UNARMED, Fighter, Held, Mode, State, Weapon
from affray.rulesets.cepheus.special import explosions, stray, turns

Scene = Any
SLUG_SKILLS = {"Slug Pistol", "Slug Rifle", "Shotgun"}
Order = c.Attack | c.Suppress | c.Panic


# ---- from an order to an attack


def arm(me: Fighter, name: str) -> tuple[int, Weapon, Held] | None:
    """The weapon that is meant: by name, else the first one in hand, else bare hands (index -1)."""
    if name and name.lower() != UNARMED.name.lower():
        return actions.find_held(me, name)
    in_hand = [] if name else [(i, w, h) for i, (w, h) in enumerate(zip(me.sheet.weapons, me.held, strict=False)) if h.ready]
    return in_hand[0] if in_hand else (-1, UNARMED, Held(UNARMED.name))


def rows(weapon: Weapon, held: Held) -> tuple[str, ...]:
    """CEP-ATK-7, CEP-GER-11: the rows that a weapon may use; a pistol with a stock uses the shotgun's."""
    if weapon.stock or held.stocked:
        return tuple("shotgun" if row == "pistol" else row for row in weapon.rows)
    return weapon.rows


@rule("CEP-ATK-7", "CEP-ATK-6")
def choose_row(weapon: Weapon, held: Held, wanted: str, band: int) -> str | None:
    """The row of this attack: as wanted, else the first one that exists at this band; None when there is none."""
    possible = [row for row in rows(weapon, held) if tables.difficulty(row, band) is not None]
    if wanted:
        return wanted if wanted in possible else None
    return possible[0] if possible else None


def mode_of(weapon: Weapon, held: Held, wanted: str) -> Mode | None:
    """The mode of fire: as wanted, else the one that is set, else the first one."""
    name = wanted or held.mode
    return next((mode for mode in weapon.modes if mode.name == name), None if name else weapon.modes[0])


def spent(order: Order, mode: Mode, held: Held) -> int:
    """CEP-ATK-10, CEP-SUP-1, CEP-PAN-1: rounds that the attack uses."""
    if isinstance(order, c.Panic):
        return held.rounds
    return mode.rounds * 2 if isinstance(order, c.Suppress) else mode.rounds


def manner(order: Order) -> str:
    return "panic" if isinstance(order, c.Panic) else "suppress" if isinstance(order, c.Suppress) else ""


def built(state: State, order: Order) -> Attack:
    """The attack that a legal order describes."""
    me = state[order.by]
    found = arm(me, order.weapon)
    assert found is not None
    _, weapon, held = found
    circ = numbers.circumstances(state, order.by, order.target)
    wanted = order.row if isinstance(order, c.Attack) else ""
    row = choose_row(weapon, held, wanted, 6 if circ.extreme else circ.band) or weapon.rows[0]
    mode = mode_of(weapon, held, getattr(order, "mode", "")) or weapon.modes[0]
    rounds = held.rounds if isinstance(order, c.Panic) else mode.rounds
    fire = getattr(order, "fire", "")
    if rounds > 1 and not fire and not manner(order):
        fire = "spray"
    same = me.aim_at == order.target and not circ.blind
    return Attack(
        weapon,
        row,
        rounds,
        fire if rounds > 1 else "",
        manner(order),
        getattr(order, "using", ""),
        me.aim if same else 0,
        me.kill if same else 0,
        order.dm + me.help,
        getattr(order, "things", 1),
        held.jarred,
        isinstance(order, c.Attack) and order.place,
    )


# ---- legality, in the order of the book


def refusal(state: State, order: Order) -> Refusal | None:
    """CEP-ATK-1: what is illegal is refused before anything is spent."""
    me = state[order.by]
    if found := actions.target_refusal(state, order.by, order.target) or actions.significant_refusal(me):
        return found
    armed = arm(me, order.weapon)
    if armed is None:
        return actions.no_weapon(me, order.weapon)
    _, weapon, held = armed
    if not held.ready:
        return Refusal("CEP-ACT-8", f"{weapon.name} is not in hand", ("draw",))
    circ = numbers.circumstances(state, order.by, order.target)
    band = 6 if circ.extreme else circ.band
    row = choose_row(weapon, held, getattr(order, "row", ""), band)
    if row is None:
        return Refusal("CEP-ATK-6", f"{weapon.name} cannot be used at {tables.BANDS[circ.band]} range", rows(weapon, held))
    return (
        ammunition_refusal(weapon, held, order)
        or posture_refusal(state, order, row)
        or extreme_refusal(state, order, weapon, circ)
        or kind_refusal(state, order, weapon, row)
    )


@rule("CEP-ATK-10", "CEP-BUR-1", "CEP-BUR-3")
def ammunition_refusal(weapon: Weapon, held: Held, order: Order) -> Refusal | None:
    """The mode must exist, be set where setting takes a round, and have its rounds."""
    mode = mode_of(weapon, held, getattr(order, "mode", ""))
    names = tuple(mode.name for mode in weapon.modes)
    if mode is None:
        return Refusal("CEP-ATK-10", f"{weapon.name} has no such mode of fire", names)
    if weapon.mode_switch and held.mode and mode.name != held.mode:
        return Refusal("CEP-ATK-10", f"{weapon.name} is set to {held.mode}; it is switched at the end of a round", ("mode",))
    if not weapon.magazine:
        return None
    need = spent(order, mode, held)
    if held.rounds < max(1, need):
        return Refusal("CEP-ATK-10", f"{weapon.name} has {held.rounds} rounds and needs {max(1, need)}", ("reload",))
    return None


@rule("CEP-STN-4", "CEP-COV-3", "CEP-REA-8")
def posture_refusal(state: State, order: Order, row: str) -> Refusal | None:
    """Prone nobody strikes; low in full cover nobody shoots, and nobody can be hit there."""
    me, target = state[order.by], state[order.target]
    if row in numbers.MELEE_ROWS and me.stance == "prone":
        return Refusal("CEP-STN-4", f"{me.id} is prone and cannot strike", ("stance",))
    if row not in numbers.MELEE_ROWS and numbers.untouchable(me):
        return Refusal("CEP-COV-3", f"{me.id} is low in full cover and cannot shoot", ("stance",))
    at_place = isinstance(order, c.Attack) and order.place
    if numbers.untouchable(target) and not at_place and not isinstance(order, c.Suppress):
        return Refusal("CEP-COV-3", f"{target.id} is low in full cover and cannot be hit")
    return None


@rule("CEP-XRF-1", "CEP-XRF-2")
def extreme_refusal(state: State, order: Order, weapon: Weapon, circ: Circumstances) -> Refusal | None:
    """Beyond Distant: skill 3, stationary, from a rest, at something visible."""
    if not circ.extreme:
        return None
    me = state[order.by]
    skill = max((numbers.level(me, name) or 0 for name in weapon.skills), default=0)
    if skill < 3:
        return Refusal("CEP-XRF-2", f"{me.id} needs a skill of 3 for a shot beyond Distant")
    if me.moved or me.moved_before:
        return Refusal("CEP-XRF-2", f"{me.id} has moved and is not stationary")
    if not (isinstance(order, c.Attack) and order.rest):
        return Refusal("CEP-XRF-2", "a shot beyond Distant is fired from a rest (rest = true)")
    return Refusal("CEP-XRF-1", f"{order.target} is not visible") if circ.blind else None


@rule("CEP-ATK-1", "CEP-PAN-1", "CEP-SUP-1", "CEP-THR-3", "CEP-CHK-6")
def kind_refusal(state: State, order: Order, weapon: Weapon, row: str) -> Refusal | None:
    """What a special kind of attack wants: a slug thrower for panic, a gun for suppression, a payload for a place."""
    me = state[order.by]
    for name in (*order.line, *order.behind) if isinstance(order, c.Attack) else ():
        if all(f.id != name for f in state.fighters):
            return Refusal("CEP-ATK-1", f"{name!r} is nobody here", tuple(f.id for f in state.fighters))
    shooting = row not in numbers.MELEE_ROWS and row != "thrown"
    if isinstance(order, c.Panic) and not (shooting and set(weapon.skills) & SLUG_SKILLS):
        return Refusal("CEP-PAN-1", f"{weapon.name} is no small-arms slug thrower")
    if isinstance(order, c.Suppress) and (not shooting or weapon.payload):
        return Refusal("CEP-SUP-1", f"{weapon.name} cannot suppress anybody")
    if isinstance(order, c.Attack) and order.place and not weapon.payload:
        return Refusal("CEP-THR-3", f"only grenades and rockets are aimed at a place, not {weapon.name}")
    skill = numbers.skill_of(me, Attack(weapon, row))
    return actions.skill_refusal(state, me, skill)


# ---- what happens


@rule("CEP-ATK-1", "CEP-ACT-14")
def perform(scene: Scene, order: Order) -> None:
    """Declare, pay, be interrupted, let the target react, roll, and see to what follows."""
    actions.pay(scene, order.by, "significant", "CEP-ATK-1", keep_aim=True)
    declare(scene, order, built(scene.state, order))
    turns.interrupts(scene, order.by)
    state: State = scene.state
    if not initiative.able(state[order.by]) or impossible(state, order):
        scene.tell(Noted(order.by, "CEP-ACT-20", "comes to nothing"))
        return
    attack = built(state, order)  # whoever broke in may have spoilt the aim or changed the range
    spend(scene, order, attack)
    if attack.weapon.payload:
        explosions.shoot(scene, order, attack)
    elif numbers.spread(attack, numbers.circumstances(state, order.by, order.target)) and not attack.manner:
        stray.flechettes(scene, order.by, order.target, attack)
    else:
        single(scene, order.by, order.target, attack, order.line if isinstance(order, c.Attack) else ())
    finished(scene, order, attack)


def declare(scene: Scene, order: Order, attack: Attack) -> None:
    """CEP-REA-9: target, weapon and mode are known before anybody decides."""
    band = tables.BANDS[numbers.band(scene.state, order.by, order.target)]
    data = (
        ("target", order.target),
        ("weapon", attack.weapon.name),
        ("fire", attack.fire or "single"),
        ("band", band),
        ("manner", attack.manner),
    )
    scene.tell(Noted(order.by, "CEP-ATK-1", "attacks", data))


def reaches(state: State, order: c.Attack) -> bool:
    """Whether the attack would be possible with all actions and rounds at hand."""
    found = arm(state[order.by], order.weapon)
    if found is None:
        return False
    circ = numbers.circumstances(state, order.by, order.target)
    row = choose_row(found[1], found[2], order.row, 6 if circ.extreme else circ.band)
    if row is None or extreme_refusal(state, order, found[1], circ) is not None:
        return False
    return not (
        numbers.untouchable(state[order.target]) or (row not in numbers.MELEE_ROWS and numbers.untouchable(state[order.by]))
    )


@rule("CEP-ACT-20")
def impossible(state: State, order: Order) -> bool:
    """After an interruption: whether the attack cannot be made any more (its action is spent already)."""
    me, target, found = state[order.by], state[order.target], arm(state[order.by], order.weapon)
    if target.status in ("dead", "gone") or me.grapple or found is None or not found[2].ready:
        return True
    circ = numbers.circumstances(state, order.by, order.target)
    row = choose_row(found[1], found[2], getattr(order, "row", ""), 6 if circ.extreme else circ.band)
    return row is None or posture_refusal(state, order, row) is not None


@rule("CEP-BUR-3", "CEP-ATK-10", "CEP-GER-9")
def spend(scene: Scene, order: Order, attack: Attack) -> None:
    """The rounds are gone, hit or miss; a thrown weapon has left the hand."""
    me = scene.state[order.by]
    found = arm(me, order.weapon)
    assert found is not None
    index, weapon, held = found
    if index < 0:
        return
    mode = mode_of(weapon, held, getattr(order, "mode", "")) or weapon.modes[0]
    if weapon.magazine and weapon.kind != "grenade":
        left = held.rounds - spent(order, mode, held)
        actions.put_held(scene, me.id, index, "CEP-BUR-3", "rounds", ("left", left), rounds=left)
    elif attack.thrown:
        left = max(0, held.rounds - 1) if weapon.magazine else 0
        actions.put_held(scene, me.id, index, "CEP-THR-1", "thrown", ready=False, gone=True, rounds=left)
    if weapon.radiates:
        rads(scene, me.id)


@rule("CEP-GER-9")
def rads(scene: Scene, by: str) -> None:
    """2D6 x 20 rads to everyone nearby (Short) whose armour does not stop them."""
    dose = 20 * rolled(scene, 2, "rads", "CEP-GER-9", by)
    for f in scene.state.fighters:
        if f.status != "gone" and numbers.band(scene.state, by, f.id) <= 2:
            stopped = max((layer.rad_reduction or (dose if layer.sealed else 0) for layer in f.sheet.armour), default=0)
            if dose > stopped:
                scene.tell(Changed(f.id, "CEP-GER-9", (("rads", f.rads + dose - stopped),), "rads", (("rads", dose - stopped),)))


@rule("CEP-ATK-1", "CEP-ATK-8", "CEP-BLD-3", "CEP-FIC-2")
def single(scene: Scene, by: str, at: str, attack: Attack, others: tuple[str, ...]) -> None:
    """One attack on one target: blind fire may hit another one in the line, a miss into a brawl somebody beside him."""
    reaction = defence.ask_reaction(scene, by, at, attack)
    state: State = scene.state
    circ = numbers.circumstances(state, by, at)
    line = numbers.line(state[by], attack, circ, state.rulings)
    guard = numbers.guard(state[at], attack, circ, state.rulings, reaction)
    roles = {ATTACKER: by, TARGET: at}
    if line.pool == 3:
        stray.blind(scene, by, at, attack, line, guard, others)
        return
    out: Outcome = scene.call(resolve, line, guard, roles=roles)
    told(scene, by, at, out.effect)
    if out.to_target is not None:
        initiative.deliver(scene, by, at, out.to_target)
    elif out.effect < 0 and circ.into_combat and not attack.melee and attack.manner != "suppress":
        stray.into_combat(scene, by, at, attack, line, out.effect)


def told(scene: Scene, by: str, at: str, effect: int) -> None:
    """The result in words."""
    data = (
        ("target", at),
        ("effect", effect),
        ("result", "hit" if effect >= 0 else "miss"),
        ("degree", degree(effect)),
    )
    scene.tell(Noted(by, "CEP-CHK-3", "hits" if effect >= 0 else "misses", data))


@rule("CEP-AWR-4", "CEP-ACT-3", "CEP-GER-10")
def finished(scene: Scene, order: Order, attack: Attack) -> None:
    """The aim is used up, help too, and everybody who can perceive it now knows of the attacker."""
    used_up(scene, order.by)
    if not (isinstance(order, c.Attack) and order.silent):
        reveal(scene, order.by)


@rule("CEP-ACT-3")
def used_up(scene: Scene, who: str) -> None:
    """After an attack aim and help are gone."""
    me = scene.state[who]
    changes: tuple[tuple[str, Any], ...] = (("aim_at", ""), ("aim", 0), ("kill", 0), ("help", 0))
    if any(getattr(me, name) != value for name, value in changes):
        scene.tell(Changed(me.id, "CEP-ACT-3", changes))


@rule("CEP-AWR-4")
def reveal(scene: Scene, by: str) -> None:
    """Everybody conscious is now aware of this attacker."""
    for f in scene.state.fighters:
        if f.id != by and f.status == "up" and by not in f.aware:
            scene.tell(Changed(f.id, "CEP-AWR-4", (("aware", (*f.aware, by)),), "notices", (("attacker", by),)))
