"""Plain data from a file into frozen structs, with everything that is wrong at once.

`msgspec` stops at the first mistake; a game master wants to see all fifty. `read` walks over the type of a struct and
reports each misfit at its place, with what is allowed and the nearest name. Rulesets describe their sheets and gear as
structs and read them with this. It must not know files, nor any ruleset.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from functools import cache
from math import isfinite
from typing import Any, Final

import msgspec
from msgspec import inspect

from affray.errors import AffrayError, nearest

Place = tuple[str | int, ...]
Note = Callable[[Place, str, tuple[str, ...], str], None]
"""note(place, text, allowed, nearest): keeps one problem."""


class _Nothing:
    """Stands for a value that could not be read (a problem has been reported)."""

    def __repr__(self) -> str:
        return "NOTHING"

    def __bool__(self) -> bool:
        return False


NOTHING: Final = _Nothing()


NO_SUCH_KEY: Final = "there is no such key"


class Report:
    """Takes down problems at places. `report.at("skills", "Dodge").say("...")`."""

    def __init__(self, note: Note, place: Place = ()) -> None:
        self._note = note
        self.place = place

    def at(self, *parts: str | int) -> Report:
        """A report for what stands further in."""
        return Report(self._note, (*self.place, *parts))

    def say(self, text: str, allowed: Iterable[str] = (), near: str = "") -> None:
        """Something is wrong here."""
        self._note(self.place, text, tuple(allowed), near)

    def unknown(self, what: str, name: str, known: Iterable[str]) -> None:
        """There is no such thing; tells the nearest name, and all names where they are few."""
        names = tuple(known)
        self.say(f"unknown {what} {name!r}", names if len(names) <= 12 else (), nearest(name, names))


def read(kind: Any, value: Any, report: Report) -> Any:
    """`value` (plain data) as a `kind`, or NOTHING after reporting all that is wrong with it.

    `kind`: a struct, a type of the standard library, or a class with `parse(text)` that raises AffrayError.
    """
    return _read(_info(kind), value, report)


def misfit(kind: Any, value: Any, *place: str | int) -> tuple[str, tuple[str, ...]]:
    """The first thing that is wrong with plain data: 'attack.target: 5 is not possible here; ...', and what is allowed there.

    ('', ()) where nothing is found. `place`: what the words begin with.
    """
    told: list[tuple[str, tuple[str, ...]]] = []

    def note(inner: Place, text: str, allowed: tuple[str, ...], near: str) -> None:
        where = ".".join(str(part + 1 if isinstance(part, int) else part) for part in inner)
        told.append((f"{where}: {text}" + (f"; did you mean {near!r}?" if near else ""), tuple(filter(None, allowed))))

    read(kind, value, Report(note, place))
    return told[0] if told else ("", ())


def sound(kind: Any, value: Any, without: Iterable[str] = ()) -> Any:
    """What can be read of a struct whose fields have defaults, the rest left at these; for looking on after a problem.

    `without`: keys to leave out, because they only make sense together with others.
    """
    fields = {field.encode_name: field for field in msgspec.structs.fields(kind)}
    given = value if isinstance(value, Mapping) else {}
    good = {}
    for key, inner in given.items():
        if key in fields and key not in without:
            got = read(fields[key].type, inner, Report(_forget))
            if got is not NOTHING:
                good[fields[key].name] = got
    return kind(**good)


@cache
def _info(kind: Any) -> inspect.Type:
    return inspect.type_info(kind)


def _read(info: inspect.Type, value: Any, report: Report) -> Any:
    match info:
        case inspect.Metadata():
            return _read(info.type, value, report)
        case inspect.AnyType():
            return value
        case inspect.StructType():
            return _struct(info, value, report)
        case inspect.DictType():
            return _dict(info, value, report)
        case inspect.VarTupleType() | inspect.ListType() | inspect.TupleType():
            return _list(info, value, report)
        case inspect.UnionType():
            return _union(info, value, report)
        case inspect.LiteralType():
            return _literal(info, value, report)
        case inspect.CustomType() | inspect.DataclassType():
            return _parsed(info.cls, value, report)
    return _leaf(info, value, report)


def _struct(info: inspect.StructType, value: Any, report: Report) -> Any:
    if isinstance(value, info.cls):
        return value
    if isinstance(value, str) and [field.encode_name for field in info.fields if field.required] == ["name"]:
        value = {"name": value}  # what has a name and nothing else that must be said
    if not isinstance(value, Mapping):
        report.say(f"{shown(value)} is not possible here; a table {{ key = value }} is expected")
        return NOTHING
    fields = {field.encode_name: field for field in info.fields}
    good: dict[str, Any] = {}
    fine = True
    for key, inner in value.items():
        if key not in fields:
            report.at(key).say(NO_SUCH_KEY, fields if len(fields) <= 14 else (), nearest(key, fields))
            fine = False
            continue
        got = _read(fields[key].type, inner, report.at(key))
        fine = fine and got is not NOTHING
        good[fields[key].name] = got
    for key, field in fields.items():
        if field.required and key not in value:
            report.say(f"needs {key} = ...")
            fine = False
    if not fine:
        return NOTHING
    try:
        return info.cls(**good)
    except (AffrayError, ValueError, TypeError) as wrong:
        report.say(str(wrong))
        return NOTHING


def _dict(info: inspect.DictType, value: Any, report: Report) -> Any:
    if not isinstance(value, Mapping):
        report.say(f"{shown(value)} is not possible here; a table {{ name = value }} is expected")
        return NOTHING
    good = {}
    fine = True
    for key, inner in value.items():
        name = _read(info.key_type, key, report.at(key))
        got = _read(info.value_type, inner, report.at(key))
        fine = fine and name is not NOTHING and got is not NOTHING
        good[key] = got
    return good if fine else NOTHING


def _list(info: Any, value: Any, report: Report) -> Any:
    if not isinstance(value, list | tuple):
        report.say(f"{shown(value)} is not possible here; a list [...] is expected")
        return NOTHING
    kinds = info.item_types if isinstance(info, inspect.TupleType) else (info.item_type,) * len(value)
    if len(kinds) != len(value):
        report.say(f"has {len(value)} entries; {len(kinds)} are expected")
        return NOTHING
    got = [_read(kind, inner, report.at(n)) for n, (kind, inner) in enumerate(zip(kinds, value, strict=True))]
    if any(one is NOTHING for one in got):
        return NOTHING
    return got if isinstance(info, inspect.ListType) else tuple(got)


def _union(info: inspect.UnionType, value: Any, report: Report) -> Any:
    """The first member that takes the value; else what is wrong with the member that looks most like it."""
    likely = [member for member in info.types if _looks_like(member, value)]
    for member in likely or info.types:
        got = _read(member, value, Report(_forget))
        if got is not NOTHING:
            return got
    if likely:
        return _read(likely[0], value, report)
    report.say(f"{shown(value)} is not possible here; {' or '.join(_words(one) for one in info.types)} is expected")
    return NOTHING


def _forget(place: Place, text: str, allowed: tuple[str, ...], near: str) -> None:
    """Keeps nothing: for trying."""


def _looks_like(info: inspect.Type, value: Any) -> bool:
    match info:
        case inspect.Metadata():
            return _looks_like(info.type, value)
        case inspect.StructType() | inspect.DictType():
            return isinstance(value, Mapping)
        case inspect.ListType() | inspect.VarTupleType() | inspect.TupleType():
            return isinstance(value, list | tuple)
        case inspect.BoolType():
            return isinstance(value, bool)
        case inspect.IntType() | inspect.FloatType():
            return isinstance(value, int | float) and not isinstance(value, bool)
        case inspect.StrType() | inspect.CustomType() | inspect.DataclassType():
            return isinstance(value, str)
        case inspect.LiteralType():
            return any(type(one) is type(value) for one in info.values)
        case inspect.NoneType():
            return value is None
    return True


def _literal(info: inspect.LiteralType, value: Any, report: Report) -> Any:
    for one in info.values:
        if one == value and type(one) is type(value):
            return one
    known = [str(one) for one in info.values]
    report.say(f"{shown(value)} is not possible here", known if len(known) <= 24 else (), nearest(str(value), known))
    return NOTHING


def _parsed(cls: Any, value: Any, report: Report) -> Any:
    if isinstance(value, cls):
        return value
    if not isinstance(value, str) or not hasattr(cls, "parse"):
        report.say(f'{shown(value)} is not possible here; text in quotes is expected, such as "3D+2"')
        return NOTHING
    try:
        return cls.parse(value)
    except AffrayError as wrong:
        report.say(str(wrong))
        return NOTHING


def _leaf(info: inspect.Type, value: Any, report: Report) -> Any:
    kind: Any = {inspect.IntType: int, inspect.FloatType: float, inspect.StrType: str, inspect.BoolType: bool}.get(type(info))
    if isinstance(info, inspect.NoneType):
        kind = type(None)
    if kind is None:
        report.say(f"{shown(value)} cannot be read here")
        return NOTHING
    fits = type(value) in (int, float) if kind is float else type(value) is kind
    if not fits:
        report.say(f"{shown(value)} is not possible here; {_words(info)} is expected")
        return NOTHING
    if kind is float and not isfinite(value):
        report.say(f"{shown(value)} is no number to count with")
        return NOTHING
    if told := _bounds(info, value):
        report.say(f"{shown(value)}: {told}")
        return NOTHING
    return value


def _bounds(info: Any, value: Any) -> str:
    if isinstance(info, inspect.IntType | inspect.FloatType):
        if info.ge is not None and value < info.ge:
            return f"must be at least {info.ge}"
        if info.le is not None and value > info.le:
            return f"must be at most {info.le}"
        if info.gt is not None and value <= info.gt:
            return f"must be more than {info.gt}"
        if info.lt is not None and value >= info.lt:
            return f"must be less than {info.lt}"
    if isinstance(info, inspect.StrType):
        if info.min_length is not None and len(value) < info.min_length:
            return "must not be empty" if info.min_length == 1 else f"needs at least {info.min_length} letters"
        if info.max_length is not None and len(value) > info.max_length:
            return f"has more than {info.max_length} letters"
    return ""


def _words(info: inspect.Type) -> str:
    match info:
        case inspect.Metadata():
            return _words(info.type)
        case inspect.IntType():
            return "a whole number"
        case inspect.FloatType():
            return "a number"
        case inspect.BoolType():
            return "true or false"
        case inspect.StructType() | inspect.DictType():
            return "a table { key = value }"
        case inspect.ListType() | inspect.VarTupleType() | inspect.TupleType():
            return "a list [...]"
        case inspect.NoneType():
            return "nothing"
    return "text in quotes"


def shown(value: Any) -> str:
    """A value as problems quote it, cut when long."""
    told = repr(value)
    return told if len(told) <= 60 else told[:57] + "..."


def schema(kind: Any) -> dict[str, Any]:
    """JSON Schema of what `read` takes for a `kind`, with all it refers to under $defs. A class with `parse` is text."""
    (found,), parts = msgspec.json.schema_components([kind], schema_hook=_text, ref_template="#/$defs/{name}")
    defs: dict[str, Any] = {}
    for name, part in parts.items():
        defs[name] = _CODE if name == "Code" else part
    return {**found, "$defs": defs} if defs else dict(found)


_CODE = {"type": "string", "title": "Code", "description": "A die code such as 3D+2", "examples": ["3D+2"]}


def _text(cls: type) -> dict[str, Any]:
    return {"type": "string", "title": cls.__name__}
