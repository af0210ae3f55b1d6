import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { GraphQLEnumType, GraphQLInterfaceType } from 'graphql';
import { afterAll, describe, expect, test } from 'vitest';
import { schema } from '../../src/app/graph.ts';
import { Fault, type FaultCode } from '../../src/kernel/faults.ts';
import { openSqliteJournal } from '../../src/persistence/sqlite.ts';
import { userErrors } from '../../src/schema/user-error.ts';
import { startTestGateway } from '../support/gateway.ts';
import { codes, typeOf, typesOfFeatures } from './types.ts';

const directory = mkdtempSync(join(tmpdir(), 'reseller-graph-errors-'));
const gateway = await startTestGateway({
  sandboxDomains: 40,
  env: { DATA_DIR: directory, SPEND_LIMITS: '{"longestPeriod":1}' },
});
afterAll(async () => {
  await gateway.close();
  rmSync(directory, { recursive: true, force: true });
});

const interfaceType = schema.getType('UserError') as GraphQLInterfaceType;
const types = schema.getPossibleTypes(interfaceType).map(({ name }) => name);

test.each(codes)('%s has exactly its own type', { tags: ['R10'] }, async (code) => {
  const shown = userErrors([new Fault(code)], { hidesCosts: false, hidesTotals: false })[0];

  const info = { schema } as never;
  const name = await interfaceType.resolveType?.(shown, {}, info, interfaceType);

  expect(name).toBe(typeOf(code));
  expect(types).toContain(name);
});

test('every code of the enum is a fault, and every type has a code', () => {
  const codesType = schema.getType('ErrorCode') as GraphQLEnumType;

  expect(
    codesType
      .getValues()
      .map(({ name }) => name)
      .sort(),
  ).toEqual([...codes].sort());
  expect([...new Set(codes.map(typeOf))].sort()).toEqual([...types].sort());
});

const errors = 'errors { __typename code message path executed retryable }';
const person = `{ firstName: "Ada", lastName: "Byron", email: "ada@example.com", phone: "+49 30 123456",
  address: { line1: "Hauptstr. 1", city: "Berlin", zipCode: "10115", country: "DE" } }`;
const buy = (domain: string, more = '') =>
  `registerDomain(input: { domain: "${domain}", nameServers: ["a.hosts.net", "b.hosts.net"], registrant: { fields: ${person} } ${more} }) { ${errors} }`;
const setHosts = `setNameServers(input: { domain: "unlocked-demo.com", nameServers: ["a.hosts.net", "b.hosts.net"] }) { ${errors} }`;
const fault = (body: object) => gateway.admin('POST', '/faults', body);
const refusedWith = (code: string) => () =>
  fault({ fault: 'code', action: 'modifynameserver', code });
const nothing = async () => {};

const stopPurchases = async () => {
  const journal = await openSqliteJournal({ file: join(directory, 'sandbox-journal.sqlite') });
  await journal.stop('sandbox:demo', { since: new Date(), reason: 'holidays' });
  await journal.close();
};

interface Payload {
  readonly errors: readonly { code: string; __typename: string; message: string }[];
}

describe('a mutation can return every error type', { tags: ['G14'] }, () => {
  const cases: readonly [type: string, field: string, prepare: () => Promise<unknown>][] = [
    ['PlainError', 'setNameServers(input: { domain: "a.com", nameServers: [] })', nothing],
    ['DomainLocked', 'disableTransferLock(input: { domain: "redemption-demo.com" })', nothing],
    ['PeriodOutOfRange', setHosts, refusedWith('530')],
    ['InsufficientFunds', setHosts, refusedWith('2104')],
    ['PremiumNotAccepted', buy('casino.com'), nothing],
    [
      'MaxPriceExceeded',
      buy('too-expensive.com', ', maxPrice: { amount: "1", currency: "USD" }'),
      nothing,
    ],
    [
      'OutcomeUnknown',
      buy('outcome-unknown.com'),
      () => fault({ fault: 'late', action: 'registerdomain', ms: 60_000 }),
    ],
    [
      'IdempotencyConflict',
      buy('second-input.com', ', idempotencyKey: "one-key"'),
      () => gateway.query(`mutation { ${buy('first-input.com', ', idempotencyKey: "one-key"')} }`),
    ],
    ['SpendLimitExceeded', buy('two-years.com', ', period: 2'), nothing],
    ['PurchasesStopped', buy('stopped.com'), stopPurchases],
  ];

  test('each type has a case', () => {
    const all = [...cases.map(([type]) => type), ...typesOfFeatures];
    expect(all.sort()).toEqual([...types].sort());
  });

  test.each(cases)('%s', async (type, field, prepare) => {
    await prepare();
    const document = `mutation { ${field.includes(errors) ? field : `${field} { ${errors} }`} }`;

    // An unknown token: the Account API replies 401, the Domain API never receives it.
    const response = await gateway.query(document, {}, { 'x-account-token': 'unknown' });

    expect(response.errors).toBeUndefined();
    const [payload] = Object.values<Payload>(response.data);
    expect(payload?.errors.map(({ __typename }) => __typename)).toEqual([type]);
    for (const { code, __typename, message } of payload?.errors ?? []) {
      expect(typeOf(code as FaultCode)).toBe(__typename);
      expect(message).not.toBe('');
    }
  });
});
