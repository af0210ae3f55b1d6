import { createApprovalStore } from '../../src/features/approval/store.ts';
import { createAuditStore } from '../../src/features/audit/store.ts';
import { createCalendarStore } from '../../src/features/calendar/store.ts';
import { createProfileStore, profileSeal } from '../../src/features/contact-profile/store.ts';
import { createCustomerListStore } from '../../src/features/customer-list/store.ts';
import { createEventStore } from '../../src/features/event/store.ts';
import { createDomainWriteStore } from '../../src/features/event/write-store.ts';
import { createHandleStore } from '../../src/features/mcp/store.ts';
import { createPaymentStore } from '../../src/features/payment/store.ts';
import { createResolutionStore } from '../../src/features/payment/resolution-store.ts';
import { createLedgerStore } from '../../src/features/portfolio/ledger-store.ts';
import { createWebhookStore } from '../../src/features/webhook/store.ts';
import { parseInstant } from '../../src/kernel/instant.ts';
import { Secret } from '../../src/kernel/secret.ts';
import type { Database } from '../../src/persistence/tables.ts';
import { account, firstTime } from './large-tables.ts';
import {
  allParts,
  few,
  ids,
  later,
  latest,
  lease,
  limit,
  name,
  names,
  none,
  now,
  page,
  type StoreUses,
  shared,
} from './uses.ts';

/** All rows are later. */
const first = parseInstant(firstTime);

export function auditUses(database: Database): StoreUses {
  const audit = createAuditStore(database);
  const operation = {
    ...{ operation: 'setNameServers', domain: name, input: '', caller: 'shop', customer: null },
    ...{ tenant: 'default', requestId: '7', address: null },
  };
  const entry = { at: now, operation, end: { outcome: 'EXECUTED', upstreamCalls: 1 } };
  return {
    store: audit,
    reads: {
      list: () => audit.list(account, page),
      'list of a caller without any': () =>
        audit.list(account, { filter: { caller: none }, limit }),
      'list of no outcome': () => audit.list(account, { filter: { outcome: none }, limit }),
      'list of no operation': () => audit.list(account, { filter: { operation: none }, limit }),
      'list of a domain': () => audit.list(account, { filter: { domain: name }, limit }),
      'list since then': () => audit.list(account, { filter: { at: { from: shared } }, limit }),
      count: () => audit.count(account),
      'count of a caller': () => audit.count(account, { caller: 'shop' }),
      'count of no outcome': () => audit.count(account, { outcome: none }),
      'count since then': () => audit.count(account, { at: { from: first } }),
      'count of a span': () => audit.count(account, { at: { from: first, until: latest } }),
    },
    writes: {
      append: () => audit.append(account, [entry]),
      deleteBefore: () => allParts(() => audit.deleteBefore(account, later(shared, -1e10))),
    },
  };
}

const newEvent = {
  ...{ id: 'event', type: 'NAME_SERVERS_CHANGED' as never, at: now, subject: name, domain: name },
  ...{ purchaseId: null, source: 'UPSTREAM' as const, caller: null, before: null, after: null },
};

export function eventUses(database: Database): StoreUses {
  const events = createEventStore(database);
  const change = { subject: 'new.com', seen: '{}', before: null, events: [newEvent] };
  const noLabel = [{ name: 'project', value: none }];
  return {
    store: events,
    reads: {
      list: () => events.list(account, page),
      'list of no type': () =>
        events.list(account, { filter: { types: ['NONE' as never] }, limit }),
      'list of a domain': () => events.list(account, { filter: { domain: name }, limit }),
      'list of a customer': () => events.list(account, { filter: { customer: 'acme' }, limit }),
      'list since then': () => events.list(account, { filter: { at: { from: now } }, limit }),
      'list of no label': () => events.list(account, { filter: { labels: noLabel }, limit }),
      count: () => events.count(account),
      'count of a type': () => events.count(account, { types: [newEvent.type] }),
      'count since then': () => events.count(account, { at: { from: first } }),
      'list of a customer since then': () =>
        events.list(account, { filter: { customer: none, at: { from: first } }, limit }),
      byId: () => events.byId(account, none),
      lastPosition: () => events.lastPosition(account),
      deletedUntil: () => events.deletedUntil(account),
      recordedSince: () => events.recordedSince(account),
      hasBaseline: () => events.hasBaseline(account),
      watched: () => events.watched(account, 'name-5', 1_000),
      watchedOf: () => events.watchedOf(account, names),
      'watchedOf few': () => events.watchedOf(account, few(names)),
    },
    writes: {
      beginReading: () => events.beginReading(account),
      lease: () => events.lease(account, lease),
      setBaseline: () => events.setBaseline(account, 'process', now),
      append: () => events.append(account, newEvent),
      change: () => events.change(account, 'process', [change]),
      revise: () => events.revise(account, change.subject, () => change),
      publish: () => allParts(() => events.publish(account, now)),
      deleteBefore: () => allParts(() => events.deleteBefore(account, shared)),
    },
  };
}

export function domainWriteUses(database: Database): StoreUses {
  const writes = createDomainWriteStore(database);
  const write = {
    ...{ id: 'new', domain: name, field: 'sync' as const, value: null, caller: null, at: now },
  };
  return {
    store: writes,
    reads: { list: () => writes.list(account) },
    writes: {
      record: () => writes.record(account, write),
      delete: () => writes.delete(account, ids),
      'delete few': () => writes.delete(account, few(ids)),
    },
  };
}

export function approvalUses(database: Database): StoreUses {
  const approvals = createApprovalStore(database);
  const request = {
    ...{ operation: 'UNLOCK' as never, domain: name, caller: 'shop', customer: null },
    fingerprint: none,
  };
  const approval = {
    ...{ ...request, id: 'new', jobKind: null, count: 1, cost: null, price: null },
    ...{ rule: { position: 1, operations: [], when: {}, expiresAfterMs: 1 } },
    ...{ requestedAt: now, expiresAt: latest },
  };
  const decision = { to: 'GRANTED', at: now, by: 'boss', reason: null } as const;
  return {
    store: approvals,
    reads: {
      list: () => approvals.list(account, page),
      'list of a state without any': () =>
        approvals.list(account, { filter: { states: ['REJECTED'] }, limit }),
      count: () => approvals.count(account),
      byIds: () => approvals.byIds(account, ids),
      'byIds of few': () => approvals.byIds(account, few(ids)),
      requested: () => approvals.requested(account, request, now),
      hasDue: () => approvals.hasDue(account, now),
      hasRequested: () => approvals.hasRequested(account),
    },
    writes: {
      request: () => approvals.request(account, approval),
      decide: () => approvals.decide(account, 'new', decision),
      use: () => approvals.use(account, request, now),
      cancel: () => approvals.cancel(account, 'new'),
      expire: () => approvals.expire(account, shared),
      deleteOrphans: () =>
        allParts((after?: readonly [string, string]) =>
          approvals.deleteOrphans(account, now, after),
        ),
    },
  };
}

export function paymentUses(database: Database): StoreUses {
  const payments = createPaymentStore(database);
  const payment = {
    ...{ id: 'new', currency: 'USD', state: 'DUE' as const, caller: 'shop', customer: null },
    ...{ createdAt: now, amountDue: 1n, owed: 1n, paid: 0n, refunded: 0n, expiresAfterMs: 1 },
    ...{ expiresAt: latest, reference: null, confirmedAt: null },
  };
  const amount = {
    ...{ reference: 'new', paymentId: 'new', currency: 'USD', amount: 1n, at: now },
  };
  return {
    store: payments,
    reads: {
      byIds: () => payments.byIds(account, ids),
      'byIds of few': () => payments.byIds(account, few(ids)),
      lines: () => payments.lines(few(ids)),
      amounts: () => payments.amounts(account, none, limit),
      amount: () => payments.amount(account, 'PAYMENT', none),
      countDue: () => payments.countDue(account, 'shop'),
      waiting: () => payments.waiting(account, now),
      hasOpen: () => payments.hasOpen(account),
      list: () => payments.list(account, page),
      count: () => payments.count(account),
    },
    writes: {
      create: () => payments.create(account, payment, [{ position: 0, price: 1n }]),
      add: () => payments.add(account, { ...amount, kind: 'PAYMENT' }),
      'add a refund': () => payments.add(account, { ...amount, kind: 'REFUND' }),
      release: () => payments.release(account, 'new'),
      begin: () => payments.begin(account, 'new', latest),
      end: () => payments.end(account, 'new', 'EXPIRING'),
      endExpiring: () => payments.endExpiring(account, 'new'),
      deleteOrphans: () => payments.deleteOrphans(account, now),
    },
  };
}

export function webhookUses(database: Database): StoreUses {
  const webhooks = createWebhookStore(database);
  const options = {
    ...{ url: 'https://example.org', description: null, types: [] },
    ...{ format: 'STANDARD', chatId: null },
  };
  const webhook = {
    ...{ ...options, id: 'new', owner: null, customer: null, labels: [], position: 0 },
    ...{ secret: new Secret('secret'), createdAt: now },
  };
  const attempt = {
    ...{ id: 'new', webhookId: 'webhook-1', kind: 'TEST' as const, eventId: '', eventType: '' },
    ...{ at: now, durationMs: 1, number: 1, status: 200, failure: null, nextAt: null },
  };
  const progress = {
    ...{ position: 1, missedUntil: null, failures: 0, failingSince: null, dueAt: null },
    suspension: null,
  };
  const rotation = { secret: new Secret('other'), oldUntil: latest };
  return {
    store: webhooks,
    reads: {
      list: () => webhooks.list(account),
      byId: () => webhooks.byId(account, 'webhook-1'),
      attempts: () => webhooks.attempts(account, 'webhook-1', limit),
    },
    writes: {
      configure: () =>
        webhooks.configure(account, [{ ...options, id: 'set' }], { position: 0, at: now }),
      add: () => webhooks.add(account, webhook, 50),
      change: () => webhooks.change(account, 'new', { url: 'https://example.net' }),
      rotate: () => webhooks.rotate(account, 'new', rotation),
      lease: () => webhooks.lease(account, 'new', lease),
      save: () => webhooks.save(account, 'process', { id: 'new', revision: 1 }, progress),
      addAttempt: () => webhooks.addAttempt(account, attempt),
      deleteAttempts: () =>
        webhooks.deleteAttempts(account, 'webhook-1', {
          before: parseInstant(firstTime),
          most: 200,
        }),
      remove: () => webhooks.remove(account, 'new'),
    },
  };
}

export function ledgerUses(database: Database): StoreUses {
  const ledger = createLedgerStore(database);
  const added = { source: 'LISTED', at: now, dueAt: now } as const;
  const due = { now, latest, counted: { after: now, until: latest }, which: 'ALL' } as const;
  const read = { at: now, dueAt: latest };
  return {
    store: ledger,
    reads: {
      revision: async () => ledger.revision(),
      known: () => ledger.known(account, null, 1_000),
      names: () => ledger.names(account, null, 1_000),
      knownOf: () => ledger.knownOf(account, names),
      'knownOf few': () => ledger.knownOf(account, few(names)),
      hasDue: () => ledger.hasDue(account, due),
      'hasDue unread': () => ledger.hasDue(account, { ...due, which: 'UNREAD' }),
      'hasDue never read': () => ledger.hasDue(account, { ...due, which: 'NEVER_READ' }),
      countTaken: () => ledger.countTaken(account, due.counted),
    },
    writes: {
      addPurchased: () => allParts((after?: number) => ledger.addPurchased(account, added, after)),
      add: () => ledger.add(account, names, added),
      lease: () => ledger.lease(account, lease),
      makeUnreadDue: () => ledger.makeUnreadDue(account, now),
      takeDue: () => ledger.takeDue(account, { ...due, retryAt: latest, limit: 4 }),
      'takeDue unread': () =>
        ledger.takeDue(account, { ...due, which: 'UNREAD', retryAt: latest, limit: 4 }),
      'takeDue never read': () =>
        ledger.takeDue(account, { ...due, which: 'NEVER_READ', retryAt: latest, limit: 4 }),
      saveRow: () => ledger.saveRow(account, name, { ...read, text: '{}' }),
      saveMissing: () => ledger.saveMissing(account, name, read),
      recordWrite: () => ledger.recordWrite(account, name, now),
      remove: () => ledger.remove(account, name, now),
      markListed: () => ledger.markListed(account, names, true),
    },
  };
}

export function profileUses(database: Database): StoreUses {
  const profiles = createProfileStore(database, profileSeal(undefined));
  const profile = { id: 'new', customer: null, name: 'new', contact: '{}' };
  return {
    store: profiles,
    reads: {
      list: () => profiles.list(account, page),
      'list of a customer': () =>
        profiles.list(account, { filter: { customer: 'customer7' }, limit }),
      count: () => profiles.count(account),
      'count of a customer': () => profiles.count(account, { customer: 'customer7' }),
      byIds: () => profiles.byIds(account, ids),
      'byIds of few': () => profiles.byIds(account, few(ids)),
      defaultsOf: () => profiles.defaultsOf(account, [null, 'customer7']),
    },
    writes: {
      save: () => profiles.save(account, [profile], now),
      replace: () => profiles.replace(account, profile, now),
      setDefaults: () => profiles.setDefaults(account, null, { profileId: 'new' }),
      remove: () => profiles.remove(account, 'new'),
    },
  };
}

export function calendarUses(database: Database): StoreUses {
  const feeds = createCalendarStore(database);
  const feed = { id: 'new', customer: null, name: 'new', labels: [], createdAt: now };
  return {
    store: feeds,
    reads: {
      byIds: () => feeds.byIds(account, ids),
      'byIds of few': () => feeds.byIds(account, few(ids)),
      list: () => feeds.list(account, 'customer7'),
      bySecret: () => feeds.bySecret(none),
    },
    writes: {
      add: () => feeds.add(account, feed, none),
      remove: () => feeds.remove(account, 'new'),
    },
  };
}

export function customerListUses(database: Database): StoreUses {
  const customers = createCustomerListStore(database);
  return {
    store: customers,
    reads: {
      list: () => customers.list(account, { after: 'customer5', limit }),
      'list of one': () => customers.list(account, { filter: { name: 'acme' }, limit }),
      count: () => customers.count(account),
      'count of one': () => customers.count(account, { name: none }),
      purchases: () => customers.purchases(account, ids),
    },
    writes: {},
  };
}

export function resolutionUses(database: Database): StoreUses {
  const resolutions = createResolutionStore(database);
  const resolution = {
    ...{ purchaseId: 'id-1', outcome: 'BOUGHT' as const, note: 'Seen.', by: 'boss', at: now },
  };
  return {
    store: resolutions,
    reads: {
      ofPurchases: () => resolutions.ofPurchases(account, ids),
      'ofPurchases of few': () => resolutions.ofPurchases(account, few(ids)),
    },
    writes: { write: () => resolutions.write(account, resolution) },
  };
}

export function handleUses(database: Database): StoreUses {
  const handles = createHandleStore(database);
  const handle = { id: 'new', tool: 'quote', input: '', caller: 'caller7', expiresAt: latest };
  return {
    store: handles,
    reads: { find: () => handles.find(account, none, now) },
    writes: { add: () => handles.add(account, handle, now) },
  };
}
