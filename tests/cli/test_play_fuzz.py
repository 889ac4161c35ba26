"""Whatever is typed at the table, it answers in words, and the save holds what the table holds."""

from __future__ import annotations

import random
from pathlib import Path

import pytest
from cli.playing import GATE, ROOT, table

from affray.store import jsonl
from affray.table.commands import COMMANDS
from affray.table.layout import plain
from affray.table.session import Session

FILES = [GATE, ROOT / "examples" / "rd6-street.toml", ROOT / "examples" / "cepheus-ambush.toml"]
LEFT_OUT = ("quit", "auto")
WORDS = "typed virtual yes no none all rest always roll pass at as side turns -stymied stymied prone 5,3 0 1 2 3 4 5 6 -1 +2 99"
WORDS_MORE = "character fate wounds thug ; 2 1 yes at kess bo"
KNOWN = WORDS.split() + WORDS_MORE.split()


def line(session: Session, chance: random.Random) -> str:
    """Something that somebody might type."""
    kind = chance.random()
    names = [session.label(f.id) for f in session.fight.state.fighters]
    verbs = [offer.verb for offer in session.offers()]
    commands = [command.names[0] for command in COMMANDS if command.names[0] not in LEFT_OUT]
    numbers = [str(chance.randrange(len(session.fight.entries) + 2)) for _ in range(2)]
    if session.requests and kind < 0.6:
        return chance.choice(["", "", "", "1", "2", "3 4", "6 6 5", "yes", "rest", "roll", "roll"])
    if kind < 0.15:
        return ""
    if kind < 0.5 and verbs:
        more = chance.sample(names + KNOWN, chance.randrange(3))
        return " ".join([chance.choice(verbs), *more])
    if kind < 0.6:
        return " ".join([chance.choice(names), chance.choice(verbs or ["attack"]), chance.choice(names)])
    return " ".join([chance.choice(commands), *chance.sample(names + KNOWN + numbers * 3, chance.randrange(4))])


def played(session: Session, save: Path, seed: int, count: int) -> None:
    chance = random.Random(seed)
    for number in range(count):
        typed = line(session, chance)
        list(plain(session.take(typed)))
        session.prompt()
        if number % 10 == 0 or number == count - 1:
            again = jsonl.look(save)
            assert again.settled == session.fight.settled, (seed, number, typed)
            assert [entry.id for entry in again.entries] == [entry.id for entry in session.fight.entries], (seed, number, typed)
            assert again.undone == session.fight.undone, (seed, number, typed)
            assert again.memo == session.fight.memo, (seed, number, typed)


@pytest.mark.parametrize("file", FILES, ids=lambda path: path.stem)
def test_anything_may_be_typed(tmp_path: Path, file: Path) -> None:
    session = table(tmp_path, file, "typed")
    played(session, Path(session.name), 1, 150)


@pytest.mark.slow
@pytest.mark.parametrize("seed", [0, 1, *(pytest.param(seed, marks=pytest.mark.endurance) for seed in range(2, 10))])
@pytest.mark.parametrize("file", FILES, ids=lambda path: path.stem)
def test_anything_may_be_typed_for_long(tmp_path: Path, file: Path, seed: int) -> None:
    session = table(tmp_path, file, "typed" if seed % 2 else "virtual")
    played(session, Path(session.name), 100 + seed, 400)
