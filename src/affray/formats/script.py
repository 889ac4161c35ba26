"""What a case hands to the rules: dice and answers in the order in which they are asked for, each checked as it is used.

It knows requests, not rules: a roll takes the next dice text, a question takes the first answer given for its key and person.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any

from affray.ask import Open, Roll
from affray.dice import check
from affray.errors import BadAnswer
from affray.formats.dicetext import DiceText, parse
from affray.interpreters.live import stream
from affray.render.text import faces_text, question


class Failed(Exception):
    """A case went wrong at a path: what was expected and what came."""

    def __init__(self, path: str, expected: Any, actual: Any) -> None:
        super().__init__(f"{path}: expected {expected}, got {actual}")
        self.path, self.expected, self.actual = path, expected, actual


@dataclass(slots=True)
class Script:
    """The dice and answers of one step. `free`: rolls without dice are thrown by the program (time that passes)."""

    dice: list[tuple[Any, DiceText, list[int]]] = field(default_factory=list)
    answers: list[tuple[str, str, Any]] = field(default_factory=list)
    defaults: bool = False
    free: bool = False
    seed: int = 0
    asked: list[str] = field(default_factory=list)

    @staticmethod
    def of(dice: Iterable[str | Sequence[int]], answers: Iterable[tuple[str, str, Any]] = (), **more: Any) -> Script:
        """A script from dice texts. Raises BadAnswer for a text that cannot be read."""
        texts = [(text, parse(text)) for text in dice]
        return Script([(text, read, list(read.faces)) for text, read in texts], list(answers), **more)

    def answer(self, opened: Open, entry: int) -> Any:
        """The answer to an open request, or None when the script has none."""
        if isinstance(opened.request, Roll):
            return self._faces(opened, opened.request, entry)
        request = opened.request
        for number, (who, why, value) in enumerate(self.answers):
            if who == request.by and why == request.why.key:
                del self.answers[number]
                self.asked.append(f"{question(opened)} ← {value!r}")
                return (value,)
        if self.defaults:
            self.asked.append(f"{question(opened)} ← left to its default")
            return (request.default,)
        return None

    def _faces(self, opened: Open, roll: Roll, entry: int) -> Any:
        if self.free and (roll.why.key == "initiative" or not self.dice):
            faces: tuple[int, ...] = tuple(roll.pool.throw(stream(self.seed, entry, opened.n)))
            return (faces,)
        before = len(opened.faces)
        taken: list[int] = list(opened.faces)
        started: list[tuple[Any, DiceText]] = []
        while roll.pool.wanted(taken) is not None:
            if not self.dice:
                if len(taken) > before:
                    raise Failed(f"roll.{roll.why.key}.faces", str(roll.pool), f"only {taken}")
                return None
            text, read, left = self.dice[0]
            if len(left) == len(read.faces):
                if len(taken) > before and read.dice:
                    raise Failed(f"roll.{roll.why.key}.faces", str(text), f"{roll.pool} wants a die more than {taken}")
                started.append((text, read))
            taken.append(left.pop(0))
            if not left:
                del self.dice[0]
            try:
                check(roll.pool, taken)
            except BadAnswer as wrong:
                raise Failed(f"roll.{roll.why.key}.faces", str(text), str(wrong)) from None
        for text, read in started:
            self._suits(roll, text, read, taken)
        self.asked.append(f"{question(opened)} ← {faces_text(str(roll.pool), taken)}")
        return (tuple(taken[before:]),)

    def _suits(self, roll: Roll, text: Any, read: DiceText, taken: list[int]) -> None:
        """A text that states a code, or a total, must suit the roll that used it."""
        key = f"roll.{roll.why.key}"
        if not read.dice:
            return
        pool = getattr(roll.pool, "pool", roll.pool)
        dice, pips = getattr(pool, "dice", read.dice), getattr(pool, "pips", 0)
        plus = sum(part.amount for part in roll.parts if part.unit == "" and part.source != "pips")
        if read.dice != dice or read.pips not in (pips, plus, pips + plus):
            raise Failed(f"{key}.pool", str(text), str(roll.pool))
        if len(read.faces) != len(taken):
            raise Failed(f"{key}.faces", str(text), f"{roll.pool} took {taken}")
        if read.total is not None:
            result = roll.pool.read(taken)
            known = {number - pips + read.pips for number in _numbers(result)}
            if hasattr(roll.pool, "total"):
                known = {roll.pool.total(taken)}
            elif not isinstance(result, int):
                known.add(sum(taken) + read.pips)
            if read.total not in known:
                raise Failed(f"{key}.total", read.total, result)
        if read.successes is not None and read.successes not in _numbers(roll.pool.read(taken)):
            raise Failed(f"{key}.result", f"{read.successes} successes", roll.pool.read(taken))

    def left(self) -> tuple[str, str] | None:
        """What nobody asked for: (path, words), or None."""
        if self.dice:
            text, read, left = self.dice[0]
            return ("dice", f"{text!r}" if len(left) == len(read.faces) else f"{left} of {text!r}")
        if self.answers:
            who, why, value = self.answers[0]
            return ("answers", f"{who}, {why}: {value!r}")
        return None


def _numbers(result: Any) -> set[int]:
    """Whole numbers in what a rule reads of a roll."""
    if isinstance(result, bool):
        return set()
    if isinstance(result, int):
        return {result}
    if isinstance(result, tuple | list):
        return {number for one in result for number in _numbers(one)}
    return {number for name in getattr(result, "__struct_fields__", ()) for number in _numbers(getattr(result, name))}
