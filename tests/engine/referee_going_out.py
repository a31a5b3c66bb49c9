"""Decide for the referee what a player can still do, by trying every way to lay the holding.

The first two searches ask the same: can all cards but the last discard (classic_salon: all cards) be laid,
and the side go out? The order does not matter: naturals can always be laid before the wild cards that need
them, an unfinished wild meld is finished first, a new one is laid last and whole (a second
one never is: the twelve wild cards leave it five).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from tests.engine.referee_cards import NATURALS, ORDER, WILDS, kind, rank_of


def leftovers(holding: Counter, may_lay_all: bool) -> Iterator[Counter]:
    """Yield the holding less each possible last discard, and whole where the last card may be laid."""
    if may_lay_all:
        yield holding
    for card in holding:
        yield +(holding - Counter([card]))


def _spreads(choices: list[list[tuple[int, int]]]) -> set[tuple[int, int]]:
    """Sum one (wilds used, canastas made) choice of each meld, in every way."""
    sums = {(0, 0)}
    for options in choices:
        sums = {(wilds + w, canastas + c) for wilds, canastas in sums for w, c in options}
    return sums


def modern_can_go_out(
    holding: Counter,
    melds: dict[str, Counter],
    dead: set[str],
    excused: set[str],
    *,
    five_natural_rule: bool,
    pair_and_wild_out: bool,
    mixed_aces_take_wilds: bool,
) -> bool:
    """Say whether an opened modern side's player can meld all cards but one and then go out (M-out)."""
    return any(
        _modern_lays(rest, melds, dead, excused, five_natural_rule, pair_and_wild_out, mixed_aces_take_wilds)
        for rest in leftovers(holding, may_lay_all=False)
    )


def _modern_lays(
    rest: Counter,
    melds: dict[str, Counter],
    dead: set[str],
    excused: set[str],
    five: bool,
    pair: bool,
    aces: bool,
) -> bool:
    choices = []
    for rank in NATURALS:
        options = _modern_choices(
            rank, rest[rank], melds.get(rank, Counter()), rank in dead, five, pair, aces
        )
        if rank in excused and not rest[rank] and rank in melds:
            options = options or [(0, 0)]
        if not options:
            return False
        choices.append(options)
    wild_sizes = [meld.total() for onto, meld in melds.items() if rank_of(onto) == "W"]
    choices += [[(7 - size, 1)] for size in wild_sizes] or [[(0, 0), (7, 1)]]
    wilds = sum(rest[card] for card in WILDS)
    return any(used == wilds and canastas >= 2 for used, canastas in _spreads(choices))


def _modern_choices(
    rank: str, laid: int, meld: Counter, is_dead: bool, five: bool, pair: bool, aces: bool
) -> list[tuple[int, int]]:
    """List (wilds added, canastas) for one rank when all its naturals in the holding are laid."""
    old_wilds = sum(meld[card] for card in WILDS)
    old_naturals = meld.total() - old_wilds
    naturals = old_naturals + laid
    if naturals == 0:
        return [(0, 0)]
    options = []
    for added in range(3):
        wilds, size = old_wilds + added, naturals + old_wilds + added
        if (laid or added) and (is_dead or size > 7 or naturals < 2 or size < 3 or wilds > 2):
            continue
        if added:
            if rank == "7" or (rank == "A" and not (old_wilds and aces)):
                continue
            is_pair_and_wild = pair and not meld and added == 1 and rank != "A"
            if five and naturals < 5 and not is_pair_and_wild:
                continue
        if size < 7 and (rank == "7" or (rank == "A" and wilds == 0)):
            continue
        options.append((added, int(size >= 7)))
    return options


def classic_can_go_out(
    holding: Counter,
    melds: dict[str, Counter],
    canastas_needed: int,
    *,
    last_card_is_discarded: bool,
    black_three_melds: bool,
    melds_of_a_rank: int,
) -> bool:
    """Say whether an opened classic side's player can go out this turn (S-out, P-out)."""
    return any(
        _classic_lays(rest, melds, canastas_needed, melds_of_a_rank)
        for rest in leftovers(holding, may_lay_all=not last_card_is_discarded)
        if black_three_melds or not rest["3b"]
    )


def _classic_lays(rest: Counter, melds: dict[str, Counter], canastas_needed: int, most: int) -> bool:
    black = rest["3b"]
    if black and not 3 <= black + melds.get("3b", Counter()).total() <= 4:
        return False
    choices = []
    for rank in NATURALS:
        lying = [meld for onto, meld in melds.items() if rank_of(onto) == rank]
        if lying or rest[rank]:
            choices.append(_classic_choices(rest[rank], lying, most))
    wilds = sum(rest[card] for card in WILDS)
    return any(used == wilds and canastas >= canastas_needed for used, canastas in _spreads(choices))


def _classic_choices(laid: int, lying: list[Counter], most: int) -> list[tuple[int, int]]:
    """List (wilds added, canastas) for one rank, its naturals in the holding spread over `most` melds."""
    ways = {(laid, 0, 0)}
    for meld in lying + [Counter()] * (most - len(lying)):
        old_wilds = sum(meld[card] for card in WILDS)
        old_naturals = meld.total() - old_wilds
        ways = {
            (left - naturals, wilds + added, canastas + (size >= 7))
            for left, wilds, canastas in ways
            for naturals in range(left + 1)
            for added in range(4 - old_wilds)
            if (size := meld.total() + naturals + added) == 0 or (old_naturals + naturals >= 2 and size >= 3)
        }
    return sorted({(wilds, canastas) for left, wilds, canastas in ways if left == 0})


def modern_openings(holding: Counter, top: str) -> Iterator[list[str]]:
    """Yield the groups of every opening by the pile that might do, the top card's own group first."""
    held = {name: [card for card in holding.elements() if kind(card) == name] for name in ORDER}

    def extended(
        groups: list[str], ranks: list[str], twos: list[str], jokers: list[str]
    ) -> Iterator[list[str]]:
        if groups:
            yield groups
            for size in range(3, min(len(twos + jokers), 7) + 1):
                yield [*groups, "W:" + "".join((twos + jokers)[:size])]
                yield [*groups, "W:" + "".join((twos + jokers)[-size:])]
        for place, rank in enumerate(ranks if len(groups) < 5 else []):
            for naturals in range(2, min(len(held[rank]), 7) + 1):
                for a in range(min(2, len(twos)) + 1):
                    for b in range(min(2 - a, len(jokers)) + 1):
                        group = "".join(held[rank][:naturals] + twos[:a] + jokers[:b])
                        later = others if rank == top else ranks[place + 1 :]
                        yield from extended([*groups, group], later, twos[a:], jokers[b:])

    others = [rank for rank in NATURALS if rank != top]
    yield from extended([], [top], held["2"], held["*"])
