// The addresses of the page and of the server's calls.

/** The values that say something: nothing that is unknown or empty. */
export const clean = (values) =>
  Object.fromEntries(Object.entries(values).filter(([, value]) => value != null && value !== ""));

/** A path with a query. */
export function address(path, query = {}) {
  const text = new URLSearchParams(clean(query)).toString();
  return text ? `${path}?${text}` : path;
}

/** A path one of whose parts is a name that anybody may have chosen. */
export const named = (path, name, more = "") => `${path}/${encodeURIComponent(name)}${more}`;

export const gameAddress = (id) => named("/game", id);
export const analysisAddress = (id) => address("/analyse", { id });
