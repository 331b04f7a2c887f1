// The one position that all lessons come back to. X, to move, seems to be lost: the best agent's network says −0.58. But
// there is one move that wins: column 7 threatens four above each other; O has to stop that, and then column 5 makes two
// threats at once, four above each other and a diagonal, of which O can stop only one. All other moves lose.

import { CONNECT4 } from "./maths/rows.js";
import { readMoves } from "./parts/board.js";

/** Connect 4, as the server writes its moves. */
export const MOVES = "4371564453763664";

/** The same as a position of the rules. */
export const carried = () => CONNECT4.after(readMoves("connect4", MOVES));
