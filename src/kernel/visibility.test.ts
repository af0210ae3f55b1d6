import { expect, test } from 'vitest';
import { type AccessScope, anonymous } from './caller.ts';
import { Fault } from './faults.ts';
import { money } from './money.ts';
import {
  isVisibleTo,
  visibleFilter,
  withoutAmounts,
  withoutCosts,
  withoutTotals,
} from './visibility.ts';

test.each<[string, string | null, readonly AccessScope[], boolean]>([
  ['its caller', 'shop', ['domains:spend'], true],
  ['another caller', 'other', ['domains:spend'], false],
  ['another caller with the scope ops', 'other', ['ops'], true],
  ['a caller without a name', null, ['domains:spend'], false],
])('a purchase and %s', (_who, name, scopes, isVisible) => {
  const caller = { ...anonymous, name, scopes: new Set(scopes) };

  expect(isVisibleTo(caller, { caller: 'shop', customer: null })).toBe(isVisible);
});

test.each([
  ['acme', true],
  ['other', false],
  [null, false],
])('a caller of the customer acme, and a purchase for %s', (customer, isVisible) => {
  const caller = { ...anonymous, name: 'shop', customer: 'acme' };

  expect(isVisibleTo(caller, { caller: 'shop', customer })).toBe(isVisible);
});

interface Filter {
  readonly caller?: string;
  readonly customer?: string;
}

test.each<[string | null, string | null, readonly AccessScope[], Filter, Filter | string]>([
  ['shop', null, [], {}, { caller: 'shop' }],
  ['shop', null, [], { customer: 'acme' }, { caller: 'shop', customer: 'acme' }],
  [null, null, [], {}, { caller: '' }],
  ['shop', 'acme', [], {}, { customer: 'acme' }],
  ['shop', 'acme', [], { customer: 'acme' }, { customer: 'acme' }],
  ['shop', 'acme', [], { customer: 'other' }, { customer: '' }],
  ['shop', null, ['ops'], { caller: 'other' }, { caller: 'other' }],
  ['shop', null, [], { caller: 'shop' }, 'needs the scope `ops`'],
])(
  'the caller %j of the customer %j with the scopes %j filters %j by %j',
  (name, customer, scopes, filter, visible) => {
    const caller = { ...anonymous, name, customer, scopes: new Set(scopes) };
    const read = () => visibleFilter(caller, filter);

    if (typeof visible === 'string') expect(read).toThrow(visible);
    else expect(read()).toEqual(visible);
  },
);

const cost = money('11.29', 'USD');

test.each([
  new Fault('INSUFFICIENT_FUNDS', {
    message: 'The price may be 11.2900 USD.',
    facts: { required: cost, available: cost },
  }),
  new Fault('SPEND_LIMIT_EXCEEDED', {
    message: 'This may cost 11.2900 USD.',
    facts: { limit: 'PER_DAY', scope: 'KEY', price: cost, allowed: cost, spent: cost },
  }),
  new Fault('MAX_PRICE_EXCEEDED', {
    message: 'It costs 11.2900 USD, which is more than "maxCost".',
    facts: { lowest: cost, highest: cost, maxPrice: cost },
    path: ['input', 'maxCost'],
  }),
  new Fault('UPSTREAM_REJECTED', {
    upstream: { code: 'X', message: 'Balance 11.29 USD is below 1,129.00.' },
  }),
])('the fault %s has no amount of the registrar', (fault) => {
  const { code, message, facts, upstream, inputPath, retryable } = withoutCosts(fault);

  expect(JSON.stringify({ message, facts, upstream })).not.toMatch(/11|29/);
  expect({ code, inputPath, retryable }).toEqual({
    code: fault.code,
    inputPath: fault.inputPath,
    retryable: fault.retryable,
  });
});

test.each([
  new Fault('MAX_PRICE_EXCEEDED', { facts: { highest: cost }, path: ['input', 'maxPrice'] }),
  new Fault('SPEND_LIMIT_EXCEEDED', {
    message: 'Three at most.',
    facts: { limit: 'PER_HOUR', count: 3 },
  }),
  new Fault('PREMIUM_NOT_ACCEPTED', { facts: { price: cost } }),
])('the fault %s about prices and numbers is unchanged', (fault) => {
  expect(withoutCosts(fault)).toBe(fault);
});

const ofAccount = { scope: 'GATEWAY', price: cost, allowed: cost, spent: cost } as const;

test.each([
  new Fault('INSUFFICIENT_FUNDS', {
    message: 'The price may be 11.2900 USD.',
    facts: { required: cost, available: cost },
    upstream: { code: 'X', message: 'Balance 11.29 USD.' },
  }),
  new Fault('SPEND_LIMIT_EXCEEDED', {
    message: 'It spends at most 11.2900 USD in 24 hours.',
    facts: { ...ofAccount, limit: 'PER_DAY' },
  }),
  new Fault('SPEND_LIMIT_EXCEEDED', {
    message: 'It has made 29.',
    facts: { scope: 'GATEWAY', limit: 'PER_HOUR', count: 29, allowedCount: 11 },
  }),
])('the fault %s has no amount and no count of the account', (fault) => {
  const { code, message, facts, upstream } = withoutTotals(fault);

  expect(JSON.stringify({ message, facts, upstream })).not.toMatch(/11|29/);
  expect(code).toBe(fault.code);
});

test.each([
  new Fault('SPEND_LIMIT_EXCEEDED', { facts: { ...ofAccount, scope: 'KEY', limit: 'PER_DAY' } }),
  new Fault('SPEND_LIMIT_EXCEEDED', { facts: { ...ofAccount, limit: 'PER_CALL' } }),
  new Fault('NOT_FOUND'),
])('the fault %s about the caller or one purchase is unchanged', (fault) => {
  expect(withoutTotals(fault)).toBe(fault);
});

test('a refused auth code has nothing that shows whether the transfer was sent', () => {
  const facts = { executed: 'NO', path: ['input', 'authCode'] } as const;
  const upstream = { code: 'API_2303_ERROR', message: 'Failed' };
  const sent = new Fault('AUTH_CODE_INVALID', { ...facts, message: 'Failed.', upstream });

  expect(withoutTotals(sent)).toEqual(withoutTotals(new Fault('AUTH_CODE_INVALID', facts)));
  expect(withoutTotals(sent)).toMatchObject({ inputPath: facts.path, upstream: undefined });
});

test.each([
  ['Premium, registry price 1900.00 USD', 'Premium, registry price … USD'],
  ['It costs 1129.', 'It costs ….'],
  ['It costs 15 USD, USD15 or $15', 'It costs … USD, USD… or $…'],
  ['1,129.00 or 1.129,00 or 1 129,00 or 1’129', '… or … or … or …'],
  ['السعر ١١٫٢٩ دولار', 'السعر … دولار'],
  ['１１．２９ and ११.२९', '… and …'],
  ['1\u202f129\u00a000', '…'],
  ['½ of Ⅻ and ⑫', '… of … and …'],
  ['No amount at all', 'No amount at all'],
])('the words %j of the registrar are shown as %j', (words, shown) => {
  expect(withoutAmounts(words)).toBe(shown);
});
