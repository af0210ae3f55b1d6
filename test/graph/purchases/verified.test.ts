import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { startTestGateway, type TestGateway } from '../../support/gateway.ts';
import { createMovedClock } from '../../support/moved-clock.ts';
import { type ProxyReply, refusal, startProxiedSandbox } from './proxy.ts';
import { errorFields, operationFields, order, transferCode } from './shop.ts';

let upstream: Awaited<ReturnType<typeof startProxiedSandbox>>;
let gateway: TestGateway;
const clock = createMovedClock();

beforeAll(async () => {
  upstream = await startProxiedSandbox();
  gateway = await startTestGateway({
    clock,
    env: { DOMAIN_API_URL: upstream.url },
  });
});
beforeEach(() => upstream.reset());
afterAll(async () => {
  await gateway?.close();
  await upstream?.close();
});

const buy = async (field: 'registerDomain' | 'transferDomain', domain: string) => {
  const type = field === 'registerDomain' ? 'RegisterDomainInput' : 'TransferDomainInput';
  const input = field === 'registerDomain' ? order({ domain }) : { domain, authCode: transferCode };
  const { data, errors } = await gateway.query(
    /* GraphQL */ `mutation ($input: ${type}!) { ${field}(input: $input) {
      purchase { ${operationFields} } errors { ${errorFields} } } }`,
    { input },
  );
  expect(errors).toBeUndefined();
  return data[field];
};

/** The upstream makes the purchase, and the reply is the refusal of a duplicated call. */
const refusedAfterwards = (action: string, code: string) =>
  upstream.intercept(action, async (_fields, forward) => {
    expect((await forward()).status).toBe(200);
    return refusal(code);
  });

const replyWith = (action: string, reply: ProxyReply) => upstream.intercept(action, () => reply);

describe('a purchase that the upstream made is never reported as FAILED, whatever refusal it sends:', {
  tags: ['R9', 'I4'],
}, () => {
  test.each(['350', '2104', '2304', '360', '2305', '2306', '2005', '400'])(
    'a registration refused with %s',
    async (code) => {
      refusedAfterwards('registerdomain', code);

      const { purchase, errors } = await buy('registerDomain', `refused-with-${code}.com`);

      expect(purchase).toMatchObject({ state: 'SUCCEEDED', errors: [] });
      expect(errors).toEqual([]);
      expect(upstream.count('registerdomain')).toBe(1);
      // One before the call, one after the refusal.
      expect(upstream.count('getdetails')).toBe(2);
    },
  );

  test.each(['350', '2304', '592', '2301', '2202', '591'])(
    'a transfer refused with %s',
    async (code) => {
      refusedAfterwards('transferdomain', code);

      const { purchase, errors } = await buy('transferDomain', `outside-refused-${code}.com`);

      expect(purchase).toMatchObject({ state: 'IN_PROGRESS', errors: [] });
      expect(errors).toEqual([]);
    },
  );
});

describe('a refusal of a purchase that was not made', () => {
  test('is reported as FAILED after one read, without waiting for the quiet window', async () => {
    replyWith('registerdomain', refusal('350'));

    const { purchase } = await buy('registerDomain', 'refused-and-absent.com');

    expect(purchase).toMatchObject({ state: 'FAILED', errors: [{ code: 'INSUFFICIENT_FUNDS' }] });
    expect(upstream.count('getdetails')).toBe(2);
  });

  test('stays PENDING while the domain cannot be read, and is FAILED after the first read', async () => {
    replyWith('registerdomain', refusal('2306'));
    let reads = 0;
    upstream.intercept('getdetails', (_fields, forward) => {
      reads += 1;
      return reads === 1 ? forward() : { status: 502, body: null };
    });
    const { purchase } = await buy('registerDomain', 'refused-and-unread.com');
    expect(purchase).toMatchObject({ state: 'PENDING', errors: [{ code: 'OUTCOME_UNKNOWN' }] });

    upstream.reset();
    const { data } = await gateway.query(
      'query ($id: ID!) { purchase(by: { id: $id }) { state errors { code executed } } }',
      { id: purchase.id },
    );

    expect(data.purchase).toEqual({
      state: 'FAILED',
      errors: [{ code: 'POLICY', executed: 'NO' }],
    });
    expect(upstream.count('getdetails')).toBe(1);
  });
});

const errorWith = (Code: string, status: number): ProxyReply => ({
  status,
  body: { result: 'ERROR', error: { Code, Message: 'Failed', Details: ' <b>Some detail. </b>' } },
});
const upstreamMessage = 'Some detail.';

/** The states of a purchase that is read after each of these seconds, and its last error. */
async function follow(id: string, seconds: readonly number[]) {
  const states: string[] = [];
  let error = null;
  for (const more of seconds) {
    clock.advance(more);
    const { data } = await gateway.query(
      `query ($id: ID!) { purchase(by: { id: $id }) { state errors { ${errorFields} } } }`,
      { id },
    );
    states.push(data.purchase.state);
    [error] = data.purchase.errors;
  }
  return { states, error };
}

/** Longer than the quiet window and the deadline of the call before it. */
const quietSeconds = 200;

describe.each([
  ['registerDomain', 'registerdomain', 'SUCCEEDED'],
  ['transferDomain', 'transferdomain', 'IN_PROGRESS'],
] as const)('a purchase by %s', (field, action, made) => {
  const nameOf = (code: string, status: number) =>
    `outside-${action}-${code.toLowerCase().replaceAll('_', '-')}-${status}.com`;
  const names = (code: string, status: number) =>
    field === 'transferDomain' ? nameOf(code, status) : nameOf(code, status).slice(8);

  test.each([
    ['API_7777_ERROR', 400],
    ['TRANSFER_DENIED', 200],
    ['API_999_FAILURE', 422],
  ])(
    'that is refused with %s and status %i has this reason at once, and is FAILED after two reads',
    async (upstreamCode, status) => {
      replyWith(action, errorWith(upstreamCode, status));

      const { purchase, errors } = await buy(field, names(upstreamCode, status));
      // The first read may join one that the gateway began before.
      const { states, error } = await follow(purchase.id, [5, 5]);

      const open = { __typename: 'OutcomeUnknown', executed: 'UNKNOWN', path: null };
      expect(purchase).toMatchObject({
        state: 'PENDING',
        errors: [{ upstreamCode, upstreamMessage }],
      });
      expect(errors).toMatchObject([{ ...open, upstreamCode, upstreamMessage }]);
      expect(states.at(-1)).toBe('FAILED');
      expect(error).toEqual({
        ...{ __typename: 'PlainError', code: 'UPSTREAM_REJECTED', path: null },
        message:
          'The registrar refused the purchase; the account does not have the domain, so nothing was bought.',
        ...{ executed: 'NO', retryable: false, upstreamCode, upstreamMessage },
      });
      expect(upstream.count(action)).toBe(1);
    },
  );

  test.each([
    ['INVALID_RESPONSE', 400, 'UPSTREAM_UNAVAILABLE'],
    ['API_2400_ERROR', 400, 'UPSTREAM_UNAVAILABLE'],
    ['API_7777_ERROR', 500, 'UPSTREAM_UNAVAILABLE'],
    ['API_2306_ERROR', 500, 'POLICY'],
  ])(
    'that ends with %s and status %i waits for the quiet window, and has this reason',
    async (upstreamCode, status, code) => {
      replyWith(action, errorWith(upstreamCode, status));

      const { purchase } = await buy(field, names(upstreamCode, status));
      const { states, error } = await follow(purchase.id, [5, quietSeconds, 5]);

      expect(purchase.errors[0]).toMatchObject({
        code: 'OUTCOME_UNKNOWN',
        upstreamCode,
        upstreamMessage,
      });
      expect(states).toEqual(['PENDING', 'PENDING', 'FAILED']);
      expect(error).toMatchObject({ code, executed: 'NO', upstreamCode, upstreamMessage });
      expect(error.message).not.toContain('respond');
      expect(upstream.count(action)).toBe(1);
    },
  );

  test('whose second copy is refused with an unlisted code is found by the read', async () => {
    refusedAfterwards(action, '7777');

    const { purchase } = await buy(field, names('second', 0));

    expect(purchase).toMatchObject({ state: made, errors: [] });
  });
});

test('a transfer without a reply is in progress when the account shows a transfer without a direction', async () => {
  upstream.intercept('transferdomain', async (_fields, forward) => {
    await forward();
    upstream.intercept('getdetails', async (_details, read) => {
      const { status, body } = await read();
      const text = JSON.stringify(body).replace('WaitingForIncomingTransfer', 'pendingTransfer');
      return { status, body: JSON.parse(text) };
    });
    return { status: 502, body: 'Bad Gateway' };
  });

  const { purchase } = await buy('transferDomain', 'outside-no-direction.com');

  expect(purchase).toMatchObject({ state: 'IN_PROGRESS', errors: [] });
});

describe('an OK reply that contradicts the purchase is no success:', {
  tags: ['R9', 'I3', 'I4'],
}, () => {
  const details = (changes: object) => ({ status: 200, body: { result: 'OK', data: changes } });

  test.each<[string, ProxyReply]>([
    ['another domain', details({ DomainName: 'other-kestrel.com', Status: 'Active' })],
    ['a record of empty texts', details({ DomainName: '', Status: '' })],
    ['an empty record', details({})],
    ['a failed status', details({ DomainName: 'a-failed-status.com', Status: 'Failed' })],
    ['a lost domain', details({ DomainName: 'a-lost-domain.com', Status: 'TransferredOut' })],
    ['a name that is a number', details({ DomainName: 7, Status: 'Active' })],
    ['data that are a list', details([{ Status: 'Active' }])],
    ['data that are an empty list', details([])],
  ])('%s', async (what, reply) => {
    replyWith('registerdomain', reply);

    const { purchase, errors } = await buy('registerDomain', `${what.replaceAll(' ', '-')}.com`);

    expect(purchase.state).toBe('PENDING');
    expect(errors).toMatchObject([{ code: 'OUTCOME_UNKNOWN', executed: 'UNKNOWN' }]);
    expect(upstream.count('getdetails')).toBe(2);
  });

  test('a contradicting reply is a success when a read shows the purchase', async () => {
    upstream.intercept('registerdomain', async (_fields, forward) => {
      await forward();
      return details({ DomainName: 'other-kestrel.com', Status: 'Active' });
    });

    const { purchase } = await buy('registerDomain', 'made-all-the-same.com');

    expect(purchase).toMatchObject({ state: 'SUCCEEDED', errors: [] });
  });

  test('a reply without details is a success when a read shows the purchase', async () => {
    upstream.intercept('registerdomain', async (_fields, forward) => {
      await forward();
      return { status: 200, body: { result: 'OK' } };
    });
    expect((await buy('registerDomain', 'bare-word.com')).purchase.state).toBe('SUCCEEDED');
    for (const body of [{ result: 'OK' }, { result: 'OK', data: null }]) {
      replyWith('registerdomain', { status: 200, body });
      const name = `bare-${Object.keys(body).length}.com`;
      expect((await buy('registerDomain', name)).purchase.state).toBe('PENDING');
    }
  });

  test('a reply without a status is a success', async () => {
    replyWith('registerdomain', details({ DomainName: 'no-status.com' }));
    expect((await buy('registerDomain', 'no-status.com')).purchase.state).toBe('SUCCEEDED');
  });
});
