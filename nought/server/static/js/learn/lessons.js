// The ten lessons, in order. One whose module is not there yet has no `load`, and nobody sees it.

const LESSONS = [
  { id: "reward", load: () => import("./lessons/reward.js") },
  { id: "worth", load: () => import("./lessons/worth.js") },
  { id: "neuron", load: () => import("./lessons/neuron.js") },
  { id: "learning", load: () => import("./lessons/learning.js") },
  { id: "demos", load: () => import("./lessons/demos.js") },
  { id: "network", load: () => import("./lessons/network.js") },
  { id: "search", load: () => import("./lessons/search.js") },
  { id: "loop", load: () => import("./lessons/loop.js") },
  { id: "strength", load: () => import("./lessons/strength.js") },
  { id: "fast", load: () => import("./lessons/fast.js") },
].map((lesson, i) => ({ ...lesson, number: i + 1 }));

/** The lessons that can be taken: [{ id, number, load }]; `load()` gives the lesson's module. */
export const lessons = LESSONS.filter(({ load }) => load);

/** The lesson of this name; undefined where there is none. */
export const lessonNamed = (id) => lessons.find((lesson) => lesson.id === id);

/** The lesson that comes after this one; undefined after the last. */
export const lessonAfter = ({ id }) => lessons[lessons.findIndex((lesson) => lesson.id === id) + 1];
