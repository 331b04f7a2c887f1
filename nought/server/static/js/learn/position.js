// The one position that all lessons come back to.

import { CONNECT4 } from "./maths/rows.js";
import { readMoves } from "./parts/board.js";

/** Connect 4, as the server writes its moves. */
export const MOVES = "4433";

/** The same as a position of the rules. */
export const carried = () => CONNECT4.after(readMoves("connect4", MOVES));
