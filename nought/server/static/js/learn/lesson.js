// The frame of a lesson: its steps one after the other, each with a guess first where it asks for one.
//
// A lesson's module has `steps(words, view)`, a list of steps or a promise of one. A step is
// {
//   words: { title, text, question?, choices?, replies?, after? },  text and after as prose.js reads them
//   guess?: { kind: "choice" | "number" | "stage", right, … },      see guess.js
//   values?: () => ({ name: value }),                               for {name} in the words
//   stage?: (stage) => element,                                     what there is to see and to do
// }
// and a stage has { signal, guess(value), onReveal(act), revealed }: `signal` ends when the step is left, `guess` is for
// a guess made on the stage, and `act(value)` is done as soon as the answer may be seen.

import { announce, h, onKey } from "../dom.js";
import { button } from "../parts/form.js";
import { linkButton } from "../parts/page.js";
import { ask, reply } from "./guess.js";
import { lessonAfter } from "./lessons.js";
import { noteGuess, noteSeen, progressOf } from "./progress.js";
import { marked, prose } from "./prose.js";
import { filled } from "./words.js";

export class Lesson {
  /** `lesson` is one of lessons.js with its `steps`; `frame` are the words around all lessons; `view` is the router's. */
  constructor(lesson, steps, frame, view) {
    Object.assign(this, { lesson, steps, frame, view, leave: new AbortController() });
    this.place = h("ol", { class: "lesson-steps" });
    this.room = h("div", { class: "lesson-room" });
    this.ways = h("div", { class: "row spread lesson-ways" });
    this.element = h(
      "article",
      { class: "lesson" },
      h(
        "header",
        { class: "lesson-head" },
        h(
          "p",
          { class: "small muted" },
          h("a", { href: "/learn" }, frame.overview),
          ` · ${filled(frame.number, lesson)}`,
        ),
        h("h1", {}, frame.lessons[lesson.id].title),
      ),
      h("nav", { "aria-label": frame.steps }, this.place),
      this.room,
      this.ways,
      h("p", { class: "small muted lesson-keys" }, frame.keys),
    );
    onKey(view.signal, (event) => this.key(event));
    new ResizeObserver(() => this.reach()).observe(this.room);
    view.signal.addEventListener("abort", () => this.leave.abort());
  }

  /** Shows a step. The keyboard goes along if it is used here already. */
  show(at, { focus = true } = {}) {
    this.leave.abort();
    this.leave = new AbortController();
    this.at = Math.max(0, Math.min(this.steps.length - 1, at));
    noteSeen(this.lesson.id, this.at, this.steps.length);
    this.view.setQuery({ step: this.at ? this.at + 1 : null });
    this.showPlace();
    this.room.replaceChildren(this.step(this.steps[this.at]));
    this.showWays();
    if (focus) this.room.querySelector("h2").focus({ preventScroll: true });
    if (focus) this.element.scrollIntoView({ block: "start" });
  }

  /** A formula that is wider than the screen can be scrolled with keys, too. */
  reach() {
    for (const one of this.room.querySelectorAll(".formula")) {
      if (one.scrollWidth > one.clientWidth) one.setAttribute("tabindex", 0);
      else one.removeAttribute("tabindex");
    }
  }

  showPlace() {
    const { seen } = progressOf(this.lesson.id);
    const title = (i) => `${filled(this.frame.place, { step: i + 1, steps: this.steps.length })}: ${this.steps[i].words.title}`; // prettier-ignore
    this.place.replaceChildren(
      ...this.steps.map((_, i) =>
        h(
          "li",
          {},
          h(
            "button",
            {
              type: "button",
              class: seen.includes(i) ? "seen" : "",
              "aria-label": title(i),
              title: title(i),
              "aria-current": i === this.at ? "step" : null,
              onclick: () => this.show(i),
            },
            i + 1,
          ),
        ),
      ),
    );
  }

  /** One step: its words, its guess, its stage. */
  step(step) {
    const acts = [];
    const after = h("div", { class: "after", "aria-live": "polite" });
    const stage = {
      signal: this.leave.signal,
      revealed: false,
      onReveal: (act) => (stage.revealed ? act(stage.value) : acts.push(act)),
      guess: (value) => stage.revealed || answered(value),
    };
    const reveal = (value, fresh) => {
      Object.assign(stage, { revealed: true, value });
      question?.remove();
      this.room.querySelector(".guess")?.remove();
      const values = step.values?.(value);
      const said = step.guess && reply(step.guess, step.words, this.frame, value);
      after.replaceChildren(
        ...(said ? [h("p", { class: "reply" }, marked(said, values))] : []),
        ...prose(step.words.after ?? [], values),
      );
      acts.splice(0).forEach((act) => act(value));
      if (fresh) announce(said);
      if (fresh) this.showWays();
    };
    const answered = (value) => {
      noteGuess(this.lesson.id, this.at, value);
      reveal(value, true);
      this.ways.querySelector(".forward")?.focus({ preventScroll: true });
    };
    const { guesses } = progressOf(this.lesson.id);
    const open = step.guess && !(this.at in guesses);
    const question = open ? ask(step.guess, step.words, this.frame, answered) : null;
    const drawn = step.stage?.(stage);
    const element = h(
      "section",
      { class: `card step ${drawn ? "" : "words-only"}` },
      h(
        "div",
        { class: "step-words" },
        h("h2", { tabindex: -1 }, step.words.title),
        prose(step.words.text, open ? undefined : step.values?.(guesses[this.at])),
        question,
        after,
      ),
      drawn && h("div", { class: "step-stage" }, drawn),
    );
    this.waits = () => step.guess && !stage.revealed;
    if (!open) reveal(guesses[this.at] ?? null, false);
    return element;
  }

  /** Back and on: at the end to the next lesson. */
  showWays() {
    const last = this.at === this.steps.length - 1;
    const kind = `forward ${this.waits() ? "" : "primary"}`.trim();
    const after = lessonAfter(this.lesson);
    const on = !last
      ? button(this.frame.next, () => this.show(this.at + 1), kind)
      : after
        ? linkButton(filled(this.frame.nextLesson, this.frame.lessons[after.id]), `/learn/${after.id}`, kind)
        : linkButton(this.frame.overview, "/learn", kind);
    const back = button(this.frame.back, () => this.show(this.at - 1));
    back.disabled = this.at === 0;
    const text = filled(this.frame.place, { step: this.at + 1, steps: this.steps.length });
    this.ways.replaceChildren(back, h("span", { class: "muted small number" }, text), on);
  }

  key(event) {
    const by = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
    if (!by || event.target.closest(".step-stage")) return;
    event.preventDefault();
    if (this.steps[this.at + by]) this.show(this.at + by);
  }
}
