import type { GraphQLSchema } from 'graphql';
import { endOfString } from '../../lib/json-syntax.ts';
import type { OperationFacts } from '../../observability/tracing.ts';
import type { HttpRequest } from '../http/http-request.ts';
import { cachedByText } from './documents.ts';
import type { RequestedOperation } from './rule.ts';

interface RefusedRead {
  /** Whether its last refused request may have needed an upstream call. */
  readonly callsUpstream: boolean;
  readonly operation: OperationFacts | null;
}

/**
 * The documents of queries that were refused for overload. They are valid, and contain no name of a field about purchases, so
 * no request with one of them is about a purchase.
 */
export class RefusedReads {
  readonly #known = cachedByText<RefusedRead>();
  readonly #purchases: RegExp;

  constructor(schema: GraphQLSchema) {
    const roots = [schema.getQueryType(), schema.getMutationType(), schema.getSubscriptionType()];
    const names = roots
      .flatMap((type) => Object.values(type?.getFields() ?? {}))
      .filter(({ extensions }) => extensions.purchase === true || extensions.neverLimited === true)
      .map(({ name }) => name);
    this.#purchases = new RegExp(`\\b(?:${names.join('|')})\\b`);
  }

  add({ operation, text }: RequestedOperation, { estimate, operation: facts }: HttpRequest): void {
    if (operation.operation !== 'query' || this.#purchases.test(text)) return;
    this.#known.set(JSON.stringify(text), {
      callsUpstream: (estimate?.upstreamCalls ?? 0) > 0,
      operation: facts,
    });
  }

  find(body: string): RefusedRead | null {
    const document = documentIn(body);
    return document === null ? null : (this.#known.get(document) ?? null);
  }
}

/**
 * The document as JSON in a body whose first or last member it is; null for other bodies. Of a body that is not JSON, or names
 * several documents, it may be a wrong text; such a body is refused anyway.
 */
function documentIn(body: string): string | null {
  const first = firstQuery.exec(body)?.[0];
  const start = first?.length ?? body.lastIndexOf(lastQuery) + lastQuery.length;
  if (start < lastQuery.length) return null;
  const end = endOfString(body, start - 1);
  const isWhole = first ? end > 0 : end === body.length - 2;
  return isWhole ? body.slice(start - 1, end + 1) : null;
}

const firstQuery = /^\{\s*"query"\s*:\s*"/;
const lastQuery = ',"query":"';
