import type { LeaseRequest } from '../../../persistence/leases.ts';
import type { LedgerStore, NewDomains } from '../ledger-store.ts';
import type { DueDomains, UnlistedDomain } from '../unlisted-domains.ts';
import { account, minute } from '../../../../test/persistence/claims.ts';

/** Imported at a minute and due then. */
export const importedAt = (at: number, changes: Partial<NewDomains> = {}): NewDomains => ({
  source: 'IMPORTED',
  at: minute(at),
  dueAt: minute(at),
  ...changes,
});

/** Selects the domains that are due at a minute. They are due again after five minutes; a time more than an hour ahead is wrong. */
export const dueAt = (at: number, changes: Partial<DueDomains> = {}): DueDomains => ({
  now: minute(at),
  counted: { after: minute(at - 1), until: minute(at + 60) },
  retryAt: minute(at + 5),
  latest: minute(at + 60),
  limit: 1_000,
  which: 'ALL',
  ...changes,
});

export const rowAt = (at: number, text = `{"at":${at}}`) => ({
  text,
  at: minute(at),
  dueAt: minute(at + 60),
});

export const leaseAt = (
  at: number,
  owner: string,
  changes: Partial<LeaseRequest> = {},
): LeaseRequest => ({
  owner,
  now: minute(at),
  until: minute(at + 1),
  latest: minute(at + 60),
  ...changes,
});

export const namesOf = (domains: readonly { readonly name: string }[]) =>
  domains.map((one) => one.name).toSorted();

type Known = Pick<LedgerStore, 'known'>;

/** More than any test stores. */
const noLimit = 100_000;

export const knownOf = (ledger: Known, of = account) => ledger.known(of, null, noLimit);

export const knownNamesOf = (ledger: Pick<LedgerStore, 'names'>, of = account) =>
  ledger.names(of, null, noLimit);

export const unlistedOf = async (ledger: Known, of = account): Promise<readonly UnlistedDomain[]> =>
  (await knownOf(ledger, of)).flatMap(({ unlisted }) => unlisted ?? []);

/** The names of all known domains, and whether the last list has each. */
export const listedOf = async (ledger: Known, of = account) =>
  Object.fromEntries(
    (await knownOf(ledger, of)).map(({ name: domain, unlisted }) => [domain, unlisted === null]),
  );
