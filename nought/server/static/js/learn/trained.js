// A trained network for lessons: the file of an agent that thinks in browsers, read layer by layer.

import { pause } from "../dom.js";
import * as api from "../model/api.js";
import { networkOf } from "../thinking/machine.js";
import { Layers } from "./maths/trained.js";

/** Small enough to be looked at whole: 32 filters, 4 blocks. */
const AGENT = "agents/connect4-level-7";
const ACTIONS = 7;

/** The layers of Connect 4's network, when the server has made its file. */
export async function trainedLayers(signal) {
  for (;;) {
    const found = await api.browserAgent("connect4", AGENT);
    if (found.network) {
      const response = await fetch(found.network, { signal });
      if (!response.ok) throw new Error("The network's file is not there.");
      return new Layers(networkOf(await response.arrayBuffer(), found.facts.checksum), ACTIONS);
    }
    if (!found.again || signal.aborted) throw new Error(found.note);
    await pause(1000 * found.again, signal);
  }
}
