// The page's side of the thread that thinks.

export class Thinker {
  constructor() {
    this.worker = new Worker(new URL("./worker.js", import.meta.url), { type: "module" });
    this.waiting = new Map(); // number of a question → who waits for its answer
    this.asked = 0;
    this.worker.addEventListener("message", ({ data }) => this.hear(data));
    this.worker.addEventListener("error", (event) =>
      this.fail(event.message || "The thread that thinks has not started."),
    );
  }

  hear({ id, answer, problem, progress }) {
    const { resolve, reject, onProgress } = this.waiting.get(id) ?? {};
    if (progress) return onProgress?.(progress);
    this.waiting.delete(id);
    if (problem) reject?.(new Error(problem));
    else resolve?.(answer);
  }

  fail(message) {
    for (const { reject } of this.waiting.values()) reject(new Error(message));
    this.waiting.clear();
  }

  ask(ask, values = {}, onProgress = null) {
    const id = ++this.asked;
    return new Promise((resolve, reject) => {
      this.waiting.set(id, { resolve, reject, onProgress });
      this.worker.postMessage({ id, ask, ...values });
    });
  }

  facts = () => this.ask("facts");
  look = (actions) => this.ask("look", { actions });
  think = (actions, simulations, onProgress) => this.ask("think", { actions, simulations }, onProgress);
  stop = () => this.ask("stop");
}
