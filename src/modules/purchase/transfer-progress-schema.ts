import { builder, enumRef } from '../../schema/builder.ts';
import { nullableFields, requiredFields } from '../../schema/fields.ts';
import type { TransferStage } from './service.ts';
import type { TransferProgress } from './transfer-progress.ts';

export const TransferStageRef = enumRef<TransferStage>(
  'TransferStage',
  'Stage of a transfer into the account.',
  {
    REQUESTED: 'The registrar accepted the transfer; it is not complete.',
    COMPLETED: 'The account has the domain.',
    REJECTED: 'The current registrar or the owner rejected the transfer.',
    CANCELLED: 'The transfer was cancelled before it was complete.',
    UNKNOWN: 'The gateway could not determine how the transfer ended.',
  },
);

export const TransferProgressRef = builder
  .objectRef<TransferProgress>('TransferProgress')
  .implement({
    description:
      'Progress of a transfer. The gateway reads it from the account, because the registrar does not report it.',
    fields: (t) => ({
      ...requiredFields(t, TransferStageRef, { stage: 'Stage of the transfer.' }),
      ...nullableFields(t, 'DateTime', {
        startedAt:
          'Time at which the gateway learned that the registrar had accepted the transfer; null when it did not learn that.',
        expectedBy:
          'Time at which the transfer is usually complete: five days after its start. Some registries take longer. Null unless `stage` is `REQUESTED`.',
        endedAt:
          'Time at which the gateway found that the transfer had ended, up to six hours after its end. Null while the transfer is in progress.',
      }),
      ...nullableFields(t, 'Boolean', {
        refunded:
          'Whether the price was returned after `REJECTED` or `CANCELLED`. Null when that is not known: the registrar does not report refunds, and the balance may prove neither, for example after a deposit, with another purchase within ten minutes, and when no expected balance was stored with the purchase.',
      }),
    }),
  });
