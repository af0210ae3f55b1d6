import type { Caller } from '../../kernel/caller.ts';
import type { DomainName } from '../../kernel/domain-name.ts';
import { Fault, invalidInput } from '../../kernel/faults.ts';
import { fingerprint, toStoredJson } from '../../kernel/stored-json.ts';
import { isVisibleTo } from '../../kernel/visibility.ts';
import { type Checks, createChecks } from '../../modules/mutation/checks.ts';
import type { Gate, NeededHold } from '../../modules/mutation/gate.ts';
import { checkKey } from '../../modules/purchase/idempotency.ts';
import type { JobRecord } from '../../persistence/job-record.ts';
import type { Scope } from '../../scope/scope.ts';
import type { TenantFacts } from '../../scope/tenant.ts';
import { type ChangeFacts, type ChangeOptions, type DomainChange, optionsOf } from './change.ts';
import { type CheckedChange, checkChange } from './check-change.ts';
import {
  checkSelection,
  domainsOf,
  type SelectDeps,
  type Selection,
  type SelectionInput,
} from './select-domains.ts';

export interface ChangeDomainsInput extends SelectionInput {
  readonly idempotencyKey: string;
  readonly expectedCount: number;
}

export interface CreateJobDeps
  extends SelectDeps,
    Pick<TenantFacts, 'journal' | 'account' | 'randomness'>,
    Pick<Scope, 'caller' | 'idempotencyKey'> {
  /** Starts the work on new jobs without waiting for the next poll. */
  readonly startJobs: () => void;
  readonly gate: Gate;
}

interface CreatedJob {
  readonly job: JobRecord;
  readonly replayed: boolean;
}

const path = ['input'];

/**
 * Stores a job; its domains are changed later. The same key with the same input returns the stored job, without an upstream
 * call. A filter is resolved once: domains that match it later are not in the job.
 *
 * @throws Problems of the input; Fault `IDEMPOTENCY_CONFLICT`, and the fault of reading the list.
 */
export async function createJob(
  deps: CreateJobDeps,
  input: ChangeDomainsInput,
): Promise<CreatedJob> {
  const { journal, account, caller, clock, randomness } = deps;
  const checks = createChecks();
  const { idempotencyKey, expectedCount } = input;
  const key = checkKey(checks, { idempotencyKey, dryRun: false }, deps);
  const checked = checkChange(checks, [...path, 'change'], input.change, caller);
  const selection = checkSelection(checks, path, input, caller);
  if (key === null || !checked || !selection || checks.faults.length > 0) throw checks.problems();

  const { change, targets } = checked;
  const options: ChangeOptions = {
    change,
    fingerprint: fingerprintOf(checked, selection, expectedCount),
  };
  const earlier = await journal.jobs.byKey(account, 'CHANGE', key);
  if (earlier) return replay(caller, earlier, options);

  const names = await namesOf(deps, checks, selection, expectedCount);
  checks.finish();
  const id = randomness.uuid();
  const { fingerprint } = options;
  const count = names.length;
  const hold = neededHold(deps, change, count);
  if (hold) {
    await deps.gate.hold({
      ...{ id, hold, jobKind: 'CHANGE', domain: null, customer: caller.customer, fingerprint },
      ...{ count, cost: null, price: null },
    });
  }
  const { job, isNew } = await journal.jobs.create(
    {
      id,
      account,
      caller: caller.name,
      customer: caller.customer,
      kind: 'CHANGE',
      key,
      options: toStoredJson(
        hold ? { ...options, heldInputs: { [hold.by]: fingerprint } } : options,
      ),
      createdAt: clock.now(),
    },
    names.map((domain, position) => ({
      position,
      domain,
      fingerprint: '',
      input: null,
      facts: factsText(targets?.[position]),
      result: null,
    })),
    hold?.by,
  );
  if (!isNew) return replay(caller, job, options);
  if (!hold) deps.startJobs();
  return { job, replayed: false };
}

/**
 * Whether a change of so many domains is held. Removing locks is an UNLOCK too, so that a bulk change of one domain is no way
 * past the gate of it.
 */
export const neededHold = (
  { gate }: Pick<CreateJobDeps, 'gate'>,
  change: DomainChange,
  count: number,
): NeededHold | null =>
  gate.decide(['BULK_CHANGE', ...('unlock' in change ? (['UNLOCK'] as const) : [])], {
    ...{ cost: null, premium: null, count },
  });

/** Equal for equal input. Times of a filter are compared as text. */
const fingerprintOf = (
  { change, targets }: CheckedChange,
  selection: Selection,
  expectedCount: number,
): string =>
  fingerprint(
    'CHANGE',
    JSON.parse(
      JSON.stringify({ change, ...(targets && { targets }), ...selection, expectedCount }),
    ),
  );

const factsText = (target: ChangeFacts['target']): string =>
  toStoredJson((target ? { target } : {}) satisfies ChangeFacts);

/** @throws Fault `IDEMPOTENCY_CONFLICT` when the input differs, or the job belongs to another caller. */
function replay(caller: Caller, job: JobRecord, options: ChangeOptions): CreatedJob {
  if (!isVisibleTo(caller, job)) throw conflict('belongs to a bulk change of another caller');
  const isSame = optionsOf(job).fingerprint === options.fingerprint;
  if (!isSame) throw conflict('was used before with other input');
  return { job, replayed: true };
}

const conflict = (why: string) =>
  new Fault('IDEMPOTENCY_CONFLICT', {
    message: `The "idempotencyKey" ${why}. Send a new bulk change with a new key.`,
    path: [...path, 'idempotencyKey'],
  });

/** The domains of a job. Records a fault unless there are as many as the client expects. */
async function namesOf(
  deps: SelectDeps,
  checks: Checks,
  selection: Selection,
  expectedCount: number,
): Promise<readonly DomainName[]> {
  const { names, count } =
    'names' in selection
      ? { names: selection.names, count: selection.names.length }
      : await domainsOf(deps, checks, path, selection.filter, await deps.list());
  if (checks.faults.length === 0 && count !== expectedCount) {
    const message = `"expectedCount" is ${expectedCount}, and the bulk change has ${count === 1 ? '1 domain' : `${count} domains`}. Nothing was sent.`;
    checks.add(invalidInput(message, { path: [...path, 'expectedCount'] }));
  }
  return names;
}
