import type { Caller } from '../kernel/caller.ts';
import type { Clock, Randomness } from '../kernel/clock.ts';
import type { Revision } from '../kernel/revision.ts';
import type { Secret } from '../kernel/secret.ts';
import type { ScopedLimits } from '../kernel/spend-limits.ts';
import type { Journal } from '../persistence/store.ts';
import type { AccountApi } from '../upstream/account-api/client.ts';
import type { DomainApi } from '../upstream/domain-api/client.ts';
import type { WriteAudit } from './audit.ts';
import type { IdnRefusals } from './availability/idn-refusals.ts';
import type { GatewayFacts } from './gateway-info/service.ts';
import type { Snapshot } from './portfolio/snapshot.ts';
import type { TransferPace } from './purchase/transfer-pace.ts';
import type { Watch } from './purchase/watch.ts';
import type { Watcher } from './purchase/watcher.ts';
import type { SearchPace } from './search/pace.ts';

/**
 * What lives as long as the process, for one reseller account: nothing of it is shared with another but the journal, in
 * which `account` is part of every key. `tenant.ts` makes it.
 */
export interface Deps {
  readonly domainApi: DomainApi;
  readonly accountApi: AccountApi;
  /** The list of domains as this process keeps it. */
  readonly snapshot: Snapshot;
  /** Of what this process keeps. */
  readonly revision: Revision;
  readonly journal: Journal;
  readonly clock: Clock;
  /** What this process has seen of open purchases. */
  readonly watch: Watch;
  readonly watcher: Watcher;
  /** The TLDs that take no names with non-ASCII letters, as far as this process knows. */
  readonly idnRefusals: IdnRefusals;
  /** How fast searches may go, all of them together. */
  readonly searchPace: SearchPace;
  readonly randomness: Randomness;
  /** The reseller account that pays; part of every key of the journal. */
  readonly account: string;
  /** So long after it was marked SENDING a purchase without an answer may still come true. */
  readonly quietWindowMs: number;
  /** How often a transfer in progress is read. */
  readonly pace: TransferPace;
  /** So long a write may be under way. */
  readonly writeDeadlineMs: number;
  /** Takes each line of the audit. */
  readonly audit: WriteAudit;
  readonly gateway: GatewayFacts;
  /** Upstream calls that one request may cause. */
  readonly maxUpstreamCalls: number;
  /** What a caller may buy. */
  readonly limitsOf: (caller: Caller) => ScopedLimits;
}

/** What one HTTP request brings along. */
export interface RequestFacts {
  readonly requestId: string;
  /** What an onlooker at upstream calls knows the request by; nobody else reads it. */
  readonly trace?: unknown;
  readonly caller: Caller;
  /** The caller's abort, made when it is first asked for; reads heed it, writes never. */
  readonly signal: () => AbortSignal;
  /** The caller's key for the purchase of this request, from a header; null without one. */
  readonly idempotencyKey: string | null;
  /** The caller's Account API token, if any. */
  readonly accountToken: Secret | null;
}
