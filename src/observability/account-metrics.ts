import { Counter, Gauge, type Registry } from 'prom-client';
import type { Clock } from '../kernel/clock.ts';
import type { Money } from '../kernel/money.ts';

/** What the journal says of one reseller account. */
export interface JournalFigures {
  /** Purchases that somebody may have to look after, by state. */
  readonly operations: ReadonlyMap<string, number>;
  readonly isStopped: boolean;
}

export interface BreakerFigures {
  readonly api: string;
  readonly action: string;
  readonly state: 'closed' | 'half-open' | 'open';
}

export interface ConcurrencyFigures {
  readonly api: string;
  readonly limit: number;
}

/** One reseller account, as its figures are read. */
export interface AccountSource {
  /** Its name among those that are configured. */
  readonly tenant: string;
  /** Rejects when the journal cannot be read. */
  readonly journal: () => Promise<JournalFigures>;
  /** Absent where calls have no breaker. */
  readonly breakers?: () => readonly BreakerFigures[];
  readonly concurrency?: () => readonly ConcurrencyFigures[];
}

export interface AccountMetricsOptions {
  readonly registry: Registry;
  readonly clock: Clock;
  /** Those that are configured. */
  readonly tenants: readonly string[];
}

/** The journal is read no more often, however often figures are asked for. */
const journalMaxAgeMs = 10_000;
const currency = /^[A-Z]{3}$/;

/** Money first: what is open, what is stopped, what is left. Nothing here ever asks the service. */
export function createAccountMetrics({ registry, clock, tenants }: AccountMetricsOptions) {
  const common = { registers: [registry] };
  const sources: AccountSource[] = [];

  const operations = new Gauge({
    ...common,
    name: 'reseller_graph_operations',
    help: 'Purchases in the journal that have not settled, by state; UNKNOWN ones wait for a person.',
    labelNames: ['tenant', 'state'],
    collect: () => readJournals(),
  });
  const stopped = new Gauge({
    ...common,
    name: 'reseller_graph_purchases_stopped',
    help: '1 while the operator has stopped all purchases.',
    labelNames: ['tenant'],
    collect: () => readJournals(),
  });
  const journalUp = new Gauge({
    ...common,
    name: 'reseller_graph_journal_up',
    help: '1 when the journal could be read; without it nothing is bought.',
    collect: () => readJournals(),
  });
  const lateSuccesses = new Counter({
    ...common,
    name: 'reseller_graph_late_successes_total',
    help: 'Purchases that were recorded as FAILED and made by the upstream all the same; each is UNKNOWN now.',
    labelNames: ['tenant'],
  });
  for (const tenant of tenants) lateSuccesses.inc({ tenant }, 0);
  const breakers = new Gauge({
    ...common,
    name: 'reseller_graph_breaker_state',
    help: 'Of calls of the service: 0 closed, 1 half-open, 2 open.',
    labelNames: ['tenant', 'api', 'action'],
    collect: () => readBreakers(),
  });
  const concurrency = new Gauge({
    ...common,
    name: 'reseller_graph_upstream_concurrency_limit',
    help: 'Concurrent upstream calls allowed now; below UPSTREAM_CONCURRENCY while the upstream shows overload.',
    labelNames: ['tenant', 'api'],
    collect: () => readConcurrency(),
  });
  const balance = new Gauge({
    ...common,
    name: 'reseller_graph_balance',
    help: 'Of the reseller account when it was last read for a request.',
    labelNames: ['tenant', 'currency'],
  });
  const balanceReadAt = new Gauge({
    ...common,
    name: 'reseller_graph_balance_read_timestamp_seconds',
    help: 'When that was, in Unix time.',
    labelNames: ['tenant'],
  });

  const readJournal = async ({ tenant, journal }: AccountSource): Promise<boolean> => {
    try {
      const { operations: byState, isStopped } = await journal();
      for (const [state, count] of byState) operations.set({ tenant, state }, count);
      stopped.set({ tenant }, isStopped ? 1 : 0);
      return true;
    } catch {
      return false;
    }
  };

  let latest: { readonly atMs: number; readonly end: Promise<void> } | null = null;
  /** One reading for the three gauges that wait for it. */
  function readJournals(): Promise<void> {
    const atMs = clock.monotonicMs();
    if (!latest || atMs - latest.atMs >= journalMaxAgeMs) latest = { atMs, end: readAll() };
    return latest.end;
  }

  async function readAll(): Promise<void> {
    const read = await Promise.all(sources.map(readJournal));
    journalUp.set(read.every((isRead) => isRead) ? 1 : 0);
  }

  function readBreakers(): void {
    for (const { tenant, breakers: read } of sources) {
      for (const { api, action, state } of read?.() ?? []) {
        breakers.set({ tenant, api, action }, breakerLevels[state]);
      }
    }
  }

  function readConcurrency(): void {
    for (const { tenant, concurrency: read } of sources) {
      for (const { api, limit } of read?.() ?? []) concurrency.set({ tenant, api }, limit);
    }
  }

  return {
    add: (source: AccountSource): void => void sources.push(source),
    lateSuccess: (tenant: string): void => lateSuccesses.inc({ tenant }),
    /** To be told whenever a request has read the balances of an account. */
    balancesRead(tenant: string, balances: readonly Money[]): void {
      if (!tenants.includes(tenant)) return;
      for (const { amount, currency: code } of balances) {
        if (currency.test(code)) balance.set({ tenant, currency: code }, Number(amount.toString()));
      }
      balanceReadAt.set({ tenant }, clock.now().getTime() / 1000);
    },
  };
}

const breakerLevels = { closed: 0, 'half-open': 1, open: 2 } as const;
