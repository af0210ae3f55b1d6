import { expect, test } from 'vitest';
import { createSimulatedClock, hourMs } from '../../../test/support/simulated-clock.ts';
import type { RecordedOperation } from '../../kernel/recorder.ts';
import { Fault } from '../../kernel/faults.ts';
import type { AuditStore, NewAuditEntry } from './store.ts';
import { createAuditTrail } from './trail.ts';

const operation: RecordedOperation = {
  ...{ operation: 'syncDomain', domain: null, caller: null, customer: null, tenant: 'default' },
  ...{ requestId: 'r1', address: '192.0.2.1', input: null },
};
const ok = { outcome: 'OK', upstreamCalls: 1 };
const dayMs = 24 * hourMs;

/** A trail over a store that can be away. */
function start(settings: { isRequired?: boolean; storesAddresses?: boolean } = {}) {
  const { clock, pass } = createSimulatedClock();
  const state = { isAway: false };
  const rows: NewAuditEntry[] = [];
  const lost: string[] = [];
  const deletions: Date[] = [];
  /** How many parts the next deletion has. */
  let parts = 2;
  const store = {
    async append(_account: string, entries: readonly NewAuditEntry[]) {
      if (state.isAway) throw new Fault('JOURNAL_UNAVAILABLE', { message: 'It is away.' });
      return entries.map((entry) => rows.push(entry));
    },
    async deleteBefore(_account: string, time: Date) {
      deletions.push(time);
      parts -= 1;
      return parts > 0;
    },
  } as unknown as AuditStore;
  const trail = createAuditTrail({
    ...{ store, account: 'acme', clock, retentionMs: 7 * dayMs },
    ...{ isRequired: true, storesAddresses: false, ...settings },
    onLost: (reason) => void lost.push(reason),
    onError: (error) => {
      throw error;
    },
  });
  return { trail, rows, lost, deletions, state, clock, pass };
}

test('the end of an operation has the position of its begin', async () => {
  const { trail, rows } = start();
  await trail.add(operation, ok);
  const end = await trail.begin(operation);
  end(ok);
  await trail.settled();

  expect(rows).toMatchObject([{ end: ok }, { end: null }, { begun: 2, end: ok }]);
});

test.each([
  [false, null],
  [true, '192.0.2.1'],
])('the address of the client is stored only when that is set: %j', async (isSet, address) => {
  const { trail, rows } = start({ storesAddresses: isSet });
  trail.note(operation, ok);
  trail.noteLater(operation, ok);
  await trail.add(operation, ok);
  const end = await trail.begin(operation);
  end(ok);
  await trail.close();

  const stored = rows.flatMap((row) => ('operation' in row ? [row.operation.address] : []));
  expect(stored).toEqual([address, address, address, address]);
});

test('a required entry that cannot be stored is a fault, and the end of an operation is lost', async () => {
  const { trail, rows, lost, state } = start();
  const end = await trail.begin(operation);
  state.isAway = true;

  await expect(trail.begin(operation)).rejects.toMatchObject({ code: 'JOURNAL_UNAVAILABLE' });
  await expect(trail.add(operation, ok)).rejects.toMatchObject({ code: 'JOURNAL_UNAVAILABLE' });
  end(ok);
  trail.note(operation, ok);
  await trail.settled();

  expect(rows).toHaveLength(1);
  expect(lost).toEqual(['It is away.', 'It is away.']);
});

test('an operation whose begin is lost has a whole entry when the store is available at its end', async () => {
  const { trail, rows, lost, state } = start({ isRequired: false });
  state.isAway = true;
  const end = await trail.begin(operation);
  state.isAway = false;
  end(ok);
  await trail.settled();

  expect(rows).toMatchObject([{ operation: { operation: 'syncDomain' }, end: ok }]);
  expect(lost).toEqual(['It is away.']);
});

test('a caller adds 60 refusals in a minute, and its next entry has the number of those left out', async () => {
  const { trail, rows, pass } = start();
  const refuse = (caller: string, refusals = 1) =>
    trail.noteRefused(
      { ...operation, caller },
      { outcome: 'FORBIDDEN', upstreamCalls: 0, refusals },
    );
  for (let sent = 0; sent < 62; sent += 1) refuse('shop', 2);
  refuse('other');
  await pass(60_000);
  refuse('shop');
  refuse('shop');
  await trail.close();

  const refusals = rows.map(({ end }) => end?.refusals);
  expect(refusals).toEqual([...Array.from({ length: 60 }, () => 2), 1, 5, 1]);
});

test('old entries are deleted at the start and every hour, in parts', async () => {
  const { trail, deletions, clock, pass } = start();
  const oldest = () => new Date(clock.now().getTime() - 7 * dayMs);
  const first = oldest();
  await pass(hourMs - 1);
  expect(deletions).toEqual([first, first]);

  await pass(1);
  expect(deletions).toEqual([first, first, oldest()]);
  await trail.close();
});

test('frequent entries of a second are stored together, and those that wait when it closes or is read', async () => {
  const { trail, rows, pass } = start();
  const note = () => trail.noteLater(operation, ok);
  note();
  note();
  await pass(999);
  expect(rows).toEqual([]);
  await pass(1);
  expect(rows).toHaveLength(2);

  note();
  await trail.settled();
  expect(rows).toHaveLength(3);
  note();
  await trail.close();
  expect(rows).toHaveLength(4);
});
