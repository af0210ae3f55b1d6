import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { codegen } from '@graphql-codegen/core';
import * as operationTypes from '@graphql-codegen/typescript-operations';
import {
  buildASTSchema,
  type DocumentNode,
  getOperationAST,
  isAbstractType,
  parse,
  print,
  separateOperations,
  stripIgnoredCharacters,
} from 'graphql';
import { readArguments } from '../src/console/program.ts';

// The operations of the client with their types, from `client/operations.graphql` and the schema.

const help = `Writes client/operations.ts from client/operations.graphql and schema.graphql.

Usage: npm run client -- [--check]

  --check  Writes nothing; fails when the file is not current.
`;

const { values } = readArguments('client', help, {
  options: { check: { type: 'boolean', default: false } },
});

const root = join(import.meta.dirname, '..');
const read = (path: string) => readFileSync(join(root, path), 'utf8');
const source = 'client/operations.graphql';
const target = 'client/operations.ts';
const document = parse(read(source));
const schema = parse(read('schema.graphql'));

const types = await codegen({
  filename: target,
  schema,
  documents: [{ location: source, document }],
  plugins: [{ operations: {} }],
  pluginMap: { operations: operationTypes },
  config: {
    ...{ enumType: 'string-literal', immutableTypes: true, skipTypename: true },
    ...{ inlineFragmentTypes: 'combine', mergeFragmentTypes: true, strictScalars: true },
    scalars: Object.fromEntries(
      ['CurrencyCode', 'DateTime', 'Decimal', 'DomainName', 'ID', 'URL'].map((name) => [
        name,
        'string',
      ]),
    ),
  },
});
const printed = [
  `// Made from ${source} by "npm run client"; a change by hand is lost.`,
  "import type { TypedDocument } from './document.ts';",
  types
    .replace(/^\/\*\* Internal type.*\n(?:export )?type Incremental.*\n/m, '')
    // A fragment on an interface has one type, which `mergeFragmentTypes` defines. It is used by a name for each object type.
    .replace(/\b(\w+?)_\w+_Fragment(?:\s*\|\s*\1_\w+_Fragment)*/g, '$1Fragment'),
  ...Object.values(separateOperations(document)).map(constantOf),
  possibleTypes(),
].join('\n\n');
const formatted = execFileSync('npx', ['biome', 'format', `--stdin-file-path=${target}`], {
  ...{ cwd: root, input: printed, encoding: 'utf8' },
});

if (!values.check) writeFileSync(join(root, target), formatted);
else if (read(target) !== formatted) {
  process.stderr.write(`${target} is not current: run "npm run client" and commit it.\n`);
  process.exitCode = 1;
}

/** The types of each interface and union, as Apollo Client's cache needs them to match fragments. */
function possibleTypes(): string {
  const built = buildASTSchema(schema);
  const abstract = Object.values(built.getTypeMap()).filter(isAbstractType);
  const types = abstract.map((type) => [
    type.name,
    built.getPossibleTypes(type).map(({ name }) => name),
  ]);
  return [
    '/** The types of each interface and union of the schema, for `InMemoryCache` of Apollo Client. */',
    `export const possibleTypes: Record<string, string[]> = ${JSON.stringify(Object.fromEntries(types))};`,
  ].join('\n');
}

/** An operation and the fragments that it uses, as a constant. */
function constantOf(separate: DocumentNode): string {
  const { operation, name } = getOperationAST(separate) ?? {};
  const title = name?.value ?? '';
  const type = `${title}${operation?.replace(/^./, (letter) => letter.toUpperCase())}`;
  const constant = title.replace(/^./, (letter) => letter.toLowerCase());
  const text = JSON.stringify(stripIgnoredCharacters(print(separate)));
  return `export const ${constant}: TypedDocument<${type}, ${type}Variables> =\n  ${text};`;
}
