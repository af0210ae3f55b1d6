import { execFile } from 'node:child_process';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
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
import { afterAll, beforeAll, expect, test } from 'vitest';
import { blocksOf, readText, root } from '../docs/markdown.ts';
import { because } from '../support/skipped.ts';

const run = promisify(execFile);
const sdl = readText('schema.graphql');
const require = createRequire(import.meta.url);
const { codegen } = require('@graphql-codegen/core') as typeof import('@graphql-codegen/core');
const { preset } =
  require('@graphql-codegen/client-preset') as typeof import('@graphql-codegen/client-preset');

const blocks = blocksOf('docs/clients.md', 'ts');
const blockWith = (part: string) => blocks.find((block) => block.includes(part)) ?? '';
const apolloBlock = blockWith('new ApolloClient');
const configBlock = blockWith('CodegenConfig');
const tadaBlock = blockWith('initGraphQLTada');

const text = `query Price($name: String!) {
  domain(name: $name) { name expiresAt } tld(name: "com") { price(operation: REGISTRATION) { price { amount currency } } }
}`;

/** Each of these fails unless every scalar of the result is a string. */
const uses = `
  const price = data.tld?.price;
  export const amount: string | undefined = price?.price?.amount;
  export const currency: string | undefined = price?.price?.currency;
  export const name: string | undefined = data.domain?.name;
  export const expiresAt: string | null | undefined = data.domain?.expiresAt;
  // @ts-expect-error -- an exact decimal is no number
  export const rounded: number | undefined = price?.price?.amount;
`;

const scalars = Object.values(buildSchema(sdl).getTypeMap())
  .filter((type) => isScalarType(type) && !isSpecifiedScalarType(type))
  .map(({ name }) => name);

const everyScalar = `import type { Scalars } from 'reseller-graph/client';
  export const all: Record<${[...scalars, 'ID'].map((name) => `'${name}'`).join(' | ')}, string> = {} as Scalars;
  export const none: Exclude<keyof Scalars, keyof typeof all> = undefined as never;`;

/** Programs with the documents of Code Generator, by the client that they use. */
const programs = new Map([
  [
    'the client of the package',
    `import { createClient } from 'reseller-graph/client';
     const data = await createClient({ url: '' }).request(PriceDocument, { name: 'a.com' });
     // @ts-expect-error -- a name is a string
     void createClient({ url: '' }).request(PriceDocument, { name: 1 });`,
  ],
  [
    'Apollo Client',
    `${apolloBlock}
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
]);
const fileOf = (title: string) => `uses-${title.replaceAll(' ', '-')}.ts`;

const tadaProgram = `import { graphql } from './tada.ts';
  import { createClient } from 'reseller-graph/client';
  const document = graphql(\`${text}\`);
  const data = await createClient({ url: '' }).request(document, { name: 'a.com' });
  // @ts-expect-error -- a name is a string
  void createClient({ url: '' }).request(document, { name: 1 });
  ${uses}`;

const storefront = join(root, 'examples/storefront/node_modules');
const hasTada = existsSync(join(storefront, 'gql.tada'));

/** An application with the blocks of the document and the programs as its files. */
let folder: string;
/** The errors of its compilation, which is one for all programs because each takes seconds. */
let errors: readonly string[];
beforeAll(async () => {
  const cache = join(root, 'node_modules/.cache');
  mkdirSync(cache, { recursive: true });
  folder = mkdtempSync(join(cache, 'scalar-types-'));
  mkdirSync(join(folder, 'node_modules/reseller-graph'), { recursive: true });
  // The package as its users see it, but from the sources.
  write(
    'node_modules/reseller-graph/package.json',
    '{ "type": "module", "exports": { "./client": "./client/index.ts" } }',
  );
  symlinkSync(join(root, 'client'), join(folder, 'node_modules/reseller-graph/client'));
  write('package.json', '{ "type": "module" }');
  write('uses-scalars.ts', everyScalar);
  await generateDocuments();
  for (const [title, program] of programs) {
    write(fileOf(title), `import { PriceDocument } from './graphql.ts';\n${program}\n${uses}`);
  }
  if (hasTada) addTada();
  errors = await compile();
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const write = (name: string, content: string) => writeFileSync(join(folder, name), content);

/** The typed documents of Code Generator with the configuration of the document. */
async function generateDocuments(): Promise<void> {
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
    write(section.filename.split('/').at(-1) ?? '', content);
  }
}

function addTada(): void {
  const internal = createRequire(join(storefront, 'x.js'))('@gql.tada/internal');
  const introspection = internal.minifyIntrospection(introspectionFromSchema(buildSchema(sdl)));
  for (const name of ['gql.tada', '@gql.tada', '@0no-co']) {
    symlinkSync(join(storefront, name), join(folder, 'node_modules', name));
  }
  const types = { fileType: '.d.ts', shouldPreprocess: true };
  write('graphql-env.d.ts', internal.outputIntrospectionFile(introspection, types));
  write('tada.ts', tadaBlock);
  write('uses-tada.ts', tadaProgram);
}

async function compile(): Promise<readonly string[]> {
  const options = [
    ...['--ignoreConfig', '--noEmit', '--strict', '--skipLibCheck', '--pretty', 'false'],
    ...['--module', 'nodenext', '--target', 'es2024', '--allowImportingTsExtensions'],
    ...['--lib', 'es2024,dom,dom.asynciterable', '--types', 'node'],
    ...readdirSync(folder).filter((name) => name.startsWith('uses')),
  ];
  const { stdout } = await run(join(root, 'node_modules/.bin/tsc'), options, { cwd: folder }).catch(
    (error) => error,
  );
  // The details of an error are indented.
  return stdout.split('\n').filter((line: string) => /^\S/.test(line));
}

/** The errors of a program, and those of no program. */
const errorsOf = (file: string) =>
  errors.filter((line) => line.startsWith(file) || !line.startsWith('uses'));

test('the document and the type `Scalars` have every scalar of the graph', () => {
  const rows = readText('docs/clients.md').matchAll(/^\| `(\w+)` \| `string` \|/gm);

  expect([...rows].map(([, name]) => name)).toEqual(scalars.toSorted());
  expect(errorsOf('uses-scalars.ts')).toEqual([]);
});

test.each([...programs.keys()])('with the documents of Code Generator %s has strings', (title) => {
  expect(errorsOf(fileOf(title))).toEqual([]);
});

test.skipIf(!hasTada)(
  `with gql.tada the client of the package has strings${because(hasTada ? null : 'run "npm ci" in examples/storefront')}`,
  () => {
    expect(errorsOf('uses-tada.ts')).toEqual([]);
  },
);
