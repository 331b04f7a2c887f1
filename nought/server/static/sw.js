// Offline use: everything comes fresh while the server answers, and as it was last seen when it does not.

const SHELL = "shell",
  SEEN = "seen",
  THINKING = "thinking"; // caches: the page's own files; what the server said; agents
const MOST_SEEN = 400;
const FILES = [
  "/",
  "/manifest.webmanifest",
  "/css/analyse.css",
  "/css/base.css",
  "/css/board.css",
  "/css/charts.css",
  "/css/forms.css",
  "/css/inside.css",
  "/css/learn.css",
  "/css/lessons.css",
  "/css/parts.css",
  "/css/people.css",
  "/css/table.css",
  "/css/training.css",
  "/fonts/manrope-400.woff2",
  "/fonts/manrope-600.woff2",
  "/fonts/manrope-800.woff2",
  "/icons/icon.svg",
  "/icons/icon-192.png",
  "/icons/icon-512.png",
  "/icons/maskable-512.png",
  "/js/dom.js",
  "/js/main.js",
  "/js/router.js",
  "/js/theme-first.js",
  "/js/theme.js",
  "/js/board/board.js",
  "/js/board/dots.js",
  "/js/board/ground.js",
  "/js/board/mini.js",
  "/js/board/stones.js",
  "/js/board/text.js",
  "/js/learn/circle-worker.js",
  "/js/learn/formula.js",
  "/js/learn/guess.js",
  "/js/learn/lesson.js",
  "/js/learn/lessons.js",
  "/js/learn/position.js",
  "/js/learn/progress.js",
  "/js/learn/prose.js",
  "/js/learn/trained.js",
  "/js/learn/words.js",
  "/js/learn/data/exam.json",
  "/js/learn/data/speed.json",
  "/js/learn/lessons/demos.js",
  "/js/learn/lessons/fast.js",
  "/js/learn/lessons/learning.js",
  "/js/learn/lessons/loop.js",
  "/js/learn/lessons/network.js",
  "/js/learn/lessons/neuron.js",
  "/js/learn/lessons/reward.js",
  "/js/learn/lessons/search.js",
  "/js/learn/lessons/strength.js",
  "/js/learn/lessons/worth.js",
  "/js/learn/loop/learning.js",
  "/js/learn/loop/little-network.js",
  "/js/learn/loop/little-search.js",
  "/js/learn/loop/random.js",
  "/js/learn/loop/tictactoe.js",
  "/js/learn/loop/truth.js",
  "/js/learn/loop/worker.js",
  "/js/learn/maths/demos.js",
  "/js/learn/maths/elo.js",
  "/js/learn/maths/examples.js",
  "/js/learn/maths/graphs.js",
  "/js/learn/maths/heads.js",
  "/js/learn/maths/layers.js",
  "/js/learn/maths/network.js",
  "/js/learn/maths/rows.js",
  "/js/learn/maths/trained.js",
  "/js/learn/maths/value.js",
  "/js/learn/parts/back.js",
  "/js/learn/parts/bars.js",
  "/js/learn/parts/board.js",
  "/js/learn/parts/circle.js",
  "/js/learn/parts/convolution.js",
  "/js/learn/parts/cycle.js",
  "/js/learn/parts/dial.js",
  "/js/learn/parts/digraph.js",
  "/js/learn/parts/exam.js",
  "/js/learn/parts/grid.js",
  "/js/learn/parts/maps.js",
  "/js/learn/parts/net.js",
  "/js/learn/parts/player.js",
  "/js/learn/parts/pupil.js",
  "/js/learn/parts/quantiser.js",
  "/js/learn/parts/shares.js",
  "/js/learn/parts/sight.js",
  "/js/learn/parts/sums.js",
  "/js/learn/parts/trained-step.js",
  "/js/learn/parts/tree.js",
  "/js/learn/words/en/demos.js",
  "/js/learn/words/en/fast.js",
  "/js/learn/words/en/frame.js",
  "/js/learn/words/en/learning.js",
  "/js/learn/words/en/loop.js",
  "/js/learn/words/en/network.js",
  "/js/learn/words/en/neuron.js",
  "/js/learn/words/en/reward.js",
  "/js/learn/words/en/search.js",
  "/js/learn/words/en/strength.js",
  "/js/learn/words/en/worth.js",
  "/js/model/addresses.js",
  "/js/model/api.js",
  "/js/model/games.js",
  "/js/model/picking.js",
  "/js/model/setup.js",
  "/js/model/simulations.js",
  "/js/model/store.js",
  "/js/model/tree.js",
  "/js/model/words.js",
  "/js/pages/analyse.js",
  "/js/pages/away.js",
  "/js/pages/game.js",
  "/js/pages/inside.js",
  "/js/pages/ladder.js",
  "/js/pages/learn.js",
  "/js/pages/missing.js",
  "/js/pages/play.js",
  "/js/pages/profile.js",
  "/js/pages/replays.js",
  "/js/pages/training.js",
  "/js/parts/ask.js",
  "/js/parts/candidates.js",
  "/js/parts/charts.js",
  "/js/parts/course.js",
  "/js/parts/evaluation.js",
  "/js/parts/explanation.js",
  "/js/parts/film.js",
  "/js/parts/form.js",
  "/js/parts/games-list.js",
  "/js/parts/graph.js",
  "/js/parts/icons.js",
  "/js/parts/moves.js",
  "/js/parts/page.js",
  "/js/parts/people.js",
  "/js/parts/play-view.js",
  "/js/parts/problem.js",
  "/js/parts/replay.js",
  "/js/parts/result.js",
  "/js/parts/setup.js",
  "/js/parts/table.js",
  "/js/parts/versions.js",
  "/js/parts/where.js",
  "/js/thinking/agents.js",
  "/js/thinking/analysis.js",
  "/js/thinking/casual.js",
  "/js/thinking/found.js",
  "/js/thinking/machine.js",
  "/js/thinking/review.js",
  "/js/thinking/seen.js",
  "/js/thinking/thinker.js",
  "/js/thinking/worker.js",
];
const REMEMBERED = /^\/api\/(games|position|runs|truth)\b/; // the same for everybody: nothing of people, whoever uses this browser

self.addEventListener("install", (event) => {
  event.waitUntil(
    caches
      .open(SHELL)
      .then((cache) => cache.addAll(FILES.map((file) => new Request(file, { cache: "no-cache" }))))
      .then(() => self.skipWaiting()),
  );
});

// What the server said to an earlier page may lack what this one needs.
self.addEventListener("activate", (event) => event.waitUntil(caches.delete(SEEN).then(() => self.clients.claim())));

self.addEventListener("fetch", (event) => {
  const url = new URL(event.request.url);
  if (event.request.method !== "GET" || url.origin !== location.origin) return;
  if (event.request.mode === "navigate" && !/^\/(api|docs|metrics|healthz|openapi\.json)\b/.test(url.pathname)) {
    event.respondWith(fetch(event.request).catch(() => caches.match("/")));
  } else if (FILES.includes(url.pathname)) {
    event.respondWith(freshOrSeen(event, SHELL, url.pathname));
  } else if (url.pathname.startsWith("/api/browser/files/")) {
    event.respondWith(keptOrFresh(event.request));
  } else if (url.pathname === "/api/browser/agent") {
    event.respondWith(fetch(event.request).catch((error) => keptAgent(event.request.url, error)));
  } else if (REMEMBERED.test(url.pathname)) {
    event.respondWith(freshOrSeen(event, SEEN, event.request.url));
  }
});

// Agents that think in the browser: the page keeps them (js/thinking/agents.js). Another content has another name.
const keptOrFresh = async (request) => (await caches.match(request.url, { cacheName: THINKING })) ?? fetch(request);

async function keptAgent(url, error) {
  const kept = await caches.match(url, { cacheName: THINKING });
  if (!kept) throw error;
  return seenBefore(kept);
}

/** The server's answer, kept for later; or, if nobody answers, the one that was kept. */
async function freshOrSeen(event, name, key) {
  const cache = await caches.open(name);
  try {
    const response = await fetch(event.request);
    if (response.ok) event.waitUntil(keep(cache, name, key, response.clone()));
    return response;
  } catch (error) {
    const seen = (await cache.match(key)) ?? (await caches.match(key, { cacheName: THINKING }));
    if (!seen) throw error;
    return seenBefore(seen);
  }
}

function seenBefore(answer) {
  const headers = new Headers(answer.headers);
  headers.set("X-Seen-Before", "1");
  return new Response(answer.body, { status: answer.status, headers });
}

async function keep(cache, name, key, response) {
  await cache.put(key, response);
  if (name !== SEEN) return;
  const keys = await cache.keys();
  await Promise.all(keys.slice(0, Math.max(0, keys.length - MOST_SEEN)).map((old) => cache.delete(old)));
}
