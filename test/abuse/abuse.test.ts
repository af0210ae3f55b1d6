import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startTestGateway, type TestGateway } from '../support/gateway.ts';
import { abuse, slow } from './inputs/all.ts';
import { type AbuseInput, key } from './inputs/input.ts';
import { problemsOf } from './problems.ts';
import { sendBytes } from './send.ts';

describe('a gateway in production', () => {
  let gateway: TestGateway;
  beforeAll(async () => {
    gateway = await startTestGateway({
      sandboxDomains: 40,
      env: { AUTH: 'keys', API_KEY: key, DEVELOPMENT: 'false' },
      // Only the timeout for slow senders is shorter.
      timeouts: { requestMs: 2_000, closeMs: 50 },
    });
  });
  afterAll(() => gateway?.close());

  const otherClient = async () =>
    (await gateway.query('{ __typename }', {}, { 'x-api-key': key })).data;

  const attempt = async (input: AbuseInput) => {
    const problems = problemsOf(input, await sendBytes(gateway.url, input.bytes));
    return problems.length > 0 ? [{ input: input.name, problems }] : [];
  };

  test('has at least 170 inputs with distinct names', () => {
    const names = [...Object.values(abuse).flat(), ...slow].map(({ name }) => name);

    expect(names.length).toBeGreaterThanOrEqual(170);
    expect([...new Set(names)]).toHaveLength(names.length);
  });

  test.each(Object.entries(abuse))(
    'refuses every input of the kind %s, or serves it within the limits, reveals nothing, makes no upstream call and serves other requests',
    { tags: ['S4'], timeout: 60_000 },
    async (_what, inputs) => {
      await gateway.resetCalls();
      const found: unknown[] = [];

      for (const input of inputs) {
        const [problems, live] = await Promise.all([
          attempt(input),
          fetch(`${gateway.url}/health/live`),
        ]);
        const served = await otherClient();
        found.push(...problems);
        if (live.status !== 200 || served?.__typename !== 'Query') {
          found.push({ input: input.name, live: live.status, served });
        }
      }

      expect(found).toEqual([]);
      expect(await gateway.countCalls()).toEqual({});
      expect(gateway.lines).toEqual([]);
    },
  );

  test('ends slow requests and serves other clients in the meantime', {
    tags: ['S4'],
  }, async () => {
    const ended = Promise.all(slow.map(attempt));

    expect(await otherClient()).toEqual({ __typename: 'Query' });
    expect((await ended).flat()).toEqual([]);
    expect(gateway.lines).toEqual([]);
  });
});
