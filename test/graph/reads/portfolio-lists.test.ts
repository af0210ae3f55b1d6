import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { DomainName } from '../../../src/kernel/domain-name.ts';
import { notCached } from '../../../src/kernel/field-result.ts';
import { systemClock } from '../../../src/lib/system.ts';
import { domainPlace } from '../../../src/modules/portfolio/domain-place.ts';
import {
  type DomainFilter,
  PortfolioIndex,
} from '../../../src/modules/portfolio/index/portfolio-index.ts';
import type { RowSink, Rows } from '../../../src/upstream/client/operation.ts';
import { domainApi } from '../../../src/upstream/domain-api/operations.ts';
import type { DomainDetails } from '../../../src/upstream/domain-api/shapes.ts';
import { createRowReader } from '../../../src/upstream/wire/row-reader.ts';
import { runs } from '../../support/long.ts';

const rows = domainApi.getdomainlist.rows as Rows;

const withoutSecret = (row: DomainDetails): DomainDetails => ({ ...row, authCode: notCached });

type WireRow = Readonly<Record<string, unknown>>;

const bodyOf = (list: readonly WireRow[]) => `{"data":{"Domains":${JSON.stringify(list)}}}`;

/** Reads bodies one after the other, as attempts at one list, against the list before. */
async function readList(before: PortfolioIndex | null, ...bodies: readonly string[]) {
  const reading = PortfolioIndex.read(before, systemClock);
  for (const body of bodies) {
    const reader = createRowReader({
      rows,
      clock: systemClock,
      redact: (text) => text,
      sink: reading.sink,
    });
    await reader.take(Buffer.from(body));
    reader.end();
  }
  return reading.end([]);
}
const indexOf = (before: PortfolioIndex | null, list: readonly WireRow[]) =>
  readList(before, bodyOf(list));

/** Some of the domains have expired by then. */
const now = new Date(Date.UTC(2026, 2, 1));

const sizeOf = (index: PortfolioIndex) => index.count({ filter: null, now }).totalCount;

/** All that the graph can tell of an index. */
function toldBy(index: PortfolioIndex) {
  const all = { limit: 1_000, fromEnd: false, after: null, before: null };
  const pageOf = (field: 'NAME' | 'EXPIRES_AT' | 'REGISTERED_AT', direction: 'ASC' | 'DESC') =>
    index.page({ filter: null, now }, { place: domainPlace({ field, direction }), ...all }).domains;
  const named = (filter: DomainFilter) =>
    index.page({ filter, now }, { place: domainPlace({}), ...all }).domains.map(({ name }) => name);
  const counts = index.count({ filter: null, now });
  return {
    size: counts.totalCount,
    pages: [pageOf('NAME', 'ASC'), pageOf('EXPIRES_AT', 'ASC'), pageOf('REGISTERED_AT', 'DESC')],
    filtered: [
      named({ contains: 'a' }),
      named({ contains: 'shop' }),
      named({ contains: 'é' }),
      named({ tlds: ['com'], transferLocked: true }),
      named({ states: ['ACTIVE'], nameServer: 'ns1.a.net' as DomainName }),
      named({ expiresAfter: new Date(Date.UTC(2026, 2, 1)) }),
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
/** What becomes of a list: rows that go, come in, change, move. */
const edits = fc.array(
  fc.tuple(fc.constantFrom('drop', 'insert', 'replace', 'move'), fc.nat(60), fc.nat(60), wireRow),
  { maxLength: 6 },
);
type Edit = typeof edits extends fc.Arbitrary<readonly (infer One)[]> ? One : never;

function edited(rowsBefore: readonly WireRow[], changes: readonly Edit[]): readonly WireRow[] {
  const after = [...rowsBefore];
  for (const [how, from, to, row] of changes) {
    const at = from % (after.length + 1);
    if (how === 'insert') after.splice(at, 0, row);
    else if (how === 'replace') after.splice(at, 1, row);
    else {
      const moved = after.splice(at, 1);
      if (how === 'move') after.splice(to % (after.length + 1), 0, ...moved);
    }
  }
  return after;
}

test('a list that is read against the one before is what it is by itself, whatever has changed in it or here', async () => {
  const patches = fc.array(fc.tuple(wireRow, fc.boolean()), { maxLength: 3 });
  await fc.assert(
    fc.asyncProperty(
      list,
      fc.array(fc.tuple(patches, edits), { maxLength: 4 }),
      async (first, steps) => {
        let rowsNow: readonly WireRow[] = first;
        let index = await indexOf(null, rowsNow);
        for (const [patched, changes] of steps) {
          for (const [wire, isGone] of patched) {
            const row = withoutSecret(rows.read(wire) as DomainDetails);
            index.change(row.name, isGone ? null : row);
          }
          const held = toldBy(index);
          const before = index;
          rowsNow = edited(rowsNow, changes);
          index = await indexOf(before, rowsNow);

          expect(toldBy(index)).toEqual(toldBy(await indexOf(null, rowsNow)));
          if (index !== before) expect(toldBy(before)).toEqual(held);
        }
      },
    ),
    { numRuns: runs(60, 300) },
  );
});

test('a row reads the same after it was packed, but for its auth code', async () => {
  await fc.assert(
    fc.asyncProperty(wireRow, async (wire) => {
      const row = rows.read(wire) as DomainDetails;
      const index = await indexOf(null, [wire]);

      expect(index.find(row.name)).toEqual(withoutSecret(row));
    }),
    { numRuns: runs(60, 300) },
  );
  const large = '{"DomainName":"a.com","Status":1e999,"Dates":{"RemainingDays":-1e999}}';
  const index = await readList(null, `{"data":{"Domains":[${large}]}}`);
  expect(index.find('a.com' as DomainName)).toEqual(
    withoutSecret(rows.read(JSON.parse(large)) as DomainDetails),
  );
});

const named = (name: string, more: WireRow = {}): WireRow => ({
  DomainName: name,
  Status: 'Active',
  AuthCode: 'hush-hush',
  ...more,
});
const three = ['b.com', 'a.com', 'c.com'].map((name) => named(name));

test('a list that is the same is the one before, unless something was changed here meanwhile', async () => {
  const first = await indexOf(null, three);
  expect(await indexOf(first, three)).toBe(first);

  const [row] = three.map((one) =>
    withoutSecret(rows.read({ ...one, LockStatus: 'true' }) as DomainDetails),
  );
  first.change('b.com' as DomainName, row ?? null);
  const next = await indexOf(first, three);

  expect(next).not.toBe(first);
  expect(next.find('b.com' as DomainName)?.transferLocked).toBeInstanceOf(Error);
});

test('a change here while a list is read is in the one before, and not in the new one', async () => {
  const first = await indexOf(null, three);
  const reading = PortfolioIndex.read(first, systemClock);
  const reader = createRowReader({ rows, clock: systemClock, redact: String, sink: reading.sink });
  const body = Buffer.from(bodyOf(three));

  await reader.take(body.subarray(0, body.length - 10));
  const name = 'b.com' as DomainName;
  first.change(name, null);
  await reader.take(body.subarray(body.length - 10));
  const next = await reading.end([]);

  expect([first.find(name), next.find(name)?.name]).toEqual([null, name]);
});

test('no auth code is among what is kept of a row', async () => {
  const kept: unknown[] = [];
  const sink: RowSink = {
    begin: () => undefined,
    takeKnown: () => false,
    take: (_row, one) => void kept.push(one),
  };
  const reader = createRowReader({ rows, clock: systemClock, redact: String, sink });

  await reader.take(Buffer.from(bodyOf(three)));

  expect(kept).toEqual(three.map(({ AuthCode, ...others }) => others));
});

describe('a list that breaks off', () => {
  test('leaves the one before as it was, and nothing of it is in the next attempt', async () => {
    const first = await indexOf(null, three);
    const held = toldBy(first);
    const broken = bodyOf([named('new.com'), ...three]).slice(0, -40);

    const index = await readList(first, broken, bodyOf([named('other.com')]));

    expect(toldBy(first)).toEqual(held);
    expect(index.find('new.com' as DomainName)).toBeNull();
    expect(index.rowCount).toBe(1);
  });
});

test('a name that the list has twice is listed twice, the last one is found, and a change here is for both', async () => {
  const twice = await indexOf(null, [
    named('a.com', { ID: 1 }),
    named('b.com'),
    named('a.com', { ID: 2 }),
  ]);
  const name = 'a.com' as DomainName;

  expect(sizeOf(twice)).toBe(3);
  expect(twice.find(name)?.upstreamId).toBe(2);

  twice.change(name, null);
  expect([sizeOf(twice), twice.find(name)]).toEqual([1, null]);
});
