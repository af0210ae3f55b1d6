import { type CommandTrail, codeOf } from '../kernel/recorder.ts';
import type { DomainName } from '../kernel/domain-name.ts';
import { systemRandomness } from '../lib/system.ts';

interface CommandTarget {
  readonly trail: CommandTrail;
  /** The name of the tenant. */
  readonly tenant: string;
}

/** Adds an entry for each domain that was changed, under the mutation that does the same. */
export type NoteDomains = (operation: string, domains: readonly DomainName[]) => Promise<void>;

const callerName = 'command line';

/** Runs a command that writes to the journal. Its entry is stored before. */
export async function recordedCommand<T>(
  { trail, tenant }: CommandTarget,
  operation: string,
  work: (note: NoteDomains) => Promise<T>,
): Promise<T> {
  const requestId = systemRandomness.uuid();
  const actor = { caller: callerName, customer: null, tenant, requestId, address: null };
  const operationOf = (name: string, domain: DomainName | null) => ({
    ...{ ...actor, operation: name, domain, input: null },
  });
  const endOf = (outcome: string) => ({ outcome, upstreamCalls: 0 });
  const end = await trail.begin(operationOf(operation, null));
  try {
    const value = await work((name, domains) =>
      trail.add(
        domains.map((domain) => operationOf(name, domain)),
        endOf('OK'),
      ),
    );
    await end(endOf('OK'));
    return value;
  } catch (error) {
    await end(endOf(codeOf(error))).catch(() => undefined);
    throw error;
  }
}
