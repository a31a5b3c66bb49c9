"""Every clause that can refuse an action: a code for the kernels, an id, a sentence and its source.

`check` returns 0 or one of these codes. Ids begin with A (all rule sets), M (modern_american), S
(classic_salon, and classic_partnership where it says nothing else) or P (classic_partnership alone).
"""

# Long because it lists every clause with its sentence and source.
from __future__ import annotations

from enum import IntEnum
from typing import Final

# Where a clause stands: a text and its section, or a choice where the texts say nothing or leave one.
_ALL: Final = "the three texts, "
_CLUB: Final = "the club's text, "
_SALON: Final = "the salon's text, "
_LESSON: Final = "the lesson's text, "
_OWN: Final = "Coastal's choice"


class Clause(IntEnum):
    """A clause of the rules; its value is what a check returns when the clause refuses an action."""

    id: str
    sentence: str
    source: str

    def __new__(cls, code: int, id: str, sentence: str, source: str) -> Clause:  # noqa: A002, D102
        member = int.__new__(cls, code)
        member._value_ = code
        member.id = id
        member.sentence = sentence
        member.source = source
        return member

    # All rule sets.
    ENDED = 1, "A-ended", "The hand is over.", _ALL + "going out"
    TURN = 2, "A-turn", "Only the seat whose move it is may act.", _ALL + "the turn"
    DRAW_FIRST = 3, "A-draw-first", "A turn begins with a draw or with the pile.", _ALL + "the turn"
    DRAWN = 4, "A-drawn", "Cards have been drawn or the pile taken in this turn already.", _ALL + "the turn"
    THREES_FIRST = (
        5,
        "A-threes-first",
        "A 3 that is to be laid goes down before anything else.",
        _ALL + "red 3s",
    )
    THREE_HELD = (
        6,
        "A-three-held",
        "Only a 3 that is held and that is laid in this rule set can be laid.",
        _ALL + "red 3s",
    )
    CARDS_HELD = 7, "A-cards-held", "Only cards in the holding can be laid or discarded.", _ALL + "the turn"
    STOCK_EMPTY = 8, "A-stock-empty", "The stock is empty: nothing can be drawn.", _ALL + "the stock"
    ONE_GROUP = (
        9,
        "A-one-group",
        "Once the side has opened, each group is an action of its own.",
        _OWN + ": an action is an opening or one group",
    )
    NOTHING_LAID = (
        10,
        "A-nothing-laid",
        "A meld lays at least one card.",
        _OWN + ": an action does something",
    )
    PILE_EMPTY = 12, "A-pile-empty", "There is no pile to take.", _ALL + "the pile"
    PILE_SEEN = (
        13,
        "A-pile-seen",
        "The pile taken is the one that lies there: its size and its top card.",
        _OWN + ": an action names the pile that it takes",
    )
    ANSWER_FIRST = 14, "A-answer-first", "The partner's answer comes next.", _CLUB + "Play"
    NO_QUESTION = 15, "A-no-question", "An answer needs a question.", _CLUB + "Play"
    BONUS_FIRST = 16, "A-bonus-first", "The bonus cards come next.", _CLUB + "First meld"
    NO_BONUS = 17, "A-no-bonus", "No bonus cards are due.", _CLUB + "First meld"
    CLOCK_RAN_OUT = (
        18,
        "A-clock-ran-out",
        "Once the clock ran out, only the forced draw and discard are left.",
        _CLUB + "Play",
    )
    NOT_IN_RULES = (
        19,
        "A-not-in-rules",
        "This rule set has no such action.",
        _OWN + ": what a text does not name is not played",
    )
    DECLINE_LATER = (
        20,
        "A-decline",
        "The pile is declined only when the stock is empty.",
        _SALON + "Going out",
    )
    ONE_RANK = (
        21,
        "A-one-rank",
        "A group is cards of one rank, and an action lays one group of a rank.",
        _ALL + "melds",
    )
    OUT_EMPTY = (
        22,
        "A-out-empty",
        "Going out follows the action that empties the holding.",
        _ALL + "going out",
    )
    PILE_GROUP_FIRST = (
        24,
        "A-pile-first",
        "What is laid in taking the pile begins with the group that its top card joins.",
        _OWN + ": an action names what joins the top card first",
    )
    CARDS_DRAWN = 23, "A-cards-drawn", "The cards drawn are those that lie in the stock.", _ALL + "the turn"
    MELD_NUMBER = (
        25,
        "A-meld-number",
        "Melds of a rank are numbered as they were begun: a new one takes the next number.",
        _OWN + ": an action names the meld that it lays on",
    )

    # modern_american.
    M_MELD_SIZE = 40, "M-meld-size", "A meld has 3 to 7 cards.", _CLUB + "The goal, Canastas"
    M_MELD_NATURALS = (
        41,
        "M-meld-naturals",
        "A meld needs at least two natural cards.",
        _CLUB + "Melds and wild cards",
    )
    M_MELD_WILDS = (
        42,
        "M-meld-wilds",
        "A meld holds at most two wild cards.",
        _CLUB + "Melds and wild cards",
    )
    M_MELD_FIVE = (
        43,
        "M-meld-five-naturals",
        "After the opening, wilds join only a meld with five naturals.",
        _CLUB + "Melds and wild cards",
    )
    M_MELD_SEVENS = 44, "M-meld-sevens", "Sevens never hold wild cards.", _CLUB + "Melds and wild cards"
    M_MELD_ACES = (
        45,
        "M-meld-aces",
        "Aces stay natural unless a wild went in during the opening.",
        _CLUB + "Melds and wild cards",
    )
    M_WILD_UNFINISHED = (
        46,
        "M-wild-unfinished",
        "While the side's wild meld is unfinished, no wild goes elsewhere.",
        _CLUB + "Melds and wild cards",
    )
    M_WILD_SECOND = (
        47,
        "M-wild-second",
        "A side has one wild meld, closed or not.",
        _OWN + ": the option one_wild_meld",
    )
    M_DEAD = 48, "M-dead", "A rank that any side completed is dead.", _CLUB + "Canastas"
    M_OPEN_MINIMUM = (
        49,
        "M-open-minimum",
        "An opening reaches the side's minimum by card values.",
        _CLUB + "First meld",
    )
    M_OPEN_TRIPLE = (
        50,
        "M-open-triple",
        "An opening needs three naturals of a rank, with no wild, from the holding.",
        _CLUB + "First meld",
    )
    M_PILE_WILD = 51, "M-pile-wild", "A pile with a wild card on top cannot be taken.", _CLUB + "Play"
    M_PILE_DEAD = 52, "M-pile-dead", "A card of a dead rank cannot take the pile.", _CLUB + "Play"
    M_PILE_FIVE = (
        53,
        "M-pile-five",
        "The pile is not taken onto a meld of five or more cards.",
        _CLUB + "Play",
    )
    M_PILE_PAIR = (
        54,
        "M-pile-pair",
        "The pile needs a natural pair, or the side's own meld of its top rank.",
        _CLUB + "Play",
    )
    M_PILE_NEEDS_PAIR = (
        55,
        "M-pile-needs-pair",
        "At this table only a natural pair takes the pile.",
        _OWN + ": an option",
    )
    M_PILE_OPENING = (
        56,
        "M-pile-opening",
        "Opening by the pile lays a pair of the top rank and makes at most five of it, the top among them.",
        _OWN + ", after the club's text, Play",
    )
    M_DISCARD_WILD = (
        57,
        "M-discard-wild",
        "A wild is discarded only when nothing else is held.",
        _CLUB + "Play",
    )
    M_DISCARD_SWAD = (
        58,
        "M-discard-swad",
        "Sevens, wilds, aces and dead cards do not start a pile.",
        _CLUB + "Play",
    )
    M_OUT_CANASTAS = 59, "M-out-canastas", "Going out needs two canastas.", _CLUB + "Play"
    M_OUT_UNFINISHED = (
        60,
        "M-out-unfinished",
        "Going out needs melds of 7s, natural aces and wilds finished.",
        _CLUB + "Play",
    )
    M_OUT_DISCARD = 61, "M-out-discard", "The last card is discarded, not melded.", _CLUB + "Play"
    M_OUT_ANSWER_NO = 62, "M-out-answer-no", "The partner said no: no going out this turn.", _CLUB + "Play"
    M_OUT_ANSWER_YES = (
        63,
        "M-out-answer-yes",
        "The partner said yes: going out must stay possible.",
        _CLUB + "Play",
    )
    M_OUT_PAIR = (
        64,
        "M-out-pair",
        "A natural pair and a wild are a new meld only on going out.",
        _CLUB + "Melds and wild cards",
    )
    M_ASK_ONCE = 65, "M-ask-once", "The question is put once a hand.", _CLUB + "Play"
    M_ASK_WHEN = 66, "M-ask-when", "The question comes after drawing and before melding.", _OWN
    M_ASK_ABLE = 67, "M-ask-able", "Only a player who can go out this turn may ask.", _OWN
    M_BACK_OPENED = (
        68,
        "M-back-opened",
        "Only cards laid for a first meld can be taken back.",
        _CLUB + "First meld",
    )
    M_SPECIAL_OFF = 69, "M-special-off", "Special hands are off at this table.", _CLUB + "Special hands"
    M_SPECIAL_WHEN = (
        70,
        "M-special-when",
        "A special hand follows a draw, before the side melds or one turn after.",
        _CLUB + "Special hands",
    )
    M_SPECIAL_CARDS = (
        71,
        "M-special-cards",
        "The fourteen cards do not make this special hand.",
        _CLUB + "Special hands",
    )
    M_CLOCK_OFF = 72, "M-clock-off", "No clock runs at this table.", _CLUB + "Play"
    M_THREE_MELD = 73, "M-threes", "Threes are laid face up, never melded.", _CLUB + "3s"
    M_MELD_SECOND = 74, "M-meld-second", "A side has one meld of a rank.", _CLUB + "Play"

    # classic_salon, and classic_partnership where it says nothing else.
    S_MELD_SIZE = 100, "S-meld-size", "A meld has at least three cards.", _SALON + "Melds"
    S_MELD_NATURALS = 101, "S-meld-naturals", "A meld needs at least two natural cards.", _SALON + "Melds"
    S_MELD_WILDS = 102, "S-meld-wilds", "A meld holds at most three wild cards.", _SALON + "Melds"
    S_MELD_WILD_MELD = 103, "S-meld-wild-meld", "Wild cards alone are no meld.", _SALON + "Melds"
    S_BLACK_OUT = (
        104,
        "S-threes-black-out",
        "Black 3s are melded only on the turn that goes out.",
        _SALON + "Melds",
    )
    S_BLACK_MELD = (
        105,
        "S-threes-black",
        "Black 3s are melded as three or four, with no wild.",
        _OWN + ", after the lesson's text, The deal",
    )
    S_OPEN_MINIMUM = (
        106,
        "S-open-minimum",
        "A side's first meld reaches its minimum by card values.",
        _SALON + "The first meld",
    )
    S_PILE_BLOCKED = (
        107,
        "S-pile-blocked",
        "Nobody takes a pile with a black 3 or a wild on top.",
        _SALON + "The discard pile",
    )
    S_PILE_PAIR = (
        108,
        "S-pile-pair",
        "The top card needs matching naturals, two or more and no wild, or the side's own meld.",
        _SALON + "The discard pile",
    )
    S_PILE_FROZEN = (
        109,
        "S-pile-frozen",
        "A frozen pile needs matching naturals from the holding, two or more and no wild.",
        _SALON + "The discard pile",
    )
    S_PILE_ONE_CARD = (
        110,
        "S-pile-one-card",
        "A one-card holding may not take a one-card pile.",
        _SALON + "The discard pile",
    )
    S_OUT_CANASTAS = (
        111,
        "S-out-canastas",
        "Going out needs the canastas that the rule set asks for.",
        _SALON + "Going out",
    )
    S_RED_MELD = 112, "S-threes-red", "A red 3 is laid face up, never melded.", _SALON + "Red threes"
    S_BLACK_NEVER = (
        113,
        "S-threes-black-never",
        "Black 3s are never melded at this table.",
        _OWN + ": the option black_three_melds",
    )
    S_MELD_SECOND = (
        114,
        "S-meld-second",
        "A side has one meld of a rank.",
        _OWN + ": the option one_meld_a_rank; in classic_partnership the lesson's text, The play",
    )

    # classic_partnership alone.
    P_PILE_TWO = (
        130,
        "P-pile-two",
        "The top card needs an own meld, two naturals, or a natural and a wild.",
        _LESSON + "The play",
    )
    P_PILE_FROZEN = (
        131,
        "P-pile-frozen",
        "A frozen pile needs two naturals, even onto an own meld.",
        _LESSON + "The play",
    )
    P_PILE_WILD = (
        132,
        "P-pile-wild",
        "A pile with a wild card on top cannot be taken.",
        _LESSON + "The play",
    )
    P_PILE_BLACK = (
        133,
        "P-pile-black",
        "A black 3 blocks the pile for the next player.",
        _LESSON + "The deal",
    )
    P_OUT_DISCARD = 134, "P-out-discard", "The last card is discarded, never melded.", _LESSON + "The play"


_BY_CODE = {int(clause): clause for clause in Clause}


def clause_of(code: int) -> Clause:
    """Return the clause that a check's code stands for."""
    return _BY_CODE[int(code)]
