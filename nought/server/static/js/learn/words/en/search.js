// Lesson 7: the search.

export const words = {
  ahead: {
    title: "Looking ahead",
    text: [
      "This is our position again. X is to move. In the last lesson a network looked at it and had a feeling. The best network of this site has one, too: {value}, X is about to lose.",
      "A feeling can be wrong. So the program looks ahead: if I go here, and then O there … But everything cannot be tried: with seven moves at each turn the number of ways grows quickly.",
    ],
    question: "How many ways are there to go on for six moves, seven choices each?",
    choices: { few: "7 × 6 = 42", some: "7 × 7 × 7 × 7 × 7 × 7 = 117,649", many: "more than a million" },
    after: [
      "117,649, and for twelve moves 13,841,287,201. A clever search looks at a few dozen positions: those that *matter*. Which ones are they? That is what this lesson is about.",
    ],
  },
  simulation: {
    title: "One simulation",
    text: [
      "The search works in *simulations*. Each begins at our position, the *root*, and goes down the graph of positions it knows already:",
      {
        list: [
          "*Selection*: at every position it follows the move with the greatest Q + U, until it comes to one that is new.",
          "*Expansion*: the new position becomes a node.",
          "*Evaluation*: the network is asked about it: a policy, the *priors* P of its moves, and a value.",
          "*Backup*: the value goes back up to the root, and every move on the way learns from it.",
        ],
      },
    ],
    question:
      "Before the first simulation nothing is known but the network's priors. Which move will be followed first?",
    choices: {
      prior: "the one with the greatest prior",
      first: "the first one, column 1",
      chance: "one by chance",
    },
    after: [
      "The one with the greatest prior, column {first}. Go through the film with the arrows, moment by moment, or press Play. The bars at the side are the moves that are compared.",
      {
        formula: "Q + U, \\quad U = c \\cdot P \\cdot \\frac{\\sqrt{1 + \\sum N}}{1 + N}",
        words:
          "Q: how good the move has been so far. U: curiosity. It is great for moves that the network likes (P) and that were seldom tried (N), and it grows while others are tried (ΣN). c says how curious the search is.",
      },
    ],
  },
  curiosity: {
    title: "How curious?",
    text: [
      "The number c weighs curiosity against experience. Here a weaker network searches our position: it likes column 4 better than column 7, which is the only move that wins. Turn c, and look where the simulations go.",
    ],
    question: "With c very large, how are the simulations shared among the moves?",
    choices: {
      best: "all go to the move that looks best",
      prior: "about as the priors P say",
      even: "all moves get the same number",
    },
    after: [
      "About as the priors say: Q hardly counts then, and the search learns nothing from what it finds. With c very small it is the other way round: what looked good once is followed for ever. In between it does both.",
    ],
    c: "Curiosity c",
    visits: "Visits N of {simulations}",
    priors: "Priors P",
    winning: "wins",
    film: "The film of this search",
  },
  without: {
    title: "Without a network",
    text: [
      "Searches of this kind are older than the networks: *Monte-Carlo tree search*. All moves then have the same prior, and a new position has to be valued in another way.",
    ],
    question: "What can say how good a new position is, if there is no network?",
    choices: {
      perfect: "perfect play",
      random: "a game played on at random, to its end",
      zero: "nothing: the value is 0",
    },
    after: [
      "A random game, a *rollout*. One of them says very little, thousands say something. Below, both searches have {count} simulations. With the network most of them look at column 7, the winning move. Without it they are spread over all columns. Try it again: chance decides.",
      {
        formula: "Q + c \\cdot \\sqrt{\\frac{\\ln \\sum N}{1 + N}}",
        words: "Without priors curiosity is UCB1: moves that were tried less often than others are tried again.",
      },
    ],
    with: "With the network: visits N",
    alone: "With random games: visits N",
    again: "Search again",
    plays: "It plays {move}.",
  },
  proof: {
    title: "When an opinion becomes a fact",
    text: [
      "At first the network says {value} for X. Go to the end of this film, or watch how it turns. When a simulation comes to the end of the game, the rules say who has won: that is no opinion. If *one* move of a player surely wins, the position is surely won. If *all* moves lose, it is surely lost. So facts climb up the graph; they are marked with a ring.",
    ],
    question: "After {simulations} simulations, what is the value of our position for X?",
    unit: "Value",
    after: [
      "+1: X wins, and that is *proven*. Column 7 threatens four above each other; O has to answer there; then column 5 makes two threats at once. The network did not see it; a search of {simulations} simulations did. Most moves were never looked at.",
      "It plays the move that was looked at most, or one that is proven to win.",
    ],
  },
  graph: {
    title: "A graph, not a tree",
    text: [
      "Two orders of moves can lead to the same position. The search keeps every position only once, so ways meet: its memory is a *graph*. This is the first figure of the paper that this program follows, with all its data. Press a node.",
    ],
    question: "To how many nodes do two ways lead?",
    unit: "Nodes",
    after: [
      "To one: n6, by e5 and by e6. What is found there by one way is known by the other.",
      "But then one must be careful. In a tree the Q of a move is the sum W of all values that came back through it, divided by its visits N. In a graph that is wrong: if e6 looks at n6 again, n6 is known better, but nothing came back through e5. So nought does not add up what came back. *Q of an edge is the present value of the position it leads to*:",
      {
        formula: "V = \\frac{U + \\sum_e N(e) \\cdot Q(e)}{1 + \\sum_e N(e)}",
        words:
          "The value V of a position: the network's own opinion U, and the Q of its moves, each as often as it was visited. Where no ways meet, this is exactly W / N.",
      },
    ],
    figure: "Figure 1: eight nodes and eight edges",
    facts: "About {node}",
    out: "edges that lead away, E({node})",
    in: "edges that lead to it",
    to: "they lead to",
    kind: "it is",
    leaf: "a leaf: nobody has looked further",
    node: "expanded",
    none: "none",
    press: "{node}: show its edges",
  },
  box: {
    title: "How much is saved",
    text: [
      "Dots and boxes with a single box: four lines, drawn in any order. Every node is a set of lines that are drawn. (It is a figure of the thesis on this game.)",
    ],
    question:
      "As a graph it has {nodes} nodes. How many would a tree have, in which each order of moves is kept apart?",
    unit: "Nodes",
    after: [
      "{tree}: 1 at the top, then 4, then 4 × 3, then 4 × 3 × 2, and again as many at the end. And this is one box! On greater boards nearly every position has very many ways to it.",
    ],
    figure: "All positions of dots and boxes with one box, as a graph",
    count: "{nodes} nodes, {edges} edges; as a tree {tree} nodes",
  },
};
