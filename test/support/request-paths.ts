/** The paths of a request through the server, for `describe.each`: name, and the option that selects it. */
export const requestPaths = [
  ['the fast path', { fastPath: true }],
  ['the Yoga path', { fastPath: false }],
] as const;
