import { isIdn } from './domain-name.ts';
import { Fault } from './faults.ts';

/** Entities of one type that a field returns: those whose names are known before execution, and a number of others. */
export interface Entities {
  readonly names: readonly string[];
  readonly others: number;
}

/** The entities that a field returns, for the cost of the fields below it. */
export interface CostContext {
  readonly domains?: Entities;
  /** Domains whose contacts the field returns. */
  readonly contacts?: Entities;
  /** Domains of the purchases that the field returns. */
  readonly purchases?: Entities;
  /** The objects of the journal that the field returns and that have lists of their own, such as orders. */
  readonly owners?: ListOwners;
}

/** Owners of stored lists. The same key is the same owners. */
export interface ListOwners {
  readonly key: string;
  readonly amount: number;
}

/** Reads of which one call serves the whole GraphQL operation. */
export type OnceRead = 'getdomainlist' | 'resellerdetails' | 'tldlist';

/** From this number of names on, one `getdomainlist` is cheaper than one `getdetails` each. */
export const listPaysFrom = 5;
/** Names of one `bulkcheckavailability`. The upstream documents no limit, and checks names one after another. */
export const maxNamesPerCall = 100;

/**
 * Checks of single names that may follow one bulk check, which omits names with non-ASCII letters under a TLD that takes none.
 * Each costs a call, and a client may send such names under 100 TLDs.
 */
export const maxChecksAlone = 3;

const callsFor = (names: number): number => Math.ceil(names / maxNamesPerCall);

/** Highest number of checks of single names that may follow the bulk checks of `names`. */
function checksAloneOf(names: ReadonlySet<string>): number {
  if (names.size <= 1) return 0;
  return Math.min([...names].filter(isIdn).length, maxChecksAlone * callsFor(names.size));
}

/** Counts each entity once, however many fields return it. */
class EntityCounter {
  readonly #names = new Set<string>();
  readonly #unnamed = new Set<Entities>();

  add(entities: Entities): void {
    for (const name of entities.names) this.#names.add(name);
    if (entities.others > 0) this.#unnamed.add(entities);
  }

  get named(): number {
    return this.#names.size;
  }

  /** Entities whose names are not known before execution. */
  get unnamed(): number {
    let sum = 0;
    for (const { others } of this.#unnamed) sum += others;
    return sum;
  }
}

/**
 * Counts the upstream calls of a GraphQL operation for an empty cache and an upstream that never fails, each read once.
 * Where the count depends on upstream replies, it is the highest one.
 */
export class CallCount {
  /** Whether prices are those of a shop, for which the price list is read. */
  readonly hasShopPrices: boolean;
  readonly #once = new Set<string>();
  readonly #domains = new EntityCounter();
  readonly #contacts = new EntityCounter();
  readonly #authCodes = new EntityCounter();
  readonly #names = { cached: new Set<string>(), refreshed: new Set<string>() };
  readonly #pages = new Map<string, Entities>();
  readonly #rows = new Map<string, number>();
  #fixed = 0;
  #listRows = 0;
  #searches = 0;

  constructor(hasShopPrices = false) {
    this.hasShopPrices = hasShopPrices;
  }

  once(read: OnceRead, refresh = false): void {
    this.#once.add(refresh ? `${read} refreshed` : read);
  }

  /** One call that bypasses the cache. The same text is counted once. */
  refreshed(read: string): void {
    this.#once.add(read);
  }

  /** One `getdetails` each, and one `getdomainlist` where there are many: the upstream's list may leave each of them out. */
  domains(entities: Entities): void {
    this.#domains.add(entities);
  }

  /** One `getcontacts` for each domain. */
  contacts(ofDomains: Entities): void {
    this.#contacts.add(ofDomains);
  }

  /** None for a domain that is counted by name; one `getdetails` for a row of a list, which may be cached without it. */
  authCodes(ofDomains: Entities): void {
    this.#authCodes.add(ofDomains);
  }

  /** Availability checks. Names that bypass the cache are in bulk calls of their own. */
  names(names: readonly string[], refresh: boolean): void {
    const all = refresh ? this.#names.refreshed : this.#names.cached;
    for (const name of names) all.add(name);
  }

  /** The bulk checks of a search, which are not batched with others. */
  search(names: number): void {
    this.#fixed += callsFor(names);
    this.#searches += 1;
  }

  /** Calls of a write. */
  calls(count: number): void {
    this.#fixed += count;
  }

  /** The entities of a page. The same `page` text returns the same entities, which are then counted once. */
  page(page: string, others: number): Entities {
    const known = this.#pages.get(page) ?? { names: [], others };
    this.#pages.set(page, known);
    return known;
  }

  /** Rows of a list in the response. Each selection counts, although the same page is read once. */
  listRows(amount: number): void {
    this.#listRows += amount;
  }

  /** Rows of a read that adds no list to the response. The same text is the same read, and counted once. */
  rows(read: string, amount: number): void {
    this.#rows.set(read, amount);
  }

  /** Rows of stored lists, which cause no upstream call. */
  get storedRows(): number {
    return [...this.#rows.values()].reduce((sum, amount) => sum + amount, this.#listRows);
  }

  get searches(): number {
    return this.#searches;
  }

  get total(): number {
    const domains = this.#domains.named + this.#domains.unnamed;
    const isListed = domains >= listPaysFrom && !this.#once.has('getdomainlist');
    const contacts = this.#contacts.named + this.#contacts.unnamed;
    const { cached, refreshed } = this.#names;
    const checks = this.#countChecks(cached, false) + this.#countChecks(refreshed, true);
    return (
      this.#once.size +
      ((isListed ? 1 : 0) + domains + this.#authCodes.unnamed) +
      (contacts + checks + this.#fixed)
    );
  }

  #countChecks(names: ReadonlySet<string>, refresh: boolean): number {
    const alone = checksAloneOf(names);
    // The price list may say why a name was omitted.
    if (alone > 0) this.once('tldlist', refresh);
    return callsFor(names.size) + alone;
  }
}

/**
 * The cost of one use of a field, declared beside its resolver: counts its upstream calls, and returns the entities that the
 * field returns. A field without a mark costs nothing and passes on the context of its parent.
 */
export type CostMark = (
  count: CallCount,
  // biome-ignore lint/suspicious/noExplicitAny: each field knows the arguments that it declares
  args: any,
  parent: CostContext,
) => CostContext | undefined;

/**
 * The upstream calls that one request may still cause. Planned calls are reserved: a repetition takes a spare call only.
 */
export class CallBudget {
  readonly #calls: number;
  #left: number;
  #spare: number;
  #searches = 0;
  readonly #whole: CallBudget | null;
  /** Planned calls of a search, which spare calls must not use. */
  readonly #reserved: number;

  constructor(calls: number, whole: CallBudget | null = null, reserved = 0) {
    this.#calls = calls;
    this.#left = calls;
    this.#spare = calls;
    this.#whole = whole;
    this.#reserved = reserved;
  }

  get left(): number {
    return this.#left;
  }

  /** Spare calls that are left. */
  get spare(): number {
    return Math.max(0, Math.min(this.#spare, this.#left - this.#reserved));
  }

  /** Begins again with all calls: for the next update of a subscription. */
  renew(): void {
    this.#left = this.#calls;
    this.#spare = this.#calls;
  }

  /** Reserves the planned calls; the searches share the spare ones. Call it before the first upstream call. */
  plan(calls: number, searches: number): void {
    this.#spare = Math.max(0, this.#left - calls);
    this.#searches = searches;
  }

  /** Takes one call when it begins; false when none is left. */
  take(): boolean {
    if (this.#left === 0) return false;
    this.#left -= 1;
    this.#whole?.take();
    return true;
  }

  /** Takes one spare call, such as for a repetition; false when all calls that are left are reserved. */
  takeSpare(): boolean {
    if (this.spare === 0) return false;
    this.#spare -= 1;
    return true;
  }

  /** @throws Fault `COST_LIMIT_EXCEEDED` when no call is left. */
  assertLeft(): void {
    if (this.#left > 0) return;
    throw new Fault('COST_LIMIT_EXCEEDED', {
      message:
        'This request has used its limit of upstream calls; request the remaining data in another request.',
    });
  }

  /** The budget of one search: the calls that it needs, and its share of the spare ones. */
  ofSearch(needed: number): CallBudget {
    const more = Math.floor(this.#spare / Math.max(1, this.#searches));
    this.#spare -= more;
    this.#searches -= 1;
    return new CallBudget(Math.min(this.#left, needed + more), this, needed);
  }
}
