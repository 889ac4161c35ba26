"""What may be ordered: one frozen struct for each verb. No legality, no effects; both are in the modules named by topic.

Orders of people come first; the last ones are due by themselves (`Ruleset.flow`).
"""

from __future__ import annotations

from typing import Literal

from affray.ruleset import Order

Using = Literal["", "strength", "dexterity", "endurance", "intelligence", "education", "standing"]
Fire = Literal["", "spray", "grouped"]


class Attack(Order, frozen=True, tag="attack"):
    """Strike, shoot or throw. `place`: at the spot where the target is, not at him; `rest`: the weapon rests on something.

    `line`: others in the line of blind fire; `behind`: those in the back blast; `silent`: nobody noticed the shot.
    """

    target: str = ""
    weapon: str = ""
    row: str = ""
    mode: str = ""
    fire: Fire = ""
    using: Literal["", "strength", "dexterity"] = ""
    place: bool = False
    rest: bool = False
    behind: tuple[str, ...] = ()
    line: tuple[str, ...] = ()
    dm: int = 0
    things: int = 1
    silent: bool = False


class Suppress(Order, frozen=True, tag="suppress"):
    """Fire around somebody to keep his head down."""

    target: str = ""
    weapon: str = ""
    mode: str = ""
    fire: Fire = ""
    dm: int = 0


class Panic(Order, frozen=True, tag="panic"):
    """Empty the weapon at somebody."""

    target: str = ""
    weapon: str = ""
    dm: int = 0


class Coup(Order, frozen=True, tag="coup"):
    """Kill somebody helpless."""

    target: str = ""
    weapon: str = ""


class Grapple(Order, frozen=True, tag="grapple"):
    """Seize somebody."""

    target: str = ""
    using: Literal["", "strength", "dexterity"] = ""
    dm: int = 0


class Wrestle(Order, frozen=True, tag="wrestle"):
    """Another check within a grapple."""

    using: Literal["", "strength", "dexterity"] = ""
    dm: int = 0


class Aim(Order, frozen=True, tag="aim"):
    """Take aim: at the target, or `kill`, for more damage."""

    target: str = ""
    kill: bool = False


class Stance(Order, frozen=True, tag="stance"):
    """Stand, crouch or lie down."""

    to: Literal["standing", "crouched", "prone"] = "standing"


class Draw(Order, frozen=True, tag="draw"):
    """Take a weapon in hand."""

    weapon: str = ""


class Drop(Order, frozen=True, tag="drop"):
    """Let go of a weapon; free."""

    weapon: str = ""


class Reload(Order, frozen=True, tag="reload"):
    """Spend one minor action on reloading."""

    weapon: str = ""


class Mode(Order, frozen=True, tag="mode"):
    """Set an auto rifle to another mode; it takes effect at the end of the round."""

    weapon: str = ""
    mode: str = ""


class Stock(Order, frozen=True, tag="stock"):
    """A minor action of fitting or taking off a shoulder stock."""

    weapon: str = ""


class FixSight(Order, frozen=True, tag="fix_sight"):
    """Put a telescopic sight right again."""

    weapon: str = ""


class Move(Order, frozen=True, tag="move"):
    """One minor action of movement. By pairs: toward or away from those named; else `to` a place. 0 metres: all one can."""

    metres: float = 0
    toward: tuple[str, ...] = ()
    away: tuple[str, ...] = ()
    to: tuple[int, int] | None = None


class Leap(Order, frozen=True, tag="leap"):
    """A great leap, toward or away from somebody or `to` a place."""

    toward: tuple[str, ...] = ()
    away: tuple[str, ...] = ()
    to: tuple[int, int] | None = None


class Check(Order, frozen=True, tag="check"):
    """A skill check, or without `skill` one on a characteristic. `minor`: the referee lets it be a minor action."""

    skill: str = ""
    using: Using = ""
    difficulty: str = "average"
    minor: bool = False
    faster: int = 0
    dm: int = 0
    things: int = 1


class Help(Order, frozen=True, tag="help"):
    """Make the check of somebody else's task to help him with it."""

    target: str = ""
    skill: str = ""
    using: Using = ""


class Oppose(Order, frozen=True, tag="oppose"):
    """An opposed check against somebody."""

    target: str = ""
    skill: str = ""
    using: Using = ""
    against: str = ""
    against_using: Using = ""


class Work(Order, frozen=True, tag="work"):
    """Begin work that takes longer than a round: 1D6 units of `frame`, moved by `faster` rows."""

    name: str = ""
    skill: str = ""
    using: Using = ""
    frame: str = "rounds"
    faster: int = 0
    difficulty: str = "average"
    dm: int = 0


class Continue(Order, frozen=True, tag="continue"):
    """Go on with the work for this whole round."""


class Abandon(Order, frozen=True, tag="abandon"):
    """Drop the work; free."""


class Free(Order, frozen=True, tag="free"):
    """Something very quick. `cost`: what the referee charges for it."""

    text: str = ""
    cost: Literal["", "minor", "significant"] = ""


class Lead(Order, frozen=True, tag="lead"):
    """Leadership for somebody else."""

    target: str = ""
    dm: int = 0


class FirstAid(Order, frozen=True, tag="first_aid"):
    """Treat a wound on the spot."""

    target: str = ""
    dm: int = 0


class Take(Order, frozen=True, tag="take"):
    """Take a drug."""

    drug: Literal["stim", "combat_drug", "metabolic_accelerator"] = "stim"


class Charge(Order, frozen=True, tag="detonate"):
    """Set off an explosive charge at the place of `target`."""

    charge: Literal["plastic", "tdx", "pocket_nuke"] = "plastic"
    target: str = ""
    dm: int = 0


class Hasten(Order, frozen=True, tag="hasten"):
    """+2 Initiative this round; before anybody acts."""


class Wait(Order, frozen=True, tag="wait"):
    """Act later."""


class Act(Order, frozen=True, tag="act"):
    """Stop waiting and act now."""


class End(Order, frozen=True, tag="end"):
    """End the turn."""


# ---- the referee's, after and between fights


class Tire(Order, frozen=True, tag="tire"):
    """Somebody is worn out: `by` becomes fatigued."""


class Rest(Order, frozen=True, tag="rest"):
    """Time passes, and the fight is over. `resting` lie down (all, unless `disturbed`), `doctor` looks after `patients`."""

    days: int = 0
    hours: int = 0
    minutes: int = 0
    disturbed: bool = False
    resting: tuple[str, ...] | None = None
    doctor: str = ""
    patients: tuple[str, ...] = ()


class Surgery(Order, frozen=True, tag="surgery"):
    """Operate in a hospital or sickbay."""

    target: str = ""
    dm: int = 0


class Poison(Order, frozen=True, tag="poison"):
    """Damage to a mind: `n` dice off a mental characteristic of `by`."""

    characteristic: Literal["intelligence", "education"] = "intelligence"
    n: int = 1


class Knock(Order, frozen=True, tag="knock"):
    """A violent knock: telescopic sights in hand may be thrown out of line."""


class Fall(Order, frozen=True, tag="fall"):
    """Harm outside an attack: `n` dice of damage to `by`, less armour unless `bare`."""

    n: int = 1
    bare: bool = False


# ---- due by themselves


class Begin(Order, frozen=True, tag="begin_fight"):
    """Awareness, withdrawing, starting Initiative, Tactics."""


class Next(Order, frozen=True, tag="next_turn"):
    """Whoever is next begins; if nobody is left the round closes and another begins."""


class Finish(Order, frozen=True, tag="finish_turn"):
    """A turn is over because nothing is left to do in it."""


Orders = (
    Attack | Suppress | Panic | Coup | Grapple | Wrestle | Aim | Stance | Draw | Drop | Reload | Mode | Stock | FixSight
    | Move | Leap | Check | Help | Oppose | Work | Continue | Abandon | Free | Lead | FirstAid | Take | Charge | Hasten
    | Wait | Act | End | Tire | Rest | Surgery | Poison | Knock | Fall | Begin | Next | Finish
)  # fmt: skip
