import type { ScopedLimits } from '../../src/kernel/spend-limits.ts';
import { faultsOf } from '../../src/modules/mutation/checks.ts';
import type { PurchasePayload } from '../../src/modules/registration/payload.ts';
import type { PurchaseKind, PurchaseRecord } from '../../src/persistence/store.ts';
import { brokenLimits } from './limits.ts';
import type { NetworkTimes } from './network.ts';
import { authCode, initialBalance, login, moneyText, type Service } from './service.ts';
import type { SharedStore } from './store.ts';
import type { World } from './world.ts';

/** What a buyer asks for, as far as it tells one purchase from another. */
export interface Asked {
  readonly kind: PurchaseKind;
  readonly domain: string;
  readonly period: number;
  readonly key: string | null;
}

export type History = ReturnType<typeof createHistory>;

const open = "('CLAIMED', 'SENDING', 'PENDING', 'IN_PROGRESS')";
const secrets = [login.password, authCode];

/**
 * All that was sent, told and written in a run, held against the promises while it happens and once more at its end.
 *
 * It sees the true state of the service and of the store, and knows nothing of how the gateway works.
 */
export function createHistory(
  world: World,
  store: SharedStore,
  service: Service,
  { staleMs }: NetworkTimes,
) {
  const counts = new Map<string, number>();
  const sentAtMs = new Map<string, number>();
  const ends = new Map<string, string>();
  const byKey = new Map<string, string>();
  const deletionsSent = new Set<string>();
  const notDeleted = new Set<string>();

  const count = (what: string) => counts.set(what, (counts.get(what) ?? 0) + 1);
  const rowOf = (id: string) => store.rows('select * from operations where id = ?', id)[0];
  const rowOfKey = (key: string) => store.rows('select * from operations where key = ?', key)[0];
  /** A transfer that came to nothing, with its price returned, does not count as made. */
  const commitsOf = (id: string) =>
    service.commits.filter(({ cause, outcome }) => cause === id && outcome !== 'undone');
  const isComplete = (id: string) => commitsOf(id).some(({ outcome }) => outcome === 'complete');

  const holdNoSecret = (what: string, value: unknown) => {
    const text = JSON.stringify(value);
    const leaked = secrets.find((secret) => text.includes(secret));
    if (leaked) world.violate('I8', `${what} holds "${leaked}"`);
  };

  const told = (purchase: PurchaseRecord) => {
    const { id, state } = purchase;
    world.trace(`told ${id} ${state}`);
    count(`told ${state}`);
    holdNoSecret('a purchase', purchase);
    const done = commitsOf(id).length > 0;
    if (state === 'SUCCEEDED' && !isComplete(id)) {
      world.violate('I3', `${id} was reported as SUCCEEDED, and the account does not have it`);
    }
    if (state === 'IN_PROGRESS' && !service.commits.some(({ cause }) => cause === id)) {
      world.violate('I3', `${id} was reported as IN_PROGRESS, and the service never did it`);
    }
    if (state === 'FAILED' && done) {
      world.violate('I4', `${id} was told as FAILED, and the service had done it`);
    }
    if (state !== 'SUCCEEDED' && state !== 'FAILED') return;
    const before = ends.get(id);
    if (before && before !== state) world.violate('I4', `${id} was ${before} and is now ${state}`);
    ends.set(id, state);
  };

  return {
    counts,
    count,
    told,
    /** Requests that are on the wire, which the service will still do. */
    underWay: 0,

    /** A call that spends leaves: I1 and I2. Says which purchase it is of. */
    sent(sender: string, action: string, domain: string): string {
      const kind = action === 'registerdomain' ? 'REGISTER' : 'TRANSFER';
      const rows = store.rows(
        `select id, state from operations where domain = ? and kind = ? and state in ${open}`,
        domain,
        kind,
      );
      const [row] = rows;
      if (rows.length > 1) world.violate('I2', `${rows.length} purchases of ${domain} are open`);
      if (row?.state !== 'SENDING') {
        const found = row ? String(row.state) : 'nothing';
        world.violate('I1', `${sender} sends ${action} ${domain}, and the journal has ${found}`);
        return 'nobody';
      }
      const id = String(row.id);
      if (sentAtMs.has(id)) world.violate('I1', `${sender} sends ${id} a second time`);
      sentAtMs.set(id, world.nowMs());
      return id;
    },

    /** A deletion leaves, told from others by its token. Says which token that is. */
    sentWith(authorization: string): string {
      const token = authorization.replace('Bearer ', '');
      if (deletionsSent.has(token)) world.violate('ONCE', `the deletion of ${token} is sent again`);
      deletionsSent.add(token);
      return token;
    },
    /** What somebody is told of their deletion: done, certainly not done, or neither. */
    deleted(token: string, told: 'YES' | 'NO' | 'UNKNOWN'): void {
      count(`deletion ${told}`);
      const isDone = service.deletions.includes(token);
      if (told === 'YES' && !isDone) world.violate('ONCE', `${token} was told as done`);
      if (told === 'NO') notDeleted.add(token);
    },

    /** The row that a key has before it is asked for, for `answered`. */
    before: ({ key }: Asked) => (key === null ? undefined : rowOfKey(key)),

    answered(
      asked: Asked,
      before: Record<string, unknown> | undefined,
      answer: PurchasePayload,
    ): void {
      const { purchase, errors } = answer;
      holdNoSecret('an answer', {
        ...answer,
        errors: errors.map((fault) => ({ ...fault, message: fault.message })),
      });
      for (const { code } of errors) count(`error ${code}`);
      if (purchase) {
        told(purchase);
        if (answer.replayed) count('replayed');
        const isSame =
          purchase.kind === asked.kind &&
          purchase.domain === asked.domain &&
          purchase.period === asked.period;
        if (!isSame) world.violate('I6', `${purchase.id} is not what was asked for`);
        if (asked.key !== null) {
          const known = byKey.get(asked.key) ?? purchase.id;
          if (known !== purchase.id) world.violate('I6', `${asked.key} has two purchases`);
          byKey.set(asked.key, purchase.id);
        }
        return;
      }
      const codes = errors.map(({ code }) => code);
      const isTheSame =
        before?.domain === asked.domain &&
        before?.kind === asked.kind &&
        before?.period === asked.period;
      if (before && isTheSame && !codes.includes('JOURNAL_UNAVAILABLE')) {
        world.violate('I6', `${asked.key} was known and is answered with ${codes.join()}`);
      }
      const conflict = errors.find(({ code }) => code === 'IDEMPOTENCY_CONFLICT');
      if (conflict && !rowOf(conflict.facts.purchaseId ?? '')) {
        world.violate('I2', 'a conflict names no purchase');
      }
    },

    /** A request that ended in an error. */
    failed(error: unknown): void {
      for (const fault of faultsOf(error)) {
        count(`failed ${fault.code}`);
        holdNoSecret('an error', [fault.message, fault]);
      }
    },

    /** Somebody is told that a name is free, by a call that began so long ago at most. */
    offered(domain: string, begunMsAgo: number): void {
      count('told AVAILABLE');
      if (!service.wasFree(domain, begunMsAgo + staleMs))
        world.violate('AVAILABLE', `${domain} is taken`);
    },

    hasOpen: () => store.rows(`select 1 from operations where state in ${open} limit 1`).length > 0,
    isOpen: (domain: string) =>
      store.rows(`select 1 from operations where domain = ? and state in ${open}`, domain).length >
      0,

    /** I5: whatever was sent so long ago is settled. */
    holdSettled(withinMs: number): void {
      for (const { id } of store.rows(`select id from operations where state in ${open}`)) {
        const ageMs = world.nowMs() - (sentAtMs.get(String(id)) ?? world.nowMs());
        if (ageMs > withinMs) world.violate('I5', `${id} is open after ${Math.round(ageMs)} ms`);
      }
    },

    /** Everything is over: what was told and written is what the service did. */
    close(limits: ScopedLimits): void {
      const lies = service.deletions.filter((token) => notDeleted.has(token));
      if (lies.length > 0) world.violate('ONCE', `${lies.join()} was told as not done`);
      for (const broken of brokenLimits(store, limits)) world.violate('LIMIT', broken);
      let spent = 0;
      for (const row of store.rows('select * from operations')) {
        const id = String(row.id);
        const commits = commitsOf(id);
        holdNoSecret('the journal', row);
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
        if (String(row.state) === 'SUCCEEDED') {
          spent += Math.round(Number(row.price_amount) * 10_000);
        } else if (row.state === 'UNKNOWN') {
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
          world.violate('I4', `${id} was told as FAILED, and came true`);
        }
      }
    },
  };
}
