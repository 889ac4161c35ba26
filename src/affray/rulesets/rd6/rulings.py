"""What a table may switch in Rd6 Combat 3.0. Only the options live here; what they do is in the rules that read them."""

from __future__ import annotations

from typing import Annotated, Literal

from msgspec import Struct, field

from affray.ruleset import ruling


class Rulings(Struct, frozen=True, cache_hash=True, forbid_unknown_fields=True, kw_only=True):
    """The switchable readings of the chapter, each with its default."""

    success_count: Annotated[
        Literal["floor_total_div_6", "above_six"],
        ruling(
            "RD6-DICE-6",
            "How a total becomes successes.",
            floor_total_div_6="every full 6 of the total is a success",
            above_six="every full 6 beyond the first 6 is a success",
        ),
    ] = field(default="floor_total_div_6", name="success.count")
    dice_wild_one: Annotated[
        Literal["flag", "drop_highest", "plain"],
        ruling(
            "RD6-DICE-5",
            "What a 1 as the first face of the Wild Die does.",
            flag="it counts 1 and the roll is marked",
            drop_highest="it is removed together with the highest other die, and the roll is marked",
            plain="nothing, it is a 1",
        ),
    ] = field(default="flag", name="dice.wild_one")
    difficulty_base: Annotated[
        Literal[1, 0],
        ruling(
            "RD6-DEF-1",
            "Successes needed before anything else counts.",
            {1: "one success", 0: "none; only the floor of 1 remains"},
        ),
    ] = field(default=1, name="difficulty.base")
    initiative_method: Annotated[
        Literal["roll_each_round", "first_significant_action", "roll_once"],
        ruling(
            "RD6-RND-3",
            "How the order of turns is settled.",
            roll_each_round="a fresh roll each round",
            first_significant_action="whoever opened the fight goes first in round 1, everybody else rolls",
            roll_once="one roll for the whole fight",
        ),
    ] = field(default="roll_each_round", name="initiative.method")
    map_limit: Annotated[
        Literal["agility_dice", "none"],
        ruling(
            "RD6-RND-9",
            "How many actions may be announced for a round.",
            agility_dice="as many as whole dice of Agility, at least 1",
            none="any number",
        ),
    ] = field(default="agility_dice", name="map.limit")
    passive_threshold: Annotated[
        Literal["more_than_4", "at_least_4"],
        ruling(
            "RD6-DEF-3",
            "What Agility or Dodge must reach for the passive modifier.",
            more_than_4="more than 4D or 4 ranks",
            at_least_4="4D or 4 ranks are enough",
        ),
    ] = field(default="more_than_4", name="passive.threshold")
    passive_compare: Annotated[
        Literal["pips", "whole_dice"],
        ruling(
            "RD6-DEF-3",
            "Whether pips count towards the Agility threshold.",
            pips="4D+1 is more than 4D",
            whole_dice="only whole dice are compared",
        ),
    ] = field(default="pips", name="passive.compare")
    parry_min_strength: Annotated[
        Literal["at_most_half", "more_than_half"],
        ruling(
            "RD6-DEF-4",
            "Which weapons give the parry bonus.",
            at_most_half="those whose minimum Strength is at most half of the wielder's",
            more_than_half="those whose minimum Strength is more than half of the wielder's",
        ),
    ] = field(default="at_most_half", name="parry.min_strength")
    active_keeps_passive: Annotated[
        bool,
        ruling(
            "RD6-DEF-21",
            "Whether a rolled defence keeps the passive modifier and the parry bonus.",
            true="both are added to Active, Partial and Full",
            false="the roll takes their place",
        ),
    ] = field(default=False, name="active.keeps_passive")
    active_at_least_passive: Annotated[
        bool,
        ruling(
            "RD6-DEF-21",
            "Whether a poor defence roll can be worse than the passive value.",
            true="the better of the two counts",
            false="the roll counts, however poor",
        ),
    ] = field(default=False, name="active.at_least_passive")
    full_formula: Annotated[
        Literal["base_plus_result_plus_2", "result_plus_2"],
        ruling(
            "RD6-DEF-19",
            "The Difficulty of a full defence.",
            base_plus_result_plus_2="base, Defence Result and 2",
            result_plus_2="Defence Result and 2 in place of the base",
        ),
    ] = field(default="base_plus_result_plus_2", name="full.formula")
    defence_mixed_turn: Annotated[
        Literal["player_choice", "forced_partial"],
        ruling(
            "RD6-DEF-16",
            "Which defence a turn with other actions gets.",
            player_choice="the player names Active or Partial",
            forced_partial="any other action makes it Partial",
        ),
    ] = field(default="player_choice", name="defence.mixed_turn")
    partial_early_end: Annotated[
        Literal["turn_of_next_round", "own_turn_of_this_round"],
        ruling(
            "RD6-DEF-17",
            "When a partial defence announced at the start of the fight ends.",
            turn_of_next_round="at the own turn of the next round",
            own_turn_of_this_round="at the own turn of the same round",
        ),
    ] = field(default="turn_of_next_round", name="partial.early_end")
    cover_full_resolution: Annotated[
        Literal["excess_reaches_target", "armour_added_to_resistance", "destroy_first"],
        ruling(
            "RD6-MOD-13",
            "What full cover does with the damage.",
            excess_reaches_target="what exceeds its rolled Armor Value reaches the target",
            armour_added_to_resistance="its rolled Armor Value is added to the target's resistance",
            destroy_first="nothing reaches the target while the cover stands",
        ),
    ] = field(default="excess_reaches_target", name="cover.full_resolution")
    cover_environment_affects_defence: Annotated[
        bool,
        ruling(
            "RD6-MOD-11",
            "Whether light and smoke take dice from defence rolls too.",
            true="defence rolls lose the same dice",
            false="only attacks lose dice",
        ),
    ] = field(default=False, name="cover.environment_affects_defence")
    range_point_blank_close_combat: Annotated[
        bool,
        ruling(
            "RD6-MOD-3",
            "Whether the Point Blank modifier counts in close combat.",
            true="every attack within 3 m is 1 easier",
            false="only ranged attacks use the bands",
        ),
    ] = field(default=True, name="range.point_blank_close_combat")
    result_points_mode: Annotated[
        Literal["dice", "feats"],
        ruling(
            "RD6-SUC-4",
            "What the Result Points of an attack are for.",
            dice="one regular damage die each",
            feats="the attacker buys feats, the rest becomes dice",
        ),
    ] = field(default="dice", name="result_points.mode")
    resistance_toughness: Annotated[
        Literal["fixed_number", "rolled"],
        ruling(
            "RD6-WND-1",
            "Whether Toughness is a number or a roll.",
            fixed_number="the fixed value, only armour is rolled",
            rolled="the Strength code is rolled with the armour dice in its place",
        ),
    ] = field(default="fixed_number", name="resistance.toughness")
    wound_also_stuns: Annotated[
        bool,
        ruling(
            "RD6-WND-4",
            "Whether a wounding hit stuns as well.",
            true="every wounding hit also stuns",
            false="a hit either stuns or wounds",
        ),
    ] = field(default=False, name="wound.also_stuns")
    wound_small_hit_escalates: Annotated[
        bool,
        ruling(
            "RD6-WND-4",
            "Whether a hit that would only stun raises the level of somebody already wounded.",
            true="it adds one wound",
            false="it stuns and no more",
        ),
    ] = field(default=False, name="wound.small_hit_escalates")
    mortal_death_test: Annotated[
        Literal["strength_total_below_rounds", "minutes_instead_of_rounds"],
        ruling(
            "RD6-WND-8",
            "What the Strength roll of the mortally wounded is compared with.",
            strength_total_below_rounds="rounds spent so, rolled each round",
            minutes_instead_of_rounds="minutes spent so, rolled each minute (12 rounds)",
        ),
    ] = field(default="strength_total_below_rounds", name="mortal.death_test")
    resistance_fate_point: Annotated[
        Literal["adds_strength_roll", "replaces_toughness"],
        ruling(
            "RD6-WND-11",
            "What a Fate Point spent on resistance does.",
            adds_strength_roll="a Strength roll is added",
            replaces_toughness="a Strength roll takes the place of Toughness",
        ),
    ] = field(default="adds_strength_roll", name="resistance.fate_point")
    healing_table: Annotated[
        Literal["rond6_4_0_at_moderate", "off"],
        ruling(
            "RD6-WND-13",
            "Which healing rules are used.",
            rond6_4_0_at_moderate="those of the later edition, on this ladder",
            off="none; the game master corrects the wounds",
        ),
    ] = field(default="rond6_4_0_at_moderate", name="healing.table")
    semi_attack_bonus: Annotated[
        Literal["plus_3_per_extra_round", "plus_3_once"],
        ruling(
            "RD6-SPC-16",
            "The attack bonus of several semi-automatic shots.",
            plus_3_per_extra_round="3 for every additional round",
            plus_3_once="3 in all",
        ),
    ] = field(default="plus_3_per_extra_round", name="semi.attack_bonus")
    allout_attack_bonus: Annotated[
        Literal["2D", "1D"],
        ruling("RD6-SPC-6", "The attack bonus of an all-out attack.", {"2D": "two dice", "1D": "one die"}),
    ] = field(default="2D", name="allout.attack_bonus")
    interaction_success: Annotated[
        Literal["equal_or_more", "more"],
        ruling(
            "RD6-SPC-20",
            "What an interaction attack must reach.",
            equal_or_more="the Difficulty",
            more="more than the Difficulty",
        ),
    ] = field(default="equal_or_more", name="interaction.success")
    aim_breaks_on: Annotated[
        Literal["action_or_new_target_or_injury", "action_or_new_target"],
        ruling(
            "RD6-MOD-17",
            "What makes a character lose the aim.",
            action_or_new_target_or_injury="another action, another target, a stun or a wound",
            action_or_new_target="another action or another target",
        ),
    ] = field(default="action_or_new_target_or_injury", name="aim.breaks_on")
