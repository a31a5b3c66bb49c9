"""Event texts made from the grammar, independently of the printer."""

from __future__ import annotations

from hypothesis import strategies as st

from engine.notation import CardStyle

RANKS = st.sampled_from("456789TJQKA")


@st.composite
def event_texts(draw: st.DrawFn, style: CardStyle) -> str:
    suit = st.sampled_from("shdc") if style == "suit" else st.just("")
    natural = st.builds(str.__add__, RANKS, suit)
    wild = st.one_of(st.just("*"), suit.map("2{}".format))
    three = st.builds(str.__add__, st.just("3"), st.sampled_from("shdc" if style == "suit" else "rb"))
    card = st.one_of(natural, wild, three)
    shown = st.one_of(card, st.just("?"))
    ranked = st.builds(
        lambda cards, wilds, more: "".join(cards + wilds + more),
        st.lists(st.one_of(natural, three), min_size=1, max_size=3),
        st.lists(wild, max_size=3),
        st.lists(natural, max_size=2),
    )
    one_rank = st.builds(
        lambda rank, suits, wilds: "".join(rank + suit for suit in suits) + "".join(wilds),
        RANKS,
        st.lists(suit, min_size=1, max_size=7),
        st.lists(wild, max_size=3),
    )
    only_wild = st.builds(
        lambda target, wilds: f"{target}:{''.join(wilds)}",
        st.one_of(RANKS, st.just("W")),
        st.lists(wild, min_size=1, max_size=7),
    )
    named = st.builds("{}#{}:".format, st.one_of(RANKS, st.just("W")), st.integers(2, 4))
    numbered = st.builds(
        str.__add__, named, st.one_of(one_rank, st.lists(wild, min_size=1, max_size=3).map("".join))
    )
    groups = st.lists(st.one_of(one_rank, ranked, only_wild, numbered), min_size=1, max_size=4).map("+".join)
    verb = draw(st.sampled_from("d3tmxrbsynoqk"))
    body = ""
    if verb in "db":
        body = "".join(draw(st.lists(shown, min_size=1, max_size=4)))
    elif verb == "3":
        body = draw(three) + draw(st.one_of(st.just(""), shown.map(">{}".format)))
    elif verb == "t":
        top = draw(st.one_of(card, RANKS))
        body = f"{top}{draw(st.integers(1, 108))}:{draw(st.one_of(st.just(''), groups, named))}"
    elif verb in "mr":
        body = draw(groups)
    elif verb == "x":
        body = draw(card)
    elif verb == "s":
        body = draw(st.sampled_from(["dream_5", "pairs", "zip_code", "straight", "pair", "pairss"]))
    return draw(st.sampled_from("0123")) + verb + body
