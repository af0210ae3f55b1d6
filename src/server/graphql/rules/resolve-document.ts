import { hash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import {
  type GraphQLError,
  Kind,
  type OperationDefinitionNode,
  stripIgnoredCharacters,
} from 'graphql';
import { LRUCache } from 'lru-cache';
import { z } from 'zod';
import type { Config } from '../../../config/config.ts';
import { StartError } from '../../../lib/errors.ts';
import { decodeText } from '../../../lib/files.ts';
import { resultOr } from '../../../lib/json.ts';
import { createLru } from '../../../lib/lru.ts';
import type { Log } from '../../../observability/log.ts';
import { documentFault, requestFault } from '../../http/request-fault.ts';
import { parseWithinLimits } from '../check-document.ts';
import { cachedByText, type Documents } from '../documents.ts';
import { isAbsent, type Params } from '../params.ts';
import type { Rule } from '../rule.ts';

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

/** Documents that clients have registered with their hash. */
const maxRegistered = 1_000;
/** Characters; longer documents run and are not registered, which bounds the memory. */
const maxRegisteredLength = 20_000;

/**
 * Replaces the id or the hash of a document by its text: `documentId` names one of the manifest, `persistedQuery` one of
 * the manifest or a registered one. Parameters without a document are returned unchanged. Refuses or logs unlisted
 * documents, as the mode says. Any introspection query may run, unless introspection is off.
 */
export function resolveDocument(
  { documentMode: mode, introspection }: Config['server'],
  manifest: Manifest,
  log: Log,
): Rule {
  const isListed = createListedTexts(manifest.values());
  const logUnlisted = createUnlistedLog(log);
  const registered = new LRUCache<string, string>({ max: maxRegistered });

  const byId = ({ query, documentId, extensions }: Params): string | GraphQLError => {
    if (typeof documentId !== 'string') return badRequest('"documentId" must be a string.');
    if (!isAbsent(query) || !isAbsent(extensions?.persistedQuery)) return badRequest(namedTwice);
    const text = manifest.get(documentId) ?? manifest.get(documentId.replace(/^sha256:/, ''));
    return text ?? notListed();
  };

  const byHash = (query: string | null | undefined, extension: unknown): string | GraphQLError => {
    const digest = digestIn(extension);
    if (digest === null) return badRequest(noPersistedQuery);
    const known = manifest.get(digest) ?? registered.get(digest);
    if (known !== undefined && (isAbsent(query) || bare(query) === bare(known))) return known;
    if (isAbsent(query)) return mode === 'enforce' ? notListed() : notRegistered();
    if (hash('sha256', query) !== digest) return badRequest(otherHash);
    // With `enforce` only documents of the manifest run, so registering is useless.
    if (mode !== 'enforce' && query.length <= maxRegisteredLength) registered.set(digest, query);
    return query;
  };

  const errorOf = (text: string): GraphQLError | null => {
    if (mode === 'off' || isListed(text)) return null;
    if (introspection === 'caller' && mode === 'enforce' && onlyIntrospects(text)) return null;
    if (mode === 'enforce') return notListed();
    logUnlisted(text);
    return null;
  };

  return {
    onParams(params) {
      const { query, documentId, extensions } = params;
      const extension = extensions?.persistedQuery;
      const isPlain = isAbsent(documentId) && isAbsent(extension);
      // `checkParams` refuses a query of another type.
      if (!isAbsent(query) && typeof query !== 'string') return params;
      const text = isAbsent(documentId)
        ? isPlain
          ? query
          : byHash(query, extension)
        : byId(params);
      if (isAbsent(text)) return params;
      if (typeof text !== 'string') return text;
      return errorOf(text) ?? (isPlain ? params : { ...params, query: text, documentId: null });
    },
  };
}

/** Creates a predicate for membership in `texts` that ignores blanks, commas and comments. */
function createListedTexts(texts: Iterable<string>): (text: string) => boolean {
  const listed = new Set([...texts].map(bare));
  const cached = cachedByText((text) => listed.has(bare(text)));
  return (text) => cached.memo(text);
}

/** The text without ignored characters; unchanged if it cannot be parsed. */
const bare = (text: string): string => resultOr(() => stripIgnoredCharacters(text), text);

/** Whether all operations of a document are introspection only; false for an invalid document. */
const onlyIntrospects = (text: string): boolean =>
  operationsOf(text)?.every(({ selectionSet }) =>
    selectionSet.selections.every(
      (field) => field.kind === Kind.FIELD && field.name.value.startsWith('__'),
    ),
  ) ?? false;

/** Logged documents that are remembered. */
const maxLogged = 10_000;
/** Characters. */
const maxNamesLength = 100;

/**
 * Logs each unlisted document once, by its SHA-256 and the names of its operations. Its text may contain personal data and
 * is not logged. Invalid documents are not logged.
 */
function createUnlistedLog(log: Log): (text: string) => void {
  const logged = createLru<string, true>(maxLogged);
  return (text) => {
    const document = hash('sha256', text);
    if (logged.get(document)) return;
    logged.set(document, true);
    const names = operationsOf(text)?.map(({ name }) => name?.value ?? 'without a name');
    if (!names) return;
    const operation = names.join(', ').slice(0, maxNamesLength);
    log.warn('a document is not in the manifest', { document, operation });
  };
}

/** Null for an invalid document. */
function operationsOf(text: string): readonly OperationDefinitionNode[] | null {
  const { definitions } = resultOr(() => parseWithinLimits(text), null) ?? {};
  return definitions?.filter((one) => one.kind === Kind.OPERATION_DEFINITION) ?? null;
}

function digestIn(extension: unknown): string | null {
  const { version, sha256Hash } = extension as Readonly<Record<string, unknown>>;
  return version === 1 && typeof sha256Hash === 'string' ? sha256Hash : null;
}

const badRequest = (message: string) => requestFault('INVALID_REQUEST', message, 422);
const notListed = () => documentFault('DOCUMENT_NOT_LISTED');
// The message that the protocol defines.
const notRegistered = () => documentFault('PERSISTED_QUERY_NOT_FOUND', 'PersistedQueryNotFound');

const namedTwice = 'Send either "documentId" or "query" with "persistedQuery".';
const noPersistedQuery = 'The extension "persistedQuery" needs "version" 1 and a "sha256Hash".';
const otherHash = 'The "sha256Hash" of "persistedQuery" is not the SHA-256 of the document.';
