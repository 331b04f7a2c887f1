// What this browser remembers of lessons: which steps were seen, what was guessed, where one was last.

import { recall, remember } from "../model/store.js";

const all = () => recall("learn", {});

/** { at, steps, seen: [step, …], guesses: { step: value } } of a lesson. */
export function progressOf(id) {
  const { at = 0, steps = 0, seen = [], guesses = {} } = all()[id] ?? {};
  return { at, steps, seen, guesses };
}

/** Notes that a step of a lesson with so many steps was seen. */
export function noteSeen(id, at, steps) {
  const { seen, guesses } = progressOf(id);
  remember("learn", { ...all(), [id]: { at, steps, seen: [...new Set([...seen, at])], guesses } });
}

/** Notes what was guessed at a step; null is "show me". */
export function noteGuess(id, step, value) {
  const before = progressOf(id);
  remember("learn", { ...all(), [id]: { ...before, guesses: { ...before.guesses, [step]: value } } });
}
