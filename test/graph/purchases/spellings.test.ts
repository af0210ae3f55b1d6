import fc from 'fast-check';
import { coerceInputValue, type GraphQLInputType, parseValue, valueFromAST } from 'graphql';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { schema } from '../../../src/app/graph.ts';
import { purchaseFingerprint } from '../../../src/modules/purchase/idempotency.ts';
import {
  type RegisterInput,
  registerOperation,
} from '../../../src/modules/registration/register.ts';
import { ada } from '../../support/ada.ts';
import { runs } from '../../support/long.ts';
import { openShop, type Payload, type Shop } from './shop.ts';
import { literal, type Meaning, meaning, spelled, twoMeanings } from './spellings.ts';

const inputType = schema.getType('RegisterDomainInput') as GraphQLInputType;

/** The fingerprint of an input that is a variable or a literal of the document. */
function fingerprintOf(input: object, isLiteral: boolean): string {
  const taken = isLiteral
    ? valueFromAST(parseValue(literal(input)), inputType)
    : coerceInputValue(input, inputType);
  return purchaseFingerprint('REGISTRATION', registerOperation.identify(taken as RegisterInput));
}

describe('the fingerprint of a purchase', () => {
  test('is equal for equal meanings, in any spelling', () => {
    const spelledTwice = meaning.chain((it) => fc.tuple(spelled(it), spelled(it)));
    fc.assert(
      fc.property(spelledTwice, fc.boolean(), fc.boolean(), ([one, other], first, second) => {
        expect(fingerprintOf(other, second)).toBe(fingerprintOf(one, first));
      }),
      { numRuns: runs(100, 2_000) },
    );
  });

  test('differs as soon as the meaning of one field differs', () => {
    const met = new Set<string>();
    const spelledBoth = twoMeanings.chain(([one, changed, field]) =>
      fc.tuple(spelled(one), spelled(changed), fc.constant(field)),
    );
    fc.assert(
      fc.property(spelledBoth, ([one, changed, field]) => {
        met.add(field);
        expect(fingerprintOf(changed, false)).not.toBe(fingerprintOf(one, false));
      }),
      { numRuns: runs(600, 4_000) },
    );
    // Six of the order itself, eleven of each person, two of the price, and the two that may be left out.
    expect(met.size).toBe(32);
  });

  test('differs when two contacts, or two texts of one contact, are swapped', () => {
    const swapped = meaning
      .filter(({ registrant, contact }) => JSON.stringify(registrant) !== JSON.stringify(contact))
      .map((it): readonly [Meaning, Meaning] => [
        it,
        it.contact
          ? { ...it, registrant: it.contact, contact: it.registrant }
          : { ...it, contact: it.registrant },
      ]);
    const names = meaning
      .filter(({ registrant: { firstName, lastName } }) => firstName !== lastName)
      .map((it): readonly [Meaning, Meaning] => {
        const { firstName, lastName } = it.registrant;
        const registrant = { ...it.registrant, firstName: lastName, lastName: firstName };
        return [it, { ...it, registrant }];
      });
    const both = fc
      .oneof(swapped, names)
      .chain(([one, other]) => fc.tuple(spelled(one), spelled(other)));
    fc.assert(
      fc.property(both, ([one, other]) => {
        expect(fingerprintOf(one, false)).not.toBe(fingerprintOf(other, false));
      }),
      { numRuns: runs(40, 500) },
    );
  });
});

describe('a key of a successful purchase', () => {
  let shop: Shop;
  beforeAll(async () => {
    shop = await openShop();
  });
  afterAll(() => shop?.close());

  const idempotencyKey = 'spelt in every way';
  const bought: Meaning = {
    domain: 'zürich-harbor.com',
    period: 1,
    nameServers: ['ns1.bücher.de', 'ns2.example-dns.net', 'a.example'],
    registrant: {
      ...ada,
      company: null,
      address: { ...ada.address, line2: null, state: 'Land Berlin' },
    },
    contact: null,
    privacyProtected: false,
    transferLocked: true,
    acceptPremium: false,
    maxPrice: { amount: '22.58', currency: 'USD' },
  };
  const once = { numRuns: 1, seed: 7 };
  const selection = '{ purchase { id state } replayed errors { code executed } }';

  const send = async (input: object, isLiteral: boolean): Promise<Payload> => {
    const whole = { ...input, idempotencyKey };
    const [variables, argument] = isLiteral
      ? ['', literal(whole)]
      : ['($input: RegisterDomainInput!)', '$input'];
    const { data, errors } = await shop.gateway.query(
      `mutation ${variables} { registerDomain(input: ${argument}) ${selection} }`,
      { input: whole },
    );
    expect(errors).toBeUndefined();
    return data.registerDomain;
  };

  test('is replayed for every spelling of the same input, without an upstream call', {
    tags: ['R21', 'I6'],
  }, async () => {
    const [first = {}] = fc.sample(spelled(bought), once);
    const { purchase, replayed, errors } = await send(first, false);
    expect({ state: purchase?.state, replayed, errors }).toEqual({
      state: 'SUCCEEDED',
      replayed: false,
      errors: [],
    });
    await shop.gateway.resetCalls();

    await fc.assert(
      fc.asyncProperty(spelled(bought), fc.boolean(), async (input, isLiteral) => {
        expect(await send(input, isLiteral)).toEqual({ purchase, replayed: true, errors: [] });
      }),
      { numRuns: runs(8, 60) },
    );
    expect(await shop.gateway.countCalls()).toEqual({});
  });

  test('is refused for any other input, without an upstream call', { tags: ['I6'] }, async () => {
    await shop.gateway.resetCalls();
    const other: readonly Partial<Meaning>[] = [
      { domain: 'zurich-harbor.com' },
      { period: 2 },
      { nameServers: bought.nameServers.toReversed() },
      { nameServers: bought.nameServers.slice(1) },
      { registrant: { ...bought.registrant, company: 'Land Berlin' } },
      { contact: { ...bought.registrant, lastName: 'Byron' } },
      { privacyProtected: true },
      { transferLocked: false },
      { acceptPremium: true },
      { maxPrice: null },
      { maxPrice: { amount: '22.58', currency: 'EUR' } },
      { maxPrice: { amount: '22.580000000001', currency: 'USD' } },
    ];

    for (const change of other) {
      const [input = {}] = fc.sample(spelled({ ...bought, ...change }), once);
      expect(await send(input, false)).toEqual({
        purchase: null,
        replayed: false,
        errors: [{ code: 'IDEMPOTENCY_CONFLICT', executed: 'NO' }],
      });
    }
    expect(await shop.gateway.countCalls()).toEqual({});
  });
});
