"""The words of the page in one catalogue, so that a translation is a second catalogue with the same keys.

The page of a fight says `words("key", n=3)`; scripts get the keys that begin with "js.". On the pages around it the words
stand in the templates in English and are their own keys: `t("Start the fight")`; what a catalogue lacks there stays English.
Words of the rules (verbs, conditions, log) come from the rulesets.
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
    # the page of a fight
    "skip.actions": "Skip to the actions",
    "skip.order": "To the order",
    "skip.map": "To the map",
    "skip.log": "To the log",
    "home": "Back to the campaign",
    "menu": "Menu",
    "menu.people": "People and join code",
    "menu.screen": "Screen for the table",
    "menu.sheets": "Sheets",
    "menu.log": "Log on a page of its own",
    "menu.summary": "Summary",
    "menu.link": "Copy the link to this fight",
    "settings": "Settings of this fight",
    "side": "Questions and actions",
    "tabs": "Parts of the page",
    "tab.now": "Now",
    "tab.map": "Map",
    "tab.order": "Order",
    "tab.log": "Log",
    "yes": "Yes",
    "no": "No",
    "nothing": "nothing",
    "pass": "Pass",
    "choose": "Choose…",
    "less": "Less",
    "more": "More",
    "earlier": "Earlier",
    "later": "Later",
    "between": "{least} to {most}",
    "at_most": "at most {n}",
    "split": "{total} to place",
    "ranking": "The first on top.",
    "place.pick": "Tap on the map",
    "rule.open": "Rule {id}",
    "die.wild": "Wild Die {n}",
    "master": "Game master",
    "mine": "you",
    "hidden": "hidden",
    "secret": "secret",
    "defence": "Defence",
    "recent": "What has happened",
    "round": "Round {n}",
    "over": "The fight is over",
    "forecast": "forecast",
    "forecast.early": "too early to say",
    "forecast.exact": "How likely it is that this side wins, worked out exactly",
    "forecast.title": "How likely it is that this side wins, from {n} fights played out from here",
    "undo": "Undo",
    "undo.title": "Take back the last decision (U)",
    "redo": "Redo",
    "redo.title": "Return what was taken back (R)",
    # order
    "order": "Order",
    "order.label": "Order of turns",
    "order.empty": "Nobody is in this fight yet. The game master adds people with the plus sign.",
    "score": "Initiative",
    "waiting": "Waiting for {who}",
    "mark.up": "up now",
    "mark.next": "still to act",
    "mark.acted": "has acted",
    "mark.out": "out of the fight",
    "me.up": "It is your turn.",
    "me.next": "{n} in the order, still to act.",
    "me.acted": "Has acted this round.",
    "me.out": "Out of the fight.",
    # map
    "map": "Map",
    "map.label": "Map of the fight",
    "map.token": "{name}, {side}, {state}, at {x}, {y}",
    "map.tools": "Map tools",
    "map.in": "Closer (+)",
    "map.out": "Farther (−)",
    "map.fit": "Show the fighters (F)",
    "map.all": "Show all the ground (G)",
    "map.cover": "Cover",
    "map.wall": "Wall",
    "map.none": "This fight has neither map nor distances.",
    "track.from": "Distances from",
    "track.here": "Here",
    "paint": "Paint on the map",
    "paint.off": "off",
    "paint.erase": "wipe",
    "paint.value": "{what}: {value}",
    "paint.how": "Then drag over the cells.",
    # panel
    "panel.now": "Now",
    "panel.which": "Who acts",
    "panel.group": "Some of them",
    "panel.group_one": "{who} alone",
    "panel.group_all": "All {n} together",
    "panel.each": "{n} of {all} can do it",
    "panel.each_alike": "each of {n}",
    "panel.each_later": "when their turn comes",
    "panel.each_not": "cannot:",
    "panel.each_more": "and {n} more",
    "panel.whom": "Choose whom it is aimed at.",
    "panel.whom_friend": "Only the own side is in reach. Choose whom it is aimed at, or move first.",
    "panel.friend": "{who}: on the same side.",
    "panel.prepare": "Prepare your order",
    "panel.prepare_hint": "Choose now what to do; it is ready when it is your turn.",
    "panel.prepared": "Before your turn",
    "panel.waiting": "It is not your turn yet. What you choose is kept here until it is.",
    "panel.unprepare": "Close",
    "panel.kept_ready": "Kept ready. When it is your turn, look at it again and give it with one tap.",
    "panel.more.one": "1 more action",
    "panel.more.many": "{n} more actions",
    "panel.refused.one": "1 that is not possible now",
    "panel.refused.many": "{n} that are not possible now",
    "door.one": "1 waits for you",
    "door.many": "{n} wait for you",
    "panel.options.one": "1 more option",
    "panel.options.many": "{n} more options",
    "panel.not_yet": "Not yet",
    "panel.preview": "What would come of it",
    "panel.odds": "Odds for {who}",
    "panel.inside": "Inside:",
    "panel.how": "How these odds are worked out",
    "panel.nobody": "Nobody is inside.",
    "panel.roll": "Roll",
    "panel.type": "Type dice",
    "panel.do": "Do it",
    "panel.over": "The fight is over.",
    "panel.after": "What comes after",
    "panel.asked": "The open question is answered first.",
    "panel.watch": "You are watching.",
    "panel.turn_of": "{who} is up.",
    "panel.wait": "Wait for your turn.",
    # questions
    "ask.you": "{who}, a question for you",
    "ask.them": "A question for {who}",
    "ask.many": "{n} questions are open.",
    "ask.usual_all": "All as usual",
    "ask.made_of": "Dice",
    "ask.waiting": "{who} is asked on another device; you may answer instead.",
    "ask.answer": "Answer",
    "ask.send": "Answer",
    "ask.default": "As usual: {what}.",
    "ask.usual": "Take that",
    "ask.always": "Always",
    "ask.always_title": "Do not ask this again in this fight",
    "pad.none": "{pool}, no die yet.",
    "pad.back": "Take back",
    "pad.next": "Next die",
    "pad.wild": "Wild Die",
    "pad.label": "The face that fell",
    "pad.roll": "Roll for me",
    "pad.roll_rest": "Roll the rest",
    "pad.always": "Type all dice of {who} in this fight",
    "pad.never": "From now on roll the dice of {who} here",
    # log
    "log": "Log",
    "log.filter": "Entries about",
    "log.everybody": "everybody",
    "log.print": "Print or save the log",
    "log.empty": "Nothing has happened yet.",
    "log.nothing": "Nothing to tell.",
    "log.open": "under way",
    "log.asked": "The rules ask something",
    "log.menu": "Entry {n}: menu",
    "log.link": "Copy the link to entry {n}",
    "entry": "Entry {n}",
    "entry.back": "Back to here",
    "entry.back_hint": "Everything after this entry is taken back; Redo returns it.",
    "entry.drop": "Take this entry out",
    "entry.drop_sure": "Take it out; what followed is played again",
    "entry.roll": "Other dice",
    "entry.roll_hint": "Faces with spaces between. What followed is played again.",
    "entry.say": "Note for the log",
    "entry.say_do": "Note it",
    # corrections
    "fix": "Correct",
    "fix.end": "End",
    "fix.revive": "Revive",
    "fix.hide": "Hide",
    "fix.reveal": "Reveal",
    "fix.move": "Move",
    "fix.apart": "Distance to",
    "fix.apart_now": "is now",
    "fix.split": "Leave the group",
    "fix.remove": "Remove",
    "fix.remove_sure": "Remove {who}",
    "fix.condition": "Condition",
    "fix.condition_pick": "Condition…",
    "fix.lasts": "for",
    "fix.lasts_unit": "turns",
    "fix.add_condition": "Add",
    "fix.values": "Values",
    "fix.seldom": "{n} that are seldom corrected",
    "fix.set": "Set",
    "set.limit": "Seconds until a player's question is answered as usual",
    "set.limit_hint": "0: no limit.",
    "set.numbers": "Players see everybody's numbers",
    "set.forecast": "Who sees the forecast",
    "set.forecast.master": "only you",
    "set.forecast.all": "everybody",
    "set.forecast.nobody": "nobody",
    "set.typed": "Whose dice are typed in",
    "set.typed_hint": "Dice of the others are thrown here.",
    "set.plays": "Who decides for",
    "set.person": "a person",
    "set.ask_again": "Ask again what was answered with Always",
    "set.save": "Save",
    "add": "Late arrival",
    "add.template": "Template",
    "add.name": "Name",
    "add.name_hint": "as the template says",
    "add.side": "Side",
    "add.count": "How many",
    "add.at": "Where (empty: beside their side)",
    "add.do": "Add",
    # keys
    "key.arrows": "arrows",
    "keys.A": "Attack, or the first action",
    "keys.D": "Dodge, or the second action",
    "keys.M": "Move, or the third action",
    "keys.E": "End the turn",
    "keys.Enter": "Roll, answer, do it",
    "keys.1–6": "A die as it fell",
    "keys.U": "Undo",
    "keys.R": "Redo",
    "keys.O": "To the order",
    "keys.P": "To the actions",
    "keys.L": "To the log",
    "keys.F": "The fighters on the map",
    "keys.G": "All the ground of the map",
    "keys.+ −": "Closer, farther",
    "keys.arrows": "Move the chosen token or the map; Enter sets it down",
    # the API
    "api.title": "The API",
    "api.whole": "OpenAPI document",
    "api.how": "Everything that the page does, as JSON over HTTP. A program shows its token with each request:",
    # what went wrong
    "fault.title": "That did not work",
    "fault.401": "Who are you?",
    "fault.403": "That is not for you",
    "fault.404": "There is nothing here",
    "fault.413": "That is too much",
    "fault.429": "Not so fast",
    "fault.500": "Affray has made a mistake",
    "fault.503": "That could not be kept",
    "fault.other": "That did not work",
    "fault.do.401": "This browser is not known here yet. A player types the code that the game master shows and a name. "
    "The game master opens the address that the server printed at its start, with the key in it.",
    "fault.do.403": "If it should be for you, ask the game master, who lets people in and gives seats on the page People.",
    "fault.do.404": "The link may be old, what it led to may have been dropped, or it is not for everybody. "
    "Begin from your campaign.",
    "fault.do.413": "Nothing has changed. Drop or shorten something, then try again.",
    "fault.do.429": "Wait a minute, then try again.",
    "fault.do.500": "It is not your fault, and whatever was kept before is still there. Go back and try again; if it happens "
    "again, the terminal in which the server runs shows what to report.",
    "fault.do.503": "Nothing has happened. Look whether the disk of the server is full, then try again.",
    "fault.do.other": "Nothing has changed. Go back, mend what is named above, and try again.",
    "fault.join": "Join with the code",
    "fault.home": "To the beginning",
    # scripts
    "js.lost": "The connection is lost. Trying again …",
    "js.lost_kept": "The connection is lost. What you tapped is kept, and goes out when it is back.",
    "js.unsent": "{what}: not arrived yet. It is kept here and goes out by itself when the server answers.",
    "js.unsent_roll": "Rolling here",
    "js.unsent_back": "Taking back",
    "js.back": "Connected again. This is how things stand now.",
    "js.stale": "The fight has moved on; this is how it stands now.",
    "js.failed": "That did not reach the server.",
    "js.copied": "The link is copied.",
    "js.rule": "No text for this rule.",
    "js.close": "Close",
    "js.gone": "You are no longer at this table.",
    "js.left": "{n} left to place",
    "js.over": "{n} too many",
    "js.turn_now": "It is your turn",
    "js.pick": "Tap a cell of the map. Esc stops.",
    "js.to": "{name} to {x}, {y}: {far}",
    "js.far": "{a} to {b}: {far}",
    "js.one": "1 space",
    "js.many": "{n} spaces",
    "js.moved": "{name} is at {x}, {y} now.",
    "js.undo": "Undo",
    "js.done": "Done.",
    "js.asked": "A question for you.",
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


class Said:
    """Words by their English: `t('{n} people', n=3)`. Keys of the page of a fight (`over`) are none of them."""

    def __init__(self, words: Words) -> None:
        self.texts = words.texts

    def __call__(self, english: str, **values: Any) -> str:
        told = english if english in ENGLISH else self.texts.get(english, english)
        return told.format(**values) if values else told

    def count(self, n: int, one: str, many: str) -> str:
        """'1 fight', '3 fights'."""
        return f"{n} {self(one if n == 1 else many)}"


SAID = Said(WORDS)


JOINERS = "\u200c\u200d"
"""Signs that cannot be seen and belong to some scripts and pictures."""


def printable(text: str) -> str:
    """What people typed as one line without what cannot be seen: signs that steer a terminal or turn the direction of words."""
    plain = " ".join(text.split())
    return "".join(c for c in plain if c.isprintable() or c in JOINERS).strip()


def sentence(text: str) -> str:
    """With a capital at the beginning, as people read it on a page."""
    return text[:1].upper() + text[1:]
