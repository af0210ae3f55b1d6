import { describe, expect, test } from 'vitest';
import {
  account,
  createTenant,
  details,
  offer,
  ok,
  problems,
  quietWindowMs,
  refusal,
  register,
  registration,
  tldRow,
} from '../../../test/support/modules/purchase-tenant.ts';
import { endOfTurn } from '../../../test/support/simulated-clock.ts';
import { parseDomainName } from '../../kernel/domain-name.ts';
import { Fault } from '../../kernel/faults.ts';
import { money } from '../../kernel/money.ts';
import type { Scope } from '../../scope/scope.ts';
import { domainLists, domainReads } from '../domain/loader.ts';
import { quietAfterMarkMs } from './commit.ts';
import { purchases } from './service.ts';
import { type SpendObserver, spendObserver } from './spend-observer.ts';

const key = { idempotencyKey: 'key-1' };
const maple = parseDomainName('maple.com');
const lost = () => {
  throw new Fault('UPSTREAM_TIMEOUT', { executed: 'UNKNOWN' });
};

describe('a registration', () => {
  test('that passes its checks is sent once, and recorded with price, balance and quiet window', async () => {
    const tenant = await createTenant();

    const made = await tenant.register(key, { caller: 'shop' });

    expect(made).toMatchObject({ replayed: false, dryRun: false, errors: [] });
    expect(`${made.quote?.highest?.amount} ${made.balanceAfter?.amount}`).toBe('10.0000 90.0000');
    expect(tenant.sent('registerdomain')).toHaveLength(1);
    const [purchase] = await tenant.purchases();
    expect(purchase).toEqual(made.purchase);
    expect(purchase).toMatchObject({
      ...{ state: 'SUCCEEDED', kind: 'REGISTRATION', domain: 'maple.com', period: 1 },
      ...{ key: 'key-1', caller: 'shop', account, fault: null },
      ...{ claimedAt: tenant.clock.now(), submittedAt: tenant.clock.now() },
      quietUntil: new Date(tenant.clock.now().getTime() + quietWindowMs),
    });
    expect(`${purchase?.cost?.amount} ${purchase?.balanceAfter?.amount}`).toBe('10.0000 90.0000');
  });

  test('without a key is a purchase of its own', async () => {
    const tenant = await createTenant();

    const { purchase: first } = await tenant.register();
    const { purchase: other } = await tenant.register({ domain: 'other.com' });

    expect([first?.state, other?.state]).toEqual(['SUCCEEDED', 'SUCCEEDED']);
    expect(new Set([first?.id, other?.id, first?.key, other?.key]).size).toBe(4);
  });

  test('of text that is no name is refused together with its key, without any call', async () => {
    const tenant = await createTenant();

    const made = await tenant.register({ domain: 'no name', idempotencyKey: ' ' });

    expect(problems(made)).toEqual(['INVALID_INPUT domain', 'INVALID_INPUT idempotencyKey']);
    expect(made).toMatchObject({ purchase: null, quote: null });
    expect(tenant.calls).toEqual([]);
  });

  test('that fails several checks reports all of them, and sends and claims nothing', async () => {
    const tenant = await createTenant();

    const made = await tenant.register({
      ...{ nameServers: [], idempotencyKey: ' ', maxPrice: null },
      registrant: {
        fields: {
          firstName: '',
          lastName: 'L',
          email: 'x',
          phone: '1',
          address: { line1: 'a', city: 'b', country: 'DE' },
        },
      },
      period: 11,
    });

    expect(problems(made)).toEqual([
      'INVALID_INPUT nameServers',
      'INVALID_INPUT registrant fields phone',
      'INVALID_INPUT registrant fields firstName',
      'INVALID_INPUT registrant fields email',
      'INVALID_INPUT idempotencyKey',
      'PERIOD_OUT_OF_RANGE period',
    ]);
    expect(made).toMatchObject({ purchase: null, balanceAfter: null, quote: { period: 11 } });
    expect(await tenant.purchases()).toEqual([]);
    expect(tenant.sent('registerdomain')).toEqual([]);
    // The price of a refused period is not checked, so the balance is not read.
    expect(tenant.sent('resellerdetails')).toEqual([]);
  });

  test.each([
    [{ domain: 'maple.zzz' }, 'TLD_UNSUPPORTED domain'],
    [{ acceptPremium: false, domain: 'premium.com' }, 'PREMIUM_NOT_ACCEPTED acceptPremium'],
  ])('%j is refused without being claimed', async (changes, problem) => {
    const tenant = await createTenant();
    tenant.upstream.singlecheckavailability = ({ domain }) =>
      offer({ IsFee: domain === 'premium.com' });

    expect(problems(await tenant.register(changes))).toEqual([problem]);
    expect(await tenant.purchases()).toEqual([]);
  });

  test('as a dry run makes all checks, and neither claims nor sends', async () => {
    const tenant = await createTenant();

    const made = await tenant.register({ ...key, dryRun: true });

    expect(made).toMatchObject({ purchase: null, dryRun: true, replayed: false, errors: [] });
    expect(`${made.quote?.highest?.amount} ${made.balanceAfter?.amount}`).toBe('10.0000 90.0000');
    expect(await tenant.purchases()).toEqual([]);
    expect(tenant.sent('registerdomain')).toEqual([]);
  });

  test('whose client disconnects during the checks ends without a claim', async () => {
    const tenant = await createTenant();
    const controller = new AbortController();
    const { resellerdetails } = tenant.upstream;
    tenant.upstream.resellerdetails = (request) => {
      controller.abort(new DOMException('gone', 'AbortError'));
      return resellerdetails?.(request) ?? ok({});
    };

    const made = tenant.register({}, { signal: controller.signal });

    await expect(made).rejects.toThrow('gone');
    expect(await tenant.purchases()).toEqual([]);
  });

  test.each([
    ['completed', () => ok({})],
    ['read from the account when its reply is lost', () => lost()],
  ])('whose client disconnects during the call is %s', async (_what, end) => {
    const tenant = await createTenant();
    const controller = new AbortController();
    tenant.upstream.registerdomain = ({ domain }) => {
      tenant.domains.set(domain, 'Active');
      controller.abort(new DOMException('gone', 'AbortError'));
      return end();
    };

    const { purchase } = await tenant.register({}, { signal: controller.signal });

    expect(purchase?.state).toBe('SUCCEEDED');
  });
});

describe('a repeated request', () => {
  test.each([
    ['its key', { idempotencyKey: 'key-1' }, {}],
    ['its key with blanks', { idempotencyKey: ' key-1 ' }, {}],
    ['the header', {}, { header: 'key-1' }],
  ])('with %s returns the purchase and sends nothing', async (_case, changes, sender) => {
    const tenant = await createTenant();
    const { purchase } = await tenant.register(key);
    tenant.calls.length = 0;

    const again = await tenant.register(changes, sender);

    expect(again).toEqual({
      ...{ purchase, quote: null, balanceAfter: null, replayed: true, keyUsed: true },
      ...{ dryRun: false, isHeld: false, errors: [] },
    });
    expect(tenant.calls).toEqual([]);
  });

  test.each([
    ['another period', { period: 2 }, {}, 'IDEMPOTENCY_CONFLICT idempotencyKey'],
    ['another option', { transferLocked: false }, {}, 'IDEMPOTENCY_CONFLICT idempotencyKey'],
    [
      'a highest price',
      { maxPrice: money('99', 'USD') },
      {},
      'IDEMPOTENCY_CONFLICT idempotencyKey',
    ],
    ['another name', { domain: 'other.com' }, {}, 'IDEMPOTENCY_CONFLICT idempotencyKey'],
    ['another caller', {}, { caller: 'other' }, 'IDEMPOTENCY_CONFLICT idempotencyKey'],
  ])('with %s and the same key is refused', async (_case, changes, sender, problem) => {
    const tenant = await createTenant();
    await tenant.register(key, { caller: 'shop' });
    tenant.calls.length = 0;

    const again = await tenant.register({ ...key, ...changes }, { caller: 'shop', ...sender });

    expect(problems(again)).toEqual([problem]);
    expect(again).toMatchObject({ purchase: null, replayed: false });
    expect(tenant.calls).toEqual([]);
  });

  test('of a caller with the scope ops returns the purchase of another caller', async () => {
    const tenant = await createTenant();
    const { purchase } = await tenant.register(key, { caller: 'shop' });

    const again = await tenant.register(key, { caller: 'other', scopes: ['domains:spend', 'ops'] });

    expect(again).toMatchObject({ replayed: true, purchase: { id: purchase?.id }, errors: [] });
    expect(tenant.sent('registerdomain')).toHaveLength(1);
  });

  test('with another kind of purchase and the same key is refused', async () => {
    const tenant = await createTenant();
    await tenant.register(key);

    expect(problems(await tenant.transfer(key))).toEqual(['IDEMPOTENCY_CONFLICT idempotencyKey']);
  });

  test('as a dry run neither returns the purchase nor reports its key as used', async () => {
    const tenant = await createTenant();
    await tenant.register(key);

    const tried = await tenant.register({ ...key, dryRun: true });

    expect(problems(tried)).toEqual(['ALREADY_OWNED domain']);
    expect(tried).toMatchObject({
      ...{ purchase: null, replayed: false, dryRun: true },
      keyUsed: false,
    });
  });

  test('returns the outcome that its own read finds', async () => {
    const tenant = await createTenant();
    tenant.upstream.registerdomain = lost;
    const first = await tenant.register(key);
    tenant.domains.set('maple.com', 'Active');

    const again = await tenant.register(key);

    expect(first.purchase?.state).toBe('PENDING');
    expect(again).toMatchObject({ replayed: true, purchase: { state: 'SUCCEEDED' }, errors: [] });
  });

  /** Runs another request while this one makes the call. */
  const duringCall = (tenant: Awaited<ReturnType<typeof createTenant>>, action: string) => {
    return (work: () => Promise<unknown>) => {
      const handle = tenant.upstream[action];
      tenant.upstream[action] = async (request) => {
        if (handle) tenant.upstream[action] = handle;
        await work();
        return handle?.(request) ?? ok({});
      };
    };
  };

  test('whose twin completes before its checks returns the purchase of the twin', async () => {
    const tenant = await createTenant();
    duringCall(tenant, 'tldlist')(() => tenant.register(key));
    duringCall(tenant, 'singlecheckavailability')(() => tenant.register(key));

    const made = await tenant.register(key);

    expect(made).toMatchObject({ replayed: true, purchase: { state: 'SUCCEEDED' }, errors: [] });
    expect(tenant.sent('registerdomain')).toHaveLength(1);
  });

  test('as a dry run beside a purchase reports what its own checks find', async () => {
    const tenant = await createTenant();
    duringCall(tenant, 'tldlist')(() => tenant.register(key));
    tenant.upstream.singlecheckavailability = () => offer({ Status: 'notavailable' });
    await tenant.clearJournal();

    const tried = await tenant.register({ ...key, dryRun: true });

    expect(tried).toMatchObject({ replayed: false, purchase: null });
  });

  test.each([
    ['its twin', key, {}, { replayed: true, purchase: { state: 'SUCCEEDED' }, errors: [] }],
    [
      'the same key and other input',
      { ...key, transferLocked: false },
      {},
      { purchase: null, errors: [{ code: 'IDEMPOTENCY_CONFLICT' }] },
    ],
    [
      'the key of another caller',
      key,
      { caller: 'other' },
      { purchase: null, errors: [{ code: 'IDEMPOTENCY_CONFLICT', facts: {} }] },
    ],
  ])('that meets %s at the claim sends nothing', async (_case, changes, sender, expected) => {
    const tenant = await createTenant();
    duringCall(tenant, 'resellerdetails')(() => tenant.register(changes, sender));

    const made = await tenant.register(key);

    expect(made).toMatchObject(expected);
    expect(tenant.sent('registerdomain')).toHaveLength(1);
  });

  test('that meets an open purchase of the domain at the claim sends nothing', async () => {
    const tenant = await createTenant();
    duringCall(
      tenant,
      'resellerdetails',
    )(async () => {
      tenant.upstream.registerdomain = lost;
      await tenant.register({ idempotencyKey: 'key-2' });
    });

    const made = await tenant.register(key);

    expect(problems(made)).toEqual(['IDEMPOTENCY_CONFLICT domain']);
    expect(made.purchase).toBeNull();
    expect(tenant.sent('registerdomain')).toHaveLength(1);
  });
});

describe('an open purchase', () => {
  test('of the domain refuses another one of its kind before any call', async () => {
    const tenant = await createTenant();
    tenant.upstream.registerdomain = lost;
    const { purchase } = await tenant.register();
    tenant.calls.length = 0;

    const again = await tenant.register();

    expect(problems(again)).toEqual(['IDEMPOTENCY_CONFLICT domain']);
    expect(again.errors[0]?.facts).toEqual({ purchaseId: purchase?.id });
    expect(tenant.calls).toEqual([]);
  });

  test('refuses no dry run', async () => {
    const tenant = await createTenant();
    tenant.upstream.registerdomain = lost;
    await tenant.register();

    expect(await tenant.register({ dryRun: true })).toMatchObject({ dryRun: true, errors: [] });
  });

  test('refuses neither another domain nor another kind of purchase', async () => {
    const tenant = await createTenant();
    const { registerdomain } = tenant.upstream;
    tenant.upstream.registerdomain = lost;
    await tenant.register();
    if (registerdomain) tenant.upstream.registerdomain = registerdomain;

    const other = await tenant.register({ domain: 'other.com' });
    const transferred = await tenant.transfer();

    expect(other.purchase?.state).toBe('SUCCEEDED');
    expect(transferred.purchase?.state).toBe('IN_PROGRESS');
  });
});

describe('a claimed purchase is given up', () => {
  const failed = (code: string) => ({
    purchase: { state: 'FAILED', fault: { code, executed: 'NO' } },
    balanceAfter: null,
    replayed: false,
    errors: [{ code, executed: 'NO', inputPath: ['input', 'domain'] }],
  });

  test.each([
    ['the account already has the domain', 'Active', 'ALREADY_OWNED'],
    ['the domain is being transferred', 'WaitingForIncomingTransfer', 'TRANSFER_PENDING'],
  ])('when %s', async (_case, status, code) => {
    const tenant = await createTenant();
    // The registry still offers the name.
    tenant.upstream.singlecheckavailability = () => offer();
    tenant.domains.set('maple.com', status);

    expect(await tenant.register()).toMatchObject(failed(code));
    expect(tenant.sent('registerdomain')).toEqual([]);
  });

  test('when a read of the same request is older than the domain', async () => {
    const tenant = await createTenant();
    const request = tenant.request();
    const before = await request.use(domainReads).verify(maple);
    tenant.upstream.singlecheckavailability = () => offer();
    tenant.domains.set('maple.com', 'Active');

    const made = await register(request, registration);

    expect(before).toBeNull();
    expect(made).toMatchObject(failed('ALREADY_OWNED'));
  });

  test('when a cached record of the domain is older than the domain', async () => {
    const tenant = await createTenant();
    tenant.domains.set(maple, 'TransferredOut');
    await tenant.request().use(domainReads).load(maple);
    tenant.upstream.singlecheckavailability = () => offer();
    tenant.domains.set(maple, 'Active');

    expect(await tenant.register()).toMatchObject(failed('ALREADY_OWNED'));
  });

  test('when the account cannot be read', async () => {
    const tenant = await createTenant();
    tenant.upstream.getdetails = lost;

    expect(await tenant.register()).toMatchObject({
      ...failed('UPSTREAM_TIMEOUT'),
      errors: [{ code: 'UPSTREAM_TIMEOUT', executed: 'NO' }],
    });
    expect(tenant.sent('registerdomain')).toEqual([]);
  });

  const hourMs = 60 * 60_000;
  test.each([
    ['given up', hourMs - 1, 'FAILED'],
    ['sent', hourMs, 'SUCCEEDED'],
  ])('or not: a domain that was bought before is %s after %i ms', async (_case, ms, state) => {
    const tenant = await createTenant();
    const { purchase: bought } = await tenant.register();
    tenant.domains.clear();
    tenant.pass(ms);

    const { purchase, errors } = await tenant.register({}, { caller: null });

    expect(purchase?.state).toBe(state);
    expect(errors).toMatchObject(
      state === 'SUCCEEDED' ? [] : [{ code: 'ALREADY_OWNED', facts: { purchaseId: purchase?.id } }],
    );
    expect(bought?.state).toBe('SUCCEEDED');
  });

  test('but not for a recent purchase of another domain, or one that failed', async () => {
    const tenant = await createTenant();
    const { registerdomain } = tenant.upstream;
    await tenant.register({ domain: 'other.com' });
    tenant.upstream.registerdomain = () => {
      throw new Fault('UPSTREAM_UNAVAILABLE', { executed: 'NO' });
    };
    const { purchase: failed } = await tenant.register();
    if (registerdomain) tenant.upstream.registerdomain = registerdomain;

    expect(failed?.state).toBe('FAILED');
    expect((await tenant.register()).purchase?.state).toBe('SUCCEEDED');
  });

  test('when another request has ended it', async () => {
    const tenant = await createTenant();
    tenant.upstream.getdetails = async () => {
      const [claimed] = await tenant.purchases();
      const at = tenant.clock.now();
      if (claimed) await tenant.journal.move(claimed.id, ['CLAIMED'], { to: 'FAILED', at });
      return refusal(510, 'Domain not found.');
    };

    expect(await tenant.register()).toMatchObject({
      purchase: { state: 'FAILED' },
      replayed: false,
      balanceAfter: null,
    });
    expect(tenant.sent('registerdomain')).toEqual([]);
  });

  test.each([
    ['2000', 2_000, 'SUCCEEDED', 1],
    ['2001', 2_001, 'FAILED', 0],
  ])('when the mark before the call takes more than 2 s: %s ms', async (_case, ms, state, sent) => {
    const tenant = await createTenant();
    tenant.hooks.beforeStatement = (sql) => {
      if (sql.startsWith('update')) {
        tenant.pass(ms);
        tenant.hooks.beforeStatement = () => undefined;
      }
    };

    const { purchase } = await tenant.register();

    expect(purchase?.state).toBe(state);
    expect(tenant.sent('registerdomain')).toHaveLength(sent);
    if (state === 'FAILED') {
      expect(purchase?.fault).toMatchObject({ code: 'JOURNAL_UNAVAILABLE', executed: 'NO' });
    }
  });
});

describe('the outcome of the call', () => {
  const rejected = () => refusal(2306, 'Parameter value policy error');

  test.each<[string, (domain: string) => ReturnType<typeof refusal>, string, string | null]>([
    ['without a domain', () => ok({}), 'PENDING', 'UPSTREAM_PROTOCOL'],
    ['with a domain without a status', (domain) => details(domain, ''), 'SUCCEEDED', null],
    ['with a status only', () => details(undefined, 'Active'), 'PENDING', 'UPSTREAM_PROTOCOL'],
    ['with the name in capitals', (domain) => details(domain.toUpperCase(), ''), 'SUCCEEDED', null],
    [
      'that the registration waits',
      (domain) => details(domain, 'WaitingForRegistration'),
      'SUCCEEDED',
      null,
    ],
    ['of another domain', () => details('other.com', 'Active'), 'PENDING', 'UPSTREAM_PROTOCOL'],
    [
      'with a status that is no success',
      (domain) => details(domain, 'WaitingForIncomingTransfer'),
      'PENDING',
      'UPSTREAM_PROTOCOL',
    ],
    ['that refuses it', rejected, 'FAILED', 'POLICY'],
    ['that is cut off', () => ({ status: 200, body: '{"resu' }), 'PENDING', 'UPSTREAM_PROTOCOL'],
    ['with empty data', () => ok({ data: {} }), 'PENDING', 'UPSTREAM_PROTOCOL'],
    ['with a blank name', () => details('', ''), 'PENDING', 'UPSTREAM_PROTOCOL'],
    ['with a blank name only', () => details(' ', 'Active'), 'PENDING', 'UPSTREAM_PROTOCOL'],
  ])('after a reply %s', async (_case, reply, state, code) => {
    const tenant = await createTenant();
    tenant.upstream.registerdomain = ({ domain }) => reply(String(domain));

    const { purchase, balanceAfter } = await tenant.register();

    expect(purchase?.state).toBe(state);
    expect(purchase?.fault?.code ?? null).toBe(code);
    expect(balanceAfter === null).toBe(state === 'FAILED');
    expect(tenant.sent('registerdomain')).toHaveLength(1);
  });

  test.each([
    ...[7, true, {}, ['a.com'], 'no name'].map((DomainName) => ({ DomainName, Status: 'Active' })),
    ...[['a.com'], [{ DomainName: 'a.com' }], 'soon', '', 7, true],
  ])('is not proved by an OK with the data %j, and is read from the account', async (data) => {
    const tenant = await createTenant();
    tenant.upstream.registerdomain = () => ok({ data });
    expect((await tenant.register()).purchase).toMatchObject({
      ...{ state: 'PENDING', fault: { code: 'UPSTREAM_PROTOCOL', executed: 'UNKNOWN' } },
    });

    const other = await createTenant();
    other.upstream.registerdomain = ({ domain }) => {
      other.domains.set(domain, 'Active');
      return ok({ data });
    };
    expect((await other.register()).purchase?.state).toBe('SUCCEEDED');
  });

  test.each([
    ['lost reply', lost],
    ['refusal', rejected],
    ['bug of the gateway', () => Promise.reject(new TypeError('bug'))],
  ])('is read from the account after a %s', async (_case, end) => {
    const tenant = await createTenant();
    tenant.upstream.registerdomain = ({ domain }) => {
      tenant.domains.set(domain, 'Active');
      return end();
    };

    expect(await tenant.register()).toMatchObject({
      purchase: { state: 'SUCCEEDED', fault: null },
      errors: [],
    });
    expect(tenant.sent('registerdomain')).toHaveLength(1);
  });

  test('is unknown after a bug of the gateway', async () => {
    const tenant = await createTenant();
    tenant.upstream.registerdomain = () => Promise.reject(new TypeError('bug'));

    expect((await tenant.register()).purchase).toMatchObject({
      state: 'PENDING',
      fault: { code: 'INTERNAL', executed: 'UNKNOWN' },
    });
  });

  test('is a failure without a read when the call was never sent', async () => {
    const tenant = await createTenant();
    tenant.upstream.registerdomain = () => {
      throw new Fault('UPSTREAM_UNAVAILABLE', { executed: 'NO' });
    };

    const { purchase } = await tenant.register();

    expect(purchase).toMatchObject({ state: 'FAILED', settledAt: tenant.clock.now() });
    expect(tenant.sent('getdetails')).toHaveLength(1);
  });

  test('of a transfer that was accepted is IN_PROGRESS, to be read an hour later', async () => {
    const tenant = await createTenant();

    const { purchase } = await tenant.transfer();

    const nextReadAt = new Date(tenant.clock.now().getTime() + 60 * 60_000);
    expect(purchase).toMatchObject({ state: 'IN_PROGRESS', nextReadAt });
  });

  test.each(['reads', 'fresh'] as const)(
    'makes the next read of the same request show the domain: %s',
    async (name) => {
      const tenant = await createTenant();
      const request = tenant.request();
      const domains = request[name].use(domainReads);
      const before = await domains.load(maple);

      await register(request, registration);

      expect(before).toBeNull();
      expect(await domains.load(maple)).toMatchObject({ state: 'ACTIVE' });
    },
  );

  test('is in the cached list, also when another request reads the list during the call', async () => {
    const tenant = await createTenant();
    const listed = async () => {
      const list = await tenant.request().use(domainLists).list();
      return list.find(maple)?.state ?? null;
    };
    const { registerdomain } = tenant.upstream;
    tenant.upstream.registerdomain = async (request) => {
      expect(await listed()).toBeNull();
      // The refresh in the background ends before the purchase.
      await endOfTurn();
      return registerdomain?.(request) ?? ok({});
    };
    expect(await listed()).toBeNull();

    await tenant.register();

    expect(await listed()).toBe('ACTIVE');
  });
});

describe('a request that has used up its call budget', () => {
  const useUp = (request: Scope) => {
    for (let { left } = request.budget; left > 0; left -= 1) request.budget.take();
    return request;
  };

  test.each<[string, number]>([
    ['soon', 0],
    ['when it would otherwise become UNKNOWN', 20 * 60_000],
  ])('still finds its purchase in the account: %s', async (_when, ms) => {
    const tenant = await createTenant();
    tenant.upstream.registerdomain = lost;
    const { purchase } = await tenant.register();
    tenant.pass(ms);
    tenant.domains.set('maple.com', 'Active');

    const { use } = useUp(tenant.request());

    expect(await use(purchases).byId(purchase?.id ?? '')).toMatchObject({ state: 'SUCCEEDED' });
  });

  test('during the call still verifies the outcome', async () => {
    const tenant = await createTenant();
    const request = tenant.request();
    tenant.upstream.registerdomain = ({ domain }) => {
      tenant.domains.set(domain, 'Active');
      useUp(request);
      return lost();
    };

    const { purchase } = await register(request, registration);

    expect(purchase?.state).toBe('SUCCEEDED');
  });

  test('still finds out whether the price of a rejected transfer was returned', async () => {
    const tenant = await createTenant();
    const { purchase } = await tenant.transfer();
    tenant.domains.set('maple.com', 'transferRejectedFromOpposed');
    const look = async () => {
      tenant.pass(60_000);
      return useUp(tenant.request())
        .use(purchases)
        .byId(purchase?.id ?? '');
    };
    await look();

    expect(await look()).toMatchObject({ state: 'FAILED', refunded: true });
  });
});

describe('a failure of the journal', () => {
  test('before the claim refuses the purchase, with its quote', async () => {
    const tenant = await createTenant();
    tenant.hooks.beforeStatement = (sql) => {
      if (/^(?:insert|with)/.test(sql)) throw new Error('The disk is full.');
    };

    const made = await tenant.register();

    expect(problems(made)).toEqual(['JOURNAL_UNAVAILABLE']);
    expect(made).toMatchObject({ purchase: null, quote: { certainty: 'LISTED' } });
    expect(tenant.sent('registerdomain')).toEqual([]);
  });
});

describe('money', () => {
  test('is not checked for a name that is refused', async () => {
    const tenant = await createTenant();
    tenant.upstream.singlecheckavailability = () => offer({ Status: 'notavailable' });

    const made = await tenant.register({ maxPrice: { amount: 1, currency: 'USD' } });

    expect(problems(made)).toEqual(['NOT_AVAILABLE domain']);
    expect(tenant.sent('resellerdetails')).toEqual([]);
  });

  test('counts against limits by TLD, period and price', async () => {
    const tenant = await createTenant({ GATEWAY: { tlds: ['net'], longestPeriod: 1 } });

    const made = await tenant.register({ period: 2 });

    expect(made.errors.map(({ facts }) => facts.limit)).toEqual(['TLDS', 'LONGEST_PERIOD']);
    expect(await tenant.purchases()).toEqual([]);
  });

  /** The limits that refused a purchase, as the events about them receive them. */
  const refusedLimits = (tenant: Awaited<ReturnType<typeof createTenant>>) => {
    const found: string[] = [];
    const observed: SpendObserver = {
      claimed: () => undefined,
      refused: (_buyer, breaches) => found.push(...breaches.map(({ limit }) => limit)),
    };
    tenant.gateway.provide(spendObserver, observed);
    return found;
  };

  test.each([
    [true, []],
    [false, ['PER_HOUR']],
  ])(
    'that a limit refuses is reported for events unless it is a dry run: %s',
    async (dryRun, limits) => {
      const tenant = await createTenant({ GATEWAY: { perHour: 1 } });
      await tenant.register();
      const found = refusedLimits(tenant);

      const sender = { scopes: ['domains:spend', 'prices:cost'] } as const;
      const made = await tenant.register({ domain: 'other.com', dryRun }, sender);

      expect(problems(made)).toEqual(['SPEND_LIMIT_EXCEEDED domain']);
      expect(found).toEqual(limits);
    },
  );

  test('is refused at the claim when a limit was reached during the checks', async () => {
    const tenant = await createTenant({ GATEWAY: { perHour: 1 } });
    const found = refusedLimits(tenant);
    tenant.hooks.afterSpending = async () => {
      tenant.hooks.afterSpending = async () => undefined;
      await tenant.register({ domain: 'other.com' });
    };

    // Its checks read the limits once.
    const made = await tenant.register({}, { scopes: ['domains:spend', 'prices:cost'] });

    expect(made).toMatchObject({
      purchase: null,
      errors: [{ code: 'SPEND_LIMIT_EXCEEDED', facts: { limit: 'PER_HOUR', count: 1 } }],
    });
    expect(found).toEqual(['PER_HOUR']);
    expect(tenant.sent('registerdomain')).toHaveLength(1);
  });

  test('without a price list is unknown, so nothing is bought', async () => {
    const tenant = await createTenant();
    tenant.upstream.tldlist = () => ok({ data: [tldRow('com', { pricing: [] })] });
    tenant.upstream.singlecheckavailability = () => offer({ Price: null });

    expect(problems(await tenant.register())).toEqual(['PRICE_UNAVAILABLE period']);
    expect(await tenant.purchases()).toEqual([]);
  });
});

test('the quiet window starts 2 s and a write deadline after the mark', () => {
  expect(quietAfterMarkMs(30_000, 60_000)).toBe(92_000);
});
