import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buildSchema } from 'graphql';
import { afterAll, describe, expect, test } from 'vitest';
import { createDocuments } from './documents.ts';
import { checkManifest, readManifest } from './manifest.ts';

const folder = mkdtempSync(join(tmpdir(), 'reseller-graph-manifest-'));
afterAll(() => rmSync(folder, { recursive: true }));

function fileOf(text: string): string {
  const file = join(folder, 'manifest.json');
  writeFileSync(file, text);
  return file;
}

const documents = createDocuments(buildSchema('type Query { a: Int }'), false);

test('a manifest has the text of each id', () => {
  expect(readManifest(fileOf('{"one":"{ a }","two":""}'))).toEqual(
    new Map([
      ['one', '{ a }'],
      ['two', ''],
    ]),
  );
});

describe('a start fails with the file of a manifest', () => {
  test.each([
    ['that is not JSON', '{', 'is not JSON.'],
    ['that is a list', '["{ a }"]', 'must be one object'],
    ['that is null', 'null', 'must be one object'],
    ['with other values', '{"one":{"text":"{ a }"}}', 'must be one object'],
    ['that is empty', '{}', 'must be one object'],
  ])('%s', (_what, text, problem) => {
    const file = fileOf(text);

    expect(() => readManifest(file)).toThrow(
      expect.objectContaining({
        name: 'StartError',
        message: expect.stringContaining(`"${file}" ${problem}`),
      }),
    );
  });

  test('that cannot be read', () => {
    expect(() => readManifest(join(folder, 'missing'))).toThrow(
      expect.objectContaining({ name: 'StartError', message: expect.stringContaining('(ENOENT)') }),
    );
  });
});

describe('a start fails with the id of a document', () => {
  test.each([
    ['that cannot be parsed', '{'],
    ['with a field that the graph lacks', '{ b }'],
    ['beyond the limits', `{ ${'a '.repeat(5_000)} }`],
    ['with introspection, where that is off', '{ __schema { queryType { name } } }'],
  ])('%s', (_what, text) => {
    const manifest = new Map([
      ['valid', '{ a }'],
      ['wrong', text],
    ]);

    expect(() => checkManifest(manifest, documents)).toThrow(
      expect.objectContaining({
        name: 'StartError',
        message: expect.stringMatching(/^The document "wrong" .*: ./),
      }),
    );
  });

  test('and with no other one: a document may have several operations', () => {
    const manifest = new Map([['valid', 'query A { a } query B { a }']]);

    expect(() => checkManifest(manifest, documents)).not.toThrow();
  });
});
