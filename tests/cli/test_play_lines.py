"""What single lines mean at the table: names, groups, corrections, questions, numbers that explain themselves."""

from __future__ import annotations

from pathlib import Path

import pytest
from cli.playing import GATE, ROOT, table, told

from affray.store import jsonl
from affray.table.commands import COMMANDS
from affray.table.completion import complete
from affray.table.layout import plain
from affray.table.screen import Screen
from affray.table.session import Session

SIX = """
ruleset = "rond6"
title = "Six against one"
seed = 5
[[combatant]]
name = "Kess"
side = "heroes"
at = [0, 0]
attributes = { Agility = "2D", Strength = "2D", Perception = "1D" }
skills = { "Melee Weapons" = "7D", "Dodge" = "5D" }
weapons = [{ name = "sword", kind = "melee", damage = "4D" }]
state = { character = 5, fate = 1 }
[[combatant]]
name = "Guard"
side = "watch"
count = 6
at = [[1, 0], [1, 1], [0, 1], [-1, 0], [-1, -1], [0, -1]]
attributes = { Perception = "4D" }
skills = { "Melee Weapons" = "3D" }
weapons = [{ name = "club", kind = "melee", damage = "2D" }]
"""


@pytest.fixture
def six(tmp_path: Path) -> Session:
    """Six guards around Kess; the guards are up."""
    file = tmp_path / "six.toml"
    file.write_text(SIX)
    session = table(tmp_path, file)
    told(session, "initiative kess 1")
    assert session.actor().startswith("Guard")
    return session


@pytest.fixture
def gate(tmp_path: Path) -> Session:
    return table(tmp_path, GATE)


def attacks(session: Session) -> list[int]:
    """Numbers of the attacks in the log."""
    return [n for n, entry in enumerate(session.fight.entries, 1) if entry.order.verb == "attack"]


# ---- groups


def test_a_group_attacks_in_one_line(six: Session) -> None:
    out = told(six, "guards attack kess")
    while six.requests:
        out += told(six, "rest")
    assert len(attacks(six)) == 6
    assert [f"Guard {n}: attack Kess" in out for n in range(1, 7)] == [True] * 6
    assert "6 × attack kess, in all:" in out
    assert six.actor() == "Kess"


def test_any_attack_of_a_group_can_be_taken_back(six: Session) -> None:
    told(six, "guards attack kess")
    while six.requests:
        told(six, "rest")
    third = attacks(six)[2]
    by = six.fight.entries[third - 1].order.by
    out = told(six, f"retract {third}")
    while six.requests:
        told(six, "rest")
    assert f"taken back: {third}  {by}: attack Kess" in out
    assert len(attacks(six)) == 5
    assert by not in [six.fight.entries[n - 1].order.by for n in attacks(six)]


def test_who_can_do_nothing_of_it_is_passed_over(gate: Session) -> None:
    while not gate.actor().startswith("Guard"):
        told(gate, "end")
    out = told(gate, "guards attack kess")
    assert "Spaces away" in out
    assert gate.actor().startswith("Guard")


# ---- corrections


def test_corrections_by_name(gate: Session) -> None:
    def fighter(who: str) -> object:
        return next(f for f in gate.fight.state.fighters if f.id == who)

    told(gate, "wounds kess 2", "wounds kess -1", "condition bo stymied 2 rounds", "condition bo prone", "points kess fate 0")
    told(gate, "ammo bo .357 3", "place guard 2 9,9", "initiative kess 33", "side guard 3 Travellers", "set guard 1 hidden yes")
    kess, bo, second, third = fighter("Kess"), fighter("Bo"), fighter("Guard 2"), fighter("Guard 3")
    assert (kess.wounds, kess.fate, kess.initiative) == (1, 0, 33)  # type: ignore[attr-defined]
    assert bo.prone and bo.conditions[0].rounds == 2 and bo.ammo == ((".357 magnum revolver", 3),)  # type: ignore[attr-defined]
    assert second.at == (9, 9) and third.side == "Travellers"  # type: ignore[attr-defined]
    told(gate, "condition bo -stymied", "condition bo -prone", "rename guard 1 Old Tom", "remove guard 3")
    bo = fighter("Bo")
    assert not bo.prone and not bo.conditions  # type: ignore[attr-defined]
    sheet = told(gate, "sheet old")
    assert "Old Tom" in sheet and "Melee Weapons 3D+1" in sheet and ", pips" not in sheet and "stunned no" not in sheet
    assert all(f.id != "Guard 3" for f in gate.fight.state.fighters)
    assert gate.failed == 0


def test_distances_where_there_is_no_map(tmp_path: Path, gate: Session) -> None:
    session = table(tmp_path, ROOT / "examples" / "cepheus-ambush.toml", "typed")
    assert "Scout 3 → 7.5" in told(session, "distance lieutenant scout short")
    assert session.fight.ruleset.apart(session.fight.state, "Scout", "Lieutenant")[0] == "7.5 m, Short"
    assert "did you mean Medium?" in told(session, "distance lieutenant scout medum")
    assert "everybody has a place" in told(gate, "distance kess bo 3")


def test_wrong_corrections_change_nothing(gate: Session) -> None:
    before = gate.fight.state
    lines = ("wounds", "wounds nobody 3", "wounds kess x", "condition bo", "points kess luck 2", "ammo bo bow 3", "place kess")
    lines += (
        "set kess wuonds 3",
        "set kess wounds many",
        "rename kess Bo",
        f"rename kess {'K' * 61}",
        "place kess 99999999,0",
        "set scene round -5",
        "condition bo stymied -5 turns",
        "add dragon side Watch",
        "add thug",
        "drop 99",
        "back x",
    )
    lines += ("overrule 1", "reaim 1 bo", "ruling nonsense yes", "before 1 help", "wounds kess -5", "dice thrown", "auto nobody")
    for line in lines:
        out = told(gate, line)
        assert out.startswith("! "), (line, out)
    assert gate.fight.state == before
    assert gate.failed == len(lines)
    assert "did you mean 'wounds'" in told(gate, "set kess wuonds 3")


def test_late_arrivals(gate: Session, tmp_path: Path) -> None:
    sheet = tmp_path / "old-tom.toml"
    sheet.write_text('template = "thug"\nskills = { Dodge = "5D" }\n')
    told(gate, "add 2 thug as Rogue side watch at 9,1", f"add {sheet} side trav", "add thug as Kess side Watch")
    names = [f.id for f in gate.fight.state.fighters][5:]
    assert names == ["Rogue 1", "Rogue 2", "Old Tom", "Kess 1"]
    assert gate.fight.state.fighters[7].side == "Travellers"
    told(gate, "undo")
    assert len(gate.fight.state.fighters) == 8


def test_aim_an_attack_at_somebody_else_and_overrule_its_roll(gate: Session) -> None:
    told(gate, "end") if gate.actor() != "Bo" else None
    told(gate, "attack guard 1")
    while gate.requests:
        told(gate, "rest")
    number = attacks(gate)[0]
    assert gate.fight.entries[number - 1].order.target == "Guard 1"
    faces = next(a.value for a in gate.fight.entries[number - 1].answers if a.why == "attack")
    out = told(gate, f"reaim {number} guard 2")
    entry = gate.fight.entries[number - 1]
    assert entry.order.target == "Guard 2" and "(played again)" in out
    assert next(a.value for a in entry.answers if a.why == "attack") == faces
    assert "needs more than 1 dice" in told(gate, f"overrule {number} attack 1")
    told(gate, f"overrule {number} attack 2 1 1 1 1")
    entry = gate.fight.entries[number - 1]
    assert next(a.value for a in entry.answers if a.why == "attack") == (2, 1, 1, 1, 1)
    assert "miss" in told(gate, f"log {number}")


def test_a_ruling_is_switched_and_noted(gate: Session) -> None:
    assert "stun_recovery" in told(gate, "ruling")
    told(gate, "ruling stun_recovery free_at_turn_start", "say We play it so from now on")
    assert gate.fight.state.rulings.stun_recovery == "free_at_turn_start"
    assert "We play it so" in told(gate, "log")


# ---- questions, and who is asked


def test_ties_are_for_the_master(tmp_path: Path) -> None:
    file = tmp_path / "tie.toml"
    twins = [f'[[combatant]]\nname = "{name}"\nside = "b"\nat = [1, {n}]\n' for n, name in enumerate(("Left", "Right"))]
    file.write_text('ruleset = "rond6"\n[[combatant]]\nname = "Kess"\nside = "a"\nat = [0, 0]\n' + "".join(twins))
    session = table(tmp_path, file, "typed")
    out = told(session, "1 1", "3 4", "4 3")
    assert "Game master: who goes first among equals? [RON-TIME-9]" in out
    assert session.prompt() == "Game master, who goes first among equals [Left, Right]> "
    told(session, "right")
    assert session.actor() == "Right"
    told(session, "undo", "left right")
    assert session.actor() == "Left"


def test_always_answers_by_itself_until_asked_again(tmp_path: Path) -> None:
    session = table(tmp_path, GATE, "typed=Bo")
    told(session, "5 6 6 6", "attack guard 1")
    assert "spend Result Points, " in told(session, "5 5 5 5 5")
    assert "throws 8D for damage" in told(session, "always")
    assert session.fight.memo["usual"] == [["Bo", "feat"]]
    assert "Bo (feat)" in told(session, "ask")
    assert session.fight.memo["usual"] == []


def test_dice_that_look_like_orders_are_refused(gate: Session) -> None:
    assert "look like dice" in told(gate, "5 4 6 6")


def test_a_number_belongs_to_the_name_before_it(six: Session) -> None:
    """'attack guard 3' is never an attack on a Guard 1 who happens to be the only one in reach."""
    told(six, "place guard 3 9,9", "place guard 4 9,8", "place guard 5 9,7", "place guard 6 9,6", "place guard 2 9,5")
    told(six, "initiative kess 50")
    six.fight.undone.clear()
    told(six, "guard 1 end") if six.actor() != "Kess" else None
    while six.actor() != "Kess":
        told(six, "end")
    out = told(six, "attack guard 3")
    assert "Spaces away" in out and not attacks(six)


def test_a_friend_is_never_the_target_that_is_meant(tmp_path: Path) -> None:
    """Only a friend is in reach: whom it is aimed at has to be said, and Enter does not say it."""
    file = tmp_path / "friends.toml"
    people = ["Kess", "Bo", "Orc"]
    sides, places = ["heroes", "heroes", "orcs"], [[0, 0], [0, 1], [40, 40]]
    made = [f'[[combatant]]\nname = "{n}"\nside = "{s}"\nat = {a}\n' for n, s, a in zip(people, sides, places, strict=True)]
    file.write_text('ruleset = "rond6"\n' + "".join(made))
    session = table(tmp_path, file)
    told(session, "initiative kess 50")
    session.fight.undone.clear()
    while session.actor() != "Kess":
        told(session, "end")
    told(session, "attack")
    assert not attacks(session) and session.draft is not None and "[" not in session.prompt()
    assert told(session, "").startswith("!") and not attacks(session)
    told(session, "cancel")
    for line in ("odds attack", "map attack", "kess attack; end"):
        assert told(session, line).partition("\n")[0].endswith("target: Bo") and not attacks(session), line
    told(session, "attack")
    told(session, "bo")
    assert attacks(session)


def test_a_correction_that_changes_nothing_is_no_entry(six: Session) -> None:
    before = len(six.fight.entries)
    assert "nothing has changed" in told(six, "wounds kess 0") and len(six.fight.entries) == before


# ---- looking and explaining


def test_numbers_explain_themselves(gate: Session) -> None:
    out = told(gate, "why kess dodge")
    assert "Kess, dodge: 4D = 4D Dodge [RON-DICE-11]" in out
    assert "5D" in told(gate, "why 5D")
    assert told(gate, "why 999").startswith("! no number here")
    assert "RON-ATK-12" in told(gate, "rule cover")
    assert told(gate, "rule ron-def-6").startswith("RON-DEF-6  Active Defense")
    assert told(gate, "rule zzz").startswith("! no rule")


def test_odds_sum_up_and_name_the_target(gate: Session) -> None:
    told(gate, "end") if gate.actor() != "Bo" else None
    out = told(gate, "odds attack guard 1")
    assert "Guard 1: miss" in out and "wounds" in out
    assert told(gate, "odds nonsense").startswith("! no odds")
    assert gate.fight.entries == gate.fight.entries and not attacks(gate)


def test_help_and_refused_tell_the_reason(gate: Session) -> None:
    assert "guards attack kess" in told(gate, "help")
    assert "[RON-" in told(gate, "refused")
    assert "target" in told(gate, "help attack") or "nobody" in told(gate, "help attack")
    for command in COMMANDS:
        assert command.names[0] in told(gate, f"help {command.names[0]}")


def test_no_verb_of_a_ruleset_is_hidden_by_a_command() -> None:
    """But for those that `do` reaches, which are known."""
    from affray.ruleset import NAMES, find

    names = {name for command in COMMANDS for name in command.names}
    hidden = {
        (name, str(kind.__struct_config__.tag))
        for name in NAMES
        for kind in find(name).orders.__args__
        if str(kind.__struct_config__.tag) in names
    }
    assert hidden <= {("cepheus", "help")}


def test_completion(gate: Session) -> None:
    assert "attack" in complete(gate, "att")
    assert complete(gate, "wounds Ke") == ["Kess"]
    assert "RON-ATK-12" in complete(gate, "rule RON-ATK-1")


def test_an_order_that_is_put_together_can_be_dropped(gate: Session) -> None:
    told(gate, "end") if gate.actor() != "Bo" else None
    assert "1 Guard 1" in told(gate, "attack")
    assert "Bo, attack, target" in gate.prompt()
    told(gate, "cancel")
    assert gate.prompt().startswith("Bo>") and not attacks(gate)


def test_enter_ends_a_turn_in_which_nothing_is_left(gate: Session) -> None:
    first = gate.actor()
    assert any(isinstance(one, Screen) for one in gate.take(""))
    assert gate.actor() == first
    told(gate, "dodge")
    assert "Enter: end the turn" in gate.prompt()
    told(gate, "")
    assert gate.actor() != first


# ---- what is kept


def test_one_line_at_the_table_is_one_line_of_the_save(six: Session) -> None:
    save = Path(six.name)
    before = save.read_bytes().count(b"\n")
    told(six, "guards attack kess")
    assert save.read_bytes().count(b"\n") == before + 1
    told(six, "help", "why 5D", "odds attack guard 1", "log", "nonsense")
    assert save.read_bytes().count(b"\n") == before + 1


def test_a_late_arrival_throws_by_hand_where_its_side_does(tmp_path: Path) -> None:
    session = table(tmp_path, GATE, "typed=Travellers")
    told(session, "1 1 1", "1 1 1 1", "add thug as Cousin side Travellers", "add thug as Spy side Watch")
    assert session.fight.typed == ["Bo", "Cousin", "Kess"]


def test_answers_that_no_longer_fit_are_asked_anew_and_that_is_said(tmp_path: Path) -> None:
    session = table(tmp_path, GATE, "typed=Travellers")
    told(session, "kess: 4 3 2", "5 1")
    journal = session.fight.journal
    assert journal is not None
    journal.close()  # type: ignore[attr-defined]
    save = Path(session.name)
    lines = save.read_text().splitlines()
    lines[-1] = lines[-1].replace('"why":"initiative"', '"why":"luck"')
    save.write_text("\n".join(lines) + "\n")
    again = Session(jsonl.load(save))
    out = "\n".join(plain(again.begin()))
    assert "2 answers of the open order no longer fit the rules; they are asked anew" in out
    assert again.requests[0].request.by == "Bo" and again.requests[0].faces == ()


def test_what_comes_by_itself_has_no_odds(tmp_path: Path) -> None:
    session = table(tmp_path, GATE, "typed")
    assert told(session, "odds").startswith("! no odds: what waits for an answer is nobody's action")
