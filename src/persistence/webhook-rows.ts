import { parseInstant } from '../kernel/instant.ts';
import { Secret } from '../kernel/secret.ts';
import { timeOf, timeText, type WebhookRow } from './tables.ts';
import type { WebhookProgress, WebhookRecord } from './webhook-store.ts';

export const webhookOf = (row: WebhookRow): WebhookRecord => ({
  id: row.id,
  source: row.source,
  url: row.url,
  description: row.description,
  types: JSON.parse(row.types),
  createdAt: parseInstant(row.created_at),
  secret: row.secret === null ? null : new Secret(row.secret),
  oldSecret:
    row.old_secret === null || row.old_secret_until === null
      ? null
      : { secret: new Secret(row.old_secret), until: parseInstant(row.old_secret_until) },
  revision: row.revision,
  progress: {
    position: row.position,
    missedUntil: row.missed_until,
    failures: row.failures,
    failingSince: timeOf(row.failing_since),
    dueAt: timeOf(row.due_at),
    suspension:
      row.suspended_at === null
        ? null
        : {
            at: parseInstant(row.suspended_at),
            reason: row.suspended_reason ?? '',
            announcement: row.announcement,
          },
  },
});

export const progressColumns = (progress: WebhookProgress) => {
  const { position, missedUntil, failures, failingSince, dueAt, suspension } = progress;
  return {
    state: suspension ? ('SUSPENDED' as const) : ('ACTIVE' as const),
    suspended_at: textOf(suspension?.at ?? null),
    suspended_reason: suspension?.reason ?? null,
    announcement: suspension?.announcement ?? null,
    position,
    missed_until: missedUntil,
    failures,
    failing_since: textOf(failingSince),
    due_at: textOf(dueAt),
  };
};

const textOf = (time: Date | null): string | null => time && timeText(time);
