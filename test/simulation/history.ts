import { faultsOf } from '../../src/modules/mutation/checks.ts';
import type { PurchasePayload } from '../../src/modules/purchase/payload.ts';
import type { PurchaseKind, PurchaseRecord } from '../../src/persistence/purchase-record.ts';
import { createApprovalHistory } from './approval-history.ts';
import { createChangeHistory } from './change-history.ts';
import { brokenByOne, brokenLimits } from './limits.ts';
import type { NetworkTimes } from './network.ts';
import { createOrderHistory } from './order-history.ts';
import { createPaymentHistory } from './payment-history.ts';
import { createPortfolioHistory } from './portfolio-history.ts';
import { authCode, initialBalance, login, moneyText, type Service } from './service.ts';
import type { SharedStore } from './store.ts';
import type { Weather } from './weather.ts';
import type { World } from './world.ts';

/** The facts of a requested purchase that distinguish it from others. */
export interface RequestedPurchase {
  readonly kind: PurchaseKind;
  readonly domain: string;
  readonly period: number;
  readonly key: string | null;
  /** The first name of the registrant. By default Ada. */
  readonly firstName?: string;
}

export type History = ReturnType<typeof createHistory>;

const open = "('CLAIMED', 'SENDING', 'PENDING', 'IN_PROGRESS')";
const secrets = [login.password, authCode];

/**
 * Checks everything that a run sends, reports and writes against the promises, during the run and at its end.
 *
 * It reads the true state of the service and of the store, and does not depend on how the gateway works.
 */
export function createHistory(
  world: World,
  store: SharedStore,
  service: Service,
  { staleMs }: NetworkTimes,
  {
    portfolio: weather,
    approvals: approvalWeather,
    payments: paymentWeather,
    prices,
    buyers,
    limits,
  }: Pick<Weather, 'portfolio' | 'approvals' | 'payments' | 'prices' | 'buyers' | 'limits'>,
) {
  const counts = new Map<string, number>();
  const sentAtMs = new Map<string, number>();
  const downtimes: { readonly fromMs: number; readonly toMs: number }[] = [];
  const ends = new Map<string, string>();
  const byKey = new Map<string, string>();
  /** The upstream's code that was reported for a purchase. */
  const reasons = new Map<string, string>();
  const deletionsSent = new Set<string>();
  const notDeleted = new Set<string>();
  /** All buyers of a name have the same. */
  const maxPrices = new Map(buyers.map(({ domain, maxPrice }) => [domain, maxPrice]));
  const rises = prices?.rises ?? approvalWeather?.priceRises;
  const hasRises = (rises?.factor ?? 1) !== 1;

  const count = (what: string) => counts.set(what, (counts.get(what) ?? 0) + 1);
  const rowOf = (id: string) => store.rows('select * from purchases where id = ?', id)[0];
  const rowOfKey = (key: string) => store.rows('select * from purchases where key = ?', key)[0];
  /** The purchases that the service made; a failed transfer, whose price was returned, does not count. */
  const commitsOf = (id: string) =>
    service.commits.filter(({ cause, outcome }) => cause === id && outcome !== 'undone');
  const isComplete = (id: string) => commitsOf(id).some(({ outcome }) => outcome === 'complete');

  const checkNoSecret = (what: string, value: unknown) => {
    const text = JSON.stringify(value);
    const leaked = secrets.find((secret) => text.includes(secret));
    if (leaked) world.violate('I8', `${what} holds "${leaked}"`);
  };

  /** Checks an outcome that is reported. */
  const checkOutcome = (id: string, state: string) => {
    if (state === 'SUCCEEDED' && !isComplete(id)) {
      world.violate('I3', `${id} was reported as SUCCEEDED, and the account does not have it`);
    }
    if (state === 'FAILED' && commitsOf(id).length > 0) {
      world.violate('I4', `${id} was reported as FAILED, and the service had done it`);
    }
  };

  /** Checks that the upstream's code, once reported and stored, is not lost when the purchase fails. An accepted transfer fails for another reason. */
  const checkReason = (id: string, state: unknown, code: unknown, acceptedAt: unknown) => {
    const reason = reasons.get(id);
    if (
      reason &&
      acceptedAt === null &&
      (state === 'FAILED' || state === 'UNKNOWN') &&
      code !== reason
    ) {
      world.violate('REASON', `${id} is ${state}, and has lost ${reason}`);
    }
  };

  /** Whether the journal has the reported state. It has an earlier one when it failed while the outcome was recorded. */
  const isStored = ({ id, state }: PurchaseRecord): boolean =>
    store.rows('select state from purchases where id = ?', id)[0]?.state === state;

  const reported = (purchase: PurchaseRecord) => {
    const { id, state, fault, acceptedAt } = purchase;
    checkReason(id, state, fault?.upstream?.code, acceptedAt);
    if (fault?.upstream && isStored(purchase)) reasons.set(id, fault.upstream.code);
    world.trace(`reported ${id} ${state}`);
    count(`reported ${state}`);
    checkNoSecret('a purchase', purchase);
    checkOutcome(id, state);
    if (state === 'IN_PROGRESS' && !service.commits.some(({ cause }) => cause === id)) {
      world.violate('I3', `${id} was reported as IN_PROGRESS, and the service never did it`);
    }
    if (state !== 'SUCCEEDED' && state !== 'FAILED') return;
    const before = ends.get(id);
    if (before && before !== state) world.violate('I4', `${id} was ${before} and is now ${state}`);
    ends.set(id, state);
  };

  const hasLimits = Object.keys({ ...limits.GATEWAY, ...limits.KEY }).length > 0;
  const orders = createOrderHistory({
    ...{ world, store, service, count, checkNoSecret },
    ...{ hasRises, prices },
    wasSent: (id) => sentAtMs.has(id),
    mayWait: (id) => hasLimits && payments?.isPaid(id) === true,
  });
  const approvals =
    approvalWeather &&
    createApprovalHistory({ world, store, service, weather: approvalWeather, count });
  const payments = paymentWeather && createPaymentHistory({ world, store, service, count });
  const changes = createChangeHistory({
    ...{ world, store, service, count, checkNoSecret, staleMs },
    sentWith: (jobId, domain) => approvals?.sentChange(jobId, domain),
  });

  const portfolio =
    weather && createPortfolioHistory({ world, store, service, weather, count, checkOutcome });

  return {
    counts,
    count,
    reported,
    /** The checks of orders, of changes of many domains, and of a portfolio; null in a run without one. */
    orders,
    changes,
    portfolio,
    /** The checks of approvals; null in a run without rules for them. */
    approvals,
    /** The checks of paid orders; null in a run without them. */
    payments,
    /** Requests on the wire, which the service will still execute. */
    pendingRequests: 0,

    /** Checks I1 and I2 when a purchase is sent. Returns the id of the purchase. */
    sent(sender: string, action: string, fields: Readonly<Record<string, unknown>>): string {
      const domain = String(fields.domain);
      const kind = action === 'registerdomain' ? 'REGISTRATION' : 'TRANSFER';
      const rows = store.rows(
        `select * from purchases where domain = ? and kind = ? and state in ${open}`,
        domain,
        kind,
      );
      const [row] = rows;
      if (rows.length > 1) world.violate('I2', `${rows.length} purchases of ${domain} are open`);
      if (row?.state !== 'SENDING') {
        const found = row ? String(row.state) : 'nothing';
        world.violate('I1', `${sender} sends ${action} ${domain}, and the journal has ${found}`);
        return 'no purchase';
      }
      const id = String(row.id);
      if (sentAtMs.has(id)) world.violate('I1', `${sender} sends ${id} a second time`);
      sentAtMs.set(id, world.nowMs());
      for (const broken of brokenByOne(row, limits)) world.violate('LIMIT', broken);
      const maxPrice = row.order_id === null ? maxPrices.get(domain) : null;
      if (maxPrice && Number(row.cost_amount) > Number(maxPrice)) {
        world.violate('LIMIT', `${id} is sent for ${row.cost_amount}, and maxPrice is ${maxPrice}`);
      }
      orders.sent(row);
      approvals?.sent(row, fields);
      payments?.sent(row);
      return id;
    },

    /** Checks a deletion when it is sent. Returns its token, which identifies it. */
    sentWith(authorization: string): string {
      const token = authorization.replace('Bearer ', '');
      if (deletionsSent.has(token)) world.violate('ONCE', `the deletion of ${token} is sent again`);
      deletionsSent.add(token);
      return token;
    },
    /** Checks the reported outcome of a deletion. */
    deleted(token: string, executed: 'YES' | 'NO' | 'UNKNOWN'): void {
      count(`deletion ${executed}`);
      const isDone = service.deletions.includes(token);
      if (executed === 'YES' && !isDone) world.violate('ONCE', `${token} was reported as done`);
      if (executed === 'NO') notDeleted.add(token);
    },

    /** The row of a key before the request, for `checkPayload`. */
    before: ({ key }: RequestedPurchase) => (key === null ? undefined : rowOfKey(key)),

    checkPayload(
      requested: RequestedPurchase,
      before: Record<string, unknown> | undefined,
      answer: PurchasePayload,
    ): void {
      const { purchase, errors } = answer;
      checkNoSecret('a response', {
        ...answer,
        errors: errors.map((fault) => ({ ...fault, message: fault.message })),
      });
      for (const { code } of errors) count(`error ${code}`);
      if (purchase) {
        reported(purchase);
        if (answer.replayed) count('replayed');
        const isSame =
          purchase.kind === requested.kind &&
          purchase.domain === requested.domain &&
          purchase.period === requested.period;
        approvals?.checkInput(requested, purchase.id);
        if (!isSame) world.violate('I6', `${purchase.id} differs from the request`);
        if (requested.key !== null) {
          const known = byKey.get(requested.key) ?? purchase.id;
          if (known !== purchase.id) world.violate('I6', `${requested.key} has two purchases`);
          byKey.set(requested.key, purchase.id);
        }
        return;
      }
      const codes = errors.map(({ code }) => code);
      const isTheSame =
        before?.domain === requested.domain &&
        before?.kind === requested.kind &&
        before?.period === requested.period;
      const isSameInput = isTheSame && !approvals?.hasOtherInput(requested);
      if (before && isSameInput && !codes.includes('JOURNAL_UNAVAILABLE')) {
        world.violate('I6', `${requested.key} was known and is answered with ${codes.join()}`);
      }
      const conflict = errors.find(({ code }) => code === 'IDEMPOTENCY_CONFLICT');
      // The purchase of a job that waits for an approval is stored after the job.
      const isOfJob = conflict && approvals?.hasJob(requested.key);
      if (conflict && !isOfJob && !rowOf(conflict.facts.purchaseId ?? '')) {
        world.violate('I2', 'a conflict names no purchase');
      }
    },

    /** A request that ended in an error. */
    failed(error: unknown): void {
      for (const fault of faultsOf(error)) {
        count(`failed ${fault.code}`);
        checkNoSecret('an error', [fault.message, fault]);
      }
    },

    /** Checks a name that is reported as AVAILABLE by a call that began at most `begunMsAgo` ago. */
    offered(domain: string, begunMsAgo: number): void {
      count('reported AVAILABLE');
      if (!service.wasFree(domain, begunMsAgo + staleMs))
        world.violate('AVAILABLE', `${domain} is taken`);
    },

    hasOpen: () =>
      store.rows(
        "select 1 from job_items join jobs on jobs.id = job_id where state <> 'DONE' limit 1",
      ).length > 0 ||
      store.rows(`select 1 from purchases where state in ${open} limit 1`).length > 0,
    isOpen: (domain: string) =>
      store.rows(`select 1 from purchases where domain = ? and state in ${open}`, domain).length >
      0,

    /** A process is paused for this time, or ended and the next one starts after it. */
    down(downMs: number): void {
      downtimes.push({ fromMs: world.nowMs(), toMs: world.nowMs() + downMs });
    },

    /** I5: every purchase that was sent longer ago, without the downtimes and pauses since, is settled. */
    checkSettled(withinMs: number): void {
      const nowMs = world.nowMs();
      for (const { id } of store.rows(`select id from purchases where state in ${open}`)) {
        const sentMs = sentAtMs.get(String(id)) ?? nowMs;
        const downMs = downtimes.reduce(
          (sum, { fromMs, toMs }) =>
            sum + Math.max(0, Math.min(toMs, nowMs) - Math.max(fromMs, sentMs)),
          0,
        );
        const ageMs = nowMs - sentMs - downMs;
        if (ageMs > withinMs) world.violate('I5', `${id} is open after ${Math.round(ageMs)} ms`);
      }
    },

    /** Checks at the end of the run that reports and records equal the purchases of the service. */
    close(): void {
      const lies = service.deletions.filter((token) => notDeleted.has(token));
      if (lies.length > 0) world.violate('ONCE', `${lies.join()} was reported as not done`);
      orders.close();
      changes.close();
      portfolio?.close();
      approvals?.close();
      payments?.close();
      for (const broken of brokenLimits(store, limits)) world.violate('LIMIT', broken);
      let spent = 0;
      for (const row of store.rows('select * from purchases')) {
        const id = String(row.id);
        const commits = commitsOf(id);
        checkNoSecret('the journal', row);
        checkReason(id, row.state, row.fault_upstream_code, row.accepted_at);
        count(`ended ${row.state}`);
        if (row.state === 'FAILED' && commits.length > 0) {
          world.violate('I4', `${id} is FAILED, and the service did it`);
        }
        if (row.state === 'SUCCEEDED' && !(commits.length === 1 && isComplete(id))) {
          world.violate('I3', `${id} is SUCCEEDED, and the service did it ${commits.length} times`);
        }
        if (row.state === 'UNKNOWN' && !row.fault_message) {
          world.violate('I5', `${id} is UNKNOWN without a reason`);
        }
        // Between the last read and the call a price may rise.
        const isAsExpected = row.state === 'SUCCEEDED' && !hasRises;
        if (isAsExpected) {
          spent += Math.round(Number(row.cost_amount) * 10_000);
        } else if (row.state === 'UNKNOWN' || row.state === 'SUCCEEDED') {
          spent += commits.reduce((sum, { price }) => sum + price, 0);
        } else if (row.state !== 'FAILED') {
          world.violate('I5', `${id} is still ${row.state}`);
        }
      }
      const byHand = commitsOf('hand').reduce((sum, { price }) => sum + price, 0);
      const fell = initialBalance - service.balance() - byHand;
      if (fell !== spent) {
        world.violate('I7', `${moneyText(spent)} was bought, and ${moneyText(fell)} is gone`);
      }
      for (const [id, end] of ends) {
        if (end === 'FAILED' && commitsOf(id).length > 0) {
          world.violate('I4', `${id} was reported as FAILED, and the service did it`);
        }
      }
    },
  };
}
