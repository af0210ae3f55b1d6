/** Things of one kind that a field leads to: some by name, and so many more that nobody can name yet. */
export interface Things {
  readonly names: readonly string[];
  readonly others: number;
}

/** What a field leads to, for the fields below it. */
export interface Led {
  readonly domains?: Things;
  /** Domains whose contacts it leads to. */
  readonly contacts?: Things;
  /** Domains that purchases are about. */
  readonly purchases?: Things;
}

/** Reads that serve every field of a GraphQL operation that needs them. */
type OnceRead = 'getdomainlist' | 'resellerdetails' | 'tldlist';

/** From so many names on, one `getdomainlist` is cheaper than a `getdetails` for each. */
export const listPaysFrom = 5;
/** Names of one `bulkcheckavailability`; the service names no bound, and asks the registry name after name. */
export const mostNamesPerCall = 100;

const callsFor = (names: number): number => Math.ceil(names / mostNamesPerCall);

/** Things of which each is counted once, however often it is met. */
class Kinds {
  readonly #names = new Set<string>();
  readonly #unnamed = new Set<Things>();

  add(things: Things): void {
    for (const name of things.names) this.#names.add(name);
    if (things.others > 0) this.#unnamed.add(things);
  }

  get named(): number {
    return this.#names.size;
  }

  /** Those without a name. */
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
  readonly #once = new Set<string>();
  readonly #domains = new Kinds();
  readonly #contacts = new Kinds();
  readonly #authCodes = new Kinds();
  readonly #names = new Set<string>();
  readonly #pages = new Map<string, Things>();
  #fixed = 0;
  #searches = 0;

  once(read: OnceRead, refresh = false): void {
    this.#once.add(refresh ? `${read} anew` : read);
  }

  /** One read about this one thing, past all that was read of it before. */
  anew(what: string): void {
    this.#once.add(what);
  }

  /** One `getdetails` each, and one `getdomainlist` where there are many: the upstream's list may leave each of them out. */
  domains(things: Things): void {
    this.#domains.add(things);
  }

  /** One `getcontacts` for each domain. */
  contacts(ofDomains: Things): void {
    this.#contacts.add(ofDomains);
  }

  /** Nothing for a domain that is counted by name; one `getdetails` for a row of a list, which may be cached without it. */
  authCodes(ofDomains: Things): void {
    this.#authCodes.add(ofDomains);
  }

  /** Whether they are free: names that are asked about together, apart from those that are asked anew. */
  names(names: readonly string[], refresh: boolean): void {
    for (const name of names) this.#names.add(refresh ? `${name} anew` : name);
  }

  /** Bulk checks of a search, which joins nobody. */
  search(names: number): void {
    this.#fixed += callsFor(names);
    this.#searches += 1;
  }

  /** Calls of a write. */
  calls(count: number): void {
    this.#fixed += count;
  }

  /** The same page of things for who asks with the same arguments. */
  page(of: string, others: number): Things {
    const known = this.#pages.get(of) ?? { names: [], others };
    this.#pages.set(of, known);
    return known;
  }

  get searches(): number {
    return this.#searches;
  }

  get total(): number {
    const domains = this.#domains.named + this.#domains.unnamed;
    const isListed = domains >= listPaysFrom && !this.#once.has('getdomainlist');
    const contacts = this.#contacts.named + this.#contacts.unnamed;
    return (
      this.#once.size +
      ((isListed ? 1 : 0) + domains + this.#authCodes.unnamed) +
      (contacts + this.#checks + this.#fixed)
    );
  }

  get #checks(): number {
    let anew = 0;
    for (const name of this.#names) if (name.endsWith(' anew')) anew += 1;
    return callsFor(anew) + callsFor(this.#names.size - anew);
  }
}

/**
 * What a field of the graph takes, told beside its resolver: counts the calls of one use of the field, and hands back what
 * it leads to. Without such a mark a field takes none, and leads to what is above it.
 */
export type CostMark = (
  count: CallCount,
  // biome-ignore lint/suspicious/noExplicitAny: each field knows the arguments that it declares
  args: any,
  above: Led,
) => Led | undefined;
