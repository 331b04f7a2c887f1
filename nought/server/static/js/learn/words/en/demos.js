// Lesson 5: two learners to watch.

export const words = {
  circle: {
    map: "What the network says of every point: blue is inside, orange outside. The line is the true circle",
    legend: "Blue: it says “inside”. Orange: it says “outside”. The line is the true circle, which it is never shown.",
    untrained: "It has learned nothing yet.",
    facts: "Steps: {steps}, loss {loss}, {right} of the last 1,024 points right",
    loss: "loss",
    chart: "Loss while it learns",
    axis: "steps",
    go: "Learn",
    pause: "Pause",
    once: "One step",
    again: "From the start",
  },
  points: {
    picture: "200 points, each in the colour of the nearest of six centroids",
    facts: "{updates} updates, mean squared distance {error}",
    error: "distance",
    chart: "Mean squared distance of the points from their centroids",
    axis: "updates",
    go: "Go",
    pause: "Pause",
    once: "50 updates",
    again: "Other points",
    share: "How far a centroid moves, as a share of the way",
    where: "The points lie",
    places: { anywhere: "anywhere", clumps: "in six clumps" },
  },

  kinds: {
    title: "Three ways to learn",
    text: [
      "*Supervised*: somebody tells the right answers. “This picture is a 7.”",
      "*Unsupervised*: nobody tells anything; the learner looks for order by itself. “These six heaps belong together.”",
      "*Reinforcement*: there is a world to try things in, which now and then says “good” or “bad”, often long after what caused it.",
    ],
    question: "A program learns a game by playing it and hearing who won. What is that?",
    choices: { supervised: "supervised", unsupervised: "unsupervised", reinforcement: "reinforcement learning" },
    after: ["Reinforcement learning. But inside of it there is a supervised part: when the game is over, each position of it gets a right answer, and the network learns from those as in lesson 4. So let us look at the other two first."], // prettier-ignore
  },
  supervised: {
    title: "Told the answers: a circle",
    text: [
      "This network has two inputs, the coordinates of a point, then 256 and 16 neurons (leaky ReLU), and one output (a sigmoid): inside or outside of a circle? It is told the answer for 1,024 points drawn by chance, learns from them eight times, and gets new ones. Learning rate 0.1, *momentum* 0.9: each step also goes on a little where the last ones went.",
      "Nobody tells it what a circle is.",
    ],
    question: "After how many steps will 95 of 100 points be right?",
    choices: { ten: "about 10", hundred: "about 100", thousand: "about 10,000" },
    after: ["About a hundred. Press *Learn*. First it finds that most points are inside, then a line bends, and bends again, until it closes. All of it happens in this page, in a thread of its own."], // prettier-ignore
  },
  scaled: {
    title: "A line of code that does something else",
    text: [
      "The listing in the paper has the same network, and this line: `loss.backward(loss)`. The word in the brackets means: *multiply all slopes by the loss*. It was probably not meant so.",
    ],
    question: "What will that do?",
    choices: {
      nothing: "nothing",
      slow: "it learns more slowly, and ever more so",
      wrong: "it learns the wrong thing",
    },
    after: ["It still goes downhill, so it learns the right thing. But the loss is about 0.25 at first, so steps are a quarter as long, and the better it gets, the shorter they are. Compare: after 100 steps here and in the step before."], // prettier-ignore
  },
  unsupervised: {
    title: "Told nothing: vector quantisation",
    text: [
      "Here are 200 points and six *centroids*, all put down by chance. Again and again one point is drawn, and the centroid that is *nearest* to it moves a little towards it. That is all.",
    ],
    question: "What will happen?",
    choices: {
      middle: "All six gather in the middle",
      share: "They share the points: each goes to the middle of a group",
      wander: "They wander about for ever",
    },
    after: ["They share the points. Who is nearest gets nearer, so each finds a group of its own, and the mean distance falls. Nobody has said which groups there are. Try points in clumps, and a longer move: then they never come to rest."], // prettier-ignore
  },
  back: {
    title: "And our game?",
    text: [
      "For a game nobody knows the right answers: not in Connect 4 by looking, and not at all in Go. Telling good from bad is just what is to be learned.",
      "AlphaZero's trick is to *make* the right answers. From a position the program looks ahead with a search (lesson 7), and what the search finds is better than what the network said at first glance. So the search's moves, and later the result of the game, are the teacher: π and z of lesson 4. The network learns them, the search gets better with a better network, and so on, without end.",
      "Our position shows it: at first glance the network of the best agent says that X is nearly lost. A few dozen simulations later the search has *proved* that X wins. That is what the network is then told.",
      { link: ["See that search at work", "/inside?game=connect4&moves=4371564453763664&simulations=40"] },
    ],
  },
};
