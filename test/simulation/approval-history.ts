import type { Approval } from '../../src/features/approval/store.ts';
import type { Fault } from '../../src/kernel/faults.ts';
import { globalId } from '../../src/kernel/ids.ts';
import { type ApprovalWeather, samePerson } from './approval-weather.ts';
import type { RequestedPurchase } from './history.ts';
import { epochMs } from './process-clock.ts';
import type { Service } from './service.ts';
import type { SharedStore } from './store.ts';
import type { World } from './world.ts';

type Row = Readonly<Record<string, unknown>>;

interface ApprovalChecks {
  readonly world: World;
  readonly store: SharedStore;
  readonly service: Service;
  readonly weather: ApprovalWeather;
  readonly count: (what: string) => void;
}

interface Decision {
  readonly id: string;
  readonly by: string | null;
  readonly to: 'GRANTED' | 'REJECTED';
}

const decidedColumns = ['decided_at', 'decided_by', 'reason'];
const fixedColumns = [
  ...['operation', 'job_kind', 'domain', 'caller', 'customer', 'rule', 'fingerprint', 'count'],
  ...['cost_amount', 'cost_currency', 'price_amount', 'price_currency', 'expires_at'],
];
const units = (text: unknown): number => Math.round(Number(text) * 10_000);
const hasBob = (json: string): boolean => json.includes('"Bob"');
const isSamePerson = (one: unknown, other: unknown) =>
  one === other || (samePerson.includes(String(one)) && samePerson.includes(String(other)));

/** Checks the promises A1 to A3 about approvals and their entries in the audit log, by the true state of the store and of the service. */
export function createApprovalHistory({ world, store, service, weather, count }: ApprovalChecks) {
  // Nothing removes the events from it.
  store.rows('insert into outbox_readers (account) values (?)', 'simulated:account');
  const rows = new Map<string, Row>();
  /** When the approvals were decided, by no clock of a gateway. */
  const decidedAtMs = new Map<string, number>();
  /** The inputs of the jobs that wait, as they were when they were first seen. */
  const inputs = new Map<string, string>();
  /** Decisions and cancellations that were reported as made. */
  const reported = new Map<string, Decision>();
  const cancelled = new Set<string>();
  let unlocksSent = 0;

  const changed = (row: Row, before: Row | undefined) => {
    const { id, state } = row;
    if (!before) return world.trace(`approval ${id} of ${row.domain} is ${state}`);
    const odd = fixedColumns.find((column) => row[column] !== before[column]);
    if (odd) world.violate('A2', `${odd} of ${id} has changed`);
    if (state === before.state) {
      const again = decidedColumns.find((column) => row[column] !== before[column]);
      if (again) world.violate('A2', `${again} of ${id} has changed after the decision`);
      return;
    }
    world.trace(`approval ${id} is ${state} by ${row.decided_by}`);
    count(`approval ${state}`);
    // A grant without a job is used once, or expires.
    const isOver = before.state === 'GRANTED' && row.job_kind === null;
    if (before.state !== 'REQUESTED' && !isOver) {
      world.violate('A2', `${id} was ${before.state} and is ${state}`);
    }
    const lateMs = world.nowMs() - (Date.parse(String(row.expires_at)) - epochMs);
    const toleranceMs = 2 * weather.clockErrorMs;
    if (state === 'EXPIRED' && lateMs < -toleranceMs) {
      world.violate('A2', `${id} has expired ${Math.round(-lateMs)} ms too early`);
    }
    if (state !== 'GRANTED' && state !== 'REJECTED') return;
    decidedAtMs.set(String(id), world.nowMs());
    // A process that pauses after its decision stores it later.
    if (String(row.decided_at) >= String(row.expires_at)) {
      world.violate('A1', `${id} was ${state} at ${row.decided_at} after its expiry`);
    }
    if (row.decided_by === null || isSamePerson(row.decided_by, row.caller)) {
      world.violate('A1', `${id} of ${row.caller} is ${state} by ${row.decided_by}`);
    }
  };

  /** The reason why nothing may be sent for a job or a purchase with this id; null when it may. */
  const obstacle = (id: string): string | null => {
    const state = rows.get(id)?.state;
    return state === undefined || state === 'GRANTED' ? null : `${id} is sent, and is ${state}`;
  };

  /** The purchases of an order that may have been charged. */
  const purchasesOf = (orderId: string): readonly Row[] =>
    store.rows("select * from purchases where order_id = ? and state <> 'FAILED'", orderId);

  /** The items that wait for an approval. */
  const itemsOf = ({ id }: Row): readonly Row[] =>
    store.rows('select * from job_items where job_id = ? order by position', String(id));
  const inputOf = (approval: Row): string =>
    itemsOf(approval)
      .filter(({ input }) => input !== null)
      .map(({ input }) => String(input))
      .join();
  const checkInputOf = (approval: Row) => {
    const { id, state } = approval;
    if (state !== 'REQUESTED' && state !== 'GRANTED') return;
    const released = itemsOf(approval).some(
      (one) => one.state === 'WAITING' || one.state === 'BEGUN',
    );
    if (state === 'REQUESTED' && released)
      world.violate('A1', `${id} is released before its decision`);
    const now = inputOf(approval);
    const first = inputs.get(String(id)) ?? now;
    if (first !== '') inputs.set(String(id), first);
    // A cancelled job has no input.
    if (state === 'REQUESTED' && now !== '' && now !== first) {
      world.violate('A1', `the input of ${id} has changed while it waits`);
    }
  };
  /** Whether a purchase that waits or waited has another registrant. */
  const isOther = ({ firstName = 'Ada' }: RequestedPurchase, id: string) =>
    inputs.has(id) && hasBob(inputs.get(id) ?? '') !== (firstName === 'Bob');

  /** A3: the audit log has an entry of a call of a job before it is sent. */
  const checkAudit = (type: 'Order' | 'Purchase' | 'BulkChange', id: string, domain: string) => {
    const entries = store.rows(
      'select 1 from audit_entries where request_id = ? and domain = ? and begun is null',
      globalId(type, id),
      domain,
    );
    if (entries.length === 0) world.violate('A3', `${domain} of ${id} is sent without an entry`);
  };

  return {
    /** Whether a stored purchase of this key has, or may have, another registrant. */
    hasOtherInput(requested: RequestedPurchase): boolean {
      const [purchase] = store.rows('select id from purchases where key = ?', requested.key);
      const id = String(purchase?.id);
      return purchase !== undefined && (!inputs.has(id) || isOther(requested, id));
    },
    hasJob: (key: string | null): boolean =>
      store.rows('select 1 from jobs where key = ?', key).length > 0,
    /** Checks the purchase that a request received. */
    checkInput(requested: RequestedPurchase, id: string): void {
      const isRegistration = requested.kind === 'REGISTRATION';
      if (isRegistration && isOther(requested, id)) {
        world.violate('I6', `${id} has another registrant than the request`);
      }
    },

    /** Compares the approvals with their last rows, after each statement that may have changed them. Returns whether one has. */
    written(): boolean {
      let isAny = false;
      for (const row of store.rows('select * from approvals')) {
        const id = String(row.id);
        const before = rows.get(id);
        isAny ||= before?.state !== row.state;
        changed(row, before);
        rows.set(id, row);
        checkInputOf(row);
      }
      return isAny;
    },

    /** Checks a purchase when it is sent. */
    sent(purchase: Row, fields: Readonly<Record<string, unknown>>): void {
      const id = String(purchase.order_id ?? purchase.id);
      const approval = rows.get(id);
      const isOfOrder = purchase.order_id !== null;
      const all = isOfOrder ? purchasesOf(id) : [purchase];
      const spent = all.reduce((sum, row) => sum + units(row.cost_amount), 0);
      const years = Number(purchase.period);
      const domain = String(purchase.domain);
      const isTransfer = purchase.kind === 'TRANSFER';
      const chargedYears = isTransfer ? 1 : years;
      const firstCost = service.firstPrice(domain, isTransfer) * chargedYears;
      if (!approval) {
        count('sent without an approval');
        const cost = Math.max(firstCost, spent);
        if (cost > weather.above) world.violate('A1', `${id} is sent without an approval`);
        return;
      }
      const reason = obstacle(id);
      if (reason) world.violate('A1', reason);
      checkAudit(isOfOrder ? 'Order' : 'Purchase', id, domain);
      count(`sent with an approval of ${approval.job_kind}`);
      const most = units(approval.cost_amount);
      if (spent > most) world.violate('A1', `${id} costs ${spent}, and ${most} was approved`);
      const isRisen = (decidedAtMs.get(id) ?? 0) > weather.priceRises.atMs;
      const charged = service.price(domain, isTransfer) * chargedYears;
      if (isRisen && charged > units(purchase.cost_amount)) {
        world.violate('A1', `${id} is sent for the price before the decision`);
      }
      if (isOfOrder) return;
      const isSameRegistrant = hasBob(inputs.get(id) ?? '') === hasBob(JSON.stringify(fields));
      if (!isTransfer && !isSameRegistrant) {
        world.violate('A1', `${id} is sent with another registrant than the approved one`);
      }
      const isSame = ['domain', 'fingerprint', 'caller'].every(
        (column) => purchase[column] === approval[column],
      );
      if (!isSame || purchase.kind !== approval.operation) {
        world.violate('A1', `${id} is sent with other input than the approved one`);
      }
    },

    /** Checks a change of a domain when it is sent. */
    sentChange(jobId: string, domain: string): void {
      checkAudit('BulkChange', jobId, domain);
      if (!rows.has(jobId)) world.violate('A1', `${jobId} is sent without an approval`);
      const reason = obstacle(jobId);
      if (reason) world.violate('A1', reason);
      count('changes sent with an approval');
    },

    /** Checks an unlock when it is sent: a grant is for one request, which sends it again after a lost reply. */
    sentUnlock(): void {
      unlocksSent += 1;
      const used = [...rows.values()].filter(({ state }) => state === 'USED').length;
      if (unlocksSent > 2 * used) world.violate('A1', `${unlocksSent} unlocks for ${used} grants`);
    },

    decided(decision: Decision, approval: Approval | null, errors: readonly Fault[]): void {
      const { id, by, to } = decision;
      for (const { code } of errors) count(`decision error ${code}`);
      if (!approval) return;
      count(`decided ${to}`);
      const earlier = reported.get(id);
      if (earlier) world.violate('A2', `${id} was decided by ${earlier.by} and by ${by}`);
      reported.set(id, decision);
    },

    cancelled(id: string, { errors }: { readonly errors: readonly Fault[] }): void {
      for (const { code } of errors) count(`cancellation error ${code}`);
      if (errors.length > 0) return;
      count('purchases cancelled');
      cancelled.add(id);
    },

    /** Checks at the end of the run that each outcome has its decision, and each decision its event. */
    close(): void {
      for (const { id, by, to } of reported.values()) {
        const row = rows.get(id);
        const isOver = to === 'GRANTED' && row?.job_kind === null;
        if ((row?.state !== to && !isOver) || row?.decided_by !== by) {
          world.violate('A2', `${id} was reported as ${to} by ${by}, and is ${row?.state}`);
        }
      }
      for (const id of cancelled) {
        const state = rows.get(id)?.state;
        if (state !== 'CANCELLED') world.violate('A1', `${id} was cancelled, and is ${state}`);
      }
      for (const [id, row] of rows) {
        const { state, job_kind: kind } = row;
        const events = store
          .rows(
            `select events ->> 'type' as type from outbox
              where events ->> 'id' like ? || ':APPROVAL_%' order by type`,
            id,
          )
          .map(({ type }) => String(type).replace('APPROVAL_', ''));
        const [job] = store.rows('select key from jobs where id = ?', id);
        if (!job) continue;
        // The process that cancelled the job ended before it cancelled the approval, which expires.
        const isHeld = itemsOf(row).some((one) => one.state !== 'DONE');
        if (state === 'REQUESTED' && kind !== 'PURCHASE' && !isHeld) continue;
        const end = state === 'CANCELLED' ? [] : [String(state)];
        if (events.join() !== [...end, 'REQUESTED'].toSorted().join()) {
          world.violate('A2', `${id} is ${state}, and has the events ${events.join()}`);
        }
        if (kind !== 'PURCHASE') continue;
        const [purchase] = store.rows('select * from purchases where id = ?', id);
        // The process that requested it ended, and its client used the key for another purchase.
        const [other] = store.rows('select 1 from purchases where key = ?', String(job.key));
        if (!purchase && other) continue;
        const code = String(purchase?.fault_code);
        const expected = `APPROVAL_${state}`;
        if (state !== 'GRANTED' && (purchase?.state !== 'FAILED' || code !== expected)) {
          world.violate('A1', `${id} is ${state}, and its purchase ${purchase?.state} by ${code}`);
        }
        const mayFail = weather.priceRises.factor !== 1;
        if (state === 'GRANTED' && code.startsWith('APPROVAL_') && !mayFail) {
          world.violate('A2', `${id} is GRANTED, and its purchase failed by ${code}`);
        }
      }
    },
  };
}
