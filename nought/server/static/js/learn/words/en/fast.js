// Lesson 10: how it was made fast.

export const words = {
  graph: {
    title: "Every position once",
    text: [
      "To learn a game well, a program has to look at very many positions. So it counts how quickly it can do that. Five ideas make nought quick. The first you know: *a graph in place of a tree*.",
    ],
    question:
      "After six moves of Connect 4, from the start: how many different positions are there for every hundred orders of moves?",
    unit: "Positions",
    after: [
      "About {share}: {positions} positions for {ways} orders of moves, both counted in this page just now. With every move more it gets less. A search that keeps each position once does not do the same work again.",
    ],
    chart: "Orders of moves and positions of Connect 4, by the number of moves",
    ways: "orders of moves",
    positions: "positions",
    moves: "moves",
  },
  proofs: {
    title: "What is proven is done",
    text: [
      "When the end of the game is in sight, opinions are not needed. A move that is proven to lose is not looked at again, and a position that is proven ends the search.",
      "The curves are the value of our position for X, after each simulation of the best agent's search: with proofs and without.",
    ],
    question:
      "With proofs the search is certain after {proven} simulations. How sure is it without proofs after {all}?",
    unit: "Value",
    after: [
      "{without}. Still not certain, and it goes on for ever. With proofs it *knows* after {proven} simulations, and stops. Just before that, the value goes down: O's best answers are being tried, one after the other, until all are proven to lose.",
      { note: "Measured by `python scripts/learn_speed.py`." },
    ],
    chart: "Value of our position for X, by simulations",
    with: "with proofs",
    alone: "without",
    simulations: "simulations",
  },
  cache: {
    title: "Never ask twice",
    text: [
      "The network is what costs most. When a program plays many games at once, the same positions come up again and again, above all at the beginning. Its answers are kept in a *cache*: who asks again, gets them for nothing.",
    ],
    question: "64 games of self-play from the empty board: of a hundred simulations, how many have to ask the network?",
    unit: "of 100",
    after: [
      "{network}. Of a hundred simulations {cache} find their answer in the cache, {graph} in the graph or by a proof, and {end} come to the end of the game.",
      "When games begin differently, the cache helps less. Beside another program, with the same network and positions less alike, graph, proofs and cache together saved 61 % of all questions.",
      { note: "Measured by `python scripts/learn_speed.py` and `python benchmarks/peers.py`." },
    ],
    chart: "Where the values of 100 simulations come from",
    names: { network: "the network", cache: "the cache", graph: "graph and proofs", end: "end of the game" },
  },
  batches: {
    title: "Many at once",
    text: [
      "A processor is like a kitchen: cooking for sixty takes much less than sixty times as long as cooking for one, because everything is on the table already. So nought plays many games side by side, collects the positions that all of them want to know about, and asks the network about all of them at once: in *batches*.",
    ],
    question: "Asked about 64 positions at once, how many times as many answers a second does one processor core give?",
    unit: "times as many",
    after: [
      "{times} times as many, on the machine where this was measured. On a graphics card the difference is far greater still.",
      "It also keeps the network busy: in self-play nought reaches 94 % of the answers a second that the network could give if it had nothing else to do.",
      { note: "Measured by `python scripts/learn_speed.py` (one thread, its own time) and `nought bench`." },
    ],
    chart: "Answers a second by the size of the batch, in those of one position at a time",
    name: "answers a second",
    size: "positions at once",
  },
  compiled: {
    title: "Python, compiled",
    text: [
      "All of nought's search is written in Python: easy to read, but slow to run. A *compiler* translates it into the processor's own language before it starts. The same text, the same results, to the last bit.",
    ],
    question: "How many times as fast is the search after that?",
    choices: { two: "twice as fast", twenty: "about 20 times", hundreds: "some hundred times" },
    after: [
      "{compiled} times, measured in one run. The translation takes 11 seconds, once for each game; after that the program starts in 0.6 seconds.",
      "The same code is also translated for graphics cards, and for *your browser*: when an agent of this page thinks on your device, it runs what was Python once.",
      { note: "Measured by `python scripts/learn_speed.py` and `python benchmarks/search.py`." },
      "This was the last lesson. You know now how a program can learn a game from nothing but its rules. Play against it; you will see it with other eyes.",
      { link: ["Play", "/play"] },
    ],
    chart: "Simulations a second, compiled and not",
    quick: "compiled",
    slow: "as Python runs it",
  },
};
