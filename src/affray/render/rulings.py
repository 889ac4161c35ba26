"""The switchable rulings of a ruleset as plain data: key, rule, meaning, default, alternatives."""

from __future__ import annotations

from typing import Any, get_type_hints

import msgspec

from affray.ruleset import find, ruling_values


def listed(ruleset: str) -> list[dict[str, Any]]:
    """All rulings of a ruleset in the order of its struct."""
    struct = find(ruleset).Rulings
    hints = get_type_hints(struct, include_extras=True)
    defaults = msgspec.to_builtins(struct())
    found = []
    for field in msgspec.structs.fields(struct):
        hint = hints[field.name]
        meta = next((one for one in getattr(hint, "__metadata__", ()) if isinstance(one, msgspec.Meta)), msgspec.Meta())
        default = defaults[field.encode_name]
        found.append(
            {
                "key": field.encode_name,
                "rule": (meta.extra or {}).get("rule", ""),
                "meaning": meta.description or "",
                "default": default,
                "default_text": worded(default),
                "values": ruling_values(hint),
            }
        )
    return found


def worded(value: Any) -> str:
    """A value as it is written in a file."""
    if isinstance(value, bool):
        return str(value).lower()
    return f"[{', '.join(map(worded, value))}]" if isinstance(value, list | tuple) else str(value)
