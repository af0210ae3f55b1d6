import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { runs } from '../../../../test/support/long.ts';
import { type DomainName, unicodeName } from '../../../kernel/domain-name.ts';
import { domainState, isExpired } from '../../../kernel/domain-state.ts';
import { Fault, type FieldResult, valueOr } from '../../../kernel/faults.ts';
import { systemClock } from '../../../lib/system.ts';
import type { DomainDetails } from '../../../upstream/domain-api/shapes.ts';
import { domainPlace } from '../service.ts';
import {
  type DomainFilter,
  type DomainPlace,
  type PageQuery,
  PortfolioIndex,
} from './portfolio-index.ts';

const unreadable = new Fault('UPSTREAM_PROTOCOL', { executed: 'NO' });
const orUnreadable = <T>(value: fc.Arbitrary<T>): fc.Arbitrary<FieldResult<T>> =>
  fc.oneof({ weight: 9, arbitrary: value }, fc.constant(unreadable));

// Few values of each kind, so that rows are often equal or adjacent.
const labels = ['a', 'ab', 'b-a', 'aba', 'z9', 'shop', 'my-shop', 'xn--bcher-kva', 'xn--caf-dma'];
const zones = ['com', 'co.uk', 'uk', 'net', 'gen.tr', 'xn--p1ai'];
const hosts = ['ns1.a.net', 'NS2.A.net', 'ns1.b.org'];
const name = fc
  .tuple(fc.constantFrom(...labels), fc.oneof(fc.nat(1), fc.nat(40)), fc.constantFrom(...zones))
  .map(([label, serial, zone]) => `${label}${serial || ''}.${zone}` as DomainName);
const date = fc.integer({ min: 0, max: 8 }).map((at) => new Date(Date.UTC(2026, at, 1)));
const status = fc.constantFrom('Active', 'ok', 'PendingDelete', 'Deleted', 'SomethingElse');

const row: fc.Arbitrary<DomainDetails> = fc
  .record({
    name,
    status,
    expiresAt: orUnreadable(fc.option(date)),
    registeredAt: orUnreadable(fc.option(date)),
    transferLocked: orUnreadable(fc.boolean()),
    privacyProtected: orUnreadable(fc.boolean()),
    nameServers: orUnreadable(fc.subarray(hosts)),
  })
  .map((facts) => ({ ...facts, state: domainState(facts.status) }) as DomainDetails);

const rowsOf = (least: number, most: number) =>
  fc.uniqueArray(row, { minLength: least, maxLength: most, selector: (domain) => domain.name });

const filter: fc.Arbitrary<DomainFilter> = fc.record(
  {
    contains: fc.option(
      fc.constantFrom('a', 'sh', 'shop', '-', '.co', 'BÜCHER', 'é', 'xn--', ' ab ', '', 'nothing'),
    ),
    tlds: fc.option(fc.subarray(['uk', 'co.uk', '.COM', 'рф', 'tr', 'm', '..'])),
    states: fc.option(
      fc.subarray(['ACTIVE', 'EXPIRED', 'REDEMPTION', 'DELETED', 'UNKNOWN'] as const),
    ),
    expires: fc.option(fc.record({ from: fc.option(date), until: fc.option(date) })),
    transferLocked: fc.option(fc.boolean()),
    privacyProtected: fc.option(fc.boolean()),
    nameServer: fc.option(fc.constantFrom('ns1.a.net', 'ns2.a.net', 'a.net')),
  },
  { requiredKeys: [] },
);
const order = fc.record({
  field: fc.constantFrom('NAME', 'EXPIRES_AT', 'REGISTERED_AT'),
  direction: fc.constantFrom('ASC', 'DESC'),
} as const);
/** Cursors can be of absent domains. */
const wish = fc.record({
  limit: fc.nat(6),
  fromEnd: fc.boolean(),
  after: fc.option(row, { nil: undefined }),
  before: fc.option(row, { nil: undefined }),
});

const buildIndex = (rows: readonly DomainDetails[]) => PortfolioIndex.read(systemClock).end(rows);

/** Among the dates of the rows. */
const now = new Date(Date.UTC(2026, 2, 1));

const stateOf = ({ state, expiresAt }: DomainDetails) =>
  isExpired(state, valueOr(expiresAt, null), now) ? 'EXPIRED' : state;

/** The definition of a filter for one domain. */
function matches(domain: DomainDetails, wanted: DomainFilter): boolean {
  const { contains, tlds, states, expires, nameServer } = wanted;
  const text = contains?.trim().toLowerCase();
  const expiresAt = valueOr(domain.expiresAt, null);
  const endings: Record<string, string> = { '.COM': '.com', рф: '.xn--p1ai', '..': '?' };
  return [
    !text || domain.name.includes(text) || unicodeName(domain.name).includes(text),
    !tlds || tlds.some((tld) => domain.name.endsWith(endings[tld] ?? `.${tld}`)),
    !states || states.includes(stateOf(domain)),
    !expires?.from || (expiresAt !== null && expiresAt >= expires.from),
    !expires?.until || (expiresAt !== null && expiresAt < expires.until),
    typeof wanted.transferLocked !== 'boolean' || domain.transferLocked === wanted.transferLocked,
    typeof wanted.privacyProtected !== 'boolean' ||
      domain.privacyProtected === wanted.privacyProtected,
    !nameServer || (valueOr(domain.nameServers, null) ?? []).includes(nameServer),
  ].every(Boolean);
}

type Page = Pick<PageQuery, 'limit' | 'fromEnd' | 'after' | 'before'>;

/** The names of a page, found by sorting all domains. Parts of a position are compared in turn. */
function pageOf(
  domains: readonly DomainDetails[],
  { limit, fromEnd, after, before }: Page,
  { positionOf, descending }: DomainPlace,
) {
  const compare = (one: readonly string[], other: readonly string[]) => {
    const at = one.findIndex((part, index) => part !== other[index]);
    return at === -1 ? 0 : ((one[at] ?? '') < (other[at] ?? '') ? -1 : 1) * (descending ? -1 : 1);
  };
  const sorted = domains.toSorted((one, other) => compare(positionOf(one), positionOf(other)));
  const start = after ? sorted.filter((one) => compare(positionOf(one), after) <= 0).length : 0;
  const range = sorted.filter(
    (one, at) => at >= start && (!before || compare(positionOf(one), before) < 0),
  );
  const page = fromEnd ? range.slice(Math.max(0, range.length - limit)) : range.slice(0, limit);
  const from = start + (fromEnd ? range.length - page.length : 0);
  return {
    names: page.map((one) => one.name),
    before: from > 0,
    after: from + page.length < sorted.length,
  };
}

/** Writes in sequence: a row, and whether the domain is removed. */
const changes = fc.array(fc.tuple(row, fc.boolean()), { maxLength: 80 });

describe('a page of the index equals the page of a scan over all domains', () => {
  // The index has different algorithms for few and for many matches.
  test.each([
    [0, 90, runs(80, 300)],
    [400, 600, runs(8, 30)],
  ])(
    'for any %i to %i domains, filter, order and cursors, also after changes',
    async (least, most, numRuns) => {
      await fc.assert(
        fc.asyncProperty(
          rowsOf(least, most),
          changes,
          fc.array(fc.tuple(filter, order, wish), { minLength: 1, maxLength: 4 }),
          async (rows, changed, queries) => {
            const index = await buildIndex(rows);
            const truth = new Map(rows.map((one) => [one.name, one]));
            for (const [one, isGone] of changed) {
              index.count({ filter: queries[0]?.[0], now });
              index.change(one.name, isGone ? null : one);
              if (isGone) truth.delete(one.name);
              else truth.set(one.name, one);
            }

            for (const [wanted, by, bounds] of queries) {
              const place = domainPlace(by);
              const at = (cursor: DomainDetails | undefined) => cursor && place.positionOf(cursor);
              const page = { ...bounds, after: at(bounds.after), before: at(bounds.before) };
              const found = index.page({ filter: wanted, now }, { place, ...page });

              const chosen = [...truth.values()].filter((one) => matches(one, wanted));
              const expected = pageOf(chosen, page, place);
              expect({ names: found.domains.map((one) => one.name), ...found.more }).toEqual({
                ...expected,
                totalCount: chosen.length,
              });
              for (const one of rows)
                expect(index.find(one.name)).toBe(truth.get(one.name) ?? null);
            }
          },
        ),
        { numRuns },
      );
    },
  );

  test('a text matches within one name only', async () => {
    const rows = ['a.com', 'b.com'].map((one) => ({ name: one, nameServers: [] }));
    const index = await buildIndex(rows as unknown as DomainDetails[]);
    const countOf = (contains: string) => index.count({ filter: { contains }, now }).totalCount;

    expect([countOf('com'), countOf('m\nb')]).toEqual([2, 0]);
  });

  test('for more domains than are sorted in one piece', async () => {
    const many = Array.from({ length: 3_000 }, (_, at) => ({
      name: `n${(at * 7919) % 3_000}.com` as DomainName,
      state: 'ACTIVE',
      nameServers: [],
      expiresAt: at % 11 === 0 ? null : new Date(Date.UTC(2026, 0, (at * 13) % 300)),
    })) as unknown as DomainDetails[];
    const index = await buildIndex(many);

    for (const field of ['NAME', 'EXPIRES_AT'] as const) {
      for (const direction of ['ASC', 'DESC'] as const) {
        const place = domainPlace({ field, direction });
        const all = { limit: 3_000 };
        const { domains } = index.page({ filter: null, now }, { place, ...all });
        expect(domains.map((one) => one.name)).toEqual(pageOf(many, all, place).names);
      }
    }
  });
});
