import DataLoader from 'dataloader';
import type { DomainName } from '../kernel/domain-name.ts';
import { Fault } from '../kernel/faults.ts';
import { readAllPages } from '../lib/pages.ts';
import type { Journal } from '../persistence/journal.ts';
import type { CallOptions } from '../upstream/client/operation.ts';
import type { DomainApi } from '../upstream/domain-api/domain-api.ts';

interface ViewDeps {
  readonly domainApi: DomainApi;
  readonly journal: Pick<Journal, 'customers'>;
  readonly account: string;
}

/** Names of one statement. */
const namesPerRead = 1_000;

/**
 * The account as a caller sees it that is bound to a customer: it has the domains of this customer, and no others. A name of
 * another customer and a name without a customer have the same response, for no upstream call.
 */
export class CustomerView {
  /**
   * The API for the domains of the customer only: each call about a domain is for one of them, and nothing lists all domains.
   * Nothing can be bought with it.
   */
  readonly api: DomainApi;
  readonly #deps: ViewDeps;
  readonly #customer: string;
  /** The names that are requested together are one read. Results are not stored, because a domain can get another customer. */
  readonly #owners: DataLoader<DomainName, boolean>;
  #hasRead = false;

  constructor(deps: ViewDeps, customer: string) {
    this.#deps = deps;
    this.#customer = customer;
    this.api = this.#restrict(deps.domainApi);
    this.#owners = new DataLoader((names) => this.#readOwners(names), {
      cache: false,
      maxBatchSize: namesPerRead,
    });
  }

  /** Whether anything depends on the assignment of domains, which can change at any time. */
  get hasRead(): boolean {
    return this.#hasRead;
  }

  #restrict(api: DomainApi): DomainApi {
    type Send = (request: { readonly domain?: DomainName }, options: CallOptions) => unknown;
    const restricted =
      (send: Send): Send =>
      (request, options) =>
        request.domain === undefined
          ? send(request, options)
          : this.#assertOwns(request.domain).then(() => send(request, options));
    const sends = Object.entries(api as unknown as Record<string, Send>);
    return {
      ...Object.fromEntries(sends.map(([action, send]) => [action, restricted(send)])),
      getdomainlist: async () => {
        throw unknownDomain;
      },
    } as unknown as DomainApi;
  }

  async #assertOwns(name: DomainName): Promise<void> {
    if (!(await this.#owners.load(name))) throw unknownDomain;
  }

  async #readOwners(names: readonly DomainName[]): Promise<boolean[]> {
    this.#hasRead = true;
    const { journal, account } = this.#deps;
    const found = await journal.customers.of(account, names);
    const owned = new Set(
      found.flatMap(({ domain, customer }) => (customer === this.#customer ? domain : [])),
    );
    return names.map((name) => owned.has(name));
  }

  /** The names of the customer's domains, read by each call. */
  async readNames(): Promise<ReadonlySet<DomainName>> {
    this.#hasRead = true;
    const { journal, account } = this.#deps;
    const names = await readAllPages<DomainName>(namesPerRead, (after) =>
      journal.customers.domains(account, this.#customer, after, namesPerRead),
    );
    return new Set(names);
  }
}

const unknownDomain = new Fault('NOT_FOUND');
