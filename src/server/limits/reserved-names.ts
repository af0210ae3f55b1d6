/** What every object has in JavaScript, or is taken for something else by having. No name of ours is among them. */
const reserved: ReadonlySet<string> = new Set([
  ...Object.getOwnPropertyNames(Object.prototype),
  ...['prototype', 'then', 'toJSON'],
]);

export const isReserved = (name: string): boolean => reserved.has(name);

export const reservedSentence = (name: string): string =>
  `"${name}" is a reserved name; choose another one.`;
