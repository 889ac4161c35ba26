"""What a combatant is (`Sheet`, never changes), how he is doing (`Fighter`) and the whole scene (`State`).

Values only: frozen, hashable, no rule lives here. Distances are in metres, clocks in seconds since the fight began.
"""

from __future__ import annotations

from typing import Literal

from msgspec import Struct, field

from affray.errors import BadAnswer
from affray.events import get
from affray.rules import rule
from affray.rulesets.cepheus.rulings import Rulings

PSEUDO_HEX = "0123456789ABCDEFGHJKLMNPQRSTUVWXYZ"
"""Digits of a profile: ten to thirty-three as letters, without I and O."""
PHYSICAL = ("strength", "dexterity", "endurance")
SCORES = (*PHYSICAL, "intelligence", "education", "standing")
SHORT = dict(zip(("str", "dex", "end", "int", "edu", "soc"), SCORES, strict=True))


@rule("CEP-CHK-15")
def parse_upp(text: str) -> tuple[int, ...]:
    """The six scores of a profile such as 787A95 (a seventh digit, for psionics, is passed over). Raises BadAnswer."""
    digits = text.strip().upper().replace("-", "")
    if not 6 <= len(digits) <= 7 or any(digit not in PSEUDO_HEX for digit in digits):
        raise BadAnswer(f"{text!r} is no profile; expected six digits (0-9, A-Z without I and O) such as 787A95")
    return tuple(PSEUDO_HEX.index(digit) for digit in digits[:6])


def to_upp(scores: tuple[int, ...]) -> str:
    """The profile of six scores; what is above 33 shows as Z."""
    return "".join(PSEUDO_HEX[min(score, len(PSEUDO_HEX) - 1)] for score in scores)


class Mode(Struct, frozen=True, forbid_unknown_fields=True):
    """A way of firing: its name and the rounds it spends."""

    name: str
    rounds: int = 1


class Ring(Struct, frozen=True, forbid_unknown_fields=True):
    """The damage of a blast up to so many metres."""

    within: float
    damage: str


class Weapon(Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """CEP-GER-1. Draw and reload in minor actions; a magazine of 0 needs no ammunition; `damage` such as 3D6."""

    name: str
    kind: Literal["melee", "ranged", "heavy", "grenade"] = "melee"
    rows: tuple[str, ...] = ("close_quarters",)
    damage: str = ""
    types: tuple[str, ...] = ()
    skills: tuple[str, ...] = ("Natural Weapons",)
    thrown_skill: str = "Athletics"
    modes: tuple[Mode, ...] = (Mode("single"),)
    recoil: bool = False
    magazine: int = 0
    draw: int = 1
    reload: int = 1
    reload_without_reactions: int = 0
    mode_switch: str = ""
    laser: bool = False
    energy: bool = False
    payload: Literal["", "grenade", "rocket"] = ""
    grenade: Literal["", "frag", "smoke", "aerosol", "stun"] = ""
    rings: tuple[Ring, ...] = ()
    radius: float = 0
    backblast: float = 0
    backblast_damage: str = ""
    flechette: bool = False
    min_str: int = 0
    radiates: bool = False
    hands: int = 1
    laser_sight: bool = False
    telescopic_sight: bool = False
    gyrostabilizer: bool = False
    stock: bool = False
    silencer: bool = False
    secure: bool = False
    tolerance: int = -1
    tl: int = 0
    cost: float = 0
    weight: float = 0
    magazine_cost: float = 0
    magazine_weight: float = 0
    law_level: int = 0


UNARMED = Weapon("Unarmed Strike", damage="1D6", types=("B",))


class Armour(Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """One layer. `rating_laser` None: the same against lasers."""

    name: str
    rating: int = 0
    rating_laser: int | None = None
    ablative: bool = False
    layerable: bool = False
    skill: str = ""
    str_bonus: int = 0
    dex_bonus: int = 0
    unsuppressable: bool = False
    expert_tactics: int = 0
    computer_model: int = 0
    sealed: bool = False
    air_hours: int = 0
    rad_reduction: int = 0
    concealable: bool = False
    tl: int = 0
    cost: float = 0
    weight: float = 0


class Sheet(Struct, frozen=True, cache_hash=True, forbid_unknown_fields=True, omit_defaults=True):
    """The unchanging part of a combatant; the six scores are the maxima."""

    strength: int = 7
    dexterity: int = 7
    endurance: int = 7
    intelligence: int = 7
    education: int = 7
    standing: int = 7
    skills: tuple[tuple[str, int], ...] = ()
    weapons: tuple[Weapon, ...] = ()
    armour: tuple[Armour, ...] = ()
    sensors: tuple[str, ...] = ()
    traits: tuple[str, ...] = ()
    unit: str = ""
    commander: bool = False
    immune: str = ""
    """Why this combatant cannot be suppressed (machine, zealot, vehicle, suicidal); '' when he can."""
    cold: bool = False
    """As cold as the surroundings: infra-red does not show it."""
    load: float = 0
    policy: str = ""

    def level(self, skill: str) -> int | None:
        """The level of a skill, None without it."""
        return next((level for name, level in self.skills if name == skill), None)


class Held(Struct, frozen=True, forbid_unknown_fields=True):
    """One weapon as it is now. `progress`: minor actions spent on reloading; `magazines` -1: as many as needed."""

    weapon: str
    ready: bool = True
    rounds: int = 0
    magazines: int = -1
    progress: int = 0
    mode: str = ""
    next_mode: str = ""
    jarred: bool = False
    stocking: int = 0
    stocked: bool = False
    gone: bool = False
    reacted: bool = False
    """A reaction was taken since a reload began."""


class Shift(Struct, frozen=True, forbid_unknown_fields=True):
    """A change of Initiative for one round: this one (`in_rounds` 0) or the next (1)."""

    amount: int
    rule: str
    in_rounds: int = 0
    by: str = ""


class Toll(Struct, frozen=True, forbid_unknown_fields=True):
    """A penalty on checks from now for this many rounds, this one included."""

    amount: int
    rule: str
    rounds: int = 1


class Task(Struct, frozen=True, forbid_unknown_fields=True):
    """Work longer than a round. `worked`: he has worked this round; `counts`: no blow has spoilt it."""

    name: str
    skill: str
    characteristic: str
    rounds: int
    dm: int = 0
    done: int = 0
    counts: bool = True
    worked: bool = False


class Dose(Struct, frozen=True, forbid_unknown_fields=True):
    """A drug: rounds until it works, rounds that it still works, free dodges left in this round."""

    drug: str
    onset: int
    left: int
    dodges: int = 0


Status = Literal["up", "unconscious", "dead", "gone"]


class Fighter(Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """How one combatant is doing. `minor` and `significant` count the actions used in his latest turn."""

    id: str
    side: str
    sheet: Sheet
    strength: int = 0
    dexterity: int = 0
    endurance: int = 0
    intelligence: int = 0
    education: int = 0
    standing: int = 0
    status: Status = "up"
    eased: bool = False
    """A point was regained since the last loss: no longer seriously wounded [CEP-WND-3]."""
    was_hurt: bool = False
    fatigued: bool = False
    stance: Literal["standing", "crouched", "prone"] = "standing"
    cover: int = 0
    soft_cover: bool = False
    obstruction: bool = False
    hard_ground: bool = False
    base: int = 0
    tactics: int = 0
    led: int = 0
    led_by: str = ""
    shifts: tuple[Shift, ...] = ()
    tolls: tuple[Toll, ...] = ()
    rolled: bool = False
    begun: bool = False
    waiting: bool = False
    minor: int = 0
    significant: int = 0
    crawled: float = 0
    hastes: int = 0
    hasted: bool = False
    lost: int = 0
    """A significant action lost by diving: 1 this round's, 2 the next one's."""
    aim_at: str = ""
    aim: int = 0
    kill: int = 0
    grapple: str = ""
    wrestled: bool = False
    task: Task | None = None
    moved: float = 0
    moved_before: float = 0
    suppressed: int = -1
    failed_wakings: int = 0
    fell: int = 0
    hurt_at: int = -1
    """Second of the latest injury, below 0 before this fight; -1: unknown, which counts as just now."""
    aided: str = ""
    """First aid since the latest injury: '' none, 'tried', 'done'."""
    doses: tuple[Dose, ...] = ()
    stims: int = 0
    rested: float = 0
    means: tuple[str, ...] = ("direct",)
    helpless: bool = False
    held: tuple[Held, ...] = ()
    supplies: tuple[str, ...] = ()
    """Drugs and charges carried."""
    wear: int = 0
    rads: int = 0
    aware: tuple[str, ...] = ()
    at: tuple[int, int] = (0, 0)
    help: int = 0
    hidden: bool = False
    claimed: bool = False
    aloft: bool = False

    @property
    def serious(self) -> bool:
        """CEP-WND-2, CEP-WND-3: at least a point lost from each of the three, and none regained since."""
        now = self.sheet
        below = self.strength < now.strength and self.dexterity < now.dexterity and self.endurance < now.endurance
        return below and not self.eased


class Pair(Struct, frozen=True, forbid_unknown_fields=True):
    """Two combatants (in roster order): metres between them, beyond Distant, out of each other's sight, link cut."""

    a: str
    b: str
    metres: float = 30
    extreme: bool = False
    unseen: bool = False
    cut: bool = False


class Cloud(Struct, frozen=True, forbid_unknown_fields=True):
    """Smoke or mist around the place where somebody stood: who is in it, and the rounds it lasts."""

    kind: Literal["smoke", "aerosol"]
    inside: tuple[str, ...]
    rounds: int


class Hit(Struct, frozen=True, tag="hit"):
    """Damage that reaches somebody, before his armour. `through`: at least one point whatever he wears."""

    damage: int
    laser: bool = False
    through: bool = False
    quiet: bool = False
    """Held back between tied fighters: it does not spoil what its victim was doing."""


class Stun(Struct, frozen=True, tag="stun"):
    """A stun blast, before armour."""

    damage: int


class Suppression(Struct, frozen=True, tag="suppression"):
    """Fire around somebody, with its Effect."""

    effect: int


class Grip(Struct, frozen=True, tag="grip"):
    """A grapple check won by `by`; `new`: it begins the grapple."""

    by: str
    effect: int
    new: bool = False


class Blast(Struct, frozen=True, tag="blast"):
    """The damage of a blast at somebody's distance, before what he did about it ('none', 'dodge', 'dive') and his armour."""

    damage: int
    answer: str = "none"
    stun: bool = False
    quiet: bool = False


class Waiting(Struct, frozen=True, forbid_unknown_fields=True):
    """What one of two tied combatants did to the other, held back until both have acted."""

    who: str
    message: Hit | Stun | Suppression | Blast | Grip


class State(Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """The whole scene."""

    fighters: tuple[Fighter, ...]
    rulings: Rulings = field(default_factory=Rulings)
    round: int = 1
    phase: str = "begin"
    seconds: int = 0
    count: int = 99
    turn: str = ""
    stack: tuple[str, ...] = ()
    just_waited: str = ""
    """Who has just chosen to wait: he is not asked at once whether he acts now."""
    tied: tuple[str, ...] = ()
    waiting: tuple[Waiting, ...] = ()
    pairs: tuple[Pair, ...] = ()
    light: Literal["bright", "low", "dark"] = "bright"
    smoke: Literal["none", "smoke", "thick"] = "none"
    storm: bool = False
    cold: bool = False
    zero_g: bool = False
    jammed: bool = False
    clouds: tuple[Cloud, ...] = ()
    terrain: Literal["tight", "outdoors", "open"] = "outdoors"
    ended: int = 0
    """`seconds` at which the count of rounds ended: days of healing run from there."""

    def __getitem__(self, who: str) -> Fighter:
        found: Fighter = get(self, who)
        return found
