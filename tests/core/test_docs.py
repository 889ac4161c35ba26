"""What a reader relies on in the texts: links lead somewhere, the license is whole, nothing names a machine."""

from __future__ import annotations

import os
import re
import tomllib
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
SKIPPED = {".git", ".venv", "__pycache__", "build", "dist", "saves", ".mypy_cache", ".ruff_cache", ".pytest_cache"}
SKIPPED |= {".hypothesis", "node_modules"}
TEXT = {".md", ".py", ".toml", ".txt", ".json", ".jsonl", ".html", ".css", ".js", ".svg", ".yml", ".sh", ".cfg", ""}

# Put together here so that this file does not hold them itself.
FORBIDDEN = tuple(
    "".join(parts)
    for parts in (
        ("/wo", "rk/"),
        ("/ro", "ot/"),
        ("/Us", "ers/"),
        ("pypi", ".org"),
        ("files.python", "hosted.org"),
        ("registry.npm", "js.org"),
        ("deb.deb", "ian.org"),
    )
)

LINK = re.compile(r"\[[^\]\n]*\]\(([^)\s]+)(?:\s+\"[^\"]*\")?\)")
HEADING = re.compile(r"^#{1,6}\s+(.+?)\s*#*\s*$", re.MULTILINE)
FENCE = re.compile(r"^(```|~~~).*?^\1[^\n]*$", re.MULTILINE | re.DOTALL)
INLINE_CODE = re.compile(r"`[^`\n]*`")


def texts() -> Iterator[Path]:
    """Every text file of the project, built and installed things left out."""
    for folder, subfolders, names in os.walk(ROOT):
        subfolders[:] = sorted(s for s in subfolders if s not in SKIPPED and not s.endswith(".egg-info"))
        for name in sorted(names):
            path = Path(folder, name)
            if path.suffix in TEXT and name != ".git":
                yield path


def anchors(markdown: str) -> set[str]:
    """The anchors that a page's headings get on the usual forges: lower case, words joined by hyphens."""
    found = set()
    for heading in HEADING.findall(FENCE.sub("", markdown)):
        plain = re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", heading).lower()
        found.add(re.sub(r"[^\w\- ]", "", plain).replace(" ", "-"))
    return found


def broken_links(page: Path) -> list[str]:
    """The page's links within the project that lead nowhere."""
    prose = INLINE_CODE.sub("", FENCE.sub("", page.read_text(encoding="utf-8")))
    broken = []
    for link in LINK.findall(prose):
        if re.match(r"[a-z]+:", link):
            continue
        name, _, anchor = link.partition("#")
        target = page if not name else page.parent / name
        to_heading = bool(anchor) and target.suffix == ".md"
        if not target.exists() or (to_heading and anchor not in anchors(target.read_text(encoding="utf-8"))):
            broken.append(link)
    return broken


def forbidden_in(text: str) -> list[str]:
    return [word for word in FORBIDDEN if word in text]


PAGES = [path for path in texts() if path.suffix == ".md"]


@pytest.mark.parametrize("page", PAGES, ids=lambda p: str(p.relative_to(ROOT)))
def test_links_lead_somewhere(page: Path) -> None:
    assert broken_links(page) == []


def test_a_broken_link_is_seen(tmp_path: Path) -> None:
    page = tmp_path / "page.md"
    page.write_text("# One Two\n[a](#one-two) [b](page.md#one-two) [c](nowhere.md) [d](#three) `[e](code)`\n")
    assert broken_links(page) == ["nowhere.md", "#three"]


def test_no_text_names_a_machine_or_a_registry() -> None:
    found = {}
    for path in texts():
        try:
            words = forbidden_in(path.read_text(encoding="utf-8"))
        except UnicodeDecodeError:
            continue
        if words:
            found[str(path.relative_to(ROOT))] = words
    assert found == {}


def test_a_forbidden_word_is_seen() -> None:
    assert forbidden_in("see " + FORBIDDEN[0] + "here") == [FORBIDDEN[0]]


def test_examples_in_toml_are_what_they_say() -> None:
    """Every TOML block of the documents reads as TOML, and one that holds cases has the shape of a case file."""
    from affray.formats.models import Case, CaseFile

    cases = 0
    for page in PAGES:
        for block in re.findall(r"^```toml\n(.*?)^```", page.read_text(encoding="utf-8"), re.MULTILINE | re.DOTALL):
            data = tomllib.loads(block)
            if "case" in data:
                cases += len([Case.model_validate(one) for one in CaseFile.model_validate(data).case])
    assert cases


def test_constraints_are_names_and_versions() -> None:
    lines = (ROOT / "constraints.txt").read_text(encoding="utf-8").splitlines()
    pins = [line for line in lines if line and not line.startswith("#")]
    assert pins
    for line in pins:
        assert re.fullmatch(r"[A-Za-z0-9._-]+==[A-Za-z0-9.!+]+( ;.+)?", line), line


def test_notice_holds_the_open_game_license() -> None:
    notice = (ROOT / "NOTICE").read_text(encoding="utf-8")
    license_text = notice[notice.index("OPEN GAME LICENSE Version 1.0a") :]
    numbers = [int(n) for n in re.findall(r"^(\d+)\. [A-Z]", license_text, re.MULTILINE)]
    assert numbers == list(range(1, 16))
    copyright_notice = license_text[license_text.index("15. COPYRIGHT NOTICE") :]
    for work in (
        "Open Game License v 1.0a",
        "D6 Adventure (WEG51011)",
        "D6 Space (WEG51012)",
        "D6 Fantasy (WEG51013)",
        "Mini Six Bare Bones Edition",
        "Traveller System Reference Document",
        "High Guard System Reference Document",
        "Mercenary System Reference Document",
        "Modern System Reference Document",
        "T20 - The Traveller's Handbook",
        "Swords & Wizardry Core Rules",
        "Cepheus Engine System Reference Document",
        "Affray",
    ):
        assert work in copyright_notice, work
