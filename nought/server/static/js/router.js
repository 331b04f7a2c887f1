// Addresses and pages. A page is a module with `title` and `render(view)`; `view.signal` ends when it is left.

import * as away from "./pages/away.js";

const ROUTES = [
  [/^\/$/, "play"],
  [/^\/play$/, "play"],
  [/^\/game\/(?<id>[^/]+)$/, "game"],
  [/^\/analyse$/, "analyse"],
  [/^\/inside$/, "inside"],
  [/^\/learn(?:\/(?<id>[^/]+))?$/, "learn"],
  [/^\/replays$/, "replays"],
  [/^\/profile(?:\/(?<name>[^/]+))?$/, "profile"],
  [/^\/ladder$/, "ladder"],
  [/^\/training(?:\/(?<run>[^/]+))?$/, "training"],
];

let leave = new AbortController();

/** Goes to an address of this page. The keyboard goes along, before there is anything that one could be using. */
export function go(url, { replace = false } = {}) {
  history[replace ? "replaceState" : "pushState"](null, "", url);
  return show(() => document.getElementById("main").focus({ preventScroll: true }));
}

/** Writes values into the address without leaving the page. */
export function setQuery(values) {
  const url = new URL(location);
  for (const [key, value] of Object.entries(values)) {
    if (value == null || value === "") url.searchParams.delete(key);
    else url.searchParams.set(key, value);
  }
  history.replaceState(null, "", url);
}

/** Shows the page of the present address; `begin` is called when it has taken the place of the one before. */
async function show(begin = () => {}) {
  leave.abort();
  leave = new AbortController();
  const { signal } = leave;
  const [match, name] = find(location.pathname);
  const page = await import(`./pages/${name}.js`).catch(() => away);
  if (signal.aborted) return;
  const root = document.createElement("div");
  root.className = `page ${name}`;
  document.getElementById("main").replaceChildren(root);
  document.title = page.title === "Play" ? "nought" : `${page.title} · nought`;
  markCurrent(name);
  scrollTo(0, 0);
  begin();
  const params = Object.fromEntries(Object.entries(match?.groups ?? {}).map(([k, v]) => [k, v && decode(v)]));
  await page.render({ root, signal, params, query: new URLSearchParams(location.search), go, setQuery });
}

function find(path) {
  for (const [pattern, name] of ROUTES) {
    const match = pattern.exec(path);
    if (match) return [match, name];
  }
  return [null, "missing"];
}

function decode(text) {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

function markCurrent(name) {
  const section = { game: "replays" }[name] ?? name;
  for (const link of document.querySelectorAll(".pages a, .me")) {
    if (link.getAttribute("href") === `/${section}`) link.setAttribute("aria-current", "page");
    else link.removeAttribute("aria-current");
  }
}

/** Follows links inside the page, and the back button. */
export function startRouter() {
  document.addEventListener("click", (event) => {
    const link = event.target.closest("a[href]");
    if (!link || event.defaultPrevented || event.button || event.ctrlKey || event.metaKey || event.shiftKey) return;
    const url = new URL(link.href, location);
    if (url.origin !== location.origin || link.target || link.download || url.pathname.includes(".")) return;
    if (/^\/(api|docs|metrics|healthz)\b/.test(url.pathname) || link.getAttribute("href").startsWith("#")) return;
    event.preventDefault();
    go(url);
  });
  addEventListener("popstate", () => show());
  return show();
}
