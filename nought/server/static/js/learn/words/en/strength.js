// Lesson 9: how strong.

export const words = {
  ratings: ["Rating of A", "Rating of B"],
  scales: { papers: "the papers' scale (e)", standard: "the scale of chess (10)" },
  expects: "A is expected to score {score} of a point in each game.",
  curve6: "Expected score of A, by how much higher A is rated",
  difference: "rating difference",
  score: "Score of A, in percent",
  worth: "A score of {score} is worth {papers} on the papers' scale and {standard} on that of chess.",
  curve7: "Rating difference, by the score in percent",
  axis7: "score in %",
  after: { names: ["A", "B"], win: "{name} wins", draw: "Draw", k: "K, how far a rating moves", again: "From the start", games: "{games} games played", rating: "{name}: {rating}", expected: "A is expected to score {score}." }, // prettier-ignore
  luck: {
    games: "Games in the match",
    chance: "Chance that A wins a game",
    share: "Chance that A, though better, does not come out ahead: {share}",
    interval:
      "If A wins just as often as expected, the 95 % interval of its score is {low} to {high}; as a rating difference {from} to {to}.",
    chart: "The interval of A's score, by the number of games",
    axis: "games",
    name: "score",
  },
  once: {
    opening: "Moves by chance before the players begin",
    run: "Play 40 games",
    said: "Of 40 games {different} are different. A scored {score}.",
    naive: "If all 40 counted: {low} to {high}. Counting each different game once: {trueLow} to {trueHigh}.",
  },
  ladder: { name: "The agents of Connect 4, with 95 % intervals", agent: "Agent", rating: "Rating", interval: "Interval", away: "The server is away; it has the ratings." }, // prettier-ignore
  exam: {
    name: "Right moves in 1,020 positions, without a search",
    agent: "Agent",
    right: "Right",
    interval: "95 % interval",
    ask: "Ask the agent about",
    live: "Ask about our position now",
    asked:
      "Simulations: {simulations}. {agent} plays column {column} and thinks {value} of the position. Perfect play says: that move {verdict}.",
    simulations: "Simulations",
    asking: "It is thinking …",
    away: "The server is away: nobody can be asked.",
  },
  wrong: {
    which: "Position",
    legend:
      "wins, draws, loses: the truth. The ring and the number below: how much of its attention the network gives the move.",
    truth: { 1: "wins", 0: "draws", "-1": "loses" },
    asked: "Simulations: {simulations}. It plays column {column}, which {verdict}.",
    value: "It thinks {value} of the position; the truth is {truth}.",
    simulations: "Simulations",
    asking: "It is thinking …",
    away: "The server is away: nobody can be asked.",
  },

  expectedScore: {
    title: "A rating predicts",
    text: [
      "How strong is a player? *Elo's* idea: give each a number, so that the *difference* of two numbers says how their games will go. A win counts 1, a draw ½, a loss 0, and the mean is the *score*.",
      {
        formula: "E = \\frac{1}{1 + e^{(r_b - r_a) / 400}}",
        words:
          "The expected score of A against B. If both are rated alike, the power is 1 and E is a half. The further A is ahead, the nearer E comes to 1, but never quite.",
      },
    ],
    question: "A is rated 400 higher than B. What score does A get on the papers' scale, in the long run?",
    unit: "Score of A",
    after: [
      "$\\frac{1}{1 + e^{-1}} = 0.73$. Careful: in chess the same formula is used with 10 in the place of e, and then 400 points mean 0.91. So a number without its scale says little. nought's ladder has the scale of chess.",
      { note: "Equation 45 and figure 6 of the first paper (000)." },
    ],
  },
  inverse: {
    title: "From a score to a rating",
    text: [
      "Turn it round: let two players play a match, take the score $s$, and solve for the rating.",
      {
        formula: "r_a = r_b - 400 \\ln(\\frac{1 - s}{s})",
        words: "A's rating is B's, minus 400 times the logarithm of what A lost for each point that it won.",
      },
    ],
    question: "A wins 3 of 4 games. How much higher is A rated, on the papers' scale?",
    unit: "Rating difference",
    after: [
      "$400 \\ln 3 = 439$ (on the scale of chess 191). Drag the score towards 100 %: the rating runs away to infinity. Who wins every game is “infinitely” better, which only means that the other one was too weak to measure by. The papers stop at 99 %.",
      "In the papers a new version must win 1.3 times as often as the old one. Without draws that is worth at least $400 \\ln 1.3 = {gain}$ points each time.",
      { note: "Equations 47, 48 and 52, figure 7." },
    ],
  },
  update: {
    title: "A rating after each game",
    text: [
      "One can also change ratings a little after every game, as the server does for you:",
      {
        formula: "r_{new} = r + K (W - E)",
        words:
          "The new rating: the old one plus K times what was scored, W, minus what was expected, E. Who does better than expected rises, and what one gains the other loses.",
      },
    ],
    question: "When does A's rating rise most?",
    choices: { weak: "when A beats somebody much weaker", strong: "when A beats somebody much stronger", draw: "when A draws with somebody weaker" }, // prettier-ignore
    after: ["When the win was a surprise. Against somebody much weaker E is nearly 1, so a win brings nearly nothing, and a draw even costs points. Play some games with the buttons."], // prettier-ignore
  },
  chance: {
    title: "How much of it is luck?",
    text: ["Suppose A really wins 6 games of 10 against B. They play a match of 20 games."],
    question: "How likely is it that A does *not* win more than half of the 20 games?",
    unit: "Chance in percent",
    after: [
      "{share}: in one match of four the better player does not come out ahead! That is why a result needs an *interval*: a range that holds the true value in 95 of 100 cases. With four times as many games it is half as wide.",
      "All measurements in nought come with intervals. Where two intervals overlap, nobody knows who is better.",
    ],
  },
  different: {
    title: "Why a game counts only once",
    text: [
      "Here are two programs that always play the same move in the same position. They play 40 games and take turns to begin.",
    ],
    question: "How many *different* games will they play?",
    choices: { two: "2", twenty: "20", forty: "40" },
    after: [
      "Two: one that A begins and one that B begins, each played twenty times. An interval from 40 games would be a lie, since there are only two. So nought begins matches with openings that differ, plays each with both colours, and counts a game once. Drag the number of moves by chance.",
    ],
  },
  shipped: {
    title: "The real ladder",
    text: ["These are the agents that you can play against here. They are versions of networks that learned for a shorter or a longer time, measured in {games} games of each pairing. Who plays anything at all has 100."], // prettier-ignore
    question: "What score do you expect the strongest to get against level 5?",
    unit: "Score in percent",
    after: ["{expected}. And look at the intervals: they are wide, since strong players hardly ever lose to weak ones, and then a game says little."], // prettier-ignore
  },
  truth: {
    title: "Against perfect play",
    text: [
      "A ladder only compares players with each other. All of them could be bad! In Connect 4 we can do better: the oracle knows the truth. So we ask: in how many positions does an agent find a move that keeps what is there, a win or a draw?",
    ],
    question: "The network that has learned nothing still finds a right move in how many of 100 positions?",
    unit: "Out of 100",
    after: [
      "{untrained}. Often several moves are right. So read such numbers from there, not from zero. The best network alone, without any search, finds {best}. With a search it is better still: ask it about our position.",
    ],
  },
  mistakes: {
    title: "What it still gets wrong",
    text: [
      "These are six of the {count} positions, of 1,020, that the best network plays wrongly without a search. The first two are quiet: the win is 25 and 19 moves away. On the others the board is nearly full, and in three of them the player to move could win *at once*.",
    ],
    question: "How can it miss a win in one move?",
    choices: {
      memory: "it has forgotten it",
      unlike: "it never saw boards like these",
      bug: "the oracle is wrong",
    },
    after: [
      "It learned from its own games, and boards like these hardly come up there: somebody would have won long before. A network is good at what is like something that it has seen, 24 million positions of 4.5 million million. And where a win is 25 moves away, a glance is not enough: one has to count who must fill the fatal column in the end.",
      "A search helps where a glance fails. Raise the simulations and see which of the six it finds.",
    ],
  },
  proof: {
    title: "For the curious: the proof",
    text: [
      "To get from the expected score $s$ to the rating, turn the formula round step by step.",
      {
        formula: "s = \\frac{1}{1 + e^{(r_b - r_a)/400}}",
        words: "We begin with the expected score, and take one divided by both sides:",
      },
      {
        formula: "\\frac{1}{s} - 1 = \\frac{1 - s}{s} = e^{(r_b - r_a)/400}",
        words: "The 1 goes to the other side. On the left stands what is lost for each point won. Now the logarithm:",
      },
      {
        formula: "\\ln(\\frac{1 - s}{s}) = \\frac{r_b - r_a}{400}",
        words: "Times 400, and with A's rating alone on one side:",
      },
      {
        formula: "r_a = r_b - 400 \\ln(\\frac{1 - s}{s})",
        words: "This is equation 48.",
      },
      "And the promise of a gate: if A scores θ times as much as B and there are no draws, $s = \\frac{\\theta}{1 + \\theta}$, so $\\frac{1 - s}{s} = \\frac{1}{\\theta}$, and the gain is $400 \\ln \\theta$. With draws it is less: 5 wins, 12 draws and 3 losses pass the paper's gate and are worth 80 points, not 105.",
    ],
  },
};
