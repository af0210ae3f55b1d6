import { readFileSync } from 'node:fs';
import { z } from 'zod';
import { decodeText } from '../../lib/decode-text.ts';
import { StartError } from '../../lib/start-error.ts';
import type { Documents } from './documents.ts';

/** The text of each document by its id. */
export type Manifest = ReadonlyMap<string, string>;

const shape = z
  .record(z.string(), z.string())
  .refine((documents) => Object.keys(documents).length > 0);

/**
 * Reads a manifest of the form that the client preset of GraphQL Code Generator writes: one JSON object with the text of each id.
 *
 * @throws StartError when it cannot be read, or is something else.
 */
export function readManifest(file: string): Manifest {
  const read = shape.safeParse(readJson(file));
  if (read.success) return new Map(Object.entries(read.data));
  throw new StartError(
    `The manifest "${file}" must be one object of documents by their ids, such as {"<id>":"query A { a }"}.`,
  );
}

/** @throws StartError for a document that the server would refuse. */
export function checkManifest(manifest: Manifest, documents: Documents): void {
  for (const [id, text] of manifest) {
    const problem = problemOf(text, documents);
    if (problem === null) continue;
    throw new StartError(`The document "${id}" of the manifest does not fit the graph: ${problem}`);
  }
}

function problemOf(text: string, documents: Documents): string | null {
  try {
    const [error] = documents.validate(documents.parse(text));
    return error?.message ?? null;
  } catch (error) {
    return error instanceof Error ? error.message : 'It cannot be parsed.';
  }
}

function readJson(file: string): unknown {
  try {
    return JSON.parse(decodeText(readFileSync(file)));
  } catch (cause) {
    const { code } = cause as NodeJS.ErrnoException;
    const problem = cause instanceof SyntaxError ? 'is not JSON' : `cannot be read (${code})`;
    throw new StartError(`The manifest "${file}" ${problem}.`, { cause });
  }
}
