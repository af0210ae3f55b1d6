#!/usr/bin/env node
// The command of the package. It sets what `npm start` sets in a clone.

import { setFlagsFromString } from 'node:v8';
import { describeNode, isNodeSupported } from '../cli/node-version.mjs';

if (isNodeSupported) {
  process.env.NODE_ENV ??= 'production';
  setFlagsFromString('--no-allocation-site-pretenuring');
  // Node 20 has no such export.
  const { enableCompileCache } = await import('node:module');
  enableCompileCache();
  const { runCommandLine } = await import('./command-line.ts');
  await runCommandLine();
} else {
  process.stderr.write(`reseller-graph: ${describeNode('; install it')}\n`);
  process.exitCode = 2;
}
