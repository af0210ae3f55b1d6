import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { packageFolders, readProduct, root } from './modules.ts';

interface Package {
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly devDependencies?: Readonly<Record<string, string>>;
  readonly optionalDependencies?: Readonly<Record<string, string>>;
  readonly hasInstallScript?: boolean;
  readonly resolved?: string;
}

const readJson = (file: string) => JSON.parse(readFileSync(join(root, file), 'utf8'));

test('main.ts is the only file at the top of src', () => {
  const top = [...readProduct('src').keys()].filter((path) => path.split('/').length === 2);

  expect(top).toEqual(['src/main.ts']);
});

const maxFile = 500;
/** `npm run client` writes it. */
const generatedFile = 'client/operations.ts';

test(`no file has more than ${maxFile} lines`, () => {
  const long = [...readProduct()]
    .map(([path, source]) => ({ path, lines: source.trimEnd().split('\n').length }))
    .filter(({ path, lines }) => lines > maxFile && path !== generatedFile);

  expect(long).toEqual([]);
});

describe.each(packageFolders)('%s/package-lock.json', (folder) => {
  const text = readFileSync(join(root, folder, 'package-lock.json'), 'utf8');
  const packages: [string, Package][] = Object.entries(JSON.parse(text).packages);

  test('lists packages', () => {
    expect(packages.length).toBeGreaterThan(1);
  });

  test('names no registry, so that npm uses the configured one', () => {
    // A package of this repository has a folder.
    const isElsewhere = ([, { resolved = 'file:../' }]: (typeof packages)[number]) =>
      !resolved.startsWith('file:../');
    expect(packages.filter(isElsewhere).map(([path]) => path)).toEqual([]);
    expect(text).not.toMatch(/https?:\/\/[^"]*registry/);
  });

  test('has an entry for every optional variant of every package', () => {
    const names = new Set(packages.map(([path]) => path.split('node_modules/').at(-1)));
    const missing = packages.flatMap(([path, { optionalDependencies = {} }]) =>
      Object.keys(optionalDependencies)
        .filter((name) => !names.has(name))
        .map((name) => `${path}: ${name}`),
    );

    expect(missing).toEqual([]);
  });

  test('has no package with an install script, unless .npmrc disables scripts', () => {
    const settings = readFileSync(join(root, folder, '.npmrc'), 'utf8').split('\n');
    const scripted = packages
      .filter(([path, one]) => path !== '' && one.hasInstallScript)
      .map(([path]) => path);

    expect(settings.includes('ignore-scripts=true') ? [] : scripted).toEqual([]);
  });
});

test.each(packageFolders)('%s/package.json names exact versions', (folder) => {
  const { dependencies, devDependencies, optionalDependencies }: Package = readJson(
    `${folder}/package.json`,
  );
  const versions = Object.entries({
    ...dependencies,
    ...devDependencies,
    ...optionalDependencies,
  });

  expect(versions.length).toBeGreaterThan(0);
  expect(
    versions.filter(([, version]) => !/^(?:\d+\.\d+\.\d+|file:\.\.\/[\w-]+)$/.test(version)),
  ).toEqual([]);
});
