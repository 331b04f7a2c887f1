// The games that the server offers, and what is to be known of their positions.

/** The game of this name; undefined where there is none. */
export const gameNamed = (games, name) => games.find((game) => game.name === name);

/** The game of this name, or the first one. */
export const gameOrFirst = (games, name) => gameNamed(games, name) ?? games[0];

/** Whether moves are written one after the other, with nothing between them. */
export const joined = ({ notation, actions }) => notation === "squares" || (notation === "columns" && actions <= 9);

/** The moves as one text, the way the server writes them. */
export const joinMoves = (game, names) => names.join(joined(game) ? "" : " ");

/** The legal move of this number; undefined where it is not legal. */
export const legalMove = (position, action) => position.legal.find((move) => move.action === action);

/** A value for the player to move, as X sees it. */
export const forFirst = (value, player) => (player === 0 ? value : -value);

/** How many boxes or stones a player has or, where pieces are counted otherwise, the lead: "+3". */
export function pointsOf(game, position, player) {
  if (game.board === "text" || position.labels.length) {
    const lead = player === 0 ? position.margin : -position.margin;
    return lead > 0 ? `+${lead}` : "";
  }
  const owners = game.board === "dots" ? position.boxes.map((box) => box.owner) : position.cells;
  return owners.filter((owner) => owner === player).length;
}

/** Whether a game has a move of one's own to take back. */
export const canUndo = ({ position, you }) => position.names.length > you;
