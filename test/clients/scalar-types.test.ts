import { execFile } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { promisify } from 'node:util';
import {
  buildSchema,
  introspectionFromSchema,
  isScalarType,
  isSpecifiedScalarType,
  parse,
} from 'graphql';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { blocksOf, readText, root } from '../docs/markdown.ts';

const run = promisify(execFile);
const sdl = readText('schema.graphql');
const require = createRequire(import.meta.url);
const { codegen } = require('@graphql-codegen/core') as typeof import('@graphql-codegen/core');
const { preset } =
  require('@graphql-codegen/client-preset') as typeof import('@graphql-codegen/client-preset');

/** An application with the blocks of the document as its files. */
let folder: string;
beforeAll(() => {
  const cache = join(root, 'node_modules/.cache');
  mkdirSync(cache, { recursive: true });
  folder = mkdtempSync(join(cache, 'scalar-types-'));
  mkdirSync(join(folder, 'node_modules/reseller-graph'), { recursive: true });
  // The package as its users see it, but from the sources.
  writeFileSync(
    join(folder, 'node_modules/reseller-graph/package.json'),
    '{ "type": "module", "exports": { "./client": "./client/index.ts" } }',
  );
  symlinkSync(join(root, 'src/client'), join(folder, 'node_modules/reseller-graph/client'));
  writeFileSync(join(folder, 'package.json'), '{ "type": "module" }');
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const [configBlock = '', tadaBlock = ''] = blocksOf('docs/clients.md', 'ts');

const text = `query Price($name: DomainName!) {
  domain(name: $name) { name expiresAt } tld(name: "com") { price(operation: REGISTRATION) { price { amount currency } } }
}`;

/** Each of these fails unless every scalar of the result is a string. */
const uses = `
  const price = data.tld?.price;
  export const amount: string | undefined = price?.price.amount;
  export const currency: string | undefined = price?.price.currency;
  export const name: string | undefined = data.domain?.name;
  export const expiresAt: string | null | undefined = data.domain?.expiresAt;
  // @ts-expect-error -- an exact decimal is no number
  export const rounded: number | undefined = price?.price.amount;
`;

async function compile(files: Readonly<Record<string, string>>): Promise<void> {
  for (const [name, content] of Object.entries(files)) writeFileSync(join(folder, name), content);
  const options = [
    ...[
      '--ignoreConfig',
      '--noEmit',
      '--strict',
      '--skipLibCheck',
      '--module',
      'nodenext',
      '--target',
      'es2024',
    ],
    ...['--allowImportingTsExtensions', '--lib', 'es2024,dom,dom.asynciterable', '--types', 'node'],
    ...Object.keys(files).filter((name) => name.startsWith('uses')),
  ];
  const { stdout } = await run(join(root, 'node_modules/.bin/tsc'), options, { cwd: folder }).catch(
    (error) => error,
  );
  expect(stdout).toBe('');
}

test('the document and the type `Scalars` have every scalar of the graph', async () => {
  const scalars = Object.values(buildSchema(sdl).getTypeMap())
    .filter((type) => isScalarType(type) && !isSpecifiedScalarType(type))
    .map(({ name }) => name);

  const rows = readText('docs/clients.md').matchAll(/^\| `(\w+)` \| `string` \|/gm);

  expect([...rows].map(([, name]) => name)).toEqual(scalars);
  await compile({
    'uses-scalars.ts': `import type { Scalars } from 'reseller-graph/client';
      export const all: Record<${[...scalars, 'ID'].map((name) => `'${name}'`).join(' | ')}, string> = {} as Scalars;
      export const none: Exclude<keyof Scalars, keyof typeof all> = undefined as never;`,
  });
});

describe('with the documents of Code Generator', () => {
  beforeAll(async () => {
    const code = configBlock.replace(/^import .*$/m, '').replace(': CodegenConfig', '');
    const url = `data:text/javascript,${encodeURIComponent(code)}`;
    const { default: config } = await import(/* @vite-ignore */ url);
    const [[, { config: settings }]] = Object.entries(config.generates) as [
      [string, { config: object }],
    ];
    const sections = await preset.buildGeneratesSection({
      ...{ baseOutputDir: 'graph/', schema: parse(sdl), schemaAst: buildSchema(sdl) },
      documents: [{ location: 'uses.ts', document: parse(text), rawSDL: text }],
      ...{ config: settings, plugins: [], pluginMap: {}, presetConfig: { fragmentMasking: false } },
    });
    for (const section of sections) {
      const content = await codegen(section as Parameters<typeof codegen>[0]);
      writeFileSync(join(folder, section.filename.split('/').at(-1) ?? ''), content);
    }
  });

  test.each([
    [
      'the client of the package',
      `import { createClient } from 'reseller-graph/client';
       const data = await createClient({ url: '' }).request(PriceDocument, { name: 'a.com' });
       // @ts-expect-error -- a name is a string
       void createClient({ url: '' }).request(PriceDocument, { name: 1 });`,
    ],
    [
      'Apollo Client',
      `import { ApolloClient, HttpLink, InMemoryCache } from '@apollo/client';
       const apollo = new ApolloClient({ link: new HttpLink({}), cache: new InMemoryCache() });
       const { data: loaded } = await apollo.query({ query: PriceDocument, variables: { name: 'a.com' } });
       const data = loaded ?? {} as never;`,
    ],
    [
      'urql',
      `import { Client, fetchExchange } from '@urql/core';
       const urql = new Client({ url: '', exchanges: [fetchExchange] });
       const { data: loaded } = await urql.query(PriceDocument, { name: 'a.com' });
       const data = loaded ?? {} as never;`,
    ],
  ])('%s has strings', async (title, program) => {
    const file = `uses-${title.replaceAll(' ', '-')}.ts`;

    await compile({ [file]: `import { PriceDocument } from './graphql.ts';\n${program}\n${uses}` });
  });
});

const storefront = join(root, 'examples/storefront/node_modules');

describe.skipIf(!existsSync(join(storefront, 'gql.tada')))(
  'with gql.tada (skipped without the packages of the storefront)',
  () => {
    test('the client of the package has strings', async () => {
      const internal = createRequire(join(storefront, 'x.js'))('@gql.tada/internal');
      const introspection = internal.minifyIntrospection(introspectionFromSchema(buildSchema(sdl)));
      for (const name of ['gql.tada', '@gql.tada', '@0no-co']) {
        symlinkSync(join(storefront, name), join(folder, 'node_modules', name));
      }

      await compile({
        'graphql-env.d.ts': internal.outputIntrospectionFile(introspection, {
          ...{ fileType: '.d.ts', shouldPreprocess: true },
        }),
        'tada.ts': tadaBlock,
        'uses-tada.ts': `import { graphql } from './tada.ts';
          import { createClient } from 'reseller-graph/client';
          const document = graphql(\`${text}\`);
          const data = await createClient({ url: '' }).request(document, { name: 'a.com' });
          // @ts-expect-error -- a name is a string
          void createClient({ url: '' }).request(document, { name: 1 });
          ${uses}`,
      });
    });
  },
);
