// Elements in one line. Text is always a text node: nothing that a server or a person wrote is read as HTML.

const SVG = "http://www.w3.org/2000/svg";

/** h("button", { class: "primary", onclick: go }, "Play") */
export const h = (tag, props, ...children) => fill(document.createElement(tag), props, children);

/** The same for SVG: s("circle", { cx: 5, cy: 5, r: 2 }) */
export const s = (tag, props, ...children) => fill(document.createElementNS(SVG, tag), props, children);

function fill(element, props, children) {
  for (const [name, value] of Object.entries(props ?? {})) {
    if (value == null || value === false) continue;
    if (name.startsWith("on")) element.addEventListener(name.slice(2), value);
    else if (name === "style") for (const [key, text] of Object.entries(value)) element.style.setProperty(key, text);
    else if (name === "value" || name === "checked") element[name] = value;
    else element.setAttribute(name, value === true ? "" : value);
  }
  element.append(...children.flat(Infinity).filter((child) => child != null && child !== false));
  return element;
}

/** Waits; resolves early, and quietly, when the signal says that nobody waits any more. */
export const pause = (ms, signal) =>
  new Promise((resolve) => {
    const timer = setTimeout(resolve, ms);
    signal?.addEventListener(
      "abort",
      () => {
        clearTimeout(timer);
        resolve();
      },
      { once: true },
    );
  });

/** Says something to a screen reader. */
export function announce(text) {
  document.getElementById("live").textContent = text;
}

/** Whether the person asked their device for little motion. */
export const still = () => matchMedia("(prefers-reduced-motion: reduce)").matches;

/** Whether keys are meant for a field and not for the page. */
const typing = (event) =>
  event.ctrlKey || event.metaKey || event.altKey || event.target.closest?.("input, select, textarea, dialog[open]");

/** Hears the keys that are meant for the page, until the signal says that it is left. */
export function onKey(signal, act) {
  document.addEventListener("keydown", (event) => typing(event) || act(event), { signal });
}

/** Replaces what an element holds; the focus, if it was in there, stays at the same place. */
export function refill(element, ...children) {
  const stops = () => [...element.querySelectorAll("a[href], button, input, select, summary, [tabindex]")];
  const place = stops().indexOf(document.activeElement);
  element.replaceChildren(...children);
  if (place >= 0) stops()[place]?.focus({ preventScroll: true });
}
