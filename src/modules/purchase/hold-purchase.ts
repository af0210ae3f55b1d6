import { storedKey } from '../../kernel/ids.ts';
import type { SpendLimits } from '../../kernel/spend-limits.ts';
import { fromStoredJson, toStoredJson } from '../../kernel/stored-json.ts';
import type { HeldJob } from '../job/held-job.ts';
import type { Gate, NeededHold } from '../mutation/gate.ts';
import { type CheckedPurchase, type CommitDeps, claimPurchase } from './commit.ts';
import { differentInput, keyConflict } from './idempotency.ts';

/** The options of a job that makes one purchase after its release. */
interface HeldPurchaseOptions extends Required<HeldJob> {
  /** The limits of the caller's key when it was requested. */
  readonly limits: SpendLimits;
}

/** What the journal stores for the item of such a job. */
export type HeldPurchaseFacts = Pick<
  CheckedPurchase,
  'kind' | 'period' | 'customer' | 'cost' | 'retail'
>;

interface HoldDeps extends CommitDeps {
  readonly gate: Gate;
}

interface Held {
  readonly hold: NeededHold;
  /** The whole input of the purchase, with its stored values. */
  readonly input: object;
}

/**
 * Stores a purchase that is held, with the job that sends it afterwards. Both, and the hold, have one id. The purchase is stored
 * last: until then its key is not used, and a repetition of the request continues here.
 */
export async function holdPurchase(
  deps: HoldDeps,
  checked: CheckedPurchase,
  { hold, input }: Held,
) {
  const { journal, account, caller, clock, randomness, gate } = deps;
  const { kind, domain, fingerprint, cost, retail, period, customer } = checked;
  const [id, createdAt] = [randomness.uuid(), clock.now()];
  const key = checked.key ?? storedKey(caller, randomness.uuid());
  await gate.hold({
    ...{ id, hold, jobKind: 'PURCHASE', domain, customer, fingerprint },
    ...{ count: 1, cost, price: retail?.price ?? cost },
  });
  const options: HeldPurchaseOptions = {
    limits: caller.limits,
    heldInputs: { [hold.by]: fingerprint },
  };
  const facts: HeldPurchaseFacts = { kind, period, customer, cost, retail };
  const { job, isNew } = await journal.jobs.create(
    {
      ...{ id, account, kind: 'PURCHASE', key, options: toStoredJson(options), createdAt },
      ...{ caller: caller.name, customer: caller.customer },
    },
    [
      {
        ...{ position: 0, domain, fingerprint, facts: toStoredJson(facts), result: null },
        input: toStoredJson({ kind, input }),
      },
    ],
    hold.by,
  );
  const { heldInputs } = fromStoredJson<HeldPurchaseOptions>(job.options);
  if (!isNew && (job.caller !== caller.name || heldInputs?.[hold.by] !== fingerprint)) {
    const purchase = await journal.byKey(account, key);
    throw purchase ? keyConflict(purchase, caller) : differentInput;
  }
  const { outcome, purchase } = await claimPurchase(deps, { ...checked, key, id: job.id });
  return { purchase, replayed: outcome === 'replayed' };
}
