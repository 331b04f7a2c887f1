"""The desktop's window on a screen: a real one, or one of Xvfb's; skipped where there is neither."""

# ruff: noqa: E402  what needs Tk is imported after it was found
import gc
import os
import shutil
import time

import pytest

from tests.support.programs import started
from tests.support.skips import SCREEN

tk = pytest.importorskip("tkinter", reason="this Python has no Tk")
pytest.importorskip("PIL.ImageTk", reason="this Pillow has no Tk")

from tkinter import messagebox

from nought.clients.desktop.panel import agent_of
from nought.clients.desktop.window import DesktopWindow
from nought.clients.remote import Server
from nought.errors import NoughtError


@pytest.fixture(scope="module", autouse=True)
def screen():
    """A screen to open windows on."""
    if os.environ.get("DISPLAY") or os.name == "nt":
        yield
        return
    if shutil.which("Xvfb") is None:
        pytest.skip(SCREEN)
    with started(["Xvfb", "-displayfd", "1", "-screen", "0", "1400x950x24", "-nolisten", "tcp"]) as server:
        number = server.until(lambda: server.output.endswith("\n") and server.output.strip())
        os.environ["DISPLAY"] = f":{number}"
        yield
        del os.environ["DISPLAY"]
        server.process.terminate()  # so that it tidies up
        server.end()


class Screen:
    """A window and a person's hands."""

    def __init__(self, site, **options):
        self.window = DesktopWindow(Server(site.url), **options)
        self.settle()

    @property
    def state(self):
        return self.window.state

    def settle(self):
        """Wait until everything that was asked for is shown."""
        until = time.monotonic() + 30
        w = self.window
        w.root.update()
        while w.worker.busy or not w.news.empty() or w.was_busy or w.board.pending:
            assert time.monotonic() < until, "the window does not settle"
            w.root.update()
            time.sleep(0.005)

    def presses(self, button):
        button.invoke()
        self.settle()

    def clicks(self, cell):
        x, y = map(int, self.window.board.layout.middle(cell))
        self.window.board.event_generate("<Button-1>", x=x, y=y)
        self.settle()

    def types(self, key):
        self.window.root.focus_force()
        self.window.root.update()
        self.window.root.event_generate(key)
        self.settle()


@pytest.fixture
def screen_of(site, monkeypatch):
    opened = []
    gc.disable()  # Tk's things must not be collected in another thread
    monkeypatch.setattr(messagebox, "askyesno", lambda *a, **k: True)

    def make(**options):
        opened.append(Screen(site, **options))
        return opened[-1]

    yield make
    for screen in opened:
        screen.window.close()
    opened.clear()
    gc.collect()
    gc.enable()


def disabled(button):
    return button.instate(["disabled"])


def test_a_whole_game_with_the_mouse(screen_of):
    person = screen_of()
    person.window.panel.rated.set(True)
    panel = person.window.panel
    assert panel.account["text"].startswith("guest-") and panel.game.get() == "Connect 4"
    panel.game.current(panel.game["values"].index("Tic-tac-toe"))
    panel.game.event_generate("<<ComboboxSelected>>")
    person.settle()
    assert person.window.board.layout.game.name == "tictactoe"
    person.presses(panel.new)
    assert panel.notice["text"] == "Your move." and disabled(panel.new) and disabled(panel.undo)
    for cell in (2, 4, 6):
        person.clicks(cell)
    change, played = person.state.played.rating_change, person.state.played
    assert f"You won · rating {change.before:.0f} → {change.after:.0f} (+" in panel.notice["text"]
    assert not disabled(panel.new) and disabled(panel.resign)
    how, what = panel.list.item(played.id, "values")
    assert (
        how == "won"
        and what == f"Tic-tac-toe · {agent_of(person.state, 'tictactoe', played.players[0].name).title}"
    )


def test_clicks_do_nothing_when_it_is_not_ones_turn(screen_of):
    person = screen_of()
    person.clicks(3)
    assert person.state.played is None
    person.presses(person.window.panel.new)
    person.types("<Left>")
    assert person.state.step == 0 and person.window.panel.counter["text"] == "0 / 1"
    person.clicks(3)
    assert person.state.steps == 1


def test_a_digit_drops_a_stone_and_the_keys_step(screen_of):
    person = screen_of()
    person.presses(person.window.panel.new)
    person.types("<Key-4>")
    assert person.state.shown.names == ("1", "4", "1")
    for _ in range(5):
        person.types("<Left>")
    assert person.state.step == 0 and disabled(person.window.panel.steps["back"])
    person.types("<Right>")
    assert person.state.step == 1
    person.types("<End>")
    assert person.state.step == 3 and person.state.your_turn


def test_the_board_grows_with_the_window(screen_of):
    person = screen_of()
    small = person.window.board.layout.cell
    person.window.root.geometry("1300x900")
    person.window.root.update()
    person.settle()
    board = person.window.board
    assert board.layout.cell > 1.2 * small
    assert (board.image.width(), board.image.height()) == (board.winfo_width(), board.winfo_height())


def test_a_game_of_the_past_is_opened_from_the_list(screen_of):
    person = screen_of()
    panel = person.window.panel
    assert not panel.rated.get()  # a newcomer's game can be taken back
    person.presses(panel.new)
    person.types("<Key-4>")
    id = person.state.played.id
    assert not disabled(panel.undo)
    person.presses(panel.undo)
    assert person.state.steps == 1
    person.presses(panel.resign)
    assert panel.notice["text"] == "You lost (resigned)"
    person.window.choose("othello")
    person.settle()
    person.window.root.update()
    x, y, width, height = panel.list.bbox(id)
    for event in ("<Button-1>", "<ButtonRelease-1>"):
        panel.list.event_generate(event, x=x + width // 2, y=y + height // 2)
    person.settle()
    assert person.window.board.layout.game.name == "connect4" and panel.game.get() == "Connect 4"


@pytest.mark.parametrize("gives_up", [True, False])
def test_an_open_rated_game_is_given_up_only_after_asking(screen_of, monkeypatch, gives_up):
    person, asked = screen_of(), []

    def answer(title, question, **options):
        asked.append(question)
        return gives_up if "Give it up?" in question else True

    monkeypatch.setattr(messagebox, "askyesno", answer)
    panel = person.window.panel
    panel.rated.set(True)
    person.presses(panel.new)
    person.types("<Key-4>")
    id = person.state.played.id
    person.window.choose("connect4")  # leaves it
    person.settle()
    person.presses(panel.new)
    person.settle()
    assert ["is still open, 3 moves long" in question for question in asked] == [False, True]
    assert (person.state.played.id == id) is not gives_up and person.state.open_game
    assert (person.window.session.server.played(id).ended == "resigned") is gives_up


def test_the_pointer_shows_where_the_stone_would_fall(screen_of):
    person = screen_of()
    person.presses(person.window.panel.new)
    board = person.window.board
    x, y = map(int, board.layout.middle(3))
    board.event_generate("<Motion>", x=x, y=y)
    assert board.hover.moves[0].name == "4" and board["cursor"] == "hand2"
    ghost = board.coords("ghost")
    assert ghost == pytest.approx(board.layout.middle(5 * 7 + 3), abs=1)
    board.event_generate("<Leave>")
    assert board.hover is None and not board.find_withtag("ghost")


def test_the_window_opens_while_its_server_starts_and_says_what_went_wrong(screen_of):
    def fails():
        raise NoughtError("the server on this machine did not start: the port is taken")

    person = screen_of(before=fails)
    assert person.window.panel.notice["text"].endswith("the port is taken")
    assert disabled(person.window.panel.new)


def test_moves_that_are_not_cells_are_chosen_from_a_list(screen_of, monkeypatch):
    for module in ("picking", "desktop.board"):  # no cell means a move
        monkeypatch.setattr(f"nought.clients.{module}.picks", lambda *_: [])
    person = screen_of()
    panel = person.window.panel
    assert not panel.moves.winfo_ismapped()
    person.presses(panel.new)
    person.clicks(3)
    assert person.state.steps == 1 and panel.moves.winfo_ismapped()
    panel.moves.current(3)
    panel.moves.event_generate("<<ComboboxSelected>>")
    person.settle()
    assert person.state.shown.names == ("1", "4", "1") and panel.moves.get() == "choose a move …"


def test_the_account_dialog_names_the_account(screen_of):
    person = screen_of()
    person.window.account()
    person.window.root.update()
    dialog = next(w for w in person.window.root.winfo_children() if isinstance(w, tk.Toplevel))
    dialog.name.insert(0, "Annie")
    dialog.password.insert(0, "correct horse")
    person.presses(dialog.keep)
    assert person.window.panel.account["text"] == "Annie"


def choose_game(person, title):
    panel = person.window.panel
    panel.game.current(panel.game["values"].index(title))
    panel.game.event_generate("<<ComboboxSelected>>")
    person.settle()
    person.presses(panel.new)


def test_a_whole_game_of_pieces_that_are_taken_up_and_put_down(screen_of):
    person = screen_of()
    board = person.window.board
    choose_game(person, "Breakthrough 5×3")
    assert board.layout.game.notation == "moves" and not person.window.panel.moves.winfo_ismapped()
    first, *_ = person.state.shown.legal
    person.clicks(first.origin)
    assert board.lifted == first.origin and person.state.steps == 1
    person.clicks(first.origin)
    assert board.lifted is None
    while person.state.open_game:
        steps, move = person.state.steps, person.state.shown.legal[-1]
        person.clicks(move.origin)
        person.clicks(move.cell)
        assert person.state.steps > steps and person.state.played.position.names[steps] == move.name
        assert board.lifted is None
    assert person.window.panel.notice["text"].startswith(("You won", "You lost"))


def test_one_of_several_moves_and_a_pass_are_chosen_by_name(screen_of, monkeypatch):
    person = screen_of()
    board, panel = person.window.board, person.window.panel
    shown = []
    monkeypatch.setattr(board.names, "tk_popup", lambda *place: shown.append(place))
    choose_game(person, "Pawn race")
    assert panel.moves.winfo_ismapped() and panel.moves["values"] == ("pass",)
    panel.moves.current(0)
    panel.moves.event_generate("<<ComboboxSelected>>")
    person.settle()
    assert person.state.shown.names[1] == "pass"
    person.window.board.play = lambda move: shown.append(move.name)
    lifted = person.state.shown.legal[0]
    promotions = [lifted.model_copy(update={"name": f"{lifted.name}={letter}"}) for letter in "QN"]
    board.show(
        board.layout.game, person.state.shown.model_copy(update={"legal": tuple(promotions)}), open=True
    )
    person.clicks(lifted.origin)
    person.clicks(lifted.cell)
    assert len(shown) == 1  # the menu was opened
    assert [board.names.entrycget(i, "label") for i in (0, 1)] == [move.name for move in promotions]
    board.names.invoke(1)
    assert shown[1] == promotions[1].name
