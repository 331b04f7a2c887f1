"""Ways of damaging what was right, and things to make up."""

from __future__ import annotations

import json
from collections.abc import Sequence
from random import Random
from typing import Any

ODD_TEXTS = (
    "", " ", "\0", "\n", "\r\n", "\t", "\x1b[2J", "\x7f", "'", '"', "\\", "/", "//", "..", "../", "%", "%00", "%2e%2e/",
    "&", "?", "#", "=", ":", ";", ",", "@", "*", "<", "{}", "[]", "()", "-", "-0", "+1", "0x1", "1e9", "1_0", "00", "007",
    "NaN", "Infinity", "null", "true", "None", "٣", "²", "½", "Ⅷ", "ſ", "İ", "ß", "ﬁ", "а", "\u202e", "\ufeff", "\ud800",
    "\U0001f600", "é", "e\u0301", "pass", "a1", "best", "x" * 70, "9" * 30, "9" * 5000, "(" * 300, "é" * 300,
)  # fmt: skip
ODD_VALUES: tuple[Any, ...] = (
    None, True, False, 0, 1, -1, 2, 0.5, -0.0, 1e308, 1e-320, float("nan"), float("inf"), 255, 65536, 2**31, -(2**31) - 1,
    2**53, 2**63, -(2**63) - 1, 2**64, 10**30, 10**400, [], {}, [[]], [None], {"": None}, {"a": {"b": []}}, *ODD_TEXTS,
)  # fmt: skip
ODD_NUMBERS = (
    0,
    1,
    127,
    128,
    255,
    256,
    2**15,
    2**16,
    2**31 - 1,
    2**31,
    2**32 - 1,
    2**32,
    2**63 - 1,
    2**63,
    2**64 - 1,
)


def damaged_text(chance: Random, text: str, words: Sequence[str] = ODD_TEXTS) -> str:
    """The text with a few places changed; `words` are what may be put in."""
    for _ in range(chance.choice((1, 1, 1, 2, 3))):
        a, b = sorted((chance.randint(0, len(text)), chance.randint(0, len(text))))
        if chance.random() < 0.7:
            b = min(b, a + 3)  # mostly small changes: the rest is still read
        way = chance.randrange(7)
        if way == 0:
            text = text[:a] + text[b:]
        elif way == 1:
            text = text[:a] + chance.choice(words) + text[a:]
        elif way == 2:
            text = text[:a] + chance.choice(words) + text[b:]
        elif way == 3:
            text = text[:a] + text[a:b] * chance.choice((2, 2, 3, 50)) + text[b:]
        elif way == 4:
            text = text[:a] + text[a:b][::-1] + text[b:]
        elif way == 5:
            text = text[:a] + made_up_text(chance, 4) + text[b:]
        else:
            text = text[:a] + text[a:b].swapcase() + text[b:]
    return text


def made_up_text(chance: Random, longest: int = 40) -> str:
    """Characters of any kind, most of them ordinary."""
    tops = (0x7F, 0x7F, 0x7F, 0xFF, 0x2FFF, 0x10FFFF)
    return "".join(chr(chance.randint(0, chance.choice(tops))) for _ in range(chance.randint(0, longest)))


def damaged_bytes(chance: Random, data: bytes) -> bytes:
    """The bytes with a few places changed."""
    for _ in range(chance.choice((1, 1, 2, 4))):
        a, b = sorted((chance.randint(0, len(data)), chance.randint(0, len(data))))
        if chance.random() < 0.7:
            b = min(b, a + 8)
        way = chance.randrange(7)
        if way == 0:
            data = data[:a] + data[b:]
        elif way == 1 and data:
            at = chance.randrange(len(data))
            data = data[:at] + bytes([data[at] ^ (1 << chance.randrange(8))]) + data[at + 1 :]
        elif way == 2:
            data = data[:a] + chance.randbytes(b - a) + data[b:]
        elif way == 3:
            data = data[:a] + odd_number(chance) + data[a + chance.choice((0, 4, 8)) :]
        elif way == 4:
            data = data[:a] + data[a:b] * 2 + data[b:]
        elif way == 5:
            data = data[:a]
        else:
            data = data[:a] + chance.randbytes(chance.randint(0, 16)) + data[a:]
    return data


def odd_number(chance: Random) -> bytes:
    """A number at which something wraps around, in 2, 4 or 8 bytes of either order."""
    size = chance.choice((2, 4, 8))
    return (chance.choice(ODD_NUMBERS) % 256**size).to_bytes(size, chance.choice(("little", "big")))


def damaged_value(chance: Random, value: Any) -> Any:
    """A JSON value with one part of it changed, removed, added or nested."""
    if isinstance(value, dict) and value and chance.random() < 0.85:
        changed = dict(value)
        key = chance.choice(list(changed))
        way = chance.randrange(8)
        if way == 0:
            del changed[key]
        elif way == 1:
            changed[chance.choice(ODD_TEXTS)] = chance.choice(ODD_VALUES)
        elif way == 2:
            changed[key] = changed[chance.choice(list(changed))]
        else:
            changed[key] = damaged_value(chance, changed[key])
        return changed
    if isinstance(value, list) and value and chance.random() < 0.7:
        changed_list = list(value)
        at = chance.randrange(len(value))
        changed_list[at : at + 1] = [damaged_value(chance, value[at])] * chance.choice((0, 1, 1, 1, 2))
        return changed_list
    if isinstance(value, str) and chance.random() < 0.5:
        return damaged_text(chance, value)
    if type(value) is int and chance.random() < 0.5:
        return value + chance.choice((-1, 1, 1000, -(10**9)))
    return [value] if chance.random() < 0.1 else chance.choice(ODD_VALUES)


def damaged_json(chance: Random, value: Any) -> bytes:
    """A JSON text of a value in which something is wrong, or that is wrong itself."""
    for _ in range(chance.choice((0, 1, 1, 2))):
        value = damaged_value(chance, value)
    text = json.dumps(value, ensure_ascii=chance.random() < 0.5)
    if chance.random() < 0.2:
        text = damaged_text(chance, text)
    data = text.encode("utf-8", "surrogatepass")
    return damaged_bytes(chance, data) if chance.random() < 0.1 else data
