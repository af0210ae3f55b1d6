import { createHash } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import type { GraphQLSchema } from 'graphql';
import { schema, sdlFiles, servedSchema } from '../app/graph.ts';
import { settings } from '../app/read-config.ts';
import { readValues } from '../config/read-values.ts';
import { readArguments } from '../console/program.ts';
import { features } from '../features/index.ts';
import { allAccessScopes, isAccessScope } from '../kernel/caller.ts';
import { visibleSchema } from '../schema/visible-schema.ts';

const names = Object.keys(sdlFiles).join(', ');
const help = `Writes schema.graphql and the digests of its variants from the code.

Usage: npm run schema -- [--check | --print FILE [--set NAME=VALUE...] [--scopes a,b]]

  --check           Writes nothing; fails when a file is not current.
  --print FILE      Prints one file: ${names}.
  --set NAME=VALUE  A setting that changes the graph in the printed file.
  --scopes a,b      Prints what a caller with these scopes may use.
`;

const { values } = readArguments('schema', help, {
  options: {
    check: { type: 'boolean', default: false },
    print: { type: 'string' },
    set: { type: 'string', multiple: true, default: [] },
    scopes: { type: 'string' },
  },
});

if (values.print !== undefined) {
  const print = sdlFiles[values.print];
  if (print) process.stdout.write(`${print(visibleWith(values.scopes, graphWith(values.set)))}\n`);
  else fail(`There is no ${values.print}; there are ${names}.`);
} else {
  const { 'schema.graphql': whole = '', ...variants } = Object.fromEntries(
    Object.entries(sdlFiles).map(([name, print]) => [name, `${print(schema)}\n`]),
  );
  writeOrCheck(
    'schema.graphql',
    `# Printed from the code by "npm run schema"; a change by hand is lost.\n\n${whole}`,
  );
  // In the form of `sha256sum`. A changed variant is visible in a review without its 4,000 lines.
  writeOrCheck(
    'schema.sha256',
    Object.entries(variants)
      .map(([name, sdl]) => `${createHash('sha256').update(sdl).digest('hex')}  ${name}\n`)
      .join(''),
  );
}

/** The graph of a gateway with these settings, such as `NAME=VALUE`. */
function graphWith(set: readonly string[]): GraphQLSchema {
  const pairs = set.map((text) => text.split('=', 2));
  const { values: featureValues, errors } = readValues(Object.fromEntries(pairs), settings);
  for (const error of errors) fail(error);
  return servedSchema({ featureValues, introspection: 'caller' }, features);
}

function visibleWith(scopes: string | undefined, graph: GraphQLSchema): GraphQLSchema {
  if (scopes === undefined) return graph;
  const names = scopes.split(',');
  for (const name of names.filter((one) => !isAccessScope(one)))
    fail(`There is no scope ${name}; there are ${allAccessScopes.join(', ')}.`);
  return visibleSchema(graph, { scopes: new Set(names.filter(isAccessScope)), customer: null });
}

function writeOrCheck(name: string, text: string): void {
  const file = new URL(`../../${name}`, import.meta.url);
  if (!values.check) writeFileSync(file, text);
  else if (readFileSync(file, 'utf8') !== text) {
    fail(`${name} is not current: run "npm run schema" and commit it.`);
  }
}

function fail(sentence: string): void {
  process.stderr.write(`${sentence}\n`);
  process.exitCode = 1;
}
