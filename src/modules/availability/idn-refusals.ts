import { LRUCache } from 'lru-cache';
import type { DomainName } from '../../kernel/domain-name.ts';
import type { Clock } from '../../lib/clock.ts';

/** A registry rarely begins to accept non-ASCII letters. */
const maxAgeMs = 3_600_000;
const mostZones = 2_000;

/** The TLDs that were found to take no names with non-ASCII letters, for an hour each. */
export class IdnRefusals {
  readonly #clock: Pick<Clock, 'monotonicMs'>;
  readonly #learnedAtMs = new LRUCache<string, number>({ max: mostZones });

  constructor(clock: Pick<Clock, 'monotonicMs'>) {
    this.#clock = clock;
  }

  /** To be called when the upstream has refused `name` for its letters. */
  learn(name: DomainName): void {
    this.#learnedAtMs.set(zoneOf(name), this.#clock.monotonicMs());
  }

  /** Whether the label of `name` is an A-label under such a TLD. */
  refuses(name: DomainName): boolean {
    if (!isIdn(name)) return false;
    const atMs = this.#learnedAtMs.get(zoneOf(name));
    return atMs !== undefined && this.#clock.monotonicMs() - atMs < maxAgeMs;
  }
}

/** Whether the label of a name, which stands first, holds non-ASCII letters. */
export const isIdn = (name: DomainName): boolean => name.startsWith('xn--');

/** What follows the label. Only names with one label above the TLD can be registered. */
export const zoneOf = (name: DomainName): string => name.slice(name.indexOf('.') + 1);
