import { sql } from 'kysely';
import type { DomainName } from '../../src/kernel/domain-name.ts';
import type { Fault } from '../../src/kernel/faults.ts';
import type { PurchaseFlowDeps } from '../../src/modules/purchase/flow.ts';
import type { Journal } from '../../src/persistence/journal.ts';
import type { PurchaseRecord } from '../../src/persistence/purchase-record.ts';
import type { Transition } from '../../src/persistence/purchase-store.ts';
import type { DomainApi } from '../../src/upstream/domain-api/domain-api.ts';
import { approvalMutants } from './approval-mutants.ts';
import { changeMutants } from './change-mutants.ts';
import { orderMutants } from './order-mutants.ts';
import { paymentMutants } from './payment-mutants.ts';
import { portfolioMutants } from './portfolio-mutants.ts';
import { createReplace, type Mutant, type Replacement, withMethods } from './replacements.ts';

// A bug replaces exported functions, which survive a change of their code. This file must not load a module of the gateway:
// it would be loaded without its bug.

interface Modules {
  'src/modules/availability/check.ts': typeof import('../../src/modules/availability/check.ts');
  'src/modules/mutation/send.ts': typeof import('../../src/modules/mutation/send.ts');
  'src/modules/purchase/conclude.ts': typeof import('../../src/modules/purchase/conclude.ts');
  'src/modules/purchase/follow.ts': typeof import('../../src/modules/purchase/follow.ts');
  'src/modules/purchase/ownership.ts': typeof import('../../src/modules/purchase/ownership.ts');
  'src/modules/purchase/reconciler.ts': typeof import('../../src/modules/purchase/reconciler.ts');
  'src/modules/purchase/settle.ts': typeof import('../../src/modules/purchase/settle.ts');
  'src/modules/purchase/sightings.ts': typeof import('../../src/modules/purchase/sightings.ts');
  'src/modules/purchase/commit.ts': typeof import('../../src/modules/purchase/commit.ts');
  'src/modules/purchase/idempotency.ts': typeof import('../../src/modules/purchase/idempotency.ts');
  'src/modules/purchase/flow.ts': typeof import('../../src/modules/purchase/flow.ts');
  'src/persistence/journal.ts': typeof import('../../src/persistence/journal.ts');
  'src/persistence/migrations.ts': typeof import('../../src/persistence/migrations.ts');
  'src/persistence/spending.ts': typeof import('../../src/persistence/spending.ts');
  'src/upstream/domain-api/shapes.ts': typeof import('../../src/upstream/domain-api/shapes.ts');
  'src/upstream/domain-api/domain-api.ts': typeof import('../../src/upstream/domain-api/domain-api.ts');
  'src/upstream/policies/retry.ts': typeof import('../../src/upstream/policies/retry.ts');
  'src/upstream/wire/classify.ts': typeof import('../../src/upstream/wire/classify.ts');
  'src/upstream/wire/error-codes.ts': typeof import('../../src/upstream/wire/error-codes.ts');
  'src/upstream/wire/upstream-text.ts': typeof import('../../src/upstream/wire/upstream-text.ts');
}

const replace = createReplace<Modules>();
const mutant = (name: string, ...replacements: Replacement[]): Mutant => ({ name, replacements });

const withJournal = (change: (journal: Journal) => Partial<Journal>): Replacement =>
  replace('src/persistence/journal.ts', 'createJournal', (create) => (db) => {
    const journal = create(db);
    return withMethods('journal', journal, change(journal));
  });

/** Changes what one purchase, from its request to its payload, uses. */
const withPurchaseDeps = (
  change: (deps: PurchaseFlowDeps) => Partial<PurchaseFlowDeps>,
): Replacement =>
  replace(
    'src/modules/purchase/flow.ts',
    'runPurchase',
    (run) => (deps, operation, input) => run({ ...deps, ...change(deps) }, operation, input),
  );

type About = Parameters<DomainApi['getdetails']>[0];
type PurchaseReply = Awaited<ReturnType<DomainApi['registerdomain' | 'transferdomain']>>;

/** Changes the replies to purchases. */
const withReply = (change: (domain: DomainName) => Partial<PurchaseReply>) =>
  replace('src/upstream/domain-api/domain-api.ts', 'createDomainApi', (create) => (...args) => {
    const api = create(...args);
    const changed = <Reply extends PurchaseReply>(reply: Reply, { domain }: About): Reply =>
      reply && { ...reply, ...change(domain as DomainName) };
    return withMethods('domainApi', api, {
      registerdomain: async (...call) => changed(await api.registerdomain(...call), call[0]),
      transferdomain: async (...call) => changed(await api.transferdomain(...call), call[0]),
    });
  });

/** Changes the outcomes that are recorded. */
const withOutcome = (change: (outcome: Transition) => Transition) =>
  replace(
    'src/modules/purchase/conclude.ts',
    'conclude',
    (conclude) => (deps, sent, outcome, isRead) => conclude(deps, sent, change(outcome), isRead),
  );

/** Makes one of the unique indexes not unique. */
const notUnique = (index: string) =>
  replace('src/persistence/migrations.ts', 'migrate', (migrate) => async (db) => {
    await migrate(db);
    await sql`drop index ${sql.id(index)}`.execute(db);
  });

const laterBy = <Of extends { readonly claimedAt: Date }>(of: Of, ms: number): Of => ({
  ...of,
  claimedAt: new Date(of.claimedAt.getTime() + ms),
});
const threeHoursMs = 3 * 60 * 60_000;

const purchaseMutants: readonly Mutant[] = [
  mutant(
    'sent-again-after-a-crash',
    replace('src/modules/purchase/flow.ts', 'runPurchase', (run) => (deps, operation, input) => {
      let sendAgain: () => Promise<unknown> = async () => null;
      const prepare: typeof operation.prepare = async (...args) => {
        const prepared = await operation.prepare(...args);
        const { send, domain } = prepared;
        const { period } = operation.identify(input);
        const again = domain && { domain, period: period ?? 1 };
        if (send && again) sendAgain = () => send(deps.domainApi, again, deps.options);
        return prepared;
      };
      const journal = withMethods('journal', deps.journal, {
        async byKey(...args) {
          const purchase = await deps.journal.byKey(...args);
          if (purchase?.state === 'SENDING') await sendAgain().catch(() => null);
          return purchase;
        },
      });
      return run({ ...deps, journal }, { ...operation, prepare }, input);
    }),
  ),
  mutant(
    'write-repeated',
    replace(
      'src/upstream/policies/retry.ts',
      'pauseBeforeRetry',
      (pause) => (error, attempt, _effect, randomness) => pause(error, attempt, 'read', randomness),
    ),
  ),
  mutant(
    'timeout-taken-for-failure',
    withOutcome((outcome) => (outcome.to === 'PENDING' ? { ...outcome, to: 'FAILED' } : outcome)),
  ),
  mutant(
    'exists-taken-for-no',
    replace(
      'src/modules/purchase/settle.ts',
      'settleByReading',
      (settle) => async (deps, purchase) => {
        const { fault } = purchase;
        const certain = { ...purchase, fault: fault && { ...fault, code: 'POLICY' as const } };
        const settled = await settle(deps, certain);
        return settled === certain ? purchase : settled;
      },
    ),
  ),
  mutant(
    'refusal-of-a-second-copy-believed',
    withOutcome((outcome) =>
      outcome.to === 'PENDING' && outcome.fault?.executed === 'NO'
        ? { ...outcome, to: 'FAILED' }
        : outcome,
    ),
  ),
  mutant(
    'reply-about-another-domain-believed',
    withReply((domain) => ({ name: domain })),
  ),
  mutant(
    'failed-status-under-ok-believed',
    withReply(() => ({ status: '' })),
  ),
  mutant(
    'data-of-another-shape-believed',
    replace(
      'src/upstream/domain-api/shapes.ts',
      'writtenDetailsReply',
      (read) => (body) => read(body) ?? null,
    ),
  ),
  mutant(
    'reason-of-a-refusal-lost',
    withOutcome(({ fault, ...outcome }) =>
      fault && outcome.to === 'FAILED' && fault.code === 'UPSTREAM_REJECTED'
        ? { ...outcome, fault: { ...fault, upstream: null } }
        : { ...outcome, ...(fault && { fault }) },
    ),
  ),
  mutant(
    'no-quiet-window',
    replace('src/modules/purchase/commit.ts', 'quietAfterMarkMs', () => () => 0),
  ),
  mutant(
    'quiet-window-by-a-clock-that-can-be-set',
    replace('src/modules/purchase/settle.ts', 'settleByReading', (settle) => (deps, purchase) => {
      const { clock, sightings } = deps;
      const see = (seen: PurchaseRecord) => {
        const ageMs = clock.now().getTime() - (seen.submittedAt ?? seen.claimedAt).getTime();
        return Object.assign(sightings.see(seen), { sinceMs: clock.monotonicMs() - ageMs });
      };
      return settle({ ...deps, sightings: withMethods('sightings', sightings, { see }) }, purchase);
    }),
  ),
  mutant(
    'one-read-is-enough',
    replace('src/modules/purchase/sightings.ts', 'createSightings', (create) => (clock) => {
      const sightings = create(clock);
      return withMethods('sightings', sightings, {
        see: (purchase) => Object.assign(sightings.see(purchase), { absentSinceMs: -Infinity }),
      });
    }),
  ),
  mutant(
    'sent-before-it-is-marked',
    withPurchaseDeps(({ journal }) => {
      let claimed: PurchaseRecord | null = null;
      return {
        journal: withMethods('journal', journal, {
          async claim(...args) {
            const claim = await journal.claim(...args);
            if (claim.outcome === 'claimed') claimed = claim.purchase;
            return claim;
          },
          async move(id, from, transition) {
            const moved = journal.move(id, from, transition);
            if (transition.to !== 'SENDING') return moved;
            moved.catch(() => undefined);
            return claimed && { ...claimed, state: 'SENDING' };
          },
        }),
      };
    }),
  ),
  mutant(
    'sent-however-late',
    withPurchaseDeps(({ journal, clock, domainApi }) => {
      let markedAtMs: number | null = null;
      const send = <Args extends unknown[], Reply>(call: (...args: Args) => Reply) => {
        return (...args: Args) => {
          markedAtMs = null;
          return call(...args);
        };
      };
      return {
        clock: withMethods('clock', clock, {
          monotonicMs: () => markedAtMs ?? clock.monotonicMs(),
        }),
        journal: withMethods('journal', journal, {
          move(id, from, transition) {
            if (transition.to === 'SENDING') markedAtMs = clock.monotonicMs();
            return journal.move(id, from, transition);
          },
        }),
        domainApi: withMethods('domainApi', domainApi, {
          registerdomain: send(domainApi.registerdomain),
          transferdomain: send(domainApi.transferdomain),
        }),
      };
    }),
  ),
  mutant(
    'key-that-expires',
    notUnique('purchases_by_key'),
    withJournal((journal) => ({
      async byKey(...args) {
        const purchase = await journal.byKey(...args);
        return purchase?.settledAt ? null : purchase;
      },
    })),
  ),
  mutant('lock-of-one-replica', notUnique('purchases_open')),
  mutant(
    'accepted-transfer-taken-for-complete',
    replace('src/modules/purchase/ownership.ts', 'ownershipOf', (ownershipOf) => (...args) => {
      const ownership = ownershipOf(...args);
      return ownership === 'transferring' ? 'owned' : ownership;
    }),
  ),
  mutant(
    'one-read-of-a-failed-transfer-is-enough',
    replace('src/modules/purchase/follow.ts', 'followTransfer', (follow) => (deps, purchase) => {
      const { sightings } = deps;
      return follow(
        {
          ...deps,
          sightings: withMethods('sightings', sightings, {
            confirmsFailure: (id, readAtMs, apartMs) =>
              sightings.confirmsFailure(id, readAtMs, id === purchase.id ? 0 : apartMs),
          }),
        },
        purchase,
      );
    }),
  ),
  mutant(
    'rejected-transfer-taken-for-complete',
    withOutcome(({ at, ...outcome }) =>
      outcome.fault?.code.startsWith('TRANSFER_') ? { to: 'SUCCEEDED', at } : { at, ...outcome },
    ),
  ),
  mutant(
    'outcome-write-lost',
    withJournal((journal) => ({
      move: (id, from, transition) =>
        journal.move(
          id,
          from.filter((state) => state !== 'SENDING'),
          transition,
        ),
    })),
  ),
  mutant(
    'pre-owned-taken-for-ours',
    withPurchaseDeps(({ journal, domains }) => {
      let isClaimed = false;
      return {
        journal: withMethods('journal', journal, {
          async claim(...args) {
            const claim = await journal.claim(...args);
            isClaimed = claim.outcome === 'claimed';
            return claim;
          },
          move(...args) {
            isClaimed = false;
            return journal.move(...args);
          },
        }),
        domains: withMethods('domains', domains, {
          async verify(...args) {
            const details = await domains.verify(...args);
            return isClaimed ? null : details;
          },
        }),
      };
    }),
  ),
  mutant(
    'stale-read-before-the-call-believed',
    withJournal((journal) => ({
      async list(account, page) {
        const purchases = await journal.list(account, page);
        return page.filter?.states?.join() === 'SUCCEEDED' ? [] : purchases;
      },
    })),
  ),
  mutant(
    'unlisted-code-taken-for-refusal',
    replace('src/upstream/wire/error-codes.ts', 'readErrorBody', (read) => (...args) => {
      const fault = read(...args);
      return fault?.code === 'UPSTREAM_REJECTED' ? fault.with({ executed: 'NO' }) : fault;
    }),
  ),
  mutant(
    'refusal-of-a-broken-server-believed',
    replace(
      'src/upstream/wire/classify.ts',
      'classifyDomainResponse',
      (classify) => (response, context) => {
        try {
          return classify(response, context);
        } catch (error) {
          const isRefusal = (error as Fault).upstream !== undefined;
          throw isRefusal ? faultOf(() => classify({ ...response, status: 400 }, context)) : error;
        }
      },
    ),
  ),
  mutant(
    'reconciler-ends-with-the-first-trouble',
    replace('src/modules/purchase/reconciler.ts', 'createReconciler', (create) => (deps) => {
      const { journal, clock } = deps;
      let hasEnded = false;
      const ending = <Args extends unknown[], Result>(read: (...args: Args) => Promise<Result>) => {
        return (...args: Args) =>
          read(...args).catch((error) => {
            hasEnded = true;
            throw error;
          });
      };
      return create({
        ...deps,
        journal: withMethods('journal', journal, {
          list: ending(journal.list),
          dueReads: ending(journal.dueReads),
        }),
        clock: withMethods('clock', clock, {
          wait: (...args) => (hasEnded ? new Promise(() => undefined) : clock.wait(...args)),
        }),
      });
    }),
  ),
  mutant(
    'fingerprint-without-the-period',
    replace(
      'src/modules/purchase/idempotency.ts',
      'purchaseFingerprint',
      (fingerprint) => (kind, input) =>
        fingerprint(kind, Object.assign({}, input, { period: null })),
    ),
  ),
  mutant(
    'login-in-a-message',
    replace('src/upstream/wire/upstream-text.ts', 'redactValues', (redact) => () => redact([])),
  ),
  mutant(
    'deletion-repeated',
    replace(
      'src/modules/mutation/send.ts',
      'sendOnce',
      (sendOnce) => (unknown, send) => sendOnce(unknown, () => send().catch(() => send())),
    ),
  ),
  mutant(
    'limits-outside-the-claim',
    replace(
      'src/persistence/spending.ts',
      'claimConditions',
      (conditions) => (of) => conditions(of, { GATEWAY: {}, KEY: {} }),
    ),
  ),
  mutant(
    'time-zone-slip',
    replace(
      'src/persistence/spending.ts',
      'claimConditions',
      (conditions) => (of, limits) => conditions(laterBy(of, threeHoursMs), limits),
    ),
    replace(
      'src/persistence/spending.ts',
      'readSpending',
      (read) => (db, of) => read(db, laterBy(of, threeHoursMs)),
    ),
  ),
  mutant(
    'absent-in-bulk-taken-for-available',
    replace(
      'src/modules/availability/check.ts',
      'createCheckTogether',
      (create, { isUnanswered }) =>
        (options) => {
          const check = create(options);
          return async (...args) =>
            (await check(...args)).map((one) =>
              isUnanswered(one) ? { ...one, state: 'AVAILABLE', fault: null } : one,
            );
        },
    ),
  ),
];

export const mutants: readonly Mutant[] = [
  ...purchaseMutants,
  ...orderMutants,
  ...changeMutants,
  ...approvalMutants,
  ...paymentMutants,
  ...portfolioMutants,
];

function faultOf(action: () => unknown): unknown {
  try {
    return action();
  } catch (error) {
    return error;
  }
}
