// @ts-check
// Plain JavaScript, because a Node that is too old for the TypeScript sources can only report that here.

const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);

/** Whether this Node can run the gateway. */
export const isNodeSupported = (major === 24 && minor >= 15) || major >= 26;

/** @param {string} advice the clauses after "needs Node 24.15 or newer" */
export const describeNode = (advice) =>
  `Node ${process.versions.node} cannot run this gateway; it needs Node 24.15 or newer${advice} from https://nodejs.org.`;
