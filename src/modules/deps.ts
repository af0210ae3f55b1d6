import type { ApprovalRules } from '../kernel/approval-rules.ts';
import type { WriteAudit } from '../kernel/audit.ts';
import type { Caller } from '../kernel/caller.ts';
import type { Secret } from '../kernel/secret.ts';
import type { ScopedLimits } from '../kernel/spend-limits.ts';
import type { CacheRevision } from '../lib/cache-revision.ts';
import type { Clock, Randomness } from '../lib/clock.ts';
import type { Journal } from '../persistence/journal.ts';
import type { AccountApi } from '../upstream/account-api/client.ts';
import type { UpstreamState } from '../upstream/client/gate.ts';
import type { DomainApi } from '../upstream/domain-api/domain-api.ts';
import type { OpenAuditTrail } from './audit/trail.ts';
import type { IdnRefusals } from './availability/check.ts';
import type { WriteLog } from './domain/write-log.ts';
import type { EventStreams } from './event/streams.ts';
import type { ProgressNotifier } from './job/progress-notifier.ts';
import type { Ledger } from './portfolio/ledger.ts';
import type { Snapshot } from './portfolio/snapshot.ts';
import type { TransferPace } from './purchase/conclude.ts';
import type { SettlementNotifier } from './purchase/settlement-notifier.ts';
import type { Sightings } from './purchase/sightings.ts';
import type { SpendEvents } from './purchase/spend-events.ts';
import type { Quotes } from './quote/quotes.ts';
import type { SearchPace } from './search/pace.ts';
import type { WebhookDeps } from './webhook/deps.ts';

/** What a process knows of itself. */
export interface GatewayFacts {
  readonly environment: 'SANDBOX' | 'LIVE';
  readonly version: string;
  /** Milliseconds between two comparisons; null without events. */
  readonly eventsEveryMs: number | null;
}

/**
 * The objects of one tenant that live as long as the process; `app/tenants.ts` creates them. Tenants share the journal only,
 * in which `account` is part of every key.
 */
export interface TenantDeps {
  readonly domainApi: DomainApi;
  readonly accountApi: AccountApi;
  /** The cached list of domains. */
  readonly snapshot: Snapshot;
  readonly eventStreams: EventStreams;
  readonly webhooks: WebhookDeps;
  /** Stores which caller sends which write. */
  readonly writeLog: WriteLog;
  /** The domains that the gateway knows. */
  readonly ledger: Pick<Ledger, 'import'>;
  /** Counts the changes of cached data. */
  readonly revision: CacheRevision;
  readonly journal: Journal;
  readonly clock: Clock;
  /** Measures the age of cached replies. */
  readonly cacheClock: Pick<Clock, 'monotonicMs'>;
  readonly sightings: Sightings;
  readonly settlementNotifier: SettlementNotifier;
  readonly jobProgress: ProgressNotifier;
  /** Starts the work on new jobs without waiting for the next poll. */
  readonly startJobs: () => void;
  /** The TLDs known to refuse names with non-ASCII letters. */
  readonly idnRefusals: IdnRefusals;
  /** Limits the upstream calls of all searches together. */
  readonly searchPace: SearchPace;
  readonly randomness: Randomness;
  /** The reseller account that pays; part of every key of the journal. */
  readonly account: string;
  /** Milliseconds after the mark SENDING in which a purchase without a reply may still succeed. */
  readonly quietWindowMs: number;
  /** How often a transfer in progress is read. */
  readonly pace: TransferPace;
  /** Longest duration of a write, all its calls together. */
  readonly writeDeadlineMs: number;
  readonly audit: WriteAudit;
  readonly auditTrail: Omit<OpenAuditTrail, 'close'>;
  readonly gateway: GatewayFacts;
  /** What this process knows of the upstream from its earlier calls. */
  readonly upstreamState: () => UpstreamState;
  /** Upstream calls that one request may cause. */
  readonly maxUpstreamCalls: number;
  readonly limitsOf: (caller: Caller) => ScopedLimits;
  /** Null when there are no events. */
  readonly spendEvents: SpendEvents | null;
  /** The approval rules in force; null when nothing needs an approval. */
  readonly approvalRules: () => ApprovalRules | null;
  /** Computes all prices. */
  readonly quotes: Quotes;
  /** The caller of a job with the rights of now; null when its key was revoked, has expired or is bound to another customer. */
  readonly currentCaller: (before: Omit<Caller, 'tenant'>) => Caller | null;
}

/** The data of one HTTP request. */
export interface RequestFacts {
  readonly requestId: string;
  /** Whether a model sends it with a tool. */
  readonly viaMcp?: boolean | undefined;
  /** Opaque trace context, passed through to the observer of upstream calls. */
  readonly trace?: unknown;
  readonly caller: Caller;
  /** IP address of the sender; absent when it is not known. */
  readonly address?: string | undefined;
  /** Aborts when the client disconnects; created by the first call. Reads heed it, writes never do. */
  readonly signal: () => AbortSignal;
  /** The `Idempotency-Key` header; null without one. */
  readonly idempotencyKey: string | null;
  /** The client's Account API token; null without one. */
  readonly accountToken: Secret | null;
}
