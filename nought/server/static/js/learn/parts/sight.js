// A trained network and the position it looks at: what it says is worked out anew whenever a stone changes.

import { h } from "../../dom.js";
import { button } from "../../parts/form.js";
import { maskedSoftmax } from "../maths/trained.js";
import { CONNECT4 } from "../maths/rows.js";
import { planesOf } from "../maths/value.js";
import { carried } from "../position.js";
import { lessonBoard, moveName } from "./board.js";

const CELLS = 42;

export class Sight {
  constructor(layers) {
    Object.assign(this, { layers, position: carried() });
  }

  /** The planes as the player to move sees them: own stones first. */
  get planes() {
    const { player } = this.position;
    const numbers = planesOf(this.position, [player, 1 - player]);
    return [numbers.slice(0, CELLS), numbers.slice(CELLS)];
  }

  /** All that the network makes of the position, with a filter switched `off`; `policy` is that of legal moves, `raw` of all. */
  look(off = null) {
    const found = this.layers.see(this.planes, off);
    const legal = CONNECT4.legal(this.position);
    const allowed = found.logits.map((_, action) => legal.includes(action));
    return {
      ...found,
      allowed,
      raw: maskedSoftmax(found.logits),
      policy: legal.length ? maskedSoftmax(found.logits, allowed) : [],
    };
  }

  /** A board to change the position on, and a way back to the one of all lessons. `changed()` is called after it. */
  board(words, changed, kind = "") {
    const show = (position) => {
      this.position = position;
      board.show(position, { playable: true });
      changed();
    };
    const board = lessonBoard("connect4", { onMove: (action) => show(CONNECT4.play(this.position, action)) });
    board.show(this.position, { playable: true });
    return h(
      "div",
      { class: `stack sight ${kind}`.trim() },
      board.element,
      h(
        "div",
        { class: "row" },
        button(words.undo, () => show(CONNECT4.after(this.position.moves.slice(0, -1))), "small"),
        button(words.ours, () => show(carried()), "small"),
      ),
    );
  }
}

/** Rows for bars: what the network says of every move. */
export const moveRows = ({ policy, allowed }, notes = () => "") => {
  const best = policy.indexOf(Math.max(...policy));
  return allowed.map((legal, action) => ({
    name: moveName("connect4", action),
    share: policy[action] ?? 0,
    text: legal ? `${(100 * policy[action]).toFixed(1)} %` : "–",
    kind: action === best ? "chosen" : "",
    note: notes(action),
  }));
};
