"""Named colours of things: sRGB as a person would name them, given to the renderer as linear RGB."""

from __future__ import annotations

PALETTE = {
    "red": "b3201c",
    "blue": "1f4f9c",
    "green": "2f7d3a",
    "yellow": "e3b21c",
    "orange": "dd6b17",
    "purple": "6a3a8c",
    "pink": "d9799a",
    "white": "ece9e2",
    "black": "1b1b1d",
    "grey": "7f8285",
    "brown": "6b4429",
    "beige": "cbb898",
    "teal": "1d7a7c",
    "dark grey": "45484c",
    "light grey": "b9bbbb",
    "navy": "22304f",
    "sage": "8c9f86",
    "cream": "e9e0cc",
    "silver": "c4c5c7",
    "turquoise": "35a9a5",
    "card": "b48a5c",
    "straw": "b99a68",
    "warm white": "f3ead8",
    "sky": "8fb4cf",
    "sand": "d9c6a0",
    "rust": "a8532f",
    "stone": "cfcac0",
    "walnut": "5c3d28",
}

COLOUR_WORDS = frozenset(
    "red blue green yellow orange purple pink white black grey brown beige teal cream silver turquoise".split()
)


def tint(name: str) -> tuple[float, float, float]:
    """Linear RGB of a colour of the palette."""
    if name not in PALETTE:
        raise ValueError(f"no colour {name!r}: use one of {', '.join(sorted(PALETTE))}")
    code = PALETTE[name]
    red, green, blue = (_linear(int(code[i : i + 2], 16) / 255) for i in (0, 2, 4))
    return red, green, blue


def _linear(value: float) -> float:
    """The sRGB transfer function (IEC 61966-2-1), undone."""
    return value / 12.92 if value <= 0.04045 else float(((value + 0.055) / 1.055) ** 2.4)
