import { createHash } from 'node:crypto';
import type { GraphQLError } from 'graphql';
import { LRUCache } from 'lru-cache';
import type { Config } from '../../../config/config.ts';
import { documentFault, requestFault } from '../errors/request-fault.ts';
import { isAbsent, type Params } from '../params.ts';
import { bare, createListedTexts, onlyIntrospects } from './listed-texts.ts';
import type { Manifest } from './manifest.ts';

export interface DocumentTextsOptions {
  readonly mode: Config['server']['documentMode'];
  readonly manifest: Manifest;
  /** Whether an introspection query may run that is not in the manifest. */
  readonly introspection: boolean;
  /** Called each time a document runs that is not in the manifest. */
  readonly onUnlisted: (text: string) => void;
}

/** Documents that clients have registered with their hash. */
const maxRegistered = 1_000;
/** Characters; longer documents run and are not registered, which bounds the memory. */
const maxRegisteredLength = 20_000;

/**
 * Resolves the document of a request: by `documentId` in the manifest, or by the hash of `persistedQuery` in the manifest
 * and among registered documents. The returned parameters have its text as `query`; parameters without a document are
 * returned unchanged. Returns an error for a document that may not run.
 */
export function createDocumentTexts(options: DocumentTextsOptions) {
  const { mode, manifest, introspection, onUnlisted } = options;
  const isListed = createListedTexts(manifest.values());
  const registered = new LRUCache<string, string>({ max: maxRegistered });

  const byId = ({ query, documentId, extensions }: Params): string | GraphQLError => {
    if (typeof documentId !== 'string') return badRequest('"documentId" must be a string.');
    if (!isAbsent(query) || !isAbsent(extensions?.persistedQuery)) return badRequest(namedTwice);
    const text = manifest.get(documentId) ?? manifest.get(documentId.replace(/^sha256:/, ''));
    return text ?? documentFault('DOCUMENT_NOT_LISTED');
  };

  const byHash = (query: string | null | undefined, extension: unknown): string | GraphQLError => {
    const hash = hashOf(extension);
    if (hash === null) return badRequest(noPersistedQuery);
    const known = manifest.get(hash) ?? registered.get(hash);
    if (known !== undefined && (isAbsent(query) || bare(query) === bare(known))) return known;
    // With `enforce` only documents of the manifest run, so registering is useless.
    if (isAbsent(query)) return mode === 'enforce' ? notListed() : notRegistered();
    if (sha256(query) !== hash) return badRequest(otherHash);
    if (mode !== 'enforce' && query.length <= maxRegisteredLength) registered.set(hash, query);
    return query;
  };

  const errorOf = (text: string): GraphQLError | null => {
    if (mode === 'off' || isListed(text)) return null;
    if (introspection && mode === 'enforce' && onlyIntrospects(text)) return null;
    if (mode === 'enforce') return notListed();
    onUnlisted(text);
    return null;
  };

  return (params: Params): Params | GraphQLError => {
    const { query, documentId, extensions } = params;
    const extension = extensions?.persistedQuery;
    const isPlain = isAbsent(documentId) && isAbsent(extension);
    // `checkParams` refuses a query of another type.
    if (isPlain && mode === 'off') return params;
    if (!isAbsent(query) && typeof query !== 'string') return params;
    const text = isAbsent(documentId) ? (isPlain ? query : byHash(query, extension)) : byId(params);
    if (isAbsent(text)) return params;
    if (typeof text !== 'string') return text;
    return errorOf(text) ?? (isPlain ? params : { ...params, query: text, documentId: null });
  };
}

function hashOf(extension: unknown): string | null {
  const { version, sha256Hash } = extension as Readonly<Record<string, unknown>>;
  return version === 1 && typeof sha256Hash === 'string' ? sha256Hash : null;
}

const badRequest = (message: string) => requestFault('BAD_USER_INPUT', message, 400);
const notListed = () => documentFault('DOCUMENT_NOT_LISTED');
// The message that the protocol defines.
const notRegistered = () => documentFault('PERSISTED_QUERY_NOT_FOUND', 'PersistedQueryNotFound');

const namedTwice = 'Send either "documentId" or "query" with "persistedQuery".';
const noPersistedQuery = 'The extension "persistedQuery" needs "version" 1 and a "sha256Hash".';
const otherHash = 'The "sha256Hash" of "persistedQuery" is not the SHA-256 of the document.';

export const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex');
