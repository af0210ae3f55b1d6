import { afterAll, expect, test } from 'vitest';
import { ada } from '../../support/ada.ts';
import { openShop, order, type Payload } from './shop.ts';

const shop = await openShop();
afterAll(() => shop.close());

const usd = (amount: string) => ({ amount, currency: 'USD' });

test('a registration returns SUCCEEDED, debits the quoted cost and sends one purchase', {
  tags: ['R16'],
}, async () => {
  const before = await shop.balances();

  const made = await shop.register({ domain: 'plain-purchase.com' });

  expect(made.purchase).toMatchObject({
    kind: 'REGISTRATION',
    state: 'SUCCEEDED',
    domainName: 'plain-purchase.com',
    period: 1,
    price: usd('22.5800'),
    cost: usd('11.2900'),
    errors: [],
    nextStep: 'Nothing is left to do.',
  });
  expect(made).toMatchObject({ replayed: false, dryRun: false, errors: [] });
  expect(made.balanceAfter).toEqual(usd('2488.7100'));
  expect(await shop.balances()).toEqual({ ...before, USD: '2488.7100' });
  expect(await shop.gateway.countCalls()).toEqual({
    tldlist: 1,
    singlecheckavailability: 1,
    resellerdetails: 1,
    getdetails: 1,
    registerdomain: 1,
  });
});

test('createdAt, submittedAt and settledAt of a purchase are in this order', async () => {
  const { purchase } = await shop.register({ domain: 'times-purchase.com' });

  const times = [purchase.createdAt, purchase.submittedAt, purchase.settledAt];
  expect(times).toEqual(times.toSorted());
  expect(times.every((time) => typeof time === 'string')).toBe(true);
});

test('the payload shows the domain as read after the registration, not the reply of the registration', async () => {
  const { data } = await shop.gateway.query(
    /* GraphQL */ `mutation ($input: RegisterDomainInput!) { registerDomain(input: $input) {
      purchase { state domain { upstreamId } }
      domain { name upstreamId state transferLocked privacyProtected remainingDays nameServers }
    } }`,
    { input: order({ domain: 'truth-purchase.com', privacyProtected: true }) },
  );

  const [row] = await shop.rows('truth-purchase.com');
  expect(data.registerDomain).toEqual({
    purchase: { state: 'SUCCEEDED', domain: { upstreamId: row.id } },
    domain: {
      name: 'truth-purchase.com',
      upstreamId: row.id,
      state: 'ACTIVE',
      transferLocked: true,
      privacyProtected: true,
      remainingDays: expect.any(Number),
      nameServers: ['ns1.example-dns.net', 'ns2.example-dns.net'],
    },
  });
  expect(data.registerDomain.domain.remainingDays).toBeGreaterThan(364);
});

test.each([
  ['a dry run', { domain: 'only-planned.com', dryRun: true }, { highest: { amount: '22.5800' } }],
  ['a TLD that is not sold', { domain: 'not-sold.zzzz' }, null],
  ['a name of the account', { domain: 'reseller-demo.com' }, { highest: null }],
])('the payload has no domain when nothing is bought: %s', async (_what, input, quote) => {
  const { data } = await shop.gateway.query(
    /* GraphQL */ `mutation ($input: RegisterDomainInput!) { registerDomain(input: $input) {
      domain { name } purchase { id } quote { highest { amount } } } }`,
    { input: order(input) },
  );

  expect(data.registerDomain).toEqual({ domain: null, purchase: null, quote });
});

test.each([
  [{}, { locked: true, privacy: false }],
  [{ transferLocked: false }, { locked: false, privacy: false }],
  [{ privacyProtected: true }, { locked: true, privacy: true }],
])('the upstream receives lock and privacy as requested: %j', async (requested, stored) => {
  const domain = `flags-${Object.keys(requested).join('-').toLowerCase() || 'none'}.com`;

  await shop.register({ domain, ...requested });

  expect((await shop.rows(domain))[0]).toMatchObject(stored);
});

test('the upstream receives name servers in order, normalised and without duplicates', async () => {
  const nameServers = ['NS2.Example-DNS.net.', 'ns1.example-dns.net', 'ns2.example-dns.net'];

  await shop.register({ domain: 'hosts-purchase.com', nameServers });

  const [{ nameServers: stored }] = await shop.rows('hosts-purchase.com');
  expect(stored).toEqual(['ns2.example-dns.net', 'ns1.example-dns.net']);
});

const contactsOf = async (domain: string) => {
  const person = 'firstName email phone { e164 } address { line1 line2 country }';
  const { data } = await shop.gateway.query(`{ domain(name: "${domain}") { contacts {
    registrant { ${person} } administrative { ${person} } billing { ${person} } technical { ${person} } } } }`);
  return data.domain.contacts as Payload;
};

test('the contact has the roles administrative, billing and technical; the registrant is the holder', async () => {
  const address = { ...ada.address, line2: 'Hinterhof' };
  const bob = { ...ada, firstName: 'Bob', email: 'bob@example.org', phone: '030 987654', address };

  await shop.register({
    domain: 'people-purchase.com',
    registrant: { fields: { ...ada, address } },
    contact: { fields: bob },
  });

  const { registrant, ...others } = await contactsOf('people-purchase.com');
  expect(registrant).toMatchObject({
    firstName: 'Ada',
    phone: { e164: '+4930123456' },
    address: { line1: 'Musterweg 1, Hinterhof', line2: null, country: 'DE' },
  });
  const stored = {
    firstName: 'Bob',
    email: 'bob@example.org',
    phone: { e164: '+4930987654' },
    address: { line1: 'Musterweg 1', line2: 'Hinterhof', country: 'DE' },
  };
  expect(others).toEqual({ administrative: stored, billing: stored, technical: stored });
});

test('a registration without a contact uses the registrant in every role', async () => {
  await shop.register({ domain: 'alone-purchase.com' });

  const roles = Object.values(await contactsOf('alone-purchase.com')) as Payload[];
  expect(roles.map(({ firstName }) => firstName)).toEqual(['Ada', 'Ada', 'Ada', 'Ada']);
});
