// Lesson 6: this network on this position.

export const words = {
  undo: "Take a move back",
  ours: "Back to our position",
  planeNames: { own: "Own stones (who is to move)", other: "The other player's stones" },
  plane: { own: "own stones", other: "the other's stones" },
  filter: "Filter {filter}",
  mapNamed: "Filter {filter}: strongest {most}",
  cellNamed: "{cell}: {number}",
  layers: {
    label: "Layer",
    tower: "Layer {layer}",
    maps: "What the 32 filters of layer {layer} say",
    map: "Filter {filter} of layer {layer}, in numbers",
  },
  sum: {
    title: "How {cell} came to its number",
    seen: "Around it: {input}",
    weights: "Weights",
    rest: "the other {count} inputs",
    bias: "bias",
    carried: "added from two layers before",
    total: "sum",
    rectified: "below 0 becomes 0",
    filter: "filter {filter}",
    point: "Point at a number, or go there with the Tab key, to see how it came about.",
  },

  planes: {
    title: "What goes in",
    text: [
      "From now on we look into a real network: one that taught itself Connect 4 in ten minutes on two ordinary processor cores. It has 99,416 weights, all of them are in this page, and every number you see is worked out here and now.",
      "It is told the board as two planes of 0 and 1. Here is our position. Drop stones by pressing columns, and look at the planes.",
    ],
    question: "X is to move. What happens to the planes when a stone is dropped and it is O's turn?",
    choices: {
      one: "one number changes from 0 to 1",
      swap: "one number changes, and the planes change places",
      nothing: "nothing, until the game is over",
    },
    after: [
      "They change places. The network always sees with the eyes of the player *to move*: own stones first. So it has to learn only once what a good position is, and not once for X and once for O.",
    ],
  },
  stem: {
    title: "The first layer",
    text: [
      "The first layer has 32 filters. Each slides over the board and looks at 3 × 3 cells at a time, in both planes, as in lesson 3. The small pictures are what the 32 filters say about our position: one number for each cell, the darker, the more. Choose a filter to see its numbers.",
    ],
    question: "For one cell and one filter: how many numbers of the planes are multiplied by weights and added up?",
    choices: { nine: "9", eighteen: "18", all: "84, the whole board" },
    after: [
      "Eighteen: nine in each of the two planes. Then a *bias* is added, and what is below 0 becomes 0 (the rectifier). Point at any number to see its sum.",
      {
        formula: "y = \\max(0, \\quad b + \\sum_{i=1}^{18} w_i x_i)",
        words: "x are the 18 numbers around the cell, w the filter's 18 weights, b its bias.",
      },
      {
        note: "Batch norm, from lesson 3, is not a step of its own any more: once a network has learned, its scale and shift are multiplied into weights and bias.",
      },
    ],
  },
  tower: {
    title: "Layer upon layer",
    text: [
      "The second layer looks at what the first one says, the third at the second, up to the ninth. Go through the layers. The first ones still look like the board; the last ones speak their own language.",
    ],
    question: "A cell of layer 1 sees 3 × 3 cells of the board. How much does a cell of layer 3 see?",
    choices: { three: "3 × 3 cells", five: "5 × 5 cells", seven: "7 × 7 cells" },
    after: [
      "7 × 7: with every layer a cell sees one more to each side. Four in a row is four long, so some layers are needed before a single number can know of a whole row.",
      "Every other layer *adds* its result to what was there two layers before, the residual sum of lesson 3. You find it among the terms of the sum. In the picture a pattern therefore often stays for several layers.",
    ],
  },
  off: {
    title: "Switch a filter off",
    text: [
      "What is a filter good for? We can't ask it, but we can switch it off, as if it said 0 everywhere, and see what changes. For this we take an easier position. X has two stones side by side at the bottom, and with all its filters the network says: column {best}, {share}, and a value of {value} for X. It has seen the open row: a third stone, on column 2 or 5, threatens to win on both sides.",
    ],
    question: "We switch off *filter {filter} of the first layer*, one of 32. What will the network say?",
    choices: { same: "about the same: 31 are left", less: "column {best} still, but less sure", other: "another move" },
    after: [
      "Another move: column {otherBest} with {otherShare}, and the value falls to {otherValue}. Without this one filter the network no longer sees the row at the bottom. Its weights say why (filter 8, two steps back): it speaks up just above own stones, and the other player's stones there silence it.",
      "Most other filters matter much less. Try them: choose a layer and a filter, here or on our own position.",
    ],
    all: "with all filters",
    without: "without filter {filter} of layer {layer}",
    value: "Value for who is to move",
  },
  heads: {
    title: "Two heads",
    text: [
      "Layer 9 goes to two *heads*. The *policy head* makes one number of it for each column, a *logit*. The *value head* makes 64 numbers, and of these a single one, which tanh squeezes between −1 and 1.",
      {
        formula: "p_a = \\frac{e^{z_a}}{\\sum_b e^{z_b}}",
        words: "Softmax makes shares of the logits z: all above 0, together 1. The sum goes over the legal moves only.",
      },
    ],
    question: "Two more stones, and column 4 is full. What does the network say about it?",
    choices: {
      zero: "its logit is 0",
      number: "a number like any other: it does not know the rules",
      minus: "minus infinity",
    },
    after: [
      "A number like any other. The network was never told the rules. The *program* knows them and leaves illegal moves out before it adds up: they are *masked*, and the shares of the others grow a little.",
      "Policy and value are all that the search hears from the network. What it makes of them is the next lesson.",
    ],
    column: "Column",
    logit: "logit z",
    power: "e^z",
    all: "share of all",
    legal: "share of legal",
    masked: "masked",
    table: "From logits to the policy",
    units: "The 64 numbers of the value head",
    beforeTanh: "their weighted sum",
    value: "tanh of it: the value",
    move: "To move: {player}",
  },
};
