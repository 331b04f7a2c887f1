// The course of a game under analysis: its moves with variations, its value graph, the mistakes in it.

import { h, refill } from "../dom.js";
import { address } from "../model/addresses.js";
import * as api from "../model/api.js";
import { forFirst, joinMoves } from "../model/games.js";
import { capital, SIDES } from "../model/words.js";
import { thinkingHere } from "../thinking/agents.js";
import { reviewHere } from "../thinking/review.js";
import { valueGraph } from "./charts.js";
import { button } from "./form.js";
import { MARKS, moveButton } from "./moves.js";
import { linkButton } from "./page.js";

const PATIENCE = 2500; // ms in which the best agent may come to this browser; else the server looks for mistakes

export class Course {
  /** `onGo(node)` is told to which move of the tree to go, `onStep(name)` which of the tree's steps to take. */
  constructor(game, tree, signal, { onGo, onStep }) {
    Object.assign(this, { game, tree, signal, onGo, onStep, judged: null, judgedLine: null, curve: null });
    this.list = h("div", { class: "moves", role: "group", "aria-label": "Moves and variations" });
    this.graph = h("div");
    this.tools = h("div", { class: "row" });
    this.comment = h("p", { class: "comment" });
    this.element = h(
      "section",
      { class: "card course" },
      h("h2", {}, "Course of the game"),
      this.graph,
      this.list,
      this.tools,
    );
  }

  text(names) {
    return joinMoves(this.game, names);
  }

  /** Shows where in the game we are. */
  show(position) {
    this.position = position;
    refill(this.list, ...this.branch(this.tree.root));
    this.showTools(position);
    this.showGraph();
    this.showComment();
  }

  /** Has every move of the main line judged, for the graph and the marks. */
  async review() {
    const line = this.text(this.tree.mainLine);
    this.graph.replaceChildren(h("p", { class: "muted small" }, "Looking for mistakes …"));
    try {
      const here = await thinkingHere(this.game, undefined, PATIENCE);
      const judged = here
        ? await reviewHere(here, line, this.signal)
        : await api.mistakes(this.game.name, line, this.signal);
      if (this.text(this.tree.mainLine) !== line) return;
      Object.assign(this, { judged, judgedLine: line, curve: null });
      this.show(this.position);
    } catch (error) {
      if (error.name === "AbortError") return;
      this.graph.replaceChildren(h("p", { class: "muted small" }, `No graph: ${error.message}`));
    }
  }

  /** Whether the main line is the one that was judged. */
  get fresh() {
    return this.judged !== null && this.judgedLine === this.text(this.tree.mainLine);
  }

  /** What was found about the move that led to a node of the main line. */
  verdict(node) {
    return node.main && this.fresh ? this.judged[node.ply - 1] : undefined;
  }

  showGraph() {
    const { at: node } = this.tree;
    if (this.fresh) {
      this.curve ??= this.drawCurve();
      this.graph.replaceChildren(this.curve);
      this.curve.at(node.main ? node.ply : null);
      return;
    }
    this.curve = null;
    this.graph.replaceChildren(
      this.tree.mainLine.length
        ? button("Look for mistakes", () => this.review(), "small")
        : h("p", { class: "muted small" }, "Play moves on the board, or paste them."),
    );
  }

  drawCurve() {
    const [first] = this.judged;
    const after = this.judged.map((one) => forFirst(one.value_after, one.player));
    const flags = this.judged.map(({ verdict }, i) => ({ ply: i + 1, verdict })).filter((flag) => flag.verdict);
    const go = (ply) => this.onGo(this.tree.mainAt(ply));
    return valueGraph([forFirst(first.value_before, first.player), ...after], flags, go);
  }

  showComment() {
    const { at: node } = this.tree;
    const judged = this.verdict(node);
    const wrong = Boolean(judged?.verdict);
    const better = wrong && judged.best && judged.best !== node.name ? `. Better: ${judged.best}` : "";
    this.comment.textContent = wrong ? `${MARKS[judged.verdict]} ${capital(judged.text)}${better}` : "";
    this.comment.className = `comment ${judged?.verdict ?? ""}`;
  }

  showTools({ finished, player, moves }) {
    const { at } = this.tree;
    const link = (text, path, query) => linkButton(text, address(path, { game: this.game.name, ...query }), "small");
    const parts = [
      !at.main && button("Back to the main line", () => this.onStep("toMain"), "small"),
      !at.main && button("Delete this variation", () => this.onStep("cut"), "small"),
      !finished && link("Play from here", "/play", { start: moves, side: SIDES[player] }),
      !finished && link("Look inside the search", "/inside", { moves }),
    ];
    this.tools.replaceChildren(...parts.filter(Boolean));
  }

  /** The moves after a node: the main one, then other tries, then how the main one goes on. */
  branch(node) {
    const parts = [];
    while (node.children.length) {
      const [main, ...tries] = node.children;
      parts.push(
        this.item(main),
        ...tries.map((one) => h("div", { class: "branch" }, this.item(one), this.branch(one))),
      );
      node = main;
    }
    return parts;
  }

  item(node) {
    const { ply, name, player } = node;
    const verdict = this.verdict(node);
    return moveButton({
      ply,
      name,
      player,
      current: node === this.tree.at,
      mark: verdict?.verdict,
      title: verdict?.verdict ? verdict.text : "",
      onclick: () => this.onGo(node),
    });
  }
}
