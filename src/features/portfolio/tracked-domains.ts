import { perRequest } from '../../scope/scope.ts';
import { checkNames } from '../../modules/mutation/check-names.ts';
import { asPayload, createChecks } from '../../modules/mutation/checks.ts';
import type { Ledger } from './ledger.ts';
import { ledger, snapshot } from './parts.ts';
import type { Snapshot } from './snapshot.ts';

/** Names of one request. */
const maxNames = 10_000;

export interface TrackDomainsInput {
  readonly names: readonly string[];
}

interface TrackDeps {
  readonly ledger: Pick<Ledger, 'import'>;
  readonly snapshot: Pick<Snapshot, 'mergeLedger'>;
}

/** Adds domains to those that the gateway knows. */
const createTrackedDomainService = ({ ledger, snapshot }: TrackDeps) => ({
  /** A name that occurs twice counts once. Nothing is added when a name is not valid. */
  track: ({ names: texts }: TrackDomainsInput) =>
    asPayload(async () => {
      const checks = createChecks();
      const found = checkNames(checks, ['input', 'names'], texts, maxNames);
      checks.finish();
      const names = [...new Set(found)];
      const added = await ledger.import(names);
      if (added > 0) await snapshot.mergeLedger();
      return { added, alreadyKnown: names.length - added };
    }),
});

export const trackedDomains = perRequest('trackedDomains', ({ use }) =>
  createTrackedDomainService({ ledger: use(ledger), snapshot: use(snapshot) }),
);
