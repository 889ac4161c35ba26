"""Questions and dice that wait for people: how they are put, what may be typed, and what a typed line answers."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

from msgspec import Struct
from msgspec.structs import fields

from affray import domains
from affray.ask import MASTER, Choose, Open, Request, Roll
from affray.interpreters.live import stream
from affray.modifiers import explain
from affray.render.words import Label, in_words, shown
from affray.rules import told
from affray.ruleset import Ruleset
from affray.table.answers import hint, menu, read
from affray.table.lines import Line
from affray.table.words import Unclear, take

PASS = ("pass", "none", "no")


def person(by: str, label: Label) -> str:
    """Somebody who is asked, in words."""
    return "Game master" if by == MASTER else label(by)


def whom(request: Request, label: Label) -> str:
    """Whom a request is for: secret rolls are the game master's, whoever they are about."""
    if isinstance(request, Roll) and request.secret:
        return f"Game master, in secret for {label(request.by)}"
    return person(request.by, label)


def asked(opened: Open, label: Label, ruleset: Ruleset, rulings: Any) -> list[Line]:
    """An open request, with its options where a list helps."""
    request = opened.request
    cite = f" [{request.why.rule}]" if request.why.rule else ""
    who, what = whom(request, label), request.why.text or request.why.key
    if isinstance(request, Roll):
        parts = f" = {explain(request.parts)}" if len(request.parts) > 1 else ""
        return [Line(f"{who} throws {request.pool} for {what}{cite}{parts}", "ask", 2)]
    if type(request.domain) is domains.AnOrder:
        lines = [Line(f"{who}: {what}?{cite}", "ask", 2)]
        lines += [Line(f"{n:>3} {in_words(order, label)}", "option", 4) for n, order in enumerate(request.domain.orders, 1)]
        return [*lines, Line("    Enter: pass", "option", 4)]
    listed = menu(request.domain, label)
    about = "; ".join([*seen(request), *([] if len(listed) > 2 else [hint(request.domain, label)])])
    lines = [Line(f"{who}: {what}?{cite}" + (f" ({about})" if about else ""), "ask", 2)]
    if len(listed) > 2 or type(request.domain) is not domains.OneOf:
        lines += [Line(f"{n:>3} {one}", "option", 4) for n, one in enumerate(explained(request, listed, ruleset, rulings), 1)]
    return lines


def explained(request: Choose, listed: Sequence[str], ruleset: Ruleset, rulings: Any) -> list[str]:
    """Options with what they take and do, and the rule, where that has to be told."""
    found = []
    for value, name in zip(request.domain.options if listed else (), listed, strict=True):
        rule, note = ruleset.explains(rulings, request.why.key, value)
        text = told(ruleset.package, rule).rstrip(".")
        found.append(f"{name}{f' ({note})' if note else ''}: {text} [{rule}]" if rule else name)
    return found


def also(requests: Sequence[Open], label: Label) -> list[Line]:
    """Who else is asked at the same time."""
    others: dict[str, list[str]] = {}
    for one in requests[1:]:
        others.setdefault(one.request.why.text or one.request.why.key, []).append(person(one.request.by, label))
    told = "; ".join(f"{', '.join(people)} ({what})" for what, people in others.items())
    return [Line(f"also asked: {told} — answer in any order: NAME: ANSWER", "note", 2)] if told else []


def seen(request: Choose) -> list[str]:
    """Small facts that come with a question, such as points that are left."""
    found = []
    for value in request.seen:
        if isinstance(value, Struct) and len(fields(type(value))) <= 8:
            facts = [(f.name.replace("_", " "), getattr(value, f.name)) for f in fields(type(value))]
            found += [f"{name} {fact}" for name, fact in facts if type(fact) is int and fact]
    return found


def prompt(opened: Open, label: Label) -> str:
    """The words before the cursor: who is asked, what, and what Enter means."""
    request = opened.request
    who, what = whom(request, label), request.why.text or request.why.key
    if isinstance(request, Roll):
        have = f" (so far {' '.join(map(str, opened.faces))})" if opened.faces else ""
        return f"{who}, {what} {request.pool}, {request.pool.wanted(opened.faces)}{have}> "
    return f"{who}, {what} [{default(request, label)}]> "


def default(request: Choose, label: Label) -> str:
    """What Enter answers."""
    if hasattr(request.default, "verb"):
        return in_words(request.default, label)
    return shown(request.default, label)


def pick(requests: Sequence[Open], line: str, label: Label) -> tuple[Open, str]:
    """Which of several open requests a line answers ('bo: 4 3'; the first without a name), and the rest of the line."""
    found = re.match(r"\s*([^:\d][^:]*):\s*(.*)", line)
    if found is None:
        return requests[0], line
    people = [(one, (person(one.request.by, label), one.request.by)) for one in requests]
    chosen, _ = take([found[1]], people, "one who is asked", numbered=False)
    return chosen, found[2]


def faces(line: str, opened: Open, seed: tuple[int, int]) -> tuple[int, ...]:
    """Faces as they are typed: '4', '4 3 5', 'W6>5 | 6 5 4'; 'roll' throws what is left here. Raises Unclear."""
    pool = opened.request.pool  # type: ignore[union-attr]
    if line.strip().lower() == "roll":
        return _thrown(pool, opened.faces, stream(*seed, opened.n))
    words = [word for word in re.split(r"[\s,>|]+", line.strip()) if word]
    wanted = pool.wanted(opened.faces)
    if not words:
        raise Unclear(f"type the face of the {wanted}, 1 to 6 (or several, with spaces; or roll)")
    found = []
    for word in words:
        face = re.fullmatch(r"[Ww]?([1-6])", word)
        if face is None:
            raise Unclear(f"{word!r} is no face of a die; expected for {pool}: {wanted}, 1 to 6")
        found.append(int(face[1]))
    have = list(opened.faces)
    for number, face_up in enumerate(found):
        if pool.wanted(have) is None:
            raise Unclear(f"{len(found)} dice typed, but {pool} needed only {number} more: nothing has been taken")
        have.append(face_up)
    return tuple(found)


def _thrown(pool: Any, have: tuple[int, ...], dice: Any) -> tuple[int, ...]:
    """Faces for what is still missing."""
    got = list(have)
    while pool.wanted(got) is not None:
        got.append(next(dice))
    return tuple(got[len(have) :])


def choice(request: Choose, line: str, label: Label, ruleset: Ruleset) -> Any:
    """The answer that a line gives; an empty one takes the default. Raises Unclear, BadAnswer."""
    words = line.replace(",", " , ").split() if type(request.domain) is domains.AnOrder else line.split()
    if type(request.domain) is domains.AnOrder:
        return _order(request, [word for word in words if word != ","], label, ruleset)
    if not words:
        return request.default
    if type(request.domain) is domains.Text:
        return line.strip()
    value, used = read(request.domain, words, request.why.text or request.why.key, label)
    if used < len(words):
        raise Unclear(f"{' '.join(words[used:])!r} is too much; expected {hint(request.domain, label)}")
    return value


def _order(request: Choose, words: list[str], label: Label, ruleset: Ruleset) -> Any:
    """One of the ready orders, by number or in words, with further options as name=value."""
    if not words:
        return request.default
    if words[0].lower() in PASS:
        return None
    extra = {key: value for key, eq, value in (word.partition("=") for word in words) if eq}
    plain = [word for word in words if "=" not in word]
    names = [(order, (in_words(order, label),)) for order in request.domain.orders]
    if len(plain) > 1 and not plain[0].isdigit():
        verb = [pair for pair in names if pair[0].verb.startswith(plain[0].lower())]
        rest = [(order, tuple(name.partition(" ")[2] for name in labels)) for order, labels in verb]
        chosen, used = take(plain[1:], rest or names, "order", numbered=False)
        used += 1
    else:
        chosen, used = take(plain, names, "order")
    if used < len(plain):
        raise Unclear(f"{' '.join(plain[used:])!r} is too much; options are written name=value")
    if not extra:
        return chosen
    import msgspec

    values = {key: int(value) if re.fullmatch(r"-?\d+", value) else _word(value) for key, value in extra.items()}
    return ruleset.order({**msgspec.to_builtins(chosen), **values})


def _word(value: str) -> Any:
    return {"yes": True, "no": False}.get(value.lower(), value)
