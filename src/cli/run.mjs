// Starts a program: node src/cli/run.mjs [--build | --source] src/main [arguments]. `bundle.mjs` explains the two options.

import { describeNode, isNodeSupported } from './node-version.mjs';

if (isNodeSupported) {
  const [option] = process.argv[2]?.startsWith('--') ? process.argv.splice(2, 1) : [];
  const [program] = process.argv.splice(2, 1);
  const { locate } = await import('./bundle.mjs');
  await import(await locate(program, option));
} else {
  const advice = '. On Linux "npm start" and "npx node" bring one along; elsewhere install it';
  process.stderr.write(`reseller-graph: ${describeNode(advice)}\n`);
  process.exitCode = 2;
}
