import { expect, test } from 'vitest';
import { account, claimNumber, moveTo, unlimited } from '../../../test/persistence/claims.ts';
import { a, b, locked, unlocked, unreadable } from '../../../test/support/modules/event-rows.ts';
import { minuteMs, secondMs } from '../../../test/support/simulated-clock.ts';
import type { DomainName } from '../../kernel/domain-name.ts';
import { createSwitch, intervalMs, quietWindowMs, startWatched } from './test/account.ts';
import { createWriteLog } from './write-log.ts';

const moved = { nameServers: ['ns2.moved.net', 'NS1.moved.net'] };
const setHosts = { field: 'nameServers', value: 'ns1.moved.net ns2.moved.net' } as const;
const sync = { field: 'sync', value: null } as const;
const unlock = { field: 'transferLocked', value: 'false' } as const;

const gateway = (type: string, caller: string | null = 'shop') => [type, 'GATEWAY', caller];
const upstream = (type: string) => [type, 'UPSTREAM', null];

test('a change that a write of this gateway set is its event with the caller, and another value is not', {
  tags: ['E8'],
}, async () => {
  const { time, change, causes, replica } = await startWatched();
  replica.writeLog.of('shop')(a, setHosts);
  replica.writeLog.of('shop')(b, setHosts);
  change(a, moved);
  change(b, { nameServers: ['ns1.moved.net'] });
  await time.pass(intervalMs);

  expect(await causes()).toEqual([
    gateway('NAME_SERVERS_CHANGED'),
    upstream('NAME_SERVERS_CHANGED'),
  ]);
});

test('a write explains its own field, and a sync any field', async () => {
  const { time, change, causes, replica } = await startWatched();
  const other = {
    ...unlocked,
    privacyProtected: true,
    expiresAt: new Date('2028-01-31T12:00:00Z'),
  };
  replica.writeLog.of('shop')(a, unlock);
  replica.writeLog.of(null)(b, sync);
  change(a, other);
  change(b, { ...other, ...moved, status: 'x', state: 'DELETED' });
  await time.pass(intervalMs);

  expect(await causes()).toEqual([
    upstream('EXPIRY_CHANGED'),
    gateway('TRANSFER_UNLOCKED'),
    upstream('PRIVACY_CHANGED'),
    gateway('STATE_CHANGED', null),
    gateway('EXPIRY_CHANGED', null),
    gateway('NAME_SERVERS_CHANGED', null),
    gateway('TRANSFER_UNLOCKED', null),
    gateway('PRIVACY_CHANGED', null),
  ]);
});

test('a sync explains neither that a domain expires soon nor that it was removed', async () => {
  const { time, change, remove, causes, replica } = await startWatched();
  replica.writeLog.of('shop')(a, sync);
  replica.writeLog.of('shop')(b, sync);
  change(a, { expiresAt: new Date(time.clock.now().getTime() + 5 * minuteMs * 60) });
  await remove(b);
  await time.pass(intervalMs);

  expect(await causes()).toEqual([
    gateway('EXPIRY_CHANGED'),
    upstream('EXPIRING'),
    upstream('DOMAIN_REMOVED'),
  ]);
});

test('of two writes of one value the last one names the caller', async () => {
  const { time, change, causes, replica } = await startWatched();
  replica.writeLog.of('first')(a, unlock);
  await time.pass(secondMs);
  replica.writeLog.of('second')(a, unlock);
  change(a, unlocked);
  await time.pass(intervalMs);

  expect(await causes()).toEqual([gateway('TRANSFER_UNLOCKED', 'second')]);
});

test('a write that a later one replaced explains no later change', async () => {
  const { time, change, causes, replica } = await startWatched();
  // The registrar may still execute them when the row is read.
  await time.pass(intervalMs - quietWindowMs / 2);
  for (const value of ['false', 'true']) {
    replica.writeLog.of('shop')(a, { field: 'privacyProtected', value });
    await time.pass(secondMs);
  }
  change(a, { privacyProtected: true });
  await time.pass(quietWindowMs);
  expect(await causes()).toEqual([gateway('PRIVACY_CHANGED')]);
  change(a, { privacyProtected: false });
  await time.pass(intervalMs);

  expect((await causes()).slice(1)).toEqual([upstream('PRIVACY_CHANGED')]);
});

test('a write explains one change, so that the same change made again elsewhere is not of this gateway', {
  tags: ['E8'],
}, async () => {
  const { time, change, causes, replica, journal } = await startWatched();
  replica.writeLog.of('shop')(a, unlock);
  change(a, unlocked);
  await time.pass(intervalMs);
  expect(await journal.domainWrites.list(account)).toEqual([]);
  change(a, locked);
  await time.pass(intervalMs);
  change(a, unlocked);
  await time.pass(intervalMs);

  expect(await causes()).toEqual([
    gateway('TRANSFER_UNLOCKED'),
    upstream('TRANSFER_LOCKED'),
    upstream('TRANSFER_UNLOCKED'),
  ]);
});

test('a write that a row of the domain does not show explains no later change, unless it may still be executed', async () => {
  const { time, change, causes, replica, journal } = await startWatched();
  replica.writeLog.of('shop')(a, unlock);
  await time.pass(intervalMs - quietWindowMs);
  replica.writeLog.of('late')(b, unlock);
  await time.pass(quietWindowMs);
  expect(await journal.domainWrites.list(account)).toMatchObject([{ domain: b }]);

  change(a, unlocked);
  change(b, unlocked);
  await time.pass(intervalMs);

  expect(await causes()).toEqual([
    upstream('TRANSFER_UNLOCKED'),
    gateway('TRANSFER_UNLOCKED', 'late'),
  ]);
  expect(await journal.domainWrites.list(account)).toEqual([]);
});

test('a write of a domain that the list leaves out explains the row that is read later', async () => {
  const { time, rows, causes, replica } = await startWatched([a, b]);
  const row = rows.get(b);
  rows.delete(b);
  if (row) await replica.ledger.save(b, row, time.clock.now());
  await time.pass(intervalMs);
  replica.writeLog.of('shop')(b, unlock);
  await time.pass(4 * intervalMs);
  expect(await causes()).toEqual([]);

  if (row) await replica.ledger.save(b, { ...row, ...unlocked }, time.clock.now());
  await time.pass(intervalMs);

  expect(await causes()).toEqual([gateway('TRANSFER_UNLOCKED')]);
});

test('a write that was refused explains nothing, and one without an outcome does', {
  tags: ['E8'],
}, async () => {
  const { time, change, causes, replica } = await startWatched();
  const refused = replica.writeLog.of('shop')(a, unlock);
  replica.writeLog.of('shop')(b, unlock);
  refused.notExecuted();
  await time.pass(secondMs);
  change(a, unlocked);
  change(b, unlocked);
  await time.pass(intervalMs);

  expect(await causes()).toEqual([upstream('TRANSFER_UNLOCKED'), gateway('TRANSFER_UNLOCKED')]);
});

test('a value that cannot be read is explained by no write', async () => {
  const { time, change, causes, replica } = await startWatched();
  replica.writeLog.of('shop')(a, unlock);
  change(a, { transferLocked: unreadable, nameServers: ['ns1.moved.net'] });
  await time.pass(intervalMs);

  expect(await causes()).toEqual([upstream('NAME_SERVERS_CHANGED')]);
});

test('a journal that cannot be used is no failure of the write', async () => {
  const { replica, journal, errors, time } = await startWatched();
  await journal.close();
  replica.writeLog.of('shop')(a, unlock).executed('false');
  replica.writeLog.of('shop')(b, unlock).notExecuted();
  await time.pass(secondMs);

  expect(errors).toEqual([]);
});

test('the next owner of the lease explains the changes of writes that another replica sent', async () => {
  const { time, change, causes, replica, startReplica } = await startWatched();
  const { onCall } = createSwitch();
  await startReplica({ onCall });
  replica.writeLog.of('shop')(a, unlock);
  await time.pass(secondMs);
  change(a, unlocked);
  await replica.close();
  await time.pass(intervalMs);

  expect(await causes()).toEqual([gateway('TRANSFER_UNLOCKED')]);
});

test('a domain that a purchase of this gateway bought is added with its caller and its purchase', async () => {
  const { time, change, events, journal } = await startWatched([a]);
  const buy = async (at: number, domain: DomainName, state: 'SUCCEEDED' | 'FAILED' | 'PENDING') => {
    await journal.claim(
      claimNumber(at, { domain, caller: `caller-${at}`, claimedAt: time.clock.now() }),
      unlimited,
    );
    await moveTo(journal, `operation-00${at}`, state);
    change(domain, {});
  };
  const names = ['b.com', 'c.com', 'd.com', 'e.com'] as DomainName[];
  await buy(1, names[0] as DomainName, 'SUCCEEDED');
  await buy(2, names[1] as DomainName, 'FAILED');
  await buy(3, names[2] as DomainName, 'PENDING');
  change(names[3] as DomainName, {});
  await time.pass(intervalMs);

  const added = (await events()).filter(({ type }) => type === 'DOMAIN_ADDED');
  expect(
    added.map(({ domain, source, caller, purchaseId }) => [domain, source, caller, purchaseId]),
  ).toEqual([
    ['b.com', 'GATEWAY', 'caller-1', 'operation-001'],
    ['c.com', 'UPSTREAM', null, null],
    ['d.com', 'GATEWAY', 'caller-3', 'operation-003'],
    ['e.com', 'UPSTREAM', null, null],
  ]);
});

test('a purchase before the last removal of a domain does not explain that it is added again', {
  tags: ['E8'],
}, async () => {
  const { time, change, remove, causes, journal } = await startWatched([a]);
  const buy = async (at: number) => {
    const claim = claimNumber(at, {
      domain: b,
      caller: `caller-${at}`,
      claimedAt: time.clock.now(),
    });
    await journal.claim(claim, unlimited);
    await journal.move(claim.id, ['CLAIMED'], { to: 'SENDING', at: time.clock.now() });
    await journal.move(claim.id, ['SENDING'], { to: 'SUCCEEDED', at: time.clock.now() });
  };
  await buy(1);
  change(b, {});
  await time.pass(intervalMs);
  await remove(b);
  await time.pass(intervalMs);
  change(b, {});
  await time.pass(intervalMs);
  await remove(b);
  await time.pass(intervalMs);
  await buy(2);
  change(b, {});
  await time.pass(intervalMs);

  const added = (await causes()).filter(([type]) => type === 'DOMAIN_ADDED');
  expect(added).toEqual([
    gateway('DOMAIN_ADDED', 'caller-1'),
    upstream('DOMAIN_ADDED'),
    gateway('DOMAIN_ADDED', 'caller-2'),
  ]);
});

test('without events no write is stored', async () => {
  const { time, journal } = await startWatched();
  const log = createWriteLog({
    ...{ store: journal.domainWrites, events: journal.events, account, clock: time.clock },
    ...{ isEnabled: false, randomness: { uuid: () => 'id', fraction: () => 0 } },
    ...{ onEvent: () => undefined, onError: () => undefined },
  });
  log.of('shop')(a, unlock).executed('false');
  await time.pass(secondMs);

  expect(await journal.domainWrites.list(account)).toEqual([]);
});

test('a bug of the log is reported, and does not fail the write', async () => {
  const errors: unknown[] = [];
  const bug = new Error('A bug.');
  const { time, journal } = await startWatched();
  const log = createWriteLog({
    store: { ...journal.domainWrites, record: () => Promise.reject(bug) },
    ...{ events: journal.events, account, clock: time.clock, isEnabled: true },
    ...{ randomness: { uuid: () => 'id', fraction: () => 0 }, onEvent: () => undefined },
    onError: (error) => errors.push(error),
  });
  log.of('shop')(a, unlock);
  await time.pass(secondMs);

  expect(errors).toEqual([bug]);
});
