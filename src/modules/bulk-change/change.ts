import { isSameHosts } from '../../kernel/domain-name.ts';
import { type Fault, invalidInput } from '../../kernel/faults.ts';
import { valueOr } from '../../kernel/field-result.ts';
import { fromStoredJson, type StoredFault } from '../../kernel/stored-json.ts';
import type { JobItem, JobRecord } from '../../persistence/job-record.ts';
import type { DomainDetails } from '../../upstream/domain-api/shapes.ts';
import { changedValue } from '../changed-value/value.ts';
import type { ApprovedJob } from '../job/approved-job.ts';
import { type Checks, createChecks } from '../mutation/checks.ts';
import { checkNameServers } from '../name-server/rules.ts';

/** A change as a client sends it: exactly one member. */
export interface ChangeInput {
  readonly nameServers?: readonly string[] | null | undefined;
  readonly privacyProtected?: boolean | null | undefined;
  readonly sync?: boolean | null | undefined;
}

/** The change that a job makes on each of its domains. */
export type DomainChange =
  | { readonly nameServers: readonly string[] }
  | { readonly privacyProtected: boolean }
  | { readonly sync: true };

/** What a change replaces or sets: one member, or none when the registrar did not send it in a readable form. */
export interface ChangeValue {
  readonly nameServers?: readonly string[];
  readonly privacyProtected?: boolean;
  /** For a synchronisation, which sets no value of its own. */
  readonly status?: string;
}

/** What the journal stores for a job. */
export interface ChangeOptions extends ApprovedJob {
  readonly change: DomainChange;
  /** Hash of the input. */
  readonly fingerprint: string;
}

/** What the journal stores for a domain while the job works on it. */
export interface ChangeFacts {
  /** Set before the change is sent, and for as long as the registrar may have received it. */
  readonly before?: ChangeValue;
  /** The first of consecutive faults, and the end of the pause after the last one, in ISO 8601. */
  readonly failing?: { readonly since: string; readonly dueAt: string };
}

/** What the journal stores for a domain at its end. */
export interface ChangeDetails {
  readonly before?: ChangeValue;
  readonly after?: ChangeValue;
  readonly errors?: readonly StoredFault[];
}

/** UNCHANGED: the domain had the value already, and nothing was sent. */
export type ChangeOutcome = 'SUCCEEDED' | 'UNCHANGED' | 'FAILED' | 'UNKNOWN' | 'CANCELLED';

export const optionsOf = ({ options }: JobRecord): ChangeOptions => fromStoredJson(options);
export const factsOf = ({ facts }: JobItem): ChangeFacts => fromStoredJson(facts);
export const detailsOf = ({ result }: JobItem): ChangeDetails =>
  result ? fromStoredJson(result.details) : {};

/** The change in one spelling. `path` is that of the change in the input. */
export function checkChange(
  checks: Checks,
  path: readonly string[],
  { nameServers, privacyProtected, sync }: ChangeInput,
): DomainChange | null {
  if (nameServers) {
    const ofHosts = createChecks();
    const hosts = checkNameServers(ofHosts, nameServers);
    for (const fault of ofHosts.faults) checks.add(inChange(fault, path));
    return { nameServers: hosts };
  }
  if (typeof privacyProtected === 'boolean') return { privacyProtected };
  if (sync !== true) {
    checks.add(invalidInput('"sync" must be true.', { path: [...path, 'sync'] }));
    return null;
  }
  return { sync: true };
}

/** The fault of a write to one domain. Its path is in the change when the value caused it; else it is about the domain. */
export const inChange = (fault: Fault, path: readonly string[]): Fault => {
  const [, field, ...below] = fault.inputPath;
  return fault.with({ path: field === 'nameServers' ? [...path, field, ...below] : [] });
};

/** The value of the domain now. */
export function valueNow(
  change: DomainChange,
  { nameServers, privacyProtected, status }: DomainDetails,
): ChangeValue {
  if ('nameServers' in change) {
    const known = valueOr(nameServers, null);
    return known === null ? {} : { nameServers: known };
  }
  if ('privacyProtected' in change) {
    const known = valueOr(privacyProtected, null);
    return known === null ? {} : { privacyProtected: known };
  }
  const known = valueOr(status, null);
  return known === null ? {} : { status: known };
}

/** The value as clients see it; null for none. */
export function shownValue({ nameServers, privacyProtected, status }: ChangeValue = {}) {
  if (nameServers) return changedValue('nameServers', nameServers);
  if (privacyProtected !== undefined) return changedValue('privacyProtected', privacyProtected);
  return status === undefined ? null : changedValue('status', status);
}

/** Whether the value is the one that the change sets. False for a synchronisation, which is always sent. */
export function isSet(change: DomainChange, value: ChangeValue): boolean {
  if ('nameServers' in change) {
    return value.nameServers !== undefined && isSameHosts(value.nameServers, change.nameServers);
  }
  return 'privacyProtected' in change && value.privacyProtected === change.privacyProtected;
}

/**
 * The value before the change, of a domain that does not have the new one. A stored value is older than `now`. It stays
 * where `now` is not readable, and for a synchronisation that may have been made.
 */
export function valueBefore(
  change: DomainChange,
  stored: ChangeValue | undefined,
  now: ChangeValue,
): ChangeValue {
  const isOlderBetter = 'sync' in change || Object.keys(now).length === 0;
  return stored && isOlderBetter ? stored : now;
}
