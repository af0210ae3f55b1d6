import fc from 'fast-check';
import { expect, test } from 'vitest';
import { isSet, valueNow } from '../../features/bulk-change/change.ts';
import { differencesBetween, stateOf } from '../../features/event/compare.ts';
import { createExplanations } from '../../features/event/explanation.ts';
import {
  type DomainFilter,
  PortfolioIndex,
} from '../../features/portfolio/list-index/portfolio-index.ts';
import { fromStoredRow, toStoredRow } from '../../features/portfolio/stored-row.ts';
import {
  canonicalHost,
  type DomainName,
  isSameHosts,
  parseDomainName,
  parseTld,
} from '../../kernel/domain-name.ts';
import { systemClock } from '../../lib/system.ts';
import { type DomainDetails, domainRow } from '../../upstream/domain-api/shapes.ts';
import { changesBetween, driftBetween } from '../sync/service.ts';
import { shownIf } from './write.ts';

// One value in two forms of the upstream is one value in everything that compares or shows it.

const now = new Date('2026-01-31T12:00:00Z');
const time = { now, showsUntil: now, expiryDays: [30] };

const rowOf = (members: object, name = 'a.com') =>
  domainRow({ DomainName: name, Status: 'Active', ...members }) as DomainDetails;

const matching = async (rows: readonly DomainDetails[], filter: DomainFilter) =>
  (await PortfolioIndex.read(systemClock).end(rows)).count({ filter, now });

const unicodeHosts = ['ns1.a.net', 'ns2.a.net', 'ns.bücher.de', 'a-b.host.example'];
const hostNames = unicodeHosts.map(parseDomainName);

/** Some hosts, and the same in other spellings, in another order and repeated. */
const spelled = fc.subarray([...unicodeHosts.keys()], { minLength: 1 }).chain((chosen) => {
  const spelling = (at: number) =>
    fc
      .record({
        host: fc.constantFrom(unicodeHosts[at] ?? '', hostNames[at] ?? ''),
        isUpper: fc.boolean(),
        before: fc.constantFrom('', ' ', '\t'),
        after: fc.constantFrom('', '.', ' ', '. ', '。'),
      })
      .map(({ host, isUpper, before, after }) =>
        [before, isUpper ? host.toUpperCase() : host, after].join(''),
      );
  const repeated = fc.array(fc.constantFrom(...chosen), { maxLength: 3 });
  return repeated
    .chain((more) => fc.tuple(...[...chosen, ...more].map(spelling)))
    .chain((hosts) => fc.shuffledSubarray(hosts, { minLength: hosts.length }))
    .map((sent) => ({ hosts: chosen.map((at) => hostNames[at] as DomainName), sent }));
});

test('any spelling, order and repetition of hosts is the same for all that compares hosts', async () => {
  await fc.assert(
    fc.asyncProperty(spelled, async ({ hosts, sent }) => {
      const [plain, odd] = [rowOf({ NameServers: hosts }), rowOf({ NameServers: sent }, 'b.com')];
      const known = plain.nameServers as readonly string[];

      expect(new Set(odd.nameServers as readonly string[])).toEqual(new Set(hosts));
      // Filters and counts.
      for (const nameServer of hosts) {
        const counts = await matching([plain, odd], { nameServer });
        expect(counts.totalCount).toBe(2);
        expect(counts.byNameServer(9)).toHaveLength(hosts.length);
      }
      // Events, also for a state in another spelling.
      const before = stateOf(plain, null, time);
      const stored = {
        ...before,
        nameServers: sent.join(' '),
      };
      for (const state of [before, stored]) {
        expect(differencesBetween(state, stateOf(odd, state, time))).toEqual([]);
      }
      const [write] = [{ id: 'w', at: now, caller: 'shop', domain: plain.name }];
      const explained = createExplanations([
        { ...write, field: 'nameServers', value: hosts.join(' ') } as never,
      ]).causeOf(plain.name, {
        type: 'NAME_SERVERS_CHANGED',
        before: '',
        after: stored.nameServers,
      });
      expect(explained.source).toBe('GATEWAY');
      // Synchronisations, verified writes and bulk changes.
      expect([...changesBetween(plain, odd), ...driftBetween(odd, plain)]).toEqual([]);
      expect(shownIf(odd.nameServers, (one) => isSameHosts(one, known))).toBe(odd.nameServers);
      const change = { setNameServers: hosts };
      expect(isSet(change, valueNow(change, odd))).toBe(true);
      // Rows of unlisted domains.
      expect(fromStoredRow(toStoredRow(odd)).nameServers).toEqual(odd.nameServers);
    }),
  );
});

test('the canonical form of any text is its own canonical form, and only an empty one is lost', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), (text) => {
      const host = canonicalHost(text);
      expect(canonicalHost(host)).toBe(host);
      expect(host === '').toBe(/^[\s.\u3002\uff0e\uff61]*$/u.test(text));
    }),
  );
});

test.each(['.', ' ', '\u3002'])(
  'a text with 300,000 of %j in it is read in linear time',
  (part) => {
    const text = `a${part.repeat(300_000)}b`;

    // In quadratic time this would take longer than the limit of a test.
    expect([canonicalHost(text), parseTld(text)]).toEqual([text, null]);
  },
);

const year = fc.integer({ min: 1, max: 1984 }).map((one) => String(one).padStart(4, '0'));
const noDate = fc.oneof(
  fc.tuple(year, fc.constantFrom('-01-01', '-12-31T23:59:59.999Z')).map((parts) => parts.join('')),
  fc.constantFrom('', ' ', null, undefined, '0000-00-00 00:00:00', '-0001-11-30T00:00:00'),
);

test('any date that means none is no date in all that shows or compares one', async () => {
  await fc.assert(
    fc.asyncProperty(noDate, noDate, async (Start, Expiration) => {
      const row = rowOf({ Dates: { Start, Expiration } });
      const other = rowOf({
        Dates: { Start: '2025-01-31T12:00:00', Expiration: '2027-01-31T12:00:00' },
      });

      expect([row.registeredAt, row.expiresAt]).toEqual([null, null]);
      const counts = await matching([row], {});
      expect([counts.byExpiryMonth(), counts.byState()]).toEqual([
        ...[[], [{ key: 'ACTIVE', count: 1 }]],
      ]);
      expect(
        (await matching([row], { expires: { until: new Date('2099-01-01') } })).totalCount,
      ).toBe(0);
      expect(stateOf(row, null, time)).toMatchObject({ state: 'ACTIVE', expiresAt: undefined });
      expect(driftBetween(other, row)).toEqual([]);
      expect(changesBetween(row, rowOf({ Dates: {} }))).toEqual([]);
    }),
  );
});
