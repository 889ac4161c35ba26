"""The words of the page in one catalogue, so that a translation is a second catalogue with the same keys.

Templates say `words("key", n=3)`; scripts get the keys that begin with "js.". Words of the rules (verbs, conditions, log)
come from the rulesets.
"""

from __future__ import annotations

import json
from typing import Any

ENGLISH: dict[str, str] = {
    # every page
    "close": "Close",
    "skip.label": "Skip",
    "skip.main": "Skip to the content",
    "crumbs.label": "Where you are",
    "theme.switch": "Light or dark",
    "motion.switch": "No animation",
    "keys.open": "Keys (?)",
    "keys.title": "Keys",
    "keys.list": "This list",
    "keys.close": "Close what is open; drop a draft",
    "foot.rules": "Rules",
    "foot.api": "API",
    "pop.label": "Details",
    # scripts
    "js.lost": "The connection is lost. Trying again …",
    "js.back": "Connected again. This is how things stand now.",
    "js.stale": "The fight has moved on; this is how it stands now.",
    "js.failed": "That did not reach the server.",
    "js.again": "Try again",
    "js.copied": "The link is copied.",
    "js.rule": "No text for this rule.",
    "js.close": "Close",
}


class Words:
    """A catalogue that can be called: `words('undo')`, `words('left', n=2)`. Raises KeyError for a key that it lacks."""

    def __init__(self, texts: dict[str, str], language: str = "en") -> None:
        self.texts, self.language = texts, language

    def __call__(self, key: str, **values: Any) -> str:
        return self.texts[key].format(**values) if values else self.texts[key]

    def count(self, key: str, n: int) -> str:
        """The words for a number of things: 'key.one' for one, else 'key.many'."""
        return self.texts[f"{key}.one" if n == 1 else f"{key}.many"].format(n=n)

    def scripts(self) -> str:
        """What scripts say, as JSON that may stand inside a script element."""
        told = {key.removeprefix("js."): text for key, text in self.texts.items() if key.startswith("js.")}
        return json.dumps(told, ensure_ascii=True).replace("<", "\\u003c")


WORDS = Words(ENGLISH)
