"""The theme can be read by everybody: contrast as WCAG 2.2 counts it, and colours that stay apart."""

from __future__ import annotations

import itertools
import tomllib
from pathlib import Path
from typing import Any

import numpy as np
import pytest

_FILE = Path(__file__).parents[2] / ".streamlit" / "config.toml"
CONFIG = tomllib.loads(_FILE.read_text(encoding="utf-8"))
THEMES = {name: CONFIG["theme"][name] for name in ("light", "dark")}
#: Traces of the rating chart: Rating, Form, level reached, level lost, warned, recovered.
TRACES = 6

#: What people without one kind of cone see, on linear RGB (Machado, Oliveira & Fernandes 2009, severity 1).
SIGHT = {
    "all cones": np.eye(3),
    "protanopia": np.array(
        [[0.152286, 1.052583, -0.204868], [0.114503, 0.786281, 0.099216], [-0.003882, -0.048116, 1.051998]]
    ),
    "deuteranopia": np.array(
        [[0.367322, 0.860646, -0.227968], [0.280085, 0.672501, 0.047413], [-0.011820, 0.042940, 0.968881]]
    ),
    "tritanopia": np.array(
        [[1.255528, -0.076749, -0.178779], [-0.078411, 0.930809, 0.147602], [0.004733, 0.691367, 0.303900]]
    ),
}


def linear(colour: str) -> Any:
    """Return linear RGB of `#RRGGBB` (sRGB, IEC 61966-2-1)."""
    part = np.array([int(colour[i : i + 2], 16) for i in (1, 3, 5)]) / 255
    return np.where(part <= 0.04045, part / 12.92, ((part + 0.055) / 1.055) ** 2.4)


def contrast(one: str, other: str) -> float:
    """Return the contrast ratio of WCAG 2.2."""
    light, dark = sorted((float(linear(c) @ [0.2126, 0.7152, 0.0722]) for c in (one, other)), reverse=True)
    return (light + 0.05) / (dark + 0.05)


def lab(rgb: Any) -> Any:
    """Return CIE L*a*b* (D65) of linear RGB."""
    to_xyz = np.array([[0.4124, 0.3576, 0.1805], [0.2126, 0.7152, 0.0722], [0.0193, 0.1192, 0.9505]])
    x, y, z = np.cbrt(to_xyz @ np.clip(rgb, 0, 1) / [0.9505, 1.0, 1.089])
    return np.array([116 * y - 16, 500 * (x - y), 200 * (y - z)])


@pytest.mark.parametrize("name", THEMES)
def test_text_and_links_stand_out_from_what_is_under_them(name: str) -> None:
    theme = THEMES[name]
    for under in ("backgroundColor", "secondaryBackgroundColor"):
        for over in ("textColor", "linkColor"):
            assert contrast(theme[over], theme[under]) >= 4.5, (over, under)
    assert contrast(theme["primaryColor"], theme["backgroundColor"]) >= 3


@pytest.mark.parametrize("name", THEMES)
def test_every_chart_colour_stands_out_from_the_background(name: str) -> None:
    colours = THEMES[name]["chartCategoricalColors"]
    assert len(colours) == 10  # with fewer, Streamlit falls back to another palette
    for colour in colours:
        assert contrast(colour, THEMES[name]["backgroundColor"]) >= 3, colour


@pytest.mark.parametrize("sight", SIGHT)
@pytest.mark.parametrize("name", THEMES)
def test_the_lines_and_marks_of_the_chart_stay_apart_for_every_kind_of_sight(name: str, sight: str) -> None:
    colours = THEMES[name]["chartCategoricalColors"][:TRACES]
    seen = {colour: lab(SIGHT[sight] @ linear(colour)) for colour in colours}
    apart = {
        pair: float(np.linalg.norm(seen[pair[0]] - seen[pair[1]]))
        for pair in itertools.combinations(colours, 2)
    }
    closest = min(apart, key=apart.__getitem__)
    assert apart[closest] >= 12, (closest, apart[closest])
