import { codeOf } from '../kernel/audit.ts';
import type { DomainName } from '../kernel/domain-name.ts';
import { parts } from '../lib/slices.ts';
import { systemClock, systemRandomness } from '../lib/system.ts';
import type { Journal } from '../persistence/journal.ts';

interface CommandTarget {
  readonly journal: Pick<Journal, 'audit'>;
  readonly account: string;
  /** The name of the tenant. */
  readonly tenant: string;
}

/** Adds an entry for each domain that was changed, under the mutation that does the same. */
export type NoteDomains = (operation: string, domains: readonly DomainName[]) => Promise<void>;

const callerName = 'command line';
/** Entries of one statement. */
const entriesPerStatement = 100;

/** Runs a command that writes to the journal. Its entry of the audit log is stored before. */
export async function audited<T>(
  { journal: { audit }, account, tenant }: CommandTarget,
  operation: string,
  work: (note: NoteDomains) => Promise<T>,
): Promise<T> {
  const requestId = systemRandomness.uuid();
  const actor = { caller: callerName, customer: null, tenant, requestId, address: null };
  const entryOf = (name: string, domain: DomainName | null) => ({
    at: systemClock.now(),
    operation: { ...actor, operation: name, domain, input: null },
  });
  const endOf = (outcome: string) => ({ outcome, upstreamCalls: 0 });

  const [begun = 0] = await audit.append(account, [{ ...entryOf(operation, null), end: null }]);
  const end = (outcome: string) =>
    audit.append(account, [{ at: systemClock.now(), begun, end: endOf(outcome) }]);
  try {
    const value = await work(async (name, domains) => {
      for (const part of parts(domains, entriesPerStatement)) {
        const entries = part.map((domain) => ({ ...entryOf(name, domain), end: endOf('OK') }));
        await audit.append(account, entries);
      }
    });
    await end('OK');
    return value;
  } catch (error) {
    await end(codeOf(error)).catch(() => undefined);
    throw error;
  }
}
