// Lesson 8: the loop.

export const words = {
  circle: {
    title: "Round and round",
    text: [
      "Now everything comes together. A network that knows *nothing* becomes one that plays well, and nobody shows it a single good move. It goes round and round:",
      {
        list: [
          "*Self-play*: the newest version plays against itself, with a search at every move.",
          "*Samples*: every position of these games is written down, with what the search found there and how the game ended.",
          "*Gradient descent*: the network changes its weights a little, so that it would have said what the search found and how it ended.",
          "*A new version*: it plays the next games.",
        ],
      },
    ],
    question: "The first version plays at random. What can be learned from games between two players who know nothing?",
    choices: {
      nothing: "nothing: bad players play bad games",
      ends: "the ends: three in a row wins, whoever plays",
      openings: "the openings: the first moves decide",
    },
    after: [
      "The ends. The rules themselves say who has won, and the search sees it a move or two ahead. So the first thing a network learns is to finish: to win in one move. The next version knows that, and its search learns what leads there. Knowledge grows *backwards*, from the end of the game to its beginning.",
    ],
  },
  stations: ["Self-play", "Samples", "Gradient descent", "New version"],
  diagram: "The loop: self-play, samples, gradient descent, a new version, and self-play again",

  teacher: {
    title: "Who is the teacher?",
    text: [
      "Here a network that has learned nothing looks at a position: X, to move, has two in the left column. It finds all moves about alike. Then a search with this network makes {simulations} simulations.",
    ],
    question: "What should the network learn to say about this position?",
    choices: {
      winner: "the move that was played, if that player won",
      visits: "how often the search looked at each move",
      perfect: "the move of perfect play",
    },
    after: [
      "How often the search looked at each move, as shares. The search came upon the end of the game, so it saw more than the network alone; it is surest of a3, which wins at once. In general the search is right a little more often than the network that it asks, and so it is a teacher that is always *one step ahead of its pupil*. When the pupil has caught up, the search that stands on its shoulders sees further again.",
      {
        formula: "\\pi_a = \\frac{N(a)}{\\sum_b N(b)}",
        words: "The policy to be learned: the visits N of a move, divided by the visits of all moves.",
      },
      "The value has two teachers: how the game ended, 1, 0 or −1, and what the search thought of the position; here each counts half. Perfect play is never asked: we have it for tic-tac-toe, but for most games nobody has.",
    ],
  },
  prior: "The network alone",
  visits: "After {simulations} simulations",

  floor: {
    title: "The loss and its floor",
    text: [
      "The loss says how far the network is from its teacher. For the policy it is the *cross-entropy*:",
      {
        formula: "\\ell = \\minus \\sum_a \\pi_a \\cdot \\ln p_a",
        words:
          "For every move: the teacher's share π times the logarithm of the network's share p; added up, with a minus in front. A move that the teacher likes and the network does not costs most.",
      },
      "The teacher looked at three moves: 60 %, 30 % and 10 %. Drag what the network says.",
    ],
    question: "If network and teacher say exactly the same, is the loss 0?",
    choices: { yes: "yes: no difference, no loss", no: "no, something is left" },
    after: [
      "Something is left: {entropy}. A teacher who is unsure can't be predicted with certainty. This rest is the teacher's *entropy*, the floor of the loss. So a loss of 1 may be bad or perfect; what counts is how far it is *above its floor*, and that is what the curve on the next page shows.",
    ],
    move: "Move {name}: the teacher says {share}",
    said: "The network's share of move {name}",
    loss: "loss (cross-entropy)",
    entropy: "its floor (entropy)",
    above: "above the floor",
  },

  now: {
    title: "Learn tic-tac-toe now",
    text: [
      "Press the button. A network with {size} weights, filled with random numbers, learns tic-tac-toe *in this page, on your device*. It is not a film. It plays {games} games a round, {rounds} rounds long.",
      "After each round every game is tried that one could ever play against it. Perfect play, worked out from the rules, says which of its moves are right. The network never hears of that.",
    ],
    question: "It begins with nothing but the rules. How many rounds will it take until it never loses a game?",
    unit: "Rounds",
    after: [
      "Watch the right things: the loss above its floor falls; the network alone finds more and more right moves; and the number of games it can lose goes to 0. The last chart is one position, X in a corner and O to move: *every version's* opinion of it, beside the truth. Only the centre saves O. (The value may stay away from 0: it says what happens when *this pupil* plays on against itself, with noise and strange openings, and it still goes wrong now and then.)",
      "Try the knobs. With 5 simulations the teacher is hardly ahead of its pupil. With a learning rate too high, every step goes too far. Without noise it plays the same games again and again.",
    ],
  },
  learn: "Learn tic-tac-toe now",
  again: "Learn again",
  stop: "Stop",
  slowly: "Slowly, to watch the games",
  knobs: {
    simulations: "Simulations a move",
    games: "Games a round",
    rounds: "Rounds",
    rate: "Learning rate",
    noise: "Noise at the root",
  },
  notes: {
    games: "{games} games",
    samples: "{samples} positions",
    step: "step {done} of {steps}",
    version: "version {version}",
  },
  facts: {
    version: "Version",
    seconds: "Seconds",
    right: "Right moves, network alone",
    lost: "Games it can lose, of {games}",
    alone: "… the network alone",
  },
  boards: "Games it is playing now",
  charts: {
    loss: "Loss above its floor",
    lossLabel: "The policy's loss above its entropy, by version",
    lost: "Games it can lose",
    lostLabel: "Games that version can lose",
    withSearch: "with search",
    alone: "network alone",
    rounds: "round",
    watched: "One position, judged by every version",
    centre: "chance of the centre",
    value: "value for O",
    truth: "truth: 0, a draw",
    watchedLabel: "What each version says of the position after X has taken a corner",
    chosen: "What version {version} would play (O, after X took a corner)",
    draws: "draws",
    loses: "loses",
  },
  never:
    "Version {version} never loses: after {seconds} seconds it came through all {games} games that can be played against it.",
  stopped: "Stopped.",
  finished: "Done: {rounds} rounds in {seconds} seconds.",
  finishedSafe: "Its last version never loses.",
  finishedOpen: "Its last version can lose {lost} of {games} games. Another try, or more simulations, may do better.",

  play: {
    title: "Play your pupil",
    text: [
      "The network that has just learned in this page is your opponent. You are X and begin. You can't win against one that never loses; can you draw?",
    ],
    first: "First let it learn, one step back.",
    after: [
      "The big networks of this site learned in just this way, only more of everything. The best one for Connect 4 has 2,392,024 weights in place of {size}, and it learned for 17 minutes on one of the fastest cards there are.",
      { link: ["Watch real runs learn, on the page Training", "/training"] },
    ],
    won: "You won! Then it can still lose.",
    lost: "It won.",
    drawn: "A draw. That is the best one can do.",
    toMove: "Your move.",
    again: "Another game",
  },
};
