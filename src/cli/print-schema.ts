import { createHash } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { schema } from '../app/graph.ts';
import { readArguments } from '../console/program.ts';
import { sdlFiles } from '../supergraph/sdl.ts';
import { withPrefix } from '../supergraph/with-prefix.ts';

const names = Object.keys(sdlFiles).join(', ');
const help = `Writes schema.graphql and the digests of its variants from the code.

Usage: npm run schema -- [--check | --print FILE [--prefix NAME]]

  --check        Writes nothing; fails when a file is not current.
  --print FILE   Prints one file: ${names}.
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
  const print = sdlFiles[values.print];
  if (print) process.stdout.write(`${print(withPrefix(schema, values.prefix))}\n`);
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
