// Offline use: all files of the site are kept when it is first visited, and served from there. A new export has another
// VERSION, which replaces all of them at once.

const VERSION = "filled in by nought export";
const FILES = [];
// Kept when they are first used:
const LATER = [];

// Other sites may stand on the same host, and keep theirs.
const CACHE = `${self.registration.scope} ${VERSION}`;

const here = (file) => new URL(file, self.registration.scope).href;

self.addEventListener("install", (event) => {
  const fresh = () => FILES.map((file) => new Request(here(file), { cache: "no-cache" }));
  event.waitUntil(
    caches
      .open(CACHE)
      .then((cache) => cache.addAll(fresh()))
      .then(() => self.skipWaiting()),
  );
});

self.addEventListener("activate", (event) => event.waitUntil(forgetOthers().then(() => self.clients.claim())));

/** Forgets earlier exports that were kept for this site. */
async function forgetOthers() {
  const own = (await caches.keys()).filter((name) => name.startsWith(`${self.registration.scope} `));
  await Promise.all(own.filter((name) => name !== CACHE).map((name) => caches.delete(name)));
}

self.addEventListener("fetch", (event) => {
  const { method, mode, url } = event.request;
  if (method !== "GET" || !url.startsWith(self.registration.scope)) return;
  const file = mode === "navigate" ? here("index.html") : url;
  event.respondWith(keptOrFetched(event, file));
});

async function keptOrFetched(event, file) {
  const cache = await caches.open(CACHE);
  const kept = await cache.match(file);
  if (kept) return kept;
  const answer = await fetch(event.request);
  if (answer.ok && LATER.map(here).includes(file)) event.waitUntil(cache.put(file, answer.clone()));
  return answer;
}
