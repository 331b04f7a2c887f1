// The loop as a drawing: four stations on a circle; the one where something happens is lit.

import { s } from "../../dom.js";

const [WIDE, TALL, BOX_WIDE, BOX_TALL] = [420, 220, 170, 64];
const CORNERS = [
  [0, 0],
  [WIDE - BOX_WIDE, 0],
  [WIDE - BOX_WIDE, TALL - BOX_TALL],
  [0, TALL - BOX_TALL],
];
const ARROWS = ["M176 32h64", "M335 70v76", "M244 188h-64", "M85 150v-76"]; // from each station to the next

/** `stations` are four names; `element.light(i, notes)` lights one, with a note below each name. */
export function cycle(label, stations) {
  const boxes = stations.map((name, i) => {
    const [x, y] = CORNERS[i];
    const note = s("text", { class: "note", x: x + BOX_WIDE / 2, y: y + 47 });
    const element = s(
      "g",
      { class: "station" },
      s("rect", { x, y, width: BOX_WIDE, height: BOX_TALL, rx: 14 }),
      s("text", { x: x + BOX_WIDE / 2, y: y + 27 }, name),
      note,
    );
    return { element, note };
  });
  const tip = s(
    "marker",
    { id: "cycle-tip", viewBox: "0 0 8 8", refX: 6, refY: 4, markerWidth: 5, markerHeight: 5, orient: "auto" },
    s("path", { d: "M0 0L8 4L0 8z" }),
  );
  const element = s(
    "svg",
    { class: "cycle", viewBox: `-2 -2 ${WIDE + 4} ${TALL + 4}`, role: "img", "aria-label": label },
    s("defs", {}, tip),
    ARROWS.map((d) => s("path", { class: "way", d, "marker-end": "url(#cycle-tip)" })),
    boxes.map((box) => box.element),
  );
  const light = (at, notes = []) =>
    boxes.forEach((box, i) => {
      box.element.classList.toggle("lit", i === at);
      if (notes[i] !== undefined) box.note.textContent = notes[i];
    });
  return Object.assign(element, { light });
}
