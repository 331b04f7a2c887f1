// Formulas: a little of TeX's way of writing them, as MathML, which browsers draw themselves.

const MATHML = "http://www.w3.org/1998/Math/MathML";

const OPERATORS = {
  sum: "∑", max: "max", min: "min", cdot: "·", times: "×", to: "→", le: "≤", ge: "≥", approx: "≈", ne: "≠", in: "∈",
  minus: "−", partial: "∂", mid: "|", quad: "\u2003", dots: "…", prime: "′",
}; // prettier-ignore
const LETTERS = {
  alpha: "α", gamma: "γ", delta: "δ", Delta: "Δ", eta: "η", lambda: "λ",
  Lambda: "Λ", mu: "μ", pi: "π", sigma: "σ", phi: "φ", theta: "θ",
  epsilon: "ε", ell: "ℓ",
}; // prettier-ignore
const UNDER = new Set(["∑", "max", "min"]); // what has its index below it

function m(tag, ...children) {
  const element = document.createElementNS(MATHML, tag);
  element.append(...children);
  return element;
}

function space() {
  const element = m("mspace");
  element.setAttribute("width", "0.15em");
  return element;
}

/** The parts of a formula: commands, numbers, and single characters. */
const tokens = (text) => text.match(/\\text\{[^}]*\}|\\[a-zA-Z]+|\\.|\d+(?:[.,]\d+)*|[^\s]/g) ?? [];

class Reader {
  constructor(text) {
    this.left = tokens(text);
  }

  /** Everything up to a closing brace, or the end. */
  row() {
    const parts = [];
    while (this.left.length && this.left[0] !== "}") parts.push(this.scripted());
    this.left.shift();
    return parts.length === 1 ? parts[0] : m("mrow", ...parts);
  }

  /** One thing with what is written below and above it. */
  scripted() {
    const base = this.one();
    const scripts = {};
    while (this.left[0] === "_" || this.left[0] === "^") scripts[this.left.shift()] = this.one();
    const under = UNDER.has(base.textContent);
    if (scripts._ && scripts["^"]) return m(under ? "munderover" : "msubsup", base, scripts._, scripts["^"]);
    if (scripts._) return m(under ? "munder" : "msub", base, scripts._);
    return scripts["^"] ? m("msup", base, scripts["^"]) : base;
  }

  /** One symbol, number, group or command. */
  one() {
    const token = this.left.shift() ?? "";
    if (token === "{") return this.row();
    if (token.startsWith("\\text{")) return m("mtext", token.slice(6, -1).replace(/^ | $/g, "\u00a0"));
    if (token[0] === "\\") return this.command(token.slice(1));
    if (/^\d/.test(token)) return m("mn", token);
    if (/^\p{L}/u.test(token)) return m("mi", token);
    const sign = m("mo", { "-": "−", "'": "′", "*": "·" }[token] ?? token);
    if (/[()[\]|]/.test(token)) sign.setAttribute("stretchy", "false");
    return sign;
  }

  command(name) {
    if (name === "frac") return m("mfrac", this.one(), this.one());
    if (name === "sqrt") return m("msqrt", this.one());
    if (name in OPERATORS) return m("mo", OPERATORS[name]);
    if (name in LETTERS) return m("mi", LETTERS[name]);
    return m("mrow", space(), m("mi", name), space()); // tanh, ln: by their names, a little apart
  }
}

/** A formula as an element: formula("v = \\sum_i w_i x_i"). `block` puts it on a line of its own. */
export function formula(text, block = false) {
  const element = m("math", new Reader(text).row());
  if (block) element.setAttribute("display", "block");
  return element;
}
