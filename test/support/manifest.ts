import { createHash } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buildSchema, parse } from 'graphql';

// By `require`, which brings the copy of graphql that the tests have.
const require = createRequire(import.meta.url);
const { codegen } = require('@graphql-codegen/core') as typeof import('@graphql-codegen/core');
const { preset } =
  require('@graphql-codegen/client-preset') as typeof import('@graphql-codegen/client-preset');

export interface ManifestFile {
  readonly path: string;
  /** The id of each document, by the name of its operation. */
  readonly ids: Readonly<Record<string, string>>;
  remove(): void;
}

/** Writes a file as it is. */
export function writeManifest(text: string): ManifestFile {
  const directory = mkdtempSync(join(tmpdir(), 'reseller-graph-manifest-'));
  const path = join(directory, 'persisted-documents.json');
  writeFileSync(path, text);
  return { path, ids: idsOf(text), remove: () => rmSync(directory, { recursive: true }) };
}

/** What the client preset of GraphQL Code Generator writes for documents over a schema, as it writes it. */
export async function generateManifest(
  sdl: string,
  documents: readonly string[],
  hashAlgorithm: 'sha1' | 'sha256' = 'sha256',
): Promise<ManifestFile> {
  const sections = await preset.buildGeneratesSection({
    baseOutputDir: 'gql/',
    schema: parse(sdl),
    schemaAst: buildSchema(sdl),
    documents: documents.map((rawSDL, index) => ({
      location: `${index}.graphql`,
      document: parse(rawSDL),
      rawSDL,
    })),
    config: {},
    plugins: [],
    pluginMap: {},
    presetConfig: { persistedDocuments: { hashAlgorithm } },
  });
  const written = await Promise.all(
    sections.map(async (section) => ({
      filename: section.filename,
      // A section of a preset may leave out what the core has a default for.
      content: await codegen(section as Parameters<typeof codegen>[0]),
    })),
  );
  const manifest = written.find(({ filename }) => filename.endsWith('/persisted-documents.json'));
  return writeManifest(manifest?.content ?? '');
}

export const sha256 = (text: string) => createHash('sha256').update(text).digest('hex');

/** The extension with which clients send the hash of a document for its text. */
export const persistedQuery = (sha256Hash: unknown, version: unknown = 1) => ({
  extensions: { persistedQuery: { version, sha256Hash } },
});

function idsOf(text: string): Readonly<Record<string, string>> {
  let documents: unknown;
  try {
    documents = JSON.parse(text);
  } catch {
    return {};
  }
  return Object.fromEntries(
    Object.entries(documents ?? {}).map(([id, document]) => [
      /\b(?:query|mutation|subscription) (\w+)/.exec(String(document))?.[1] ?? '',
      id,
    ]),
  );
}
