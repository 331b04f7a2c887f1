// Lesson 3: a neuron, a layer, a convolution.

export const words = {
  input: "Input {name}",
  weight: "Weight {name}",
  bias: "Bias b",
  out: "output",
  picture: "A neuron: {working}",
  net: "A network with two inputs, three neurons and one output: {value}",
  kept: "passed on",
  functions: { tanh: "tanh", relu: "ReLU", leaky: "leaky ReLU", sigmoid: "sigmoid" },
  which: "Function",
  at: "x",
  slope: "slope c for negative x",
  curve: "The function and its derivative",
  value: "f(x)",
  derivative: "f′(x)",
  reading: "f({x}) = {value}, and its slope there is f′({x}) = {slope}",
  line: { label: "What comes out, for each x that goes in", out: "two layers", on: "with an activation between them", dials: ["a", "b", "c", "d"] }, // prettier-ignore
  straight: "a·(c·x + d) + b = {slope}·x {offset}: one line, so one layer would do.",
  bent: "a·f(c·x + d) + b with f = ReLU: a line with a bend. With many neurons, many bends: any shape.",
  scores: "Score of move {move}",
  shares: "Softmax: the chance of each move",
  sumsTo: "together {sum}",
  slopes: "How much each chance (row) changes with each score (column)",
  curveOf: "The chance of move 1, for every score of it (the others stay)",
  move: "move {move}",
  score: "score of move 1",
  plusTen: "Add 1 to all scores",
  examples: { sobel: "Example of 000, equation 24", cross: "Example of 002, figure 4.3.2" },
  example: "Example",
  image: "Image",
  filter: "Filter",
  result: "Feature map",
  resultAt: "Result in row {row}, column {column}: show its sum",
  sum: "{terms}{bias} = {value}",
  edgeFilter: "Weight {place} of the filter is {value}. Change it",
  boardFilters: { beside: "three side by side", above: "three above each other", rising: "three rising to the right" },
  boardFilter: "Filter",
  stones: "Stones of X (the plane that goes in)",
  found: "What the filter found (3 is a whole row of three)",
  normNames: { before: "Before", after: "After", name: "Number {i}", facts: "mean {mean}, variance {variance}" },
  layers: "Layers",
  keeps: "What a layer makes of 1",
  signal: "What is left of the signal after each layer",
  plain: "plain layers",
  aroundThem: "with residual sums",

  one: {
    title: "One neuron",
    text: [
      "A *neuron* is a small sum. Each input $x$ is multiplied by a *weight* $w$, all is added up, and a *bias* $b$ is added at the end.",
      {
        formula: "y = w_1 x_1 + w_2 x_2 + b",
        words:
          "Output y: first weight times first input, plus second weight times second input, plus the bias. A weight says how much an input matters: 0 not at all, negative in the opposite direction.",
      },
    ],
    question: "The inputs are 0.5 and 1, the weights 2 and 0.5, the bias 0. What comes out?",
    unit: "Output",
    after: ["$0.5 · 2 + 1 · 0.5 = 1 + 0.5 = 1.5$. Now drag the numbers. That is all a neuron can do.", { note: "The numbers are those of figure 4.1.1 of the thesis (002)." }], // prettier-ignore
  },
  layer: {
    title: "Layers",
    text: [
      "Neurons side by side, all with the same inputs, are a *layer*. Its outputs are the inputs of the next layer.",
      {
        formula: "\\delta(x) = w \\cdot x + b",
        words:
          "The same for a whole layer: x is the list of inputs, w a table with one row of weights for each neuron, b the list of biases.",
      },
      "In this example every neuron, those of the inputs, too, passes its number on only if it is *greater than 0.5*, and else passes on 0. The weights from $x_1$ are 1, those from $x_2$ 0.75, and those to the output 2.",
    ],
    question: "The inputs are 0.5 and 1. What comes out at the end?",
    unit: "Output",
    after: ["0.5 is not greater than 0.5, so the first input counts as 0. Each neuron in the middle gets $0 · 1 + 1 · 0.75 = 0.75$ and passes it on. At the end: $3 · 0.75 · 2 = 4.5$.", { note: "The example of figure 4.2.2 of the thesis (002)." }], // prettier-ignore
  },
  linear: {
    title: "Why layers alone are not enough",
    text: [
      "Take two layers of one neuron each: the first makes $c x + d$, the second $a y + b$. Drag the four numbers and look at the curve of what comes out.",
    ],
    question: "Which shapes can two such layers draw?",
    choices: { line: "only straight lines", bent: "lines with one bend", all: "any curve" },
    after: [
      {
        formula: "a (c x + d) + b = a c x + a d + b",
        words: "Put one into the other and multiply out: again a number times x plus a number. A straight line.",
      },
      "A hundred layers would still draw a straight line, and a straight line cannot tell a won position from a lost one. So something that is *not* straight has to stand between two layers: an *activation function*. Switch it on.",
    ],
  },
  activation: {
    title: "Activation functions",
    text: [
      "These are in use. *tanh* squeezes any number between −1 and 1: just right for a value from lost to won. *ReLU* cuts off what is negative. The *leaky* one leaves a little of it, a slope $c$.",
      {
        formula: "\\tanh(x) = \\frac{e^x - e^{-x}}{e^x + e^{-x}}",
        words: "e is the number 2.718…; for a large x the two are almost equal above and below the line: 1.",
      },
      "The *derivative* $f'(x)$ is the slope: how much the output changes if the input changes a little. It is needed for learning.",
    ],
    question: "How steep is tanh at its steepest place, in the middle?",
    choices: { half: "0.5", one: "1", two: "2" },
    after: [
      {
        formula: "\\tanh'(x) = 1 - \\tanh(x)^2",
        words:
          "The slope of tanh: 1 in the middle, where tanh is 0, and almost 0 far out. There a neuron hardly learns any more.",
      },
      "Drag x and look at both curves. ReLU's slope is 0 or 1: quickly computed, and it does not fade.",
    ],
  },
  softmax: {
    title: "Softmax: from scores to chances",
    text: [
      "A network gives every move a *score*, any number. A policy needs chances: none negative, together 1. *Softmax* makes one of the other.",
      {
        formula: "o_i = \\frac{e^{v_i}}{\\sum_j e^{v_j}}",
        words:
          "The chance of move i: e to the power of its score, divided by the sum of the same for all moves. One point more makes a move e ≈ 2.7 times as likely.",
      },
    ],
    question: "We add 10 to all scores. What happens to the chances?",
    choices: { same: "nothing", more: "all get greater", first: "the greatest gets nearly 1" },
    after: [
      "Nothing. Above and below the line everything is multiplied by the same number. Only the *differences* of scores count.",
      {
        formula: "\\frac{\\partial o_i}{\\partial v_i} = o_i (1 - o_i)",
        words: "How much the chance of a move grows with its own score.",
      },
      {
        formula: "\\frac{\\partial o_i}{\\partial v_j} = -o_i o_j",
        words:
          "How much it falls with the score of another move j. Each row of the table adds up to 0, since the chances stay 1 together.",
      },
    ],
  },
  convolution: {
    title: "Convolution: one small filter, everywhere",
    text: [
      "On a board it should not matter *where* three stones stand side by side. So a *filter* of 3 × 3 weights is laid on every place of the image in turn. At each place: multiply what lies on top of each other, add up, add the bias. The results are a *feature map*.",
      {
        formula: "\\Lambda_{ab} = \\sum_{i,j} w_{ij} I_{a+i, b+j} + b",
        words:
          "The result in row a, column b: a neuron that sees only the nine numbers under the filter. The same weights everywhere.",
      },
    ],
    question: "The filter lies on the upper left corner of the image. What is the result?",
    unit: "Result",
    after: [
      "1·1 + 0·3 + 1·0 + 0·0 + 1·1 + 0·0 + 1·2 + 0·1 + 1·2 = 6. Press a number of the feature map to see its sum, or a weight of the filter to change it.",
      { note: "The filter and the nine numbers in the corner are those of figure 4.3.2 of the thesis (002); the rest of the image is ours. The other example is equation 24 of the first paper (000), which prints its result with rows and columns exchanged." }, // prettier-ignore
    ],
  },
  board: {
    title: "A filter on our position",
    text: [
      "This is our position again, as the plane of X's stones: 1 where X has one. A filter of three ones in a row, laid everywhere, counts how many of three cells are X's. Zeros are put around the board, so that the result is as large as the board.",
    ],
    question: "How great is the greatest number that the filter “three side by side” finds here?",
    unit: "Greatest number",
    after: [
      "{most}. Try the other filters. A trained network has dozens of filters in each layer, and nobody chose their weights: they were learned. The first layers find pairs and threes, the later ones, which filter the maps of the earlier ones, find threats.",
    ],
  },
  norm: {
    title: "Batch normalisation",
    text: [
      "With many layers numbers may grow or shrink from layer to layer. *Batch normalisation* puts them back in order: it takes all values of one filter over a batch of positions, takes off their mean and divides by their spread.",
      {
        formula: "y_i = \\frac{x_i - \\mu}{\\sqrt{\\sigma^2 + \\epsilon}}",
        words:
          "μ is the mean of the batch, σ² its variance, the mean square of the distances from μ; ε is tiny and avoids dividing by 0.",
      },
    ],
    question: "All numbers of a batch are made ten times as large. What happens to the result?",
    choices: { same: "it stays the same", ten: "it is ten times as large", less: "it is ten times as small" },
    after: ["It stays the same (but for ε): the mean and the spread are ten times as large, too. Drag the numbers: the result always has mean 0 and variance 1."], // prettier-ignore
  },
  residual: {
    title: "Residual sums: a way around",
    text: [
      "A signal that passes many layers fades. The cure is simple: carry the input past the layers and add it to what comes out.",
      {
        formula: "f_R(x) = f(x) + x",
        words:
          "A residual block: what the layers make of x, plus x itself. The layers only have to learn what is to be changed.",
      },
    ],
    question: "Each of 10 layers makes a tenth of what goes in. How much of a signal of 1 is left at the end?",
    choices: { tenth: "a tenth", tiny: "a ten-thousand-millionth", none: "exactly nothing" },
    after: [
      "$0.1^{10}$: ten zeros after the point. With residual sums each layer makes $0.1 + 1 = 1.1$ of 1, and $1.1^{10} = 2.6$: nothing is lost. That is why networks like ours, a *tower* of residual blocks, can be deep.",
    ],
  },
};
