import DataLoader from 'dataloader';
import type { Audited } from '../../kernel/audit.ts';
import type { DomainName } from '../../kernel/domain-name.ts';
import { perReads } from '../../scope/reads.ts';
import type { CallOptions } from '../../upstream/client/operation.ts';
import type { DomainApi } from '../../upstream/domain-api/domain-api.ts';

/** The reply about one domain. Null without any contacts. */
export type People = Awaited<ReturnType<DomainApi['getcontacts']>>;

/** One `getcontacts` per domain serves its four contacts. The upstream has no call for several domains. */
export const createContactLoader = (api: DomainApi, options: CallOptions, audited: Audited) =>
  new DataLoader<DomainName, People>(
    (names) => {
      if (names.length > 1) audited.bulkRead('contacts.read');
      return Promise.all(
        names.map((domain) => {
          const read = audited.logged('contacts.read', domain, () =>
            api.getcontacts({ domain }, options),
          );
          return read.catch((error: Error) => error);
        }),
      );
    },
    { name: 'contacts' },
  );

export const contactReads = perReads(
  'contactReads',
  ({ api, options, audited }) => createContactLoader(api, options(), audited),
  (reads, name) => void reads.clear(name),
);
