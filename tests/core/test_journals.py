"""A fight is kept alike in a file and in a database: whatever is decided is there again, whole or not at all."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import msgspec
import pytest
from conformance.rulesets import entrants
from core.journals import BACKENDS, emptied, place, server
from core.openings import SEED, opening

from affray import referee
from affray.encounter import Encounter
from affray.errors import AffrayError, DataError
from affray.ruleset import find
from affray.rulesets.rond6 import actions, attack
from affray.store import jsonl, sql
from affray.store.lines import head, restore


@pytest.fixture(scope="session")
def postgres() -> Iterator[str]:
    with TemporaryDirectory(prefix="affray-") as folder, server(Path(folder)) as address:  # pytest's own lets no other user in
        yield address


@pytest.fixture(params=BACKENDS)
def kept(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Any]:
    address = emptied(request.getfixturevalue("postgres")) if request.param == "postgres" else ""
    with place(request.param, tmp_path, address) as one:
        yield one


def begun(place: Any) -> Encounter:
    fight = opening()
    return place.create(fight.ruleset, fight.state, SEED)  # type: ignore[no-any-return]


def go(fight: Encounter) -> None:
    """Everybody hits somebody, once."""
    for _ in range(3):
        who = fight.up()[0]
        target = "Kess" if who != "Kess" else "Orc 1"
        fight.order(attack.Attack(who, target, ""))
        while fight.open:
            one = fight.open.requests[0]
            fight.answer(one.n, one.request.default)  # type: ignore[union-attr]
        if fight.up()[:1] == (who,):
            fight.order(actions.End(who))


def look(place: Any) -> Encounter:
    return restore(place.lines(), None, None, auto=False)


def same(a: Encounter, b: Encounter) -> None:
    assert a.settled == b.settled
    assert [entry.events for entry in a.entries] == [entry.events for entry in b.entries]
    assert (a.open is None) == (b.open is None) and len(a.undone) == len(b.undone) and a.memo == b.memo


@pytest.mark.parametrize("name", [one.ruleset.name for one in entrants() if one.ruleset.name in ("rond6", "rd6", "cepheus")])
def test_random_fights_with_taking_back_are_there_again_after_each_step(kept: Any, name: str) -> None:
    one = next(one for one in entrants() if one.ruleset.name == name)
    players = dict.fromkeys(("a", "b", "master"), one.ruleset.policies["random"])
    fight = kept.create(one.ruleset, one.start(), 5, players)
    for step in range(24):
        if one.ruleset.over(fight.state):
            break
        fight.step()
        if step % 5 == 3:
            fight.undo()
            same(fight, look(kept))
            fight.redo()
        if step % 7 == 2:
            fight.order(referee.Say("master", text=f"step {step}"))
        same(fight, look(kept))


def test_what_is_decided_by_people_goes_on_after_loading(kept: Any) -> None:
    fight = begun(kept)
    fight.remember(typed=["all"])
    fight.typed = ["all"]
    who = fight.up()[0]
    fight.order(attack.Attack(who, "Kess" if who != "Kess" else "Orc 1", ""))
    for _ in range(60):
        if fight.open is None:
            break
        one = fight.open.requests[0]
        if hasattr(one.request, "pool"):
            fight.die(one.n, 4)
        else:
            fight.answer(one.n, one.request.default)
        asked = fight.open.requests if fight.open else ()
        fight = kept.load(fight)
        assert (fight.open.requests if fight.open else ()) == asked
    assert fight.entries[-1].given


def test_what_the_table_keeps_beside_survives(kept: Any) -> None:
    fight = begun(kept)
    fight.remember(agenda=[["Orc 1", "attack kess"]], typed=["Kess"], policies={"orcs": "aggressive"})
    again = kept.load(fight)
    assert again.memo["agenda"] == [["Orc 1", "attack kess"]]
    assert again.typed == ["Kess"]
    assert again.policy("Orc 1") is find("rond6").policies["aggressive"]


def test_what_is_decided_together_is_one_line(kept: Any) -> None:
    fight = begun(kept)
    go(fight)
    before = len(kept.lines())
    fight.amend(referee.Set("master", "Kess", {"character": 3}), at=fight.entries[1].id)
    assert len(kept.lines()) == before + 1
    same(fight, look(kept))


def test_a_change_of_the_past_is_taken_back_and_returned(kept: Any) -> None:
    fight = begun(kept)
    go(fight)
    hit = next(entry for entry in fight.entries if entry.order.verb == "attack")
    before = fight.settled
    fight.drop(hit.id)
    assert fight.settled != before
    fight.undo()
    fight = kept.load(fight)
    assert fight.settled == before
    fight.redo()
    same(fight, look(kept))


def test_what_cannot_be_kept_has_not_happened(kept: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    fight = begun(kept)
    lines, entries = kept.lines(), len(fight.entries)
    if isinstance(fight.journal, jsonl.JsonLines):
        real = os.write

        def full(fd: int, data: bytes) -> int:
            real(fd, data[:10])
            raise OSError(28, "No space left on device")

        monkeypatch.setattr(os, "write", full)
    else:

        def broken() -> None:
            raise OSError(28, "No space left on device")

        kept.db.writer.hold = broken
    with pytest.raises(jsonl.NotSaved, match="No space left"):
        fight.order(actions.End(fight.up()[0]))
    monkeypatch.undo()
    if hasattr(kept, "db"):
        kept.db.writer.hold = None
    assert (kept.lines(), len(fight.entries)) == (lines, entries)
    fight.order(actions.End(fight.up()[0]))
    same(fight, look(kept))


def test_two_do_not_write_at_once(kept: Any) -> None:
    fight = begun(kept)
    with pytest.raises(jsonl.Busy, match="open in another process"):
        jsonl.load(kept.path) if hasattr(kept, "path") else sql.Database(kept.where)
    fight.order(actions.End(fight.up()[0]))


def test_a_damaged_line_is_named(kept: Any) -> None:
    fight = begun(kept)
    go(fight)
    lines = kept.lines()
    number = next(n for n, line in enumerate(lines) if line["t"] == "done")
    lines[number]["events"] = [{"type": "nothing"}]
    with pytest.raises(DataError, match=str(number + 1)):
        restore(lines)


# ---- the database itself


@pytest.fixture(params=BACKENDS[1:])
def where(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    return emptied(request.getfixturevalue("postgres")) if request.param == "postgres" else str(tmp_path / "data")


def test_rows_of_all_tables_are_there_again(where: str) -> None:
    db = sql.Database(where)
    row = {"id": "c", "title": "Ä ☃", "ruleset": "rond6", "rulings": {"tie_last": "order"}, "code": "ABC", "created": 1.5}
    db.writer.do(sql.insert(sql.CAMPAIGNS, row))
    character = {"id": "x", "campaign": "c", "name": "Kess", "sheet": {"skills": {}}, "state": {}, "created": 2.0}
    db.writer.do(sql.insert(sql.CHARACTERS, character))
    db.writer.do(sql.update(sql.CAMPAIGNS, {"id": "c"}, {"title": "new"}))
    db.close()
    db = sql.Database(where)
    assert db.rows(sql.find(sql.CAMPAIGNS, id="c")) == [row | {"title": "new"}]
    assert db.rows(sql.find(sql.CHARACTERS)) == [character]
    db.writer.do(sql.delete(sql.CAMPAIGNS, {"id": "c"}))
    assert db.rows(sql.find(sql.CAMPAIGNS)) == []
    db.close()


def test_a_transaction_for_all_that_waits_and_one_fault_fails_alone(where: str) -> None:
    db = sql.Database(where)
    db.writer.do(sql.keep_lines("f0", 0, [{"t": "affray"}]))
    before = db.writer.transactions
    import threading

    gate = threading.Event()
    db.writer.hold = lambda: gate.wait(10)  # type: ignore[assignment,return-value]
    futures = [db.writer.put(sql.keep_lines(f"f{i}", 1, [{"t": "memo", "memo": {}}], key=f"k{i}")) for i in range(50)]
    gate.set()
    db.writer.hold = None
    for one in futures:
        one.result(10)
    assert db.writer.transactions - before <= 3
    gate.clear()
    db.writer.hold = lambda: gate.wait(10)  # type: ignore[assignment,return-value]
    good, bad = [db.writer.put(sql.keep_lines(name, n, [{"t": "undo"}])) for name, n in (("f1", 2), ("f2", 1))]
    gate.set()
    db.writer.hold = None
    good.result(10)
    with pytest.raises(jsonl.NotSaved):
        bad.result(10)
    assert sql.read_lines(db, "f2") == ([{"t": "memo", "memo": {}}], ["k2"])
    db.close()
    with pytest.raises(jsonl.NotSaved, match="closed"):
        db.writer.do(sql.keep_lines("f3", 2, [{"t": "undo"}]))


def test_a_key_is_kept_with_the_lines_and_only_once(where: str) -> None:
    db = sql.Database(where)
    db.writer.do(sql.keep_lines("f", 0, [{"t": "affray"}, {"t": "undo"}], key="tap 1"))
    with pytest.raises(jsonl.NotSaved):
        db.writer.do(sql.keep_lines("f", 2, [{"t": "undo"}], key="tap 1"))
    assert sql.read_lines(db, "f") == ([{"t": "affray"}, {"t": "undo"}], ["tap 1"])
    db.close()


def test_tables_of_another_version_are_refused(where: str) -> None:
    db = sql.Database(where)
    db.writer.do(sql.update(sql.ABOUT, {"key": "schema"}, {"value": "999"}))
    db.close()
    with pytest.raises(DataError, match="version 999 of the tables, this version of Affray reads"):
        sql.Database(where)


@pytest.mark.parametrize("what", ["no database", "other tables"])
def test_what_is_no_database_of_ours_is_refused(tmp_path: Path, what: str) -> None:
    path = tmp_path / "affray.db"
    if what == "no database":
        path.write_bytes(b"not a database, and long enough to be read as one" * 100)
    else:
        import sqlite3

        connection = sqlite3.connect(path)
        connection.execute("create table cats (name text)")
        connection.close()
    with pytest.raises(DataError, match=r"affray\.db"):
        sql.Database(str(tmp_path))


@pytest.mark.parametrize("address", ["mysql://a@b/c", "postgresql://nobody@127.0.0.1:1/none", "://", "/dev/null/x"])
def test_addresses_that_lead_nowhere(address: str) -> None:
    with pytest.raises(AffrayError):
        sql.Database(address)


def test_a_password_is_in_no_message() -> None:
    with pytest.raises(DataError) as found:
        sql.Database("postgresql://me:geheim@127.0.0.1:1/none")
    assert "geheim" not in str(found.value)


def test_the_head_of_a_fight_reads_alike() -> None:
    one = entrants()[0]
    line = head(one.ruleset, one.start(), 1, "t", ["all"])
    assert msgspec.json.decode(msgspec.json.encode(line))["typed"] == ["all"]
