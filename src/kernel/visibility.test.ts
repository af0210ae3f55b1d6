import { expect, test } from 'vitest';
import { type AccessScope, anonymous } from './caller.ts';
import { isVisibleTo, visibleFilter } from './visibility.ts';

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
