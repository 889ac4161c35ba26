"""The budget of a turn, and the actions that are not attacks: aiming, stance, weapons in hand, checks, work, free acts."""

from __future__ import annotations

from typing import Any

from msgspec.structs import replace

from affray.ask import Why
from affray.errors import Refusal
from affray.events import Changed, Noted
from affray.modifiers import Parts
from affray.rules import rule
from affray.rulesets.cepheus import commands as c
from affray.rulesets.cepheus import damage, numbers, tables
from affray.rulesets.cepheus.mechanics import check as throw_check
from affray.rulesets.cepheus.mechanics import degree, opposed, rolled
from affray.rulesets.cepheus.sheet import Fighter, Held, State, Task, Weapon

Scene = Any
MAX_AIM = 6
SKILL_USES = {
    "Medicine": "education", "Medic": "education", "Athletics": "dexterity", "Natural Weapons": "strength",
    "Leadership": "standing", "Tactics": "intelligence", "Recon": "intelligence",
}  # fmt: skip
"""The characteristic of a check when nobody names one."""


# ---- the budget


@rule("CEP-RND-3", "CEP-ACT-1", "CEP-ACT-2", "CEP-WND-4", "CEP-ACT-23", "CEP-EXP-3")
def minor_left(me: Fighter) -> int:
    """Minor actions that are left in this turn: three without a significant one, else one; seriously wounded one less."""
    whole = 1 if me.significant or me.lost == 1 else 3
    return max(0, whole - me.serious - me.minor)


@rule("CEP-RND-3", "CEP-ACT-12", "CEP-ACT-14")
def significant_left(me: Fighter) -> bool:
    """Whether the significant action is still there: not used, not lost, not traded for minor ones."""
    return not me.significant and me.lost != 1 and me.minor <= (0 if me.serious else 1)


def nothing_left(me: Fighter) -> bool:
    """Whether the turn is over because all actions are used."""
    return (me.task is not None and me.task.worked) or not (minor_left(me) or significant_left(me))


def busy(me: Fighter) -> Refusal | None:
    """CEP-GRP-4, CEP-ACT-17: in a grapple there is only the grapple, at work only the work."""
    if me.grapple:
        return Refusal("CEP-GRP-4", f"{me.id} is in a grapple with {me.grapple}", ("wrestle", "end"))
    if me.task is not None:
        return Refusal("CEP-ACT-17", f"{me.id} is at work", ("continue", "abandon"))
    return None


def minor_refusal(me: Fighter, moves: bool = False) -> Refusal | None:
    """Why there is no minor action for this."""
    if refusal := busy(me):
        return refusal
    left = minor_left(me)
    if me.serious and not left:
        return Refusal("CEP-WND-4", f"{me.id} is seriously wounded and has no minor action of his own")
    if not left:
        return Refusal("CEP-RND-3", f"{me.id} has no minor action left")
    if me.aloft and not me.moved and not moves and left == 1:
        return Refusal("CEP-GER-16", f"{me.id} is aloft and must keep a minor action for movement")
    return None


def significant_refusal(me: Fighter) -> Refusal | None:
    """Why there is no significant action."""
    if refusal := busy(me):
        return refusal
    if significant_left(me):
        return None
    if me.lost == 1:
        return Refusal("CEP-EXP-3", f"{me.id} has lost this significant action by diving for cover")
    if me.serious and me.minor:
        return Refusal("CEP-WND-4", f"{me.id} has traded the significant action")
    return Refusal("CEP-RND-3", f"{me.id} has no significant action left this round")


def pay(scene: Scene, who: str, kind: str, rule_id: str = "CEP-RND-3", keep_aim: bool = False) -> None:
    """Spend a 'minor' or 'significant' action; anything but aiming ends the aim (CEP-ACT-5), unless it is the attack itself."""
    me = scene.state[who]
    scene.tell(Changed(who, rule_id, ((kind, getattr(me, kind) + 1),)))
    if not keep_aim:
        scene.become(who, damage.unaimed)


# ---- aiming and stance


def aim_refusal(state: State, order: c.Aim) -> Refusal | None:
    me = state[order.by]
    if refusal := minor_refusal(me):
        return refusal
    if refusal := target_refusal(state, order.by, order.target):
        return refusal
    if numbers.circumstances(state, order.by, order.target).blind:
        return Refusal("CEP-ACT-3", f"{order.by} does not see {order.target}")
    return None


def target_refusal(state: State, by: str, target: str) -> Refusal | None:
    """Somebody else who is in the fight."""
    known = tuple(f.id for f in state.fighters if f.id != by and f.status not in ("dead", "gone"))
    if target not in known:
        return Refusal("CEP-ATK-1", f"{target!r} is nobody who could be meant", known)
    return None


@rule("CEP-ACT-3", "CEP-ACT-4", "CEP-ACT-6")
def aim(scene: Scene, order: c.Aim) -> None:
    """One action of aiming: +1 to hit (at most +6), or more damage (at most +6); another target starts afresh."""
    me = scene.state[order.by]
    same = me.aim_at == order.target
    better, kill = (me.aim, me.kill) if same else (0, 0)
    if order.kill:
        kill = min(MAX_AIM, kill + scene.state.rulings.aim_kill_per_action)
    else:
        better = min(MAX_AIM, better + 1)
    pay(scene, order.by, "minor", "CEP-ACT-1", keep_aim=True)
    changes = (("aim_at", order.target), ("aim", better), ("kill", kill))
    rule_id = "CEP-ACT-6" if order.kill else "CEP-ACT-3"
    scene.tell(Changed(order.by, rule_id, changes, "aims", (("target", order.target), ("aim", better), ("kill", kill))))


def stance_refusal(state: State, order: c.Stance) -> Refusal | None:
    me = state[order.by]
    if me.stance == order.to:
        return Refusal("CEP-ACT-7", f"{me.id} is {order.to} already")
    return minor_refusal(me)


@rule("CEP-ACT-7", "CEP-STN-1", "CEP-STN-2")
def stance(scene: Scene, order: c.Stance) -> None:
    """Any stance from any other."""
    pay(scene, order.by, "minor", "CEP-ACT-1")
    scene.tell(Changed(order.by, "CEP-ACT-7", (("stance", order.to),), "stance", (("to", order.to),)))


# ---- weapons in hand


def find_held(me: Fighter, weapon: str) -> tuple[int, Weapon, Held] | None:
    """A weapon of this name: a ready one before one that is not, a loaded one before an empty one."""
    mine = [
        (i, w, h) for i, (w, h) in enumerate(zip(me.sheet.weapons, me.held, strict=False)) if w.name.lower() == weapon.lower()
    ]
    return max(mine, key=lambda one: (one[2].ready, not one[2].gone, one[2].rounds > 0, -one[0]), default=None)


def change_held(me: Fighter, index: int, **changes: Any) -> tuple[Held, ...]:
    return tuple(replace(h, **changes) if i == index else h for i, h in enumerate(me.held))


def put_held(scene: Scene, who: str, index: int, rule: str, note: str, *data: tuple[str, Any], **changes: Any) -> None:
    """Something about a weapon that is carried is so now."""
    held = change_held(scene.state[who], index, **changes)
    scene.tell(Changed(who, rule, (("held", held),), note, data))


def no_weapon(me: Fighter, weapon: str) -> Refusal:
    return Refusal("CEP-ACT-8", f"{me.id} has no {weapon!r}", tuple(w.name for w in me.sheet.weapons))


def drawable(me: Fighter, weapon: str) -> int:
    """Index of a weapon of this name that is neither in hand nor thrown away, loaded ones first; -1 without one."""
    mine = [
        (h.rounds > 0, -i) for i, h in enumerate(me.held) if h.weapon.lower() == weapon.lower() and not h.ready and not h.gone
    ]
    return -max(mine)[1] if mine else -1


def draw_refusal(state: State, order: c.Draw) -> Refusal | None:
    me = state[order.by]
    found = find_held(me, order.weapon)
    if found is None:
        return no_weapon(me, order.weapon)
    if drawable(me, order.weapon) < 0:
        told = "out of reach" if all(h.gone for h in me.held if h.weapon == found[1].name) else "in hand already"
        return Refusal("CEP-ACT-8", f"{order.weapon} is {told}")
    return minor_refusal(me)


@rule("CEP-ACT-8")
def draw(scene: Scene, order: c.Draw) -> None:
    """One minor action to draw."""
    index = drawable(scene.state[order.by], order.weapon)
    pay(scene, order.by, "minor", "CEP-ACT-8")
    put_held(scene, order.by, index, "CEP-ACT-8", "draws", ("weapon", order.weapon), ready=True)


def drop_refusal(state: State, order: c.Drop) -> Refusal | None:
    me = state[order.by]
    found = find_held(me, order.weapon)
    if found is None or not found[2].ready:
        return no_weapon(me, order.weapon)
    return None


@rule("CEP-ACT-15")
def drop(scene: Scene, order: c.Drop) -> None:
    """Letting go costs nothing."""
    found = find_held(scene.state[order.by], order.weapon)
    assert found is not None
    put_held(scene, order.by, found[0], "CEP-ACT-15", "drops", ("weapon", order.weapon), ready=False)


def reload_refusal(state: State, order: c.Reload) -> Refusal | None:
    me = state[order.by]
    found = find_held(me, order.weapon)
    if found is None:
        return no_weapon(me, order.weapon)
    _, weapon, held = found
    if not held.ready:
        return Refusal("CEP-ACT-8", f"{weapon.name} is not in hand", ("draw",))
    if not weapon.magazine or held.rounds >= weapon.magazine:
        return Refusal("CEP-ACT-8", f"{weapon.name} is full")
    if held.magazines == 0:
        return Refusal("CEP-ATK-10", f"{me.id} has no more ammunition for {weapon.name}")
    return minor_refusal(me)


@rule("CEP-ACT-8")
def reload_needs(weapon: Weapon, held: Held) -> int:
    """Minor actions for a whole reload; a revolver needs half of them while its owner has not reacted since he began."""
    if weapon.reload_without_reactions and not held.reacted:
        return weapon.reload_without_reactions
    return weapon.reload


@rule("CEP-ACT-8", "CEP-ATK-10")
def reload(scene: Scene, order: c.Reload) -> None:
    """One minor action of reloading; what was begun is kept until it is done."""
    pay(scene, order.by, "minor", "CEP-ACT-8")
    me = scene.state[order.by]
    found = find_held(me, order.weapon)
    assert found is not None
    index, weapon, held = found
    progress = held.progress + 1
    if progress >= reload_needs(weapon, held):
        left = held.magazines - 1 if held.magazines > 0 else held.magazines
        full = change_held(me, index, rounds=weapon.magazine, progress=0, magazines=left, reacted=False)
        scene.tell(
            Changed(
                order.by,
                "CEP-ACT-8",
                (("held", full),),
                "reloaded",
                (("weapon", weapon.name), ("rounds", weapon.magazine)),
            )
        )
    else:
        begun = change_held(me, index, progress=progress)
        scene.tell(
            Changed(order.by, "CEP-ACT-8", (("held", begun),), "reloads", (("weapon", weapon.name), ("progress", progress)))
        )


def mode_refusal(state: State, order: c.Mode) -> Refusal | None:
    me = state[order.by]
    found = find_held(me, order.weapon)
    if found is None:
        return no_weapon(me, order.weapon)
    names = tuple(mode.name for mode in found[1].modes)
    return None if order.mode in names else Refusal("CEP-ATK-10", f"{order.weapon} has no mode {order.mode!r}", names)


@rule("CEP-ATK-10")
def mode(scene: Scene, order: c.Mode) -> None:
    """The other mode is set when all firing of the round is done."""
    found = find_held(scene.state[order.by], order.weapon)
    assert found is not None
    put_held(scene, order.by, found[0], "CEP-ATK-10", "sets", ("mode", order.mode), next_mode=order.mode)


STOCKING = 15
"""CEP-ACT-8: five rounds of three minor actions to fit or take off a stock."""


def stock_refusal(state: State, order: c.Stock) -> Refusal | None:
    me = state[order.by]
    found = find_held(me, order.weapon)
    if found is None:
        return no_weapon(me, order.weapon)
    if "pistol" not in found[1].rows:
        return Refusal("CEP-GER-11", f"{order.weapon} takes no shoulder stock")
    return minor_refusal(me)


@rule("CEP-ACT-8", "CEP-GER-11")
def stock(scene: Scene, order: c.Stock) -> None:
    """One minor action of fitting a shoulder stock, or of taking it off."""
    pay(scene, order.by, "minor", "CEP-ACT-8")
    me = scene.state[order.by]
    found = find_held(me, order.weapon)
    assert found is not None
    index, _, held = found
    progress = held.stocking + 1
    fitted = held.stocked != (progress >= STOCKING)
    changed = change_held(me, index, stocking=0 if progress >= STOCKING else progress, stocked=fitted)
    scene.tell(Changed(order.by, "CEP-GER-11", (("held", changed),), "stock", (("progress", progress),)))


def fix_refusal(state: State, order: c.FixSight) -> Refusal | None:
    me = state[order.by]
    found = find_held(me, order.weapon)
    if found is None:
        return no_weapon(me, order.weapon)
    return minor_refusal(me) if found[2].jarred else Refusal("CEP-MOD-3", f"the sight of {order.weapon} is in order")


@rule("CEP-MOD-3")
def fix_sight(scene: Scene, order: c.FixSight) -> None:
    """A minor action puts a jarred sight right."""
    pay(scene, order.by, "minor", "CEP-MOD-3")
    found = find_held(scene.state[order.by], order.weapon)
    assert found is not None
    put_held(scene, order.by, found[0], "CEP-MOD-3", "sight mended", jarred=False)


@rule("CEP-MOD-3")
def knock(scene: Scene, order: c.Knock) -> None:
    """A violent knock: 8 or more on two dice throws each telescopic sight in hand out of line."""
    for index, weapon in enumerate(scene.state[order.by].sheet.weapons):
        me = scene.state[order.by]
        held = me.held[index]
        if weapon.telescopic_sight and held.ready and not held.jarred and rolled(scene, 2, "jar", "CEP-MOD-3", me.id) >= 8:
            put_held(scene, me.id, index, "CEP-MOD-3", "sight jarred", jarred=True)


# ---- checks and work


def used_for(skill: str, using: str) -> str:
    """The characteristic of a check: as named, else the usual one of the skill, else Dexterity (nothing for bare checks)."""
    return using or (SKILL_USES.get(skill, "dexterity") if skill else "strength")


def difficulty_refusal(name: str) -> Refusal | None:
    if name in tables.DIFFICULTY:
        return None
    return Refusal("CEP-CHK-2", f"{name!r} is no difficulty", tuple(tables.DIFFICULTY))


def skill_refusal(state: State, me: Fighter, skill: str) -> Refusal | None:
    """CEP-CHK-6: by ruling nobody may try what he has not learned."""
    if skill and state.rulings.check_unskilled == "forbid" and numbers.level(me, skill) is None:
        return Refusal("CEP-CHK-6", f"{me.id} has not learned {skill}")
    return None


def check_refusal(state: State, order: c.Check) -> Refusal | None:
    me = state[order.by]
    if refusal := difficulty_refusal(order.difficulty) or skill_refusal(state, me, order.skill):
        return refusal
    return minor_refusal(me) if order.minor else significant_refusal(me)


def check_parts(scene: Scene, me: Fighter, order: Any) -> Parts:
    """Modifiers of an ordered check, with help received and one row faster or slower."""
    return numbers.check(
        me,
        scene.state.rulings,
        order.skill,
        used_for(order.skill, order.using),
        tables.DIFFICULTY[getattr(order, "difficulty", "average")],
        getattr(order, "dm", 0) + me.help - getattr(order, "faster", 0),
        getattr(order, "things", 1),
        scene.state.zero_g and order.skill in COMBAT_SKILLS,
    )


COMBAT_SKILLS = frozenset({
    "Archery", "Energy Pistol", "Energy Rifle", "Shotgun", "Slug Pistol", "Slug Rifle", "Heavy Weapons",
    "Bludgeoning Weapons", "Natural Weapons", "Piercing Weapons", "Slashing Weapons",
})  # fmt: skip


@rule("CEP-CHK-1", "CEP-CHK-13", "CEP-CHK-14", "CEP-ACT-11", "CEP-ACT-13")
def check(scene: Scene, order: c.Check) -> None:
    """A check that takes seconds: a significant action, or a minor one if the referee says so."""
    pay(scene, order.by, "minor" if order.minor else "significant", "CEP-ACT-11" if order.minor else "CEP-ACT-13")
    me = scene.state[order.by]
    effect = throw_check(scene, check_parts(scene, me, order), Why("check", "CEP-CHK-1", order.skill), order.by)
    scene.tell(Changed(order.by, "CEP-CHK-3", (("help", 0),), "check", (("effect", effect), ("result", degree(effect)))))


def help_refusal(state: State, order: c.Help) -> Refusal | None:
    me = state[order.by]
    return target_refusal(state, order.by, order.target) or skill_refusal(state, me, order.skill) or significant_refusal(me)


@rule("CEP-CHK-12")
def help_out(scene: Scene, order: c.Help) -> None:
    """The helper's own check changes the leader's next one by +2, +1, -1 or -2."""
    pay(scene, order.by, "significant", "CEP-CHK-12")
    me = scene.state[order.by]
    effect = throw_check(scene, check_parts(scene, me, order), Why("help", "CEP-CHK-12", order.skill), order.by)
    worth = 2 if effect >= 6 else 1 if effect >= 0 else -1 if effect > -6 else -2
    leader = scene.state[order.target]
    scene.tell(Changed(order.target, "CEP-CHK-12", (("help", leader.help + worth),), "help", (("dm", worth), ("effect", effect))))


def oppose_refusal(state: State, order: c.Oppose) -> Refusal | None:
    me = state[order.by]
    return target_refusal(state, order.by, order.target) or skill_refusal(state, me, order.skill) or significant_refusal(me)


@rule("CEP-CHK-9", "CEP-ZRG-1")
def oppose(scene: Scene, order: c.Oppose) -> None:
    """Both check; the higher Effect wins."""
    pay(scene, order.by, "significant", "CEP-CHK-9")
    me, other, against = scene.state[order.by], scene.state[order.target], order.against or order.skill
    mine, theirs = used_for(order.skill, order.using), used_for(against, order.against_using or order.using)
    rulings, floating = scene.state.rulings, scene.state.zero_g
    won, a, b = opposed(
        scene,
        numbers.check(me, rulings, order.skill, mine, zero_g=floating and order.skill in COMBAT_SKILLS),
        numbers.check(other, rulings, against, theirs, zero_g=floating and against in COMBAT_SKILLS),
        (numbers.score(me, mine), numbers.score(other, theirs)),
        Why("opposed", "CEP-CHK-9"),
        (order.by, order.target),
    )
    data = (("winner", order.by if won else order.target), ("effect", a), ("against", b))
    scene.tell(Noted(order.by, "CEP-CHK-9", "opposed", data))


def work_refusal(state: State, order: c.Work) -> Refusal | None:
    me = state[order.by]
    if order.frame not in tables.FRAMES:
        return Refusal("CEP-CHK-14", f"{order.frame!r} is no frame of time", tuple(tables.FRAMES))
    if abs(order.faster) > 2 or not frame_of(order):
        return Refusal("CEP-CHK-14", "work may be moved by two rows at most")
    if refusal := difficulty_refusal(order.difficulty) or skill_refusal(state, me, order.skill) or busy(me):
        return refusal
    if (me.minor or me.significant) and frame_of(order) != "seconds":
        return Refusal("CEP-ACT-17", "work that is longer than a round takes the whole round")
    return significant_refusal(me)


@rule("CEP-CHK-14")
def frame_of(order: c.Work) -> str:
    """The frame of time of some work, as much faster or slower as wanted; '' where there is none."""
    frames = tuple(tables.FRAMES)
    row = frames.index(order.frame) - order.faster if order.frame in frames else -1
    return frames[row] if 0 <= row < len(frames) else ""


@rule("CEP-ACT-13", "CEP-ACT-16", "CEP-ACT-17", "CEP-CHK-14")
def work(scene: Scene, order: c.Work) -> None:
    """Begin work: a time die of its frame, in rounds rounded up. Seconds are a significant action with the check at once."""
    frame = frame_of(order)
    if frame == "seconds":
        check(
            scene,
            c.Check(
                order.by,
                skill=order.skill,
                using=order.using,
                difficulty=order.difficulty,
                faster=order.faster,
                dm=order.dm,
            ),
        )
        return
    scene.become(order.by, damage.unaimed)
    units = rolled(scene, 1, "time", "CEP-CHK-14", order.by)
    rounds = -(-units * tables.FRAMES[frame] // 6)
    dm = order.dm - order.faster + tables.DIFFICULTY[order.difficulty]
    task = Task(order.name, order.skill, used_for(order.skill, order.using), rounds, dm, worked=True)
    scene.tell(Changed(order.by, "CEP-ACT-16", (("task", task),), "begins work", (("rounds", rounds),)))


def continue_refusal(state: State, order: c.Continue) -> Refusal | None:
    me = state[order.by]
    if me.task is None:
        return Refusal("CEP-ACT-16", f"{me.id} has no work to go on with")
    return Refusal("CEP-ACT-17", "work takes the whole round") if me.minor or me.significant else None


def go_on(scene: Scene, order: c.Continue) -> None:
    """CEP-ACT-17: another round of work."""
    task = scene.state[order.by].task
    scene.tell(Changed(order.by, "CEP-ACT-17", (("task", replace(task, worked=True)),), "goes on"))


def abandon_refusal(state: State, order: c.Abandon) -> Refusal | None:
    me = state[order.by]
    return None if me.task is not None else Refusal("CEP-ACT-17", f"{me.id} has no work to drop")


@rule("CEP-ACT-17")
def abandon(scene: Scene, order: c.Abandon) -> None:
    """Back to the ordinary order; the rounds spent are lost."""
    scene.tell(Changed(order.by, "CEP-ACT-17", (("task", None),), "drops work"))


def free_refusal(state: State, order: c.Free) -> Refusal | None:
    me = state[order.by]
    if order.cost == "minor":
        return minor_refusal(me)
    return significant_refusal(me) if order.cost == "significant" else None


@rule("CEP-ACT-15")
def free(scene: Scene, order: c.Free) -> None:
    """Something quick; it costs what the referee charges."""
    if order.cost:
        pay(scene, order.by, order.cost, "CEP-ACT-15")
    scene.tell(Noted(order.by, "CEP-ACT-15", "free", (("text", order.text),)))


def used_up(scene: Scene, who: str, supply: str) -> None:
    """One of what is carried is gone."""
    left = list(scene.state[who].supplies)
    left.remove(supply)
    scene.tell(Changed(who, "CEP-GER-13", (("supplies", tuple(left)),)))


def take_refusal(state: State, order: c.Take) -> Refusal | None:
    me = state[order.by]
    if order.drug not in me.supplies:
        return Refusal("CEP-GER-13", f"{me.id} carries no {order.drug}", me.supplies)
    if any(dose.drug == order.drug for dose in me.doses):
        return Refusal("CEP-GER-13", f"{me.id} has taken that already")
    return minor_refusal(me)
