"""Words can be read: nothing with text is faded, and every ink stands out from every ground on which the style sheets put it."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache
from itertools import product
from pathlib import Path
from typing import NamedTuple

import pytest

import affray.web

WEB = Path(affray.web.__file__).parent
SHEETS = ("app.css", "fight.css", "pages.css")
TEXT, GRAPHIC = 4.5, 3.0
"""The least contrast of WCAG AA, of words and of what is drawn."""
THEMES = ("light", "dark")

FADED = {
    ".choice > input",  # lies unseen over the chip that is drawn for it
    ".figure.out use",  # the shape of a token; its letters are beside it, in full ink
    "from",  # a die that lands, with pips
}
"""What `opacity` may make fainter: nothing that holds words."""
SEE_THROUGH = (".map .", ".map-box .", "#bands .range", "#area .", ".dot", ".die .mark", ".figure.hidden use")
"""Painted ground and marks: areas on maps in which nothing is written in their own colour."""


class Rule(NamedTuple):
    sheet: str
    media: str
    selector: str
    style: dict[str, str]


@cache
def rules() -> tuple[Rule, ...]:
    """Every rule of the style sheets, a selector each, with the @media or @keyframes in which it stands."""
    return tuple(one for name in SHEETS for one in read(name, (WEB / "static" / name).read_text("utf-8")))


def read(name: str, text: str) -> Iterator[Rule]:
    inside: list[str] = []
    for head, mark in re.findall(r"([^{};]*(?:;[^{};]*)*)([{}])", re.sub(r"/\*.*?\*/", "", text, flags=re.S)):
        if mark == "{":
            inside.append(" ".join(head.split()))
        else:
            selector = inside.pop()
            style = dict((part.strip() for part in one.split(":", 1)) for one in head.split(";") if ":" in one)
            for one in re.split(r",\s*(?![^(]*\))", selector):
                if style:
                    yield Rule(name, " ".join(inside), one, style)


def screen() -> Iterator[Rule]:
    return (one for one in rules() if "print" not in one.media and "forced-colors" not in one.media)


# ---- colours


@cache
def tokens(theme: str) -> dict[str, str]:
    found: dict[str, str] = {}
    for one in rules():
        plain = one.selector == ":root" and not one.media
        if plain or (theme == "dark" and one.selector == ":root[data-theme=dark]"):
            found |= {key: value for key, value in one.style.items() if re.fullmatch(r"#[0-9a-f]{6}", value)}
    return found


def rgb(colour: str) -> tuple[float, ...]:
    return tuple(int(colour[n : n + 2], 16) / 255 for n in (1, 3, 5))


def mixed(top: str, under: str, share: float) -> str:
    """A colour that lets what is below shine through."""
    return "#" + "".join(f"{round(255 * (share * a + (1 - share) * b)):02x}" for a, b in zip(rgb(top), rgb(under), strict=True))


def contrast(one: str, other: str) -> float:
    def light(colour: str) -> float:
        some = [c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in rgb(colour)]
        return 0.2126 * some[0] + 0.7152 * some[1] + 0.0722 * some[2]

    bright, dark = sorted((light(one), light(other)), reverse=True)
    return (bright + 0.05) / (dark + 0.05)


def named(value: str) -> list[str]:
    """The tokens in a value; what is mixed lies between its parts, so they speak for it. Sides and levels: each of them."""
    found = re.findall(r"var\((--[\w-]+)", value)
    level, soft = ([pair[n] for pair in LEVELS] for n in (0, 1))
    many = {"--side": [f"--side-{n}" for n in range(6)], "--level": level, "--level-soft": soft}
    return [name for one in found for name in many.get(one, [one])]


# ---- pairs of ink and ground

PLAIN = ("--ground", "--card", "--sunk")
"""On these stands whatever says nothing else."""
SOFT = ("--accent-soft", "--good-soft", "--warn-soft", "--bad-soft", "--off-soft")
"""Callouts, rows of who is up, chosen things, chips: words, hints, rules and links stand there."""
OWN = {
    ".chip.off": ("--off-soft",),
    ".btn.primary[disabled]": ("--sunk",),
    ".toast .rule": (), ".toast .btn": (), ".toast.bad .icon": (),
    ".btn.danger": ("--card", "--ground", "--bad-soft"),
    ".pad .next.wild b": ("--card",),
    "[class*=level-].chip": (), ".chip [class*=level-]": (),
}  # fmt: skip
"""Grounds of selectors that have an ink only."""
GROUNDS_ONLY = (".rail", ".chain .link", ".dialog::backdrop", ".qr", "body.fight")
LEVELS = (("--good", "--good-soft"), ("--warn", "--warn-soft"), ("--bad", "--bad-soft"), ("--off", "--off-soft"))
ALSO = {
    *LEVELS,
    *product(("--ink", "--ink-2", "--accent"), (*PLAIN, *SOFT)),
    *product(("--ink-3",), PLAIN),
    *((f"--side-{n}", ground) for n in range(6) for ground in ("--card", "--ground", "--map")),
    *(("--side-ink", f"--side-{n}") for n in range(6)),
    ("--accent-ink", "--accent"), ("--ink", "--map"), ("--ink-2", "--map"), ("--accent", "--map"), ("--ground", "--ink"),
}  # fmt: skip
DRAWN = {
    *product(("--line-2", "--focus", "--accent-line"), ("--ground", "--card")),
    *product(("--focus",), ("--sunk", "--map")),
    ("--die-ink", "--die"), ("--wild-ink", "--wild"), ("--map-wall", "--map"), ("--die", "--line-2"),
}  # fmt: skip
"""What is drawn and must be found: frames of buttons and fields, the focus, pips, walls."""


def pairs() -> set[tuple[str, str]]:
    """(ink, ground) as far as they can be read out of the style sheets."""
    found = set(ALSO)
    for one in screen():
        inks, grounds = named(one.style.get("color", "")), named(one.style.get("background", ""))
        if one.style.get("content") == '""' or one.selector in GROUNDS_ONLY:
            continue
        if inks and grounds:
            found |= set(product(inks, grounds)) if "level" not in one.style["color"] else set(LEVELS)
        elif inks:
            found |= set(product(inks, OWN.get(one.selector, PLAIN)))
        elif grounds and "color" not in one.style and not set(grounds) & {"--side-ink"}:
            found |= {("--ink", ground) for ground in grounds if ground not in ("--accent", "--ink", "--bad")}
    return found


def test_nothing_with_words_is_faded() -> None:
    """Opacity takes contrast away from text, unseen by whoever chose the colour: only listed selectors without text have any."""
    for one in rules():
        for key, value in one.style.items():
            whole = value in ("1", "inherit")
            if key == "opacity":
                assert whole or one.selector in FADED, f"{one.sheet}: {one.selector} {{ opacity: {value} }} fades what is in it"
            if key in ("fill-opacity", "stroke-opacity"):
                assert whole or one.selector.startswith(SEE_THROUGH), f"{one.sheet}: {one.selector} {{ {key}: {value} }}"
                assert not re.search("text|letters|label", one.selector), f"{one.sheet}: {one.selector} is text"
            if key in ("color", "filter", "mix-blend-mode", "transition", "mask"):
                seen_through = re.search(r"transparent|/ *[.\d]+%?\)|rgba|hsla|opacity|#\w{4}\b(?!\w)|#\w{8}\b", value)
                assert not seen_through, f"{one.sheet}: {one.selector} {{ {key}: {value} }}"
                assert key in ("color", "transition"), f"{one.sheet}: {one.selector} {{ {key} }}"
    assert {one.selector for one in rules() if "opacity" in one.style} >= FADED, "the list names what is no longer there"


def test_nothing_is_faded_beside_the_style_sheets() -> None:
    sources = [*(WEB / "templates").rglob("*.*"), *(WEB / "static").glob("*.js"), *WEB.rglob("*.py")]
    assert len(sources) > 60
    for path in sources:
        found = re.search(r"(?<![\w-])(fill-|stroke-)?opacity\b", path.read_text("utf-8"))
        assert not found, f"{path.name} fades something: {found[0]}"


@pytest.mark.parametrize("theme", THEMES)
def test_every_ink_on_its_ground(theme: str) -> None:
    """4.5 to 1 for words, 3 to 1 for what is drawn."""
    have, told = tokens(theme), []
    for least, some in ((TEXT, pairs()), (GRAPHIC, DRAWN)):
        for ink, ground in sorted(some):
            if (found := contrast(have[ink], have[ground])) < least:
                told.append(f"{ink} {have[ink]} on {ground} {have[ground]}: {found:.2f}, not {least}")
    assert not told, "\n".join(told)
    assert len(pairs()) > 60


@pytest.mark.parametrize("theme", THEMES)
def test_letters_on_faint_tokens_and_ground(theme: str) -> None:
    """Letters over what lets the map shine through: the fallen, the hidden; names of places in the set-up."""
    have = tokens(theme)
    share = {one.selector: float(one.style.get("opacity") or one.style.get("fill-opacity") or 1) for one in rules()}
    for n, selector in product(range(6), (".figure.out use", ".figure.hidden use")):
        under = mixed(have[f"--side-{n}"], have["--map"], share[selector])
        assert contrast(have["--ink"], under) >= TEXT, f"{selector} of side {n}"
    for kind, selector in (("cover", ".map-box .cover"), ("rough", ".map-box .rough")):
        under = mixed(have[f"--map-{kind}"], have["--map"], share[selector])
        assert contrast(have["--ink-2"], under) >= TEXT, f"{selector}: {contrast(have['--ink-2'], under):.2f}"


def test_dark_is_dark_in_both_ways() -> None:
    """The theme of the system and the chosen one have the same colours; both themes have the same tokens."""
    system = next(one for one in rules() if one.selector == ":root:not([data-theme=light])")
    chosen = next(one for one in rules() if one.selector == ":root[data-theme=dark]")
    assert system.style == chosen.style
    light = {key for key, value in tokens("light").items() if value.startswith("#")}
    assert light == {key for key, value in chosen.style.items() if value.startswith("#")}
    used = {name for one in rules() for value in one.style.values() for name in re.findall(r"var\((--[\w-]+)\)", value)}
    known = {key for one in rules() for key in one.style if key.startswith("--")}
    assert used <= known | {"--grown", "--unit"}, "a token that nobody sets"


def test_pairs_are_read() -> None:
    """What the reading finds, for some that are known."""
    found = pairs()
    assert {("--card", "--bad"), ("--ground", "--ink"), ("--warn", "--warn-soft"), ("--ink-2", "--off-soft")} <= found
    assert {("--ink-3", "--card"), ("--side-ink", "--side-3"), ("--accent-ink", "--accent")} <= found
    assert round(contrast("#ffffff", "#000000")) == 21 and mixed("#000000", "#ffffff", 0.25) == "#bfbfbf"
