"""Every clause that can refuse an action: a code for the kernels, an id, a sentence and its source.

`check` returns 0 or one of these codes. Ids begin with A (all rule sets), M (modern_american), S
(classic_salon, and classic_partnership where it says nothing else) or P (classic_partnership alone).
"""

from __future__ import annotations

from enum import IntEnum


class Clause(IntEnum):
    """A clause of the rules; its value is what a check returns when the clause refuses an action."""

    id: str
    sentence: str

    def __new__(cls, code: int, id: str, sentence: str) -> Clause:  # noqa: A002, D102
        member = int.__new__(cls, code)
        member._value_ = code
        member.id = id
        member.sentence = sentence
        return member

    # All rule sets.
    ENDED = 1, "A-ended", "The hand is over."
    TURN = 2, "A-turn", "Only the seat whose move it is may act."
    DRAW_FIRST = 3, "A-draw-first", "A turn begins with a draw or with the pile."
    DRAWN = 4, "A-drawn", "Cards have been drawn or the pile taken in this turn already."
    THREES_FIRST = 5, "A-threes-first", "A 3 that is to be laid goes down before anything else."
    THREE_HELD = 6, "A-three-held", "Only a 3 that is held and that is laid in this rule set can be laid."
    CARDS_HELD = 7, "A-cards-held", "Only cards in the holding can be laid or discarded."
    STOCK_EMPTY = 8, "A-stock-empty", "The stock is empty: nothing can be drawn."
    ONE_GROUP = 9, "A-one-group", "Once the side has opened, each group is an action of its own."
    NOTHING_LAID = 10, "A-nothing-laid", "A meld lays at least one card."
    PILE_EMPTY = 12, "A-pile-empty", "There is no pile to take."
    PILE_SEEN = 13, "A-pile-seen", "The pile taken is the one that lies there: its size and its top card."
    ANSWER_FIRST = 14, "A-answer-first", "The partner's answer comes next."
    NO_QUESTION = 15, "A-no-question", "An answer needs a question."
    BONUS_FIRST = 16, "A-bonus-first", "The bonus cards come next."
    NO_BONUS = 17, "A-no-bonus", "No bonus cards are due."
    CLOCK_RAN_OUT = (
        18,
        "A-clock-ran-out",
        "Once the clock ran out, only the forced draw and discard are left.",
    )
    NOT_IN_RULES = 19, "A-not-in-rules", "This rule set has no such action."
    DECLINE_LATER = 20, "A-decline", "The pile is declined only when the stock is empty."
    ONE_RANK = 21, "A-one-rank", "A group is cards of one rank, and an action lays one group of a rank."
    OUT_EMPTY = 22, "A-out-empty", "Going out follows the action that empties the holding."
    CARDS_DRAWN = 23, "A-cards-drawn", "The cards drawn are those that lie in the stock."

    # modern_american.
    M_MELD_SIZE = 40, "M-meld-size", "A meld has 3 to 7 cards."
    M_MELD_NATURALS = 41, "M-meld-naturals", "A meld needs at least two natural cards."
    M_MELD_WILDS = 42, "M-meld-wilds", "A meld holds at most two wild cards."
    M_MELD_FIVE = 43, "M-meld-five-naturals", "After the opening, wilds join only a meld with five naturals."
    M_MELD_SEVENS = 44, "M-meld-sevens", "Sevens never hold wild cards."
    M_MELD_ACES = 45, "M-meld-aces", "Aces stay natural unless a wild went in during the opening."
    M_WILD_UNFINISHED = (
        46,
        "M-wild-unfinished",
        "While the side's wild meld is unfinished, no wild goes elsewhere.",
    )
    M_WILD_SECOND = 47, "M-wild-second", "A side has one wild meld, closed or not."
    M_DEAD = 48, "M-dead", "A rank that any side completed is dead."
    M_OPEN_MINIMUM = 49, "M-open-minimum", "An opening reaches the side's minimum by card values."
    M_OPEN_TRIPLE = (
        50,
        "M-open-triple",
        "An opening needs three naturals of a rank, with no wild, from the holding.",
    )
    M_PILE_WILD = 51, "M-pile-wild", "A pile with a wild card on top cannot be taken."
    M_PILE_DEAD = 52, "M-pile-dead", "A card of a dead rank cannot take the pile."
    M_PILE_FIVE = 53, "M-pile-five", "The pile is not taken onto a meld of five or more cards."
    M_PILE_PAIR = (
        54,
        "M-pile-pair",
        "The pile needs a natural pair, or the side's own meld of its top rank.",
    )
    M_PILE_NEEDS_PAIR = 55, "M-pile-needs-pair", "At this table only a natural pair takes the pile."
    M_PILE_OPENING = (
        56,
        "M-pile-opening",
        "Opening by the pile lays a pair of the top rank and makes at most five of it, the top among them.",
    )
    M_DISCARD_WILD = 57, "M-discard-wild", "A wild is discarded only when nothing else is held."
    M_DISCARD_SWAD = (
        58,
        "M-discard-swad",
        "Sevens, wilds, aces and dead cards do not start a pile.",
    )
    M_OUT_CANASTAS = 59, "M-out-canastas", "Going out needs two canastas."
    M_OUT_UNFINISHED = (
        60,
        "M-out-unfinished",
        "Going out needs melds of 7s, natural aces and wilds finished.",
    )
    M_OUT_DISCARD = 61, "M-out-discard", "The last card is discarded, not melded."
    M_OUT_ANSWER_NO = 62, "M-out-answer-no", "The partner said no: no going out this turn."
    M_OUT_ANSWER_YES = (
        63,
        "M-out-answer-yes",
        "The partner said yes: going out must stay possible.",
    )
    M_OUT_PAIR = (
        64,
        "M-out-pair",
        "A natural pair and a wild are a new meld only on going out.",
    )
    M_ASK_ONCE = 65, "M-ask-once", "The question is put once a hand."
    M_ASK_WHEN = 66, "M-ask-when", "The question comes after drawing and before melding."
    M_ASK_ABLE = 67, "M-ask-able", "Only a player who can go out this turn may ask."
    M_BACK_OPENED = 68, "M-back-opened", "Only cards laid for a first meld can be taken back."
    M_SPECIAL_OFF = 69, "M-special-off", "Special hands are off at this table."
    M_SPECIAL_WHEN = (
        70,
        "M-special-when",
        "A special hand follows a draw, before the side melds or one turn after.",
    )
    M_SPECIAL_CARDS = 71, "M-special-cards", "The fourteen cards do not make this special hand."
    M_CLOCK_OFF = 72, "M-clock-off", "No clock runs at this table."
    M_THREE_MELD = 73, "M-threes", "Threes are laid face up, never melded."

    # classic_salon, and classic_partnership where it says nothing else.
    S_MELD_SIZE = 100, "S-meld-size", "A meld has at least three cards."
    S_MELD_NATURALS = 101, "S-meld-naturals", "A meld needs at least two natural cards."
    S_MELD_WILDS = 102, "S-meld-wilds", "A meld holds at most three wild cards."
    S_MELD_WILD_MELD = 103, "S-meld-wild-meld", "Wild cards alone are no meld."
    S_BLACK_OUT = 104, "S-threes-black-out", "Black 3s are melded only on the turn that goes out."
    S_BLACK_MELD = 105, "S-threes-black", "Black 3s are melded as three or four, with no wild."
    S_OPEN_MINIMUM = 106, "S-open-minimum", "A side's first meld reaches its minimum by card values."
    S_PILE_BLOCKED = 107, "S-pile-blocked", "Nobody takes a pile with a black 3 or a wild on top."
    S_PILE_PAIR = 108, "S-pile-pair", "The top card needs two matching naturals, or the side's own meld."
    S_PILE_FROZEN = (
        109,
        "S-pile-frozen",
        "A frozen pile needs two matching naturals from the holding.",
    )
    S_PILE_ONE_CARD = 110, "S-pile-one-card", "A one-card holding may not take a one-card pile."
    S_OUT_CANASTAS = 111, "S-out-canastas", "Going out needs the canastas that the rule set asks for."
    S_RED_MELD = 112, "S-threes-red", "A red 3 is laid face up, never melded."

    # classic_partnership alone.
    P_PILE_TWO = 130, "P-pile-two", "The top card needs an own meld, two naturals, or a natural and a wild."
    P_PILE_FROZEN = (
        131,
        "P-pile-frozen",
        "A frozen pile needs two naturals, even onto an own meld.",
    )
    P_PILE_WILD = 132, "P-pile-wild", "A pile with a wild card on top cannot be taken."
    P_PILE_BLACK = 133, "P-pile-black", "A black 3 blocks the pile for the next player."
    P_OUT_DISCARD = 134, "P-out-discard", "The last card is discarded, never melded."


_BY_CODE = {int(clause): clause for clause in Clause}


def clause_of(code: int) -> Clause:
    """Return the clause that a check's code stands for."""
    return _BY_CODE[int(code)]
