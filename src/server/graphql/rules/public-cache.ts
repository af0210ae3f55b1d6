import {
  type DocumentNode,
  type FieldNode,
  type GraphQLField,
  type GraphQLSchema,
  getNamedType,
  isCompositeType,
  TypeInfo,
  visit,
  visitWithTypeInfo,
} from 'graphql';
import { anonymous, type Caller } from '../../../kernel/caller.ts';
import { cacheTagOf, isConfidential, isPublicType } from '../../../kernel/schema-extensions.ts';
import { memoize } from '../../../lib/lazy.ts';
import type { HttpRequest } from '../../http/http-request.ts';
import { graphqlPath } from '../../http/routes.ts';
import { incrementalDirectives, singleResponseTypeFor } from '../delivery.ts';
import type { RequestedOperation, Rule, RuleVerdict } from '../rule.ts';
import { coerceVariables, createArgumentReader } from '../values/coerced-values.ts';

/** A request with one of these headers gets a response of its own. */
const privateHeaders = ['authorization', 'x-api-key', 'cookie'] as const;

/** Headers of a request on which its response depends. */
const vary = ['origin', 'accept', ...privateHeaders].join(', ');

/** With more tags a response has only those of the lists. */
const maxTags = 50;

/** The caller of a request without credentials where these are required. It may read public data only. */
const publicReader: Caller = { ...anonymous, scopes: new Set(['domains:check']) };

/**
 * Lets shared caches store the responses to anonymous GET requests that name their document by its id or hash, and read only data
 * that is the same for all callers. Such a response has no extensions and no request id.
 * A request that `admitPublicReader` has admitted, and that is no such request, gets the verdict of `checkCredentials`.
 */
export function cachePublicly(
  schema: GraphQLSchema,
  maxAgeMs: number,
  checkCredentials: (request: HttpRequest) => RuleVerdict,
): Rule {
  const readsIn = memoize((document: DocumentNode) => ({ reads: publicReads(schema, document) }));
  const tagsOf = (requested: RequestedOperation, request: HttpRequest) => {
    if (!isAnonymousGet(request)) return null;
    const { document, operation, variables } = requested;
    const { reads } = readsIn(document);
    const { coerced } = coerceVariables(schema, operation, variables);
    return reads && coerced ? cacheTags(reads.map((read) => read(coerced))) : null;
  };
  return {
    onOperation(requested, request) {
      request.cacheTags = tagsOf(requested, request);
      const isRefused = request.caller === publicReader && request.cacheTags === null;
      return isRefused ? checkCredentials(request) : null;
    },
    onResult(result, { cacheTags: tags, response }) {
      const { data, errors, extensions } = result;
      if (!tags || !data || errors || extensions?.stale) return result;
      response.setHeader('cache-control', `public, max-age=${maxAgeMs / 1_000}`);
      response.setHeader('vary', vary);
      if (tags.length > 0) response.setHeader('cache-tag', tags.join(', '));
      response.removeHeader('x-request-id');
      return { data };
    },
  };
}

const isAnonymousGet = (request: HttpRequest): boolean =>
  (request.caller === anonymous || request.caller === publicReader) && mayBePublic(request);

/** Sets the caller of a request without credentials that may read public data; false for any other request. */
export function admitPublicReader(request: HttpRequest): boolean {
  const isAdmitted = request.path === graphqlPath && mayBePublic(request);
  if (isAdmitted) request.caller = publicReader;
  return isAdmitted;
}

/** By its head. */
function mayBePublic({ method, target, headers }: HttpRequest): boolean {
  const { accept = null } = headers;
  const parameters = new URLSearchParams(target.split('?')[1]);
  return (
    (method === 'GET' || method === 'HEAD') &&
    privateHeaders.every((name) => headers[name] === undefined) &&
    singleResponseTypeFor(accept) !== null &&
    !/event-stream|multipart/i.test(accept ?? '') &&
    !parameters.has('query') &&
    // The id of the document, or its hash.
    (parameters.has('documentId') || parameters.has('extensions'))
  );
}

/** The tag of a read with these variables; null when it has none, undefined when the read bypasses the cache. */
type PublicRead = (variables: Readonly<Record<string, unknown>>) => string | null | undefined;

/** The public reads of a document; null when any of its operations reads other data. */
function publicReads(schema: GraphQLSchema, document: DocumentNode): readonly PublicRead[] | null {
  if (incrementalDirectives(document).length > 0) return null;
  const types = new TypeInfo(schema);
  const reads: PublicRead[] = [];
  let isPublic = true;
  const check = (node: FieldNode): void => {
    if (node.name.value === '__typename') return;
    const field = types.getFieldDef();
    if (!field) return;
    const isRoot = types.getParentType() === schema.getQueryType();
    const read = isRoot ? readOf(field, node) : null;
    if (read) reads.push(read);
    isPublic &&= returnsPublic(field) && (isRoot ? read !== null : isFree(field));
  };
  visit(document, visitWithTypeInfo(types, { Field: check }));
  return isPublic ? reads : null;
}

type Field = GraphQLField<unknown, unknown>;

function readOf(field: Field, node: FieldNode): PublicRead | null {
  const tagOf = cacheTagOf(field);
  if (!tagOf) return null;
  const readArguments = createArgumentReader(field, node);
  return (variables) => {
    const args = readArguments(variables);
    return args.refresh === true ? undefined : tagOf(args);
  };
}

const returnsPublic = ({ type }: Field): boolean => {
  const named = getNamedType(type);
  return !isCompositeType(named) || isPublicType(named);
};

/** Whether a field causes no read of its own and needs no scope. */
const isFree = (field: Field): boolean =>
  field.extensions.cost === undefined &&
  field.extensions.access === undefined &&
  !isConfidential(field);

/** Each tag once; null when a read bypasses the cache. */
function cacheTags(tags: readonly (string | null | undefined)[]): readonly string[] | null {
  if (tags.includes(undefined)) return null;
  const known = [...new Set(tags.filter((tag) => typeof tag === 'string'))];
  return known.length > maxTags ? ['tlds'] : known;
}
