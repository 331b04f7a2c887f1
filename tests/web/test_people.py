"""Games, profiles, ladder and training, as their owner and as a stranger sees them."""

import fcntl
import re
import secrets

from playwright.sync_api import Page, expect


def played(visit) -> Page:
    """A visitor who has just lost a game."""
    page = visit("/play?game=tictactoe&opponent=random")
    page.get_by_role("button", name="Play b2").click()
    expect(page.locator(".move-box li")).to_have_count(2)
    page.get_by_role("button", name="Resign").click()
    page.get_by_role("button", name="Really resign?").click()
    expect(page.get_by_role("region", name="Result")).to_be_visible()
    return page


def test_a_game_is_kept_and_can_be_shared(visit):
    page = played(visit)
    page.get_by_role("link", name="Games").click()
    card = page.locator(".games .game").first
    expect(card).to_contain_text("resigned")
    expect(card.locator(".mini")).to_be_visible()
    link = card.get_attribute("href")
    stranger = visit(link)
    expect(stranger.get_by_text("X resigned").or_(stranger.get_by_text("the other resigned"))).to_be_visible()
    expect(stranger.locator(".board .stones .stone")).to_have_count(2)
    expect(stranger.locator(".strip.active")).to_have_count(0)  # nobody is to move
    stranger.keyboard.press("Home")
    expect(stranger.locator(".board .stones .stone")).to_have_count(0)
    stranger.keyboard.press("ArrowRight")
    expect(stranger.locator(".board .stones .stone")).to_have_count(1)
    stranger.get_by_role("link", name="Analyse this game").click()
    expect(stranger).to_have_url(re.compile("/analyse.*moves="))


def test_a_guest_takes_a_name_and_comes_back(visit):
    page = played(visit)
    name = f"Ann-{secrets.token_hex(3)}"
    page.get_by_role("link", name="You").click()
    expect(page.get_by_role("heading", name="Keep this profile")).to_be_visible()
    page.get_by_label("Name").first.fill(name)
    page.get_by_label("Password").first.fill("correct horse")
    page.get_by_role("button", name="Save").click()
    expect(page.get_by_role("heading", level=1)).to_have_text(name)
    expect(page.locator("#me-name")).to_have_text(name)

    other = visit("/profile")
    other.get_by_label("Name").fill(name)
    other.get_by_label("Password").fill("wrong horse")
    other.get_by_role("button", name="Log in").click()
    expect(other.locator(".says-small")).not_to_be_empty()
    other.get_by_label("Password").fill("correct horse")
    other.get_by_role("button", name="Log in").click()
    expect(other.get_by_role("heading", level=1)).to_have_text(name)
    expect(other.locator(".games .game")).to_have_count(1)
    other.get_by_role("button", name="Log out").click()
    expect(other.locator("#me-name")).to_have_text("You")


def test_a_password_is_changed_and_a_profile_deleted(visit):
    page = played(visit)
    name = f"Eve-{secrets.token_hex(3)}"
    page.get_by_role("link", name="You").click()
    page.get_by_label("Name").first.fill(name)
    page.get_by_label("Password").first.fill("correct horse")
    page.get_by_role("button", name="Save").click()
    expect(page.get_by_role("heading", level=1)).to_have_text(name)

    page.get_by_label("New password").fill("battery staple")
    page.get_by_label("Password as it is now").fill("wrong horse")
    page.get_by_role("button", name="Save").click()
    expect(page.get_by_text("the password as it is now is another one")).to_be_visible()
    expect(page.locator("#me-name")).to_have_text(name)  # still logged in
    page.get_by_label("Password as it is now").fill("correct horse")
    page.get_by_role("button", name="Save").click()
    expect(page.get_by_label("New password")).to_have_value("")

    page.locator("summary", has_text="Delete this profile").click()
    page.get_by_label("Password", exact=True).fill("battery staple")
    page.get_by_role("button", name="Delete this profile").click()
    page.get_by_role("button", name="Keep it").click()
    expect(page.get_by_text("Nothing was deleted.")).to_be_visible()
    page.get_by_role("button", name="Delete this profile").click()
    page.get_by_role("button", name="Delete it").click()
    expect(page.get_by_text("You have not played here yet.")).to_be_visible()
    expect(page.locator("#me-name")).to_have_text("You")


def test_a_wrong_password_for_another_profile_costs_a_guest_nothing(visit):
    page = played(visit)
    guest = page.evaluate("localStorage.getItem('account') ?? JSON.stringify({...localStorage})")
    page.get_by_role("link", name="You").click()
    page.locator("summary", has_text="Log in to another profile").click()
    form = page.locator("details form", has_text="Use a profile that you made before")
    form.get_by_label("Name").fill("nobody")
    form.get_by_label("Password").fill("wrong horse")
    form.get_by_role("button", name="Log in").click()
    expect(form.get_by_text("the name or the password is wrong")).to_be_visible()
    page.reload()
    expect(page.get_by_role("heading", name="Keep this profile")).to_be_visible()
    assert page.evaluate("localStorage.getItem('account') ?? JSON.stringify({...localStorage})") == guest


def test_the_marks_of_a_rating_are_all_different(visit):
    page = visit("/play?game=tictactoe&opponent=random")
    page.get_by_role("switch").check()
    expect(page.locator(".strip").first).to_contain_text("rated")
    page.get_by_role("button", name="Play b2").click()
    expect(page.locator(".move-box li")).to_have_count(2)
    page.get_by_role("button", name="Resign").click()
    page.get_by_role("button", name="Really resign?").click()
    expect(page.locator(".rating-change")).to_be_visible()
    page.get_by_role("link", name="You").click()
    expect(page.locator(".chart")).to_be_visible()
    marks = page.locator(".chart text[text-anchor=end]").all_text_contents()
    assert len(marks) >= 3 and len(set(marks)) == len(marks)


def test_a_token_that_has_ended_is_forgotten(visit):
    page = visit("/ladder")
    page.evaluate("localStorage.setItem('nought.token', '\"forged\"')")
    page.goto("/profile")
    expect(page.get_by_text("You have not played here yet.")).to_be_visible()
    page.evaluate("localStorage.setItem('nought.token', '\"forged\"')")
    page.goto("/play?game=tictactoe&opponent=random")
    page.get_by_role("button", name="Play b2").click()
    expect(page.locator(".move-box li")).to_have_count(2)


def test_names_are_text_and_nothing_else(visit):
    """Even if a server should let such names through."""
    page = visit("/ladder", service_worker=False)
    name = "<b id=x onclick=alert(1)>Ann</b>"
    row = {"rank": 1, "kind": "person", "name": name, "rating": 1200, "games": 3}
    page.route("**/api/ladder**", lambda route: route.fulfill(json=[row, {**row, "kind": "agent"}]))
    page.reload()
    expect(page.locator(".ladder-table a strong")).to_have_text(name)
    assert page.locator("#x").count() == 0


def test_ladder(visit):
    page = visit("/ladder?game=connect4")
    expect(page.get_by_role("heading", name="Ladder")).to_be_visible()
    expect(page.locator(".ladder-table, .empty").first).to_be_visible()
    page.get_by_label("Game").select_option("othello")
    expect(page).to_have_url(re.compile("game=othello"))
    expect(page.locator(".ladder-table, .empty").first).to_be_visible()


def test_training(visit):
    page = visit("/training")
    expect(page.locator(".run-state")).to_contain_text("tiny")
    expect(page.locator(".run-state")).to_contain_text("done")
    expect(page.get_by_role("img", name=re.compile("Policy loss"))).to_be_visible()
    expect(page.locator(".judge .note").first).to_be_visible()
    newest = page.locator(".judge .says").inner_text()
    slider = page.get_by_role("slider", name="Version")
    slider.focus()
    page.keyboard.press("Home")
    expect(page.locator(".judge .says")).to_contain_text("Version 0:")
    assert page.locator(".judge .says").inner_text() != newest
    page.get_by_role("button", name="Play b2").click()  # ask about another position
    expect(page.locator(".judge .says")).to_contain_text("for O")
    page.get_by_role("link", name="Play this version").click()
    expect(page.get_by_label("Opponent")).to_have_value(re.compile("search:tiny@0"))
    page.get_by_role("button", name="Play b2").click()
    expect(page.locator(".move-box li")).to_have_count(2)


def test_a_run_is_watched_while_it_goes_on(visit, folder):
    with (folder / "runs/tiny/lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)  # as a process does that works on a run
        page = visit("/training")
        expect(page.locator(".run-state .tag")).to_have_text("running")
    expect(page.locator(".run-state .tag")).to_have_text("done")


def test_theme_switch(visit):
    page = visit("/ladder")
    paper = "getComputedStyle(document.body).backgroundColor"
    light = page.evaluate(paper)
    for _ in range(2):  # as the device → light → dark
        page.locator("#theme").click()
    assert page.evaluate(paper) != light
    page.reload()
    expect(page.locator("html")).to_have_attribute("data-theme", "dark")
