import { builder } from '../../schema/builder.ts';
import type { TransferProgress, TransferStage } from './progress.ts';

export const TransferStageRef = builder.enumType('TransferStage', {
  description: 'How far a transfer into the account has come.',
  values: {
    REQUESTED: { description: 'The registrar accepted it; it is not complete.' },
    COMPLETED: { description: 'The account has the domain.' },
    REJECTED: { description: 'The current registrar or the owner rejected it.' },
    CANCELLED: { description: 'It was cancelled before it was complete.' },
    UNKNOWN: { description: 'How it ended could not be found out.' },
  } satisfies Record<TransferStage, { description: string }>,
});

export const TransferProgressRef = builder
  .objectRef<TransferProgress>('TransferProgress')
  .implement({
    description:
      'How far a transfer has come. The account shows it; the registrar sends no events.',
    fields: (t) => ({
      stage: t.expose('stage', {
        type: TransferStageRef,
        nullable: false,
        description: 'How far it has come.',
      }),
      startedAt: t.expose('startedAt', {
        type: 'DateTime',
        nullable: true,
        description:
          'When the registrar was known to have accepted it; null when that is not known.',
      }),
      expectedBy: t.expose('expectedBy', {
        type: 'DateTime',
        nullable: true,
        description:
          'When it is usually complete: five days after its start. Some registries take longer. Null unless `stage` is `REQUESTED`.',
      }),
      endedAt: t.expose('endedAt', {
        type: 'DateTime',
        nullable: true,
        description:
          'When the gateway found that it had ended, up to six hours after it did; null while it is in progress.',
      }),
      refunded: t.exposeBoolean('refunded', {
        nullable: true,
        description:
          'Whether the price was returned after `REJECTED` or `CANCELLED`. Null when the balance does not prove it: something other than purchases of one year through this gateway changed it, or another transfer was open.',
      }),
    }),
  });
