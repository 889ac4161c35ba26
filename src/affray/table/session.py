"""One table: a fight, and the lines that people type. Each line gives lines back; the prompt says what is awaited.

The fight is kept by its journal; everything here besides can be made again from it. It must not know where lines come
from, nor how they look.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from affray.ask import Choose, Open
from affray.encounter import Encounter
from affray.errors import AffrayError, nearest
from affray.render.words import Label, labels
from affray.ruleset import Offer
from affray.sight.offering import default_order, whom
from affray.table import agenda, orders, questions, replies, telling
from affray.table.answers import default_text, hint, menu
from affray.table.lines import Line, bad, note
from affray.table.orders import Draft
from affray.table.screen import Screen, look
from affray.table.words import Unclear, pieces, split, take

Output = list[Line | Screen]
MAX_STEPS = 2000
"""Orders that policies may give in a row before a person is asked what to do."""


class Session:
    """`take(line)` does what a line says; `begin()` comes first. `closed`: somebody wants to leave."""

    def __init__(self, fight: Encounter, title: str = "", name: str = "", secrets: bool = False) -> None:
        self.fight = fight
        self.title = title or fight.ruleset.title
        self.name = name
        self.secrets = secrets
        self.draft: Draft | None = None
        self.closed = False
        self.failed = 0
        self.wrong: AffrayError | None = None
        """What was wrong with the line that failed last."""
        """Lines that were refused."""
        self.tape = telling.Tape(fight)
        self._offered: tuple[Any, dict[str, tuple[Offer, ...]]] = (None, {})
        self._shown: tuple[Any, ...] = ()
        self._over = False

    # ---- what there is now

    @property
    def label(self) -> Label:
        return labels(self.fight.state)

    @property
    def requests(self) -> tuple[Open, ...]:
        return self.fight.open.requests if self.fight.open else ()

    def up(self) -> tuple[str, ...]:
        """Who may act now; nobody while a question is open or after the end."""
        if self.fight.open or self.fight.ruleset.over(self.fight.state):
            return ()
        return self.fight.up()

    def actor(self) -> str:
        """Whom a line without a name is about: the one whose order is put together, or who is up first."""
        if self.draft:
            return self.draft.who
        up = self.up()
        return up[0] if up else self.rester()

    def rester(self) -> str:
        """After the end of the fight: the first who may let time pass; '' where the ruleset knows no rest."""
        fight = self.fight
        if fight.open or not fight.ruleset.over(fight.state):
            return ""
        for fighter in fight.state.fighters:
            if any(one.verb == "rest" and one.refused is None for one in fight.ruleset.offers(fight.state, fighter.id)):
                return str(fighter.id)
        return ""

    def offers(self, who: str = "") -> tuple[Offer, ...]:
        """What somebody may order; worked out once for each state."""
        who, state = who or self.actor(), self.fight.state
        if self._offered[0] is not state:
            self._offered = (state, {})
        known = self._offered[1]
        if who not in known:
            known[who] = self.fight.ruleset.offers(state, who) if who else ()
        return known[who]

    def spent(self, who: str) -> bool:
        """Whether somebody has acted and can do nothing more that costs anything."""
        offers = self.offers(who)
        idle = all(offer.refused is not None or offer.cost.startswith("free") for offer in offers)
        return idle and any(offer.verb == "end" and offer.refused is None for offer in offers)

    def screen(self) -> Screen:
        """All there is to see."""
        return look(self.fight, self.title, self.offers(), self.hint())

    def hint(self) -> str:
        """What Enter does now."""
        who = self.actor()
        if not who or self.fight.ruleset.over(self.fight.state):
            return ""
        return "Enter ends the turn" if self.spent(who) else "Enter: look again; help"

    def prompt(self) -> str:
        """The words before the cursor."""
        if self.draft and (wanted := self.draft.wanted()):
            least = "" if wanted.default is None else f" [{default_text(wanted, self.label)}]"
            return f"{self.label(self.draft.who)}, {self.draft.verb}, {orders.told(wanted)}{least}> "
        if self.requests:
            return questions.prompt(self.requests[0], self.label)
        who = self.actor()
        if self.fight.ruleset.over(self.fight.state):
            return "over> "
        if not who:
            return "table> "
        return f"{self.label(who)} (Enter: end the turn)> " if self.spent(who) else f"{self.label(who)}> "

    # ---- lines

    def begin(self) -> Output:
        """What is shown first; a group's orders that were under way go on."""
        out: Output = []
        self.tape.skip()
        if self.fight.entries or self.fight.open:
            out += self.tape.recent(4)
        if self.fight.forgotten:
            out.append(note(f"{self.fight.forgotten} answers of the open order no longer fit the rules; they are asked anew"))
        with self.fight.together():
            agenda.resume(self.fight)
            return [*out, *self.go_on()]

    def take(self, line: str) -> Output:
        """Do what a line says. What a person can do wrong is told, and nothing has changed then."""
        try:
            with self.fight.together():
                return self._take(line)
        except AffrayError as wrong:
            self.failed, self.wrong = self.failed + 1, wrong
            return [*self.tape.news(self.label, self.secrets), *[bad(part) for part in str(wrong).splitlines()]]

    def _take(self, line: str) -> Output:
        from affray.table.commands import find

        text = line.strip()
        if not self._option(text) and (command := find(text)):
            return command.run(self, text.partition(" ")[2].strip())
        if self.draft:
            return self._fill(text)
        if self.requests:
            return replies.answer(self, text)
        if not text:
            return self._enter()
        return self._order(text)

    def _option(self, text: str) -> bool:
        """Whether a line is, word for word, an answer that is on offer: then it is no command."""
        if self.draft and (wanted := self.draft.wanted()):
            offered = menu(wanted.domain, self.label)
        elif self.requests and isinstance(self.requests[0].request, Choose):
            offered = menu(self.requests[0].request.domain, self.label)
        else:
            return False
        return any(pieces(one) == pieces(text) for one in offered)

    def _enter(self) -> Output:
        who = self.actor()
        if who and self.spent(who):
            return self.do(lambda: self.fight.order(self.fight.ruleset.order({"do": "end", "by": who})))
        return [self.screen()]

    def _order(self, text: str) -> Output:
        """An order, several with ';' between them, or the same for a whole group."""
        first, *rest = [part.strip() for part in text.split(";") if part.strip()]
        who, words = self.who(split(first))
        if len(who) > 1 or rest:
            coming = self.fight.ruleset.coming(self.fight.state)
            turns = {one: place for place, one in enumerate((*self.up(), *coming))}
            who = tuple(sorted(who, key=lambda one: turns.get(one, len(turns))))
            jobs = [(one, part) for one in who for part in (" ".join(words), *rest)]
            return self.many(who, jobs, " ".join(words) if not rest else "; ".join((" ".join(words), *rest)))
        if not words:
            raise Unclear(f"what shall {self.label(who[0])} do? ({self._verbs(who[0])})")
        return self.start(who[0], words)

    def _nearest(self, words: list[str], offers: Sequence[Offer]) -> str:
        """'; did you mean ...? ' of the verb or command that the first words are likest to."""
        from affray.table.commands import COMMANDS

        known = [*(offer.verb.replace("_", " ") for offer in offers), *(name for one in COMMANDS for name in one.names)]
        near = nearest(" ".join(words[:2]), known) or (nearest(words[0], known) if words else "")
        return f"; did you mean {near!r}? " if near else " "

    def start(self, who: str, words: list[str]) -> Output:
        """Begin an order with its verb; it is carried out once nothing has to be asked."""
        draft = self.drafted(who, words)
        self.draft = draft
        return self._ready()

    def drafted(self, who: str, words: list[str]) -> Draft:
        """An order put together from words. Raises Unclear, IllegalOrder."""
        offers = self.offers(who)
        open_offers = [offer for offer in offers if offer.refused is None]
        if len(words) > 2 and all(word.isdigit() for word in words):
            raise Unclear("these look like dice, but nobody is asked to throw now")
        if words and words[0].isdigit():
            offer, used = take(words, orders.verb_choices(open_offers), "action")
        else:
            found = orders.find_verb(words, offers)
            if found is None:
                near = self._nearest(words, offers)
                known = f"{near}({self._verbs(who)}; help tells more)"
                raise Unclear(f"{' '.join(words)!r} is neither an action nor a command{known}")
            offer, used = found
        if offer.refused is not None and not offer.fields:
            raise agenda.refused(offer.refused)
        draft = Draft(who, offer.verb, whom(self.fight, self.fight.state, who, offer, default_order(self.fight, who, offer)))
        orders.fill(draft, words[used:], self.label, [f.id for f in self.fight.state.fighters])
        return draft

    def _fill(self, text: str) -> Output:
        """An option that was asked for."""
        draft = self.draft
        assert draft is not None
        wanted = draft.wanted()
        if text.lower() in (".", "cancel", "stop") or wanted is None:
            self.draft = None
            return [note(f"{draft.verb} is off; nothing has happened")]
        if not text:
            if wanted.default is None:
                raise Unclear(f"{orders.told(wanted)}: {hint(wanted.domain, self.label)} (or cancel)")
            draft.filled[wanted.name] = wanted.default
        else:
            orders.fill(draft, [f"{wanted.name}=", *split(text)], self.label, [f.id for f in self.fight.state.fighters])
        return self._ready()

    def _ready(self) -> Output:
        """Carry the order out, or ask what it lacks."""
        draft = self.draft
        assert draft is not None
        wanted = draft.wanted()
        if wanted is not None:
            return telling.ask_option(wanted, self.label)
        self.draft = None
        order = orders.build(self.fight.ruleset, draft, self.label)
        return self.do(lambda: self.fight.order(order))

    def who(self, words: list[str]) -> tuple[tuple[str, ...], list[str]]:
        """Whom a line is about, and the rest of it: 'guards attack kess', 'guard 2 dodge', 'attack kess'. Raises Unclear."""
        first = self.actor()
        if not first:
            raise Unclear("nobody can act now" + (": the fight is over (undo takes back)" if self._over else ""))
        if not words or words[0].isdigit() or orders.find_verb(words, self.offers(), exact=True):
            return (first,), words
        named = agenda.people(self.fight, words, self.label)
        if named is not None:
            some, used = named
            return some, words[used:]
        return (first,), words

    def many(self, who: tuple[str, ...], jobs: list[tuple[str, str]], text: str) -> Output:
        """Several orders one after another, each an entry of its own."""
        if not set(who) & set(self.up()):
            now = ", ".join(map(self.label, self.up()))
            raise Unclear(f"none of them can act now; it is the turn of {now}")
        agenda.begin(self.fight, who, jobs, text)
        return self.go_on()

    # ---- what follows

    def do(self, decide: Callable[[], Any]) -> Output:
        """Take a decision, tell what came of it, and go on to whatever comes next."""
        decide()
        return self.go_on()

    def go_on(self) -> Output:
        """Orders of groups and policies until a person has to decide; then what the person should see."""
        out: Output = []
        for _ in range(MAX_STEPS):
            out += self.tape.news(self.label, self.secrets, agenda.grouped(self.fight))
            if self.requests and replies.usual(self, lambda one: replies.standing(self, one)):
                continue
            if self.requests or self.fight.ruleset.over(self.fight.state):
                break
            if agenda.waiting(self.fight):
                out += agenda.step(self)
                continue
            up = self.fight.up()
            if not up or self.fight.policy(up[0]) is None:
                break
            self.fight.step()
        out += agenda.finish(self)
        return [*out, *self.view_now()]

    def view_now(self) -> Output:
        """The question that is open, the screen when somebody else is up, or a line about what is left."""
        state = self.fight.state
        if self.requests:
            also = questions.also(self.requests, self.label)
            return [*questions.asked(self.requests[0], self.label, self.fight.ruleset, self.fight.state.rulings), *also]
        if self.fight.ruleset.over(state):
            first, self._over = not self._over, True
            return telling.ending(self.fight, self.label) if first else []
        self._over = False
        up = self.fight.up()
        now = (state.round, up[:1])
        if now != self._shown:
            self._shown = now
            return [self.screen()]
        view = self.fight.ruleset.view(state, "master")
        from affray.table.screen import left

        told = left(self.fight, view, up[0]) if up else ""
        more = f"; {self.hint()}" if self.spent(up[0]) else ""
        return [Line(f"{self.label(up[0])}: {told}{more}", "note", 2)] if told or more else []

    def show_again(self) -> None:
        """The next view is a whole screen."""
        self._shown = ()

    def _verbs(self, who: str) -> str:
        return ", ".join(offer.verb.replace("_", " ") for offer in self.offers(who) if offer.refused is None)
