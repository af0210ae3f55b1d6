import type { Config } from '../config/config.ts';
import type { Resolve } from '../outbound/outbound.ts';
import { given } from './tenant.ts';

/** The settings of the process, and what tests replace. */
export interface ModuleSettings
  extends Pick<
    Config,
    | 'approvals'
    | 'audit'
    | 'featureValues'
    | 'events'
    | 'maxAges'
    | 'portfolio'
    | 'purchases'
    | 'webhooks'
  > {
  readonly jobLeaseMs: number | undefined;
  readonly reconcileEveryMs: number;
  /** Of webhooks. Default: the resolver of the operating system. */
  readonly resolveHost: Resolve | undefined;
}

export const settings = given<ModuleSettings>('settings');

/** Counts and logs the events of one tenant. */
export interface TenantObserver {
  renewalsCovered(until: Date | null): void;
  /** An entry of the audit log is not stored, although its operation has run. */
  auditEntryLost(reason: string): void;
  /** `status` is null without a response, and `failure` is null when it was accepted. */
  webhookAttempt(attempt: {
    readonly status: number | null;
    readonly failure: string | null;
  }): void;
}

export const observer = given<TenantObserver>('observer');
