"""Takes the pictures of the web page that docs/guide/web.md shows, from a server that runs: `python scripts/web_pictures.py URL`.

Names after the address take some of them only: `… URL play phone`.
"""

import os
import shutil
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from io import BytesIO
from pathlib import Path

from PIL import Image
from playwright.sync_api import Browser, Page, sync_playwright

IMAGES = Path(__file__).parents[1] / "docs" / "images"
DESKTOP, PHONE = (1180, 780), (360, 740)
REVIEWED = "44444325252666"  # a game of Connect 4 with mistakes


@contextmanager
def visit(browser: Browser, url: str, path: str, size: tuple[int, int], theme: str) -> Iterator[Page]:
    width, height = size
    context = browser.new_context(
        base_url=url,
        viewport={"width": width, "height": height},
        color_scheme=theme,  # type: ignore[arg-type]
        device_scale_factor=1.5 if size == PHONE else 1,
    )
    page = context.new_page()
    page.goto(path)
    yield page
    context.close()


def picture(page: Page, part: str | None = None) -> Image.Image:
    page.wait_for_timeout(900)  # animations
    page.evaluate("scrollTo(0, 0)")  # the bar at the top covers nothing then
    clip = page.locator(part).bounding_box() if part else None
    shot = page.screenshot(full_page=clip is not None, clip=clip)
    return Image.open(BytesIO(shot)).convert("RGB")


def save(image: Image.Image, name: str) -> None:
    image.quantize(160, dither=Image.Dither.NONE).save(IMAGES / f"web-{name}.png", optimize=True)


def play(page: Page, columns: str) -> None:
    for column in columns:
        page.wait_for_selector(".board.playable")
        page.keyboard.press(column)
        page.wait_for_timeout(300)
    page.wait_for_selector(".board.playable, .result")


def play_picture(browser: Browser, url: str) -> Image.Image:
    with visit(browser, url, "/", DESKTOP, "light") as page:
        play(page, "44325")
        page.locator(".target").nth(2).hover()
        return picture(page)


def analyse_picture(browser: Browser, url: str) -> Image.Image:
    with visit(browser, url, f"/analyse?game=connect4&moves={REVIEWED}&ply=9", DESKTOP, "dark") as page:
        page.wait_for_selector(".chart.pick")
        page.wait_for_selector(".note")
        return picture(page)


def inside_picture(browser: Browser, url: str) -> Image.Image:
    with visit(browser, url, "/inside", (1180, 1240), "light") as page:
        page.wait_for_selector(".graph")
        page.get_by_role("slider", name="Moment of the search").fill("118")
        return picture(page, ".film")


def training_picture(browser: Browser, url: str) -> Image.Image:
    with visit(browser, url, "/training", DESKTOP, "light") as page:
        page.wait_for_selector(".judge .note")
        page.get_by_role("slider", name="Version").fill("8")
        page.locator("h1").click()  # away from the slider
        return picture(page, ".judge")


def phone_picture(browser: Browser, url: str) -> Image.Image:
    phones = []
    with visit(browser, url, "/", PHONE, "light") as page:
        play(page, "443")
        phones.append(picture(page))
    with visit(browser, url, "/play?game=dots-and-boxes&opponent=random", PHONE, "dark") as page:
        page.wait_for_selector(".board.playable")
        for edge in (0, 3, 4, 7, 9, 12):
            target = page.get_by_role("button", name=f"Play edge {edge}", exact=True)
            if target.count():
                target.click()
                page.wait_for_timeout(1500)
                page.wait_for_selector(".board.playable")
        phones.append(picture(page))
    with visit(browser, url, f"/analyse?game=connect4&moves={REVIEWED}&ply=9", PHONE, "light") as page:
        page.wait_for_selector(".note")
        phones.append(picture(page))
    return side_by_side(phones)


PICTURES = {
    "play": play_picture,
    "analyse": analyse_picture,
    "inside": inside_picture,
    "training": training_picture,
    "phone": phone_picture,
}


def side_by_side(images: list[Image.Image], gap: int = 24) -> Image.Image:
    width = sum(image.width for image in images) + gap * (len(images) - 1)
    whole = Image.new("RGB", (width, images[0].height), "white")
    left = 0
    for image in images:
        whole.paste(image, (left, 0))
        left += image.width + gap
    return whole


if __name__ == "__main__":
    url, *names = sys.argv[1:] or ["http://127.0.0.1:8000"]
    chromium = os.environ.get("NOUGHT_CHROMIUM") or shutil.which("chromium")
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium, args=["--no-sandbox"])
        for name in names or PICTURES:
            save(PICTURES[name](browser, url), name)
