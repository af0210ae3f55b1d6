import { createHash } from 'node:crypto';
import type { GraphQLError } from 'graphql';
import type { Config } from '../config/config.ts';
import { Recent } from '../kernel/recent.ts';
import { bare, createListedTexts } from './listed-texts.ts';
import type { Manifest } from './manifest.ts';
import { onlyIntrospects } from './only-introspects.ts';
import { isAbsent, type Params } from './params.ts';
import { documentFault, requestFault } from './request-fault.ts';

export interface DocumentTextsOptions {
  readonly mode: Config['documents']['mode'];
  readonly manifest: Manifest;
  /** Whether a document that asks for nothing but the schema may run though it is not in the manifest. */
  readonly introspection: boolean;
  /** Told of a document that runs though it is not in the manifest, each time. */
  readonly onUnlisted: (text: string) => void;
}

/** Texts that clients have sent along with their hash. */
const mostRegistered = 1_000;
/** A longer text runs and is not kept, so that a thousand of them stay small. */
const longestRegistered = 20_000;

/**
 * Finds the text that the parameters of a request mean: by `documentId` in the manifest, or by the hash of `persistedQuery`
 * in the manifest and among the texts that were sent along with their hash before. What is handed back has it as `query`;
 * parameters that name no document at all stay as they are. Says whether that text may run.
 */
export function createDocumentTexts(options: DocumentTextsOptions) {
  const { mode, manifest, introspection, onUnlisted } = options;
  const isListed = createListedTexts(manifest.values());
  const registered = new Recent<string, string>(mostRegistered);

  const byId = ({ query, documentId, extensions }: Params): string | GraphQLError => {
    if (typeof documentId !== 'string') return refusal('"documentId" is a text.');
    if (!isAbsent(query) || !isAbsent(extensions?.persistedQuery)) return refusal(namedTwice);
    const text = manifest.get(documentId) ?? manifest.get(documentId.replace(/^sha256:/, ''));
    return text ?? documentFault('DOCUMENT_NOT_LISTED');
  };

  const byHash = (query: string | null | undefined, extension: unknown): string | GraphQLError => {
    const hash = hashOf(extension);
    if (hash === null) return refusal(noPersistedQuery);
    const known = manifest.get(hash) ?? registered.get(hash);
    if (known !== undefined && (isAbsent(query) || bare(query) === bare(known))) return known;
    // Sending the text along would help nobody where only the manifest runs.
    if (isAbsent(query)) return mode === 'enforce' ? notListed() : notRegistered();
    if (sha256(query) !== hash) return refusal(otherHash);
    if (mode !== 'enforce' && query.length <= longestRegistered) registered.set(hash, query);
    return query;
  };

  const refusalOf = (text: string): GraphQLError | null => {
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
    // What is neither a text nor absent is refused by the check of the parameters.
    if (isPlain && mode === 'off') return params;
    if (!isAbsent(query) && typeof query !== 'string') return params;
    const text = isAbsent(documentId) ? (isPlain ? query : byHash(query, extension)) : byId(params);
    if (isAbsent(text)) return params;
    if (typeof text !== 'string') return text;
    return refusalOf(text) ?? (isPlain ? params : { ...params, query: text, documentId: null });
  };
}

function hashOf(extension: unknown): string | null {
  const { version, sha256Hash } = extension as Readonly<Record<string, unknown>>;
  return version === 1 && typeof sha256Hash === 'string' ? sha256Hash : null;
}

const refusal = (sentence: string) => requestFault('BAD_USER_INPUT', sentence, 400);
const notListed = () => documentFault('DOCUMENT_NOT_LISTED');
// The word by which the clients of that protocol know it.
const notRegistered = () => documentFault('PERSISTED_QUERY_NOT_FOUND', 'PersistedQueryNotFound');

const namedTwice = 'A document is named once: by "documentId", or by "query" and "persistedQuery".';
const noPersistedQuery = 'The extension "persistedQuery" has "version" 1 and a "sha256Hash".';
const otherHash = 'The "sha256Hash" of "persistedQuery" is not the SHA-256 of the document.';

export const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex');
