// Lesson 2: what a move is worth.

export const words = {
  tree: "All that can follow this position, to the end of the game",
  forX: "Numbers are for X: 1 is a win for X, −1 a win for O.",
  chance: "Chance of {move}",
  sum: "v(s) = {terms} = {value}",
  term: "{chance} × {worth}",
  who: { random: "Both play anything", perfect: "Both play perfectly" },
  whoLabel: "How they play",
  rounds: {
    round: "Round",
    start: "Value of the empty board for X",
    unlike: "Positions not yet right",
    name: "Policy iteration, computed just now",
  },
  gamma: "Discount γ",
  curve: "What a win is worth that is so many moves away",
  away: "moves",
  looked: "Looking {depth} moves ahead, {count} positions, the page has proved what it could.",
  oracle: "Then the server's oracle was asked. The board now shows what perfect play says of every move.",
  noOracle: "The server is away: this is what the page itself could prove.",
  verdicts: { wins: "wins", draws: "draws", loses: "loses", unknown: "?" },
  yours: "You chose column {column}: it {verdict}.",

  policy: {
    title: "A policy says how likely each move is",
    text: [
      "X is to move and three squares are free. That is few enough to draw *everything* that can still happen. At the ends of the tree stands the reward, as X sees it.",
      "How somebody plays is called a *policy*, π: a probability for each legal move. Somebody who plays anything has the same probability for all: here $\\frac{1}{3}$ each.",
      {
        formula: "v_\\pi(s) = \\sum_a \\pi(a \\mid s) (r + \\gamma v_\\pi(s'))",
        words:
          "Bellman's equation. The value of a position s is an average over the moves a: the probability π of the move, times the reward r that it brings at once plus the value of the position s′ that it leads to. (γ, “gamma”, is 1 for now.)",
      },
    ],
    question: "Both players play anything. What is this position worth for X, from −1 to 1?",
    unit: "Value for X",
    after: [
      "We start at the ends and go *backwards*: a position's value is the mean of those below it. b3 wins at once: 1. After a3 it is half a win and half a draw: 0.5. After c2 half a loss and half a draw: −0.5. The mean of the three is {value}.",
    ],
  },
  change: {
    title: "Change the policy, change the value",
    text: [
      "The value depends on how one plays. Drag the chances of X's three moves: they are shared out so that they add up to 1. After that, both players still play anything.",
    ],
    question: "How does X make the value as great as possible?",
    choices: {
      equal: "Give all three moves the same chance",
      two: "Share between the two good moves, a3 and b3",
      best: "Play b3 always",
    },
    after: [
      "A mean is never greater than the greatest of its numbers. So the best is to play the best move always, and the mean becomes a maximum:",
      {
        formula: "v(s) = \\max_a (r + \\gamma v(s'))",
        words:
          "Bellman's second equation. The value with the best play is the greatest that a move leads to. No chances are in it any more.",
      },
    ],
  },
  perfect: {
    title: "And if the other one plays well, too?",
    text: [
      "O is no fool either. On O's turn we take the move that is *best for O*: the least number, since all are for X. (Or turn the signs and take the maximum again: what is good for you is bad for me.)",
    ],
    question: "Both players play perfectly. What is the move c2 worth for X now?",
    choices: { minus: "−1: it loses", half: "−0.5", zero: "0: a draw" },
    after: [
      "−1. After c2, O simply takes a3 and has three in a row. “Half a draw” was only a hope that O would not see it. With perfect play there are only three values: 1, 0 and −1. One move here wins, one draws, one loses.",
    ],
  },
  iteration: {
    title: "The whole game, in a few rounds",
    text: [
      "For a whole game nobody draws the tree. But a program can do the same in rounds. *Evaluate*: how good is every position with the present policy? *Improve*: choose, everywhere, the move that leads to the best value. Then evaluate again, and so on. This is called *policy iteration*.",
      "Both players begin by playing anything, and then X is ahead, because X begins.",
    ],
    question: "How does tic-tac-toe end if both play perfectly?",
    choices: { x: "X wins", draw: "It is a draw", o: "O wins" },
    after: [
      "It is a draw. After {rounds} rounds no value changes any more. It had to end: the last moves are right after the first round, then those before them, and so on back to the empty board.",
      "AlphaZero is this same circle of evaluating and improving. Only that it cannot visit every position, so a *network* guesses the values and a *search* does the improving.",
    ],
  },
  discount: {
    title: "Now or later?",
    text: [
      "γ, the *discount*, makes rewards smaller that are far away: each move multiplies by γ once more. With γ = 0.9 a win after one more move is worth 0.9, after two more 0.81.",
    ],
    question: "With γ = 0.9, what is a win worth that is 10 moves away?",
    unit: "Worth",
    after: [
      "$0.9^{10} = 0.35$, about a third. Useful where waiting is risky. In board games nothing happens to a sure win on its way, so nought, as the papers, takes γ = 1: a win is a win.",
    ],
  },
  carried: {
    title: "What our seven moves are worth",
    text: [
      "Back to our position. It is too large to draw its tree: {games} ways to go on for the next six moves alone, and up to {left} moves are left. Still every move has *exactly* one of three values: it wins, draws or loses.",
    ],
    question: "X is to move. Choose the column that you think is best.",
    after: [
      "Only column 7 wins. It threatens four above each other, so O must answer on top of it. Then column 5 makes *two* threats at once: four above each other, and a diagonal up to column 7. O can stop only one.",
      "There are two ways to the truth. The page looks a few moves ahead and proves what it can. And for Connect 4 there is an *oracle*: a program that plays perfectly, because it follows everything to the end with very clever short cuts. It knows the truth, but it has learned nothing. Our agent learns and has to guess, and we will use the oracle only to see how well it does.",
    ],
  },
};
