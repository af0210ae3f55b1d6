import { LRUCache } from 'lru-cache';
import type { Caller } from '../../kernel/caller.ts';
import type { OperationFacts } from '../../observability/tracing.ts';

export interface CachedResponse {
  readonly text: string;
  /** After a change of its rights a caller of the same name is another object. */
  readonly caller: Caller;
  /** Whether it is still what an execution would return. */
  readonly isValid: () => boolean;
  readonly operation: OperationFacts | null;
}

const maxResponses = 256;
/** Characters of a request and its response together; longer ones are not cached. */
const maxLength = 65_536;

/** Responses that were built from cached data alone, until any of that data changes. */
export class ResponseCache {
  readonly #responses = new LRUCache<string, CachedResponse>({
    max: maxResponses,
    maxEntrySize: maxLength,
    sizeCalculation: ({ text }, key) => key.length + text.length,
  });

  find(caller: Caller, body: string): CachedResponse | null {
    const key = keyOf(caller, body);
    const response = this.#responses.get(key);
    if (response?.caller === caller && response.isValid()) return response;
    this.#responses.delete(key);
    return null;
  }

  store(body: string, response: CachedResponse): void {
    this.#responses.set(keyOf(response.caller, body), response);
  }
}

/** Callers never share a response. */
const keyOf = ({ tenant, name }: Caller, body: string) => `${tenant}\n${name ?? ''}\n${body}`;
