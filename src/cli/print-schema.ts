import { readFileSync, writeFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { type GraphQLSchema, printSchema } from 'graphql';
import { schema } from '../modules/index.ts';
import { printForStitching, printSubgraph } from '../supergraph/sdl.ts';
import { withPrefix } from '../supergraph/with-prefix.ts';

const printers: Readonly<Record<string, (schema: GraphQLSchema) => string>> = {
  'schema.graphql': printSchema,
  'schema/subgraph.graphql': printSubgraph,
  'schema/stitching.graphql': printForStitching,
};

const { values } = parseArgs({
  options: {
    check: { type: 'boolean', default: false },
    prefix: { type: 'string', default: '' },
    print: { type: 'string' },
  },
});

// `--check` reports files that are not current. `--print FILE --prefix NAME` prints one. Without options all are written.
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
