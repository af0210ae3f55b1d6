import { afterAll, describe, expect, test } from 'vitest';
import type { Payload } from '../../../../test/graph/purchases/shop.ts';
import { ada } from '../../../../test/support/ada.ts';
import { globalId } from '../../../kernel/ids.ts';
import { defaultFields, grace, openProfileShop, profileFields } from './profile-shop.ts';

const shop = await openProfileShop();
afterAll(() => shop.close());

const codes = ({ errors, failures }: Payload): readonly string[] =>
  errors?.map(({ code, path }: Payload) => [code, ...(path?.slice(1) ?? [])].join(' ')) ??
  failures.map(({ extensions }: Payload) => extensions.code);
const namesOf = ({ nodes }: Payload) =>
  nodes.map(({ customer, name }: Payload) => [customer, name].filter(Boolean).join(' '));

describe('a contact profile', () => {
  test('is read as it was saved, by the list and by its id, without an upstream call', async () => {
    await shop.gateway.resetCalls();
    const { profile, errors } = await shop.save('staff', {
      name: ' Office ',
      contact: { ...grace, address: { ...grace.address, country: ' de ' } },
    });
    const { nodes } = await shop.list('staff');
    const { node } = await shop.ask(
      'staff',
      `{ node(id: "${profile.id}") { ... on ContactProfile { ${profileFields} } } }`,
    );

    expect(errors).toEqual([]);
    expect(nodes).toMatchObject([
      {
        ...{ id: profile.id, name: 'Office', customer: null },
        contact: { ...grace, address: { ...grace.address, line2: null, state: null } },
      },
    ]);
    expect(node).toEqual(nodes[0]);
    expect(await shop.gateway.countCalls()).toEqual({});
  });

  test('is replaced by the same name, changed by its id, and deleted', async () => {
    const first = (await shop.save('staff', { name: 'Same' })).profile;
    const again = (await shop.save('staff', { name: 'Same', contact: ada })).profile;
    const other = (await shop.save('staff', { name: 'Other' })).profile;
    const taken = await shop.save('staff', { id: other.id, name: 'Same' });
    const renamed = await shop.save('staff', { id: other.id, name: 'Renamed' });
    const moved = await shop.save('staff', { id: other.id, name: 'Renamed', customer: 'acme' });
    const read = async (id: string) =>
      (
        await shop.ask(
          'staff',
          `{ node(id: "${id}") { ... on ContactProfile { name contact { firstName } } } }`,
        )
      ).node;

    expect(again.id).toBe(first.id);
    expect(await read(first.id)).toEqual({ name: 'Same', contact: { firstName: 'Ada' } });
    expect(codes(taken)).toEqual(['ALREADY_EXISTS name']);
    expect(renamed.profile).toMatchObject({ id: other.id, name: 'Renamed' });
    expect(codes(moved)).toEqual(['INVALID_INPUT customer']);
    expect(await shop.remove('staff', other.id)).toEqual({ deletedId: other.id, errors: [] });
    expect(await read(other.id)).toBeNull();
    expect(await shop.remove('staff', other.id)).toMatchObject({ deletedId: null });
    expect(codes(await shop.remove('staff', other.id))).toEqual(['NOT_FOUND id']);
    expect(codes(await shop.save('staff', { id: globalId('Webhook', 'x'), name: 'x' }))).toEqual([
      'NOT_FOUND id',
    ]);
    await shop.remove('staff', first.id);
  });

  test.each<[string, object, readonly string[]]>([
    ['an empty name', { firstName: '' }, ['firstName']],
    ['invisible text', { firstName: '\u200b' }, ['firstName']],
    ['text that turns its direction', { lastName: 'Qu\u202eill' }, ['lastName']],
    ['half a character', { city: 'Berl\ud83d' }, ['address.city']],
    ['a long postal code', { zipCode: '1'.repeat(33) }, ['address.zipCode']],
    ['a long name', { firstName: 'a'.repeat(200), lastName: 'b'.repeat(200) }, ['lastName']],
    ['no e-mail address', { email: 'ada@localhost' }, ['email']],
    ['a country that ISO 3166 does not have', { country: 'UK' }, ['address.country']],
    ['a telephone number of no country', { phone: '12' }, ['phone']],
    ['several faults', { email: 'x', line1: 'a\nb' }, ['email', 'address.line1']],
  ])('with %s is refused at its field, and not saved', async (_what, changes, fields) => {
    const { city, zipCode, country, line1, ...rest } = {
      ...ada.address,
      ...ada,
      ...changes,
    } as Payload;
    const { address: _, ...person } = rest;
    const contact = { ...person, address: { line1, city, zipCode, country } };
    const saved = await shop.save('staff', { name: 'Faulty', contact });

    expect(saved.profile).toBeNull();
    expect(saved.errors.map(({ path }: Payload) => path.join('.')).sort()).toEqual(
      fields.map((field) => `input.contact.${field}`).sort(),
    );
    expect(namesOf(await shop.list('staff'))).not.toContain('Faulty');
  });

  test.each([
    [{ email: 'info@müller-demo.com' }, { email: 'info@xn--mller-demo-9db.com' }],
    [{ firstName: 'Ame\u0301lie' }, { firstName: 'Am\u00e9lie' }],
  ])('with %j is saved in the form that is sent', async (changes, stored) => {
    const { profile } = await shop.save('staff', {
      name: 'Canonical',
      contact: { ...ada, ...changes },
    });
    const { node } = await shop.ask(
      'staff',
      `{ node(id: "${profile.id}") { ... on ContactProfile { ${profileFields} } } }`,
    );

    expect(node.contact).toMatchObject(stored);
    await shop.remove('staff', profile.id);
  });

  test.each([
    ['name', { name: ' ' }],
    ['name', { name: 'a'.repeat(65) }],
    ['name', { name: 'a\u202eb' }],
    ['customer', { name: 'a', customer: ' a' }],
    ['customer', { name: 'a', customer: 'a'.repeat(65) }],
  ])('with the invalid %s of %j is refused', async (field, input) => {
    expect(codes(await shop.save('staff', input))).toEqual([`INVALID_INPUT ${field}`]);
  });

  test('is on the page that its cursor names', async () => {
    for (const name of ['b', 'a']) await shop.save('staff', { name, customer: 'paged' });
    const page = async (args: string) =>
      (
        await shop.ask(
          'staff',
          `{ contactProfiles(${args}, customer: "paged") { totalCount nodes { name } pageInfo { hasNextPage endCursor } } }`,
        )
      ).contactProfiles;
    const first = await page('first: 1');

    expect(first).toMatchObject({
      totalCount: 2,
      nodes: [{ name: 'a' }],
      pageInfo: { hasNextPage: true },
    });
    expect(await page(`first: 1, after: "${first.pageInfo.endCursor}"`)).toMatchObject({
      ...{ nodes: [{ name: 'b' }], pageInfo: { hasNextPage: false } },
    });
    for (const { id } of (await shop.list('staff', '(customer: "paged")')).nodes)
      await shop.remove('staff', id);
  });
});

describe('a caller that is bound to a customer', () => {
  test('sees and changes the profiles and defaults of its customer alone', async () => {
    const ofReseller = (await shop.save('staff', { name: 'Shop' })).profile;
    const ofRival = (await shop.save('rival', { name: 'Home' })).profile;
    const own = (await shop.save('acme', { name: 'Home', contact: ada })).profile;
    await shop.setDefaults('staff', { profile: ofReseller.id, nameServers: ['ns1.shop.example'] });

    expect([ofRival.customer, own.customer]).toEqual(['rival', 'acme']);
    expect(namesOf(await shop.list('acme'))).toEqual(['acme Home']);
    expect((await shop.list('acme')).totalCount).toBe(1);
    for (const id of [ofReseller.id, ofRival.id]) {
      const unknown = globalId('ContactProfile', 'none');
      const read = (one: string) => shop.ask('acme', `{ node(id: "${one}") { id } }`);
      expect(await read(id)).toEqual(await read(unknown));
      expect(await shop.save('acme', { id, name: 'x' })).toEqual(
        await shop.save('acme', { id: unknown, name: 'x' }),
      );
      expect(await shop.remove('acme', id)).toEqual(await shop.remove('acme', unknown));
      expect(await shop.setDefaults('acme', { profile: id })).toEqual(
        await shop.setDefaults('acme', { profile: unknown }),
      );
      expect(codes(await shop.setDefaults('acme', { profile: id }))).toEqual(['NOT_FOUND profile']);
    }
    expect(codes(await shop.save('acme', { name: 'x', customer: 'rival' }))).toEqual([
      'FORBIDDEN customer',
    ]);
    expect(codes(await shop.setDefaults('acme', { customer: 'rival' }))).toEqual([
      'FORBIDDEN customer',
    ]);
    expect(
      codes(await shop.ask('acme', '{ purchaseDefaults(customer: "rival") { customer } }')),
    ).toEqual(['FORBIDDEN']);
    expect(
      codes(await shop.ask('acme', '{ contactProfiles(customer: "rival") { totalCount } }')),
    ).toEqual(['FORBIDDEN']);
    expect(
      (await shop.ask('acme', `{ purchaseDefaults { ${defaultFields} } }`)).purchaseDefaults,
    ).toEqual({
      ...{
        customer: 'acme',
        profile: null,
        nameServers: null,
        privacyProtected: null,
        transferLocked: null,
      },
    });
    for (const { id } of [ofReseller, ofRival, own]) await shop.remove('staff', id);
  });

  test('does not see the profile of the reseller that staff made its default', async () => {
    const { profile } = await shop.save('staff', { name: 'Shared' });
    await shop.setDefaults('staff', { customer: 'acme', profile: profile.id });
    const read = async (name: string, args: string) =>
      (await shop.ask(name, `{ purchaseDefaults${args} { profile { name contact { email } } } }`))
        .purchaseDefaults;

    expect(await read('acme', '')).toEqual({ profile: null });
    expect(await read('staff', '(customer: "acme")')).toMatchObject({
      profile: { name: 'Shared' },
    });
    await shop.remove('staff', profile.id);
  });
});

test('an unrestricted caller needs the scope customers:write, and contacts:read to read', async () => {
  const { profile } = await shop.save('staff', { name: 'Scoped' });

  for (const refused of [
    await shop.save('cashier', { name: 'x' }),
    await shop.remove('cashier', profile.id),
    await shop.setDefaults('cashier', { transferLocked: true }),
  ]) {
    expect(codes(refused)).toEqual(['FORBIDDEN']);
    expect(refused.errors[0].message).toContain('"customers:write"');
  }
  for (const read of [
    'contactProfiles { totalCount }',
    'purchaseDefaults { customer }',
    `node(id: "${profile.id}") { id }`,
  ]) {
    expect(codes(await shop.ask('cashier', `{ ${read} }`))).toEqual(['FORBIDDEN']);
  }
  await shop.remove('staff', profile.id);
});

test('defaults are set one by one, ended by null, and refused with the profile of another customer', async () => {
  const { profile } = await shop.save('staff', { name: 'Home', customer: 'acme' });
  const set = async (input: object) =>
    (await shop.setDefaults('staff', { customer: 'acme', ...input })).defaults;

  expect(
    await set({ profile: profile.id, nameServers: ['NS1.Shop.Example.', 'ns1.shop.example'] }),
  ).toEqual({
    ...{ customer: 'acme', profile: { id: profile.id, name: 'Home' } },
    ...{ nameServers: ['ns1.shop.example'], privacyProtected: null, transferLocked: null },
  });
  expect(await set({ privacyProtected: true, nameServers: null })).toMatchObject({
    ...{ profile: { name: 'Home' }, nameServers: null, privacyProtected: true },
  });
  for (const customer of [null, 'rival']) {
    expect(codes(await shop.setDefaults('staff', { customer, profile: profile.id }))).toEqual([
      'INVALID_INPUT profile',
    ]);
  }
  expect(
    codes(await shop.setDefaults('staff', { nameServers: ['a b'], customer: 'acme' })),
  ).toEqual(['INVALID_INPUT nameServers 0']);
  await shop.remove('staff', profile.id);
  expect(await set({})).toMatchObject({ profile: null, privacyProtected: true });
});
