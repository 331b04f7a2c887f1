// The overview, and what stands around every lesson.

export const words = {
  title: "Learn",
  intro:
    "How can a program learn a game from nothing but its rules? Ten short lessons. Each step asks for your guess first and then shows the answer, computed here while you watch. A wrong guess costs nothing: it is the best way to remember.",
  lessons: {
    reward: {
      title: "The game and the reward",
      about: "What a game is to a program: positions, whose turn it is, and a reward at the end.",
    },
    worth: {
      title: "What a move is worth",
      about: "A number for every move, worked out backwards from the end of the game.",
    },
    neuron: {
      title: "A neuron, a layer, a convolution",
      about: "What a neural network is made of. Drag the numbers and see what comes out.",
    },
    learning: {
      title: "How a network learns",
      about: "Measure the error, follow it backwards, change every weight a little. By hand, then for real.",
    },
    demos: {
      title: "Two learners to watch",
      about: "One is told the answers, the other finds groups by itself. Both learn in this page.",
    },
    network: {
      title: "This network on this position",
      about: "Look into a trained network while it looks at a position, layer by layer.",
    },
    search: {
      title: "The search",
      about: "How a program looks ahead without trying everything.",
    },
    loop: {
      title: "The loop",
      about: "Play, learn, play better: a program teaches itself tic-tac-toe while you wait.",
    },
    strength: {
      title: "How strong is it?",
      about: "Ratings, luck, and what perfect play says about a program that seldom loses.",
    },
    fast: {
      title: "How it was made fast",
      about: "Five ideas that let one machine play thousands of games.",
    },
  },
  number: "Lesson {number}",
  start: "Start",
  goOn: "Go on at step {step}",
  again: "Look at it again",
  done: "done",
  progress: "{done} of {steps} steps",
  overview: "All lessons",
  place: "Step {step} of {steps}",
  steps: "Steps of this lesson",
  back: "Back",
  next: "Next",
  nextLesson: "Next lesson: {title}",
  guess: "Your guess",
  thatIsIt: "That is my guess",
  skip: "I don't know, show me",
  yes: "Yes, that's it.",
  close: "Very close! The answer: {right}.",
  other: "You said: {guess}. The answer: {right}.",
  shown: "The answer: {right}.",
  keys: "The arrow keys ← → go from step to step.",
  missing: "There is no such lesson.",
};
