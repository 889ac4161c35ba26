"""One encounter file with something changed: `thug.count=3`, `guard.skills.Dodge=4D`, `rulings.x=y`, `policy.Heroes=cautious`.

A path begins with a combatant, a template, a side, `rulings`, `policy` or `space`, and goes on as the file does. Values are
written as one value, a list `a,b,c`, or a range `1..8`, `1..9/2`, `3D..6D`, `4D..5D/+1`.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from copy import deepcopy
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from affray.errors import DataError, Problem, nearest, unknown
from affray.formats.encounter import Fight, fight_of, flattened
from affray.formats.sheets import Gatherer
from affray.formats.toml import Document, load

MAX_VALUES, MAX_DICE = 1000, 1000
Setting = tuple[str, Any]
"""A path and the value that is put there."""
_PERCENT = re.compile(r"(?P<number>\d+(?:\.\d+)?|\.\d+)\s*(?P<sign>%?)", re.ASCII)
_CODE = re.compile(r"(\d+)[dD](?:\+(\d+))?")
_RANGE = re.compile(r"(?P<low>[^./]+(?:\.\d+)?)\.\.(?P<high>[^./]+(?:\.\d+)?)(?:/(?P<step>.+))?")


def told(path: str, value: Any) -> str:
    """A setting as it is written: 'thug.count=3'."""
    return f"{path}={shown(value)}"


def shown(value: Any) -> str:
    """A value as it is written."""
    return str(value).lower() if isinstance(value, bool) else f"{value:g}" if isinstance(value, float) else str(value)


def place(path: str) -> str:
    """What a path changes, in one spelling."""
    found = path.strip().lower()
    if found.endswith(".policy"):
        return "policy." + found.removesuffix(".policy")
    return "policy." + found.removeprefix("policies.") if found.startswith("policies.") else found


# ---- values


def parse(text: str, option: str = "--vary") -> tuple[str, tuple[Any, ...]]:
    """'thug.count=1..3' as ('thug.count', (1, 2, 3)). Raises DataError."""
    path, equals, given = text.partition("=")
    if not equals or not path.strip() or not given.strip():
        raise DataError([Problem(f"{text!r}: write PATH=VALUES, such as thug.count=1..8", key=option)])
    try:
        return path.strip(), values(given)
    except ValueError as wrong:
        raise DataError([Problem(f"{text!r}: {wrong}", key=option)]) from None


def values(text: str) -> tuple[Any, ...]:
    """The values that a text stands for, each once, in order. Raises ValueError in words."""
    found: list[Any] = []
    for part in text.split(","):
        found += _part(part.strip())
        if len(found) > MAX_VALUES:
            raise ValueError(f"more than {MAX_VALUES} values")
    kinds = {(type(one), one): one for one in found}
    return tuple(kinds.values())


def _part(text: str) -> list[Any]:
    if not text:
        raise ValueError("a value is missing")
    found = _RANGE.fullmatch(text)
    if found is None:
        return [scalar(text)]
    low, high, step = scalar(found["low"].strip()), scalar(found["high"].strip()), found["step"]
    if isinstance(low, str) and isinstance(high, str) and _CODE.fullmatch(low) and _CODE.fullmatch(high):
        return list(_codes(low, high, step))
    first, last, by = low, high, scalar(step.strip()) if step else 1
    if any(isinstance(n, bool) or not isinstance(n, int | float) for n in (first, last)):
        raise ValueError(f"{text!r} is no range; write 1..8, 1..9/2 or 3D..6D")
    if isinstance(by, bool) or not isinstance(by, int | float) or by <= 0:
        raise ValueError(f"the step {step.strip()!r} of the range must be a number above 0, as in 1..9/2")
    if last < first:
        raise ValueError(f"the range {text!r} must go upward, as {shown(last)}..{shown(first)}")
    if (last - first) / by > MAX_VALUES:
        raise ValueError(f"more than {MAX_VALUES} values")
    count = int((last - first) / by + 1e-9) + 1
    whole = all(isinstance(n, int) for n in (first, last, by))
    return [first + k * by if whole else round(first + k * by, 10) for k in range(count)]


def _codes(low: str, high: str, step: str | None) -> Iterator[str]:
    """Codes of dice in steps of a die, or of pips (three to a die)."""
    (a, p), (b, q) = (tuple(int(n or 0) for n in _CODE.fullmatch(code).groups()) for code in (low, high))  # type: ignore[union-attr]
    by = (step or "1D").strip()
    if found := _CODE.fullmatch(by):
        pips = 3 * int(found[1]) + int(found[2] or 0)
    elif re.fullmatch(r"\+?\d+", by):
        pips = int(by)
    else:
        raise ValueError(f"a step of dice is written 1D or +1, not {by!r}")
    if pips <= 0:
        raise ValueError(f"the step {by!r} of the range must be above 0: 1D, or +1 for a pip")
    if 3 * b + q < 3 * a + p:
        raise ValueError(f"the range {low}..{high} must go upward, as {high}..{low}")
    if b > MAX_DICE:
        raise ValueError(f"the range {low}..{high} goes beyond {MAX_DICE} dice")
    if (3 * (b - a) + q - p) / pips > MAX_VALUES:
        raise ValueError(f"more than {MAX_VALUES} values")
    if pips % 3 == 0 and p == q:
        return (_code(n, p) for n in range(a, b + 1, pips // 3))
    return (_code(n // 3, n % 3) for n in range(3 * a + p, 3 * b + q + 1, pips))


def _code(dice: int, pips: int) -> str:
    return f"{dice}D" + (f"+{pips}" if pips else "")


def scalar(text: str) -> Any:
    """A number, true or false, or text (in quotes or not)."""
    if text.lower() in ("true", "false"):
        return text.lower() == "true"
    if len(text) > 1 and text[0] == text[-1] and text[0] in "\"'":
        return text[1:-1]
    if re.fullmatch(r"[+-]?\d{1,15}", text):
        return int(text)
    if re.fullmatch(r"[+-]?\d{1,15}\.\d{1,15}", text):
        return float(text)
    return text


def number(value: Any) -> float | None:
    """Where a value stands among others of its kind: numbers by themselves, codes of dice by their pips; None for words."""
    if isinstance(value, bool):
        return None
    if isinstance(value, int | float):
        return float(value)
    found = _CODE.fullmatch(value)
    return 3.0 * int(found[1]) + int(found[2] or 0) if found else None


def share(text: str, high: float = 0.5) -> float:
    """'0.5%' as 0.005, above 0 and below `high`. Raises ValueError in words, also for '0.5': half a percent or a half?"""
    found = _PERCENT.fullmatch(text.strip())
    value = float(found["number"]) / 100 if found else -1.0
    if not 0 < value < high:
        such = "70%" if high > 0.7 else "0.5%"
        raise ValueError(f"a percentage above 0% and below {100 * high:g}% is expected, such as {such}")
    if found and not found["sign"] and value < 0.01:
        raise ValueError(f"write {100 * value:g}% or {10_000 * value:g}%, since {100 * value:g} may mean either")
    return value


# ---- a file


@dataclass(slots=True)
class Base:
    """An encounter file that is read once and then varied. Raises DataError when the file itself is wrong."""

    doc: Document
    fight: Fight

    @staticmethod
    def load(path: str | Path) -> Base:
        doc = load(path)
        return Base(doc, fight_of(doc, doc.data))

    def varied(self, settings: Sequence[Setting], option: str = "--vary") -> Fight:
        """The fight with all settings made. Raises DataError that names the setting."""
        if not settings:
            return self.fight
        change = _Change(self.doc, deepcopy(self.doc.data), self.fight)
        for path, value in settings:
            change.make(path, value, option)
        if change.problems:
            raise DataError(change.problems)
        try:
            fight = fight_of(self.doc, change.data)
        except DataError as wrong:
            words = f"with {', '.join(told(*setting) for setting in settings)}"
            told_all = (": ".join(filter(None, (words, one.key, one.text))) for one in wrong.problems)
            raise DataError(replace(one, key="", text=text) for one, text in zip(wrong.problems, told_all, strict=True)) from None
        return replace(fight, policies=(*fight.policies, *change.policies))


@dataclass(slots=True)
class _Change:
    """Data of a file on its way to another fight."""

    doc: Document
    data: dict[str, Any]
    fight: Fight
    policies: list[tuple[str, str]] = field(default_factory=list)
    problems: list[Problem] = field(default_factory=list)

    def make(self, path: str, value: Any, option: str) -> None:
        where = f"{option} {told(path, value)}"
        head, dot, rest = path.partition(".")
        if not dot or not rest:
            names = self.subjects()
            near, allowed = nearest(path, names), tuple(names)[:12]
            self.problems.append(Problem("a path is NAME.FIELD, such as thug.count", key=where, allowed=allowed, nearest=near))
        elif head.lower() == "rulings":
            flat, _ = flattened(self.data.get("rulings", {}))
            self.data["rulings"] = flat | {rest: value}
        elif head.lower() in ("policy", "policies"):
            self.policy(rest, value, where)
        elif head.lower() == "space":
            self.data["space"] = self.data.get("space", {}) | {rest: value}
        else:
            self.combatants(path, value, where)

    def subjects(self) -> dict[str, list[int]]:
        """Names that a path may begin with, and the combatants (by place in the file) that each means."""
        found: dict[str, list[int]] = {}
        for key in ("name", "template", "side"):
            later: dict[str, list[int]] = {}
            for at, raw in enumerate(self.data.get("combatant", [])):
                if isinstance(name := raw.get(key), str):
                    later.setdefault(name, []).append(at)
            known = {name.lower() for name in found}
            found |= {name: places for name, places in later.items() if name.lower() not in known}
        return found

    def policy(self, who: str, value: Any, where: str) -> None:
        sides = [side.name for side in self.fight.sides]
        known = {name.lower(): name for name in (*(f.id for f in self.fight.state.fighters), *sides, "master")}
        if who.lower() not in known:
            self.problems.append(replace(unknown("side", who, sides), key=where))
        elif value not in self.fight.ruleset.policies:
            self.problems.append(replace(unknown("policy", shown(value), tuple(self.fight.ruleset.policies)), key=where))
        else:
            self.policies.append((known[who.lower()], value))

    def combatants(self, path: str, value: Any, where: str) -> None:
        subjects = self.subjects()
        fits = [name for name in subjects if path.lower().startswith(name.lower() + ".")]
        if not fits:
            head = path.partition(".")[0]
            known = (*subjects, "rulings", "policy", "space")
            self.problems.append(replace(unknown("combatant, template or side", head, known), key=where))
            return
        name = max(fits, key=len)
        keys = [key.strip() for key in path[len(name) + 1 :].split(".")]
        if keys == ["policy"] and any(side.name == name for side in self.fight.sides):
            self.policy(name, value, where)
            return
        for at in reversed(subjects[name]):
            self.one(at, keys, value, where)

    def one(self, at: int, keys: list[str], value: Any, where: str) -> None:
        """Change one combatant of the file."""
        raw = self.data["combatant"][at]
        merged = Gatherer(self.fight.ruleset.name).gather(raw, self.doc, ("combatant", at)).data
        key = _alike(keys[0], (*merged, *raw))
        if key == "count" and type(value) is int and value <= 0 and len(keys) == 1:
            if value < 0:
                self.problems.append(Problem("must be at least 0, which leaves them out", key=where))
                return
            del self.data["combatant"][at]
            return
        if key == "count" and isinstance(raw.get("at"), list) and raw["at"] and isinstance(raw["at"][0], list):
            raw["at"] = raw["at"][: value if isinstance(value, int) else None]
        if len(keys) == 1:
            raw[key] = value
            return
        known = merged.get(key, {})
        if isinstance(known, dict) and len(keys) == 2:
            inner = _alike(keys[1], known)
            if inner not in known and (near := nearest(inner, known)):
                self.problems.append(Problem(f"{name_of(raw, at)} has no {key}.{inner}", key=where, nearest=f"{key}.{near}"))
                return
            raw[key] = (raw[key] if isinstance(raw.get(key), dict) else {}) | {inner: value}
            return
        try:
            raw[key] = _with(known, keys[1:], value)
        except LookupError as wrong:
            self.problems.append(Problem(f"{name_of(raw, at)} has no {'.'.join(keys)}: {wrong.args[0]}", key=where))


def name_of(raw: dict[str, Any], at: int) -> str:
    return str(raw.get("name", f"combatant {at + 1}"))


def _alike(key: str, known: Iterable[str]) -> str:
    """The known key that differs in capitals only, else the key itself."""
    return next((one for one in known if one.lower() == key.lower()), key)


def _with(thing: Any, keys: list[str], value: Any) -> Any:
    """A copy in which something deep inside is changed. Raises LookupError in words."""
    if not keys:
        return value
    if isinstance(thing, dict):
        key = _alike(keys[0], thing)
        return {**thing, key: _with(thing.get(key, {}), keys[1:], value)}
    if isinstance(thing, list) and len(keys) > 1:
        names = [str(one.get("name", "")) if isinstance(one, dict) else str(one) for one in thing]
        for at, name in enumerate(names):
            if name.lower() == keys[0].lower() or keys[0] == str(at + 1):
                return [_with(one, keys[1:], value) if n == at else one for n, one in enumerate(thing)]
        raise LookupError(f"there is {', '.join(names) or 'nothing'}")
    raise LookupError("nothing can be changed inside it")
