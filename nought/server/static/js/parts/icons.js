// The few pictures on buttons.

import { h, s } from "../dom.js";

const PATHS = {
  start: "M6 5v14M19 5l-9 7 9 7z",
  back: "M15 5l-8 7 8 7",
  on: "M9 5l8 7-8 7",
  end: "M18 5v14M5 5l9 7-9 7z",
};

/** A button with a picture; its name is heard and shown as a tip. */
export function iconButton(picture, label, onclick) {
  return h(
    "button",
    { type: "button", class: "icon", "aria-label": label, title: label, onclick },
    s(
      "svg",
      { class: "picture-on-button", viewBox: "0 0 24 24", "aria-hidden": "true" },
      s("path", { d: PATHS[picture] }),
    ),
  );
}
