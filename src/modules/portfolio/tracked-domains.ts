import { type DomainName, parseDomainName } from '../../kernel/domain-name.ts';
import { invalidInput } from '../../kernel/faults.ts';
import { perRequest } from '../../scope/scope.ts';
import { asPayload, type Checks, createChecks } from '../mutation/checks.ts';
import type { Ledger } from './ledger.ts';
import { ledger, snapshot } from './parts.ts';
import type { Snapshot } from './snapshot.ts';

/** Names of one request. */
const maxNames = 10_000;
/** Errors of one response: a client that corrects these finds the next ones. */
const maxErrors = 100;

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

/** The names in the order of the texts. Records a fault with the path of each name that is not valid. */
export function checkNames(
  checks: Checks,
  path: readonly string[],
  texts: readonly string[],
  most: number,
): readonly DomainName[] {
  if (texts.length === 0 || texts.length > most) {
    const message = `Send 1 to ${most} names; "${path.at(-1)}" has ${texts.length}.`;
    checks.add(invalidInput(message, { path: [...path], facts: { minimum: 1, maximum: most } }));
    return [];
  }
  const names: DomainName[] = [];
  for (const [at, text] of texts.entries()) {
    const name = checks.check([...path, String(at)], () => parseDomainName(text));
    if (name !== null) names.push(name);
    if (checks.faults.length === maxErrors) break;
  }
  return names;
}

export const trackedDomains = perRequest('trackedDomains', ({ use }) =>
  createTrackedDomainService({ ledger: use(ledger), snapshot: use(snapshot) }),
);
