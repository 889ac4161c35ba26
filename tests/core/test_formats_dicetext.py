"""The one dice notation, in all its spellings."""

import re
from pathlib import Path

import pytest

from affray.errors import BadAnswer
from affray.formats.dicetext import DiceText, parse

RULES = Path(__file__).parents[3] / "shared" / "rules"


@pytest.mark.parametrize(
    ("text", "faces", "total"),
    [
        ("4D+1: W6>5 | 6 5 4 -> 27", (6, 5, 6, 5, 4), 27),
        ("{4D+1: W6>5 | 6 5 4 -> 27}", (6, 5, 6, 5, 4), 27),
        ("3D+1W: W2 W5 | 4 1", (2, 5, 4, 1), None),
        ("4D+2W: W3 W6>1 W5 | 2 4 4 -> 25", (3, 6, 1, 5, 2, 4, 4), 25),
        ("2W: W6>3 W4 -> 13", (6, 3, 4), 13),
        ("4D: W6! | 3 2 5 -> 16", (6, 3, 2, 5), 16),
        ("3D+1: W6>6>2 | 4 5 -> 24", (6, 6, 2, 4, 5), 24),
        ("1D: W3 -> 3", (3,), 3),
        ("1D: W[6,4] = 10 → 1 success", (6, 4), 10),
        ("4D: R[2,3,4] W[3] = 12 → 2 successes", (3, 2, 3, 4), 12),
        ("4D: R[3,2,4] W[3] +6 = 18 → 3 successes", (3, 3, 2, 4), 18),
        ("6D: R[3,4,2] W[5] W[6,2] W[1] = 23", (5, 6, 2, 1, 3, 4, 2), 23),
        ("R[2,3,4] W[3]", (3, 2, 3, 4), None),
        ("W[3] R[2,3,4]", (3, 2, 3, 4), None),
        ("W4 | 3 4 1", (4, 3, 4, 1), None),
        ("2D6 5 4", (5, 4), None),
        ("2D6[5,4]", (5, 4), None),
        ("2D6: 5 4 -> 9", (5, 4), 9),
        ("[5,4]", (5, 4), None),
        ("5 4", (5, 4), None),
        ([5, 4], (5, 4), None),
        ([6, 2, 3], (6, 2, 3), None),
    ],
)
def test_spellings(text: object, faces: tuple[int, ...], total: int | None) -> None:
    read = parse(text)  # type: ignore[arg-type]
    assert read.faces == faces
    assert read.total == total


def test_everything_that_is_read() -> None:
    assert parse("3D+2: R[4,1] W[6,1] +2 = 14 → 2 successes") == DiceText(
        (6, 1, 4, 1), dice=3, pips=2, wilds=((6, 1),), total=14, successes=2
    )
    assert parse("4D: W6! | 3 2 5").flags == ("no_rethrow",)
    assert parse("3D+1W: W2 W5 | 4 1").dice == 4
    assert parse("3D+1W: W2 W5 | 4 1").regular == (4, 1)
    assert parse("2D: W1>4 | 3").wilds == ((1, 4),), "a house table throws another die after a 1"


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("", "no dice"),
        ([], "no dice"),
        ("4D", "wants 4 regular dice"),
        ("4D: W6>5 | 6 5", "wants 3 regular dice, 2"),
        ("3D+7: W1 | 2 2", "7 pips"),
        ("4D: W6>5 | 6 5 7", "'7' is no face"),
        ([5, 0], "0 is no face"),
        ([5, True], "True is no face"),
        ("4D: W5>5 | 6 5 4", "goes on after a 5"),
        ("3D+1W: W2 | 4 1 3", "2 Wild Dice by the code, 1 written"),
        ("3D: W3 | 2 2 -> many", "whole number"),
        ("3D: W3 2 2", "after |"),
        ("3D: R[2,2] W[3] oops", "'oops' was not understood"),
        ("3D: R[2,2] W[]", "without a face"),
        ("sword: W3 | 2 2", "no die code"),
        ("five four", "'five' is no face"),
        ("3D+1: R[2,2] W[3] +2", "has +1, after the dice stands +2"),
    ],
)
def test_clear_errors(text: object, why: str) -> None:
    with pytest.raises(BadAnswer, match=re.escape(why)):
        parse(text)  # type: ignore[arg-type]


@pytest.mark.skipif(not RULES.is_dir(), reason="the rule inventories are not here")
@pytest.mark.parametrize("name", ["rond6", "rd6", "cepheus"])
def test_every_dice_text_of_the_inventories_is_read(name: str) -> None:
    text = (RULES / f"{name}.md").read_text(encoding="utf-8")
    found = {
        "rond6": r"\{\d+[DW][^}]*\}",
        "rd6": r"`(\d+D[^`:]*: [RW]\[[^`]*)`",
        "cepheus": r"(?:`| )(\[[1-6](?:,[1-6])*\])",
    }[name]
    texts = re.findall(found, text)
    assert len(texts) > 40
    for one in texts:
        read = parse(one)
        if name != "cepheus" and read.total is not None and read.faces[0] != 1:
            assert sum(read.faces) + read.pips == read.total, one
