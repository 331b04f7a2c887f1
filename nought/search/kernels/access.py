"""Reading the layout and the settings out of the memory, once a call."""

from nought.search.memory import LAYOUT, SETTINGS, Layout, Settings, U


def read_layout(words):
    return Layout(
        words[LAYOUT + U(0)],
        words[LAYOUT + U(1)],
        words[LAYOUT + U(2)],
        words[LAYOUT + U(3)],
        words[LAYOUT + U(4)],
        words[LAYOUT + U(5)],
        words[LAYOUT + U(6)],
        words[LAYOUT + U(7)],
        words[LAYOUT + U(8)],
        words[LAYOUT + U(9)],
        words[LAYOUT + U(10)],
        words[LAYOUT + U(11)],
        words[LAYOUT + U(12)],
        words[LAYOUT + U(13)],
        words[LAYOUT + U(14)],
        words[LAYOUT + U(15)],
        words[LAYOUT + U(16)],
        words[LAYOUT + U(17)],
        words[LAYOUT + U(18)],
        words[LAYOUT + U(19)],
        words[LAYOUT + U(20)],
        words[LAYOUT + U(21)],
        words[LAYOUT + U(22)],
        words[LAYOUT + U(23)],
        words[LAYOUT + U(24)],
        words[LAYOUT + U(25)],
    )


def read_settings(doubles):
    return Settings(
        doubles[SETTINGS + U(0)],
        doubles[SETTINGS + U(1)],
        doubles[SETTINGS + U(2)],
        doubles[SETTINGS + U(3)],
        doubles[SETTINGS + U(4)],
        doubles[SETTINGS + U(5)],
        doubles[SETTINGS + U(6)],
        doubles[SETTINGS + U(7)],
        doubles[SETTINGS + U(8)],
        doubles[SETTINGS + U(9)],
        doubles[SETTINGS + U(10)],
        doubles[SETTINGS + U(11)],
        doubles[SETTINGS + U(12)],
        doubles[SETTINGS + U(13)],
        doubles[SETTINGS + U(14)],
        doubles[SETTINGS + U(15)],
    )
