import type { DomainName } from '../../kernel/domain-name.ts';
import type { Fault } from '../../kernel/faults.ts';
import type { TldDetails } from '../../upstream/domain-api/tld-shapes.ts';
import type { Availability } from '../availability/check.ts';
import type { Quotes } from '../quote/quotes.ts';

/** A name to check, or one that is known to be invalid before any check. */
export interface Candidate {
  readonly name: DomainName;
  /** Null when the registrar does not sell it. */
  readonly tld: TldDetails | null;
  /** Whether the client chose its TLD: an INVALID name is then a result, otherwise it is left out. */
  readonly named: boolean;
  /** Whether the gateway suggested it. */
  readonly suggested: boolean;
  /** Why it is not checked; null when it is. */
  readonly refusal: Fault | null;
}

/** The result for one name. */
export type SearchResult = ReturnType<typeof toResult>;

const totalYears = [1, 3, 5, 10];

/** `position` is that of the candidate in the plan. */
export function toResult(
  { tld, suggested }: Candidate,
  position: number,
  availability: Availability,
  quotes: Quotes,
) {
  /** For the shortest period that can be bought. */
  const quote = quotes.ofRegistration(tld, availability);
  return {
    availability,
    suggested,
    position,
    quote,
    /** For one more year; null when the price list has none, or does not apply. */
    renewalPrice: quote.renewalPrice,
    /** Computed when it is read: few clients select it, and it takes most of the time of a result. */
    get totals() {
      const others = totalYears.filter((years) => years !== quote.period);
      const totals = [
        quote,
        ...others.map((years) => quotes.ofRegistration(tld, availability, years)),
      ];
      return totals.toSorted((one, other) => one.period - other.period);
    },
  };
}

/**
 * Selects the first results of a search by their position, whatever the order in which they become known.
 *
 * The window is the shortest prefix of the positions that holds `size` positions with a result, known or still possible.
 * A result belongs to the first ones for certain when its position is in the window. The window only grows.
 */
export class FirstResults<Result extends object> {
  /** By position: null without a result, undefined while nothing is known. */
  readonly #outcomes: (Result | null | undefined)[];
  #end = 0;
  /** How many further positions the window takes. */
  #free: number;

  /** `counts`: whether a position can have a result that counts. */
  constructor(counts: readonly boolean[], size: number) {
    this.#outcomes = counts.map((one) => (one ? undefined : null));
    this.#free = size;
    this.#grow();
  }

  /** Records the outcome of a position, once; null without a result. Returns the results that are certain since then. */
  settle(position: number, outcome: Result | null): readonly Result[] {
    this.#outcomes[position] = outcome;
    if (position >= this.#end) return [];
    if (outcome) return [outcome];
    this.#free += 1;
    return this.#grow();
  }

  #grow(): readonly Result[] {
    const certain: Result[] = [];
    while (this.#free > 0 && this.#end < this.#outcomes.length) {
      const outcome = this.#outcomes[this.#end];
      this.#end += 1;
      if (outcome === null) continue;
      this.#free -= 1;
      if (outcome) certain.push(outcome);
    }
    return certain;
  }
}
