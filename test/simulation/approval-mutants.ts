import { sql } from 'kysely';
import type { ApprovalStore } from '../../src/features/approval/store.ts';
import type { ApprovalTables } from '../../src/features/approval/table.ts';
import type { Payment } from '../../src/modules/purchase/checks.ts';
import type { JobRecord } from '../../src/persistence/job-record.ts';
import { createReplace, type Mutant, type Replacement, withMethods } from './replacements.ts';

// As `mutants.ts`: this file must not load a module of the gateway.

interface Modules {
  'src/features/approval/gate.ts': typeof import('../../src/features/approval/gate.ts');
  'src/features/approval/service.ts': typeof import('../../src/features/approval/service.ts');
  'src/features/audit/trail.ts': typeof import('../../src/features/audit/trail.ts');
  'src/modules/job/held-job.ts': typeof import('../../src/modules/job/held-job.ts');
  'src/modules/purchase-job/buyer.ts': typeof import('../../src/modules/purchase-job/buyer.ts');
  'src/features/order/hold-order.ts': typeof import('../../src/features/order/hold-order.ts');
  'src/features/approval/store.ts': typeof import('../../src/features/approval/store.ts');
  'src/persistence/migrations.ts': typeof import('../../src/persistence/migrations.ts');
}

const replace = createReplace<Modules>();
const mutant = (name: string, ...replacements: Replacement[]): Mutant => ({ name, replacements });

const withApprovals = (change: (approvals: ApprovalStore) => Partial<ApprovalStore>) =>
  replace('src/features/approval/store.ts', 'createApprovalStore', (create) => (db) => {
    const approvals = create(db);
    return withMethods('approvals', approvals, change(approvals));
  });

/** Changes the comparison of the requester and the decider. */
const withPersons = (isSamePerson: (one: string | null, other: string | null) => boolean) =>
  replace('src/features/approval/service.ts', 'createApprovalService', (create) => (deps) => {
    const approvalRules = () => {
      const rules = deps.approvalRules();
      return rules && { ...rules, isSamePerson };
    };
    return create({ ...deps, approvalRules });
  });

/** Ignores the refusal of these jobs. */
const withVerdict = (isIgnored: (job: JobRecord) => boolean) =>
  replace('src/modules/job/held-job.ts', 'verdictOf', (verdictOf) => async (deps, job) => {
    const verdict = await verdictOf(deps, job);
    return isIgnored(job as JobRecord) ? { ...verdict, refusal: null } : verdict;
  });

/** Typical bugs of approvals. */
export const approvalMutants: readonly Mutant[] = [
  mutant(
    'requester-approves-itself',
    withPersons((one) => one === null),
  ),
  mutant(
    'second-key-of-the-requester-approves',
    withPersons((one, other) => one === null || other === null || one === other),
  ),
  mutant(
    'rejected-taken-for-approved',
    withVerdict(({ kind }) => kind === 'PURCHASE'),
  ),
  mutant(
    'rejected-order-taken-for-approved',
    withVerdict(({ kind }) => kind === 'ORDER'),
  ),
  mutant(
    'rejected-bulk-change-taken-for-approved',
    replace('src/modules/job/held-job.ts', 'refusalOf', () => async () => null),
  ),
  mutant(
    'approved-after-its-expiry',
    withApprovals((approvals) => ({
      decide: (account, id, decision) =>
        approvals.decide(account, id, {
          ...decision,
          at: new Date(decision.at.getTime() - 600_000),
        }),
      expire: async () => false,
    })),
  ),
  mutant(
    'decision-overwritten-by-a-later-one',
    replace('src/features/approval/store.ts', 'createApprovalStore', (create) => (db) => {
      const approvals = create(db);
      return withMethods('approvals', approvals, {
        async decide(account, id, decision) {
          const decided = await approvals.decide(account, id, decision);
          if (decided) return decided;
          await sql`update approvals set state = ${decision.to}, decided_by = ${decision.by}
            where id = ${id} and state in ('GRANTED', 'REJECTED')`.execute(db);
          return (await approvals.byIds(account, [id]))[0] ?? null;
        },
      });
    }),
  ),
  mutant(
    'cancellation-taken-for-made-after-the-approval',
    withApprovals((approvals) => ({
      cancel: async (account, id) => {
        await approvals.cancel(account, id);
        return true;
      },
    })),
  ),
  mutant(
    'granted-approval-cancelled',
    replace(
      'src/features/approval/store.ts',
      'createApprovalStore',
      (create) => (db) =>
        withMethods('approvals', create(db), {
          async cancel(_account, id) {
            const { numAffectedRows } = await sql`update approvals set state = 'CANCELLED'
            where id = ${id} and state in ('REQUESTED', 'GRANTED')`.execute(db);
            return numAffectedRows === 1n;
          },
        }),
    ),
  ),
  mutant(
    'cost-that-rose-after-the-request',
    replace(
      'src/modules/purchase-job/buyer.ts',
      'paymentNow',
      (paymentNow) => (deps, checks, quoted, check) =>
        paymentNow(
          { ...deps, limits: { GATEWAY: {}, KEY: {} } },
          checks,
          { ...quoted, quoted: doubled(quoted.quoted) },
          check,
        ),
    ),
  ),
  mutant(
    'approved-order-not-checked-again',
    replace('src/modules/job/held-job.ts', 'isHeldJob', () => () => false),
  ),
  mutant(
    'rule-forgotten-for-two-years',
    replace('src/features/approval/gate.ts', 'createApprovalGate', (create) => (deps) => {
      const gate = create(deps);
      return withMethods('gate', gate, {
        decide: (operations, subject) =>
          subject.count === 1 && Number(subject.cost?.amount.toString() ?? 0) > 20
            ? null
            : gate.decide(operations, subject),
      });
    }),
  ),
  mutant(
    'rule-compared-with-the-highest-line',
    replace(
      'src/features/order/hold-order.ts',
      'heldOrder',
      (heldOrder) => (deps, id, input, checked) => {
        const costs = checked.lines.flatMap(({ quote }) => quote?.cost.highest ?? []);
        const [cost = null] = costs.toSorted((one, other) => other.amount.compare(one.amount));
        const gate = withMethods('gate', deps.gate, {
          decide: (kinds, subject) => deps.gate.decide(kinds, { ...subject, cost }),
        });
        return heldOrder({ ...deps, gate }, id, input, checked);
      },
    ),
  ),
  mutant(
    'expired-before-its-job-is-stored',
    replace('src/features/approval/store.ts', 'createApprovalStore', (create) => (db) => {
      const approvals = create(db);
      return withMethods('approvals', approvals, {
        hasDue: async () => true,
        async expire(account, now) {
          await db
            .$extendTables<ApprovalTables>()
            .updateTable('approvals')
            .set({ state: 'EXPIRED' })
            .where('account', '=', account)
            .where('state', '=', 'REQUESTED')
            .where('expires_at', '<=', now.toISOString())
            .execute();
          return approvals.expire(account, now);
        },
      });
    }),
  ),
  mutant(
    'sent-before-its-audit-entry',
    replace('src/features/audit/trail.ts', 'createAuditTrail', (create) => (options) => {
      const trail = create(options);
      return withMethods('trail', trail, {
        async begin(operation) {
          trail.begin(operation).catch(() => undefined);
          return () => undefined;
        },
      });
    }),
  ),
  mutant(
    'decision-that-releases-nothing',
    replace('src/persistence/migrations.ts', 'migrate', (migrate) => async (...given) => {
      const [db] = given;
      await migrate(...given);
      await sql`drop trigger approvals_decided`.execute(db);
    }),
  ),
];

/** A payment whose cost is twice as high. */
function doubled(payment: Payment): Payment {
  const { cost } = payment;
  return { ...payment, cost: { ...cost, amount: cost.amount.plus(cost.amount) } };
}
