import { copyFileSync, globSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { isolatedDeclarationSync } from 'rolldown/experimental';
import { z } from 'zod';
import { schema, sdlFiles } from '../src/app/graph.ts';
import { settings } from '../src/app/read-config.ts';
import { dist, root } from '../src/cli/bundle.mjs';

// After scripts/build.ts: adds to `dist/` what makes it the npm package, so that `npm pack ./dist` packs it. All packages
// are in the bundle, so its package.json has no dependencies.

const read = (path: string) => readFileSync(join(root, path), 'utf8');
const { name, version, description, license, type, engines } = JSON.parse(read('package.json'));

for (const [file, print] of Object.entries(sdlFiles)) {
  writeFileSync(join(dist, file), `${print(schema)}\n`);
}
copyFileSync(join(root, 'LICENSE'), join(dist, 'LICENSE'));
writeFileSync(join(dist, 'index.d.ts'), declarationsOf('src/package/index.ts'));
writeFileSync(join(dist, 'settings.d.ts'), settingTypes());
mkdirSync(join(dist, 'client'), { recursive: true });
for (const path of globSync('client/*.ts', { cwd: root, exclude: ['**/*.test.ts'] })) {
  const file = basename(path).replace(/\.ts$/, '.d.ts');
  writeFileSync(join(dist, 'client', file), declarationsOf(path));
}
const { GITHUB_SERVER_URL, GITHUB_REPOSITORY } = process.env;
const manifest = {
  ...{ name, version, description, license, type, engines },
  // npm accepts a provenance only for the repository whose workflow publishes.
  ...(GITHUB_REPOSITORY && {
    repository: { type: 'git', url: `git+${GITHUB_SERVER_URL}/${GITHUB_REPOSITORY}.git` },
  }),
  bin: { [name]: './reseller-graph.js' },
  exports: {
    '.': { types: './index.d.ts', default: './index.js' },
    './client': { types: './client/index.d.ts', default: './client.js' },
    ...Object.fromEntries(Object.keys(sdlFiles).map((file) => [`./${file}`, `./${file}`])),
    './package.json': './package.json',
  },
  // Source maps are as large as all other files together.
  files: [
    '*.js',
    '*.mjs',
    '*.d.ts',
    'client',
    '*.graphql',
    '*.css',
    '*.svg',
    'built',
    'docs',
    'llms*.txt',
    'licenses.txt',
  ],
};
writeFileSync(join(dist, 'package.json'), `${JSON.stringify(manifest, null, 2)}\n`);

/** `GatewaySettings` without types of other files, with the description of each setting. */
function settingTypes(): string {
  const members = settings.flatMap(({ name, description, default: unset, secret, schema }) => [
    `  /** ${description} Default: ${unset}. */`,
    `  readonly ${name}?: ${typeOf(schema)} | undefined;`,
    ...(secret
      ? [`  /** A file with ${name}. */`, `  readonly ${name}_FILE?: string | undefined;`]
      : []),
  ]);
  return `export interface GatewaySettings {\n${members.join('\n')}\n}\n`;
}

/** The type of the parsed value where it is a number, a flag or a word of a list, else `string`. */
function typeOf(schema: z.ZodType): string {
  if (schema instanceof z.ZodOptional || schema instanceof z.ZodDefault) {
    return typeOf(schema.unwrap() as z.ZodType);
  }
  if (schema instanceof z.ZodEnum) return schema.options.map((word) => `'${word}'`).join(' | ');
  // Each range of numbers has one of these.
  for (const text of ['true', '0', '1', '100', '1000', '100000']) {
    const { data } = schema.safeParse(text);
    if (typeof data === 'number' || typeof data === 'boolean') return typeof data;
  }
  return 'string';
}

/** The types of a module whose exports all have written types. */
function declarationsOf(path: string): string {
  const { code, errors } = isolatedDeclarationSync(path, read(path));
  const [first] = errors;
  if (first) throw new Error(`${path}: ${first.message}`);
  // As programs name the modules that have these types.
  return code.replace(/(from '\.[^']*|from "\.[^"]*)\.ts(?=["'])/g, '$1.js');
}
