import { parseDomainName } from '../../src/kernel/domain-name.ts';
import { dayMs, parseInstant } from '../../src/kernel/instant.ts';
import { money } from '../../src/kernel/money.ts';
import { createCustomerStore } from '../../src/persistence/customer-store.ts';
import { createJobStore } from '../../src/persistence/job-store.ts';
import type { Charge } from '../../src/persistence/purchase-queries.ts';
import type { Claim } from '../../src/persistence/purchase-record.ts';
import { createPurchaseStore } from '../../src/persistence/purchase-store.ts';
import type { Database } from '../../src/persistence/tables.ts';
import { account, firstTime } from './large-tables.ts';
import {
  allParts,
  few,
  ids,
  later,
  latest,
  limit,
  name,
  names,
  none,
  now,
  page,
  type StoreUses,
  shared,
} from './uses.ts';

const claimOf = (id: string): Claim => ({
  ...{ id, account, caller: 'shop', customer: null, kind: 'REGISTRATION' },
  ...{ domain: parseDomainName(`${id}.com`), key: id, fingerprint: '', period: 1 },
  ...{ cost: money('11.29', 'USD'), retail: null, balanceAfter: null },
  ...{ claimedAt: later(shared, 60_000), orderId: null, orderLine: null },
});
const limits = { perDay: [money('100000000', 'USD')], perHour: 100_000_000 };
const allLimits = { GATEWAY: limits, KEY: limits };
const first = parseInstant(firstTime);
const place = { id: none, claimedAt: shared, createdAt: shared };
const last = { id: none, at: shared } as Charge;
const lines = ids.map((_, at) => at);
const held = { jobId: 'large', position: 2, fence: 1 };

export function purchaseUses(database: Database): StoreUses {
  const purchases = createPurchaseStore(database);
  // A day, as a statement of charges reads it.
  const span = { from: later(shared, -dayMs / 2), until: later(shared, dayMs / 2) };
  const start = { after: undefined, limit };
  const claim = claimOf('claimed');
  return {
    store: purchases,
    reads: {
      byId: () => purchases.byId(account, none),
      byIds: () => purchases.byIds(account, ids),
      'byIds of few': () => purchases.byIds(account, few(ids)),
      byKey: () => purchases.byKey(account, 'key-7'),
      byDomains: () => purchases.byDomains(account, names),
      'byDomains of few': () => purchases.byDomains(account, few(names)),
      byLines: () => purchases.byLines(account, 'large', lines),
      'byLines of few': () => purchases.byLines(account, 'large', few(lines)),
      list: () => purchases.list(account, page),
      'list of open ones, oldest first': () =>
        purchases.list(account, {
          filter: { states: ['CLAIMED', 'SENDING', 'PENDING'] },
          fromEnd: true,
          limit,
        }),
      'list of a caller': () => purchases.list(account, { filter: { caller: 'rare' }, limit }),
      'list of a caller without any': () =>
        purchases.list(account, { filter: { caller: none }, limit }),
      'list of a customer': () => purchases.list(account, { filter: { customer: 'acme' }, limit }),
      'list of a state without any': () =>
        purchases.list(account, { filter: { states: ['HELD'] }, limit }),
      'list before a time, after one': () =>
        purchases.list(account, { filter: { created: { until: latest } }, after: place, limit }),
      'list since a time, before one': () =>
        purchases.list(account, { filter: { created: { from: first } }, before: place, limit }),
      'list settled in a span': () =>
        purchases.list(account, { filter: { settled: { from: first, until: latest } }, limit }),
      'list of rejected transfers': () =>
        purchases.list(account, { filter: { stages: ['REJECTED'] }, limit }),
      count: () => purchases.count(account),
      'count of a caller': () => purchases.count(account, { caller: 'shop' }),
      'count of a state': () => purchases.count(account, { states: ['PENDING'] }),
      countUnsettled: () => purchases.countUnsettled(account),
      charges: () => purchases.charges(account, 'ACCEPTED', span, start),
      firstCharge: () => purchases.firstCharge(account),
      'charges of a caller without any': () =>
        purchases.charges(account, 'ACCEPTED', { ...span, caller: none }, start),
      'charges after one': () =>
        purchases.charges(account, 'ACCEPTED', span, { after: last, limit }),
      'charges of a customer': () =>
        purchases.charges(account, 'ACCEPTED', { ...span, customer: 'acme' }, start),
      'charges reversed': () =>
        purchases.charges(account, 'REVERSED', { ...span, caller: none }, start),
      dueReads: () => purchases.dueReads(account, { now, latest, limit }),
      openTransfers: () => purchases.openTransfers(account),
      spending: () => purchases.spending(claim),
      stopped: () => purchases.stopped(account),
    },
    writes: {
      claim: () => purchases.claim(claim, allLimits),
      'claim with a lease': () => purchases.claim(claimOf('leased'), allLimits, held),
      'claim of a busy domain': () =>
        purchases.claim({ ...claimOf('busy'), domain: claim.domain }, allLimits),
      move: () => purchases.move(claim.id, ['CLAIMED'], { to: 'SENDING', at: now }),
      hold: () => purchases.hold(claimOf('held'), allLimits),
      claimHeld: () => purchases.claimHeld(claimOf('held'), allLimits, held),
      claimRead: () => purchases.claimRead(claim.id, { seen: null, at: now, next: latest }),
      stop: () => purchases.stop(account, { since: now, reason: 'none' }),
      resume: () => purchases.resume(account),
    },
  };
}

export function jobUses(database: Database): StoreUses {
  const jobs = createJobStore(database);
  const job = {
    ...{ id: 'new', account, caller: null, customer: null, kind: 'ORDER', key: 'new' },
    ...{ options: '{}', createdAt: now },
  };
  const items = Array.from({ length: 2_000 }, (_, position) => ({
    ...{ position, domain: `new-${position}.com`, fingerprint: '', input: '{}', facts: '{}' },
    result: null,
  }));
  const result = { outcome: 'CANCELLED', details: '{}' };
  const take = {
    ...{ owner: 'process', now, latest: later(now, 1e13), leaseUntil: latest, limit: 20 },
    kinds: ['ORDER', 'BULK_CHANGE'],
  };
  const filter = { kind: 'ORDER' };
  return {
    store: jobs,
    reads: {
      byId: () => jobs.byId(account, 'large'),
      byIds: () => jobs.byIds(account, ids),
      'byIds of few': () => jobs.byIds(account, few(ids)),
      byKey: () => jobs.byKey(account, 'ORDER', 'key-7'),
      list: () => jobs.list(account, { filter, limit }),
      'list of a caller without any': () =>
        jobs.list(account, { filter: { ...filter, caller: none }, limit }),
      'list of a customer': () =>
        jobs.list(account, { filter: { ...filter, customer: 'acme' }, limit }),
      'list before a time, after one': () =>
        jobs.list(account, {
          filter: { ...filter, created: { until: latest } },
          after: place,
          limit,
        }),
      count: () => jobs.count(account, filter),
      countOpen: () => jobs.countOpen(['ORDER', 'CHANGE'], ['approval']),
      items: () => jobs.items(['large']),
      'items of many': () => jobs.items(ids),
      itemsAt: () => jobs.itemsAt('large', lines),
      'itemsAt few': () => jobs.itemsAt('large', few(lines)),
      page: () => jobs.page('large', { after: -1, limit, at: now }),
      'page of no state': () => jobs.page('large', { after: -1, limit, at: now, groups: [] }),
      states: () => jobs.states('large', now),
      counts: () => jobs.counts('large', now),
      facts: () => jobs.facts('large', now),
    },
    writes: {
      renew: () => jobs.renew(account, 'process-2', now),
      saveFacts: () => jobs.saveFacts(held, '{}'),
      release: () => jobs.release(held, 'BEGUN', latest),
      finish: () => jobs.finish(held, now, result),
      'take before any is due': () => jobs.take(account, { ...take, latest, now: shared }),
      'take of another kind': () => jobs.take(account, { ...take, kinds: ['OTHER'] }),
      take: () => jobs.take(account, take),
      create: () => jobs.create(job, items),
      endWaiting: () => jobs.endWaiting(account, 'large', now, result),
      restart: () => jobs.restart(account, 'large', ['CANCELLED', 'SUCCEEDED'], now),
      deleteOrphans: () => allParts((after?: string) => jobs.deleteOrphans(now, after)),
    },
  };
}

export function customerUses(database: Database): StoreUses {
  const customers = createCustomerStore(database);
  const labels = names.map((domain) => ({ domain, name: 'a', value: 'b' }));
  return {
    store: customers,
    reads: {
      of: () => customers.of(account, names),
      'of few': () => customers.of(account, few(names)),
      assigned: () => customers.assigned(account, name, limit),
      domains: () => customers.domains(account, 'customer1', null, limit),
      'domains of none': () => customers.domains(account, none, null, limit),
      labels: () => customers.labels(account, names),
      'labels of few': () => customers.labels(account, few(names)),
      labelled: () => customers.labelled(account, { name: 'project', value: null }, null, limit),
      'labelled with a rare value': () =>
        customers.labelled(account, { name: 'project', value: 'rare' }, null, 1_000),
      'labelled with no value': () =>
        customers.labelled(account, { name: 'project', value: none }, null, limit),
    },
    writes: {
      assign: () => customers.assign(account, names, 'acme', now),
      assignEach: () => customers.assignEach(account, [{ domain: name, customer: 'acme' }], now),
      assignPurchased: () =>
        customers.assignPurchased({ account, domain: name, customer: 'acme', claimedAt: now }),
      'assignPurchased of the reseller': () =>
        customers.assignPurchased({ account, domain: name, customer: null, claimedAt: now }),
      label: () => customers.label(account, labels, now),
      unlabel: () => customers.unlabel(account, names, ['a', 'project']),
    },
  };
}
