import { isSameHosts } from '../../kernel/domain-name.ts';
import { asFault, Fault, type FieldResult, valueOr } from '../../kernel/faults.ts';
import { fromStoredJson, type StoredFault } from '../../kernel/stored-json.ts';
import { changedValue } from '../../modules/changed-value/value.ts';
import type { HeldJob } from '../../modules/job/held-job.ts';
import type { JobItem, JobRecord } from '../../persistence/job-record.ts';
import type { DomainDetails } from '../../upstream/domain-api/shapes.ts';
import { type HostDifference, hostsAfter } from './hosts-after.ts';

/** The change of one domain. */
export type ItemChange =
  | { readonly setNameServers: readonly string[] }
  | HostDifference
  | { readonly privacyProtected: boolean }
  | { readonly sync: true }
  | { readonly unlock: true };

/** The change that a job makes on each of its domains. With `items` each domain has name servers of its own. */
export type DomainChange = ItemChange | { readonly items: true };

/** What a change replaces or sets: one member, or none when the registrar did not send it in a readable form. */
export interface ChangeValue {
  readonly nameServers?: readonly string[];
  readonly privacyProtected?: boolean;
  readonly transferLocked?: boolean;
  /** For a synchronisation, which sets no value of its own. */
  readonly status?: string;
}

/** What the journal stores for a job. */
export interface ChangeOptions extends HeldJob {
  readonly change: DomainChange;
  /** Hash of the input. */
  readonly fingerprint: string;
}

/** What the journal stores for a domain while the job works on it. */
export interface ChangeFacts {
  /** The name servers of the domain in `items`. */
  readonly target?: readonly string[];
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

/** The change of one domain of a job. `target` is that of its facts. */
export const changeAt = (change: DomainChange, target: readonly string[] = []): ItemChange =>
  'items' in change ? { setNameServers: target } : change;

/** Whether the change concerns some of the name servers only, so that the others must be read. */
export const isDifference = (change: DomainChange): change is HostDifference =>
  'replaceNameServer' in change || 'addNameServer' in change || 'removeNameServer' in change;

/** The field of a domain that a change is about. */
function fieldOf(change: ItemChange): keyof ChangeValue {
  if ('privacyProtected' in change) return 'privacyProtected';
  if ('unlock' in change) return 'transferLocked';
  return 'sync' in change ? 'status' : 'nameServers';
}

/** The value of the domain now. */
export function valueNow(change: ItemChange, details: DomainDetails): ChangeValue {
  const field = fieldOf(change);
  const known = valueOr<unknown, null>(details[field], null);
  return known === null ? {} : { [field]: known };
}

/** The value as clients see it; null for none. */
export function shownValue(value: ChangeValue = {}) {
  const { nameServers, privacyProtected, transferLocked, status } = value;
  if (nameServers) return changedValue('nameServers', nameServers);
  if (privacyProtected !== undefined) return changedValue('privacyProtected', privacyProtected);
  if (transferLocked !== undefined) return changedValue('transferLocked', transferLocked);
  return status === undefined ? null : changedValue('status', status);
}

/**
 * The value that the change sets; none for a synchronisation. Of a difference it depends on the value now: the fault is
 * `NOT_ELIGIBLE` when the domain must not have it, and `UPSTREAM_PROTOCOL` when the value now is not readable.
 */
export function valueAfter(change: ItemChange, now: ChangeValue): FieldResult<ChangeValue> {
  if ('setNameServers' in change) return { nameServers: change.setNameServers };
  if ('privacyProtected' in change) return change;
  if ('unlock' in change) return { transferLocked: false };
  if ('sync' in change) return {};
  const { nameServers } = now;
  if (!nameServers) return new Fault('UPSTREAM_PROTOCOL', { message: notReadable, executed: 'NO' });
  try {
    return { nameServers: hostsAfter(change, nameServers) };
  } catch (error) {
    return asFault(error);
  }
}

const notReadable =
  'The registrar returned no list of name servers that can be read as a whole, so the result of the change is not known; nothing was sent for it. "setNameServers" sets the whole list.';

/** Whether the value is the one that the change sets. False for a synchronisation, which is always sent. */
export function isSet(change: ItemChange, value: ChangeValue): boolean {
  const after = valueAfter(change, value);
  return !(after instanceof Fault) && isSameValue(value, after);
}

/** Whether both are readable and equal. */
export function isSameValue(
  value: ChangeValue,
  { nameServers, privacyProtected, transferLocked }: ChangeValue,
): boolean {
  if (nameServers) return isSameHosts(value.nameServers ?? [], nameServers);
  if (transferLocked !== undefined) return value.transferLocked === transferLocked;
  return privacyProtected !== undefined && value.privacyProtected === privacyProtected;
}

/**
 * The value before the change, of a domain that does not have the new one. A stored value is older than `now`. It stays
 * where `now` is not readable, and for a synchronisation that may have been made.
 */
export function valueBefore(
  change: ItemChange,
  stored: ChangeValue | undefined,
  now: ChangeValue,
): ChangeValue {
  const isOlderBetter = 'sync' in change || Object.keys(now).length === 0;
  return stored && isOlderBetter ? stored : now;
}
