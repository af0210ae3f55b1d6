import { afterAll, afterEach, describe, expect, test } from 'vitest';
import { faultNames } from '../../sandbox/service/faults.ts';
import { startTestGateway } from '../support/gateway.ts';
import { createGatewayClock } from '../support/gateway-clock.ts';

const time = createGatewayClock();
const gateway = await startTestGateway({ sandboxDomains: 40, clock: time.clock });
afterAll(() => gateway.close());
afterEach(() => gateway.admin('DELETE', '/faults'));

const details = '{ domain(name: "unlocked-demo.com") { status } }';

/** The faults of the sandbox that fail a read. */
const failsRead = new Set(['hang', 'empty', 'gateway', 'busy', 'cut', 'reset', 'code']);

interface QuotedLines {
  readonly lines: readonly [{ readonly errors: readonly { readonly code: string }[] }];
}

/** One request, with what the header says its id is. */
async function sendQuery(query: string, headers: Record<string, string> = {}) {
  const response = await time.during(
    fetch(`${gateway.url}/graphql`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...headers },
      body: JSON.stringify({ query }),
    }),
  );
  const { errors, data } = (await response.json()) as {
    errors?: readonly { message: string; path?: unknown; extensions: Record<string, unknown> }[];
    data?: unknown;
  };
  return { requestId: response.headers.get('x-request-id'), errors: errors ?? [], data };
}

describe('a failed read reports code, retryable, executed NO and its request id', {
  tags: ['R10', 'R11', 'G18', 'G19'],
}, () => {
  const ofCode = (code: string) => ({ fault: 'code', code });

  test.each([
    ['a wrong login', ofCode('300'), 'UPSTREAM_AUTH', false, 'API_300_ERROR'],
    ['an address that is not allowed', ofCode('301'), 'IP_NOT_ALLOWED', false, 'API_301_ERROR'],
    ['a throttle', ofCode('361'), 'RATE_LIMITED', true, 'API_361_ERROR'],
    ['an unknown code', ofCode('999'), 'UPSTREAM_REJECTED', false, 'API_999_ERROR'],
    ['a crash', ofCode('101'), 'UPSTREAM_UNAVAILABLE', true, 'API_101_ERROR'],
    ['a gateway error', { fault: 'gateway' }, 'UPSTREAM_UNAVAILABLE', true, undefined],
    ['a busy service', { fault: 'busy', ms: 5_000 }, 'RATE_LIMITED', true, undefined],
    ['an empty body', { fault: 'empty' }, 'UPSTREAM_PROTOCOL', true, undefined],
    ['a body cut off', { fault: 'cut' }, 'UPSTREAM_PROTOCOL', true, undefined],
    ['a reset', { fault: 'reset' }, 'UPSTREAM_UNAVAILABLE', true, undefined],
    ['no answer', { fault: 'hang' }, 'UPSTREAM_TIMEOUT', true, undefined],
  ])('%s', async (_what, fault, code, retryable, upstreamCode) => {
    await gateway.admin('POST', '/faults', { ...fault, action: 'getdetails', times: 9 });

    const { errors, requestId } = await sendQuery(details);

    expect(requestId).toMatch(/^[\w-]{8,64}$/);
    expect(errors).toHaveLength(1);
    expect(errors[0]).toMatchObject({
      path: ['domain'],
      extensions: { code, retryable, executed: 'NO', requestId },
    });
    expect(errors[0]?.extensions.upstreamCode).toBe(upstreamCode);
    expect(Object.keys(errors[0]?.extensions ?? {}).sort()).toEqual([
      'category',
      'code',
      'executed',
      'requestId',
      ...('ms' in fault ? ['retryAfterMs'] : []),
      'retryable',
      ...(upstreamCode ? ['upstreamCode'] : []),
    ]);
  });
});

const same = 'code message executed retryable retryAfterMs upstreamCode upstreamMessage';
/** One failing call is an error of the first field and data of the second one. */
const both = `{ domain(name: "unlocked-demo.com") { status }
  quoteOrder(input: { lines: [{ transfer: { domain: "unlocked-demo.com", authCode: "x" } }] }) {
    lines { errors { ${same} path } } } }`;
const played = faultNames.filter((fault) => !['code', 'hold-before', 'hold-after'].includes(fault));
const readFaults = [
  ...played.map((fault) => ({ fault })),
  ...['300', '301', '361', '999', '101', '2306', '401'].map((code) => ({ fault: 'code', code })),
];

test.each(readFaults)(
  '%j has one code and one message at the top level and as data',
  {
    tags: ['R10', 'G19'],
  },
  async (fault) => {
    await gateway.admin('POST', '/faults', { ...fault, action: 'getdetails', times: 9 });

    const { errors, data } = await sendQuery(both);

    const found = (data as { quoteOrder: QuotedLines }).quoteOrder.lines[0].errors;
    const failed = found.filter(({ code }) => code !== 'ALREADY_OWNED');
    expect(failed).toEqual(
      errors.map(({ message, extensions }) => ({
        ...Object.fromEntries(same.split(' ').map((name) => [name, extensions[name] ?? null])),
        message,
        path: null,
      })),
    );
    expect(failed.length).toBe(Number(failsRead.has(fault.fault)));
  },
);

test.each([
  ['no document', '{', 'INVALID_REQUEST'],
  ['an unknown field', '{ nothing }', 'INVALID_REQUEST'],
  ['too long a page', '{ domains(first: 101) { totalCount } }', 'INVALID_INPUT'],
])('%s is %s, with the request id of the client', async (_what, query, code) => {
  const { errors, requestId } = await sendQuery(query, { 'x-request-id': 'chosen-by-caller' });

  expect(requestId).toBe('chosen-by-caller');
  expect(errors).not.toEqual([]);
  for (const { extensions } of errors) {
    expect(extensions).toMatchObject({ code, executed: 'NO', retryable: false, requestId });
  }
});

test('two requests have two ids, and an invalid id of a client is ignored', async () => {
  const [one, two, odd] = await Promise.all([
    sendQuery('{ nothing }'),
    sendQuery('{ nothing }'),
    sendQuery('{ nothing }', { 'x-request-id': '<script>' }),
  ]);

  expect(new Set([one.requestId, two.requestId, odd.requestId]).size).toBe(3);
  expect(odd.requestId).not.toContain('<');
});

test('a failing field leaves the others intact', async () => {
  await gateway.admin('POST', '/faults', { fault: 'code', code: '300', action: 'getdetails' });

  const { data, errors } = await sendQuery(
    '{ reseller { name } domain(name: "unlocked-demo.com") { name } }',
  );

  expect(data).toEqual({ reseller: { name: 'Demo Reseller' }, domain: null });
  expect(errors).toHaveLength(1);
});

test('a request without a key is refused with UNAUTHENTICATED', {
  tags: ['R10', 'G18'],
}, async () => {
  const closed = await startTestGateway({
    sandboxDomains: 1,
    env: { AUTH: 'keys', API_KEY: 'key-of-sixteen-characters' },
  });

  const refused = await closed.query(details);
  const let_in = await closed.query(
    '{ __typename }',
    {},
    { 'x-api-key': 'key-of-sixteen-characters' },
  );
  const calls = await closed.countCalls();
  await closed.close();

  expect(refused).toMatchObject({
    status: 401,
    errors: [{ extensions: { code: 'UNAUTHENTICATED', executed: 'NO' } }],
  });
  expect(let_in.data).toEqual({ __typename: 'Query' });
  expect(calls).toEqual({});
});
