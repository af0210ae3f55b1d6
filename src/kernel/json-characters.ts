/** The characters that give JSON its structure, the same in UTF-8 and UTF-16. */
export const [quote, comma, backslash, colon] = [0x22, 0x2c, 0x5c, 0x3a];
export const [openObject, closeObject, openList, closeList] = [0x7b, 0x7d, 0x5b, 0x5d];
