/** The ways of a request through the server, as `describe.each` takes them: name, and what starts a server with it. */
export const ways = [
  ['the plain way', { plainWay: true }],
  ['the full way', { plainWay: false }],
] as const;
