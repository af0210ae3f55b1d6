import { type DomainName, parseDomainName } from '../../kernel/domain-name.ts';
import { invalidInput } from '../../kernel/faults.ts';
import { asPayload, createChecks } from '../mutation/checks.ts';
import type { Ledger } from './ledger.ts';
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
export const createTrackedDomainService = ({ ledger, snapshot }: TrackDeps) => ({
  /** A name that occurs twice counts once. Nothing is added when a name is not valid. */
  track: ({ names: texts }: TrackDomainsInput) =>
    asPayload(async () => {
      const names = [...new Set(checkNames(texts))];
      const added = await ledger.import(names);
      if (added > 0) await snapshot.mergeLedger();
      return { added, alreadyKnown: names.length - added };
    }),
});

/** @throws Problems with the path of each name that is not valid. */
function checkNames(texts: readonly string[]): readonly DomainName[] {
  const path = ['input', 'names'];
  if (texts.length === 0 || texts.length > maxNames) {
    throw invalidInput(`Send 1 to ${maxNames} names; "names" has ${texts.length}.`, {
      path,
      facts: { minimum: 1, maximum: maxNames },
    });
  }
  const checks = createChecks();
  const names: DomainName[] = [];
  for (const [at, text] of texts.entries()) {
    const name = checks.check([...path, String(at)], () => parseDomainName(text));
    if (name !== null) names.push(name);
    if (checks.faults.length === maxErrors) break;
  }
  checks.finish();
  return names;
}
