// Lesson 4: how a network learns.

export const words = {
  predicted: "Prediction {i}",
  truth: "Truth {i}",
  lossIs: "ℓ = {terms} = {value}",
  curve: "The loss for every weight; the dots are where the weight has been",
  loss: "loss",
  weight: "weight w",
  been: "so far",
  rate: "Learning rate η",
  step: "One step",
  again: "From the start",
  stepIs: "w = {w}: slope {slope}, so the next w is {w} − {rate} · {slope} = {next}",
  net: "A network with two inputs, two neurons and one output",
  hidden: "y{i}",
  output: "y",
  ways: { forward: "Forward: what comes out", backward: "Backward: who is to blame", down: "Downhill: change every weight" }, // prettier-ignore
  lines: {
    sum: "sum of neuron {i}: {working} = {value}",
    out: "its output: tanh({a}) = {value}",
    sumOut: "sum of the output neuron: {working} = {value}",
    outOut: "output: y = tanh({a}) = {value}",
    loss: "loss: ℓ = (y − truth)² = ({y} − {t})² = {value}",
    dy: "slope at the output: ΔY = 2 (y − truth) = {value}",
    da: "through tanh: ΔA = (1 − y²) · ΔY = {slope} · {dy} = {value}",
    dw: "each weight: Δw = ΔA · its input: {values}",
    db: "the bias: Δb = ΔA = {value}",
    back: "back to the neurons before: ΔY = ΔA · weight: {values}",
    daHidden: "through their tanh: ΔA = {values}",
    dwHidden: "their weights: Δw = ΔA · input: {values}",
    dbHidden: "their biases: Δb = {values}",
    new: "new weights w − η Δw with η = {rate}: {values}",
    better: "and the loss is now {value}, before it was {before}",
  },
  shown: "Lines shown",
  nextLine: "Next line",
  table: {
    name: "Every slope, in two ways",
    weight: "Weight",
    back: "by back-propagation",
    tried: "by trying",
  },
  xor: {
    inputs: "Inputs",
    want: "Wanted",
    got: "It says",
    steps: "{steps} steps, loss {loss}",
    hundred: "100 steps",
    other: "Other first weights",
    chart: "Loss while it learns",
    axis: "steps",
  },
  real: {
    facts: "{size} weights, {steps} steps, loss {loss} (moves {policy}, value {value})",
    right: "A right move in {share} of all {count} positions",
    one: "One step",
    hundred: "100 steps",
    go: "Learn",
    pause: "Pause",
    loss: "loss",
    floor: "the least possible",
    chart: "Loss while it learns",
    axis: "steps",
    moves: "What it would play here",
    value: "What it thinks of this position (truth: +1)",
    valueName: "value",
  },

  trained: {
    coming: "The network is on its way. The first time the server has to make its file: half a minute.",
    away: "The server is away, and with it the network.",
    moves: "Chance of each column, p",
    slopes: "Slope by its score, p − π",
    column: "{column}",
    value: "value",
    loss: "Loss {loss} = value {error} + moves {policy}; v = {value}",
    rate: "Learning rate η",
    step: "One step",
    steps: "{steps} steps taken",
    again: "As it was",
  },

  measure: {
    title: "How wrong is it?",
    text: [
      "A network starts with weights drawn by chance, so it talks nonsense. To learn, it first needs a number that says *how wrong* it is: the *loss*. One way is the mean squared error.",
      {
        formula: "\\ell = \\frac{|Y_{pred} - Y_{true}|^2}{n}",
        words:
          "Take what it predicted minus what is true, square each difference (so that too much and too little both count), add up, and divide by how many there are, n.",
      },
    ],
    question: "It predicts 0.5 and −1. The truth is 1 and −1. What is the loss?",
    unit: "Loss",
    after: ["The first is wrong by 0.5, squared 0.25. The second is right: 0. The mean of 0.25 and 0 is 0.125. Drag the predictions: the loss is 0 only if both are right."], // prettier-ignore
  },
  descent: {
    title: "Downhill",
    text: [
      "For one weight the loss is a curve, here a valley. The *slope* says which way is up. So go the other way, by a little:",
      {
        formula: "w_{new} = w - \\eta \\frac{\\partial \\ell}{\\partial w}",
        words:
          "The new weight is the old one minus the slope of the loss, times the learning rate η (“eta”), which says how long a step is.",
      },
      "This is *gradient descent*. With millions of weights it is the same: every weight goes a little against its own slope.",
    ],
    question: "What happens if the learning rate is much too large?",
    choices: {
      fast: "it only learns faster",
      over: "it jumps over the valley, further out each time",
      stop: "it stops",
    },
    after: ["It jumps over the valley. Try it: with 0.1 it creeps down, with 0.5 it is there in one step, with 1 it jumps to and fro, and beyond that it flies away."], // prettier-ignore
  },
  byHand: {
    title: "Back-propagation by hand",
    text: [
      "How does a weight in the *first* layer know its slope? By the chain rule: blame is handed back, layer by layer. Here is all of it for a network of two inputs, two neurons and one output, with tanh everywhere.",
      {
        formula: "\\Delta A = f'(A) \\cdot \\Delta Y",
        words:
          "Through the activation: the slope of a neuron's output, ΔY, times the slope of its activation, gives ΔA.",
      },
      {
        formula: "\\Delta w = \\Delta A \\cdot X, \\quad \\Delta b = \\Delta A",
        words: "The slope of a weight is ΔA times what went in through it; that of the bias is ΔA itself.",
      },
      {
        formula: "\\Delta Y_{before} = \\Delta A \\cdot w",
        words: "And times the weight it is the slope of what the neuron before has put out. There it begins again.",
      },
      {
        note: "Equations 36 to 39 of the first paper (000). Equation 41 of 003 divides by f′, where it should multiply.",
      },
    ],
    question:
      "The output is too small. The second neuron is positive, and its weight to the output is −0.7. Should this weight grow or shrink?",
    choices: { grow: "grow (towards 0)", shrink: "shrink (more negative)", stay: "stay" },
    after: ["It should grow. A positive neuron times a greater weight makes the sum greater, and the sum is too small. The slope Δw comes out negative, and w minus something negative is more. Go through the lines one by one."], // prettier-ignore
  },
  check: {
    title: "Is that right? Try it",
    text: [
      "There is a simple way to check: make one weight greater by 0.0001, see how the loss changes, divide by 0.0001. Do that for every weight.",
    ],
    question:
      "The network of our best agent has about 2.4 million weights. How many times would it have to run to find all slopes by trying?",
    choices: { one: "once", two: "about 2.4 million times", log: "about 21 times" },
    after: ["About 2.4 million times, once for each weight. Back-propagation needs one run forward and one backward. This is why networks can learn at all. Here both ways agree in all nine weights:"], // prettier-ignore
  },
  xorStep: {
    title: "Again and again",
    text: [
      "One step makes the loss a little smaller. So repeat. Our small network is to learn this: say 1 if *exactly one* of the inputs is 1, else −1. No straight line can do that (lesson 3), so the neurons in the middle have to share the work.",
    ],
    question: "How many steps will it need, roughly, until the loss is below 0.1?",
    choices: { ten: "10", hundreds: "a hundred or two", million: "a million" },
    after: ["{steps} with these first weights. Press the button and watch. With other first weights it may be quicker, slower, or get stuck in a valley that is not the deepest: larger networks have more ways around."], // prettier-ignore
  },
  realStep: {
    title: "The real thing",
    text: [
      "Now the loss with which nought, as AlphaZero, learns to play. The network says two things about a position: $p$, how likely each move is (softmax), and $v$, who will win (tanh). It is wrong if $v$ is not the result $z$, and if it does not expect the moves π that are good:",
      {
        formula: "\\ell = (z - v)^2 - \\sum_a \\pi_a \\ln p_a",
        words:
          "The squared error of the value, plus the surprise about the good moves: minus ln p is 0 if a move was expected for certain, and large if it was thought impossible.",
      },
      "Here π and z come from perfect play in tic-tac-toe, all 4,520 positions. (In lesson 8 they come from the program's own games.) 18 inputs, 64 neurons, 9 moves and a value.",
    ],
    question: "Before it has learned anything: in how many of 100 positions is its favourite move a right one?",
    unit: "Out of 100",
    after: [
      "{start}: often several moves are right, so even chance does well. Now let it learn, and look at the position: one move wins at once. Each step takes 256 positions by chance, runs them forward and backward, and changes all weights a little.",
    ],
  },
  trainedStep: {
    title: "The same on a trained network",
    text: [
      "And now a network that already plays: level 7 of Connect 4, {size} weights, learned from its own games. It looks at our position. Perfect play says what is right: π is 1 for column 7 and 0 for all others, and X wins, so $z = 1$.",
    ],
    question: "Which of the two parts of its loss is the larger one here?",
    choices: { moves: "the moves: it does not expect column 7", value: "the value: it does not believe that X wins" },
    after: [
      "See for yourself: the page has fetched the network, runs it, and shows both parts. The slope by the score of each move is simply $p - \\pi$: down for what it expects too much, up for what it expects too little.",
      "*One step* changes the last layer of both heads, $w - \\eta \\Delta A x$, by exactly the rule of this lesson; the layers before stay as they are. A few steps, and it knows this one position by heart. That is not what we want: real learning takes a little from very many positions at once, so that what they have in common stays.",
    ],
  },
  proofs: {
    title: "For the curious: two proofs",
    text: [
      "*The slope of tanh.* The rule for fractions: the derivative of $\\frac{g}{h}$ is $\\frac{g' h - g h'}{h^2}$. Here $g = e^x - e^{-x}$ and $h = e^x + e^{-x}$, and each is the derivative of the other.",
      {
        formula: "\\tanh'(x) = \\frac{h h - g g}{h^2} = 1 - \\tanh(x)^2",
        words:
          "Nothing but the rule for fractions, and g′ = h, h′ = g. So a neuron that knows its output knows its slope, too.",
      },
      "*The slope of softmax.* $o_i = \\frac{e^{v_i}}{S}$ with $S = \\sum_j e^{v_j}$, and the derivative of $S$ by $v_j$ is $e^{v_j}$. If $j$ is not $i$, only $S$ changes:",
      {
        formula: "\\frac{\\partial o_i}{\\partial v_j} = -\\frac{e^{v_i} e^{v_j}}{S^2} = -o_i o_j",
        words: "Another score rises, so this chance falls: by the product of the two.",
      },
      {
        formula: "\\frac{\\partial o_i}{\\partial v_i} = \\frac{e^{v_i} S - e^{v_i} e^{v_i}}{S^2} = o_i (1 - o_i)",
        words:
          "Its own score rises: above and below the line something changes, and the rule for fractions gives this.",
      },
      "From this follows something pretty: with the loss $-\\sum \\pi_a \\ln p_a$ the slope by a score is simply $p_a - \\pi_a$: what it says minus what is right. (The proof for Elo's ratings is in lesson 9.)",
    ],
  },
};
