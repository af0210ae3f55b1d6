import DataLoader from 'dataloader';
import type { Recorder } from '../../kernel/recorder.ts';
import type { DomainName } from '../../kernel/domain-name.ts';
import { perReads } from '../../scope/reads.ts';
import type { CallOptions } from '../../upstream/client/operation.ts';
import type { DomainApi } from '../../upstream/domain-api/domain-api.ts';

/** The reply about one domain. Null without any contacts. */
export type People = Awaited<ReturnType<DomainApi['getcontacts']>>;

/** One `getcontacts` per domain serves its four contacts. The upstream has no call for several domains. */
export const createContactLoader = (api: DomainApi, options: CallOptions, recorder: Recorder) =>
  new DataLoader<DomainName, People>(
    (names) => {
      if (names.length > 1) recorder.bulkRead('contacts.read');
      return Promise.all(
        names.map((domain) => {
          const read = recorder.logged('contacts.read', domain, () =>
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
  ({ api, options, recorder }) => createContactLoader(api, options(), recorder),
  (reads, name) => void reads.clear(name),
);
