import { beforeEach, describe, expect, test } from 'vitest';
import { createSimulatedClock } from '../../../test/support/simulated-clock.ts';
import type { DomainName } from '../../kernel/domain-name.ts';
import type { KnownDomain } from './ledger-store.ts';
import { PortfolioIndex } from './list-index/portfolio-index.ts';
import { createMerge, nextStepOf } from './portfolio.ts';
import { toStoredRow } from './stored-row.ts';
import { numbered, rowOf } from './test/known-portfolio.ts';
import type { UnlistedDomain } from './unlisted-domains.ts';

const list = { complete: false, upstreamCount: 1_200, knownCount: 1_200 };

test.each([
  ['says how long the first reads take', { unread: 1_000, perMinute: 30 }, /about 4 minutes:/],
  ['names one minute', { unread: 1, perMinute: 30 }, /reads 1 domain .* about 1 minute:/],
  ['says that no reads are made', { unread: 3, perMinute: 0 }, /^Set PORTFOLIO_READS_PER_MINUTE/],
  ['names no time when all known domains were read', { unread: 0, perMinute: 30 }, /later\.$/],
])('the next step of a list whose domains are known %s', (_what, reads, sentence) => {
  expect(nextStepOf(list, reads)).toMatch(sentence);
});

test('the next step of a list for a customer names no number of the account', () => {
  expect(nextStepOf(list)).toMatch(/read the list again later\.$/);
});

const [a, b, c] = numbered(3) as [DomainName, DomainName, DomainName];
const second = (count: number) => new Date(Date.UTC(2026, 0, 31, 12, 0, count));
const listedAt = second(10);

const unread = (name: DomainName, changes: Partial<UnlistedDomain> = {}): KnownDomain => ({
  name,
  unlisted: {
    ...{ name, source: 'LISTED', addedAt: second(1), takenAt: null, dueAt: second(1) },
    ...{ row: null, rowAt: null, changedAt: null, missingAt: null },
    ...changes,
  },
});
const read = (
  name: DomainName,
  at: number,
  status = `read ${at}`,
  addedAt = second(1),
): KnownDomain =>
  unread(name, { row: toStoredRow(rowOf(name, status)), rowAt: second(at), addedAt });

let index: PortfolioIndex;
let merge: ReturnType<typeof createMerge>;

const statuses = () =>
  Object.fromEntries(index.names().map((name) => [name, index.find(name)?.status]));
const indexOf = (names: readonly DomainName[]) =>
  PortfolioIndex.read(createSimulatedClock().clock).end(names.map((name) => rowOf(name, 'listed')));

beforeEach(async () => {
  index = await indexOf([a]);
  merge = createMerge(createSimulatedClock().clock);
});

describe('a merge', () => {
  test('adds the rows of the ledger to those of the list, with their times', async () => {
    const merged = await merge(index, [read(b, 5)], listedAt);

    expect(statuses()).toEqual({ [a]: 'listed', [b]: 'read 5' });
    expect([...merged.rowTimes]).toEqual([[b, second(5)]]);
    expect(index.rowCount).toBe(1);
  });

  test('leaves a row of the list as it is, also when the ledger has a newer one', async () => {
    const merged = await merge(index, [read(a, 50), unread(a)], listedAt);

    expect(statuses()).toEqual({ [a]: 'listed' });
    expect(merged).toEqual({
      rowTimes: new Map(),
      knownBefore: 0,
      unread: 0,
      oldestRowAt: listedAt,
    });
  });

  test('counts domains without a row, and adds no row for them', async () => {
    const merged = await merge(index, [unread(b), read(c, 5)], listedAt);

    expect(statuses()).toEqual({ [a]: 'listed', [c]: 'read 5' });
    expect(merged.unread).toBe(1);
  });

  test('counts a domain that another list has as one without a row', async () => {
    const merged = await merge(
      index,
      [a, b].map((name) => ({ name, unlisted: null })),
      listedAt,
    );

    expect(merged).toEqual({
      rowTimes: new Map(),
      knownBefore: 0,
      unread: 1,
      oldestRowAt: listedAt,
    });
  });

  test.each([
    ['before', 9, 1],
    ['with', 10, 1],
    ['after', 11, 0],
  ])(
    'a domain that was added %s the request of the list may be one that the upstream counted',
    async (_when, at, knownBefore) => {
      const added = read(b, 50, 'read', second(at));

      expect(await merge(index, [added, unread(c)], listedAt)).toMatchObject({ knownBefore });
    },
  );
});

describe('a second merge into the same index', () => {
  test('replaces the rows that are newer, and counts the others again', async () => {
    await merge(index, [read(b, 5), read(c, 6)], listedAt);

    const merged = await merge(index, [read(b, 5, 'not merged'), read(c, 7)], listedAt);

    expect(statuses()).toEqual({ [a]: 'listed', [b]: 'read 5', [c]: 'read 7' });
    expect([...merged.rowTimes]).toEqual([
      [b, second(5)],
      [c, second(7)],
    ]);
    expect(merged.knownBefore).toBe(2);
  });

  test('removes the domains that left the ledger', async () => {
    await merge(index, [read(b, 5), read(c, 6)], listedAt);

    const merged = await merge(index, [read(c, 6)], listedAt);

    expect(statuses()).toEqual({ [a]: 'listed', [c]: 'read 6' });
    expect([...merged.rowTimes.keys()]).toEqual([c]);
  });

  test('a domain that was removed and added again has no row until it is read', async () => {
    await merge(index, [read(b, 5)], listedAt);

    const merged = await merge(index, [unread(b)], listedAt);

    expect(statuses()).toEqual({ [a]: 'listed' });
    expect(merged).toEqual({
      rowTimes: new Map(),
      knownBefore: 0,
      unread: 1,
      oldestRowAt: listedAt,
    });
  });

  test('retains the row that was read after a write', async () => {
    await merge(index, [read(b, 5)], listedAt);
    index.change(b, rowOf(b, 'written'));

    await merge(index, [read(b, 5)], listedAt);

    expect(statuses()).toEqual({ [a]: 'listed', [b]: 'written' });
  });
});

test('each index has its own rows of the ledger', async () => {
  const another = await indexOf([b]);
  await merge(index, [read(b, 5)], listedAt);

  const merged = await merge(another, [read(b, 5)], listedAt);

  expect(another.find(b)?.status).toBe('listed');
  expect(merged.rowTimes.size).toBe(0);
});
