"""The case runner: what it can do in a case, and what it says when a case fails."""

from __future__ import annotations

from pathlib import Path

import pytest

from affray.errors import DataError
from affray.formats.case import Result, load_cases, run

TOP = """
cast = "cast.toml"
[[case]]
id = "{id}"
ruleset = "rond6"
combatant = [
    {{ use = "Sentry", side = "watch", at = [0, 0], state = {{ initiative = 12 }} }},
    {{ use = "Thief", side = "night", at = [4, 0], state = {{ initiative = 5 }} }},
]
start = {{ round = 1, turn = "Sentry", declared = {declared} }}
"""
CAST = """
[[combatant]]
name = "Sentry"
attributes = { Agility = "3D", Strength = "3D" }
skills = { "Ranged Weapons" = "4D", Dodge = "4D" }
weapons = [{ name = "crossbow", kind = "ranged", damage = "4D", ranges = [10, 25, 50] }]
[[combatant]]
name = "Thief"
attributes = { Agility = "3D", Strength = "3D" }
points = { character = 2 }
"""
SHOT = 'by = "Sentry"\ndo = "attack"\ntarget = "Thief"\n'
MISS = f'[[case.step]]\n{SHOT}dice = ["4D: W2 | 1 3 1 -> 7"]\n'
HIT_DICE = '["4D: W4 | 3 3 1 -> 11", "4D: W5 | 4 4 5 -> 18"'


def _run(tmp_path: Path, steps: str, declared: int = 1) -> Result:
    (tmp_path / "cast.toml").write_text(CAST, encoding="utf-8")
    path = tmp_path / "c.toml"
    path.write_text(TOP.format(id="x", declared=declared) + steps, encoding="utf-8")
    (case,) = load_cases(path)
    return run(case)


def _passes(tmp_path: Path, steps: str, declared: int = 1) -> None:
    result = _run(tmp_path, steps, declared)
    assert result.passed, "\n".join(result.report)


def _fails(tmp_path: Path, steps: str, path: str, declared: int = 1) -> Result:
    result = _run(tmp_path, steps, declared)
    assert not result.passed
    assert result.path == path, "\n".join(result.report)
    return result


def test_a_miss_and_every_path(tmp_path: Path) -> None:
    _passes(
        tmp_path,
        MISS
        + """[case.step.expect]
result = "miss"
round = 1
turn = "Sentry"
"Thief.wounds" = 0
"Sentry.used" = 1
"Sentry.state" = "unhurt"
"Sentry.standing" = []
"Sentry.numbers.passive_defence" = 11
"Sentry.numbers.passive_defence#modifiers" = { Standard = 10, "Agility 3" = 1 }
"Sentry.numbers.dodge" = "4D"
"roll.attack.pool" = "4D"
"roll.attack.faces" = [2, 1, 3, 1]
"roll.attack.total" = 7
"roll.attack@Sentry.total" = 7
"roll.attack.flags" = []
"roll.attack.modifiers" = { "Ranged Weapons" = 4 }
events = ["RON-ATK-1", "RON-ATK-2"]
"offers.attack" = "RON-ACT-1"
"offers.end" = true
log = ["attack 7 against 11", "miss"]
order = ["Thief"]
""",
    )


def test_events_may_be_the_whole_list(tmp_path: Path) -> None:
    _passes(tmp_path, MISS + 'exact = true\nexpect = { events = ["RON-ACT-1", "RON-ATK-1", "RON-ATK-2"] }')
    _fails(tmp_path, MISS + 'exact = true\nexpect = { events = ["RON-ATK-1"] }', "events")


def test_refusals(tmp_path: Path) -> None:
    _passes(tmp_path, MISS + f'[[case.step]]\n{SHOT}refused = "RON-ACT-1"')
    failed = _fails(tmp_path, MISS + f'[[case.step]]\n{SHOT}refused = "RON-ACT-7"', "refused")
    assert failed.step == "step 2 (Sentry: attack)" and failed.expected == "RON-ACT-7"
    _fails(tmp_path, f'[[case.step]]\n{SHOT}refused = "RON-ACT-1"\ndice = [[2, 1, 3, 1]]', "refused")
    _fails(tmp_path, MISS + f"[[case.step]]\n{SHOT}", "order")
    _fails(tmp_path, MISS.replace("attack", "atack"), "order")
    _fails(tmp_path, MISS + 'weapn = "crossbow"', "order")


@pytest.mark.parametrize(
    ("option", "words"),
    [
        ('manner = "all-out"', "attack.manner: 'all-out' is not possible here; did you mean 'all_out'?; possible:"),
        ('rounds = "two"', "attack.rounds: 'two' is not possible here; a whole number is expected"),
        ("off_hand = 1", "attack.off_hand: 1 is not possible here; true or false is expected"),
    ],
)
def test_an_option_that_does_not_fit_tells_what_does(tmp_path: Path, option: str, words: str) -> None:
    assert words in str(_fails(tmp_path, MISS + option, "order").actual)


def test_dice_are_checked_and_used_up(tmp_path: Path) -> None:
    shot = f"[[case.step]]\n{SHOT}"
    _passes(tmp_path, shot + "dice = [[2, 1, 3, 1]]")
    _fails(tmp_path, shot + 'dice = ["4D: W2 | 1 3 1 -> 8"]', "roll.attack.total")
    _fails(tmp_path, shot + 'dice = ["5D: W2 | 1 3 1 1 -> 8"]', "roll.attack.pool")
    _fails(tmp_path, shot + "dice = [[2, 1, 3, 1, 6]]", "dice")
    _fails(tmp_path, shot + "dice = [[2, 1, 3]]", "roll.attack.faces")
    _fails(tmp_path, shot + 'dice = [[2, 1, 3], "1D: W1"]', "roll.attack.faces")
    _fails(tmp_path, shot, "answers")


def test_questions_need_answers_or_defaults(tmp_path: Path) -> None:
    shot = f"[[case.step]]\n{SHOT}dice = {HIT_DICE}"
    open_question = _fails(tmp_path, shot + "]", "answers")
    assert "Thief is asked" in open_question.actual
    _passes(tmp_path, shot + ']\ndefaults = true\nexpect = { "Thief.wounds" = 1, "Thief.character" = 2 }')
    answered = '\nanswers = [{ of = "Thief", why = "points", is = 2 }]\n'
    _passes(tmp_path, shot + ', "2W: W4 W6>1 -> 11"]' + answered + 'expect = { "Thief.wounds" = 0, "Thief.character" = 0 }')
    _fails(tmp_path, MISS + answered, "answers")


def test_an_open_question_may_be_the_end_of_a_step(tmp_path: Path) -> None:
    shot = f'[[case.step]]\n{SHOT}dice = {HIT_DICE}]\nexpect = {{ asked = ["Thief: points"] }}\n'
    _passes(
        tmp_path,
        shot
        + '[[case.step]]\ndo = "answer"\nanswers = [{ of = "Thief", why = "points", is = 0 }]\n'
        + 'expect = { "Thief.wounds" = 1, asked = [] }',
    )
    _fails(tmp_path, shot.replace("Thief: points", "Thief: fate"), "asked")


def test_branches(tmp_path: Path) -> None:
    two = f'[[case.step]]\n{SHOT}dice = [[2, 1, 3, 1]]\nexpect = {{ "Sentry.used" = 1 }}\n'
    twice = two.replace("[2, 1, 3, 1]", "[2, 1, 3]")
    branch = '[[case.branch]]\nname = "again"\n{more}\n[[case.branch.step]]\n' + SHOT
    _passes(tmp_path, twice + branch.format(more="after = 1") + 'dice = [[1, 1, 1]]\nexpect = { "Sentry.used" = 2 }', 2)
    _passes(tmp_path, twice + branch.format(more="") + 'dice = [[1, 1, 1]]\nexpect = { "Sentry.used" = 1 }', 2)
    _passes(
        tmp_path,
        two
        + branch.format(more='rulings = { wild_one = "remove_highest" }')
        + 'dice = ["4D: W1 | 6 5 3 -> 8"]\nexpect = { "roll.attack.total" = 8 }',
    )
    later = branch.format(more="start = { round = 4, turn = 'Sentry' }")
    _passes(tmp_path, two + later + "dice = [[1, 1, 1, 1]]\nexpect = { round = 4 }")
    wrong = branch.format(more="after = 1") + "dice = [[1, 1, 1]]\nexpect = { round = 3 }"
    failed = _fails(tmp_path, twice + wrong, "round", 2)
    assert failed.step == "branch 'again', step 1 (Sentry: attack)"


def test_the_referee(tmp_path: Path) -> None:
    step = '[[case.step]]\ndo = "referee"\n'
    _passes(tmp_path, step + 'set = { "Thief.wounds" = 2, minutes = 3 }\nexpect = { "Thief.wounds" = 2, minutes = 3 }')
    _passes(tmp_path, step + 'move = { Thief = [9, 9] }\nsay = "he runs"\nexpect = { "Thief.at" = [9, 9], log = "he runs" }')
    _passes(tmp_path, step + 'remove = "Thief"\nexpect = { "Sentry.wounds" = 0 }')
    _passes(
        tmp_path,
        MISS + step + 'answer = { of = "Sentry", why = "attack", is = [5, 1, 1, 1] }\nexpect = { "roll.attack.total" = 8 }',
    )
    _fails(tmp_path, step + 'set = { "Thief.wonds" = 2 }', "order")


def test_undo_redo_save_and_load(tmp_path: Path) -> None:
    keep = '[[case.step]]\ndo = "save_and_load"\nexpect = { "Sentry.used" = 1 }\n'
    undo = '[[case.step]]\ndo = "undo"\nexpect = { "Sentry.used" = 0 }\n'
    redo = '[[case.step]]\ndo = "redo"\nexpect = { "Sentry.used" = 1, "Thief.wounds" = 0 }\n'
    _passes(tmp_path, MISS + keep + undo + redo + keep + undo)


def test_undo_of_one_typed_die(tmp_path: Path) -> None:
    _passes(
        tmp_path,
        MISS
        + '[[case.step]]\ndo = "undo"\ndecisions = 1\nexpect = { asked = ["Sentry: attack"] }\n'
        + '[[case.step]]\ndo = "answer"\ndice = [[6]]\n'
        + 'expect = { "roll.attack.total" = 12, "Sentry.used" = 1, asked = ["Sentry: damage"] }',
    )


def test_time_passes(tmp_path: Path) -> None:
    _passes(tmp_path, '[[case.step]]\ndo = "advance"\nuntil = "turn Thief"\nexpect = { turn = "Thief" }')
    _passes(tmp_path, '[[case.step]]\ndo = "advance"\nuntil = "round 9"\ndefaults = true\nexpect = { round = 9 }')
    _passes(tmp_path, '[[case.step]]\ndo = "advance"\nuntil = "3 rounds"\ndefaults = true\nexpect = { round = 4 }')
    _fails(tmp_path, '[[case.step]]\ndo = "advance"\nuntil = "some day"', "until")
    _fails(tmp_path, '[[case.step]]\ndo = "advance"\nuntil = "turn Nobody"', "until")


def test_paths_that_do_not_exist(tmp_path: Path) -> None:
    show = '[[case.step]]\ndo = "show"\nexpect = {{ {0} = 1 }}'
    assert "did you mean 'wounds'" in _fails(tmp_path, show.format('"Thief.wonds"'), "Thief.wonds").actual
    path = "Thief.numbers.passiv_defence"
    assert "did you mean 'passive_defence'" in _fails(tmp_path, show.format(f'"{path}"'), path).actual
    assert "rolled were: none" in _fails(tmp_path, show.format('"roll.attack.total"'), "roll.attack.total").actual
    _fails(tmp_path, show.format('"Nobody.wounds"'), "Nobody.wounds")
    _fails(tmp_path, show.format('"offers.dance"'), "offers.dance")
    assert _fails(tmp_path, show.format('"Thief.wounds"'), "Thief.wounds").actual == 0


def test_what_a_failure_tells(tmp_path: Path) -> None:
    failed = _fails(tmp_path, MISS + 'expect = { "Sentry.used" = 3 }', "Sentry.used")
    report = "\n".join(failed.report)
    for words in ("FAILED x", "step 1 (Sentry: attack)", "expected  3", "actual    1", "W2 | 1 3 1", "RON-ATK-2"):
        assert words in report
    assert failed.plain()["expected"] == 3 and failed.plain()["passed"] is False


def _wrong(tmp_path: Path, text: str) -> list[str]:
    if not (tmp_path / "cast.toml").exists():
        (tmp_path / "cast.toml").write_text(CAST, encoding="utf-8")
    path = tmp_path / "w.toml"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(DataError) as error:
        load_cases(path)
    return [str(problem).removeprefix(f"{path}:") for problem in error.value.problems]


def test_files_that_are_wrong(tmp_path: Path) -> None:
    top = TOP.format(id="x", declared=1)
    assert "the file is empty" in _wrong(tmp_path, "")[0]
    assert "there is no case" in _wrong(tmp_path, 'cast = "c.toml"')[0]
    assert "did you mean 'title'" in _wrong(tmp_path, top + 'titel = "x"\n' + MISS)[0]
    assert "no die code" in _wrong(tmp_path, top + f'[[case.step]]\n{SHOT}dice = ["sword: 3"]')[0]
    assert "needs do = ..." in _wrong(tmp_path, top + '[[case.step]]\nby = "Sentry"')[0]
    assert "two cases are called 'x'" in _wrong(tmp_path, top + MISS + top.replace('cast = "cast.toml"', "") + MISS)[0]
    assert "did you mean 'Sentry'" in _wrong(tmp_path, top.replace('turn = "Sentry"', 'turn = "Sentri"') + MISS)[0]
    assert "after = 4" in _wrong(tmp_path, top + MISS + f"[[case.branch]]\nafter = 4\n[[case.branch.step]]\n{SHOT}")[0]
    assert "did you mean 'wild_one'" in _wrong(
        tmp_path, top + MISS + f"[[case.branch]]\nrulings = {{ wild_on = 1 }}\n[[case.branch.step]]\n{SHOT}"
    )[0]
    cites = top.replace('id = "x"', 'id = "x"\nrules = ["RON-ATK-4", "RON-ATK-444"]')
    assert "no rule 'RON-ATK-444'; did you mean 'RON-ATK-4'?" in _wrong(tmp_path, cites + MISS)[0]
    assert "no such file" in _wrong(tmp_path, top.replace("cast.toml", "nobody.toml") + MISS)[0]


def test_a_cast_and_an_encounter_file(tmp_path: Path) -> None:
    (tmp_path / "cast.toml").write_text('[[combatant]]\nname = "Ash"\nattributes = { Agility = "4D" }\n', encoding="utf-8")
    path = tmp_path / "u.toml"
    body = 'id = "u"\nruleset = "rond6"\ncombatant = [{ use = "Ash", side = "a" }, { use = "%s", name = "Bo", side = "b" }]\n'
    show = 'step = [{ do = "show", expect = { "Bo.numbers.passive_defence" = 12 } }]\n'
    path.write_text('cast = "cast.toml"\n[[case]]\n' + body % "Ash" + show, encoding="utf-8")
    assert run(load_cases(path)[0]).passed
    assert "did you mean 'Ash'" in _wrong(tmp_path, 'cast = "cast.toml"\n[[case]]\n' + body % "Asch" + show)[0]
    (tmp_path / "fight.toml").write_text(
        'ruleset = "rond6"\n[[combatant]]\nname = "A"\nside = "a"\n[[combatant]]\nname = "B"\nside = "b"\n', encoding="utf-8"
    )
    path.write_text(
        '[[case]]\nid = "e"\nruleset = "rond6"\nencounter = "fight.toml"\nstart = { turn = "A" }\n'
        'step = [{ do = "show", expect = { turn = "A", round = 1 } }]\n',
        encoding="utf-8",
    )
    assert run(load_cases(path)[0]).passed


def test_odds_of_an_order(tmp_path: Path) -> None:
    """One Wild Die against 11: a 6 and then 5 or more (a 5, or a 6 with anything after it): 1/6 of 2/6."""
    weak = CAST.replace('"Ranged Weapons" = "4D"', '"Ranged Weapons" = "1D"')
    (tmp_path / "weak.toml").write_text(weak, encoding="utf-8")
    top = TOP.format(id="x", declared=1).replace("cast.toml", "weak.toml")
    odds = '[[case.step]]\ndo = "odds"\nby = "Sentry"\nof = { do = "attack", target = "Thief" }\n'
    path = tmp_path / "o.toml"
    expect = 'expect = { hit = "1/18", miss = "17/18", "Sentry.used = 1" = 1, "Thief.wounds >= 9" = 0 }'
    path.write_text(top + odds + expect, encoding="utf-8")
    result = run(load_cases(path)[0])
    assert result.passed, "\n".join(result.report)
    path.write_text(top + odds + 'expect = { hit = "1/17" }', encoding="utf-8")
    failed = run(load_cases(path)[0])
    assert failed.path == "odds: hit" and failed.actual.startswith("1/18")
