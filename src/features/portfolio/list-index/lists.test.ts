import fc from 'fast-check';
import { expect, test } from 'vitest';
import { runs } from '../../../../test/support/long.ts';
import type { DomainName } from '../../../kernel/domain-name.ts';
import { notCached } from '../../../kernel/faults.ts';
import { systemClock } from '../../../lib/system.ts';
import { domainApi } from '../../../upstream/domain-api/operations.ts';
import type { DomainDetails } from '../../../upstream/domain-api/shapes.ts';
import { createRowReader, type RowSink, type Rows } from '../../../upstream/wire/row-reader.ts';
import { type DomainOrder, domainPlace } from '../service.ts';
import { type DomainFilter, PortfolioIndex } from './portfolio-index.ts';

const rows = domainApi.getdomainlist.rows as Rows;

const withoutSecret = (row: DomainDetails): DomainDetails => ({ ...row, authCode: notCached });

type WireRow = Readonly<Record<string, unknown>>;

const bodyOf = (list: readonly WireRow[]) => `{"data":{"Domains":${JSON.stringify(list)}}}`;

/** Reads bodies one after the other, as attempts to read one list. */
const readList = (...bodies: readonly string[]) => readAfter(null, ...bodies);

async function readAfter(previous: PortfolioIndex | null, ...bodies: readonly string[]) {
  const sink = PortfolioIndex.read(systemClock, previous);
  for (const body of bodies) {
    const reader = createRowReader({ rows, clock: systemClock, redact: String, sink });
    await reader.take(Buffer.from(body));
    await reader.end();
  }
  return sink.end([]);
}
const indexOf = (list: readonly WireRow[]) => readList(bodyOf(list));

/** Some of the domains have expired by then. */
const now = new Date(Date.UTC(2026, 2, 1));

const sizeOf = (index: PortfolioIndex) => index.count({ filter: null, now }).totalCount;

const orders: readonly DomainOrder[] = [
  { field: 'NAME', direction: 'ASC' },
  { field: 'EXPIRES_AT', direction: 'ASC' },
  { field: 'REGISTERED_AT', direction: 'DESC' },
];

/** Everything that the graph returns from an index. */
function contentOf(index: PortfolioIndex) {
  const all = { limit: 1_000 };
  const pageOf = (order: DomainOrder) =>
    index.page({ filter: null, now }, { place: domainPlace(order), ...all }).domains;
  const named = (filter: DomainFilter) =>
    index.page({ filter, now }, { place: domainPlace({}), ...all }).domains.map(({ name }) => name);
  const counts = index.count({ filter: null, now });
  return {
    size: counts.totalCount,
    rows: orders.map((order) => [...index.rows({ filter: null, now }, domainPlace(order))]),
    pages: orders.map(pageOf),
    filtered: [
      named({ contains: 'a' }),
      named({ contains: 'shop' }),
      named({ contains: 'é' }),
      named({ tlds: ['com'], transferLocked: true }),
      named({ states: ['ACTIVE'], nameServer: 'ns1.a.net' as DomainName }),
      named({ expires: { from: new Date(Date.UTC(2026, 2, 1)) } }),
    ],
    counts: [counts.byTld(9), counts.byState(), counts.byNameServer(9), counts.byExpiryMonth()],
  };
}

const day = (at: number) => `2026-0${1 + (at % 8)}-01T00:00:00`;
const wireRow: fc.Arbitrary<WireRow> = fc.record(
  {
    ID: fc.oneof(fc.nat(99), fc.constant('x'), fc.constant(null)),
    DomainName: fc
      .tuple(
        fc.constantFrom('a', 'shop', 'my-shop', 'xn--caf-dma'),
        fc.nat(9),
        fc.constantFrom('com', 'co.uk'),
      )
      .map(([label, serial, zone]) => `${label}${label.startsWith('xn--') ? '' : serial}.${zone}`),
    Status: fc.constantFrom('Active', 'PendingDelete', 7, null),
    AuthCode: fc.constantFrom('hush-hush', ''),
    LockStatus: fc.constantFrom('true', 'false', 'maybe'),
    PrivacyProtectionStatus: fc.constantFrom('true', false, null),
    Contacts: fc.oneof(fc.record({ Billing: fc.record({ ID: fc.nat(9) }) }), fc.constant([])),
    Dates: fc.oneof(
      fc
        .tuple(fc.nat(9), fc.nat(9))
        .map(([from, to]) => ({ Start: day(from), Expiration: day(to) })),
      fc.constantFrom('none', null, { Start: '', Expiration: 'soon', RemainingDays: 3 }),
    ),
    NameServers: fc.oneof(fc.subarray(['ns1.a.net', 'NS2.a.net', 'ns3.b.org']), fc.constant(null)),
    Additional: fc.oneof(fc.constant([]), fc.dictionary(fc.constantFrom('a', 'b'), fc.string())),
  },
  { requiredKeys: ['DomainName'] },
);
const list = fc.array(fc.oneof({ weight: 20, arbitrary: wireRow }, fc.constant({ ID: 1 })), {
  maxLength: 40,
});
test('an index that is read row by row equals the index of the decoded rows, before and after writes', async () => {
  const changes = fc.array(fc.tuple(wireRow, fc.boolean()), { maxLength: 6 });
  await fc.assert(
    fc.asyncProperty(list, changes, async (wireRows, changed) => {
      const decoded = wireRows
        .map((wire) => rows.read(wire) as DomainDetails | undefined)
        .filter((row) => row !== undefined);
      const index = await indexOf(wireRows);
      const expected = await PortfolioIndex.read(systemClock).end(decoded.map(withoutSecret));
      expect(contentOf(index)).toEqual(contentOf(expected));

      const order = domainPlace({ field: 'REGISTERED_AT', direction: 'DESC' });
      const before = index.rows({ filter: null, now }, order);
      const rowsBefore = contentOf(index).pages[2];
      for (const [wire, isGone] of changed) {
        const row = withoutSecret(rows.read(wire) as DomainDetails);
        for (const one of [index, expected]) one.change(row.name, isGone ? null : row);
      }
      expect(contentOf(index)).toEqual(contentOf(expected));
      expect(contentOf(index).rows).toEqual(contentOf(index).pages);
      expect([...before]).toEqual(rowsBefore);
    }),
    { numRuns: runs(20, 300) },
  );
});

test('an index that is restricted to names equals the index of their rows, also after writes', async () => {
  const picks = fc.array(fc.nat(40), { maxLength: 20 });
  await fc.assert(
    fc.asyncProperty(list, picks, fc.option(wireRow), async (wireRows, picked, written) => {
      const whole = await indexOf(wireRows);
      const names = new Set(picked.flatMap((at) => whole.names()[at] ?? []));
      if (written) {
        const row = withoutSecret(rows.read(written) as DomainDetails);
        whole.change(row.name, row);
      }
      const own = whole.restrictedTo(new Set([...names, 'absent.com' as DomainName]));

      const expected = await PortfolioIndex.read(systemClock).end(
        [...names].flatMap((name) => whole.find(name) ?? []),
      );
      expect(contentOf(own)).toEqual(contentOf(expected));
      expect([own.names(), own.size]).toEqual([expected.names(), expected.size]);
      for (const name of whole.names()) {
        expect([own.has(name), own.find(name)]).toEqual([expected.has(name), expected.find(name)]);
      }
    }),
    { numRuns: runs(20, 300) },
  );
});

test('an index that is read after another one, changed or not, equals the index of its own rows', async () => {
  const edits = fc.record({
    start: fc.nat(40),
    removed: fc.nat(2),
    added: fc.array(wireRow, { maxLength: 2 }),
    written: fc.option(fc.nat(40)),
  });
  await fc.assert(
    fc.asyncProperty(list, edits, async (before, { start, removed, added, written }) => {
      const previous = await indexOf(before);
      const target = written === null ? undefined : before[written];
      const row =
        target && (rows.read({ ...target, Status: 'Locked' }) as DomainDetails | undefined);
      if (row) previous.change(row.name, withoutSecret(row));
      const after = before.toSpliced(start, removed, ...added);

      const index = await readAfter(previous, bodyOf(after));

      expect(contentOf(index)).toEqual(contentOf(await indexOf(after)));
      const again = await readAfter(index, bodyOf(after));
      expect(contentOf(again)).toEqual(contentOf(index));
      expect(again).toBe(index);
    }),
    { numRuns: runs(20, 300) },
  );
});

test('a stored row equals the row that was read, except for its auth code', async () => {
  await fc.assert(
    fc.asyncProperty(wireRow, async (wire) => {
      const row = rows.read(wire) as DomainDetails;
      const index = await indexOf([wire]);

      expect(index.find(row.name)).toEqual(withoutSecret(row));
    }),
    { numRuns: runs(20, 300) },
  );
});

const named = (name: string, more: WireRow = {}): WireRow => ({
  DomainName: name,
  Status: 'Active',
  AuthCode: 'hush-hush',
  ...more,
});
const three = ['b.com', 'a.com', 'c.com'].map((name) => named(name));

test('no stored row contains its auth code', { tags: ['G21'] }, async () => {
  const stored: unknown[] = [];
  const sink: RowSink = {
    begin: () => undefined,
    takeKnown: () => false,
    take: (_row, one) => void stored.push(one),
  };
  const reader = createRowReader({ rows, clock: systemClock, redact: String, sink });

  await reader.take(Buffer.from(bodyOf(three)));

  expect(stored).toEqual(three.map(({ AuthCode, ...others }) => others));
});

test('no row of a list that breaks off is in the next attempt', async () => {
  const broken = bodyOf([named('new.com'), ...three]).slice(0, -40);

  const index = await readList(broken, bodyOf([named('other.com')]));

  expect(index.find('new.com' as DomainName)).toBeNull();
  expect(index.rowCount).toBe(1);
});

const until = (year: number) => ({ Dates: { Expiration: `${year}-01-01T00:00:00` } });

test.each<[string, WireRow, WireRow]>([
  ['that the account has', { Status: 'Active' }, { Status: 'Deleted', ...until(2030) }],
  ['in redemption', { Status: 'PendingDelete' }, { Status: 'TransferredOut', ...until(2030) }],
  ['that expires later', until(2027), until(2020)],
  ['with an expiry', until(2027), { Status: 'Active' }],
  [
    'that expires later, of two that are gone',
    { Status: 'Deleted', ...until(2027) },
    { Status: 'Deleted' },
  ],
  ['with the later number, of two equal ones', { ID: 2 }, { ID: 1 }],
])(
  'of two rows of one name the list has the row %s, in either order',
  async (_what, one, other) => {
    const name = 'a.com' as DomainName;
    const [better, replaced] = [named('a.com', one), named('a.com', other)];
    for (const pair of [
      [better, replaced],
      [replaced, better],
    ]) {
      const body = bodyOf([...pair.slice(0, 1), ...three.slice(0, 1), ...pair.slice(1)]);
      const index = await readList(body);

      expect(contentOf(index)).toEqual(contentOf(await indexOf([better, ...three.slice(0, 1)])));
      expect(index.find(name)).toEqual(withoutSecret(rows.read(better) as DomainDetails));
      expect([sizeOf(index), index.size, index.names().length, index.rowCount]).toEqual([
        2, 2, 2, 3,
      ]);
      expect(await readAfter(index, body)).toBe(index);

      index.change(name, null);
      expect([sizeOf(index), index.find(name)]).toEqual([1, null]);
    }
  },
);
