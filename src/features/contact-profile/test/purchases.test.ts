import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Payload } from '../../../../test/graph/purchases/shop.ts';
import { ada } from '../../../../test/support/ada.ts';
import { newFolder } from '../../../../test/support/folder.ts';
import { startWithReceiver } from '../../../../test/support/with-receiver.ts';
import { grace, openProfileShop } from './profile-shop.ts';

const hosts = ['ns1.default.example', 'ns2.default.example'];
const ownHosts = ['ns1.own.example', 'ns2.own.example'];

const codes = ({ errors }: Payload): readonly string[] =>
  errors.map(({ code, path }: Payload) => [code, ...(path?.slice(1) ?? [])].join(' '));

describe('a registration', () => {
  let shop: Awaited<ReturnType<typeof openProfileShop>>;
  let office: string;
  let home: string;
  beforeAll(async () => {
    shop = await openProfileShop();
    office = (await shop.save('staff', { name: 'Office' })).profile.id;
    home = (await shop.save('acme', { name: 'Home', contact: { ...ada, firstName: 'Home' } }))
      .profile.id;
  });
  afterAll(() => shop?.close());

  test('without a registrant and name servers is refused in one sentence each, which names both ways', async () => {
    const made = await shop.buy('cashier', { domain: 'nothing-set.com' });

    expect(made.purchase).toBeNull();
    expect(codes(made)).toEqual(['INVALID_INPUT registrant', 'INVALID_INPUT nameServers']);
    expect(made.errors[0].message).toBe(
      '"registrant" is missing; send its "fields" or a "profile", or set a default profile with "setDefaults".',
    );
  });

  test('needs its domain alone, with the defaults of its customer before those of the reseller', async () => {
    await shop.setDefaults('staff', {
      ...{ profile: office, nameServers: hosts, privacyProtected: true, transferLocked: false },
    });
    await shop.setDefaults('acme', { profile: home, transferLocked: true });
    await shop.gateway.resetCalls();
    const made = await shop.buy('cashier', { domain: 'only-domain.com' });
    const calls = await shop.gateway.countCalls();
    await shop.buy('acme', { domain: 'of-acme.com' });
    await shop.buy('rival', { domain: 'of-rival.com' });
    await shop.buy('acme', {
      ...{ domain: 'all-own.com', nameServers: ownHosts, privacyProtected: false },
      ...{ transferLocked: false, registrant: { fields: ada }, contact: { profile: home } },
    });

    expect(made).toMatchObject({ purchase: { state: 'SUCCEEDED' }, errors: [] });
    expect(calls).toEqual({
      ...{ tldlist: 1, singlecheckavailability: 1, resellerdetails: 1, getdetails: 1 },
      registerdomain: 1,
    });
    const ofReseller = {
      ...{ registrant: 'Grace', contact: 'Grace', nameServers: hosts },
      ...{ privacyProtected: true, transferLocked: false },
    };
    expect(await shop.bought('only-domain.com')).toEqual(ofReseller);
    expect(await shop.bought('of-rival.com')).toEqual(ofReseller);
    expect(await shop.bought('of-acme.com')).toEqual({
      ...{ ...ofReseller, registrant: 'Home', contact: 'Home', transferLocked: true },
    });
    expect(await shop.bought('all-own.com')).toEqual({
      ...{ registrant: 'Ada', contact: 'Home', nameServers: ownHosts },
      ...{ privacyProtected: false, transferLocked: false },
    });
  });

  test('with the profile of another customer is refused as with one that does not exist', async () => {
    await shop.gateway.resetCalls();
    const buy = (profile: string) =>
      shop.buy('rival', { domain: 'foreign-profile.com', registrant: { profile }, dryRun: true });
    const foreign = await buy(home);

    expect(codes(foreign)).toEqual(['NOT_FOUND registrant profile']);
    for (const id of [office, 'no id']) expect(await buy(id)).toEqual(foreign);
    expect((await shop.gateway.countCalls()).registerdomain).toBeUndefined();
  });

  test('with the same key is the same purchase after its profile was changed and deleted', async () => {
    const { profile } = await shop.save('staff', { name: 'Changing' });
    const input = {
      ...{ domain: 'same-key.com', idempotencyKey: 'same-key', nameServers: hosts },
      registrant: { profile: profile.id },
    };
    const { purchase } = await shop.buy('cashier', input);
    await shop.save('staff', { name: 'Changing', contact: { ...ada, firstName: 'Changed' } });
    const afterChange = await shop.buy('cashier', input);
    await shop.remove('staff', profile.id);
    await shop.gateway.resetCalls();
    const afterDeletion = await shop.buy('cashier', input);
    const other = await shop.buy('cashier', { ...input, registrant: { profile: office } });

    for (const again of [afterChange, afterDeletion]) {
      expect(again).toMatchObject({ purchase: { id: purchase.id }, replayed: true, errors: [] });
    }
    expect(codes(other)).toEqual(['IDEMPOTENCY_CONFLICT idempotencyKey']);
    expect(await shop.gateway.countCalls()).toEqual({});
    expect((await shop.bought('same-key.com')).registrant).toBe('Grace');
  });

  const place = async (input: object): Promise<Payload> => {
    const order = 'order { id state lines { state purchase { id } } }';
    const document = `mutation ($input: PlaceOrderInput!) { placeOrder(input: $input) {
      ${order} replayed errors { code path } } }`;
    return (await shop.ask('staff', document, { input })).placeOrder;
  };
  const ended = (id: string, state = 'SUCCEEDED') =>
    expect
      .poll(
        async () =>
          (await shop.ask('staff', `{ order(by: { id: "${id}" }) { state } }`)).order.state,
      )
      .toBe(state);

  test('of an order has the values of the line, of the order, and the defaults, in this order', async () => {
    const lines = [
      { domain: 'line-a.com', registrant: { profile: home } },
      { domain: 'line-b.com', nameServers: ownHosts, transferLocked: true },
    ];
    const { order, errors } = await place({
      idempotencyKey: 'values',
      defaults: { registrant: { fields: ada }, privacyProtected: false },
      lines: lines.map((registration) => ({ registration })),
    });
    expect(errors).toEqual([]);
    await ended(order.id);

    expect(await shop.bought('line-a.com')).toEqual({
      ...{ registrant: 'Home', contact: 'Grace', nameServers: hosts },
      ...{ privacyProtected: false, transferLocked: false },
    });
    expect(await shop.bought('line-b.com')).toEqual({
      ...{ registrant: 'Ada', contact: 'Grace', nameServers: ownHosts },
      ...{ privacyProtected: false, transferLocked: true },
    });
  });

  test('of an order is sent with the contact of its placement, although the profile is deleted before', async () => {
    const { profile } = await shop.save('staff', {
      name: 'Short',
      contact: { ...ada, firstName: 'Short' },
    });
    await shop.arm('hold-before', { action: 'registerdomain' });
    const input = {
      idempotencyKey: 'deleted-before',
      lines: ['held-a', 'held-b', 'held-c', 'held-d', 'held-e'].map((name) => ({
        registration: { domain: `${name}.com`, registrant: { profile: profile.id } },
      })),
    };
    const { order } = await place(input);
    await expect.poll(() => shop.gateway.admin('GET', '/held')).toEqual({ held: 1 });
    await shop.remove('staff', profile.id);
    const replayed = await place(input);
    const again = await place({ ...input, idempotencyKey: 'after' });
    await shop.gateway.admin('POST', '/release', {});
    await ended(order.id);

    expect(replayed).toMatchObject({ order: { id: order.id }, replayed: true, errors: [] });
    expect(again.order).toBeNull();
    expect(codes(again)).toContain('NOT_FOUND lines 0 registration registrant profile');
    for (const { registration } of input.lines) {
      expect((await shop.bought(registration.domain)).registrant).toBe('Short');
    }
  });

  test('of an order that ended is placed again with its profile, and refused once that is deleted', async () => {
    const { profile } = await shop.save('staff', { name: 'Retried' });
    const fail = async (idempotencyKey: string) => {
      await shop.arm('code', { action: 'registerdomain', code: 'API_2304_ERROR' });
      const registrant = { profile: profile.id };
      const lines = [{ registration: { domain: `${idempotencyKey}.com`, registrant } }];
      const { order } = await place({ idempotencyKey, lines });
      await ended(order.id, 'FAILED');
    };
    const retry = async (key: string): Promise<Payload> => {
      const document = `mutation { retryOrder(input: { by: { key: "${key}" }, idempotencyKey: "${key}-2" }) {
        order { id } errors { code path } } }`;
      return (await shop.ask('staff', document)).retryOrder;
    };
    await fail('fails-once');
    const { order } = await retry('fails-once');
    await ended(order.id);
    await fail('fails-twice');
    await shop.remove('staff', profile.id);

    expect((await shop.bought('fails-once.com')).registrant).toBe('Grace');
    expect(codes(await retry('fails-twice'))).toEqual(['NOT_FOUND']);
  });

  test('of a quote reports a profile that does not exist at its place', async () => {
    const quote = `{ quoteOrder(input: { defaults: { contact: { profile: "none" } }
      lines: [{ registration: { domain: "quoted.com", registrant: { profile: "${office}" } } }] }) {
        errors { code path } lines { errors { code path } } } }`;
    const { quoteOrder } = await shop.ask('staff', quote);

    expect(codes(quoteOrder)).toEqual(['NOT_FOUND defaults contact profile']);
    expect(quoteOrder.lines).toEqual([{ errors: [] }]);
  });
});

describe('the contacts of profiles on disk', () => {
  const oneKey = Buffer.alloc(32, 1).toString('base64');
  const otherKey = Buffer.alloc(32, 2).toString('hex');

  const openWith = (DATA_DIR: string, PROFILES_KEY: string) =>
    openProfileShop({ DATA_DIR, PROFILES_KEY });
  const onDisk = (folder: string): string =>
    readdirSync(folder)
      .filter((name) => name.includes('sqlite'))
      .map((name) => readFileSync(join(folder, name), 'latin1'))
      .join();
  const emails = async (shop: Awaited<ReturnType<typeof openProfileShop>>) => {
    const read = await shop.ask(
      'staff',
      '{ contactProfiles { nodes { name contact { email } } } }',
    );
    return {
      nodes: read.contactProfiles.nodes.map(
        ({ name, contact }: Payload) => `${name} ${contact?.email}`,
      ),
      failures: (read.failures ?? []).map(({ extensions }: Payload) => extensions.code),
    };
  };

  test('are encrypted once a key is set, and readable with that key alone', async () => {
    const folder = await newFolder('profiles');
    const planted = { ...grace, email: 'planted4711@example.org' };
    const plain = await openWith(folder, '');
    await plain.save('staff', { name: 'Plain', contact: planted });
    expect(onDisk(folder)).toContain(planted.email);
    await plain.close();

    const sealed = await openWith(folder, oneKey);
    expect(await emails(sealed)).toEqual({ nodes: [`Plain ${planted.email}`], failures: [] });
    await sealed.save('staff', { name: 'Plain', contact: planted });
    await sealed.save('staff', { name: 'Sealed', contact: planted });
    await sealed.setDefaults('staff', { profile: (await sealed.list('staff')).nodes[1].id });
    await sealed.close();
    expect(onDisk(folder)).not.toContain(planted.email);

    for (const [key, reason] of [
      [otherKey, 'with another key'],
      ['', 'the gateway has no key'],
    ] as const) {
      const wrong = await openWith(folder, key);
      expect(await emails(wrong)).toEqual({
        nodes: ['Plain undefined', 'Sealed undefined'],
        failures: ['JOURNAL_UNAVAILABLE', 'JOURNAL_UNAVAILABLE'],
      });
      const refused = await wrong.buy('cashier', { domain: 'wrong-key.com', nameServers: hosts });
      expect(codes(refused)).toEqual([
        'JOURNAL_UNAVAILABLE registrant',
        'JOURNAL_UNAVAILABLE contact',
      ]);
      expect(refused.errors[0]).toMatchObject({ executed: 'NO', retryable: false });
      expect(refused.errors[0].message).toContain(reason);
      await wrong.close();
    }

    const again = await openWith(folder, oneKey);
    expect((await emails(again)).failures).toEqual([]);
    await again.close();
  });

  test('are gone after the deletion', async () => {
    const folder = await newFolder('profiles');
    const shop = await openWith(folder, '');
    const { profile } = await shop.save('staff', { name: 'Gone', contact: grace });
    expect(onDisk(folder)).toContain('Cobol Ltd');
    await shop.remove('staff', profile.id);
    await shop.close();

    expect(onDisk(folder)).not.toContain('Cobol Ltd');
  });
});

test('the contact of a profile is in no log line, event, webhook, export and audit line', async () => {
  const here = await startWithReceiver();
  await here.create();
  const planted = {
    ...{ ...grace, lastName: 'Planted4711', email: 'planted4712@example.org' },
    ...{ phone: '+49 30 4714714', address: { ...grace.address, line1: 'Planted Row 4715' } },
  };
  const { profile } = await here.mutate(
    'saveContactProfile',
    { name: 'Office', contact: planted },
    'profile { id }',
  );
  await here.mutate(
    'setDefaults',
    { profile: profile.id, nameServers: hosts },
    'defaults { customer }',
  );
  const { purchase } = await here.mutate(
    'registerDomain',
    { domain: 'planted.com' },
    'purchase { id state }',
  );
  const wrong = { ...planted, email: 'planted4716@localhost' };
  await here.mutate('saveContactProfile', { name: 'Wrong', contact: wrong }, 'profile { id }');
  await here.happen();
  await here.mutate('deleteContactProfile', { id: profile.id }, 'deletedId');
  const { data } = await here.gateway.query(
    '{ events { nodes { id type subject before { text } after { text } } } purchases { nodes { id key errors { message } } } }',
  );
  const exported = await Promise.all(
    ['domains', 'purchases'].map((name) => here.gateway.export(`${name}.csv`)),
  );
  const all = [data, here.texts, here.receiver.received, exported].map((one) =>
    JSON.stringify(one),
  );

  expect(purchase.state).toBe('SUCCEEDED');
  expect(here.receiver.types()).toContain('PURCHASE_SETTLED');
  expect(all[1]).toContain('saveContactProfile');
  expect(all[3]).toContain('planted.com');
  for (const text of all) {
    expect(text).not.toMatch(/planted ?(?:row ?)?47\d\d/i);
    expect(text).not.toContain('4714714');
  }
});
