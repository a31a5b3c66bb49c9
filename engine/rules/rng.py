"""One random generator a hand, derived from its seed; the same numbers compiled and in plain Python.

A multiply-with-carry generator (Marsaglia) of 63 bits: its products fit in int64, so nothing wraps. The state
is an int64 array of one element, carried by the caller, never global.
"""

from __future__ import annotations

from engine.kernel import Row, kernel

_MASK = 0xFFFFFFFF
#: A multiplier below 2**31 for which a * 2**32 - 1 is a safe prime: the period is a * 2**31 - 1.
_MULTIPLIER = 2_111_110_629


@kernel
def mix(value: int) -> int:
    """Scramble 32 bits so that neighbours have nothing in common (the finalizer of MurmurHash3)."""
    bits = int(value) & _MASK
    bits ^= bits >> 16
    bits = (bits * 0x85EBCA6B) & _MASK
    bits ^= bits >> 13
    bits = (bits * 0xC2B2AE35) & _MASK
    return bits ^ (bits >> 16)


@kernel
def below(rng: Row, limit: int) -> int:
    """Return a number from 0 to limit - 1, for limits below 2**31."""
    state = int(rng[0])
    state = _MULTIPLIER * (state & _MASK) + (state >> 32)
    rng[0] = state
    bits = (state ^ (state >> 32)) & _MASK
    return (bits * limit) >> 32


@kernel
def seed_generator(rng: Row, seed: int, game: int, hand_no: int) -> None:
    """Start the generator of hand `hand_no` (from 1) of game `game` under a seed, all below 2**63."""
    low = mix(int(seed) & _MASK)
    high = mix((int(seed) >> 32) ^ low)
    for part in (game & _MASK, game >> 32, hand_no):
        low = mix(low ^ part)
        high = mix(high + low)
    rng[0] = ((high % (_MULTIPLIER - 1)) << 32) + low + 1
    for _ in range(4):
        below(rng, 2)
