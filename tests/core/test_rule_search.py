"""Rules are found by the words that a reader of the chapter would type, in whatever form."""

from __future__ import annotations

import pytest

from affray import rules

PACKAGE = "affray.rulesets.rond6"

WANTED = [
    ("chases fast-paced rounds", "RON-TIME-2"),
    ("five seconds of game time", "RON-TIME-1"),
    ("flees surrenders defeated", "RON-TIME-3"),
    ("group of similar NPCs initiative", "RON-TIME-6"),
    ("talent grants initiative priority", "RON-TIME-9"),
    ("speaking a few words", "RON-ACT-4"),
    ("operating complex machinery", "RON-ACT-6"),
    ("never reduced below 1D", "RON-ACT-9"),
    ("quickness rank", "RON-ACT-11"),
    ("unused actions lost at end of round", "RON-ACT-15"),
    ("2 meters yards", "RON-MOVE-1"),
    ("minefield narrow ledge", "RON-MOVE-6"),
    ("swimming rounded up", "RON-MOVE-10"),
    ("standing jump running start", "RON-MOVE-12"),
    ("seconds hold their breath", "RON-MOVE-13"),
    ("continuous strenuous activity", "RON-MOVE-15"),
    ("poor visibility weather", "RON-ATK-9"),
    ("glancing blow near miss", "RON-ATK-11"),
    ("shields raise passive defense", "RON-DEF-5"),
    ("dodge parry block", "RON-DEF-9"),
    ("frighten bully opponent", "RON-INT-8"),
    ("target loses next action", "RON-INT-6"),
    ("interrogation reluctant subject", "RON-INT-13"),
    ("strength die code times four toughness", "RON-DMG-6"),
    ("mortally wounded each minute roll strength", "RON-DMG-13"),
    ("reeling from the impact", "RON-DMG-17"),
    ("mentally disoriented", "RON-CON-3"),
    ("castle gate heavy metal door", "RON-SPC-4"),
    ("shooting a weapon from the hand", "RON-SPC-6"),
    ("weapons set to receive a charge", "RON-SPC-8"),
    ("suppress an area", "RON-SPC-12"),
    ("ambidextrous off hand", "RON-SPC-15"),
    ("crawling half", "RON-SPC-17"),
    ("unsheathing a blade", "RON-SPC-20"),
    ("cone template facing north", "RON-AREA-6"),
    ("rest for twice the recovery period", "RON-HEAL-4"),
    ("medical kit bonus", "RON-HEAL-11"),
    ("one successful assisted healing for each injury", "RON-HEAL-10"),
]


@pytest.mark.parametrize(("words", "rule"), WANTED, ids=[rule for _, rule in WANTED])
def test_a_rule_is_among_the_first_five(words: str, rule: str) -> None:
    assert rule in [found.id for found in rules.search(PACKAGE, words)][:5]


def test_ids_and_titles_come_first() -> None:
    assert rules.search(PACKAGE, "RON-ATK-4")[0].id == "RON-ATK-4"
    assert rules.search(PACKAGE, "range bands")[0].id == "RON-ATK-4"
    assert rules.search(PACKAGE, "BANDS range!")[0].id == "RON-ATK-4"


@pytest.mark.parametrize(("package", "ids"), [("rond6", "RON-"), ("rd6", "RD6-"), ("cepheus", "CEP-")])
def test_every_rule_is_found_by_its_own_title_and_id(package: str, ids: str) -> None:
    index = rules.index(f"affray.rulesets.{package}")
    for entry in index.values():
        assert entry.id.startswith(ids)
        assert rules.search(f"affray.rulesets.{package}", entry.id)[0] == entry
        assert entry in rules.search(f"affray.rulesets.{package}", entry.title), entry.title


def test_nothing_is_found_by_nonsense() -> None:
    assert rules.search(PACKAGE, "zeppelin") == []
    assert rules.search(PACKAGE, "") == []
    assert rules.search(PACKAGE, "!!!") == []
