// Lesson 1: the game and the reward.

export const words = {
  toMove: "{player} is to move",
  over: "The game is over: {result}.",
  won: "{player} has won",
  drawn: "a draw",
  again: "Start again",
  state: "What the program knows of it",
  turn: "whose turn it is, φ(s)",
  actions: "legal moves A(s)",
  count: "how many",
  none: "none: the game is over",
  table: {
    name: "The game, move by move",
    position: "Position s",
    turn: "φ(s)",
    action: "Move a",
    reward: "R(s, a)",
    sums: "Sum of the rewards: X {x}, O {o}",
    own: "Now play a game of your own to its end: every move gets its reward.",
  },
  planeNames: { first: "Stones of X", second: "Stones of O", vector: "All of it in one row: vec(T)" },
  cell: "Square {name}: {what}. Change it",
  empty: "empty",
  counted: {
    moves: "Moves",
    positions: "Positions",
    finished: "of them over",
    all: "together",
    tictactoe: "Tic-tac-toe, counted just now",
    connect4: "Connect 4, its first {depth} moves, counted just now",
    took: "{count} positions in {ms} milliseconds",
  },

  positions: {
    title: "A game is a set of positions",
    text: [
      "To a program a game is a set of *positions*. A position says what stands on the board and whose turn it is. Nothing else counts: not how it came about, not how the players feel. The papers call a position a *state*, $s$.",
      "Play a few moves: each one leads from one position to the next.",
    ],
    question: "Each of the nine squares is empty, X or O. In how many ways can the board be filled in?",
    choices: { sum: "9 × 3 = 27", power: "3 × 3 × … × 3 = 19,683", order: "9 × 8 × 7 × … × 1 = 362,880" },
    after: [
      "There are three choices for each of nine squares, whatever is on the others, so we multiply: $3^9 = 19,683$. (362,880 is the number of *orders* in which nine squares can be filled.)",
      "Most of these boards can never come up: nine X and no O, for example. At the end of this lesson we count those that can.",
    ],
  },
  turns: {
    title: "Whose turn is it?",
    text: [
      "X begins, then they take turns. So the board alone tells whose turn it is: if there are as many X as O, it is X's.",
      {
        formula: "\\phi(s) = 1 \\quad \\text{or} \\quad \\phi(s) = -1",
        words:
          "φ (“phi”) of a position is 1 when the first player, X, is to move, and −1 when the second, O, is. A plus and a minus are handy: to see a number with the eyes of the other player, we only turn its sign.",
      },
    ],
    question: "There are three X and two O on the board. What is φ(s)?",
    choices: { one: "1", zero: "0", minus: "−1" },
    after: [
      "X is one stone ahead, so O is to move: $\\phi(s) = -1$. It is never 0: somebody always is to move, until the game is over.",
      "The list $A(s)$ are the *legal moves*, the squares that are free. When the game is over, the list is empty.",
    ],
  },
  reward: {
    title: "The reward",
    text: [
      "Nobody tells the program what a good move is. It only hears, when a game is over, how it ended. That is its *reward*:",
      {
        formula: "R(s, a) = 1, \\quad 0 \\quad \\text{or} \\quad -1",
        words:
          "The reward for making the move a in the position s is 1 if that player won in the end, −1 if they lost, and 0 for a draw.",
      },
      "Every move of the winner gets 1, the first as well as the last. Every move of the loser gets −1.",
    ],
    question: "In the game beside, X wins with the seventh move. What do the rewards of X's moves add up to?",
    choices: { one: "1", four: "4", seven: "7" },
    after: [
      "X made four of the seven moves, each of them is worth 1: together 4. O's three moves add up to −3. A player tries to make this sum as great as possible.",
    ],
  },
  blame: {
    title: "Good moves in bad games",
    text: [
      "O's first move in that game, a corner, is the right answer to the centre. Still its reward is −1, because O went wrong later. One game says little about one move.",
      "But luck evens out. If we let two players who play *anything at all* finish very many games, a first move that is better will win more of them.",
    ],
    question: "Which first move of X gets the greatest average reward, if both players go on at random?",
    choices: { corner: "a corner", edge: "the middle of a side", centre: "the centre" },
    after: [
      "The centre: {centre} on average, a corner {corner}, the middle of a side {edge}. These are exact, not drawn by lot: the page has just gone through all the games and weighed each by its chance.",
      "Already here is the idea of the whole program: play many games, give every move the reward of its game, and the average tells good moves from bad ones. All the rest makes this faster.",
    ],
  },
  planes: {
    title: "The board as numbers",
    text: [
      "A program has no eyes. It is given numbers: one *plane* for each player, with a 1 where a stone of that player stands and a 0 everywhere else.",
      {
        formula: "vec(T) = (a_{111}, a_{112}, \\dots)",
        words:
          "The planes, row by row, one after the other, make one long row of numbers: the board as a network takes it in.",
      },
    ],
    question: "There are three X and three O on this board. How many of the 18 numbers are 1?",
    unit: "How many ones",
    after: [
      "Each stone is a 1 in exactly one plane, so six. Press squares to change them, and look where the number changes.",
      { note: "This is the board of equation 3 in the first of the papers, and its vector 010010001001100100." },
    ],
  },
  counting: {
    title: "How many positions are there?",
    text: [
      "Now only positions that can really come up, with X and O in turns, and nobody playing on after the game is won.",
    ],
    question: "How many positions does tic-tac-toe have?",
    choices: { few: "about 500", some: "about 5,000", many: "about 50,000" },
    after: [
      "There are exactly {tictactoe}. A program can know them all by heart: no need to be clever.",
      "Connect 4 grows faster. It has 4,531,985,219,092 positions (counted in 2008 by Edelkamp and Kissmann). If you looked at a thousand of them every second, you would need 144 years. *That* is why a program has to learn what positions have in common, in place of remembering each.",
      { note: "`nought count connect4` counts more moves, and `nought count` other games." },
    ],
  },
  carried: {
    title: "A position that goes with us",
    text: [
      "This is a position of Connect 4. Stones fall to the lowest free cell of a column; four in a row, in any direction, win. It is as simple to a program as tic-tac-toe: a board, a φ(s), and a list of legal moves, here seven columns.",
      "We will look at this position in every lesson: what it is worth, how a network sees it, how a search thinks about it.",
    ],
    question: "X is to move. Where would you play? Choose a column on the board.",
    after: ["Remember it. In the next lesson we find out what each of the seven moves is really worth."],
    noted: "You chose column {column}.",
  },
};
