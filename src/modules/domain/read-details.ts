import type { DomainName } from '../../kernel/domain-name.ts';
import { Fault } from '../../kernel/faults.ts';
import type { CallOptions } from '../../upstream/client/operation.ts';
import type { DomainApi } from '../../upstream/domain-api/domain-api.ts';
import type { DomainDetails } from '../../upstream/domain-api/shapes.ts';

/**
 * One `getdetails`; null for a name that the account does not have.
 *
 * @throws Fault `UPSTREAM_PROTOCOL` when the reply is about another domain.
 */
export async function readDetails(
  api: Pick<DomainApi, 'getdetails'>,
  name: DomainName,
  options: CallOptions,
): Promise<DomainDetails | null> {
  try {
    const reply = await api.getdetails({ domain: name }, options);
    if (reply.name !== null && reply.name !== name) {
      throw new Fault('UPSTREAM_PROTOCOL', {
        message: `The registrar returned data of another domain than ${name}.`,
        executed: 'NO',
      });
    }
    return { ...reply, name };
  } catch (error) {
    if (error instanceof Fault && error.code === 'NOT_FOUND') return null;
    throw error;
  }
}
