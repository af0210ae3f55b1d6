import { builder, enumRef } from '../../schema/builder.ts';
import type { TransferProgress, TransferStage } from './progress.ts';

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
    description: 'Progress of a transfer, read from the account. The registrar sends no events.',
    fields: (t) => ({
      stage: t.expose('stage', {
        type: TransferStageRef,
        nullable: false,
        description: 'Stage of the transfer.',
      }),
      startedAt: t.expose('startedAt', {
        type: 'DateTime',
        nullable: true,
        description:
          'Time at which the gateway learned that the registrar had accepted the transfer; null when it did not learn that.',
      }),
      expectedBy: t.expose('expectedBy', {
        type: 'DateTime',
        nullable: true,
        description:
          'Time at which the transfer is usually complete: five days after its start. Some registries take longer. Null unless `stage` is `REQUESTED`.',
      }),
      endedAt: t.expose('endedAt', {
        type: 'DateTime',
        nullable: true,
        description:
          'Time at which the gateway found that the transfer had ended, up to six hours after its end. Null while the transfer is in progress.',
      }),
      refunded: t.exposeBoolean('refunded', {
        nullable: true,
        description:
          'Whether the price was returned after `REJECTED` or `CANCELLED`. Null when the balance proves neither, for example because a deposit or another open transfer may have changed it.',
      }),
    }),
  });
