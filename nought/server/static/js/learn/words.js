// All that lessons say, by language and lesson: a translation is another folder beside words/en, file by file.

const LANGUAGE = "en";

/** The words of a lesson, or of the "frame" around them. */
export const wordsOf = async (name) => (await import(`./words/${LANGUAGE}/${name}.js`)).words;

/** A text with its {names} replaced by values. */
export const filled = (text, values = {}) => text.replace(/\{(\w+)\}/g, (all, name) => values[name] ?? all);
