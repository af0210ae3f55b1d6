import { readFileSync, writeFileSync } from 'node:fs';
import { type GraphQLSchema, printSchema } from 'graphql';
import { schema } from '../modules/index.ts';
import { printForStitching, printSubgraph } from '../supergraph/sdl.ts';
import { withPrefix } from '../supergraph/with-prefix.ts';
import { readArguments } from './program.ts';

const printers: Readonly<Record<string, (schema: GraphQLSchema) => string>> = {
  'schema.graphql': printSchema,
  'schema/subgraph.graphql': printSubgraph,
  'schema/stitching.graphql': printForStitching,
};

const help = `Writes the SDL files of the graph from the code.

Usage: npm run schema -- [--check | --print FILE [--prefix NAME]]

  --check        Writes nothing; fails when a file is not current.
  --print FILE   Prints one file: ${Object.keys(printers).join(', ')}.
  --prefix NAME  Prefix of the type names in the printed file.
`;

const { values } = readArguments('schema', help, {
  options: {
    check: { type: 'boolean', default: false },
    prefix: { type: 'string', default: '' },
    print: { type: 'string' },
  },
});

if (values.print !== undefined) {
  const print = printers[values.print];
  if (print) process.stdout.write(`${print(withPrefix(schema, values.prefix))}\n`);
  else fail(`There is no ${values.print}; there are ${Object.keys(printers).join(', ')}.`);
} else {
  for (const [name, print] of Object.entries(printers)) {
    const file = new URL(`../../${name}`, import.meta.url);
    const printed = `# Printed from the code by "npm run schema"; a change by hand is lost.\n\n${print(schema)}\n`;
    if (!values.check) writeFileSync(file, printed);
    else if (readFileSync(file, 'utf8') !== printed) {
      fail(`${name} is not current: run "npm run schema" and commit it.`);
    }
  }
}

function fail(sentence: string): void {
  process.stderr.write(`${sentence}\n`);
  process.exitCode = 1;
}
