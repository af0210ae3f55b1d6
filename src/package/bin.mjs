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
  await run();
} else {
  process.stderr.write(`reseller-graph: ${describeNode('; install it')}\n`);
  process.exitCode = 2;
}

async function run() {
  const { chooseCommand } = await import('./command-line.ts');
  const { exitCodes, print, printErrors } = await import('../console/program.ts');
  const { commandForm } = await import('../lib/programs.ts');
  const { dropUnreadOutput } = await import('../lib/programs.ts');
  const choice = chooseCommand(process.argv.slice(2));
  if (!('run' in choice)) dropUnreadOutput(process);
  if ('text' in choice) return print(choice.text);
  if ('error' in choice) {
    process.exitCode = exitCodes.misused;
    return printErrors('reseller-graph', [choice.error]);
  }
  process.argv.splice(2, Infinity, ...choice.args);
  commandForm.isPackage = true;
  await choice.run();
}
