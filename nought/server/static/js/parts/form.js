// Small parts of forms: a choice among a few, a choice among many, a switch.

import { h } from "../dom.js";

let names = 0;

/** A few choices side by side: [[value, text], …]. `element.value` is the chosen one. */
export function segments(label, choices, value, onchange = () => {}) {
  const name = `segments-${++names}`;
  const element = h(
    "fieldset",
    { class: "segments" },
    h("legend", {}, label),
    h(
      "div",
      { class: "row" },
      choices.map(([key, text]) =>
        h(
          "label",
          {},
          h("input", {
            type: "radio",
            name,
            value: key,
            checked: key === value,
            onchange: () => onchange((element.value = key)),
          }),
          h("span", {}, text),
        ),
      ),
    ),
  );
  element.value = value;
  return element;
}

/** A list to choose from: [[value, text], …] or [[group, [[value, text], …]], …]. */
export function choice(label, options, value, onchange = () => {}) {
  const option = ([key, text]) =>
    Array.isArray(text) ? h("optgroup", { label: key }, text.map(option)) : h("option", { value: key }, text);
  const select = h("select", { onchange: () => onchange(select.value) }, options.map(option));
  select.value = value;
  const element = h("label", { class: "field" }, h("span", {}, label), select);
  return Object.assign(element, { select });
}

/** A list of games to choose from; `more` stand before them. */
export const gameChoice = (games, value, onchange, more = []) =>
  choice("Game", [...more, ...games.map((game) => [game.name, game.title])], value, onchange);

/** A switch with its words. */
export function toggle(label, checked, onchange = () => {}) {
  const input = h("input", { type: "checkbox", role: "switch", checked, onchange: () => onchange(input.checked) });
  const element = h("label", { class: "toggle" }, input, h("span", {}, label));
  return Object.assign(element, { input });
}

/** A field of text. */
export function field(label, props) {
  const input = h("input", props);
  const element = h("label", { class: "field" }, h("span", {}, label), input);
  return Object.assign(element, { input });
}

export const button = (text, onclick, kind = "") => h("button", { type: "button", class: kind, onclick }, text);
