import { expect, test } from 'vitest';
import { account } from '../../../test/persistence/claims.ts';
import {
  a,
  b,
  c,
  locked,
  locking,
  unlocked,
  unlocking,
} from '../../../test/support/modules/event-rows.ts';
import { secondMs } from '../../../test/support/simulated-clock.ts';
import type { DomainName } from '../../kernel/domain-name.ts';
import { money } from '../../kernel/money.ts';
import { intervalMs, quietWindowMs, startWatched } from './test/account.ts';

type Watched = Awaited<ReturnType<typeof startWatched>>;
type Executing = Pick<Watched, 'replica'>;

const unlock = { field: 'transferLocked', value: 'false' } as const;

/** A write of the key `shop` whose reply has arrived. */
const executeUnlock = (
  { replica }: Executing,
  domain: DomainName,
  shown: string | null = 'false',
) => replica.writeLog.of('shop')(domain, unlock).executed(shown);

/** A watched account whose events are published, just before its second comparison. */
async function startBeforeList() {
  const watched = await startWatched();
  await watched.startPublisher();
  await watched.time.pass(intervalMs - 3 * secondMs);
  return watched;
}

test('an executed write is one event with its caller within a second, and the next comparisons report it no more', async () => {
  const watched = await startBeforeList();
  const { time, change, calls, events, journal } = watched;
  change(a, unlocked);
  executeUnlock(watched, a);
  await time.pass(secondMs);

  const [event, ...others] = await events();
  expect([event, others, calls()]).toMatchObject([
    {
      ...{ type: 'TRANSFER_UNLOCKED', subject: a, domain: a, purchaseId: null },
      ...{ source: 'GATEWAY', caller: 'shop', before: 'true', after: 'false' },
    },
    [],
    1,
  ]);
  expect(await journal.domainWrites.list(account)).toEqual([]);
  await time.pass(3 * intervalMs);
  expect(await events()).toHaveLength(1);
});

test('a list that was requested before the write does not undo it, whenever the list arrives', {
  tags: ['E14'],
}, async () => {
  const watched = await startBeforeList();
  const { time, change, rows, facts, onList } = watched;
  const old = rows.get(a);
  const list = Promise.withResolvers<void>();
  onList(() => list.promise);
  await time.pass(3 * secondMs);
  executeUnlock(watched, a);
  await time.pass(2 * quietWindowMs);
  // The old row, with a change of another domain.
  change(c, unlocked);
  onList(async () => {});
  list.resolve();
  await time.pass(secondMs);

  expect(await facts()).toEqual([unlocking(a), unlocking(c)]);
  rows.set(a, { ...old, ...unlocked } as NonNullable<typeof old>);
  await time.pass(3 * intervalMs);
  expect(await facts()).toHaveLength(2);
});

test('the old value in a list within the quiet window is no event, and another value is one after it', async () => {
  const watched = await startBeforeList();
  const { time, change, facts, causes } = watched;
  executeUnlock(watched, a);
  executeUnlock(watched, b);
  change(b, { ...unlocked, privacyProtected: true });
  await time.pass(3 * secondMs);
  const inWindow = [unlocking(a), unlocking(b), ['PRIVACY_CHANGED', b, 'false', 'true']];
  expect(await facts()).toEqual(inWindow);
  change(b, locked);
  await time.pass(intervalMs);

  // The registrar still locks the first domain, and another program has locked the second one.
  expect(await facts()).toEqual([...inWindow, locking(a), locking(b)]);
  expect((await causes()).slice(3)).toEqual([
    ['TRANSFER_LOCKED', 'UPSTREAM', null],
    ['TRANSFER_LOCKED', 'UPSTREAM', null],
  ]);
});

test('a row that a background read requested before the write does not undo it, however late it is compared', {
  tags: ['E14'],
}, async () => {
  const watched = await startBeforeList();
  const { time, rows, facts, replica } = watched;
  const row = rows.get(b);
  rows.delete(b);
  await time.pass(intervalMs);
  const saveLocked = async () => row && replica.ledger.save(b, row, time.clock.now());
  await saveLocked();
  executeUnlock(watched, b);
  await time.pass(3 * intervalMs);
  expect(await facts()).toEqual([unlocking(b)]);
  await saveLocked();
  await time.pass(intervalMs);

  expect(await facts()).toEqual([unlocking(b), locking(b)]);
});

test('a write that a comparison has reported before its reply arrived is no second event', {
  tags: ['E14'],
}, async () => {
  const watched = await startBeforeList();
  const { time, change, events, replica } = watched;
  const write = replica.writeLog.of('shop')(a, unlock);
  change(a, unlocked);
  await time.pass(3 * secondMs);
  write.executed('false');
  await time.pass(3 * intervalMs);

  expect(await events()).toMatchObject([{ source: 'GATEWAY', caller: 'shop', after: 'false' }]);
});

test('a write whose reply shows another value or none, or of a domain without a known state, is found by the next comparison', async () => {
  const watched = await startBeforeList();
  const { time, change, remove, facts, causes } = watched;
  const added = 'new.com' as DomainName;
  executeUnlock(watched, a, null);
  executeUnlock(watched, b, 'true');
  executeUnlock(watched, added);
  for (const name of [a, b, added]) change(name, unlocked);
  await remove(c);
  await time.pass(intervalMs);
  const found = [unlocking(a), unlocking(b), ['DOMAIN_REMOVED', c, 'ACTIVE', null]];
  expect(await facts()).toEqual([...found, ['DOMAIN_ADDED', added, null, 'ACTIVE']]);
  const caused = ['TRANSFER_UNLOCKED', 'GATEWAY', 'shop'];
  expect((await causes()).slice(0, 2)).toEqual([caused, caused]);
  executeUnlock(watched, c);
  await time.pass(3 * intervalMs);

  expect(await facts()).toHaveLength(4);
});

test('a write during a comparison does not prevent its other events, and no event is UPSTREAM or missing because of it', {
  tags: ['E14'],
}, async () => {
  const watched = await startWatched();
  await watched.replica.close();
  await watched.startPublisher();
  let atChange = async () => {};
  watched.balances.set('USD', '100.0000');
  const replica = await watched.startReplica({
    balanceLow: [money('100', 'USD')],
    async onCall(method, execute) {
      if (method === 'change') await atChange();
      return execute();
    },
  });
  const { time, change, facts, causes } = watched;
  await time.pass(secondMs);
  atChange = async () => {
    atChange = async () => {};
    change(a, { privacyProtected: true });
    replica.writeLog.of('shop')(a, { field: 'privacyProtected', value: 'true' }).executed('true');
    await time.pass(0);
  };
  replica.writeLog.of('office')(a, unlock);
  change(a, unlocked);
  change(b, unlocked);
  watched.balances.set('USD', '99.0000');
  await time.pass(intervalMs);
  expect(await facts()).toEqual([
    ['PRIVACY_CHANGED', a, 'false', 'true'],
    unlocking(b),
    ['BALANCE_LOW', 'USD', '100.0000', '99.0000'],
  ]);
  await time.pass(intervalMs);

  expect((await facts()).slice(3)).toEqual([unlocking(a)]);
  expect(await causes()).toEqual([
    ['PRIVACY_CHANGED', 'GATEWAY', 'shop'],
    ['TRANSFER_UNLOCKED', 'UPSTREAM', null],
    ['BALANCE_LOW', 'UPSTREAM', null],
    ['TRANSFER_UNLOCKED', 'GATEWAY', 'office'],
  ]);
});

test('the publisher of another replica stores the event of a process that was killed after the state was stored', async () => {
  const watched = await startWatched();
  executeUnlock(watched, a);
  await watched.time.pass(secondMs);
  expect(await watched.facts()).toEqual([]);
  await watched.startPublisher();
  await watched.startPublisher();
  await watched.time.pass(0);

  expect(await watched.facts()).toEqual([unlocking(a)]);
});
