// Shown in place of a page whose file cannot be had.

import { problem } from "../parts/problem.js";

export const title = "Away";

export function render({ root }) {
  root.replaceChildren(problem({ away: true }, () => location.reload()));
}
