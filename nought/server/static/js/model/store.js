// What this browser remembers: the account's token, the theme, the last set-up, the game in progress, where agents think.

export function recall(key, otherwise = null) {
  try {
    return JSON.parse(localStorage.getItem(`nought.${key}`)) ?? otherwise;
  } catch {
    return otherwise;
  }
}

export function remember(key, value) {
  try {
    if (value === null || value === undefined) localStorage.removeItem(`nought.${key}`);
    else localStorage.setItem(`nought.${key}`, JSON.stringify(value));
  } catch {
    /* a private window: forgotten when it closes */
  }
}

/** Remembers who plays here and tells the page. */
export function signIn(token, account) {
  remember("token", token);
  remember("account", account);
  dispatchEvent(new CustomEvent("account", { detail: account }));
}

export function signOut() {
  signIn(null, null);
  for (const key of ["current", "casual", "unsent"]) remember(key, null);
  globalThis.caches?.delete("seen");
}
