"""Random draws that depend on ids alone, so that the same inputs give the same bytes on any machine."""

from __future__ import annotations

import hashlib

import numpy as np


def seed_of(*parts: str | int) -> int:
    """Returns a 128-bit seed: the start of the SHA-256 of the parts, each length-prefixed so none can run together."""
    digest = hashlib.sha256()
    for part in parts:
        text = str(part).encode()
        digest.update(len(text).to_bytes(4, "big") + text)
    return int.from_bytes(digest.digest()[:16], "big")


def rng(*parts: str | int) -> np.random.Generator:
    """Returns a generator seeded from the parts alone (PCG64)."""
    return np.random.Generator(np.random.PCG64(seed_of(*parts)))


def hex_id(*parts: str | int) -> str:
    """Returns 16 hex characters drawn from the parts: the form of script, case and question ids."""
    return f"{seed_of(*parts) >> 64:016x}"
