// Writes the types of ../../schema.graphql to src/graph/introspection.d.ts, so that every document is checked against it.

import { readFile, writeFile } from 'node:fs/promises';
import { minifyIntrospection, outputIntrospectionFile } from '@gql.tada/internal';
import { buildSchema, introspectionFromSchema } from 'graphql';

const fileAt = (path) => new URL(path, import.meta.url);
const sdl = await readFile(fileAt('../../../schema.graphql'), 'utf8');
const introspection = minifyIntrospection(introspectionFromSchema(buildSchema(sdl)));
const text = outputIntrospectionFile(introspection, { fileType: '.d.ts', shouldPreprocess: true });
await writeFile(fileAt('../src/graph/introspection.d.ts'), text);
