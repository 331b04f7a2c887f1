// The switch for colours: as the device, light, dark.

import { recall, remember } from "./model/store.js";

const THEMES = ["auto", "light", "dark"];
const NAMES = { auto: "as the device", light: "light", dark: "dark" };

export function startTheme(button) {
  const use = (theme) => {
    if (theme === "auto") delete document.documentElement.dataset.theme;
    else document.documentElement.dataset.theme = theme;
    button.setAttribute("aria-label", `Colours: ${NAMES[theme]}`);
    button.title = `Colours: ${NAMES[theme]}`;
  };
  let theme = recall("theme", "auto");
  use(theme);
  button.addEventListener("click", () => {
    theme = THEMES[(THEMES.indexOf(theme) + 1) % THEMES.length];
    remember("theme", theme);
    use(theme);
  });
}
