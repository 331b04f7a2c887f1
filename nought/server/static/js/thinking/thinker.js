// The page's side of the thread in which an agent thinks.

export class Thinker {
  /** `facts` are those of the agent, or their address; `code` and `network` are addresses, relative to the page's. */
  constructor({ facts, code, network }) {
    this.worker = new Worker(new URL("./worker.js", import.meta.url), { type: "module" });
    this.waiting = new Map(); // number of a question → who waits for its answer
    this.asked = 0;
    this.worker.addEventListener("message", ({ data }) => this.hear(data));
    this.worker.addEventListener("error", (event) =>
      this.fail(event.message || "The thread that thinks has not started."),
    );
    const address = (name) => (typeof name === "string" ? new URL(name, document.baseURI).href : name);
    /** A promise: it knows the rules. */
    this.loaded = this.ask("load", { facts: address(facts), code: address(code), network: address(network) });
    this.loaded.catch(() => {}); // said when somebody asks
  }

  hear({ id, answer, problem, progress }) {
    const { resolve, reject, onProgress } = this.waiting.get(id) ?? {};
    if (progress) return onProgress?.(progress);
    this.waiting.delete(id);
    if (problem) reject?.(new Error(problem));
    else resolve?.(answer);
  }

  /** Whoever waits is told so, and whoever asks from now on. */
  fail(message) {
    this.broken = message;
    for (const { reject } of this.waiting.values()) reject(new Error(message));
    this.waiting.clear();
  }

  ask(ask, values = {}, onProgress = null) {
    if (this.broken) return Promise.reject(new Error(this.broken));
    const id = ++this.asked;
    return new Promise((resolve, reject) => {
      this.waiting.set(id, { resolve, reject, onProgress });
      this.worker.postMessage({ id, ask, ...values });
    });
  }

  facts = () => this.ask("facts");
  ready = () => this.ask("ready");
  look = (actions) => this.ask("look", { actions });
  read = (moves) => this.ask("read", { moves });
  think = (actions, { simulations, fresh = false }, onProgress) =>
    this.ask("think", { actions, simulations, fresh }, onProgress);
  stop = () => this.ask("stop").catch(() => {}); // who has ended has stopped

  end() {
    this.worker.terminate();
    this.fail("The thread that thinks has ended.");
  }
}
