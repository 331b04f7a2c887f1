"""Names of accounts: which there can be, and which are the same to who reads them."""

from __future__ import annotations

import unicodedata

from nought.errors import NoughtError

SHORTEST_NAME, LONGEST_NAME = 2, 24
MARKS = "-_."
GUEST_PREFIX = "guest-"  # how a guest's name begins until it has chosen one
ALIKE = str.maketrans("01i", "oll")  # once their case is folded: 0 and O, 1 and l and I
# Letters of other scripts that look like Latin ones.
LIKE_LATIN = frozenset("АВЕЅІЈКМНОРСТУХҺԌԚԜаеѕіјкмнорстухһԁԛԝгьвΑΒΕΖΗΙΚΜΝΟΡΤΥΧαειοκρτυνχ")
# Scripts that are written together, by the first word of their letters' names.
WRITTEN_TOGETHER = (
    frozenset({"CJK", "HIRAGANA", "KATAKANA"}),
    frozenset({"CJK", "HANGUL"}),
    frozenset({"CJK", "BOPOMOFO"}),
)


def name_key(name: str) -> str:
    """What makes two names the same: what their letters look like, whatever their case and form."""
    folded = unicodedata.normalize("NFKC", unicodedata.normalize("NFKC", name).casefold())
    return folded.translate(ALIKE)


def checked_name(name: str) -> str:
    """The name as it is kept; a NoughtError where it is not one that an account can have."""
    name = unicodedata.normalize("NFKC", name)  # whose key is at most three times as long
    if not is_name(name):
        raise NoughtError(
            f"a name has {SHORTEST_NAME} to {LONGEST_NAME} letters, digits or {' '.join(MARKS)} "
            "and begins with a letter or a digit"
        )
    letters = {letter for letter in name if unicodedata.category(letter)[0] == "L"}
    scripts = {script_of(letter) for letter in letters}
    if len(scripts) > 1 and not any(scripts <= together for together in WRITTEN_TOGETHER):
        raise NoughtError("the letters of a name are of one script: other ones look like them and are not")
    if letters and letters <= LIKE_LATIN:
        raise NoughtError("all letters of this name look like Latin ones; write it with those")
    return name


def is_name(name: str) -> bool:
    """Whether an account could have this name, or could have had it once."""
    return (
        SHORTEST_NAME <= len(name) <= LONGEST_NAME
        and unicodedata.category(name[0])[0] in "LN"
        and all(unicodedata.category(letter)[0] in "LMN" or letter in MARKS for letter in name)
    )


def script_of(letter: str) -> str:
    """Which script a letter belongs to, as Unicode's name for it begins: LATIN SMALL LETTER A."""
    return unicodedata.name(letter, "UNKNOWN").split()[0]
