"""Play random hands by the referee's word alone, rare plays often, and note plausible plays that it refused.

The engine has no part in this: what it later refuses of these hands, or accepts of the refused plays, is a
difference between two readings of the rules.
"""

from __future__ import annotations

import random
from collections import Counter
from dataclasses import dataclass, field, replace
from typing import Any

from tests.engine.referee import SETTINGS, Hand
from tests.engine.referee_cards import (
    NATURALS,
    ORDER,
    WILDS,
    Refusal,
    count_kinds,
    full_deck,
    kind,
    rank_of,
)
from tests.engine.referee_score import SPECIAL_POINTS, game_end, is_special

SUITS = "shdc"
FLAVOURS = ("fair", "sorted", "ranks_by_side", "late_threes", "special", "wilds", "canastas", "canastas")
#: Flavours that are frequent too where an option lets several melds of a rank lie.
FLAVOURS_OF_SEVERAL = {
    "one_wild_meld": ("wilds_of_a_side",) * 6,
    "one_meld_a_rank": ("long_ranks",) * 6,
}
#: The chance that groups on numbered melds are tried before the others.
NUMBERED_FIRST = 0.8
PATTERNS = {
    "pairs": ((2,) * 7, ""),
    "wild_pairs": ((2,) * 4, "AA77w"),
    "miami_pairs": ((2,) * 3, "AA7722**"),
    "zip_code": ((4, 3, 3, 2), "w"),
    "garbage": ((4, 4, 3, 3), ""),
    "blast_off": ((5, 4, 3), "w"),
    "triples": ((3,) * 4, "w"),
    "quads": ((4,) * 3, "w"),
    "dream_4": ((5, 5), "ww"),
    "dream_5": ((5, 4), "222**"),
}


@dataclass
class RandomHand:
    """A finished hand and what was refused on the way: (events before it, event, reason word)."""

    record: dict[str, Any]
    refused: list[tuple[int, str, str]] = field(default_factory=list)


def attempt(hand: Hand, event: str) -> Hand | str:
    """Try an event: the hand after it, or the reason word of its refusal."""
    twin = hand.copy()
    try:
        twin.play(event)
    except Refusal as refusal:
        return str(refusal)
    return twin


def text_of(cards: Counter | list[str]) -> str:
    """Write cards in the log's order."""
    each = cards.elements() if isinstance(cards, Counter) else cards
    return "".join(sorted(each, key=lambda card: (ORDER.index(kind(card)), SUITS.find(card[-1]))))


def group_text(onto: str, cards: list[str]) -> str:
    """Write one group."""
    prefix = f"{onto}:" if "#" in onto or all(kind(card) in WILDS for card in cards) else ""
    return prefix + text_of(cards)


# ---------------------------------------------------------------- the deal


def deck_in_order(rng: random.Random, flavour: str, suited: bool, modern: bool, dealt: int) -> list[str]:
    """Order the 108 cards so that the flavour's rare things happen; the first are dealt."""
    deck = list(full_deck(suited).elements())
    rng.shuffle(deck)
    if flavour == "sorted":  # runs of few ranks: canastas, dead ranks, takings of the pile
        ranks = list(range(len(ORDER)))
        rng.shuffle(ranks)
        deck.sort(key=lambda card: ranks[ORDER.index(kind(card))] + rng.gauss(0, 4))
    elif flavour == "ranks_by_side":  # each side draws its own ranks: going out
        low = set(rng.sample(NATURALS, 6))
        sides: list[list[str]] = [[], []]
        for card in deck:
            wild = kind(card) in WILDS or kind(card)[0] == "3"
            sides[rng.random() < 0.5 if wild or rng.random() < 0.15 else kind(card) in low].append(card)
        deck = []
        size = dealt
        for seat in range(4):
            own = sides[seat % 2]
            deck += [own.pop() if own else sides[1 - seat % 2].pop() for _ in range(size)]
        rest = [card for pair in zip(sides[0], sides[1], strict=False) for card in pair]
        deck += rest + sides[0][len(rest) // 2 :] + sides[1][len(rest) // 2 :]
    elif flavour == "late_threes":
        deck.sort(key=lambda card: kind(card)[0] == "3" and rng.random() < 0.8)
        tail = deck[-12:]
        rng.shuffle(tail)
        deck[-12:] = tail
    elif flavour == "special" and modern:
        deck = _with_special(rng, deck)
    elif flavour == "canastas":  # nearly complete ones dealt: going out soon, at once, concealed
        deck = _with_canastas(rng, deck, dealt)
    elif flavour == "long_ranks":  # most of a rank dealt to a seat: melds of a rank side by side
        deck = _with_long_ranks(rng, deck, dealt)
    elif flavour == "wilds_of_a_side":  # seven to one seat: a closed wild meld, and cards for a second
        deck = _with_wilds_of_a_side(rng, deck, dealt)
    elif flavour == "wilds":
        deck.sort(key=lambda card: rng.random() - 0.6 * (kind(card) in WILDS))
    return deck


def _with_special(rng: random.Random, deck: list[str]) -> list[str]:
    """Give one seat all but one card of a special hand, and the last as the card it draws first."""
    sizes, fixed = PATTERNS[rng.choice(list(PATTERNS))]
    wild = rng.choice("2*")
    wanted = Counter(fixed.replace("w", wild * 2))
    ranks = [rank for rank in NATURALS if rank not in wanted]
    for size, rank in zip(sizes, rng.sample(ranks, len(sizes)), strict=True):
        wanted[rank] += size
    chosen = []
    for card in deck:
        if wanted[kind(card)] > 0:
            wanted[kind(card)] -= 1
            chosen.append(card)
    rest = list((Counter(deck) - Counter(chosen)).elements())
    rng.shuffle(rest)
    rest.sort(key=lambda card: kind(card)[0] == "3")
    seat = rng.randrange(4)
    deck = rest[: 13 * seat] + chosen[:13] + rest[13 * seat :]
    deck.insert(52 + seat, chosen[13])
    return deck


def _with_canastas(rng: random.Random, deck: list[str], dealt: int) -> list[str]:
    """Deal four seats one long and one shorter rank each, some black 3s and pairs; the rest as it lies."""
    ranks = rng.sample(NATURALS, 8)
    wanted = [
        Counter({long: rng.randint(5, 8), short: rng.randint(2, 5), "3b": rng.choice([0, 0, 3])})
        for long, short in zip(ranks[:4], ranks[4:], strict=True)
    ]
    return _dealing(deck, wanted, dealt)


def _dealing(deck: list[str], wanted: list[Counter[str]], dealt: int) -> list[str]:
    """Order a deck so that each of four seats is dealt what is wanted for it."""
    dealt_cards: list[list[str]] = [[] for _ in wanted]
    rest = []
    for card in deck:
        seat = next((seat for seat in range(4) if wanted[seat][kind(card)] > 0), None)
        if seat is None or len(dealt_cards[seat]) == dealt:
            rest.append(card)
        else:
            wanted[seat][kind(card)] -= 1
            dealt_cards[seat].append(card)
    for cards in dealt_cards:
        missing = dealt - len(cards)
        cards += rest[:missing]
        del rest[:missing]
    return [card for cards in dealt_cards for card in cards] + rest


def _with_long_ranks(rng: random.Random, deck: list[str], dealt: int) -> list[str]:
    """Deal four seats up to eight cards of a rank, three of another and three wild cards."""
    ranks = rng.sample(NATURALS, 8)
    wanted = [
        Counter({ranks[seat]: rng.choice([4, 6, 8]), ranks[seat + 4]: 3, "2": 2, "*": 1}) for seat in range(4)
    ]
    return _dealing(deck, wanted, dealt)


def _with_wilds_of_a_side(rng: random.Random, deck: list[str], dealt: int) -> list[str]:
    """Deal seven wild cards to one seat, and three or more to it or its partner."""
    jokers, seat = rng.randint(0, 4), rng.randrange(4)
    more = rng.randint(3, 5)
    wanted = [Counter[str]() for _ in range(4)]
    wanted[seat] = Counter({"2": 7 - jokers, "*": jokers})
    wanted[rng.choice([seat, (seat + 2) % 4])] += Counter({"2": min(more, jokers + 1), "*": 4 - jokers})
    return _dealing(deck, wanted, dealt)


def random_options(rng: random.Random, ruleset: str) -> dict[str, Any]:
    """Draw options, about half of them away from their defaults."""
    choices: dict[str, list[Any]] = {
        name: [not default] for name, default in SETTINGS[ruleset].items() if isinstance(default, bool)
    }
    if ruleset == "modern_american":
        choices["clock_seconds"] = [0, 10, 180]
    if ruleset == "classic_salon":
        choices["canastas_to_go_out"] = [1, 2]
        del choices["singles"]
    return {name: rng.choice(values) for name, values in choices.items() if rng.random() < 0.5}


def scores_before(
    rng: random.Random,
    ruleset: str,
    options: dict[str, Any],
    sides: int,
    hand_no: int,
) -> list[int]:
    """Draw scores about the minimums and the targets at which the game still goes on."""
    rules = {name: options[name] for name in ("short_game", "level_plays_on") if name in options}
    while True:
        scores = [rng.choice([-500, -5, 0, 1495, 1500, 2995, 3000, 4995, 5000]) for _ in range(sides)]
        if not game_end(ruleset, scores, hand_no - 1, None, **rules)[0]:
            return scores


def blank(
    rng: random.Random,
    ruleset: str,
    players: int,
    options: dict[str, Any],
    *,
    flavour: str,
    suited: bool,
) -> tuple[dict[str, Any], list[str]]:
    """Deal: a record without events, and the stock in the order of drawing."""
    modern = ruleset == "modern_american"
    size = 13 if modern else {2: 15, 3: 13, 4: 11}[players]
    alone = players < 4 or options.get("singles", False)
    dealer = rng.randrange(players)
    deck = deck_in_order(rng, flavour, suited, modern, size)
    holdings, rest = (
        [deck[size * seat : size * (seat + 1)] for seat in range(players)],
        deck[size * players :],
    )
    turned = 0
    if not modern:
        while kind(rest[turned]) in (*WILDS, "3r"):
            turned += 1
        turned += 1
    # the first seat of the deck's order plays first
    holdings = [holdings[(seat - dealer - 1) % players] for seat in range(players)]
    hand_no = rng.choice([1, 2, 39, 40])
    record = {
        "format": "canasta-hand/1",
        "hand_id": f"h-{rng.randrange(10**9)}",
        "game_id": "g-1",
        "hand_no": hand_no,
        "started_at": "2026-01-05T18:00:00Z",
        "ended_at": "2026-01-05T18:09:12Z",
        "mode": "live",
        "ruleset": ruleset,
        "options": options,
        "cards": "suit" if suited else "rank",
        "seats": [
            {"seat": seat, "side": seat if alone else seat % 2, "kind": "human", "player": f"p-{seat}"}
            for seat in range(players)
        ],
        "dealer": dealer,
        "score_before": scores_before(rng, ruleset, options, players if alone else 2, hand_no),
        "deal": {
            "holdings": [text_of(Counter(holding)) for holding in holdings],
            "upcards": "".join(rest[:turned]),
        },
        "events": "",
    }
    return record, rest[turned:]


# ---------------------------------------------------------------- candidate plays


def some(rng: random.Random, holding: Counter, wanted: str, count: int) -> list[str]:
    """Pick cards of a kind from a holding."""
    cards = [card for card in holding.elements() if kind(card) == wanted]
    return rng.sample(cards, min(count, len(cards)))


@dataclass(frozen=True)
class Shape:
    """How many cards of each kind a group is to have, and the meld that it names."""

    onto: str
    naturals: int
    twos: int
    jokers: int

    def text(self, rng: random.Random, holding: Counter) -> str:
        """Write a group of this shape with cards of a holding."""
        cards = some(rng, holding, rank_of(self.onto), self.naturals)
        cards += some(rng, holding, "2", self.twos) + some(rng, holding, "*", self.jokers)
        return group_text(self.onto, cards)


def numbered(hand: Hand) -> list[str]:
    """List the numbered melds where an option allows any: those that lie, and of each rank the next two."""
    several = {"W"} if not hand.option.get("one_wild_meld", True) else set()
    if not hand.option.get("one_meld_a_rank", True):
        several |= set(NATURALS)
    lying = Counter(rank_of(onto) for onto in hand.own)
    return [
        f"{rank}#{number}"
        for rank, count in lying.items()
        if rank in several
        for number in range(2, min(count + 2, 4) + 1)
    ]


def single_shapes(hand: Hand) -> list[Shape]:
    """List every group that the holding has cards for, legal or not."""
    kinds = count_kinds(hand.holding)
    wilds = [(twos, jokers) for twos in range(kinds["2"] + 1) for jokers in range(kinds["*"] + 1)]
    shapes = [
        Shape(onto, naturals, twos, jokers)
        for onto in (*NATURALS, "3b")
        for naturals in range(kinds[onto] + 1)
        for twos, jokers in wilds
        if naturals + twos + jokers > 0 and twos + jokers <= 3 and (naturals or onto in hand.own)
    ]
    shapes += [Shape("W", 0, *both) for both in wilds if 0 < sum(both) <= 7]
    return shapes + [
        Shape(onto, naturals, twos, jokers)
        for onto in numbered(hand)
        for naturals in range(kinds[rank_of(onto)] + 1)
        for twos, jokers in wilds
        if naturals + twos + jokers > 0 and twos + jokers <= (5 if onto[0] == "W" else 3)
        if naturals or onto in hand.own or onto[0] == "W"
    ]


def opening_groups(rng: random.Random, hand: Hand, top: str | None = None) -> str | None:
    """Make up an opening: mostly sound groups, now and then not."""
    kinds = count_kinds(hand.holding)
    left, groups = hand.holding.copy(), []
    ranks = [rank for rank in (*NATURALS, "3b") if kinds[rank] >= 2 and rank != top]
    rng.shuffle(ranks)
    if top is not None:
        ranks.insert(0, top)
    most = rng.randrange(1, 6)
    saves = not hand.option.get("one_meld_a_rank", True) and rng.random() < 0.5  # for further melds
    for rank in ranks[:most]:
        least = 2 if rank == top else min(kinds[rank], rng.choice([2, 3, 3, 3]))
        fewest = min(2 if saves else least, kinds[rank])
        naturals = some(rng, left, rank, fewest if saves else rng.randint(fewest, kinds[rank]))
        wanted = 0 if rng.random() < 0.5 and (len(naturals) > 2 or rank == top) else rng.randint(1, 3)
        wanted = min(wanted, 1) if saves else wanted
        wilds = [card for card in left.elements() if kind(card) in WILDS]
        wilds = rng.sample(wilds, min(wanted, len(wilds)))
        if naturals:
            groups.append(group_text(rank, naturals + wilds))
            left -= Counter(naturals + wilds)
    wilds = [card for card in left.elements() if kind(card) in WILDS]
    if len(wilds) >= 3 and rng.random() < 0.4:
        groups.append(group_text("W", rng.sample(wilds, rng.randint(3, min(7, len(wilds))))))
    return "+".join(groups) if groups else None


def takings(rng: random.Random, hand: Hand) -> list[str]:
    """List ways to take the pile, legal or not."""
    if not hand.pile:
        return []
    top, size = kind(hand.pile[-1]), len(hand.pile)
    head = f"{hand.seat}t{top}{size}:"
    if not hand.is_open:
        openings = {opening_groups(rng, hand, top) for _ in range(12)} - {None}
        return [head, *(head + groups for groups in sorted(openings))]
    kinds = count_kinds(hand.holding)
    shapes = [
        Shape(top, naturals, twos, jokers)
        for naturals in range(1, min(3, kinds[top]) + 1)
        for twos in range(min(2, kinds["2"]) + 1)
        for jokers in range(min(2, kinds["*"]) + 1)
    ]
    events = [head, *(head + shape.text(rng, hand.holding) for shape in shapes)]
    rng.shuffle(events)
    own = [onto for onto in numbered(hand) if rank_of(onto) == top]
    more = [replace(shape, onto=onto) for onto in own for shape in shapes]
    groups = [shape.text(rng, hand.holding) for shape in more if "W" not in shape.onto]
    groups = [group for group in groups if not set(group[3:]) & set(WILDS) or rng.random() < 0.2]
    groups += [f"{onto}:" for onto in own]
    rng.shuffle(groups)
    if groups and rng.random() < NUMBERED_FIRST:
        return [head + group for group in groups] + events
    return events + [head + group for group in groups]


def specials(hand: Hand) -> list[str]:
    """List the special hands that the holding is."""
    return [f"{hand.seat}s{name}" for name in SPECIAL_POINTS if is_special(name, hand.holding)]


# ---------------------------------------------------------------- play


@dataclass
class Habits:
    """How a random player leans, drawn anew for each hand.

    The numbers are chances; the shy start no meld of 7s, aces or wild cards; the tidy lay large groups
    and keep what their side melds, and so go out now and then.
    """

    take: float
    meld: float
    open: float
    clock: float
    take_back: float
    ask: float
    special: float
    note: float
    aim: float
    shy: bool
    tidy: bool

    @classmethod
    def draw(cls, rng: random.Random) -> Habits:
        return cls(
            take=rng.choice([0.1, 0.6, 1.0]),
            meld=rng.choice([0.3, 0.7, 1.0]),
            open=rng.choice([0.3, 0.9]),
            clock=rng.choice([0.0, 0.0, 0.05]),
            take_back=rng.choice([0.0, 0.05]),
            ask=rng.choice([0.0, 0.5, 0.9]),
            special=0.8,
            note=0.3,
            aim=rng.choice([0.0, 0.6, 0.9]),
            shy=rng.random() < 0.6,
            tidy=rng.random() < 0.7,
        )


class Table:
    """A hand in play: the referee's hand, the stock in order, the events so far."""

    def __init__(self, rng: random.Random, record: dict[str, Any], stock: list[str]) -> None:
        self.rng, self.record, self.stock = rng, record, stock
        self.hand = Hand(record)
        self.habits = Habits.draw(rng)
        self.events: list[str] = []
        self.refused: list[tuple[int, str, str]] = []

    def chance(self, probability: float) -> bool:
        return self.rng.random() < probability

    def try_event(self, event: str) -> bool:
        """Play an event if the referee lets it; note it where not."""
        after = attempt(self.hand, event)
        if isinstance(after, Hand):
            self.hand = after
            self.events.append(event)
            return True
        if self.chance(self.habits.note):
            self.refused.append((len(self.events), event, after))
        return False

    def first_of(self, events: list[str], most: int = 40) -> bool:
        return any(self.try_event(event) for event in events[:most])

    def must(self, event: str) -> None:
        if not self.try_event(event):
            raise AssertionError(f"{self.events} then {event}: {attempt(self.hand, event)}")

    def step(self) -> bool:
        """Play on; False once the hand has ended."""
        hand = self.hand
        if hand.phase == "over":
            return False
        owed = hand.owed_threes(hand.seat) if hand.phase != "out" else []
        if owed:
            card = self.rng.choice(owed)
            replaced = hand.replaces and self.stock
            self.must(f"{hand.seat}3{card}" + (f">{self.stock.pop(0)}" if replaced else ""))
        elif hand.phase == "draw":
            return self.draw_step()
        elif hand.phase == "play":
            self.play_step()
        elif hand.phase == "answer":
            self.must(f"{hand.partner}{self.rng.choice('yyn')}")
        elif hand.phase == "bonus":
            self.must(f"{hand.seat}b{text_of([self.stock.pop(0) for _ in range(hand.bonus_due)])}")
        else:
            self.must(f"{hand.seat}o")
        return True

    def draw_step(self) -> bool:
        hand = self.hand
        if self.chance(self.habits.clock) and self.try_event(f"{hand.seat}k"):
            return True
        if not hand.clocked and self.chance(self.habits.take) and self.first_of(takings(self.rng, hand), 25):
            return True
        count = min(2 if not hand.modern and hand.players < 4 else 1, len(self.stock))
        if not count:
            return False
        self.must(f"{hand.seat}d{text_of(self.stock[:count])}")
        del self.stock[:count]
        return True

    def play_step(self) -> None:
        hand, seat = self.hand, self.hand.seat
        if not hand.clocked:
            if self.chance(self.habits.special) and self.first_of(specials(hand)):
                return
            if self.chance(self.habits.take_back):
                groups = opening_groups(self.rng, hand)
                if groups and self.try_event(f"{seat}r{groups}"):
                    return
            if (
                hand.modern
                and not hand.melded
                and self.chance(self.habits.ask)
                and self.try_event(f"{seat}q")
            ):
                return
            if self.chance(self.habits.clock) and self.try_event(f"{seat}k"):
                return
            bound = hand.must_go_out or hand.answer == "y"
            if (
                not bound
                and self.chance(self.habits.aim)
                and hand.can_go_out()
                and self.meld_on_the_way_out()
            ):
                return
            if (bound or self.chance(self.habits.meld)) and self.meld_step():
                return
        self.discard_step()

    def meld_step(self) -> bool:
        hand, seat = self.hand, self.hand.seat
        if hand.is_open:
            bound = hand.must_go_out or hand.answer == "y"
            return self.single_meld(shy=self.habits.shy and not bound, most=10**6 if bound else 40)
        if not self.chance(self.habits.open):
            return False
        openings = {opening_groups(self.rng, hand) for _ in range(10)} - {None}
        events = [f"{seat}m{groups}" for groups in sorted(openings)]
        if not hand.option.get("one_wild_meld", True):  # a closed wild meld, for another to follow
            wilds = [card for card in hand.holding.elements() if kind(card) in WILDS]
            events = [f"{seat}m{group_text('W', wilds[:7])}" for _ in wilds[6:7]] + events
        return self.first_of(events)

    def meld_on_the_way_out(self) -> bool:
        """Lay a group after which the player can still go out, if there is one."""
        hand = self.hand
        shapes = single_shapes(hand)
        self.rng.shuffle(shapes)
        for shape in shapes:
            event = f"{hand.seat}m{shape.text(self.rng, hand.holding)}"
            after = attempt(hand, event)
            if isinstance(after, Hand) and (after.phase == "out" or after.can_go_out()):
                return self.try_event(event)
        return False

    def single_meld(self, *, shy: bool, most: int) -> bool:
        """Lay one group, trying shapes in random order."""
        hand = self.hand
        shapes = single_shapes(hand)
        self.rng.shuffle(shapes)
        if shy:
            shapes = [shape for shape in shapes if shape.onto not in "7AW"]
        if self.habits.tidy:
            shapes.sort(key=lambda shape: shape.onto in hand.own and shape.naturals, reverse=True)
        if numbered(hand) and self.chance(NUMBERED_FIRST):
            begins = self.chance(0.7)
            shapes.sort(key=lambda shape: begins and (shape.onto in hand.own or shape.naturals != 2))
            shapes.sort(key=lambda shape: "#" not in shape.onto or shape.naturals > 3)
        return any(
            self.try_event(f"{hand.seat}m{shape.text(self.rng, hand.holding)}") for shape in shapes[:most]
        )

    def discard_step(self) -> None:
        hand = self.hand
        cards = sorted(hand.holding)
        self.rng.shuffle(cards)
        if self.chance(0.9):
            keep = {*WILDS, "3b", *(hand.own if self.habits.tidy else ())}
            cards.sort(key=lambda card: kind(card) in keep)
        if self.first_of([f"{hand.seat}x{card}" for card in cards], len(cards)):
            return
        if not self.single_meld(shy=False, most=10**6):
            raise AssertionError(f"stuck after {self.events} of {self.record}")


def random_hand(
    seed: str, ruleset: str, players: int = 4, options: dict[str, Any] | None = None, *, suited: bool = False
) -> RandomHand:
    """Play one hand; the same seed plays the same hand."""
    rng = random.Random(f"{seed} {ruleset} {players} {options} {suited}")
    chosen = random_options(rng, ruleset) if options is None else options
    if ruleset == "classic_salon" and players != 4:
        chosen = {"players": players, **chosen}
    flavours = list(FLAVOURS)
    for option, more in FLAVOURS_OF_SEVERAL.items():
        flavours += more if not chosen.get(option, True) else ()
    record, stock = blank(rng, ruleset, players, chosen, flavour=rng.choice(flavours), suited=suited)
    table = Table(rng, record, stock)
    while table.step():
        pass
    table.hand.stop()
    record["events"] = " ".join(table.events)
    record["turns"] = table.hand.turns
    record["result"] = table.hand.result()
    return RandomHand(record, table.refused)
