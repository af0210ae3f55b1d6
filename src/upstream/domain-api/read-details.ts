import type { DomainName } from '../../kernel/domain-name.ts';
import { Fault } from '../../kernel/faults.ts';
import type { CallOptions } from '../client/operation.ts';
import type { DomainApi } from './domain-api.ts';
import type { DomainDetails, UnnamedDetails } from './shapes.ts';

/**
 * One `getdetails`; null for a name that the account does not have.
 *
 * @throws Fault `UPSTREAM_PROTOCOL` when the reply is not about this domain.
 */
export async function readDetails(
  api: Pick<DomainApi, 'getdetails'>,
  name: DomainName,
  options: CallOptions,
): Promise<DomainDetails | null> {
  try {
    const reply = await api.getdetails({ domain: name }, options);
    assertAbout(reply, name, 'NO');
    return { ...reply, name };
  } catch (error) {
    if (error instanceof Fault && error.code === 'NOT_FOUND') return null;
    throw error;
  }
}

/**
 * A record without a name may be an empty one, so it says nothing about a domain.
 *
 * @throws Fault `UPSTREAM_PROTOCOL` when a record of the upstream does not have this name.
 */
export function assertAbout(
  record: Pick<UnnamedDetails, 'name'>,
  name: DomainName,
  executed: 'NO' | 'UNKNOWN',
): void {
  if (record.name === name) return;
  throw new Fault('UPSTREAM_PROTOCOL', {
    message: `The registrar returned a record that does not name ${name}.`,
    executed,
  });
}
