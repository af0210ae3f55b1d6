import type { Table } from '../../persistence/table.ts';

/** The endpoints of all accounts. `labels` and `types` are JSON; `position` is that of the last event that was delivered. */
const webhooksTable: Table = {
  name: 'webhooks',
  steps: [
    [
      `create table if not exists webhooks (
        account text not null, id text not null, source text not null, owner text, customer text,
        labels text default '[]' not null, url text not null, description text, types text not null,
        secret text, old_secret text, old_secret_until text,
        created_at text not null, revision integer not null,
        state text not null, suspended_at text, suspended_reason text, announcement text,
        position integer not null, missed_until integer,
        failures integer not null, failing_since text, due_at text,
        lease_owner text, lease_until text,
        constraint webhooks_pkey primary key (account, id))`,
      `create unique index if not exists webhooks_by_url
        on webhooks (account, coalesce(owner, ''), url)`,
    ],
  ],
};

/** The requests to endpoints. */
const attemptsTable: Table = {
  name: 'webhook_attempts',
  steps: [
    [
      `create table if not exists webhook_attempts (
        account text not null, webhook_id text not null, id text not null, kind text not null,
        event_id text not null, event_type text not null, at text not null,
        duration_ms integer not null, number integer not null,
        status integer, failure text, next_at text,
        constraint webhook_attempts_pkey primary key (account, webhook_id, at, id))`,
      'create index if not exists webhook_attempts_by_time on webhook_attempts (account, at)',
    ],
  ],
};

export const webhookTables: readonly Table[] = [webhooksTable, attemptsTable];
