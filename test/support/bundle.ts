import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { isCurrent, root } from '../../src/cli/bundle.mjs';

/**
 * Builds `dist/` once before the tests. They start about 100 processes, which take half the time from the bundle. When
 * the build fails its error is printed and the processes run from the sources.
 */
export function setup(): void {
  if (isCurrent()) return;
  spawnSync(process.execPath, [join(root, 'scripts/build.ts')], {
    stdio: ['ignore', 'ignore', 'inherit'],
  });
}
