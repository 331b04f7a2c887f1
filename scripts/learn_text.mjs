// Writes docs/learn/*.md from the words of the page's lessons, so that both say the same: `node scripts/learn_text.mjs`.
// With --check nothing is written, and what is out of date is named.

import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";

const ROOT = new URL("../", import.meta.url);
const LEARN = new URL("nought/server/static/js/learn/", ROOT);
const TEXTS = new URL("docs/learn/", ROOT);
// Pictures by lesson and step, made by scripts/learn_figures.py.
const FIGURES = {
  neuron: { activation: ["activations.svg", "tanh, softmax of two scores, leaky ReLU, and their slopes"] },
  demos: { supervised: ["circle.png", "What the network says of every point, and its loss"] },
  network: { off: ["network.png", "What the first layer says of a position, and the policy without one of its filters"] },
  search: { curiosity: ["search.svg", "Visits of the moves of our position, by curiosity"] },
  loop: { now: ["loop.svg", "One run in the page's own code: loss above its floor, games it can lose, one position"] },
  fast: { compiled: ["speed.svg", "Where values come from, proofs, and batches"] },
  strength: {
    expectedScore: ["elo.svg", "Expected score by rating difference, and the reverse"],
    truth: ["strength.svg", "Right moves of every agent's network in 1,020 positions, with 95 % intervals"],
  },
};

// Lessons look at the page only when they are shown; these few things they ask for when they are loaded.
globalThis.matchMedia = () => ({ matches: false });
globalThis.localStorage = {};
globalThis.dispatchEvent = () => {};
globalThis.CustomEvent ??= class {};
globalThis.fetch = async (address) => {
  if (address === "/api/games") return { ok: true, headers: new Headers(), json: async () => ratedGames() };
  if (!(address instanceof URL) || address.protocol !== "file:") throw new Error("there is no server");
  return { json: () => JSON.parse(readFileSync(address, "utf-8")) };
};

/** Connect 4 with the ratings of its agents, as a server offers it. */
function ratedGames() {
  const text = readFileSync(new URL("nought/agents/shipped/ratings.toml", ROOT), "utf-8");
  const section = text.split('["connect4"]')[1].split("\n[")[0];
  const rows = [...section.matchAll(/^"([^"]+)" = \[(-?\d+), (-?\d+), (-?\d+)\]/gm)];
  const agents = rows.map(([, name, rating, low, high]) => ({ name, title: name, rating: Number(rating), interval: [Number(low), Number(high)] })); // prettier-ignore
  return [{ name: "connect4", agents }];
}

const of = async (file) => import(new URL(file, LEARN));
const { lessons } = await of("lessons.js");
const { filled } = await of("words.js");
const { words: frame } = await of("words/en/frame.js");

/** The values for {names} in the words, as far as they can be had without a server. */
async function valuesOf(lesson, words) {
  const steps = await lesson
    .load()
    .then((module) => module.steps(words, {}))
    .catch(() => []);
  return new Map(steps.map((step) => [step.words.title, step]));
}

/** What a server said when scripts/learn_inside.py asked: values for steps that need one. */
const SAID = JSON.parse(read(new URL("values.json", TEXTS)) ?? "{}");

const paragraph = (one) => {
  if (typeof one === "string") return one.replace(/\*([^*]+)\*/g, "**$1**");
  if (one.formula) return `\`\`\`math\n${one.formula}\n\`\`\`\n${paragraph(one.words)}`;
  if (one.list) return one.list.map((item) => `- ${paragraph(item)}`).join("\n");
  if (one.link) return `*On the page: ${one.link[0]}.*`;
  return `*${one.note}*`;
};
const paragraphs = (text, values) => [text ?? []].flat().map((one) => filled(paragraph(one), values));

/** A step as text: what it says, what it asks, what it answers. */
function stepText(key, words, step, figure, said = {}) {
  const text = step?.words.text ?? words.text;
  const values = { ...said, ...step?.values?.(null) };
  const parts = [`## ${words.title}`, ...paragraphs(text, values)];
  if (words.question) parts.push(`> **Guess first.** ${filled(paragraph(step?.words.question ?? words.question), values)}`);
  if (words.choices)
    parts[parts.length - 1] += `\n>\n${Object.values(words.choices).map((choice) => `> - ${filled(choice, values)}`).join("\n")}`; // prettier-ignore
  parts.push(...paragraphs(words.after, values));
  if (figure) parts.push(`![${figure[1]}](figures/${figure[0]})`);
  return parts.join("\n\n");
}

async function lessonText(lesson) {
  const { words } = await of(`words/en/${lesson.id}.js`);
  const steps = await valuesOf(lesson, words);
  const { title, about } = frame.lessons[lesson.id];
  const texts = Object.entries(words)
    .filter(([, one]) => one.title && one.text)
    .map(([key, one]) => stepText(key, one, steps.get(one.title), FIGURES[lesson.id]?.[key], SAID[lesson.id]));
  const head = `# ${lesson.number}. ${title}\n\n${about} To touch: the page's *Learn*, \`/learn/${lesson.id}\`.`;
  return `<!-- made by scripts/learn_text.mjs from the words of the page -->\n${head}\n\n${texts.join("\n\n")}\n`;
}

function indexText() {
  const rows = lessons.map(({ id, number }) => `| [${number}. ${frame.lessons[id].title}](${id}.md) | ${frame.lessons[id].about} |`); // prettier-ignore
  return `<!-- made by scripts/learn_text.mjs from the words of the page -->
# Learn

How nought works, from the rules of a game to a program that plays it well. These are the lessons of the page's *Learn*
(\`nought serve\`, then \`/learn\`) for reading: there every number is computed while you watch, and can be dragged. One
position of Connect 4, \`4371564453763664\`, goes through all of them.

| lesson | |
| --- | --- |
${rows.join("\n")}

[network.py](network.py) is a network that learns, in some sixty lines of NumPy: forward, loss, back-propagation, a step. A test
compares it with torch. The texts are made from the page's words by \`node scripts/learn_text.mjs\`, the figures by
\`python scripts/learn_figures.py\`.
`;
}

const files = { "index.md": indexText() };
for (const lesson of lessons) files[`${lesson.id}.md`] = await lessonText(lesson);
mkdirSync(TEXTS, { recursive: true });
let outdated = 0;
for (const [name, text] of Object.entries(files)) {
  const path = new URL(name, TEXTS);
  if (!process.argv.includes("--check")) writeFileSync(path, text);
  else if (read(path) !== text) {
    outdated++;
    console.error(`${fileURLToPath(path)} is not what the page says: node scripts/learn_text.mjs`);
  }
}
process.exitCode = outdated ? 1 : 0;

function read(path) {
  try {
    return readFileSync(path, "utf-8");
  } catch {
    return null;
  }
}
