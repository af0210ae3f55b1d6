import { describe, expect, test } from 'vitest';
import { ada } from '../../../test/support/ada.ts';
import {
  createTenant,
  offer,
  ok,
  problems,
  refusal,
  tldRow,
} from '../../../test/support/modules/purchase-tenant.ts';
import { priceListBy } from '../../../test/support/retail-list.ts';
import { parseDomainName } from '../../kernel/domain-name.ts';
import { Fault } from '../../kernel/faults.ts';
import { money } from '../../kernel/money.ts';
import type { Reads } from '../../scope/reads.ts';
import { availabilityReads } from '../availability/loader.ts';
import { resellerRead } from '../balance/balance.ts';
import { domainReads } from '../domain/loader.ts';
import { createQuotes, tenantPricing } from '../quote/quotes.ts';
import { tldReads } from '../tld/loader.ts';

const usd = (amount: string) => money(amount, 'USD');
const timeout = () => {
  throw new Fault('UPSTREAM_TIMEOUT', { executed: 'UNKNOWN' });
};

describe('the call of a registration', () => {
  const adaOnWire = {
    ...{ FirstName: 'Ada', LastName: 'Lovelace', Company: '', EMail: 'ada@example.org' },
    ...{ AddressLine1: 'Musterweg 1', City: 'Berlin', State: '', ZipCode: '10115', Country: 'DE' },
    ...{ Phone: '30123456', PhoneCountryCode: 49 },
  };

  test('has the registrant as contact, each name server once, and the options', async () => {
    const tenant = await createTenant();

    await tenant.register({
      domain: 'Maple.COM.',
      period: 2,
      nameServers: ['NS1.example.net', 'ns2.example.net', 'ns1.example.net.'],
      registrant: {
        fields: { ...ada, address: { ...ada.address, country: 'de', line2: 'Floor 2' } },
      },
    });

    expect(tenant.sent('registerdomain')).toEqual([
      {
        action: 'registerdomain',
        domain: 'maple.com',
        period: 2,
        registrant: { ...adaOnWire, AddressLine1: 'Musterweg 1, Floor 2' },
        contact: { ...adaOnWire, AddressLine2: 'Floor 2' },
        nameservers: ['ns1.example.net', 'ns2.example.net'],
        privacyProtection: false,
        eppLock: true,
      },
    ]);
  });

  test('has another contact, and other options', async () => {
    const tenant = await createTenant();
    const contact = { ...ada, firstName: 'Grace', address: { ...ada.address, country: 'de' } };

    await tenant.register({
      contact: { fields: contact },
      privacyProtected: true,
      transferLocked: false,
    });

    expect(tenant.sent('registerdomain')).toMatchObject([
      {
        registrant: adaOnWire,
        contact: { ...adaOnWire, FirstName: 'Grace' },
        privacyProtection: true,
        eppLock: false,
      },
    ]);
  });

  test.each([
    ['registrant', 'registrant fields firstName'],
    ['contact', 'contact fields firstName'],
  ])('is not made with a wrong %s', async (field, problem) => {
    const tenant = await createTenant();

    const made = await tenant.register({
      [field]: { fields: { ...ada, firstName: '', phone: 'x' } },
    });

    expect(problems(made)).toContain(`INVALID_INPUT ${problem}`);
    expect(tenant.sent('registerdomain')).toEqual([]);
  });

  test('is one purchase in any spelling of its countries', async () => {
    const tenant = await createTenant();
    const lower = { ...ada, address: { ...ada.address, country: ' de ' } };
    await tenant.register({ idempotencyKey: 'key-1', contact: { fields: ada } });

    const again = await tenant.register({
      ...{ idempotencyKey: 'key-1', registrant: { fields: lower }, contact: { fields: lower } },
    });

    expect(again).toMatchObject({ replayed: true, errors: [] });
  });
});

describe('a taken name', () => {
  const taken = (changes = {}) => offer({ Status: 'notavailable', ...changes });

  test.each([
    ['that the account has', 'Active', 'ALREADY_OWNED'],
    ['whose transfer is in progress', 'WaitingForIncomingTransfer', 'TRANSFER_PENDING'],
    ['that the account has lost', 'TransferredOut', 'NOT_AVAILABLE'],
    ['of another account', '', 'NOT_AVAILABLE'],
  ])('%s is refused', async (_case, status, code) => {
    const tenant = await createTenant();
    tenant.upstream.singlecheckavailability = () => taken();
    if (status) tenant.domains.set('maple.com', status);

    const made = await tenant.register();

    expect(problems(made)).toEqual([`${code} domain`]);
    expect(made.errors[0]?.upstream).toBeUndefined();
    expect(made.errors[0]?.message.includes('maple.com')).toBe(code === 'NOT_AVAILABLE');
  });

  test('is refused with the reason of the upstream, also when the account cannot be read', async () => {
    const tenant = await createTenant();
    tenant.upstream.singlecheckavailability = () => taken({ Reason: 'In use' });
    tenant.upstream.getdetails = timeout;

    const made = await tenant.register();

    expect(problems(made)).toEqual(['NOT_AVAILABLE domain']);
    expect(made.errors[0]?.upstream).toEqual({ code: '', message: 'In use' });
  });

  test('has no second fault under a TLD that is not sold', async () => {
    const tenant = await createTenant();
    tenant.upstream.singlecheckavailability = () => taken();

    expect(problems(await tenant.register({ domain: 'maple.zzz' }))).toEqual([
      'TLD_UNSUPPORTED domain',
    ]);
    expect(tenant.sent('getdetails')).toEqual([]);
  });
});

describe('a name', () => {
  test('that cannot be checked is refused with the fault of its check', async () => {
    const tenant = await createTenant();
    tenant.upstream.singlecheckavailability = timeout;

    const made = await tenant.register();

    expect(problems(made)).toEqual(['UPSTREAM_TIMEOUT']);
    expect(made.errors[0]?.executed).toBe('NO');
    expect(tenant.sent('registerdomain')).toEqual([]);
  });

  test('that is available is read in the account once, after the claim', async () => {
    const tenant = await createTenant();

    await tenant.register();

    expect(tenant.sent('getdetails')).toHaveLength(1);
  });

  test.each([
    ['a price', { Price: '900' }, { price: usd('900') }],
    ['no price', { Price: null }, {}],
  ])('that is premium with %s is not bought by default', async (_case, changes, facts) => {
    const tenant = await createTenant();
    tenant.upstream.singlecheckavailability = () => offer({ IsFee: true, ...changes });

    const made = await tenant.register();

    expect(problems(made)).toEqual([
      'PREMIUM_NOT_ACCEPTED acceptPremium',
      ...(changes.Price ? ['INSUFFICIENT_FUNDS'] : ['PRICE_UNAVAILABLE period']),
    ]);
    expect(made.errors[0]?.facts).toEqual(facts);
  });

  test('that is premium is refused with the price of the customer', async () => {
    const tenant = await createTenant();
    const list = priceListBy();
    const quotes = createQuotes(() => list, tenant.clock);
    tenant.gateway.provide(tenantPricing, { retail: quotes, withCosts: quotes });
    tenant.upstream.singlecheckavailability = () => offer({ IsFee: true, Price: '40' });

    const made = await tenant.register();

    expect(problems(made)).toEqual(['PREMIUM_NOT_ACCEPTED acceptPremium']);
    expect(made.errors[0]?.facts).toEqual({ price: usd('80') });
  });

  test('that is premium is bought on request', async () => {
    const tenant = await createTenant();
    tenant.upstream.singlecheckavailability = () => offer({ IsFee: true, Price: '90' });

    expect((await tenant.register({ acceptPremium: true })).purchase?.cost).toEqual(usd('90'));
  });

  test.each([
    ['with two labels above the TLD', 'ns1.maple.com', 'INVALID_INPUT domain'],
    ['with a label below the shortest', 'm.com', 'INVALID_INPUT domain'],
    ['under a TLD that is not sold', 'maple.zzz', 'TLD_UNSUPPORTED domain'],
    ['under a TLD of two labels that is not sold', 'maple.org.uk', 'TLD_UNSUPPORTED domain'],
  ])('%s is refused', async (_case, domain, problem) => {
    const tenant = await createTenant();

    expect(problems(await tenant.register({ domain }))).toEqual([problem]);
    expect(await tenant.purchases()).toEqual([]);
  });

  test('under a TLD of two labels is bought', async () => {
    const tenant = await createTenant();

    expect((await tenant.register({ domain: 'maple.co.uk' })).purchase?.state).toBe('SUCCEEDED');
  });

  test('whose price list cannot be read is refused with the fault of that read alone', async () => {
    const tenant = await createTenant();
    tenant.upstream.tldlist = timeout;

    const made = await tenant.register();

    expect(problems(made)).toEqual(['UPSTREAM_TIMEOUT']);
    expect(made).toMatchObject({ quote: null, errors: [{ executed: 'NO' }] });
  });
});

describe('the period', () => {
  test.each([
    [{ minperiod: 2, maxperiod: 5 }, 2, null],
    [{ minperiod: 2, maxperiod: 5 }, 5, null],
    [{ minperiod: 2, maxperiod: 5 }, 1, { minimum: 2, maximum: 5 }],
    [{ minperiod: 2, maxperiod: 5 }, 6, { minimum: 2, maximum: 5 }],
    [{ minperiod: null, maxperiod: null }, 0, { minimum: 1, maximum: 10 }],
    [{ minperiod: null, maxperiod: null }, 11, { minimum: 1, maximum: 10 }],
    [{ minperiod: null, maxperiod: null }, 10, null],
  ])('of a TLD with %j is checked: %i', async (bounds, period, facts) => {
    const tenant = await createTenant();
    const pricing = { registration: { 1: '1', 2: '2' }, renew: { 1: '1' } };
    tenant.upstream.tldlist = () => ok({ data: [tldRow('com', { ...bounds, pricing })] });

    const made = await tenant.register({ period });

    expect(problems(made)).toEqual(facts ? ['PERIOD_OUT_OF_RANGE period'] : []);
    expect(made.errors[0]?.facts ?? null).toEqual(facts);
  });

  test.each([
    [5, '"period" must be between 2 and 5 years for .com; 1 was given.'],
    [2, '"period" must be 2 for .com; 1 was given.'],
  ])('from 2 to %i years is named in the message', async (maxperiod, message) => {
    const tenant = await createTenant();
    tenant.upstream.tldlist = () => ok({ data: [tldRow('com', { minperiod: 2, maxperiod })] });

    expect((await tenant.register({ period: 1 })).errors).toMatchObject([{ message }]);
  });
});

describe('the highest price', () => {
  test.each([
    ['equal to the price', usd('10'), 1, null],
    ['below the price', usd('9.9999'), 1, { lowest: usd('10'), highest: usd('10') }],
    ['in another currency', money('99', 'EUR'), 1, { lowest: usd('10'), highest: usd('10') }],
    ['between the bounds', usd('21'), 2, { lowest: usd('20'), highest: usd('22') }],
    ['equal to the upper bound', usd('22'), 2, null],
  ])('that is %s is compared with the quote', async (_case, maxPrice, period, facts) => {
    const tenant = await createTenant();

    const made = await tenant.register({ maxPrice, period });

    expect(problems(made)).toEqual(facts ? ['MAX_PRICE_EXCEEDED maxPrice'] : []);
    expect(made.errors[0]?.facts).toEqual(facts ? { maxPrice, ...facts } : undefined);
    expect(tenant.sent('registerdomain')).toHaveLength(facts ? 0 : 1);
  });

  test('is compared in a message that presents an estimate as such', async () => {
    const messageFor = async (period: number) => {
      const tenant = await createTenant();
      return (await tenant.register({ maxPrice: usd('1'), period })).errors[0]?.message;
    };

    expect(await messageFor(1)).toContain('It costs 10.0000 USD');
    expect(await messageFor(2)).toContain('It may cost up to 22.0000 USD');
  });
});

describe('the balance', () => {
  const account = (balance: string, currency: string, others: object[] = []) =>
    ok({ id: 1, active: true, balance, currency, balances: others });

  test.each([
    ['equal to the price', account('10', 'USD'), '0.0000'],
    ['above the price', account('10.5', 'USD'), '0.5000'],
    ['of another currency', account('1', 'EUR'), undefined],
    ['of a further currency', account('1', 'EUR', [{ balance: '30', currency: 'USD' }]), '20.0000'],
  ])('%s is enough', async (_case, reply, left) => {
    const tenant = await createTenant();
    tenant.upstream.resellerdetails = () => reply;

    const { purchase, balanceAfter } = await tenant.register();

    expect(purchase?.state).toBe('SUCCEEDED');
    expect(balanceAfter?.amount.toString()).toBe(left);
  });

  test('below the price refuses the purchase', async () => {
    const tenant = await createTenant();
    tenant.upstream.resellerdetails = () => account('9.9999', 'USD');

    const made = await tenant.register();

    expect(problems(made)).toEqual(['INSUFFICIENT_FUNDS']);
    expect(made.errors[0]?.facts).toEqual({ required: usd('10'), available: usd('9.9999') });
    expect(made.balanceAfter).toBeNull();
  });

  test('that cannot be read refuses the purchase', async () => {
    const tenant = await createTenant();
    tenant.upstream.resellerdetails = timeout;

    const made = await tenant.register();

    expect(problems(made)).toEqual(['UPSTREAM_TIMEOUT']);
    expect(made.errors[0]?.executed).toBe('NO');
  });
});

describe('the checks of a purchase', () => {
  const maple = parseDomainName('maple.com');
  const price = ({ use }: Reads) => use(tldReads).byName('com');

  test.each<[string, string, (reads: Reads) => Promise<unknown>]>([
    ['price list', 'tldlist', price],
    ['availability', 'singlecheckavailability', ({ use }) => use(availabilityReads).load(maple)],
  ])('read the %s again while it is cached for other requests', async (_what, action, read) => {
    const tenant = await createTenant();
    for (const _request of [1, 2]) await read(tenant.request().reads);
    expect(tenant.sent(action)).toHaveLength(1);

    await tenant.register();

    expect(tenant.sent(action)).toHaveLength(2);
  });

  test('read the account again while its record of the domain is cached', async () => {
    const tenant = await createTenant();
    tenant.domains.set(maple, 'Active');
    await tenant.request().use(domainReads).load(maple);
    tenant.domains.clear();

    expect((await tenant.transfer()).purchase?.state).toBe('IN_PROGRESS');
  });

  test.each<[string, string, (reads: Reads) => Promise<unknown>]>([
    ['price list', 'tldlist', price],
    ['balance', 'resellerdetails', ({ use }) => use(resellerRead)()],
  ])('do not join a read of the %s that began before them', async (_what, action, read) => {
    const tenant = await createTenant();
    const handle = tenant.upstream[action];
    const hold = Promise.withResolvers<void>();
    tenant.upstream[action] = async (request) => {
      if (handle) tenant.upstream[action] = handle;
      await hold.promise;
      return handle?.(request) ?? ok({});
    };
    const earlier = read(tenant.request().reads);

    const made = tenant.register();

    await expect.poll(() => tenant.sent(action)).toHaveLength(2);
    hold.resolve();
    expect((await made).purchase?.state).toBe('SUCCEEDED');
    await earlier;
  });
});

describe('a transfer', () => {
  test('is sent once, with its trimmed auth code', async () => {
    const tenant = await createTenant();

    const made = await tenant.transfer({ authCode: ' Auth-1 ', period: 2 });

    expect(tenant.sent('transferdomain')).toEqual([
      { action: 'transferdomain', domain: 'maple.com', authCode: 'Auth-1', period: 2 },
    ]);
    expect(made.purchase).toMatchObject({ kind: 'TRANSFER', state: 'IN_PROGRESS' });
    expect(made.quote).toMatchObject({ lowest: usd('16'), highest: usd('20') });
    expect(made.balanceAfter).toEqual(usd('80'));
  });

  test.each([
    [{ 2: '16', 3: '20' }, 2],
    [{ 0: '8', 1: '9' }, 0],
  ])('at the prices %j has the shortest listed period by default: %i', async (prices, period) => {
    const tenant = await createTenant();
    const pricing = { registration: { 1: '10' }, renew: { 1: '12' }, transfer: prices };
    tenant.upstream.tldlist = () => ok({ data: [tldRow('com', { pricing })] });

    await tenant.transfer({ period: null });

    expect(tenant.sent('transferdomain')).toMatchObject([{ period }]);
  });

  test('without an auth code is refused, together with its other faults', async () => {
    const tenant = await createTenant();

    expect(problems(await tenant.transfer({ authCode: ' ', period: 11 }))).toEqual([
      ...['AUTH_CODE_REQUIRED authCode', 'PERIOD_OUT_OF_RANGE period'],
    ]);
    expect(tenant.sent('transferdomain')).toEqual([]);
  });

  test.each([
    ['that the account has', 'Active', 'ALREADY_OWNED domain'],
    ['whose transfer is in progress', 'WaitingForIncomingTransfer', 'TRANSFER_PENDING domain'],
  ])('of a domain %s is refused without a claim', async (_case, status, problem) => {
    const tenant = await createTenant();
    tenant.domains.set('maple.com', status);

    expect(problems(await tenant.transfer())).toEqual([problem]);
    expect(await tenant.purchases()).toEqual([]);
    // The price of a refused domain is not checked.
    expect(tenant.sent('resellerdetails')).toEqual([]);
  });

  test('of a domain that the account has lost is sent', async () => {
    const tenant = await createTenant();
    tenant.domains.set('maple.com', 'TransferredOut');

    expect((await tenant.transfer()).purchase?.state).toBe('IN_PROGRESS');
  });

  test('of a domain that cannot be read is refused', async () => {
    const tenant = await createTenant();
    tenant.upstream.getdetails = timeout;

    const made = await tenant.transfer();

    expect(problems(made)).toEqual(['UPSTREAM_TIMEOUT']);
    expect(made.errors[0]?.executed).toBe('NO');
  });

  test('whose reads all fail for one reason is refused with one error', async () => {
    const tenant = await createTenant();
    Object.assign(tenant.upstream, { getdetails: timeout, tldlist: timeout });

    expect(problems(await tenant.transfer())).toEqual(['UPSTREAM_TIMEOUT']);
  });

  test('of a name that the TLD does not permit is refused', async () => {
    const tenant = await createTenant();

    expect(problems(await tenant.transfer({ domain: 'm.com' }))).toEqual(['INVALID_INPUT domain']);
  });

  test.each([
    ['text that is no name', 'no name', 'INVALID_INPUT domain'],
    ['a TLD that is not sold', 'maple.zzz', 'TLD_UNSUPPORTED domain'],
  ])('of %s has no quote', async (_case, domain, problem) => {
    const tenant = await createTenant();

    const made = await tenant.transfer({ domain });

    expect(problems(made)).toEqual([problem]);
    expect(made.quote).toBeNull();
  });
});

test.each([
  ['register', 'registerdomain', 330, 'registrant'],
  ['transfer', 'transferdomain', 2202, 'authCode'],
] as const)('a refused %s names the field of its kind', async (kind, action, code, field) => {
  const tenant = await createTenant();
  tenant.upstream[action] = () => refusal(code, 'Refused');

  const made = await tenant[kind]();

  expect(made.errors).toMatchObject([
    { inputPath: ['input', field], facts: { purchaseId: made.purchase?.id } },
  ]);
});
