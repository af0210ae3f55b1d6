import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { isNonNullType, isObjectType } from 'graphql';
import { schema } from '../../src/app/graph.ts';
import { features } from '../../src/features/index.ts';
import { accountApi } from '../../src/upstream/account-api/operations.ts';
import { domainApi } from '../../src/upstream/domain-api/operations.ts';
import { codes, typeOf, typesOfFeatures } from '../errors/types.ts';
import { rootSamples } from '../samples/all.ts';
import { startRecordedGateway } from './writes/recorded-gateway.ts';

// Rules that hold for the whole graph, as a client sees them.
const { gateway, sandbox, replyNext, seen, close } = await startRecordedGateway();
afterAll(() => close());

interface Type {
  readonly kind: string;
  readonly name: string;
  readonly description: string;
  readonly fields: readonly { readonly name: string; readonly type: { readonly kind: string } }[];
  readonly possibleTypes: readonly { readonly name: string }[] | null;
}

const types = new Map<string, Type>();
beforeAll(async () => {
  const { data } = await gateway.query(`{ __schema { types {
    kind name description fields { name type { kind } } possibleTypes { name }
  } } }`);
  for (const type of data.__schema.types) types.set(type.name, type);
});
const fieldsOfFeatures = features.flatMap(({ fields = [] }) => fields);
const fieldsOf = (name: string) => types.get(name)?.fields ?? [];
const descriptionOf = (name: string) => types.get(name)?.description ?? '';

test('the description of an error type lists exactly its codes, and that of ErrorCode says that it will grow', {
  tags: ['G11', 'G15'],
}, () => {
  const listed = (types.get('UserError')?.possibleTypes ?? []).map(({ name }) => {
    const [, codes = ''] = /Codes?: (.+)\.$/.exec(descriptionOf(name)) ?? [];
    return [name, [...codes.matchAll(/`(\w+)`/g)].map(([, code]) => code).sort()];
  });

  const expected = Map.groupBy(codes, typeOf);
  // A new type needs facts of its own; the fields of the interface are enough for all other errors.
  expect(listed.length).toBeLessThanOrEqual(10 + typesOfFeatures.size);
  expect(Object.fromEntries(listed)).toEqual(
    Object.fromEntries([...expected].map(([type, ofType]) => [type, ofType.sort()])),
  );
  expect(descriptionOf('ErrorCode')).toContain('The list will grow.');
});

test('a field that is null with an error is nullable, so that the error leaves the other data', () => {
  const declared = Object.values(schema.getTypeMap())
    .filter(isObjectType)
    .flatMap((type) => Object.values(type.getFields()).map((field) => ({ type, field })))
    .filter(({ field }) => 'semantic' in field.extensions);

  expect(declared.length).toBeGreaterThan(10);
  expect(
    declared.flatMap(({ type, field }) =>
      isNonNullType(field.type) ? `${type.name}.${field.name}` : [],
    ),
  ).toEqual([]);
});

test('the payload of a purchase requires nothing but what the gateway itself knows', {
  tags: ['G17'],
}, () => {
  const payload = 'PurchasePayload';
  const required = fieldsOf(payload)
    .filter(({ type }) => type.kind === 'NON_NULL')
    .map(({ name }) => name)
    .filter((name) => !fieldsOfFeatures.includes(`${payload}.${name}`));

  expect(required).toEqual(['dryRun', 'errors', 'keyUsed', 'replayed']);
  expect(fieldsOf(payload).map(({ name }) => name)).toContain('purchase');
});

describe('what the registrar has no call for is not in the graph:', () => {
  test('the graph has one mutation for each write of the registrar', { tags: ['G22'] }, () => {
    const calls = [
      ...Object.entries(domainApi).map(([action, { effect }]) => ({ action, effect })),
      ...Object.values(accountApi).map(({ method, path, effect }) => ({
        ...{ action: `${method} ${path}`, effect },
      })),
    ];
    const writes = calls.filter(({ effect }) => effect === 'write').map(({ action }) => action);

    const sent = rootSamples.flatMap(({ write }) => write?.action ?? []);
    expect(sent.toSorted()).toEqual(writes.toSorted());
  });

  test.each([
    ['Domain', /no call that renews or restores a domain, or edits its contacts, DNS records/],
    ['Contact', /cannot change the contacts of a registered domain/],
    ['ChildNameServer', /cannot change or remove it/],
    ['Cart', /no call that reads a cart/],
    ['HostingGroup', /no call that reads a group/],
  ])(
    'the description of %s says what the registrar has no call for',
    { tags: ['G22'] },
    (name, sentence) => {
      expect(descriptionOf(name)).toMatch(sentence);
    },
  );
});

test('a currency that ISO 4217 does not have is returned unchanged', { tags: ['G8'] }, async () => {
  const offer = { TLD: 'com', DomainName: 'odd', Status: 'available', Command: 'create' };
  const price = { Period: 1, IsFee: false, Price: '11.29', Currency: 'PTS', Reason: null };
  replyNext({ status: 200, body: JSON.stringify([{ ...offer, ...price }]) });

  const { data, errors } = await gateway.query(
    '{ availability(name: "odd.com") { state price { amount currency } } }',
  );

  expect(errors).toBeUndefined();
  expect(data.availability).toEqual({
    state: 'AVAILABLE',
    price: { amount: '22.5800', currency: 'PTS' },
  });
});

test('only a transfer under clientTransferProhibited is advised to unlock the domain', {
  tags: ['G16'],
}, async () => {
  const domain = 'domain: "unlocked-demo.com"';
  const errors = '{ errors { code message } }';
  const writes: readonly (readonly [action: string, code: string, field: string])[] = [
    ...['592', '2304'].map(
      (code) =>
        [
          'transferdomain',
          code,
          `transferDomain(input: { domain: "outside-locked-${code}.com", authCode: "Transfer-Code-01" }) ${errors}`,
        ] as const,
    ),
    [
      'modifynameserver',
      '2304',
      `setNameServers(input: { ${domain}, nameServers: ["a.hosts.net", "b.hosts.net"] }) ${errors}`,
    ],
    ['disabletheftlock', '2304', `disableTransferLock(input: { ${domain} }) ${errors}`],
    [
      'modifyprivacystatus',
      '2304',
      `setPrivacyProtection(input: { ${domain}, privacyProtected: true }) ${errors}`,
    ],
  ];
  const advised: string[] = [];

  for (const [action, code, field] of writes) {
    seen.length = 0;
    const response = await fetch(`${sandbox.url}/admin/faults`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ fault: 'code', action, code }),
    });
    expect(response.ok).toBe(true);

    const { data } = await gateway.query(`mutation { ${field} }`);

    const [payload] = Object.values<{ errors: { code: string; message: string }[] }>(data);
    expect(payload?.errors, field).toMatchObject([{ code: 'LOCKED' }]);
    expect(seen.filter(({ path }) => path.includes(action))).toHaveLength(1);
    if (payload?.errors.some(({ message }) => /unlock/i.test(message))) {
      advised.push(`${action} ${code}`);
    }
  }

  expect(advised).toEqual(['transferdomain 592']);
});
