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

/** Characters of all requests and responses together. */
const maxTotalLength = 8_388_608;
/** Characters of a request and its response together; longer ones are not cached. */
const maxLength = 65_536;
/** Requests that were received once, as hashes of their keys. A power of two. */
const seenSlots = 65_536;

/**
 * Responses that were built from cached data alone, until any of that data changes. A response is stored when its request
 * arrives again, because most names are checked once.
 */
export class ResponseCache {
  readonly #responses = new LRUCache<string, CachedResponse>({
    maxSize: maxTotalLength,
    sizeCalculation: ({ text }, key) => key.length + text.length,
  });
  /** The hash of the last request in each slot. */
  readonly #seen = new Int32Array(seenSlots);

  find(caller: Caller, body: string): CachedResponse | null {
    const key = keyOf(caller, body);
    const response = this.#responses.get(key);
    if (!response) return null;
    if (response.caller === caller && response.isValid()) return response;
    this.#responses.delete(key);
    return null;
  }

  store(body: string, response: CachedResponse): void {
    const key = keyOf(response.caller, body);
    if (key.length + response.text.length > maxLength) return;
    if (this.#isRepeated(key)) this.#responses.set(key, response);
  }

  #isRepeated(key: string): boolean {
    const hash = hashOf(key);
    const slot = hash & (seenSlots - 1);
    const isRepeated = this.#seen[slot] === hash;
    this.#seen[slot] = hash;
    return isRepeated;
  }
}

/** Callers never share a response. */
const keyOf = ({ tenant, name }: Caller, body: string) => `${tenant}\n${name ?? ''}\n${body}`;

/** FNV-1a. Two requests with the same hash cost one stored response. */
function hashOf(text: string): number {
  let hash = 0x811c9dc5;
  for (let at = 0; at < text.length; at += 1) {
    hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193);
  }
  return hash;
}
