import { describe, expect, test } from 'vitest';
import { createSimulatedClock } from '../../../../test/support/simulated-clock.ts';
import type { DomainName } from '../../../kernel/domain-name.ts';
import { domainState } from '../../../kernel/domain-state.ts';
import { Fault } from '../../../kernel/faults.ts';
import { Decimal, formatMoney, money } from '../../../kernel/money.ts';
import type { DomainDetails } from '../../../upstream/domain-api/shapes.ts';
import { domainPlace } from '../service.ts';
import { PortfolioIndex } from './portfolio-index.ts';

const now = new Date('2026-11-15T12:00:00Z');
const unreadable = new Fault('UPSTREAM_PROTOCOL');

const row = (name: string, expires: string | null, changes: object = {}): DomainDetails => {
  const whole = {
    ...{ name: name as DomainName, status: 'Active', nameServers: [] },
    ...{ expiresAt: expires && new Date(`${expires}T12:00:00Z`) },
    ...changes,
  };
  return { ...whole, state: domainState(whole.status) } as unknown as DomainDetails;
};

async function countsOf(rows: readonly DomainDetails[], filter = {}) {
  const index = await PortfolioIndex.read(createSimulatedClock().clock).end(rows);
  return index.count({ filter, now });
}

describe('the renewals', () => {
  const rows = [
    row('a.com', '2026-11-30'),
    row('b.com', '2026-11-01'),
    row('a.co.uk', '2026-11-30'),
    row('a.de', '2026-11-30'),
    row('a.unsold', '2026-11-30'),
    row('b.unsold', '2027-01-31'),
    row('c.com', '2027-01-01'),
    row('d.com', '2027-11-30'),
    row('e.com', '2026-10-31'),
    row('f.com', null),
    row('g.com', '2026-11-30', { status: 'PendingDelete' }),
    row('h.com', '2026-11-30', { status: 'Deleted' }),
    row('i.com', '2026-11-30', { status: 'TransferredOut' }),
    row('j.com', '2026-11-30', { expiresAt: unreadable }),
  ];
  const usd = (amount: string) => money(Decimal.parse(amount), 'USD');
  const prices: Record<string, ReturnType<typeof usd>> = {
    com: usd('10.01'),
    'co.uk': money(Decimal.parse('7'), 'GBP'),
    de: usd('0.0001'),
  };
  const renewalsOf = async (from: Date, months: number, filter = {}) => {
    const asked: string[] = [];
    const counts = await countsOf(rows, filter);
    const renewals = await counts.renewals(from, months, async (name) => {
      asked.push(name.slice(2));
      return prices[name.slice(2)] ?? null;
    });
    const shown = renewals.map(({ totals, ...one }) => [
      ...Object.values(one),
      totals.map(formatMoney),
    ]);
    return { asked: asked.toSorted(), shown };
  };

  test('are the exact sums of each month, one for each currency', async () => {
    const { shown } = await renewalsOf(now, 3);

    expect(shown).toEqual([
      ['2026-11', 5, 1, ['7.0000 GBP', '20.0201 USD']],
      ['2026-12', 0, 0, []],
      ['2027-01', 2, 1, ['10.0100 USD']],
    ]);
  });

  test('read the price of each TLD once, and only where a renewal is due', async () => {
    expect((await renewalsOf(now, 3)).asked).toEqual(['co.uk', 'com', 'de', 'unsold']);
    expect((await renewalsOf(new Date('2027-11-30T12:00:00Z'), 1)).asked).toEqual(['com']);
    expect((await renewalsOf(new Date('2026-12-31T12:00:00Z'), 1)).asked).toEqual([]);
  });

  test('are those of the selected domains', async () => {
    expect((await renewalsOf(now, 1, { tlds: ['com'] })).shown).toEqual([
      ['2026-11', 2, 0, ['20.0200 USD']],
    ]);
  });

  test('go over the end of a year, from the first month of the time in UTC', async () => {
    const months = await renewalsOf(new Date('2026-12-31T23:59:59Z'), 3);

    expect(months.shown.map(([month]) => month)).toEqual(['2026-12', '2027-01', '2027-02']);
  });
});

describe('the largest counts', () => {
  const rows = [
    ...['a.net', 'b.net', 'c.net', 'a.com', 'b.com', 'a.org', 'b.org', 'a.de'].map((name) =>
      row(name, '2027-01-01', { nameServers: [`ns1.${name.slice(2)}`, 'ns.all.net'] }),
    ),
  ];
  const all = [
    { key: 'net', count: 3 },
    { key: 'com', count: 2 },
    { key: 'org', count: 2 },
    { key: 'de', count: 1 },
  ];

  test.each([0, 1, 2, 3, 4, 5])('are first, ties in alphabetical order: %i', async (limit) => {
    const counts = await countsOf(rows);
    const reversed = await countsOf(rows.toReversed());

    expect(counts.byTld(limit)).toEqual(all.slice(0, limit));
    expect(reversed.byTld(limit)).toEqual(all.slice(0, limit));
  });

  test('of name servers count each domain once', async () => {
    const twice = row('z.net', null, { nameServers: ['ns.all.net', 'ns.all.net'] });
    const counts = await countsOf([
      ...rows,
      twice,
      row('y.net', null, { nameServers: unreadable }),
    ]);

    expect(counts.byNameServer(2)).toEqual([
      { key: 'ns.all.net', count: 9 },
      { key: 'ns1.net', count: 3 },
    ]);
  });

  test('leave out what no selected domain has', async () => {
    const counts = await countsOf(rows, { tlds: ['com'] });

    expect(counts.byTld(9)).toEqual([{ key: 'com', count: 2 }]);
    expect(counts.byNameServer(9)).toEqual([
      { key: 'ns.all.net', count: 2 },
      { key: 'ns1.com', count: 2 },
    ]);
  });
});

test('months of expiry are in their order, without domains that have no date', async () => {
  const rows = [
    ...['2027-02-01', '2026-12-01', '2027-02-28', '2026-12-31', '2027-02-02'].map((date, at) =>
      row(`a${at}.com`, date),
    ),
    row('b.com', null),
    row('c.com', null, { expiresAt: unreadable }),
  ];

  expect((await countsOf(rows)).byExpiryMonth()).toEqual([
    { key: '2026-12', count: 2 },
    { key: '2027-02', count: 3 },
  ]);
});

test('an expired domain counts as EXPIRED from its last moment on, unless it was deleted', async () => {
  const at = (ms: number) => ({ expiresAt: new Date(now.getTime() + ms) });
  const rows = [
    row('a.com', null, at(-1)),
    row('b.com', null, at(0)),
    row('c.com', null, at(1)),
    row('d.com', null, { ...at(-1), status: 'Deleted' }),
    row('e.com', null, { ...at(-1), status: 'PendingHold' }),
  ];

  expect((await countsOf(rows)).byState()).toEqual([
    { key: 'EXPIRED', count: 3 },
    { key: 'ACTIVE', count: 1 },
    { key: 'DELETED', count: 1 },
  ]);
});

test('a write of new name servers shows in their counts', async () => {
  const nameServers = (...hosts: readonly string[]) => ({ nameServers: hosts });
  const rows = [row('a.com', null, nameServers('one')), row('b.com', null, nameServers('two'))];
  const index = await PortfolioIndex.read(createSimulatedClock().clock).end(rows);
  const count = () => index.count({ filter: null, now }).byNameServer(9);
  expect(count()).toHaveLength(2);

  index.change('c.com' as DomainName, row('c.com', null, nameServers('three', 'two')));
  index.change('a.com' as DomainName, null);

  expect(count()).toEqual([
    { key: 'two', count: 2 },
    { key: 'three', count: 1 },
  ]);
});

test.each([
  [{}, { field: 'NAME', direction: 'ASC' }],
  [{ field: 'EXPIRES_AT' }, { field: 'EXPIRES_AT', direction: 'ASC' }],
] as const)('the order %j has the cursors of %j', (short, long) => {
  const position = (order: Parameters<typeof domainPlace>[0]) =>
    domainPlace(order).positionOf(row('a.com', '2027-01-01'));

  expect(position(short)).toEqual(position(long));
});
