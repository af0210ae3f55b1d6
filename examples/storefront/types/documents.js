// Holds every document of src/ against ../../schema.graphql. The types alone pass over a field that nobody reads.

import { readdir, readFile } from 'node:fs/promises';
import { buildSchema, parse, validate } from 'graphql';

const fileAt = (path) => new URL(path, import.meta.url);
const schema = buildSchema(await readFile(fileAt('../../../schema.graphql'), 'utf8'));

const entries = await readdir(fileAt('../src'), { recursive: true });
const sources = await Promise.all(
  entries
    .filter((name) => /\.tsx?$/.test(name))
    .map((name) => readFile(fileAt(`../src/${name}`), 'utf8')),
);
const texts = sources.flatMap((source) =>
  [...source.matchAll(/graphql\(\s*`([^`]*)`/g)].map(([, text]) => text),
);
// As one document, in which each purchase finds its fragments.
const problems = validate(schema, parse(texts.join('\n')));
for (const { message } of problems) process.stderr.write(`${message}\n`);
process.exitCode = problems.length > 0 || texts.length === 0 ? 1 : 0;
