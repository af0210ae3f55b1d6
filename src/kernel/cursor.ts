/** The sort key of an item, which its cursor encodes. Its parts are compared as text, in order. */
export type Position = readonly string[];

/** The cursor of a position. */
export const cursorText = (position: Position): string =>
  Buffer.from(JSON.stringify(position)).toString('base64url');
