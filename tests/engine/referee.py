"""Referee a `canasta-hand/1` record: a second, slow reading of the rules, sharing no line with the engine.

Written from the rule text and the log's grammar alone. It replays the events of one record and returns a
`Verdict`: whether all is legal, the first event refused (from 1; one past the last where the log stops before
the hand does; 0 where the deal itself is impossible) with a reason word, and what the hand came to.

Where the text leaves room, this is how the referee reads it:

 1. 3s of one holding may be laid in any order; one event lays one. The initial 3s: one seat after the other.
 2. A `+` in a meld event belongs to openings alone; afterwards one group an event.
 3. `K:2` and `W:2` are for groups of wild cards only. The order of cards inside an event is style, not law.
 4. Naturals of an event lie before its wild cards: KK2 onto KKK meets the five-natural rule.
 5. Modern, opening by the pile: "up to five of that rank in all" counts the top card among the five.
 6. Modern, opened: the pile is taken with exactly two naturals, or with nothing onto the own meld.
 7. Modern, wild meld among other groups of one opening: unfinished, it bars wild cards in those groups.
 8. `wild_meld_opens`, "alone": the wild meld is all that the opening lays, so it never opens by the pile.
    `canasta_opens`: one complete group from the holding opens, whatever lies beside it.
 9. `five_natural_rule` off: natural aces still take no wild card; a mixed ace meld takes its second any time.
10. Own unfinished meld of a rank that the other side closed: nothing may be added, wild cards neither.
11. `pair_and_wild_out`: any number of such melds; after one, only what leaves going out possible is legal.
12. A question needs a draw from the stock before it. A clock that runs out lifts a "yes", and the duty to go
    out that a pair-and-wild meld brought (the meld stays: no event takes it back). It does not run out on a
    player who can neither draw nor take the pile: that hand is over.
13. `r` needs an unopened side, after a draw from the stock; its groups may be anything of one rank each.
14. Talon: the stock is counted at the opening, after the replacements of the turn.
15. A last stock card that is a 3 (modern) stops the hand at once, whatever else is still to be laid.
16. After the clock ran out: the draw if there was none, its 3s, the discard, the bonus cards. Nothing else.
17. Classic: an opening by the pile may put further naturals and wild cards of the meld into its first group.
18. Classic: two cards may take the pile onto the own meld as well; in partnership one natural, one wild too.
19. Classic, black 3s: a fourth may follow three in the same turn; they may be part of an opening.
20. Classic, a red 3 as last stock card for a player with one card who cannot go out: no discard is possible,
    so the hand ends there by the stock.
21. A special hand is no going out: it follows no "yes"; its side's canasta counts are zero, as its ledger is.
22. `turns` counts the turns begun: draws and takings of the pile.
23. Several melds of a rank (`one_meld_a_rank`, `one_wild_meld` off): a number needs the meld before it to lie
    when the event begins, so no numbered group is part of an opening; a wild meld needs it closed.
24. No hand follows the one that ends its game, as far as the scores and the hand's number tell.
"""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import dataclass, field
from typing import Any

from tests.engine.referee_cards import (
    NUMBERED,
    WILDS,
    Group,
    Refusal,
    count_kinds,
    full_deck,
    kind,
    points_of,
    rank_of,
    read_cards,
    read_groups,
    read_some,
)
from tests.engine.referee_going_out import classic_can_go_out, modern_can_go_out, modern_openings
from tests.engine.referee_score import (
    PARTS,
    SPECIAL_POINTS,
    canasta_counts,
    classic_ledger,
    game_end,
    is_special,
    is_unfinished,
    modern_ledger,
)

SETTINGS: dict[str, dict[str, Any]] = {
    "modern_american": {
        "wild_meld_opens": True,
        "canasta_opens": True,
        "five_natural_rule": True,
        "pile_needs_pair": False,
        "pair_and_wild_out": False,
        "special_hands": True,
        "question_once_a_side": False,
        "pile_after_stock": True,
        "held_penalties_add": True,
        "level_plays_on": True,
        "special_alone": True,
        "swad_wild_last": True,
        "dead_melds_unfinished": True,
        "mixed_aces_take_wilds": True,
        "one_wild_meld": True,
        "clock_seconds": 60,
    },
    "classic_salon": {
        "players": 4,
        "singles": False,
        "short_game": False,
        "canastas_to_go_out": 0,
        "always_frozen": False,
        "red_three_from_pile_replaced": True,
        "top_card_counts": True,
        "covered_upcard_freezes": True,
        "last_red_three_ends": False,
        "level_plays_on": True,
        "black_three_melds": True,
        "one_meld_a_rank": True,
    },
    "classic_partnership": {"last_red_three_ends": False, "black_three_melds": True},
}
EVENT = re.compile(r"([0-3])([dx3mtrboqynks])(.*)", re.DOTALL)


@dataclass(frozen=True)
class Verdict:
    """What the referee found; the fields after `reason` are filled only where all is legal."""

    legal: bool
    event: int | None = None
    reason: str | None = None
    result: dict[str, Any] = field(default_factory=dict)
    turns: int = 0


def referee(record: dict[str, Any]) -> Verdict:
    """Replay a record's events and judge them."""
    number = 0
    try:
        hand = Hand(record)
        events = record["events"].split(" ") if record["events"] else []
        for number, event in enumerate(events, start=1):  # noqa: B007 - the refusal's place
            hand.play(event)
        number = len(events) + 1
        hand.stop()
    except Refusal as refusal:
        return Verdict(False, number, str(refusal))
    return Verdict(True, result=hand.result(), turns=hand.turns)


def result_differences(record: dict[str, Any], verdict: Verdict) -> list[str]:
    """Name the result fields in which a record differs from the referee's own."""
    claimed = record["result"]
    different = [name for name in verdict.result if claimed.get(name) != verdict.result[name]]
    if "turns" in record and record["turns"] != verdict.turns:
        different.append("turns")
    return different


def _copied(value: Any) -> Any:
    if type(value) is list:
        return [item.copy() if type(item) is dict else item for item in value]
    return value.copy() if type(value) in (dict, set) else value


def refuse_if(fault: bool, reason: str) -> None:
    """Refuse the event if the fault is there."""
    if fault:
        raise Refusal(reason)


# Long because one hand's rules are easier to read against the rule text in one place.


class Hand:
    """One hand as the referee follows it.

    `phase` is ``deal`` (initial 3s), ``draw``, ``play``, ``answer`` (a question waits), ``bonus`` (talon
    cards wait), ``out`` (the holding is empty, `o` must follow) or ``over``.
    """

    def __init__(self, record: dict[str, Any]) -> None:
        self.record = record
        self.ruleset = record["ruleset"]
        self.option = {**SETTINGS[self.ruleset], **record.get("options", {})}
        self.modern = self.ruleset == "modern_american"
        self.suited = record.get("cards", "suit") == "suit"
        self._seat_players()
        game_over, _ = self._game_end(self.score_before, record["hand_no"] - 1, None)
        refuse_if(game_over, "game_over")
        self._deal(record["deal"])

    def _seat_players(self) -> None:
        self.side_of = [seat["side"] for seat in self.record["seats"]]
        self.players = len(self.side_of)
        self.alone = self.players < 4 or self.option.get("singles", False)
        expected = [seat if self.alone else seat % 2 for seat in range(self.players)]
        refuse_if(self.side_of != expected, "sides")
        refuse_if(self.players not in ((2, 3, 4) if self.ruleset == "classic_salon" else (4,)), "players")
        self.sides = self.players if self.alone else 2
        self.score_before = list(self.record["score_before"])
        refuse_if(len(self.score_before) != self.sides, "sides")

    def _deal(self, deal: dict[str, Any]) -> None:
        self.unseen = full_deck(self.suited)
        dealt = 13 if self.modern else {2: 15, 3: 13, 4: 11}[self.players]
        self.holdings = [Counter(read_cards(text, self.suited)) for text in deal["holdings"]]
        refuse_if([holding.total() for holding in self.holdings] != [dealt] * self.players, "deal")
        self.pile = read_cards(deal["upcards"], self.suited)
        for cards in (*self.holdings, Counter(self.pile)):
            refuse_if(not cards <= self.unseen, "deal")
            self.unseen = self.unseen - cards
        covered = [kind(card) in (*WILDS, "3r") for card in self.pile]
        if self.modern:
            refuse_if(bool(self.pile), "deal")
        else:
            refuse_if(covered != [True] * (len(covered) - 1) + [False], "deal")
        self.frozen = len(self.pile) > 1 and self.option.get("covered_upcard_freezes", True)
        self.turned = len(self.pile)
        self.melds: list[dict[str, Counter]] = [{} for _ in range(self.sides)]
        self.threes: list[Counter] = [Counter() for _ in range(self.sides)]
        self.failed_openings = [0] * self.sides
        self.opener: list[int | None] = [None] * self.sides
        self.turns_since_opening = [0] * self.players
        self.melded_in_turn: dict[int, int] = {}  # seat: the first of its turns in which it melded
        self.own_turns = [0] * self.players
        self.asked: set[int] = set()
        self.concealed_sides = set(range(self.sides))
        self.ended_by: str | None = None
        self.out_seat: int | None = None
        self.special: str | None = None
        self.concealed = False
        self.turns = 0
        starter = (self.record["dealer"] + 1) % self.players
        self.queue = [(starter + step) % self.players for step in range(self.players)]
        self.seat = starter
        self.replaces = True
        self.phase = "deal"
        self._open_turn(starter)
        self.phase = "deal"
        self._settle()

    # ---------------------------------------------------------------- small questions

    @property
    def stock(self) -> int:
        return self.unseen.total()

    @property
    def side(self) -> int:
        return self.side_of[self.seat]

    @property
    def partner(self) -> int:
        return (self.seat + 2) % 4

    @property
    def holding(self) -> Counter:
        return self.holdings[self.seat]

    @property
    def own(self) -> dict[str, Counter]:
        return self.melds[self.side]

    @property
    def is_open(self) -> bool:
        return bool(self.own)

    @property
    def plays_on_without_stock(self) -> bool:
        """Say whether a turn may begin with the stock empty."""
        return self.ruleset == "classic_salon" or bool(self.option.get("pile_after_stock"))

    @property
    def dead(self) -> set[str]:
        if not self.modern:
            return set()
        return {
            onto
            for melds in self.melds
            for onto, cards in melds.items()
            if rank_of(onto) != "W" and cards.total() >= 7
        }

    @property
    def minimum(self) -> int:
        score = self.score_before[self.side]
        if self.modern:
            base = 125 if score < 3000 else 155 if score < 5000 else 180
            return base + 10 * self.failed_openings[self.side]
        return 15 if score < 0 else 50 if score < 1500 else 90 if score < 3000 else 120

    @property
    def canastas_needed(self) -> int:
        if self.modern:
            return 2
        return self.option.get("canastas_to_go_out") or (2 if self.players == 2 else 1)

    @property
    def last_card_is_discarded(self) -> bool:
        return self.ruleset != "classic_salon"

    def owed_threes(self, seat: int) -> list[str]:
        """List the 3s that must be laid before anything else."""
        return [
            card for card in self.holdings[seat] if kind(card) == "3r" or (self.modern and kind(card) == "3b")
        ]

    def may_end_now(self) -> bool:
        """Say whether the side's melds and the answer let the player play the last card."""
        canastas = canasta_counts(self.own, self.modern).total()
        if canastas < self.canastas_needed or self.answer == "n":
            return False
        return not (
            self.modern
            and any(
                is_unfinished(onto, cards) for onto, cards in self.own.items() if onto not in self.excused
            )
        )

    @property
    def excused(self) -> set[str]:
        """The ranks whose melds need not be finished: none, or the dead ones."""
        return set() if self.option.get("dead_melds_unfinished", True) else self.dead

    def can_go_out(self) -> bool:
        """Say whether the player can still go out in this turn."""
        if not self.is_open or self.answer == "n":
            return False
        kinds = count_kinds(self.holding)
        melds = {onto: count_kinds(cards) for onto, cards in self.own.items()}
        if self.modern:
            return modern_can_go_out(
                kinds,
                melds,
                self.dead,
                self.excused,
                five_natural_rule=self.option["five_natural_rule"],
                pair_and_wild_out=self.option["pair_and_wild_out"],
                mixed_aces_take_wilds=self.option["mixed_aces_take_wilds"],
            )
        return classic_can_go_out(
            kinds,
            melds,
            self.canastas_needed,
            last_card_is_discarded=self.last_card_is_discarded,
            black_three_melds=self.option["black_three_melds"],
            melds_of_a_rank=1 if self.option.get("one_meld_a_rank", True) else 4,
        )

    # ---------------------------------------------------------------- events

    def play(self, event: str) -> None:
        """Play one event or refuse it."""
        found = EVENT.fullmatch(event)
        if found is None:
            raise Refusal("notation")
        seat, verb, rest = int(found[1]), found[2], found[3]
        refuse_if(self.phase == "over", "after_the_end")
        expected = self.partner if self.phase == "answer" else self.seat
        refuse_if(seat != expected, "seat")
        if self.phase in ("deal", "draw", "play", "bonus") and self.owed_threes(seat):
            refuse_if(verb != "3", "three_first")
        else:
            wanted = {"answer": "yn", "bonus": "b", "out": "o", "draw": "dtk", "play": "mxqrsk"}
            refuse_if(verb not in wanted[self.phase], "phase")
            refuse_if(self.clocked and verb in "mtqrs", "clock")
        do = {
            "3": self._three,
            "d": self._draw,
            "x": self._discard,
            "m": self._meld,
            "t": self._take,
            "r": self._take_back,
            "b": self._bonus,
            "o": self._out,
            "q": self._ask,
            "y": self._yes,
            "n": self._no,
            "k": self._clock,
            "s": self._special,
        }
        do[verb](rest)
        self._settle()

    def stop(self) -> None:
        """End the log: the hand must be over, or end because a player would have to draw from nothing."""
        if self.phase == "draw" and self.stock == 0 and not self.owed_threes(self.seat):
            self._end("stock")
        refuse_if(self.phase != "over", "unfinished")

    def _draw(self, rest: str) -> None:
        cards = read_some(rest, self.suited)
        wanted = 2 if not self.modern and self.players < 4 else 1
        refuse_if(cards.total() != min(wanted, self.stock), "draw_count")
        self._receive(cards)
        self._begin_turn()
        self.replaces, self.drew = True, True
        self.phase = "play"
        self._stop_at_last_three(cards)

    def _receive(self, cards: Counter) -> None:
        refuse_if(not cards <= self.unseen, "no_such_card")
        self.unseen = self.unseen - cards
        self.holdings[self.seat] = self.holding + cards

    def _stop_at_last_three(self, drawn: Counter) -> None:
        if self.modern and self.stock == 0 and any(card[0] == "3" for card in drawn):
            self._end("stock")

    def _three(self, rest: str) -> None:
        laid, arrow, text = rest.partition(">")
        cards = read_some(laid, self.suited)
        refuse_if(cards.total() != 1, "notation")
        (card,) = cards
        refuse_if(card not in self.owed_threes(self.seat), "not_held")
        replaced = self.replaces and self.stock > 0
        refuse_if(bool(arrow) != replaced, "replacement")
        self.holdings[self.seat] = self.holding - cards
        self.threes[self.side] = self.threes[self.side] + cards
        if replaced:
            new = read_some(text, self.suited)
            refuse_if(new.total() != 1, "notation")
            self._receive(new)
            self._stop_at_last_three(new)
        elif self.option.get("last_red_three_ends") and self.drew and not self.owed_threes(self.seat):
            self._end("stock")

    def _lay(self, cards: Counter) -> None:
        refuse_if(not cards <= self.holding, "not_held")
        self.holdings[self.seat] = self.holding - cards

    def _place(self, onto: str, cards: Counter) -> None:
        self.own[onto] = self.own.get(onto, Counter()) + cards

    def _groups(self, text: str) -> list[Group]:
        groups = read_groups(text, self.suited)
        for group in groups:
            self._check_number(group.onto)
        return groups

    def _check_number(self, onto: str) -> None:
        """Refuse a meld numbered from 2 where it may not lie beside the one before it."""
        rank, _, number = onto.partition("#")
        if not number:
            return
        option = "one_wild_meld" if rank == "W" else "one_meld_a_rank"
        refuse_if(self.option.get(option, True), "one_meld")
        before = self.own.get(rank if number == "2" else f"{rank}#{int(number) - 1}", Counter())
        refuse_if(not before, "meld_number")
        refuse_if(rank == "W" and before.total() < 7, "wild_meld_unfinished")

    def _meld(self, rest: str) -> None:
        groups = self._groups(rest)
        before = {onto: cards.copy() for onto, cards in self.own.items()}
        if self.is_open:
            refuse_if(len(groups) != 1, "one_group")
            self._check_group(groups[0], opening=False, wilds_beside=False)
        else:
            self._check_opening(groups)
            self._check_minimum(sum(points_of(group.cards) for group in groups), groups)
            self._note_opening(from_holding=True)
        for group in groups:
            self._lay(group.cards)
            self._place(group.onto, group.cards)
            if group.onto == "3b" or self._is_pair_and_wild(group, before):
                self.must_go_out = True
        self._note_melding()
        self._keep_a_card(coming=0)

    def _check_opening(self, groups: list[Group], top: str | None = None) -> None:
        refuse_if(len({group.onto for group in groups}) != len(groups), "same_rank_twice")
        wild_group_is_open = any(group.onto == "W" and group.cards.total() < 7 for group in groups)
        for group in groups:
            self._check_group(
                group,
                opening=True,
                wilds_beside=wild_group_is_open,
                top=top if group is groups[0] else None,
            )

    def _check_group(
        self, group: Group, *, opening: bool, wilds_beside: bool, top: str | None = None
    ) -> None:
        """Refuse a group that does not make, or fit, a legal meld; `top` joins it from the pile."""
        meld = self.own.get(group.onto, Counter()) + group.cards + Counter([top] if top else [])
        size, wilds = meld.total(), sum(count for card, count in meld.items() if kind(card) in WILDS)
        naturals = size - wilds
        if group.onto == "3b":
            refuse_if(self.modern, "three")
            refuse_if(not self.option["black_three_melds"], "black_threes")
            refuse_if(wilds > 0 or not 3 <= size <= 4, "black_threes")
            return
        if group.rank == "W":
            refuse_if(not self.modern or not 3 <= size <= 7, "wild_meld")
            return
        refuse_if(size < 3 or naturals < 2 or wilds > (2 if self.modern else 3), "meld")
        if self.modern:
            refuse_if(size > 7, "closed")
            refuse_if(group.onto in self.dead, "dead")
            if group.wilds:
                self._check_wilds(group, naturals, opening, wilds_beside)

    def _check_wilds(self, group: Group, naturals: int, opening: bool, wilds_beside: bool) -> None:
        """Refuse wild cards that a modern meld may not take."""
        old = self.own.get(group.onto, Counter())
        was_mixed = any(card[0] in WILDS for card in old)
        refuse_if(group.onto == "7", "wild_on_sevens")
        growing = any(rank_of(onto) == "W" and cards.total() < 7 for onto, cards in self.own.items())
        refuse_if(growing or wilds_beside, "wild_meld_unfinished")
        if opening:
            return
        grows = was_mixed and self.option["mixed_aces_take_wilds"]
        refuse_if(group.onto == "A" and not grows, "natural_aces")
        if self.option["five_natural_rule"] and naturals < 5:
            refuse_if(not self._is_pair_and_wild(group, self.own), "five_naturals")

    def _is_pair_and_wild(self, group: Group, melds: dict[str, Counter]) -> bool:
        """Say whether a group is a new pair with one wild card, as only the option allows it."""
        return (
            self.modern
            and self.option["pair_and_wild_out"]
            and self.option["five_natural_rule"]
            and bool(melds)
            and group.onto not in melds
            and group.onto not in ("7", "A", "W")
            and (group.naturals, group.wilds) == (2, 1)
        )

    def _check_minimum(self, count: int, groups: list[Group]) -> None:
        """Refuse an opening that is short, or in modern without what an opening needs."""
        if not self.modern:
            refuse_if(count < self.minimum, "minimum")
            return
        if self.option["canasta_opens"] and any(group.cards.total() == 7 for group in groups):
            return
        wilds_alone = self.option["wild_meld_opens"] and [group.onto for group in groups] == ["W"]
        triple = any(group.naturals >= 3 and not group.wilds for group in groups)
        refuse_if(not triple and not wilds_alone, "clean_triple")
        refuse_if(count < self.minimum, "minimum")

    def _note_opening(self, *, from_holding: bool) -> None:
        if not self.modern:
            return
        others = sum(opener is not None for opener in self.opener)
        self.opener[self.side] = self.seat
        for seat in (self.seat, self.partner):
            self.turns_since_opening[seat] = 0
        if from_holding and self.stock >= 9:
            self.bonus_due = (4, 3)[others]

    def _note_melding(self) -> None:
        self.melded = True
        self.melded_in_turn.setdefault(self.seat, self.own_turns[self.seat])

    def _keep_a_card(self, coming: int) -> None:
        """Refuse a meld after which the turn could end neither with a card held nor by going out."""
        left = self.holding.total() - len(self._red_threes()) + coming
        if left == 0:
            refuse_if(self.last_card_is_discarded or not self.may_end_now(), "keep_a_card")
        elif left == 1:
            refuse_if(not (self.may_end_now() if coming else self.can_go_out()), "keep_a_card")
        if self.must_go_out or self.answer == "y":
            refuse_if(left > 0 and not self.can_go_out(), "must_go_out")

    def _red_threes(self) -> list[str]:
        return [card for card in self.holding.elements() if kind(card) == "3r"]

    def _take(self, rest: str) -> None:
        found = re.fullmatch(r"([456789TJQKA])([shdc]?)([1-9][0-9]*):(.*)", rest, re.DOTALL)
        if found is None:
            raise Refusal("notation")
        rank, size, text = found[1], int(found[3]), found[4]
        refuse_if(size != len(self.pile) or kind(self.pile[-1]) != rank, "pile")
        refuse_if(bool(found[2]) and self.pile[-1] != rank + found[2], "pile")
        if NUMBERED.fullmatch(text[:-1]) and text[-1] == ":":
            onto, groups = text[:-1], []
            self._check_number(onto)
        else:
            groups = self._groups(text) if text else []
            onto = groups[0].onto if groups else rank
        refuse_if(self.stock == 0 and not self.plays_on_without_stock, "stock")
        refuse_if(rank_of(onto) != rank, "top_card")
        if self.modern:
            self._check_modern_take(rank, groups)
        else:
            self._check_classic_take(onto, groups)
        self._begin_turn()
        self._move_pile(onto, groups)
        self.phase = "play"
        self._keep_a_card(coming=min(len(self._red_threes()), self.stock) if self.replaces else 0)

    def _check_modern_take(self, rank: str, groups: list[Group]) -> None:
        refuse_if(rank in self.dead, "dead")
        if not self.is_open:
            refuse_if(not groups, "pile_needs_opening")
            refuse_if(not 2 <= groups[0].naturals <= 4, "pile_group")
            self._check_opening(groups, self.pile[-1])
            self._check_minimum(sum(points_of(group.cards) for group in groups), groups)
            self._note_opening(from_holding=False)
            return
        own = self.own.get(rank, Counter())
        refuse_if(own.total() >= 5, "pile_meld_of_five")
        if groups:
            refuse_if(len(groups) > 1 or (groups[0].naturals, groups[0].wilds) != (2, 0), "pile_pair")
        else:
            refuse_if(not own or self.option["pile_needs_pair"], "pile_pair")

    def _check_classic_take(self, onto: str, groups: list[Group]) -> None:
        salon = self.ruleset == "classic_salon"
        refuse_if(salon and self.holding.total() == 1 and len(self.pile) == 1, "one_card")
        top = self.pile[-1]
        if not self.is_open:
            refuse_if(not groups or groups[0].naturals < 2, "frozen")
            self._check_opening(groups, top)
            count = sum(points_of(group.cards) for group in groups)
            if self.option.get("top_card_counts", True):
                count += points_of(Counter([top]))
            self._check_minimum(count, groups)
            return
        frozen = self.frozen or self.option.get("always_frozen", False)
        if not groups:
            refuse_if(frozen or onto not in self.own, "frozen" if frozen else "no_meld")
            return
        naturals, wilds = groups[0].naturals, groups[0].wilds
        is_pair = (naturals, wilds) == (2, 0) or (salon and naturals >= 2 and wilds == 0)
        may_hold_a_wild = not salon and not frozen
        refuse_if(len(groups) > 1, "pile_pair")
        refuse_if(not is_pair and not (may_hold_a_wild and (naturals, wilds) == (1, 1)), "pile_pair")
        self._check_group(groups[0], opening=False, wilds_beside=False, top=top)

    def _move_pile(self, onto: str, groups: list[Group]) -> None:
        for group in groups:
            self._lay(group.cards)
            self._place(group.onto, group.cards)
            if group.onto == "3b":
                self.must_go_out = True
        self._place(onto, Counter([self.pile[-1]]))
        self.holdings[self.seat] = self.holding + Counter(self.pile[:-1])
        self.pile, self.frozen, self.turned = [], False, 0
        self.replaces = self.ruleset == "classic_salon" and self.option["red_three_from_pile_replaced"]
        self.drew = False
        self._note_melding()

    def _take_back(self, rest: str) -> None:
        groups = self._groups(rest)
        refuse_if(not self.modern or self.is_open, "take_back")
        refuse_if(len({group.onto for group in groups}) != len(groups), "same_rank_twice")
        cards = sum((group.cards for group in groups), Counter())
        refuse_if(any(group.onto == "3b" for group in groups) or not cards <= self.holding, "not_held")
        self.failed_openings[self.side] += 1
        self.melded = True

    def _discard(self, rest: str) -> None:
        cards = read_some(rest, self.suited)
        refuse_if(cards.total() != 1, "notation")
        (card,) = cards
        refuse_if(card not in self.holding, "not_held")
        left = self.holding.total() - 1
        if self.modern:
            self._check_modern_discard(kind(card))
        refuse_if(left == 0 and not self.may_end_now(), "keep_a_card")
        bound = (self.must_go_out or self.answer == "y") and not self.clocked
        refuse_if(left > 0 and bound, "must_go_out")
        self._lay(cards)
        self.pile.append(card)
        if kind(card) in WILDS:
            self.frozen = True
        if left == 0:
            self.phase = "out"
        elif self.bonus_due:
            self.phase = "bonus"
        else:
            self._pass_on()

    def _check_modern_discard(self, card: str) -> None:
        held = count_kinds(self.holding)
        swad = {"7", "A", *WILDS} | self.dead
        only_swad = not self.pile and not set(held) - swad
        if self.option["swad_wild_last"] or not only_swad:
            refuse_if(card in WILDS and any(other not in WILDS for other in held), "wild_discard")
        if not self.pile and card in swad:
            refuse_if(any(other not in swad for other in held), "swad")

    def _bonus(self, rest: str) -> None:
        cards = read_some(rest, self.suited)
        refuse_if(cards.total() != self.bonus_due, "bonus_count")
        self._receive(cards)
        self.bonus_due = 0
        self.replaces = True
        self._stop_at_last_three(cards)

    def _out(self, rest: str) -> None:
        refuse_if(rest != "", "notation")
        self.out_seat = self.seat
        if self.ruleset == "classic_salon":
            this_turn = self.own_turns[self.seat]
            self.concealed = self.melded_in_turn.get(self.seat, this_turn) == this_turn
        elif self.ruleset == "classic_partnership":
            self.concealed = self.side_was_concealed
        self._end("out")

    def _ask(self, rest: str) -> None:
        refuse_if(rest != "", "notation")
        askers = {self.seat, self.partner} if self.option.get("question_once_a_side") else {self.seat}
        refuse_if(not self.modern or not self.drew or self.melded, "question")
        refuse_if(bool(self.asked & askers), "asked_before")
        refuse_if(not self.can_go_out(), "cannot_go_out")
        self.asked.add(self.seat)
        self.phase = "answer"

    def _yes(self, rest: str) -> None:
        refuse_if(rest != "", "notation")
        self.answer, self.phase = "y", "play"

    def _no(self, rest: str) -> None:
        refuse_if(rest != "", "notation")
        self.answer, self.phase = "n", "play"

    def _clock(self, rest: str) -> None:
        refuse_if(rest != "", "notation")
        refuse_if(not self.modern or not self.option["clock_seconds"] or self.clocked, "clock")
        refuse_if(self.phase == "draw" and self.stock == 0 and not self.can_take_pile(), "after_the_end")
        self.clocked = True

    def allows(self, event: str) -> bool:
        """Say whether an event could be played."""
        try:
            self.copy().play(event)
        except Refusal:
            return False
        return True

    def copy(self) -> Hand:
        """Copy the hand, to try an event on it."""
        twin = object.__new__(Hand)
        twin.__dict__ = {name: _copied(value) for name, value in self.__dict__.items()}
        return twin

    def can_take_pile(self) -> bool:
        """Say whether the pile could be taken in a modern hand, by trying every way."""
        if not self.pile or kind(self.pile[-1]) in WILDS:
            return False
        top = kind(self.pile[-1])
        take = f"{self.seat}t{top}{len(self.pile)}:"
        pairs = [card for card in self.holding.elements() if kind(card) == top]
        if self.is_open:
            return self.allows(take) or self.allows(take + "".join(pairs[:2]))
        return any(self.allows(take + "+".join(groups)) for groups in modern_openings(self.holding, top))

    def _special(self, rest: str) -> None:
        refuse_if(not self.modern or not self.option["special_hands"] or not self.drew, "special")
        if self.is_open:
            first_turn = self.opener[self.side] == self.partner and self.turns_since_opening[self.seat] == 1
            refuse_if(not first_turn, "special_too_late")
        refuse_if(self.answer == "y", "must_go_out")
        refuse_if(not is_special(rest, self.holding), "special")
        self.special, self.out_seat = rest, self.seat
        self._end("special")

    # ---------------------------------------------------------------- turns

    def _open_turn(self, seat: int) -> None:
        """Give the turn to a seat, which has not drawn yet."""
        self.seat = seat
        self.phase = "draw"
        self.answer: str | None = None
        self.must_go_out = self.melded = self.drew = self.clocked = False
        self.bonus_due = 0
        self.side_was_concealed = not self.melds[self.side_of[seat]]

    def _begin_turn(self) -> None:
        """Count the turn once it has begun with a draw or the pile."""
        self.turns += 1
        self.own_turns[self.seat] += 1
        self.turns_since_opening[self.seat] += 1

    def _pass_on(self) -> None:
        """End the turn: the next seat's, unless the stock ends the hand."""
        if self.stock == 0 and not self.plays_on_without_stock:
            self._end("stock")
        else:
            self._open_turn((self.seat + 1) % self.players)

    def _end(self, how: str) -> None:
        self.phase = "over"
        self.ended_by = how

    def _settle(self) -> None:
        """Move on from what needs no event once no 3s are owed."""
        if self.phase == "deal":
            while self.queue and not self.owed_threes(self.queue[0]):
                self.queue.pop(0)
            starter = (self.record["dealer"] + 1) % self.players
            if self.queue:
                self.seat = self.queue[0]
            else:
                self._open_turn(starter)
        elif self.phase == "bonus" and not self.bonus_due and not self.owed_threes(self.seat):
            self._pass_on()
        elif self.phase == "play" and not self.owed_threes(self.seat):
            self._settle_short_holding()

    def _settle_short_holding(self) -> None:
        held = self.holding.total()
        if held == 0:
            self.phase = "out"
        elif held == 1 and not self.can_go_out():
            self._end("stock")

    # ---------------------------------------------------------------- the result

    def _ledger(self, side: int) -> dict[str, int]:
        declared = self.special is not None and side == self.side_of[self.out_seat]
        special = {"special": SPECIAL_POINTS[self.special]} if declared else {}
        if declared and self.option["special_alone"]:
            return dict.fromkeys(PARTS, 0) | special
        held = {seat for seat in range(self.players) if self.special is None or seat != self.out_seat}
        holdings = [self.holdings[seat] for seat in held if self.side_of[seat] == side]
        went_out = self.ended_by == "out" and self.side_of[self.out_seat] == side
        if self.modern:
            ledger = modern_ledger(
                self.melds[side],
                self.threes[side],
                holdings,
                went_out,
                self.option["held_penalties_add"],
                self.excused,
            )
            return ledger | special
        going_out = (200 if self.concealed else 100) if went_out else 0
        return classic_ledger(self.melds[side], self.threes[side].total(), holdings, going_out)

    def _counts(self, side: int) -> dict[str, int]:
        kinds = ("natural", "mixed", "sevens", "aces", "wild") if self.modern else ("natural", "mixed")
        declared = self.special is not None and side == self.side_of[self.out_seat]
        if declared and self.option["special_alone"]:
            return dict.fromkeys(kinds, 0)
        counts = canasta_counts(self.melds[side], self.modern)
        return {name: counts[name] for name in kinds}

    def _game_end(self, scores: list[int], hand_no: int, dream_side: int | None) -> tuple[bool, int | None]:
        return game_end(
            self.ruleset,
            scores,
            hand_no,
            dream_side,
            short_game=self.option.get("short_game", False),
            level_plays_on=self.option.get("level_plays_on", True),
        )

    def result(self) -> dict[str, Any]:
        """Sum the hand up as the log's `result` does."""
        ledger = [self._ledger(side) for side in range(self.sides)]
        points = [sum(parts.values()) for parts in ledger]
        scores = [before + gained for before, gained in zip(self.score_before, points, strict=True)]
        dream = self.special is not None and self.special.startswith("dream")
        dream_side = self.side_of[self.out_seat] if dream else None
        game_over, winner = self._game_end(scores, self.record["hand_no"], dream_side)
        return {
            "ended_by": self.ended_by,
            "seat": self.out_seat,
            "concealed": self.concealed,
            "special": self.special,
            "points": points,
            "ledger": ledger,
            "canastas": [self._counts(side) for side in range(self.sides)],
            "score_after": scores,
            "game_over": game_over,
            "winner": winner,
        }
