// The rules, the search and the network of an agent, as WebAssembly. Everything lies in one memory: the search's words,
// what is shown of a position, and the network. agent.json says where.

const PAGE = 65536;
const WIDE = 8; // channels that lie together
const LINE = 64; // bytes: what stands apart begins on a line of its own

/** What this browser lacks, in words; null where it has all. */
export function lacking(code) {
  if (typeof WebAssembly !== "object") return "This browser has no WebAssembly.";
  if (!WebAssembly.validate(code))
    return "This browser's WebAssembly cannot do four sums at once (SIMD): a newer one can.";
  return null;
}

/** A network's file as the array that the compiled code takes: weights are whole numbers, each channel has its scale. */
export function networkOf(file, checksum) {
  if (crc32(new Uint8Array(file)) !== checksum) throw new Error("The network's file is damaged: load the page again.");
  const [format, size, headSize, runs] = new Int32Array(file, 0, 4);
  if (format !== 1) throw new Error("The network's file is of another version of nought.");
  const room = new Float32Array(size);
  new Int32Array(room.buffer).set(new Int32Array(file, 16, headSize));
  const lengths = new Int32Array(file, 16 + 4 * headSize, runs);
  const scales = new Float32Array(file, 16 + 4 * (headSize + runs), WIDE * runs);
  const weights = new Int16Array(file, 16 + 4 * (headSize + (1 + WIDE) * runs));
  let at = 0;
  lengths.forEach((length, run) => {
    for (let i = 0; i < length; i++, at++) room[headSize + at] = weights[at] * scales[WIDE * run + (i % WIDE)];
  });
  return room;
}

function crc32(bytes) {
  let sum = -1;
  for (const byte of bytes) {
    sum ^= byte;
    for (let bit = 0; bit < 8; bit++) sum = (sum >>> 1) ^ (sum & 1 ? 0xedb88320 : 0);
  }
  return (sum ^ -1) >>> 0;
}

export class Machine {
  /**
   * `facts` are those of agent.json. It knows the rules; it can think once it has its network. An agent that has none
   * plays positions out at random.
   */
  constructor(code, facts) {
    const { exports } = new WebAssembly.Instance(new WebAssembly.Module(code));
    this.facts = facts;
    this.exports = exports;
    const { memory } = exports;
    let free = exports.free.value;
    const take = (bytes) => {
      const place = Math.ceil(free / LINE) * LINE;
      free = place + bytes;
      return place;
    };
    const { search, planes } = facts;
    const places = [take(8 * search.words), take(4 * (search.shown.PLANES + planes)), take(4 * facts.network)];
    memory.grow(Math.max(0, Math.ceil((free - memory.buffer.byteLength) / PAGE)));
    const [words, shown, network] = places;
    this.ints = new Int32Array(memory.buffer, words, 2 * search.words);
    this.floats = new Float32Array(memory.buffer, words, 2 * search.words);
    this.longs = new BigUint64Array(memory.buffer, words, search.words);
    this.doubles = new Float64Array(memory.buffer, words, search.words);
    this.shown = new Float32Array(memory.buffer, shown, search.shown.PLANES + planes);
    this.network = new Float32Array(memory.buffer, network, facts.network);
    this.seeing = [words, search.words, shown, this.shown.length];
    this.thinking = [words, search.words, network, facts.network];
    this.longs.set(BigUint64Array.from(search.head, (word) => BigInt(`0x${word}`)));
    crypto.getRandomValues(this.longs.subarray(search.places.random, search.places.random + 1));
    this.forget();
  }

  /** Takes in the array that `networkOf` makes. */
  learn(room) {
    this.network.set(room);
    this.exports.browser_prepare(...this.thinking, 0);
  }

  // ---- the position at hand -----------------------------------------------------------------------------------
  start() {
    this.exports.browser_start(...this.seeing, 0);
  }

  play(action) {
    this.exports.browser_play(...this.seeing, action);
  }

  /** What is to be seen of it. */
  look() {
    const { shown, places } = this.facts.search;
    const count = this.exports.browser_look(...this.seeing, 0);
    return {
      player: this.shown[shown.PLAYER],
      finished: this.shown[shown.FINISHED] !== 0,
      result: this.shown[shown.RESULT],
      margin: this.shown[shown.MARGIN],
      planes: this.shown.slice(shown.PLANES),
      legal: [...this.ints.subarray(places.moves, places.moves + count)],
    };
  }

  /** What `see` makes of the position after a move; the one at hand stays. */
  after(action, see) {
    const { here, state } = this.facts.search.places;
    const kept = this.ints.slice(here, here + state);
    this.play(action);
    const seen = see(this.look());
    this.ints.set(kept, here);
    return seen;
  }

  // ---- the search ---------------------------------------------------------------------------------------------
  forget() {
    this.exports.browser_forget(...this.seeing, 0);
  }

  /** Begins to search the position at hand, which stands after `ply` moves. */
  begin(ply, simulations) {
    this.doubles[this.facts.search.places.simulations] = simulations;
    this.exports.browser_begin(...this.seeing, ply);
  }

  /** One round of the search: whether it goes on. */
  round() {
    const count = this.exports.browser_advance(...this.seeing, 0);
    if (count && this.facts.network) this.exports.browser_evaluate(...this.thinking, count);
    else if (count) this.exports.browser_rollouts(...this.seeing, count);
    return count > 0;
  }

  /** The move to play. */
  decide() {
    return this.exports.browser_decide(...this.seeing, 0);
  }
}
