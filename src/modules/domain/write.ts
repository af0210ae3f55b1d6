import type { DomainName } from '../../kernel/domain-name.ts';
import { Fault, type FieldResult, valueOr } from '../../kernel/faults.ts';
import { perRequest } from '../../scope/scope.ts';
import { tenantHook } from '../../scope/tenant.ts';
import type { CallOptions } from '../../upstream/client/operation.ts';
import type { DomainApi } from '../../upstream/domain-api/domain-api.ts';
import type { DomainDetails } from '../../upstream/domain-api/shapes.ts';
import { type Gate, gate } from '../mutation/gate.ts';
import { sendIdempotent, type WriteTime } from '../mutation/send.ts';
import { type DomainReads, domainReads, uncancellable } from './loader.ts';

/** What a write sets. A sync may change any field. */
export type WrittenField = 'nameServers' | 'transferLocked' | 'privacyProtected' | 'sync';

/** What a write sets, without the facts that the log adds. */
interface SentChange {
  readonly field: WrittenField;
  /** The value as text; null for a sync. */
  readonly value: string | null;
}

/** Records a change that is sent at the same time. */
type RecordWrite = (domain: DomainName, change: SentChange) => RecordedWrite;

/** Must be called when the outcome of the change is known. */
interface RecordedWrite {
  /** `value` is the value that is set now, as text; null when it is unknown. */
  executed(value: string | null): void;
  notExecuted(): void;
}

/** Stores which caller changes which field, for the events of the changes. */
export interface WriteLog {
  /** `caller` is the name of the key whose request causes the writes; null with open access. */
  of(caller: string | null): RecordWrite;
}

/** Without events. */
export const unrecorded: RecordedWrite = {
  executed: () => undefined,
  notExecuted: () => undefined,
};

/** By default nothing is stored. */
export const writeLog = tenantHook<WriteLog>('writeLog', () => ({ of: () => () => unrecorded }));

export interface WriteDeps extends WriteTime {
  readonly api: DomainApi;
  readonly options: CallOptions;
  readonly domains: DomainReads;
  readonly invalidate: (name: DomainName) => void;
  readonly recordWrite: RecordWrite;
  readonly gate: Pick<Gate, 'requireForChange'>;
}

/** Sends a change that the gate allows, and records it, with its outcome when that is known. */
export async function recorded<T>(
  { recordWrite, gate }: Pick<WriteDeps, 'recordWrite' | 'gate'>,
  domain: DomainName,
  {
    shown,
    ...change
  }: SentChange & {
    /** The value in the reply as text; null when the reply does not show it. */
    readonly shown: (reply: T) => string | null;
  },
  send: () => Promise<T>,
): Promise<T> {
  gate.requireForChange(domain);
  const write = recordWrite(domain, change);
  try {
    const reply = await send();
    write.executed(shown(reply));
    return reply;
  } catch (error) {
    if (error instanceof Fault && error.executed === 'NO') write.notExecuted();
    throw error;
  }
}

/** Sends one write to a domain and invalidates the cached reads of the domain, also when the write fails. */
export async function writeTo<T>(
  { invalidate }: Pick<WriteDeps, 'invalidate'>,
  domain: DomainName,
  send: () => Promise<T>,
): Promise<T> {
  try {
    return await send();
  } finally {
    invalidate(domain);
  }
}

/** A setting of a domain. Sending it twice has no further effect. */
interface Setting<T> {
  readonly domain: DomainName;
  readonly send: (options: CallOptions) => Promise<T>;
  /** The setting in the details: null when it is not set, the fault of the field when that cannot be read. */
  readonly shown: (details: DomainDetails) => FieldResult<T | null>;
}

/** A setting in the details: null for another value, a fault when the reply does not have it. */
export function shownIf<T>(
  value: FieldResult<T | null>,
  isSet: (value: T) => boolean,
): FieldResult<T | null> {
  if (value === null) return new Fault('UPSTREAM_PROTOCOL', { executed: 'NO' });
  return value instanceof Fault || isSet(value) ? value : null;
}

/**
 * Writes a setting of a domain. After a lost reply `getdetails` verifies it, and a setting that is not visible is sent once more.
 *
 * @throws Fault the refusal of the upstream; `NOT_FOUND` when the account has no such domain; `OUTCOME_UNKNOWN` when neither
 * replies nor reads show whether it is set.
 */
export async function setOn<T>(deps: WriteDeps, { domain, send, shown }: Setting<T>): Promise<T> {
  try {
    return await sendIdempotent(deps, {
      send: (limit) => writeTo(deps, domain, () => send({ ...deps.options, ...limit })),
      async verify() {
        const details = await deps.domains.verify(domain).catch(unread);
        // A domain outside the account was not changed.
        if (details === null) throw new Fault('NOT_FOUND');
        return details instanceof Fault ? details : shown(details);
      },
      unknownMessage: (wasRead) =>
        `Whether the change was made is unknown: ${domain} ${wasRead ? 'does not show it yet' : 'cannot be read'}. Read the domain, then send the change again if needed: repeating it is safe.`,
    });
  } catch (error) {
    if (!(error instanceof Fault) || error.code !== 'LOCKED') throw error;
    throw await withStatus(deps, domain, error);
  }
}

/** The refusal with the status that causes it, read by one `getdetails` when the budget has a spare call. */
async function withStatus(
  { domains, budget }: WriteDeps,
  domain: DomainName,
  refusal: Fault,
): Promise<Fault> {
  const details = budget.takeSpare() ? await domains.load(domain).catch(() => null) : null;
  const status = valueOr(details?.status ?? null, null);
  // An active status in the account means that the registry's status is the cause, which only a sync would show.
  if (status === null || /^(?:active|ok)$/i.test(status)) return refusal;
  return refusal.with({
    message: `The status of ${domain} is ${status}, which does not allow this change.`,
    facts: { ...refusal.facts, status },
  });
}

/** A failed read proves nothing. */
const unread = (error: unknown): Fault =>
  error instanceof Fault ? error : new Fault('UPSTREAM_UNAVAILABLE', { executed: 'NO' });

/** For the writes of a request to its domains. */
export const domainWrites = perRequest(
  'domainWrites',
  ({ tenant, use, caller, writeOptions: options, invalidate }): WriteDeps => {
    const { clock, writeDeadlineMs, domainApi: api } = tenant;
    const domains = uncancellable(use(domainReads), options);
    const recordWrite = use(writeLog).of(caller.name);
    const { budget } = options;
    const time = { clock, writeDeadlineMs, budget };
    return { ...time, api, options, domains, invalidate, recordWrite, gate: use(gate) };
  },
);
