import { Secret } from '../../kernel/secret.ts';
import type { RecordOf, RowOf } from '../../persistence/table.ts';
import { timeOf } from '../../persistence/tables.ts';
import { webhookProgress, webhooksTable } from './table.ts';

type Stored = RecordOf<typeof webhooksTable>;

export interface WebhookProgress extends RecordOf<typeof webhookProgress> {
  /** Null while the webhook is active. */
  readonly suspension: Suspension | null;
}

interface Suspension {
  readonly at: Date;
  /** A sentence. */
  readonly reason: string;
}

/** What a client can choose. */
export type WebhookOptions = Pick<Stored, 'url' | 'description' | 'types'>;

/** What does not change. */
export type WebhookScope = Pick<Stored, 'owner' | 'customer' | 'labels' | 'format' | 'chatId'>;

export interface WebhookRecord extends Stored {
  /** The secret before the last rotation, which signs until a time; null for none. */
  readonly oldSecret: { readonly secret: Secret; readonly until: Date } | null;
  readonly progress: WebhookProgress;
}

export function webhookOf(row: RowOf<typeof webhooksTable>): WebhookRecord {
  const [until, suspendedAt] = [timeOf(row.old_secret_until), timeOf(row.suspended_at)];
  return {
    ...webhooksTable.record(row),
    oldSecret:
      row.old_secret === null || !until ? null : { secret: new Secret(row.old_secret), until },
    progress: {
      ...webhookProgress.record(row),
      suspension: suspendedAt && {
        at: suspendedAt,
        reason: row.suspended_reason ?? '',
      },
    },
  };
}

export const progressColumns = ({ suspension, ...progress }: WebhookProgress) =>
  webhooksTable.row({
    ...progress,
    state: suspension ? 'SUSPENDED' : 'ACTIVE',
    suspendedAt: suspension?.at ?? null,
    suspendedReason: suspension?.reason ?? null,
  });
