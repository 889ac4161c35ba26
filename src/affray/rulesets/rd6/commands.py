"""What may be ordered: one struct for each verb. `by` is the id of the one who acts; `points` are Character Points.

Only the words of an order are here. Whether it is legal is judged in legality.py, what it does is in the procedures.
"""

from __future__ import annotations

from typing import Literal

from affray.ruleset import Order

DefenceMode = Literal["active", "partial", "full"]
FireMode = Literal["normal", "single", "auto"]
CalledEffect = Literal["damage", "disarm", "hold", "pin"]


class Round(Order, frozen=True, tag="round"):
    """A new round begins (due by itself)."""


class Begin(Order, frozen=True, tag="begin"):
    """A turn begins (due by itself)."""


class End(Order, frozen=True, tag="end"):
    """The turn is over."""


class Declare(Order, frozen=True, tag="declare"):
    """So many actions will be taken this round; every one beyond the first takes 1D from all of them."""

    actions: int = 1


class Attack(Order, frozen=True, tag="attack"):
    """An ordinary attack, perhaps a called shot at a part of that size, perhaps with several rounds."""

    target: str
    weapon: str = ""
    part: str = ""
    vital: bool = False
    effect: CalledEffect = "damage"
    mode: FireMode = "normal"
    shots: int = 1
    points: int = 0
    fate: bool = False


class AllOut(Order, frozen=True, tag="all_out"):
    """Everything into one attack in close combat."""

    target: str
    weapon: str = ""
    points: int = 0


class Charge(Order, frozen=True, tag="charge"):
    """Run at somebody and strike."""

    target: str
    weapon: str = ""
    points: int = 0


class Tackle(Order, frozen=True, tag="tackle"):
    """Throw oneself at somebody to bring them down."""

    target: str
    points: int = 0


class Grab(Order, frozen=True, tag="grab"):
    """Take hold of somebody."""

    target: str
    points: int = 0


class Flip(Order, frozen=True, tag="flip"):
    """Grab somebody and throw them down."""

    target: str
    points: int = 0


class Hold(Order, frozen=True, tag="hold"):
    """Hit and hold; the damage is lowered by `less` dice, at least 3."""

    target: str
    less: int = 3
    points: int = 0


class ArmPin(Order, frozen=True, tag="arm_pin"):
    """Force an arm behind the back."""

    target: str
    points: int = 0


class Lift(Order, frozen=True, tag="lift"):
    """Lift somebody up; whoever is held already is lifted without a roll."""

    target: str
    points: int = 0


class Slam(Order, frozen=True, tag="slam"):
    """Slam the one lifted into something that sturdy."""

    into: str = "sturdy"


class Squeeze(Order, frozen=True, tag="squeeze"):
    """Hurt the one held since an earlier round, with Strength or with a natural weapon."""

    weapon: str = ""


class Escape(Order, frozen=True, tag="escape"):
    """Break free."""

    points: int = 0


class Release(Order, frozen=True, tag="release"):
    """Let go (free)."""


class Sweep(Order, frozen=True, tag="sweep"):
    """Spray an area: one roll against everybody in it."""

    targets: tuple[str, ...]
    weapon: str = ""
    shots: int = 0
    points: int = 0


class HeadsDown(Order, frozen=True, tag="heads_down"):
    """Fire to scare."""

    targets: tuple[str, ...]
    weapon: str = ""
    shots: int = 0
    points: int = 0


class Dodge(Order, frozen=True, tag="dodge"):
    """Be elsewhere when attacks come."""

    mode: DefenceMode = "active"
    points: int = 0


class Block(Order, frozen=True, tag="block"):
    """Stop blows with Fighting, with the body or with an object in hand."""

    mode: DefenceMode = "active"
    held: bool = False
    points: int = 0


class Parry(Order, frozen=True, tag="parry"):
    """Turn blows aside with Melee Weapons."""

    mode: DefenceMode = "active"
    points: int = 0


class Resist(Order, frozen=True, tag="resist"):
    """Steel oneself with Resolve against interaction attacks."""

    mode: DefenceMode = "active"
    points: int = 0


class Grant(Order, frozen=True, tag="grant"):
    """A free partial defence that the game master grants before the own turn."""

    skill: Literal["Dodge", "Fighting", "Melee Weapons"] = "Dodge"


class TakeAim(Order, frozen=True, tag="aim"):
    """Follow a target for the whole round."""

    target: str


class Intimidate(Order, frozen=True, tag="intimidate"):
    """Frighten somebody."""

    target: str
    points: int = 0


class Taunt(Order, frozen=True, tag="taunt"):
    """Provoke somebody."""

    target: str
    points: int = 0


class Trick(Order, frozen=True, tag="trick"):
    """Deceive or distract, by words or by acrobatics."""

    target: str
    skill: Literal["Persuasion", "Acrobatics"] = "Persuasion"
    points: int = 0


class Maneuver(Order, frozen=True, tag="maneuver"):
    """Wear somebody out by footwork."""

    target: str
    skill: Literal["Athletics", "Acrobatics"] = "Athletics"
    points: int = 0


class Move(Order, frozen=True, tag="move"):
    """Move to a place, or so many Spaces towards (away from) somebody; perhaps into cover."""

    to: tuple[int, int] | None = None
    towards: str = ""
    spaces: int = 0
    behind: str = ""


class Stand(Order, frozen=True, tag="stand"):
    """Get up."""


class Recover(Order, frozen=True, tag="recover"):
    """Shake off a stun with Fortitude."""

    points: int = 0


class Reload(Order, frozen=True, tag="reload"):
    """Load a weapon."""

    weapon: str = ""


class Ready(Order, frozen=True, tag="ready"):
    """Draw a weapon, or pick up one that was lost."""

    weapon: str


class Test(Order, frozen=True, tag="test"):
    """Any other test: of a skill against a Difficulty, perhaps over terrain, with bonus dice and a flat bonus."""

    skill: str
    difficulty: int = 2
    terrain: str = "easy"
    bonus: int = 0
    plus: int = 0
    points: int = 0
    free: bool = False


class Other(Order, frozen=True, tag="other"):
    """Anything else that takes an action and no roll: opening a door, drawing a lever."""

    text: str = ""


class Break(Order, frozen=True, tag="break"):
    """Attack an object, or lean on it with brute force (a skill in place of a weapon)."""

    object: str
    weapon: str = ""
    skill: str = ""
    points: int = 0


class Treat(Order, frozen=True, tag="treat"):
    """Medicine for somebody (no action)."""

    target: str
    bonus: int = 0
    points: int = 0


class Rest(Order, frozen=True, tag="rest"):
    """So much time passes for everybody after the fight; `disturbed`: without proper rest."""

    days: int = 0
    hours: int = 0
    minutes: int = 0
    disturbed: bool = False


AnyOrder = (
    Round
    | Begin
    | End
    | Declare
    | Attack
    | AllOut
    | Charge
    | Tackle
    | Grab
    | Flip
    | Hold
    | ArmPin
    | Lift
    | Slam
    | Squeeze
    | Escape
    | Release
    | Sweep
    | HeadsDown
    | Dodge
    | Block
    | Parry
    | Resist
    | Grant
    | TakeAim
    | Intimidate
    | Taunt
    | Trick
    | Maneuver
    | Move
    | Stand
    | Recover
    | Reload
    | Ready
    | Test
    | Other
    | Break
    | Treat
    | Rest
)

WHOLE_ROUND = (AllOut, Charge, Sweep, HeadsDown, TakeAim)
"""Orders that take all of the round, whatever their options."""
FREE = (End, Declare, Release, Grant, Move, Treat, Rest)
"""Orders that are no action by themselves (a move may become one)."""
