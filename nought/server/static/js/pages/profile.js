// A profile: ratings and games; your own also has a name and a password to set.

import { announce, h } from "../dom.js";
import * as api from "../model/api.js";
import { recall } from "../model/store.js";
import { ago, count, gameTitle, whole } from "../model/words.js";
import { ask } from "../parts/ask.js";
import { lineChart } from "../parts/charts.js";
import { button, field } from "../parts/form.js";
import { gamesList } from "../parts/games-list.js";
import { emptyCard, linkButton, pageHead } from "../parts/page.js";
import { loading } from "../parts/problem.js";

export const title = "Profile";

export function render(view) {
  return loading(view.root, view.signal, async (signal) => {
    const own = recall("account");
    const { name } = view.params;
    if (!name && !recall("token")) return visitor(view);
    const mine = !name || name === own?.name;
    const [games, person] = await Promise.all([
      api.games(),
      mine ? api.me(signal).catch(unknownHere) : api.player(name, signal),
    ]);
    if (person === null) return visitor(view);
    const { account } = person;
    const list = h("div");
    const empty = h("p", { class: "empty card" }, "No games yet.");
    loading(list, signal, (listed) => gamesList(listed, { player: account.name }, { who: account.name, empty }));
    const since = new Date(account.created).toLocaleDateString(undefined, { dateStyle: "long" });
    return [
      pageHead(account.name, `${account.guest ? "Guest" : "Player"} since ${since}`),
      h(
        "div",
        { class: "two" },
        h(
          "div",
          { class: "stack" },
          ratings(games, person.ratings),
          h("section", { class: "stack" }, h("h2", {}, "Games"), list),
        ),
        mine && h("aside", { class: "stack" }, accountForm(view, account), leaving(view, account)),
      ),
    ];
  });
}

/** Null where the server does not know this account any more. */
function unknownHere(error) {
  if (error.status === 401) return null;
  throw error;
}

/** Somebody without an account: one is made by playing; an old one is used by logging in. */
function visitor(view) {
  return [
    pageHead("You", "Play a game and you have a profile. No form to fill, nothing to remember."),
    h(
      "div",
      { class: "two" },
      emptyCard(h("p", {}, "You have not played here yet."), linkButton("Play a game", "/play", "primary")),
      h("aside", {}, logInForm(view)),
    ),
  ];
}

function ratings(games, list) {
  if (!list.length)
    return h("section", { class: "card empty" }, h("p", {}, "No rating yet: it begins with the first rated game."));
  return list.map((rating) => {
    const points = rating.history.map((one, i) => [i + 1, one.rating]);
    return h(
      "section",
      { class: "card" },
      h(
        "div",
        { class: "row spread" },
        h("h2", {}, gameTitle(games, rating.game)),
        h(
          "p",
          {},
          h("strong", { class: "rating" }, Math.round(rating.rating)),
          h(
            "span",
            { class: "muted small" },
            `${rating.deviation ? ` ± ${Math.round(2 * rating.deviation)}` : ""} · ${count(rating.games, "game")}`,
          ),
        ),
      ),
      lineChart([{ name: "Rating", points }], {
        label: `Rating in ${gameTitle(games, rating.game)} after each rated game`,
        format: whole,
        step: 1,
        xName: "rated games",
        height: 150,
      }),
      rating.history.length > 0 && h("p", { class: "small muted" }, `Last changed ${ago(rating.history.at(-1).at)}.`),
    );
  });
}

/** A form whose button does something with the server and says how it went. */
function form(titleText, text, fields, label, act) {
  const says = h("p", { class: "says-small", role: "status" });
  const element = h(
    "form",
    {
      class: "card stack",
      onsubmit: async (event) => {
        event.preventDefault();
        says.textContent = "";
        try {
          await act();
          says.textContent = "Done.";
          announce("Done.");
        } catch (error) {
          says.textContent = error.message;
        }
      },
    },
    titleText && h("h2", {}, titleText),
    text && h("p", { class: "muted small" }, text),
    fields,
    h("button", { type: "submit", class: "primary" }, label),
    says,
  );
  return element;
}

function accountForm(view, account) {
  const name = field("Name", {
    type: "text",
    autocomplete: "username",
    minlength: 2,
    maxlength: 24,
    required: true,
    value: account.guest ? "" : account.name,
  });
  const password = field(account.guest ? "Password" : "New password (empty: as it is)", {
    type: "password",
    autocomplete: "new-password",
    minlength: 8,
    required: account.guest,
  });
  const old = field("Password as it is now (to change it)", { type: "password", autocomplete: "current-password" });
  return form(
    account.guest ? "Keep this profile" : "Your account",
    account.guest ? "With a name and a password you can come back from any device." : "",
    [name, password, !account.guest && old],
    "Save",
    async () => {
      await api.changeMe({
        name: name.input.value.trim(),
        password: password.input.value || undefined,
        old_password: old.input.value || undefined,
      });
      if (view.params.name) await view.go("/profile", { replace: true });
      else await render(view);
    },
  );
}

function logInForm(view) {
  const name = field("Name", { type: "text", autocomplete: "username", required: true });
  const password = field("Password", { type: "password", autocomplete: "current-password", required: true });
  return form("Log in", "Use a profile that you made before.", [name, password], "Log in", async () => {
    await api.logIn(name.input.value.trim(), password.input.value);
    await render(view);
  });
}

function leaving(view, account) {
  const out = button("Log out", async () => {
    await api.logOut();
    await view.go("/profile");
  });
  const another = () =>
    h(
      "details",
      {},
      h("summary", {}, "Log in to another profile"),
      h("p", { class: "small muted" }, "This guest profile and its games can then no longer be reached from here."),
      logInForm(view),
    );
  return [h("section", { class: "card stack" }, account.guest ? another() : out), deleting(view, account)];
}

/** A form that ends the account; asked once more, since nothing brings it back. */
function deleting(view, account) {
  const password = field("Password", { type: "password", autocomplete: "current-password", required: true });
  const text = "Your name, games, ratings and everything else that is kept for you are deleted.";
  const leave = async () => {
    const sure = await ask("Delete this profile?", `${text} Nothing brings them back.`, [
      [false, "Keep it"],
      [true, "Delete it"],
    ]);
    if (!sure) throw new Error("Nothing was deleted.");
    await api.deleteMe(account.guest ? undefined : password.input.value);
    await view.go("/profile", { replace: true });
  };
  return h(
    "details",
    { class: "card" },
    h("summary", {}, "Delete this profile"),
    form("", text, account.guest ? [] : [password], "Delete this profile", leave),
  );
}
