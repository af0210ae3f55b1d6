import type { Audited } from '../kernel/audit.ts';
import type { DomainName } from '../kernel/domain-name.ts';
import { lazy } from '../lib/lazy.ts';
import type { CallOptions } from '../upstream/client/operation.ts';
import type { DomainApi } from '../upstream/domain-api/domain-api.ts';
import { createCheckTogether } from './availability/check.ts';
import { createAvailabilityLoader } from './availability/loader.ts';
import { createContactLoader } from './contact/loader.ts';
import type { TenantDeps } from './deps.ts';
import { createDomainReads, type DomainReads } from './domain/loader.ts';
import { createTldReads } from './tld/loader.ts';

type LoaderDeps = Pick<TenantDeps, 'domainApi' | 'snapshot' | 'idnRefusals' | 'quotes'>;

/** The reads of one request. Each loader is created on first use, since most requests need one or two. */
export class Loaders {
  readonly #deps: LoaderDeps;
  readonly #options: () => CallOptions;
  readonly #audited: Audited;
  #domains: DomainReads | undefined;
  #contacts: ReturnType<typeof createContactLoader> | undefined;
  #availability: ReturnType<typeof createAvailabilityLoader> | undefined;
  #tlds: ReturnType<typeof createTldReads> | undefined;
  #reseller: ReturnType<typeof createResellerRead> | undefined;

  constructor(deps: LoaderDeps, options: () => CallOptions, audited: Audited) {
    this.#deps = deps;
    this.#options = options;
    this.#audited = audited;
  }

  /** Computes prices from the results of reads. */
  get quotes() {
    return this.#deps.quotes;
  }

  get domains() {
    this.#domains ??= createDomainReads(this.#deps.domainApi, this.#deps.snapshot, this.#options());
    return this.#domains;
  }

  get contacts() {
    this.#contacts ??= createContactLoader(this.#deps.domainApi, this.#options(), this.#audited);
    return this.#contacts;
  }

  get availability() {
    this.#availability ??= createAvailabilityLoader(
      createCheckTogether({
        api: this.#deps.domainApi,
        tlds: this.tlds,
        idnRefusals: this.#deps.idnRefusals,
      }),
      this.#options(),
    );
    return this.#availability;
  }

  get tlds() {
    this.#tlds ??= createTldReads(this.#deps.domainApi, this.#options());
    return this.#tlds;
  }

  get reseller() {
    this.#reseller ??= createResellerRead(this.#deps.domainApi, this.#options());
    return this.#reseller;
  }

  /** Discards all results: a later read sends a new request. */
  forget(): void {
    this.#domains = undefined;
    this.#contacts = undefined;
    this.#availability = undefined;
    this.#tlds = undefined;
    this.#reseller = undefined;
  }

  /** Invalidates every read that a write to the domain may change. */
  invalidate(name: DomainName): void {
    this.#domains?.invalidate(name);
    this.#contacts?.clear(name);
    this.#reseller?.reset();
  }
}

const createResellerRead = (api: DomainApi, options: CallOptions) =>
  lazy(() => api.resellerdetails({}, options));
