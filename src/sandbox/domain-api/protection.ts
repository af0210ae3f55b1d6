import { z } from 'zod';
import { write } from './action.ts';
import { changeableDomain, named } from './names.ts';

/** Takes the transfer lock off; there is no action that sets it again. */
export const disableTheftLock = write(named, ({ domain }, context) => {
  const record = changeableDomain(context, domain);
  const registryStatus =
    record.registryStatus === 'clientTransferProhibited' ? null : record.registryStatus;
  context.service.store.domains.save({ ...record, locked: false, registryStatus });
  return { data: { LockStatus: false }, result: 'OK' };
});

/** Switching privacy on answers `{}`, switching it off answers with the state: both forms are seen. */
export const modifyPrivacyStatus = write(
  named.extend({ status: z.boolean(), reason: z.string().nullish() }),
  ({ domain, status }, context) => {
    const record = changeableDomain(context, domain);
    context.service.store.domains.save({ ...record, privacy: status });
    return status ? {} : { data: { PrivacyProtectionStatus: false }, result: 'OK' };
  },
);
