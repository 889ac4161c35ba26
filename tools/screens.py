#!/usr/bin/env python3
"""Pictures of every page with sample fights: at 360, 1024 and 1920 pixels, light and dark, into a folder.

    python tools/screens.py FOLDER [--only fight,home] [--widths 360,1024] [--themes light]

It starts a server of its own on a temporary folder, plays a little, and needs the system's Chromium and the test tools. Pages
that answer with an error, words of the console and pages wider than the window are told at the end.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[1]
sys.path[:0] = [str(ROOT / "tests"), str(ROOT / "src")]

from web.browser.scenes import Scenes  # noqa: E402
from web.browser.serving import FLAGS, Server, chromium  # noqa: E402

HEIGHTS = {360: 780, 1024: 768, 1920: 1080}


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--only", default="", help="names (or beginnings of names) of pages, with commas")
    parser.add_argument("--widths", default="360,1024,1920")
    parser.add_argument("--themes", default="light,dark")
    parser.add_argument("--whole", action="store_true", help="the whole length of each page")
    given = parser.parse_args()
    if not chromium():
        print("no Chromium: apt-get install chromium", file=sys.stderr)
        return 2
    from playwright.sync_api import sync_playwright

    given.folder.mkdir(parents=True, exist_ok=True)
    wanted = tuple(one for one in given.only.split(",") if one)
    with tempfile.TemporaryDirectory() as data, sync_playwright() as playwright:
        server = Server(Path(data))
        browser = playwright.chromium.launch(executable_path=chromium(), args=FLAGS)
        try:
            told = shoot(browser, Scenes(server), given, wanted)
        finally:
            browser.close()
            server.stop()
    print("\n".join(told) or "nothing to complain about")
    return 0


def shoot(browser: Any, scenes: Scenes, given: Any, wanted: tuple[str, ...]) -> list[str]:
    told: list[str] = []
    for theme in given.themes.split(","):
        for width in map(int, given.widths.split(",")):
            size = {"width": width, "height": HEIGHTS.get(width, 800)}
            for who in scenes.people:
                context = browser.new_context(base_url=scenes.server.url, viewport=size, color_scheme=theme)
                if who:
                    context.add_cookies([scenes.cookie(who)])
                page = context.new_page()
                noise: list[str] = []
                page.on("console", lambda one, noise=noise: noise.append(one.text) if one.type == "error" else None)
                page.on("pageerror", lambda one, noise=noise: noise.append(str(one)))
                for scene in scenes.all(who):
                    if wanted and not scene.name.startswith(wanted):
                        continue
                    answer = page.goto(scene.path)
                    page.wait_for_timeout(400)
                    problem = scene.make(page)
                    page.wait_for_timeout(200)
                    name = f"{scene.name}-{width}-{theme}"
                    page.screenshot(path=str(given.folder / f"{name}.png"), full_page=given.whole)
                    if answer is not None and answer.status >= 400 and not scene.wrong:
                        told.append(f"{name}: {scene.path} answers {answer.status}")
                    if problem:
                        told.append(f"{name}: {problem}")
                    wide = page.evaluate("document.documentElement.scrollWidth - innerWidth")
                    if wide > 0:
                        told.append(f"{name}: {wide} pixels wider than the window")
                    told += [f"{name}: {one}" for one in noise if not scene.wrong]
                    noise.clear()
                context.close()
    return told


if __name__ == "__main__":
    raise SystemExit(main())
