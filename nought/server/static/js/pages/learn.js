// Learn: the overview of the lessons, and one lesson.

import { h } from "../dom.js";
import { Lesson } from "../learn/lesson.js";
import { lessonNamed, lessons } from "../learn/lessons.js";
import { progressOf } from "../learn/progress.js";
import { filled, wordsOf } from "../learn/words.js";
import { emptyCard, linkButton, pageHead } from "../parts/page.js";
import { loading } from "../parts/problem.js";

export const title = "Learn";

export function render(view) {
  return loading(view.root, view.signal, async () => {
    const frame = await wordsOf("frame");
    if (!view.params.id) return overview(frame);
    const lesson = lessonNamed(view.params.id);
    if (!lesson) return emptyCard(h("p", {}, frame.missing), linkButton(frame.overview, "/learn"));
    return oneLesson(lesson, frame, view);
  });
}

async function oneLesson(lesson, frame, view) {
  const [module, words] = await Promise.all([lesson.load(), wordsOf(lesson.id)]);
  const steps = await module.steps(words, view);
  if (view.signal.aborted) return null;
  document.title = `${frame.lessons[lesson.id].title} · nought`;
  const shown = new Lesson(lesson, steps, frame, view);
  shown.show(Number(view.query.get("step") ?? 1) - 1, { focus: false });
  return shown.element;
}

const overview = (frame) => [
  pageHead(frame.title, frame.intro),
  h(
    "ol",
    { class: "lesson-list" },
    lessons.map((lesson) => card(lesson, frame)),
  ),
];

function card(lesson, frame) {
  const words = frame.lessons[lesson.id];
  const { at, steps, seen } = progressOf(lesson.id);
  const done = steps > 0 && seen.length >= steps;
  const href = `/learn/${lesson.id}${at && !done ? `?step=${at + 1}` : ""}`;
  const action = done ? frame.again : seen.length ? filled(frame.goOn, { step: at + 1 }) : frame.start;
  return h(
    "li",
    { class: "card lesson-card" },
    h("span", { class: `lesson-number ${done ? "done" : ""}`.trim(), "aria-hidden": "true" }, lesson.number),
    h(
      "div",
      { class: "lesson-about" },
      h("h2", {}, words.title),
      h("p", { class: "muted" }, words.about),
      h(
        "div",
        { class: "row" },
        linkButton(action, href, "small", { "aria-label": `${words.title}: ${action}` }),
        seen.length > 0 &&
          h("span", { class: "small muted number" }, filled(frame.progress, { done: seen.length, steps })),
      ),
    ),
  );
}
