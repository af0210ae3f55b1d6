import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { billOfMaterials } from '../../scripts/bill-of-materials.ts';
import { plain, readText } from '../docs/markdown.ts';
import { packageFolders, root } from './modules.ts';

interface Component {
  readonly name: string;
  readonly scope: string;
  readonly licenses: readonly { readonly license: { readonly id: string } }[];
  readonly hashes: readonly { readonly content: string }[];
  readonly 'bom-ref': string;
}

const readJson = (file: string) => JSON.parse(readFileSync(join(root, file), 'utf8'));
const components: readonly Component[] = billOfMaterials.components;

// A further package needs a decision.
const maxPackages = 91;
const maxBundled = 12;

const { packages: locked } = readJson('package-lock.json') as {
  readonly packages: Readonly<Record<string, { readonly dev?: boolean }>>;
};
/** Whether a package is installed for development only, and has a copy in the bundle. */
const isBundled = (one: Component) => locked[one['bom-ref'].replace(/^.*#/, '')]?.dev === true;

test(`production has at most ${maxPackages} packages, and the bundle ${maxBundled} more`, () => {
  const bundled = components.filter(isBundled);
  const installed = components.length - bundled.length;

  expect(installed).toBeGreaterThan(20);
  expect(installed).toBeLessThanOrEqual(maxPackages);
  expect(bundled.length).toBeGreaterThan(0);
  expect(bundled.length).toBeLessThanOrEqual(maxBundled);
});

test('every dependency is pinned to one version', () => {
  const { dependencies, devDependencies, optionalDependencies } = readJson('package.json');
  const versions = Object.values({ ...dependencies, ...devDependencies, ...optionalDependencies });

  expect(versions.filter((version) => !/^\d+\.\d+\.\d+$/.test(String(version)))).toEqual([]);
});

const permissive = new Set([
  ...['MIT', 'ISC', '0BSD', 'Apache-2.0', 'BSD-2-Clause', 'BSD-3-Clause', 'BlueOak-1.0.0'],
]);

test('every package that runs has a permissive license and a SHA-512', () => {
  const odd = components.filter(
    ({ licenses: [one], hashes: [hash] }) =>
      !permissive.has(one?.license.id ?? '') || hash?.content.length !== 128,
  );

  expect(odd.map(({ name }) => name)).toEqual([]);
});

test('docs/internals/decisions.md names every package with another license', () => {
  const found = packageFolders.flatMap((folder) => {
    const { packages } = readJson(join(folder, 'package-lock.json')) as {
      readonly packages: Readonly<Record<string, { readonly license: string }>>;
    };
    return Object.entries(packages)
      .filter(([path]) => path !== '')
      .filter(([, { license }]) => !license.split(' OR ').some((one) => permissive.has(one)))
      .map(([path, { license }]) => `${license}: ${path.split('node_modules/').at(-1)}`)
      .map((line) => line.replace(/(lightningcss)-.*/, '$1'));
  });
  const [, section = ''] = readText('docs/internals/decisions.md').split('\n## Licenses\n');
  const rows = section.replace(/\n## [\s\S]*/, '').matchAll(/^\| `(.+)` \| (`.+`) \|$/gm);
  const named = [...rows].flatMap(([, license, names]) =>
    plain(names)
      .split(', ')
      .map((name) => `${license}: ${name}`),
  );

  expect([...new Set(found)].sort()).toEqual(named.sort());
});

test('the bill of materials has every package and its dependents', () => {
  const edges = new Map<string, readonly string[]>(
    billOfMaterials.dependencies.map(({ ref, dependsOn }) => [ref, dependsOn]),
  );
  const reached = new Set<string>();
  const reach = (ref: string) => {
    if (reached.has(ref)) return;
    reached.add(ref);
    for (const next of edges.get(ref) ?? []) reach(next);
  };
  reach(billOfMaterials.metadata.component['bom-ref']);

  expect(components.map((one) => one['bom-ref']).filter((ref) => !reached.has(ref))).toEqual([]);
});
