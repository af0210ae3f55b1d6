import { expect, test } from 'vitest';
import { type AccessScope, anonymous } from '../../kernel/caller.ts';
import { createChecks } from '../mutation/checks.ts';
import { checkPurchaser } from './purchaser.ts';

const any: readonly AccessScope[] = ['domains:spend', 'customers:write'];

test.each<[own: string | null, scopes: readonly AccessScope[], string | null, code: string | null]>(
  [
    [null, any, null, null],
    [null, any, 'acme', null],
    [null, any, '', 'INVALID_INPUT'],
    [null, ['domains:spend'], null, null],
    [null, ['domains:spend'], 'acme', 'FORBIDDEN'],
    ['acme', ['domains:spend'], null, null],
    ['acme', ['domains:spend'], 'acme', null],
    ['acme', any, 'other', 'FORBIDDEN'],
    ['acme', any, '', 'FORBIDDEN'],
  ],
)(
  'a caller of the customer %j with the scopes %j that buys for %j',
  (own, scopes, customer, code) => {
    const checks = createChecks();
    const caller = { ...anonymous, customer: own, scopes: new Set(scopes) };

    checkPurchaser(checks, caller, customer);

    const expected = code === null ? [] : [{ code, inputPath: ['input', 'customer'] }];
    expect(checks.faults).toMatchObject(expected);
  },
);
