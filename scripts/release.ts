import { execFileSync } from 'node:child_process';
import { copyFileSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { sdlFiles } from '../src/app/graph.ts';
import { dist, root } from '../src/cli/bundle.mjs';
import { readArguments } from '../src/console/program.ts';
import { billOfMaterials } from './bill-of-materials.ts';

const help = `Writes the files of a release to release/: the npm package, the SDL files and the bill of materials.

Usage: npm run release -- [--bench]

  --bench  Also the benchmarks, with all their figures. Takes about 25 minutes on a quiet machine.
`;
const { values } = readArguments('release', help, {
  options: { bench: { type: 'boolean', default: false } },
});

const folder = join(root, 'release');
const run = (...args: readonly string[]) =>
  execFileSync('npm', ['run', '--silent', ...args], { cwd: root, stdio: 'inherit' });

rmSync(folder, { recursive: true, force: true });
mkdirSync(folder);
run('schema:diff');
run('build');
execFileSync('npm', ['pack', dist, '--pack-destination', folder], { stdio: 'inherit' });
for (const file of Object.keys(sdlFiles)) copyFileSync(join(dist, file), join(folder, file));
writeFileSync(join(folder, 'sbom.cdx.json'), `${JSON.stringify(billOfMaterials, null, 2)}\n`);
if (values.bench) {
  run('bench', '--', '--out', folder);
  run('bench:growth', '--', '--out', folder);
}
