"""The switchable readings of the Cepheus rules, each with its default.

Every field is one question that the rules leave open; what is not switchable is a fixed reading, noted in
`rules.toml`.
"""

from typing import Annotated, Literal

from msgspec import Struct, field

from affray.ruleset import ruling


class Rulings(Struct, frozen=True, cache_hash=True, forbid_unknown_fields=True, kw_only=True):
    """One reading of the rules; the dotted names are the keys of an encounter file."""

    check_naturals: Annotated[
        Literal["none", "auto_2_12"],
        ruling(
            "CEP-CHK-4",
            "Whether a natural 2 or 12 decides by itself.",
            none="only the modified total counts",
            auto_2_12="2 always fails, 12 always succeeds",
        ),
    ] = field(default="none", name="check.naturals")

    check_unskilled: Annotated[
        Literal["minus_3", "forbid"],
        ruling("CEP-CHK-6", "What a check without the skill is.", minus_3="a check at -3", forbid="refused"),
    ] = field(default="minus_3", name="check.unskilled")

    check_zero_score_dm: Annotated[
        Literal[-2, -3],
        ruling(
            "CEP-CHK-5",
            "The modifier of a score of 0.",
            {
                "-2": "as the table has it",
                "-3": "one worse than a score of 1",
            },
        ),
    ] = field(default=-2, name="check.zero_score_dm")

    hasten_limit: Annotated[
        Literal["once_per_fight", "once_per_round"],
        ruling(
            "CEP-RND-6",
            "How often one may hasten.",
            once_per_fight="one time in a fight",
            once_per_round="in every round, never twice in one",
        ),
    ] = field(default="once_per_fight", name="hasten.limit")

    initiative_full_tie: Annotated[
        Literal["simultaneous", "roster_order", "roll_off"],
        ruling(
            "CEP-INI-7",
            "What equal Initiative and equal Dexterity mean.",
            simultaneous="they act at the same moment",
            roster_order="in the order of the roster",
            roll_off="a die each, the higher first",
        ),
    ] = field(default="simultaneous", name="initiative.full_tie")

    initiative_all_aware: Annotated[
        Literal["roll", "auto12"],
        ruling(
            "CEP-INI-3",
            "Starting Initiative when everyone knows of everyone.",
            roll="all throw",
            auto12="all count as having thrown 12",
        ),
    ] = field(default="roll", name="initiative.all_aware")

    tactics_characteristic: Annotated[
        Literal["int", "edu", "soc", "none"],
        ruling(
            "CEP-LDR-1",
            "The characteristic behind a Tactics check.",
            int="Intelligence",
            edu="Education",
            soc="Social Standing",
            none="none",
        ),
    ] = field(default="int", name="tactics.characteristic")

    tactics_negative_effect: Annotated[
        Literal["ignore", "apply"],
        ruling(
            "CEP-LDR-1",
            "What a failed Tactics check does.",
            ignore="nothing",
            apply="lowers the unit's Initiative",
        ),
    ] = field(default="ignore", name="tactics.negative_effect")

    leadership_duration: Annotated[
        Literal["one_round", "whole_fight"],
        ruling(
            "CEP-LDR-3",
            "How long Leadership lasts.",
            one_round="this round, or the next for one who has acted",
            whole_fight="to the end of the fight",
        ),
    ] = field(default="one_round", name="leadership.duration")

    delay_never_lower: Annotated[
        bool,
        ruling(
            "CEP-ACT-21",
            "Whether claiming the first place can lower one's Initiative.",
            true="the old score is kept if it is higher",
            false="the new score counts, even if lower",
        ),
    ] = field(default=True, name="delay.never_lower")

    aim_lost_on_reaction: Annotated[
        Literal["any", "dodge_only"],
        ruling("CEP-ACT-5", "Which reactions end one's aim.", any="dodging and parrying", dodge_only="dodging alone"),
    ] = field(default="any", name="aim.lost_on_reaction")

    aim_lost_on_hit: Annotated[
        Literal["any_hit", "damaging_hit"],
        ruling(
            "CEP-ACT-5",
            "Which hits end one's aim.",
            any_hit="every hit, harmless ones too",
            damaging_hit="hits that do damage",
        ),
    ] = field(default="any_hit", name="aim.lost_on_hit")

    aim_kill_per_action: Annotated[
        Literal[2, 1],
        ruling(
            "CEP-ACT-6",
            "Damage added by each action of aiming for the kill.",
            {
                "2": "two points, six at most",
                "1": "one point, six at most",
            },
        ),
    ] = field(default=2, name="aim_kill.per_action")

    reaction_named_dm_stacks: Annotated[
        bool,
        ruling(
            "CEP-REA-7",
            "Whether dodge and parry cost -1 on checks beside the -1 of every reaction.",
            true="-2 for each reaction",
            false="-1 for each reaction",
        ),
    ] = field(default=False, name="reaction.named_dm_stacks")

    parry_minimum: Annotated[
        Literal[0, "literal"],
        ruling(
            "CEP-REA-6",
            "The worth of a parry without the skill.",
            {
                "0": "nothing",
                "literal": "the attacker gains 3",
            },
        ),
    ] = field(default=0, name="parry.minimum")

    prone_short: Annotated[
        Literal[-2, 0],
        ruling(
            "CEP-STN-3",
            "The modifier against someone prone at Short range.",
            {
                "-2": "as at every longer range",
                "0": "none",
            },
        ),
    ] = field(default=-2, name="prone.short")

    cover_melee: Annotated[
        Literal["applies", "ignored"],
        ruling("CEP-COV-1", "Whether cover lowers blows.", applies="as it lowers shots", ignored="blows ignore cover"),
    ] = field(default="applies", name="cover.melee")

    burst_row_2: Annotated[
        Literal["row_3", "row_1"],
        ruling("CEP-BUR-2", "What a burst of two rounds gives.", row_3="the same as three rounds", row_1="nothing"),
    ] = field(default="row_3", name="burst.row_2")

    blind_target_dms: Annotated[
        Literal["intended", "none"],
        ruling(
            "CEP-BLD-2",
            "Whose cover, stance and reaction count in blind fire.",
            intended="the intended target's",
            none="nobody's",
        ),
    ] = field(default="intended", name="blind.target_dms")

    explosion_damage_roll: Annotated[
        Literal["per_ring", "per_victim"],
        ruling(
            "CEP-EXP-1",
            "How the damage of a blast is thrown.",
            per_ring="once for each ring",
            per_victim="once for each victim",
        ),
    ] = field(default="per_ring", name="explosion.damage_roll")

    explosion_half_rounding: Annotated[
        Literal["up", "down"],
        ruling("CEP-EXP-2", "How the damage halved by diving is rounded.", up="up", down="down"),
    ] = field(default="up", name="explosion.half_rounding")

    scatter_sign: Annotated[
        Literal["literal", "magnitude"],
        ruling(
            "CEP-THR-2",
            "How far a failed throw lands from its target.",
            literal="6 plus the negative Effect",
            magnitude="6 plus the size of the failure",
        ),
    ] = field(default="literal", name="scatter.sign")

    into_combat_effect: Annotated[
        Literal["zero", "missed_effect"],
        ruling(
            "CEP-FIC-2",
            "The Effect that a stray shot adds to its damage.",
            zero="none",
            missed_effect="that of the missed attack, which is negative",
        ),
    ] = field(default="zero", name="into_combat.effect")

    damage_allocation: Annotated[
        Literal["owner", "policy"],
        ruling(
            "CEP-DMG-5",
            "Who places damage on the characteristics.",
            owner="the owner of the wounded",
            policy="the automatic choice",
        ),
    ] = field(default="owner", name="damage.allocation")

    damage_auto_policy: Annotated[
        Literal["severity_first", "endurance_first", "spread"],
        ruling(
            "CEP-DMG-5",
            "The automatic placing of damage.",
            severity_first="mildest state, then the best modifiers",
            endurance_first="Endurance, Strength, Dexterity",
            spread="point by point off the highest score",
        ),
    ] = field(default="severity_first", name="damage.auto_policy")

    damage_first_hit: Annotated[
        Literal["undamaged", "once_per_fight"],
        ruling(
            "CEP-DMG-2",
            "When the rule of the first hit applies.",
            undamaged="whenever all three are at their maximum",
            once_per_fight="once in a fight",
        ),
    ] = field(default="undamaged", name="damage.first_hit")

    armour_floor_when: Annotated[
        Literal["last", "before_drug"],
        ruling(
            "CEP-ARM-2",
            "When an exceptional hit gets its one point.",
            last="after every reduction",
            before_drug="before the combat drug's reduction",
        ),
    ] = field(default="last", name="armour.floor_when")

    wound_dm_model: Annotated[
        Literal["table", "per_point"],
        ruling(
            "CEP-CHK-16",
            "How damage lowers a characteristic's modifier.",
            table="by the table at the current score",
            per_point="by one for each point lost",
        ),
    ] = field(default="table", name="wound.dm_model")

    unconscious_threshold: Annotated[
        Literal["two_at_zero", "str_or_dex_zero"],
        ruling(
            "CEP-DMG-4",
            "What makes unconscious.",
            two_at_zero="two of the three at 0",
            str_or_dex_zero="Strength or Dexterity at 0, or two of the three",
        ),
    ] = field(default="two_at_zero", name="unconscious.threshold")

    serious_clears_on: Annotated[
        Literal["any_point", "full_characteristic"],
        ruling(
            "CEP-WND-3",
            "What ends a serious wound.",
            any_point="one point back in any of the three",
            full_characteristic="one of the three back at its maximum",
        ),
    ] = field(default="any_point", name="serious.clears_on")

    heal_negative: Annotated[
        Literal["full", "stop_at_one", "no_loss"],
        ruling(
            "CEP-HEA-6",
            "What negative healing may do.",
            full="everything damage may do",
            stop_at_one="no score falls below 1",
            no_loss="nothing",
        ),
    ] = field(default="full", name="heal.negative")

    first_aid_repeat: Annotated[
        Literal["one_success", "one_try", "free"],
        ruling(
            "CEP-MED-2",
            "How often first aid may be given.",
            one_success="until it succeeds, and anew after another injury",
            one_try="once for an injury",
            free="as often as one likes",
        ),
    ] = field(default="one_success", name="first_aid.repeat")

    surgery_multiplier: Annotated[
        Literal[2, 1],
        ruling("CEP-MED-5", "Points restored by surgery for each point of Effect.", {"2": "two", "1": "one"}),
    ] = field(default=2, name="surgery.multiplier")

    grapple_checks: Annotated[
        Literal["one_per_significant", "one_per_round"],
        ruling(
            "CEP-GRP-4",
            "How many checks a grapple allows.",
            one_per_significant="one for every significant action",
            one_per_round="one for each pair and round",
        ),
    ] = field(default="one_per_significant", name="grapple.checks")

    move_combined_halving: Annotated[
        Literal["multiply", "once"],
        ruling("CEP-ACT-10", "Crouching on difficult ground.", multiply="a quarter, 1.5 m", once="a half, 3 m"),
    ] = field(default="multiply", name="move.combined_halving")

    space_model: Annotated[
        Literal["pair", "line", "grid", "bands"],
        ruling(
            "CEP-RNG-3",
            "How positions are kept.",
            pair="a distance for every pair",
            line="one coordinate for everyone",
            grid="squares of 1.5 m",
            bands="bands set by the referee",
        ),
    ] = field(default="pair", name="space.model")
