// Lesson 5: the two demonstrations of 003, both learning in view.

import { circleDemo } from "../parts/circle.js";
import { quantiserDemo } from "../parts/quantiser.js";

export function steps(words) {
  const choice = (right) => ({ kind: "choice", right });
  return [
    { words: words.kinds, guess: choice("reinforcement") },
    { words: words.supervised, guess: choice("hundred"), stage: (stage) => circleDemo(words.circle, stage) },
    { words: words.scaled, guess: choice("slow"), stage: (stage) => circleDemo(words.circle, stage, true) },
    { words: words.unsupervised, guess: choice("share"), stage: (stage) => quantiserDemo(words.points, stage) },
    { words: words.back },
  ];
}
