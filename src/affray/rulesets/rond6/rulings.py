"""The switchable readings of RonD6 Combat 4.0: what the book leaves open, with the default and the alternatives.

Readings that are fixed are noted in rules.toml beside their rule. This module knows no rule, only names and meanings.
"""

from typing import Annotated, Literal

from msgspec import Struct

from affray.ruleset import ruling

LADDERS = ((5, 10, 15, 20, 25), (1, 6, 11, 16, 21))


class Rulings(Struct, frozen=True, cache_hash=True, forbid_unknown_fields=True, kw_only=True):
    """One value per open question; equal values play equal games.

    `difficulty_ladder` holds the totals for Easy to Very Difficult; ValueError unless it is one of LADDERS.
    """

    # Dice
    difficulty_ladder: Annotated[
        tuple[int, ...],
        ruling(
            "RON-DICE-5",
            "The totals that Easy, Standard, Moderate, Difficult and Very Difficult Tests need.",
            {
                "[5, 10, 15, 20, 25]": "steps of five, as the chapter's numbers suggest",
                "[1, 6, 11, 16, 21]": "the author's older ladder, which starts at 1",
            },
        ),
    ] = LADDERS[0]
    wild_one: Annotated[
        Literal["complication", "remove_highest", "house_table_1", "house_table_2"],
        ruling(
            "RON-DICE-3",
            "What a 1 on the first throw of the Wild Die does.",
            complication="it counts 1 and the roll is flagged",
            remove_highest="it is dropped together with the highest other die",
            house_table_1="one more die decides: 1 bad complication, 2 complication, 3-5 drop both dice, 6 nothing",
            house_table_2="one more die decides: 1 bad complication, 2 drop both dice, 3-6 nothing",
        ),
    ] = "complication"
    critical_failure: Annotated[
        Literal["wild_one_and_fail", "wild_one"],
        ruling(
            "RON-DICE-3",
            "When a flagged roll is a Critical Failure.",
            wild_one_and_fail="only if the Test fails as well",
            wild_one="always, even if the total is high enough",
        ),
    ] = "wild_one_and_fail"

    # Time and actions
    wounds_lower_initiative: Annotated[
        bool,
        ruling(
            "RON-TIME-5",
            "Whether Wounds take dice from the initiative roll.",
            true="like any other Test",
            false="never",
        ),
    ] = True
    surprise_turn: Annotated[
        Literal["acts", "loses_first_turn"],
        ruling(
            "RON-TIME-8",
            "Whether a surprised character has a turn in the first Round.",
            acts="yes, with only the penalties of Surprise",
            loses_first_turn="no, the first turn is lost",
        ),
    ] = "acts"
    tie_last: Annotated[
        Literal["ask", "listing_order", "roll_off"],
        ruling(
            "RON-TIME-9",
            "What settles an initiative tie that priority, Agility and skill leave open.",
            ask="the Game Master is asked",
            listing_order="the order in which the fighters are listed",
            roll_off="each throws dice again",
        ),
    ] = "ask"
    wait_cost: Annotated[
        Literal["extra_action", "holds_action"],
        ruling(
            "RON-ACT-13",
            "What Waiting costs.",
            extra_action="one Action, and the interruption another",
            holds_action="the Action held back is the one that interrupts",
        ),
    ] = "extra_action"
    two_weapons: Annotated[
        Literal["two_actions", "one_slot"],
        ruling(
            "RON-SPC-14",
            "What an attack with a weapon in each hand costs.",
            two_actions="two of the declared Actions",
            one_slot="one Action of the limit, with the penalty of two",
        ),
    ] = "two_actions"

    # Movement and space
    distance: Annotated[
        Literal["chebyshev", "euclidean", "manhattan"],
        ruling(
            "RON-MOVE-1",
            "How Spaces are counted on the diagonal.",
            chebyshev="a diagonal step is one Space",
            euclidean="the straight distance, rounded down",
            manhattan="steps along the rows and columns only",
        ),
    ] = "chebyshev"
    movement_costs: Annotated[
        Literal["categories", "normal", "cheapest"],
        ruling(
            "RON-MOVE-3",
            "What moving costs.",
            categories="half Move one Action; full Move, and every run, a Full Action",
            normal="half Move free; full Move, and a run up to twice Move, one Action; farther a Full Action",
            cheapest="every printed price may be used",
        ),
    ] = "categories"
    breath_result: Annotated[
        Literal["per5", "total", "result_points"],
        ruling(
            "RON-MOVE-14",
            "What is multiplied by five minutes when breath is held with preparation.",
            per5="each full 5 of the Fortitude total",
            total="the Fortitude total",
            result_points="the Result Points over Standard",
        ),
    ] = "per5"
    cone_row_1: Annotated[
        Literal["adjacent", "one_beyond"],
        ruling(
            "RON-AREA-4",
            "Where distance 1 of a Cone lies.",
            adjacent="in the row next to the attacker",
            one_beyond="in the row after that",
        ),
    ] = "adjacent"
    cone_facings: Annotated[
        Literal[4, 8],
        ruling(
            "RON-AREA-6",
            "How many facings a Cone may have.",
            {"4": "the four sides", "8": "the four sides and the four diagonals"},
        ),
    ] = 4
    area_attack: Annotated[
        Literal["one_test_each_defense", "all_affected"],
        ruling(
            "RON-AREA-10",
            "How an area attack is resolved.",
            one_test_each_defense="one attack total is compared with the Defense of everyone inside",
            all_affected="everyone inside is affected, the Test only places the centre",
        ),
    ] = "one_test_each_defense"

    # Attack and defence
    point_blank_bonus: Annotated[
        Literal["ranged_only", "all_attacks"],
        ruling(
            "RON-ATK-5",
            "Which attacks gain +5 within one Space.",
            ranged_only="ranged attacks",
            all_attacks="melee and unarmed attacks as well",
        ),
    ] = "ranged_only"
    rapid_fire_max: Annotated[
        Literal["remaining", "capacity"],
        ruling(
            "RON-SPC-18",
            "How many rounds Rapid Fire may use.",
            remaining="those left in the weapon",
            capacity="as many as its magazine holds",
        ),
    ] = "remaining"
    helpless_defense: Annotated[
        Literal["unchanged", "agility_zero"],
        ruling(
            "RON-DEF-5",
            "The Passive Defense of someone unconscious or held.",
            unchanged="the same as ever",
            agility_zero="worked out with an Agility of 0",
        ),
    ] = "unchanged"
    active_vs_passive: Annotated[
        Literal["higher", "replace"],
        ruling(
            "RON-DEF-6",
            "What an attack has to reach while an Active Defense stands.",
            higher="the better of its total and Passive Defense with carried points",
            replace="its total, even when that is the lower one",
        ),
    ] = "higher"
    defense_rp_stack: Annotated[
        Literal["highest", "sum"],
        ruling(
            "RON-DEF-8",
            "How the points of several won Defense Tests go together.",
            highest="only the largest counts",
            sum="all are added up",
        ),
    ] = "highest"
    defense_rp_source: Annotated[
        Literal["test_only", "any_miss"],
        ruling(
            "RON-DEF-8",
            "Which missed attacks give the defender points.",
            test_only="those that the Defense Test beat",
            any_miss="all of them, by the distance to the Defense Value",
        ),
    ] = "test_only"
    interaction_defense: Annotated[
        Literal["passive", "opposed_free"],
        ruling(
            "RON-INT-3",
            "How the target of an interaction resists.",
            passive="with a passive value, or actively if it spent an Action",
            opposed_free="it always rolls, as a Free Action",
        ),
    ] = "passive"

    # Result Points
    result_points: Annotated[
        Literal["margin", "per5", "per6"],
        ruling(
            "RON-RP-1",
            "What one Result Point is.",
            margin="every point by which the total beats the number",
            per5="each full 5 points",
            per6="each full 6 points",
        ),
    ] = "margin"
    rp_damage: Annotated[
        Literal["die_per_success", "die_per_point", "pip_per_point"],
        ruling(
            "RON-RP-2",
            "What Result Points spent on damage buy.",
            die_per_success="a die for each Success: five points under margin, one otherwise",
            die_per_point="a die for each point",
            pip_per_point="+1 damage for each point",
        ),
    ] = "die_per_success"
    feat_price: Annotated[
        Literal["per_success", "printed"],
        ruling(
            "RON-RP-2",
            "What the printed price of a Combat Feat is counted in.",
            per_success="Successes, so five times as many points under margin",
            printed="Result Points, whatever one is worth",
        ),
    ] = "per_success"

    # Damage and conditions
    wound_also_stuns: Annotated[
        bool,
        ruling(
            "RON-DMG-3",
            "Whether a Wound makes its victim Stunned too.",
            true="yes",
            false="no, Stunned is only the step below the first Wound",
        ),
    ] = True
    armor_value: Annotated[
        Literal["x4", "flat", "rolled"],
        ruling(
            "RON-DMG-5",
            "What the dice of armor add to resistance.",
            x4="four for each die, pips as for Toughness",
            flat="one for each die",
            rolled="they are rolled at each hit",
        ),
    ] = "x4"
    toughness_pips: Annotated[
        Literal["add", "drop"],
        ruling(
            "RON-DMG-6",
            "What the pips of Strength do for Base Toughness.",
            add="each adds one point",
            drop="nothing",
        ),
    ] = "add"
    incapacitated_test: Annotated[
        Literal["unpenalised", "prior_wounds", "all_wounds"],
        ruling(
            "RON-DMG-12",
            "Which Wounds lower the Test to stay awake with three.",
            unpenalised="none",
            prior_wounds="those held before the hit",
            all_wounds="all three",
        ),
    ] = "unpenalised"
    incapacitated_penalty: Annotated[
        Literal["replaces", "adds"],
        ruling(
            "RON-DMG-12",
            "How the -3D of three Wounds meets the -1D of each Wound.",
            replaces="it stands in their place",
            adds="it comes on top of them",
        ),
    ] = "replaces"
    mortal_clock: Annotated[
        Literal["minute", "round"],
        ruling(
            "RON-DMG-13",
            "How often a Mortally Wounded character rolls to live.",
            minute="every minute, that is every 12 Rounds",
            round="every Round",
        ),
    ] = "minute"
    massive_allows: Annotated[
        Literal["one_of_three", "one_plain_action"],
        ruling(
            "RON-DMG-17",
            "What someone reeling from massive damage may do.",
            one_of_three="a move, a defense or one Action",
            one_plain_action="one Action, and no Full Action of any sort",
        ),
    ] = "one_of_three"
    confused_scope: Annotated[
        Literal["all_tests", "standard_only"],
        ruling(
            "RON-CON-3",
            "Which Tests of a Confused character are at -5.",
            all_tests="all of them",
            standard_only="those at Standard Difficulty",
        ),
    ] = "all_tests"
    fatigue_limit: Annotated[
        Literal["fourth", "third"],
        ruling(
            "RON-CON-4",
            "Which Fatigue makes a character fall unconscious.",
            fourth="the fourth, three can be borne",
            third="the third",
        ),
    ] = "fourth"
    setback: Annotated[
        Literal["ask", "roll_1d6"],
        ruling(
            "RON-CON-5",
            "Who chooses the complication of a Setback.",
            ask="the Game Master is asked",
            roll_1d6="one die: 1 weapon dropped, 2 no ammunition, 3 Prone, 4 defense -1D, 5 item lost, 6 less cover",
        ),
    ] = "ask"
    stun_recovery: Annotated[
        Literal["action", "free_at_turn_start"],
        ruling(
            "RON-CON-6",
            "What the Fortitude Test against being Stunned costs.",
            action="one Action",
            free_at_turn_start="nothing, when the turn begins",
        ),
    ] = "action"
    stymied_scope: Annotated[
        Literal["all_rolls", "tests_only"],
        ruling(
            "RON-CON-7",
            "Which rolls of a Stymied character have no re-throws.",
            all_rolls="all of them, damage included",
            tests_only="Tests only",
        ),
    ] = "all_rolls"

    # Healing
    natural_difficulty: Annotated[
        Literal["standard", "by_wounds"],
        ruling(
            "RON-HEAL-2",
            "The Difficulty of natural healing.",
            standard="Standard",
            by_wounds="as for assisted healing, by the number of Wounds",
        ),
    ] = "standard"
    natural_penalty: Annotated[
        bool,
        ruling(
            "RON-HEAL-2",
            "Whether Wounds take dice from the roll of natural healing.",
            true="like from any other Test",
            false="no",
        ),
    ] = True

    def __post_init__(self) -> None:
        if self.difficulty_ladder not in LADDERS:
            raise ValueError(f"difficulty_ladder must be one of {' or '.join(str(list(ladder)) for ladder in LADDERS)}")
