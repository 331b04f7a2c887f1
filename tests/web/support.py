"""Every page with what it shows when it is ready, and what is wrong with one by axe's rules."""

from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Page

PAGES = {
    "/": ".board.playable",
    "/play?game=othello": ".board.playable",
    "/play?game=dots-and-boxes": ".board.playable",
    "/analyse?game=connect4&moves=4444": ".chart.pick",
    "/inside?simulations=6": ".graph",
    "/replays?whose=all": ".games, .empty",
    "/profile": ".page-head",
    "/ladder": ".ladder-table, .empty",
    "/training": ".judge .note",
    "/nowhere": ".empty",
    "/learn": ".lesson-card",
}


def violations(page: Page) -> list[str]:
    found = Axe().run(page).response["violations"]
    return [f"{one['id']}: {one['help']}: {one['nodes'][0]['html'][:160]}" for one in found]
