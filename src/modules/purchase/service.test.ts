import { beforeEach, describe, expect, test } from 'vitest';
import { account, idsOf, lostAnswer } from '../../../test/persistence/claims.ts';
import {
  createTenant,
  inconclusive,
  owned,
  quietMs,
  type Tenant,
} from '../../../test/support/modules/journal-tenant.ts';
import { endOfTurn, minuteMs, secondMs } from '../../../test/support/simulated-clock.ts';
import { type AccessScope, anonymous } from '../../kernel/caller.ts';
import { dayMs } from '../../kernel/instant.ts';
import type { PurchasePage } from '../../persistence/purchase-queries.ts';
import type { PurchaseRecord } from '../../persistence/purchase-record.ts';
import { StoredReads } from '../../scope/reads.ts';
import { createPurchaseJournalService } from './service.ts';
import { createSettlementNotifier } from './settlement-notifier.ts';

let tenant: Tenant;
beforeEach(async () => {
  tenant = await createTenant();
});

const serviceOf = (name: string | null, ...scopes: AccessScope[]) => {
  const { journal, clock } = tenant;
  const settlementNotifier = createSettlementNotifier({ journal, account, clock });
  const caller = { ...anonymous, name, scopes: new Set(scopes) };
  const stored = new StoredReads(clock);
  const holds = [{ cancel: async () => null }];
  const startJobs = () => undefined;
  const deps = { ...tenant.start(), settlementNotifier, stored, holds, startJobs };
  return createPurchaseJournalService(deps, caller);
};

describe('a purchase by its id or key', () => {
  const both = async (service: ReturnType<typeof serviceOf>, { id, key }: PurchaseRecord) => [
    (await service.byId(id))?.id,
    (await service.find({ key }))?.id,
  ];

  test('is visible to its caller and to a caller with the scope ops', async () => {
    const bought = await tenant.send({ caller: 'shop' });
    const visible = [bought.id, bought.id];

    expect(await both(serviceOf('shop', 'domains:spend'), bought)).toEqual(visible);
    expect(await both(serviceOf('other', 'ops'), bought)).toEqual(visible);
  });

  test('does not exist for another caller, and causes no upstream call', async () => {
    const bought = await tenant.send({ caller: 'shop' });

    expect(await both(serviceOf('other', 'domains:spend'), bought)).toEqual([undefined, undefined]);
    expect(await serviceOf('shop', 'ops').byId('unknown')).toBeNull();
    expect(await serviceOf('shop', 'ops').find({ key: 'unknown' })).toBeNull();
    expect(tenant.upstream.calls).toEqual([]);
  });

  test('is settled by reading the domain, whose cached data is invalidated', async () => {
    const sent = await tenant.send();
    tenant.upstream.details = owned;
    const service = serviceOf(null, 'ops');

    expect((await service.byId(sent.id))?.state).toBe('SUCCEEDED');
    expect(tenant.invalidated).toEqual([sent.domain]);
    expect((await service.find({ key: sent.key }))?.state).toBe('SUCCEEDED');
    expect(tenant.upstream.calls).toHaveLength(1);
  });

  test('that stays open leaves the cached data', async () => {
    const sent = await tenant.send();
    tenant.upstream.details = inconclusive;

    expect((await serviceOf(null, 'ops').byId(sent.id))?.state).toBe('SENDING');
    expect(tenant.upstream.calls).toHaveLength(1);
    expect(tenant.invalidated).toEqual([]);
  });

  test('waits half a second for that read, which continues without the client', async () => {
    const sent = await tenant.send();
    const reply = Promise.withResolvers<void>();
    tenant.upstream.details = owned;
    tenant.upstream.duringCall = () => reply.promise;
    let result: PurchaseRecord | null = null;
    void serviceOf(null, 'ops')
      .byId(sent.id)
      .then((purchase) => {
        result = purchase;
      });
    await tenant.time.pass(499);
    expect(result).toBeNull();
    await tenant.time.pass(1);
    await endOfTurn();

    expect(result).toEqual(sent);
    reply.resolve();
    await endOfTurn();
    expect((await tenant.recorded(sent)).state).toBe('SUCCEEDED');
  });
});

test.each([
  ['its caller', 'shop', 'SUCCEEDED'],
  ['another caller', 'other', undefined],
])('the settlement of a purchase is sent to %s: %s, %s', async (_who, name, state) => {
  const bought = await tenant.send({ caller: 'shop' });
  await tenant.move(bought, { to: 'SUCCEEDED' });
  const { value } = await serviceOf(name, 'domains:spend').settled(bought.id).next();

  expect(value?.state).toBe(state);
});

describe('the end of the quiet window', () => {
  const quietUntil = (purchase: PurchaseRecord) => serviceOf(null, 'ops').quietUntil(purchase);
  const later = (ms: number) => new Date(tenant.clock.now().getTime() + ms);

  test('of a sent purchase is that of its sender or of this gateway, the later one', async () => {
    expect(quietUntil(await tenant.send({}, quietMs - 1))).toEqual(later(quietMs));
    expect(quietUntil(await tenant.pend(lostAnswer, {}, quietMs + 1))).toEqual(later(quietMs + 1));
  });

  test('is null before the purchase is sent, while a transfer is in progress, and after the end', async () => {
    expect(quietUntil(await tenant.claim())).toBeNull();
    expect(quietUntil(await tenant.transfer())).toBeNull();
    expect(quietUntil(await tenant.move(await tenant.send(), { to: 'UNKNOWN' }))).toBeNull();
  });
});

describe('a list of purchases', () => {
  let [one, two, three, other]: PurchaseRecord[] = [];
  beforeEach(async () => {
    const made: PurchaseRecord[] = [];
    for (const caller of ['shop', 'shop', 'shop', 'other']) {
      tenant.time.advance(secondMs);
      made.push(await tenant.claim({ caller }));
    }
    [one, two, three, other] = made;
  });
  const list = async (page: PurchasePage, name = 'shop', ...scopes: AccessScope[]) => {
    const { items, count, ...facts } = await serviceOf(name, ...scopes).list(page);
    return { ids: idsOf(items), totalCount: await count(), ...facts };
  };
  const ids = (...purchases: (PurchaseRecord | undefined)[]) => purchases.map((each) => each?.id);
  const nowhere = { before: false, after: false };

  test('has the purchases of the caller, newest first, and with the scope ops all', async () => {
    const all = ids(other, three, two, one);

    expect(await list({ limit: 9 })).toEqual({ ids: all.slice(1), totalCount: 3, ...nowhere });
    expect(await list({ limit: 9 }, 'shop', 'ops')).toEqual({
      ids: all,
      totalCount: 4,
      ...nowhere,
    });
  });

  test('has the purchases of another caller for the scope ops only', async () => {
    const page = { limit: 9, filter: { caller: 'other' } };

    expect(await list(page, 'shop', 'ops')).toMatchObject({ ids: ids(other), totalCount: 1 });
    await expect(list(page)).rejects.toMatchObject({ code: 'FORBIDDEN' });
  });

  test('is empty for a caller without a name', async () => {
    expect((await serviceOf(null, 'domains:spend').list({ limit: 9 })).items).toEqual([]);
  });

  test.each<[string, () => PurchasePage, () => object]>([
    [
      'the first page',
      () => ({ limit: 2 }),
      () => ({ ids: ids(three, two), before: false, after: true }),
    ],
    [
      'the last page',
      () => ({ limit: 2, after: two }),
      () => ({ ids: ids(one), before: true, after: false }),
    ],
    [
      'a page between',
      () => ({ limit: 1, after: three }),
      () => ({ ids: ids(two), before: true, after: true }),
    ],
    [
      'a page before a place',
      () => ({ limit: 1, before: one, fromEnd: true }),
      () => ({ ids: ids(two), before: true, after: true }),
    ],
    ['a page after the last', () => ({ limit: 1, after: one }), () => ({ ids: [], ...nowhere })],
    [
      'an empty page at the start',
      () => ({ limit: 0 }),
      () => ({ ids: [], before: false, after: true }),
    ],
    [
      'an empty page in between',
      () => ({ limit: 0, after: two }),
      () => ({ ids: [], before: false, after: true }),
    ],
    ['an empty page at the end', () => ({ limit: 0, after: one }), () => ({ ids: [], ...nowhere })],
  ])('as %s shows whether pages precede and follow it', async (_which, page, expected) => {
    expect(await list(page())).toEqual({ totalCount: 3, ...expected() });
  });

  test('shows the pages beside it within its filter', async () => {
    const filter = { states: ['CLAIMED'] } as const;
    if (one && three) {
      await tenant.move(one, { to: 'FAILED' });
      await tenant.move(three, { to: 'FAILED' });
    }

    expect(await list({ limit: 1, filter })).toEqual({ ids: ids(two), totalCount: 1, ...nowhere });
    expect(await list({ limit: 0, filter: { states: ['UNKNOWN'] } })).toMatchObject(nowhere);
  });

  test('causes no upstream call', async () => {
    tenant.time.advance(2 * minuteMs);
    await list({ limit: 9 });

    expect(tenant.upstream.calls).toEqual([]);
  });
});

describe('of more purchases than one read returns', () => {
  const count = 101;
  beforeEach(async () => {
    for (let at = 0; at < count; at += 1) {
      tenant.time.advance(secondMs);
      await tenant.move(await tenant.send({ caller: 'shop' }), { to: 'SUCCEEDED' });
    }
  });
  const countOf = async (purchases: AsyncIterable<Pick<PurchaseRecord, 'id'>>) => {
    const ids = new Set<string>();
    for await (const { id } of purchases) ids.add(id);
    return ids.size;
  };

  test('an export has all, and a statement has all charges', async () => {
    const service = serviceOf('shop', 'domains:spend');
    const until = new Date(tenant.clock.now().getTime() + 1);
    // A week is read at a time: half of the purchases are in the first one.
    const from = new Date(until.getTime() - 7 * dayMs - 50 * secondMs);
    const span = { from, until };

    expect(await countOf(service.all())).toBe(count);
    expect(await countOf(service.charges(span))).toBe(count);
  });
});
