// A game with variations: a tree of moves whose first branch everywhere is the main line.

class Move {
  constructor(name, player, parent) {
    Object.assign(this, { name, player, parent, children: [], ply: parent ? parent.ply + 1 : 0 });
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
  /** The line that led to a position. */
  constructor(position) {
    this.root = new Move(null, null, null);
    this.add(position);
  }

  /** Goes to a position by the moves that led to it, from the start; those that are new become a branch. */
  add({ names, movers }) {
    this.at = this.root;
    names.forEach((name, i) => this.play(name, movers[i]));
  }

  /** Makes a player's move where we are: the next one of a line, or a new branch. */
  play(name, player) {
    let next = this.at.children.find((child) => child.name === name);
    if (!next) this.at.children.push((next = new Move(name, player, this.at)));
    this.at = next;
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
