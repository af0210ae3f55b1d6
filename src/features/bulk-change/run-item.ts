import { mayAny } from '../../kernel/caller.ts';
import type { DomainName } from '../../kernel/domain-name.ts';
import { asFault, Fault, isUnlistedRefusal, valueOr } from '../../kernel/faults.ts';
import { givenUpAfterMs, readsApartMs } from '../../kernel/instant.ts';
import type { Recorder } from '../../kernel/recorder.ts';
import { storedFault, toStoredJson } from '../../kernel/stored-json.ts';
import type { Clock } from '../../lib/clock.ts';
import { type DomainReads, domainReads } from '../../modules/domain/loader.ts';
import type { WriteDeps, WriteLog } from '../../modules/domain/write.ts';
import type { ItemEnd, RunItem } from '../../modules/job/engine.ts';
import { refusalOf } from '../../modules/job/held-job.ts';
import type { Holds } from '../../modules/job/holds.ts';
import type { RecorderOfItem } from '../../modules/job/job-recorder.ts';
import type { OpenReads } from '../../modules/job/parts.ts';
import { pauseAfter } from '../../modules/job/pause.ts';
import { openGate } from '../../modules/mutation/gate.ts';
import { createNameServerService } from '../../modules/name-server/service.ts';
import { createProtectionService } from '../../modules/protection/service.ts';
import { createSyncService } from '../../modules/sync/service.ts';
import type { JobResult, TakenItem } from '../../persistence/job-record.ts';
import type { TenantFacts } from '../../scope/tenant.ts';
import type { DomainDetails } from '../../upstream/domain-api/shapes.ts';
import {
  type ChangeDetails,
  type ChangeFacts,
  type ChangeOutcome,
  type ChangeValue,
  changeAt,
  factsOf,
  type ItemChange,
  isDifference,
  isSameValue,
  isSet,
  optionsOf,
  valueAfter,
  valueBefore,
  valueNow,
} from './change.ts';
import { inChange, neededFor } from './check-change.ts';

interface ChangeDeps
  extends Pick<TenantFacts, 'journal' | 'account' | 'clock' | 'writeDeadlineMs' | 'currentCaller'> {
  readonly holds: readonly Pick<Holds, 'by' | 'verdict'>[];
  readonly writeLog: WriteLog;
  readonly recorderOf: RecorderOfItem;
  readonly openReads: OpenReads;
  readonly invalidate: (name: DomainName) => void;
}

/** The work on one domain. */
interface ItemRun {
  readonly clock: Clock;
  readonly recorder: Recorder;
  readonly save: (facts: ChangeFacts) => Promise<boolean>;
}

/**
 * Returns the function that changes one domain of a job: it reads the domain, stores the value before, and sends the change
 * once. A domain for which `before` is stored may have been changed by an earlier process, so the read decides.
 */
export function createChangeRunner(deps: ChangeDeps): RunItem {
  return async (item, saveFacts) => {
    const { recorder, options } = deps.recorderOf('BulkChange', item.job);
    const { target, ...facts } = factsOf(item);
    const run: ItemRun = {
      clock: deps.clock,
      recorder,
      save: (next) => saveFacts(toStoredJson({ ...(target && { target }), ...next })),
    };
    // A domain with `before` may have been changed already, which its read decides.
    if (!facts.before && !mayStillWrite(deps, item))
      return notChanged(facts, undefined, mayNotWrite);
    const refusal = facts.before ? null : await refusalOf(deps, item.job);
    if (refusal) return notChanged(facts, undefined, refusal);
    // The domain may have another customer since the job was created.
    const { api, use } = deps.openReads(item.job.customer, options);
    const reads = use(domainReads);
    // Not an urgent read: a job must not use the slots that are reserved for writes and purchases.
    const details = await reads.uncached(domainOf(item)).catch(asFault);
    if (details instanceof Fault) return afterFailedRead(run, facts, details);
    if (details) {
      const write = { ...writeDeps(deps, reads, item, details), api, options };
      return changeDomain(run, item, details, write);
    }
    return notChanged(facts, facts.before, noDomain);
  };
}

/** Only names that were parsed are in a job. */
const domainOf = ({ domain }: TakenItem): DomainName => domain as DomainName;

function mayStillWrite({ currentCaller }: ChangeDeps, { job }: TakenItem): boolean {
  const needed = neededFor(optionsOf(job).change);
  const scopes = new Set(needed);
  const caller = currentCaller({ name: job.caller, customer: job.customer, scopes, limits: {} });
  return caller !== null && needed.every((scope) => mayAny(caller, [scope]));
}

const mayNotWrite = new Fault('FORBIDDEN', {
  message:
    'The API key of this bulk change was revoked, has expired, lost a scope that the change needs or has another customer, so this domain was not changed. Send a new bulk change with another key.',
});

const noDomain = new Fault('NOT_FOUND', { message: 'The account has no such domain.' });

const ended = (outcome: ChangeOutcome, details: ChangeDetails): JobResult => ({
  outcome,
  details: toStoredJson(details),
});

/** The end after a refusal. The registrar may still execute an earlier call, for which `before` is stored. */
function notChanged(facts: ChangeFacts, before: ChangeValue | undefined, fault: Fault): JobResult {
  const error = facts.before ? fault.with({ executed: 'UNKNOWN' }) : fault;
  return ended(facts.before ? 'UNKNOWN' : 'FAILED', {
    ...(before && { before }),
    errors: [storedFault(error)],
  });
}

/**
 * A job has no limit of calls. But a difference is sent once, with one read after a lost reply: before it is sent again, the
 * next step computes it from a new read. The read before the change also shows the status that refuses it.
 */
const writeDeps = (
  { clock, writeDeadlineMs, writeLog, invalidate }: ChangeDeps,
  reads: DomainReads,
  { job }: TakenItem,
  details: DomainDetails,
): Omit<WriteDeps, 'api' | 'options'> => ({
  clock,
  writeDeadlineMs,
  recordWrite: writeLog.of(job.caller),
  // The decision about the job is for all its domains.
  gate: openGate,
  budget: { takeSpare: isDifference(optionsOf(job).change) ? once() : () => true },
  domains: { ...reads, load: async () => details },
  invalidate(name) {
    invalidate(name);
    reads.invalidate(name);
  },
});

/** Returns true the first time. */
function once(): () => boolean {
  let left = 1;
  return () => left-- > 0;
}

async function changeDomain(
  run: ItemRun,
  item: TakenItem,
  details: DomainDetails,
  deps: WriteDeps,
): Promise<ItemEnd> {
  const { target, ...facts } = factsOf(item);
  const requested = optionsOf(item.job).change;
  const change = changeAt(requested, target);
  const now = valueNow(change, details);
  const wanted = valueAfter(change, now);
  if (wanted instanceof Fault) {
    return wanted.code === 'NOT_ELIGIBLE'
      ? notChanged(facts, facts.before ?? now, wanted)
      : afterFailedRead(run, facts, wanted);
  }
  if (isSet(change, now)) {
    const { before } = facts;
    return before
      ? ended('SUCCEEDED', { before, after: now })
      : ended('UNCHANGED', { before: now, after: now });
  }
  const before = valueBefore(change, facts.before, now);
  const begun: ChangeFacts = { ...facts, before };
  const domain = domainOf(item);
  // The entry comes first: a domain with `before` may have been changed.
  const sent = await run.recorder.write(
    { operation: mutationOf(wanted), subject: domain, input: wanted },
    async () => ((await run.save(begun)) ? write(deps, domain, wanted) : null),
    (end) => (end ? (end.errors[0]?.code ?? 'OK') : 'NOT_SENT'),
  );
  if (!sent) return leaseLost;
  const { after } = sent;
  const [fault] = sent.errors.map((one) => inChange(one, requested, item.position));
  if (!fault) return ended('SUCCEEDED', { before, after });
  if (fault.code === 'OUTCOME_UNKNOWN') return tryLater(run, begun, fault);
  if (!facts.before && isUnlistedRefusal(fault)) {
    return endRefused(run, deps, { domain, change, before }, fault);
  }
  // This call changed nothing, so only an earlier one may have.
  const left = facts.before ? begun : facts;
  if (fault.retryable) return tryLater(run, left, fault);
  await run.save(left);
  return notChanged(facts, before, fault);
}

/**
 * The end after a refusal with an unlisted code. The read of the write did not show the value, and a second one decides. The
 * process waits for it, because the clocks that time a pause of the item differ.
 */
async function endRefused(
  { clock, save }: ItemRun,
  { domains }: WriteDeps,
  { domain, change, before }: RefusedChange,
  fault: Fault,
): Promise<JobResult> {
  // No read shows a synchronisation, and nothing depends on it.
  if ('sync' in change) return notChanged({}, before, fault);
  await clock.wait(readsApartMs);
  const details = await domains.uncached(domain).catch(asFault);
  if (!details) return notChanged({ before }, before, noDomain);
  const now = details instanceof Fault ? {} : valueNow(change, details);
  if (isSet(change, now)) return ended('SUCCEEDED', { before, after: now });
  // When another client has changed the domain since, the reads do not show whether this change was made before.
  if (!isSameValue(now, before)) return notChanged({ before }, before, fault);
  await save({});
  return notChanged({}, before, fault.with({ executed: 'NO' }));
}

/** The mutation that sets the value of one domain. */
function mutationOf({ nameServers, privacyProtected, transferLocked }: ChangeValue): string {
  if (nameServers) return 'setNameServers';
  if (privacyProtected !== undefined) return 'setPrivacyProtection';
  return transferLocked === undefined ? 'syncDomain' : 'disableTransferLock';
}

interface RefusedChange {
  readonly domain: DomainName;
  readonly change: ItemChange;
  readonly before: ChangeValue;
}

/** Another process works on the item; this end changes nothing. */
const leaseLost: ItemEnd = { state: 'BEGUN', pauseMs: 0, pausesAll: false };

/** Whether a change is held was decided for the whole job. */
const ofJob = { require: async () => undefined };

/** Sends the value as the mutation for one domain does, or a synchronisation when there is none. */
async function write(
  deps: WriteDeps,
  domain: DomainName,
  { nameServers: hosts, privacyProtected: wanted, transferLocked }: ChangeValue,
): Promise<{ readonly errors: readonly Fault[]; readonly after: ChangeValue }> {
  if (hosts) {
    const set = await createNameServerService(deps).set({ domain, nameServers: hosts });
    const { errors, nameServers = hosts } = set;
    return { errors, after: { nameServers } };
  }
  if (wanted !== undefined) {
    const input = { domain, privacyProtected: wanted };
    const { errors, privacyProtected = wanted } =
      await createProtectionService(deps).setPrivacy(input);
    return { errors, after: { privacyProtected } };
  }
  if (transferLocked !== undefined) {
    const { errors, transferLocked: after = transferLocked } = await createProtectionService(
      deps,
    ).disableTransferLock({ domain }, ofJob);
    return { errors, after: { transferLocked: after } };
  }
  const { errors, registry } = await createSyncService(deps).sync({ domain }, false);
  const status = valueOr(registry?.status ?? null, null);
  return { errors, after: status === null ? {} : { status } };
}

/** A domain that may have been changed is read until it can be. */
const afterFailedRead = (
  run: ItemRun,
  facts: ChangeFacts,
  fault: Fault,
): Promise<ItemEnd> | ItemEnd =>
  fault.retryable || facts.before
    ? tryLater(run, facts, fault)
    : notChanged(facts, undefined, fault);

/** Releases the item, or ends it when it has failed for too long: as UNKNOWN when the change may have been made. */
async function tryLater(
  { clock, save }: ItemRun,
  { before, failing }: ChangeFacts,
  fault: Fault,
): Promise<ItemEnd> {
  const nowMs = clock.now().getTime();
  const facts: ChangeFacts = before ? { before } : {};
  const isFirst = !failing || !isRecent(failing.dueAt, nowMs);
  const since = isFirst ? new Date(nowMs).toISOString() : failing.since;
  if (nowMs - Date.parse(since) > givenUpAfterMs) {
    // A retry of the item begins a new time.
    await save(facts);
    return notChanged(facts, before, fault);
  }
  const pause = pauseAfter(fault);
  const dueAt = new Date(nowMs + pause.pauseMs).toISOString();
  await save({ ...facts, failing: { since, dueAt } });
  return { state: before ? 'BEGUN' : 'WAITING', ...pause };
}

/** Whether the item was taken soon after it was due. A fault long after the last one begins a new time. */
const isRecent = (dueAt: string, nowMs: number): boolean =>
  nowMs - Date.parse(dueAt) <= givenUpAfterMs;
