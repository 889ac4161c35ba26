"""Late arrivals: combatants from a template of the compendium, a sheet file or an encounter file, ready to be added."""

from __future__ import annotations

import itertools
import json
import re
from pathlib import Path
from typing import Any

from affray import compendium
from affray.encounter import Encounter
from affray.errors import DataError
from affray.formats.encounter import Reader, load_fight
from affray.formats.toml import load, loads
from affray.table.words import Unclear, candidates, listed, split, whole

USAGE = "add [N] TEMPLATE|FILE [as NAME] [side S] [at X,Y]"


def read(fight: Encounter, line: str) -> list[Any]:
    """The fighters that the line describes, with ids of their own. Raises Unclear, DataError."""
    words = split(line)
    if not words:
        raise Unclear(f"write: {USAGE}; templates: {', '.join(compendium.names(fight.ruleset.name, 'template'))}")
    count = whole(words.pop(0), "how many") if words[0].isdigit() and len(words) > 1 else 1
    if not 1 <= count <= 100:
        raise Unclear("from 1 to 100 at once")
    given = _options(words)
    what = " ".join(given.pop(""))
    if what.endswith(".toml") and "combatant" in load(Path(what)).data:
        return _of_encounter(fight, Path(what), given)
    fields: dict[str, Any] = {"side": _side(fight, given.get("side", []))}
    if what.endswith(".toml"):
        fields["sheet"] = str(Path(what).resolve())
        fields["name"] = Path(what).stem.replace("-", " ").title()
    else:
        fields["template"] = _template(fight.ruleset.name, what)
        fields["name"] = fields["template"].replace("-", " ").capitalize()
    if "as" in given:
        fields["name"] = " ".join(given["as"])
    if "at" in given:
        fields["at"] = [int(n) for n in re.findall(r"-?\d+", " ".join(given["at"]))]
    return _built(fight, fields, count)


def _options(words: list[str]) -> dict[str, list[str]]:
    """Words by the last of 'as', 'side', 'at' before them."""
    found: dict[str, list[str]] = {"": []}
    key = ""
    for word in words:
        if word.lower() in ("as", "side", "at", "for"):
            key = "side" if word.lower() == "for" else word.lower()
            found[key] = []
        else:
            found[key].append(word)
    if any(not value for value in found.values()):
        raise Unclear(f"write: {USAGE}")
    return found


def _side(fight: Encounter, words: list[str]) -> str:
    sides = list(dict.fromkeys(f.side for f in fight.state.fighters))
    if not words:
        raise Unclear(f"on which side? add ... side {' | '.join(sides)}")
    found = candidates(" ".join(words), [(one, (one,)) for one in sides])
    return found[0] if len(found) == 1 else " ".join(words)


def _template(ruleset: str, name: str) -> str:
    known = [(one, (one,)) for one in compendium.names(ruleset, "template")]
    found = candidates(name, known)
    if len(found) == 1:
        return str(found[0])
    if found:
        raise Unclear(f"{name!r} could be {', '.join(map(str, found))}")
    raise Unclear(f"there is no template {name!r} ({listed(known)}), and it is no .toml file")


def names(fight: Encounter, base: str, count: int) -> list[str]:
    """Names that nobody bears yet: this one, or with numbers for several: 'Thug 1', 'Thug 2'."""
    taken = {f.id.lower() for f in fight.state.fighters}
    if count == 1 and base.lower() not in taken:
        return [base]
    free = (name for number in itertools.count(1) if (name := f"{base} {number}").lower() not in taken)
    return list(itertools.islice(free, count))


def _built(fight: Encounter, fields: dict[str, Any], count: int) -> list[Any]:
    """Fighters as the ruleset makes them of a small encounter file."""
    found = []
    for name in names(fight, fields.pop("name"), count):
        text = [f"ruleset = {json.dumps(fight.ruleset.name)}", "[[combatant]]", f"name = {json.dumps(name, ensure_ascii=False)}"]
        text += [f"{key} = {json.dumps(value, ensure_ascii=False)}" for key, value in fields.items()]
        reader = Reader(loads("\n".join(text), "add"))
        made = reader.read(reader.doc.data)
        if made is None or reader.problems:
            raise DataError(reader.problems)
        found.append(made.state.fighters[0])
    return found


def _of_encounter(fight: Encounter, path: Path, given: dict[str, list[str]]) -> list[Any]:
    """The one of an encounter file that is named after `as`, or all of them."""
    import msgspec

    other = load_fight(path)
    if other.ruleset.name != fight.ruleset.name:
        raise Unclear(f"{path} is for {other.ruleset.title}")
    some = list(other.state.fighters)
    if "as" in given:
        some = candidates(" ".join(given["as"]), [(f, (f.id,)) for f in some])
        if not some:
            raise Unclear(f"{path} has nobody of that name ({', '.join(f.id for f in other.state.fighters)})")
    here = {f.id for f in fight.state.fighters}
    if taken := [f.id for f in some if f.id in here]:
        raise Unclear(f"{', '.join(taken)} fights here already")
    if "side" in given:
        name = _side(fight, given["side"])
        some = [msgspec.structs.replace(f, side=name) for f in some]
    return some
