// The frame around the pages: theme, who plays here, whether the server is there, offline use.

import { recall } from "./model/store.js";
import { startRouter } from "./router.js";
import { startTheme } from "./theme.js";

function showAccount(account) {
  document.getElementById("me-name").textContent = account && !account.guest ? account.name : "You";
}

function showServer(there) {
  const banner = document.getElementById("banner");
  banner.hidden = there;
  banner.textContent = there
    ? ""
    : "The server does not answer. You see what was loaded before, and can play against agents that are in this browser.";
}

startTheme(document.getElementById("theme"));
showAccount(recall("account"));
addEventListener("account", (event) => showAccount(event.detail));
addEventListener("server", (event) => showServer(event.detail));
if ("serviceWorker" in navigator) navigator.serviceWorker.register("/sw.js").catch(() => {}); // works without, too
startRouter();
