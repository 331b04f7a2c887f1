// A game with variations: a tree of moves whose first branch everywhere is the main line.

class Move {
  constructor(name, parent) {
    Object.assign(this, { name, parent, children: [], ply: parent ? parent.ply + 1 : 0 });
  }

  /** The names of the moves that lead here. */
  get path() {
    return this.parent ? [...this.parent.path, this.name] : [];
  }

  /** Whether this is on the main line. */
  get main() {
    return !this.parent || (this.parent.children[0] === this && this.parent.main);
  }

  /** The last move of the line that goes on from here. */
  get end() {
    return this.children.length ? this.children[0].end : this;
  }
}

export class Tree {
  constructor(names = []) {
    this.root = new Move(null, null);
    this.at = this.add(this.root, names);
  }

  /** Adds moves after `node`, following those that are there already; gives the last one. */
  add(node, names) {
    for (const name of names) {
      let next = node.children.find((child) => child.name === name);
      if (!next) node.children.push((next = new Move(name, node)));
      node = next;
    }
    return node;
  }

  /** Makes a move where we are: the next one of a line, or a new branch. */
  play(name) {
    this.at = this.add(this.at, [name]);
  }

  get mainLine() {
    return this.root.end.path;
  }

  /** The main line's move after so many moves. */
  mainAt(ply) {
    let node = this.root;
    while (node.ply < ply && node.children.length) node = node.children[0];
    return node;
  }

  back() {
    this.at = this.at.parent ?? this.at;
  }
  forward() {
    this.at = this.at.children[0] ?? this.at;
  }
  toStart() {
    this.at = this.root;
  }
  toEnd() {
    this.at = this.at.end;
  }

  /** Goes to where the present variation left the main line. */
  toMain() {
    while (!this.at.main) this.at = this.at.parent;
  }

  /** Forgets the branch that holds the present move. */
  cut() {
    const first = this.at;
    this.back();
    this.at.children = this.at.children.filter((child) => child !== first);
  }
}
