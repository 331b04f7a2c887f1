"""What the styles must hold to: what is chosen can be read under the mouse, and nothing is wider than the screen."""

import pytest
from playwright.sync_api import Locator, Page, expect

from tests.support.programs import until
from tests.support.skips import slow
from tests.web.support import PAGES

READABLE = 4.5  # contrast of text, WCAG AA

# The ratio of text and ground as they are painted: a canvas turns any way of writing a colour into red, green and blue.
CONTRAST = """
element => {
  const pixel = document.createElement("canvas").getContext("2d", { willReadFrequently: true });
  const light = (colour) => {
    pixel.fillStyle = colour;
    pixel.fillRect(0, 0, 1, 1);
    const [r, g, b] = [...pixel.getImageData(0, 0, 1, 1).data].map((value) => {
      const share = value / 255;
      return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
    });
    return 0.2126 * r + 0.7152 * g + 0.0722 * b;
  };
  const { color, backgroundColor } = getComputedStyle(element);
  const [dark, bright] = [light(color), light(backgroundColor)].sort((a, b) => a - b);
  return (bright + 0.05) / (dark + 0.05);
}
"""


def expect_readable(element: Locator) -> None:
    """Its text, once it is drawn: an element that is just being replaced has no colours."""
    until(lambda: element.evaluate(CONTRAST) >= READABLE, 10)


def ground(element: Locator) -> str:
    return element.evaluate("element => getComputedStyle(element).backgroundColor")


def check_under_the_mouse(page: Page, chosen: Locator, other: Locator) -> None:
    """The chosen one can be read, and still looks chosen, while the mouse is on it."""
    page.mouse.move(0, 0)
    expect_readable(chosen)
    chosen.hover()
    expect_readable(chosen)
    hovered = ground(chosen)
    other.hover()
    expect_readable(other)
    assert ground(other) != hovered


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_what_is_chosen_can_be_read_under_the_mouse(visit, theme):
    page = visit("/analyse?game=connect4&moves=4444&ply=2", theme=theme)
    current = page.locator("button.move[aria-current]")
    expect(current).to_have_count(1)
    check_under_the_mouse(page, current, page.locator("button.move:not([aria-current])").first)
    live = page.get_by_role("button", name="Think on")
    live.click()
    live = page.locator("button[aria-pressed]")
    expect(live).to_have_attribute("aria-pressed", "true")
    check_under_the_mouse(page, live, page.locator("button.icon").first)
    here, elsewhere = (
        page.locator(".pages a[aria-current]"),
        page.locator(".pages a:not([aria-current])").first,
    )
    check_under_the_mouse(page, here, elsewhere)
    page.goto("/play")
    expect(page.locator(".board.playable")).to_be_visible()
    page.get_by_role("button", name="New game").hover()
    expect_readable(page.get_by_role("button", name="New game"))


# What sticks out to the right: of the page, or of the bar at its top, whose overflow could be hidden.
TOO_WIDE = """
() => {
  const width = document.documentElement.clientWidth;
  const inBar = [...document.querySelectorAll(".bar, .bar .brand, .pages a, .tools, .tools > *")];
  const out = inBar.filter((element) => element.getBoundingClientRect().right > width + 0.5);
  const covered = document.querySelector(".tools").getBoundingClientRect().left + 0.5 <
    (getComputedStyle(document.querySelector(".pages")).position === "fixed"
      ? 0
      : [...document.querySelectorAll(".pages a")].at(-1).getBoundingClientRect().right);
  return [
    ...out.map((element) => element.className || element.tagName),
    ...(covered ? ["the tools are on the pages"] : []),
    ...(document.documentElement.scrollWidth > width ? [`page of ${document.documentElement.scrollWidth}`] : []),
  ];
}
"""
WIDTHS = (
    320,
    340,
    360,
    390,
    430,
    500,
    600,
    700,
    780,
    819,
    820,
    821,
    822,
    *range(830, 1100, 15),
    1180,
    1280,
    1400,
)


@pytest.mark.parametrize(
    "path", [pytest.param(path, marks=slow if i % 2 else ()) for i, path in enumerate(PAGES)]
)
def test_nothing_is_wider_than_the_screen(visit, path):
    page = visit("/")
    page.evaluate(
        """() => localStorage.setItem("nought.account", JSON.stringify({ name: "W".repeat(24), guest: false }))"""
    )
    page.goto(path)
    expect(page.locator(PAGES[path]).first).to_be_visible()
    found = {}
    for width in WIDTHS:
        page.set_viewport_size({"width": width, "height": 800})
        page.evaluate("() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))")
        if wide := page.evaluate(TOO_WIDE):
            found[width] = wide
    assert found == {}
