import { describe, expect, test } from 'vitest';
import {
  demoPortfolio,
  memorable,
  seededDomain,
  smallPortfolio,
} from '../../sandbox/service/seed.ts';
import { dayMs } from '../../src/kernel/instant.ts';
import { startedAt, useTestService } from './service.ts';

const known = Object.keys(memorable).length;
const portfolio = [...demoPortfolio(known + 5_000)];

describe('the demo portfolio', () => {
  test.each([
    [0, 'amber-acorn.com', { ageInDays: 61, expiresInDays: 31, locked: false, privacy: true }],
    [1, 'brisk-anchor.org', { ageInDays: 98, expiresInDays: 84, locked: true, privacy: false }],
    [
      2,
      'calm-atlas.co.uk',
      { nameServers: ['ns1.example-parking.org', 'ns2.example-parking.org'] },
    ],
    [12, 'honest-copper.at', { person: 1, expiresInDays: 13 }],
    [28, 'silver-meadow.app', { nameServers: ['a.dns0.example', 'b.dns0.example'] }],
    [30, 'smart-orchard.cloud', { person: 8, status: 'active', locked: false }],
    [40, 'vivid-rocket.com', { person: 7, expiresInDays: -16 }],
    [46, 'brisk-atlas.co.uk', { person: 2, status: 'PendingHold', expiresInDays: -37 }],
    [52, 'fair-canvas.cloud', { person: 8, status: 'PendingDelete', expiresInDays: -58 }],
    [57, 'honest-corner.store', { nameServers: ['a.dns1.example', 'b.dns1.example'] }],
    [96, 'xn--mnchen-demo-thb.com', { ageInDays: 1_113, expiresInDays: 919 }],
    [193, 'xn--caf-demo-d1a.com', { ageInDays: 2_202, expiresInDays: 460 }],
    [290, 'xn--iek-demo-r0ab.com', { ageInDays: 791, expiresInDays: 1_401 }],
    [387, 'sharp-prairie.store', { person: 2, locked: true }],
    [2_499, 'quick-mill-1.store', { locked: false, ageInDays: 2_524, expiresInDays: 878 }],
    [4_999, 'crisp-delta-2.com', { person: 5, ageInDays: 2_524, expiresInDays: 378 }],
  ])('has the same generated domain %i every time: %s', (index, name, trait) => {
    expect(portfolio[known + index]).toEqual([name, expect.objectContaining(trait)]);
  });

  test('has as many domains as configured, no name twice, the memorable ones first', () => {
    expect(portfolio.slice(0, known)).toEqual(Object.entries(memorable));
    expect(new Set(portfolio.map(([name]) => name)).size).toBe(known + 5_000);
    expect([...demoPortfolio(3)]).toEqual(portfolio.slice(0, 3));
    expect([...demoPortfolio(0)]).toEqual([]);
  });

  test('has domains without a provider of their own, which have the name servers of the sandbox', () => {
    const [, trait] = portfolio[known + 3] ?? [];

    expect(trait).not.toHaveProperty('nameServers');
  });

  test('of another login has a dozen domains with its name', () => {
    const names = smallPortfolio('demo-two').map(([name]) => name);

    expect([names.length, names[0], names[11]]).toEqual([
      12,
      'acorn-demo-two.com',
      'compass-demo-two.com',
    ]);
  });
});

describe('a seeded domain', () => {
  const contacts = Array.from({ length: 12 }, (_, at) => 100 + at);
  const seeded = (name: string, trait: object = {}) =>
    seededDomain([name, trait], 1, contacts, startedAt);
  const daysFromNow = (ms: number | null) => (ms === null ? null : (ms - startedAt) / dayMs);

  test('is active and locked, 300 days old or a year before its expiry, and expires in a year', () => {
    const domain = seeded('some.com');

    expect(domain).toMatchObject({ status: 'Active', locked: true, privacy: false });
    expect(domain.nameServers).toEqual(['ns1.example-dns.net', 'ns2.example-dns.net']);
    expect([domain.startAt, domain.heldSince, domain.expiresAt].map(daysFromNow)).toEqual([
      -300, -300, 364.75,
    ]);
    expect(daysFromNow(domain.nextAt)).toBe(394.75);
  });

  test.each([
    ['that expires in 3 days', { expiresInDays: 3 }, [-362.25, 2.75, 32.75]],
    ['in its grace period', { expiresInDays: -10 }, [-375.25, -10.25, 19.75]],
    ['of an age', { ageInDays: 700, expiresInDays: 60 }, [-700, 59.75, 89.75]],
    [
      'that arrives',
      { status: 'WaitingForIncomingTransfer', ageInDays: 700, expiresInDays: 60 },
      [-700, 59.75, 4],
    ],
    ['without a next state', { status: 'TimeOut' }, [-300, 364.75, null]],
  ])('%s has its start, its expiry and its next change', (_what, trait, days) => {
    const { startAt, expiresAt, nextAt } = seeded('some.com', trait);

    expect([startAt, expiresAt, nextAt].map(daysFromNow)).toEqual(days);
  });

  test.each([
    ['some.de', {}, false],
    ['some.com', { status: 'WaitingForIncomingTransfer' }, false],
    ['some.com', { locked: false }, false],
    ['some.de.com', {}, true],
  ])('%s with %j has the lock %s', (name, trait, isLocked) => {
    expect(seeded(name, trait).locked).toBe(isLocked);
  });

  test.each([
    [0, 100, 101],
    [1, 101, 102],
    [10, 110, 100],
    [11, 111, 101],
  ])('of person %i has the contact %i, and %i for its invoices', (person, contact, billing) => {
    expect(seeded('some.com', { person })).toMatchObject({
      ...{ registrant: contact, administrative: contact, technical: contact, billing },
    });
  });

  test('has the same auth code every time, which no other domain has', () => {
    expect(seeded('some.com').authCode).toBe(seeded('some.com', { person: 3 }).authCode);
    expect(seeded('other.com').authCode).not.toBe(seeded('some.com').authCode);
    expect(seeded('some.com').authCode).toMatch(/^\S{16}$/);
  });
});

describe('the demo data', () => {
  const sandbox = useTestService({ domains: 2 });

  test.each([
    ['demo', 100_001, 'Demo Reseller', '2500.0000', '60000.0000', 2],
    ['broke', 100_002, 'Broke Reseller', '5.0000', '0.0000', 2],
    ['other', -1, 'Other Reseller', '1000.0000', '5000.0000', 3],
    ['demo-two', 100_004, 'Demo-two Reseller', '1800.0000', '40000.0000', 12],
    ['demo-three', 100_005, 'Demo-three Reseller', '900.0000', '20000.0000', 12],
  ])('of %s has its number, name, balances and domains', (username, id, name, usd, tl, count) => {
    expect(sandbox.act('resellerdetails', {}, username)).toMatchObject({
      ...{ id, active: true, name, balance: usd, currency: 'USD', symbol: '$' },
      balances: [
        { currency: 'USD', symbol: '$', balance: usd },
        { currency: 'TL', symbol: 'TL', balance: tl },
      ],
    });
    expect(sandbox.act('getdomainlist', {}, username).TotalCount).toBe(count);
    const { tokens } = sandbox.service.store;
    expect(tokens.list({ user: username })).toEqual([{ id: `${username}-token`, user: username }]);
  });

  test('has three hosting groups of demo, the last one updated last', () => {
    const groups = sandbox.service.store.groups.list();

    expect(groups.map(({ id, user }) => [id, user])).toEqual([
      ['hg_demo_1', 'demo'],
      ['hg_demo_2', 'demo'],
      ['hg_demo_3', 'demo'],
    ]);
    expect(groups.map(({ updatedAtMs }) => (updatedAtMs - startedAt) / dayMs)).toEqual([
      -10, -9, -8,
    ]);
    for (const { id, hostingGroupImage } of groups) expect(hostingGroupImage).toContain(id);
  });

  test('has a cart of demo that is three days old, and 25 hourly events until an hour ago', () => {
    const { carts, logs } = sandbox.service.store;

    expect(carts.list()).toMatchObject([
      {
        ...{ id: 'cart_demo_1', user: 'demo', total: 60, createdAt: '2026-02-26T12:00:00.000Z' },
        cartDetails: [{ quantity: 2, price: 30, total: 60, productType: 'hosting' }],
      },
    ]);
    const events = logs.list().map(({ user, text, at }) => [user, text, at]);
    expect(events).toHaveLength(25);
    expect([events[0], events[24]]).toEqual([
      ['demo', 'Demo event 1', '2026-02-28T11:00:00.000Z'],
      ['demo', 'Demo event 25', '2026-03-01T11:00:00.000Z'],
    ]);
  });
});
