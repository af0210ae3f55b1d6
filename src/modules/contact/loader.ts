import DataLoader from 'dataloader';
import type { DomainName } from '../../kernel/domain-name.ts';
import { Fault } from '../../kernel/faults.ts';
import type { DomainApi } from '../../upstream/domain-api/client.ts';
import type { CallOptions } from '../../upstream/operation.ts';
import type { Audited } from '../audit.ts';

type Contacts = Awaited<ReturnType<DomainApi['getcontacts']>>;

/**
 * One `getcontacts` per domain, whatever is asked of its four contacts. The service has no call for several domains;
 * how many run at a time is bounded by the upstream's client. Null when the account has no such domain.
 */
export const createContactLoader = (api: DomainApi, options: CallOptions, audited: Audited) =>
  new DataLoader<DomainName, Contacts | null>(
    (names) =>
      Promise.all(
        names.map(async (name) => {
          try {
            return await audited('contacts.read', name, () =>
              api.getcontacts({ domain: name }, options),
            );
          } catch (error) {
            if (error instanceof Fault && error.code === 'NOT_FOUND') return null;
            return error as Error;
          }
        }),
      ),
    { name: 'contacts' },
  );
