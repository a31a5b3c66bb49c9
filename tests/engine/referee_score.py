"""Score a finished hand for the referee: ledger, canasta counts and the end of the game."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection

from tests.engine.referee_cards import NATURALS, WILDS, count_kinds, points_of, rank_of

SPECIAL_POINTS = {
    "pairs": 2500,
    "wild_pairs": 2000,
    "miami_pairs": 2500,
    "zip_code": 2500,
    "garbage": 3000,
    "blast_off": 3000,
    "triples": 3500,
    "quads": 3500,
    "dream_4": 8500,
    "dream_5": 8500,
}
PARTS = ("canastas", "threes", "going_out", "melds", "holdings", "penalties", "special")
COLOUR_OF_THREES = (0, 100, 300, 500, 1000)


def is_special(name: str, cards: Counter) -> bool:
    """Say whether 14 cards are the special hand of that name (table of M-special)."""
    kinds = count_kinds(cards)
    if name not in SPECIAL_POINTS or cards.total() != 14 or kinds["3r"] or kinds["3b"]:
        return False
    twos, jokers = kinds["2"], kinds["*"]
    naturals = sorted((kinds[rank] for rank in NATURALS if kinds[rank]), reverse=True)
    wild_groups = [count for count in (twos, jokers) if count]
    with_one_wild_group = sorted(naturals + wild_groups, reverse=True) if len(wild_groups) <= 1 else None
    aces_and_sevens = kinds["A"] == 2 and kinds["7"] == 2
    return {
        "pairs": naturals == [2] * 7,
        "wild_pairs": aces_and_sevens and naturals == [2] * 6 and wild_groups == [2],
        "miami_pairs": aces_and_sevens and naturals == [2] * 5 and wild_groups == [2, 2],
        "zip_code": with_one_wild_group == [4, 3, 3, 2, 2],
        "garbage": naturals == [4, 4, 3, 3],
        "blast_off": with_one_wild_group == [5, 4, 3, 2],
        "triples": naturals == [3, 3, 3, 3] and wild_groups == [2],
        "quads": naturals == [4, 4, 4] and wild_groups == [2],
        "dream_4": naturals == [5, 5] and wild_groups == [4],
        "dream_5": naturals == [5, 4] and twos + jokers == 5,
    }[name]


def canasta_counts(melds: dict[str, Counter], modern: bool) -> Counter:
    """Count a side's canastas by kind."""
    counts: Counter = Counter()
    for onto, cards in melds.items():
        rank, kinds = rank_of(onto), count_kinds(cards)
        if rank == "3b" or cards.total() < 7:
            continue
        wilds = sum(kinds[card] for card in WILDS)
        if rank == "W":
            counts["wild"] += 1
        elif wilds:
            counts["mixed"] += 1
        elif modern and rank in "7A":
            counts["sevens" if rank == "7" else "aces"] += 1
        else:
            counts["natural"] += 1
    return counts


def is_unfinished(onto: str, cards: Counter) -> bool:
    """Say whether a meld of 7s, natural aces or wild cards is below seven cards."""
    if cards.total() == 0 or cards.total() >= 7:
        return False
    rank = rank_of(onto)
    return rank in ("7", "W") or (rank == "A" and not any(card[0] in WILDS for card in cards))


def modern_ledger(
    melds: dict[str, Counter],
    threes: Counter,
    holdings: list[Counter],
    went_out: bool,
    held_penalties_add: bool,
    excused: Collection[str] = (),
) -> dict[str, int]:
    """Score one modern side that declared no special hand."""
    counts = canasta_counts(melds, modern=True)
    canastas = counts.total()
    bonus = 500 * counts["natural"] + 300 * counts["mixed"] + 2500 * (counts["sevens"] + counts["aces"])
    if counts["wild"]:
        bonus += {0: 3000, 4: 2500}.get(melds["W"]["*"], 2000)
    laid_threes = sum(COLOUR_OF_THREES[count] for count in count_kinds(threes).values())
    penalties = 0
    for onto, cards in melds.items():
        if is_unfinished(onto, cards) and onto not in excused:
            penalties += 2000 if rank_of(onto) == "W" else 2500
    for holding in holdings:
        kinds = count_kinds(holding)
        heavy = (kinds["A"] >= 3) + (kinds["7"] >= 3)
        penalties += 1500 * (heavy if held_penalties_add else min(heavy, 1))
    melded = sum(map(points_of, melds.values()))
    return {
        "canastas": bonus,
        "threes": laid_threes * (-1, 0, 1)[min(canastas, 2)],
        "going_out": 100 if went_out else 0,
        "melds": melded if canastas else -melded,
        "holdings": -sum(map(points_of, holdings)),
        "penalties": -penalties,
        "special": 0,
    }


def classic_ledger(
    melds: dict[str, Counter], red_threes: int, holdings: list[Counter], going_out_points: int
) -> dict[str, int]:
    """Score one classic side."""
    counts = canasta_counts(melds, modern=False)
    reds = 800 if red_threes == 4 else 100 * red_threes
    return {
        "canastas": 500 * counts["natural"] + 300 * counts["mixed"],
        "threes": reds if melds else -reds,
        "going_out": going_out_points,
        "melds": sum(map(points_of, melds.values())),
        "holdings": -sum(map(points_of, holdings)),
        "penalties": 0,
        "special": 0,
    }


def game_end(
    ruleset: str,
    scores: list[int],
    hand_no: int,
    dream_side: int | None,
    *,
    short_game: bool = False,
    level_plays_on: bool = True,
) -> tuple[bool, int | None]:
    """Say whether the game is over and who won (None: nobody yet, or a draw)."""
    if dream_side is not None:
        return True, dream_side
    target = 8500 if ruleset == "modern_american" else 1500 if short_game else 5000
    best = max(scores)
    leaders = [side for side, score in enumerate(scores) if score == best]
    if best >= target and len(leaders) == 1:
        return True, leaders[0]
    if best >= target and not level_plays_on:
        return True, None
    if ruleset == "classic_partnership" and hand_no >= 40:
        return True, leaders[0] if len(leaders) == 1 else None
    return False, None
