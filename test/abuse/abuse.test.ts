import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startTestGateway, type TestGateway } from '../support/gateway.ts';
import { complaintsAbout } from './complaints.ts';
import { abuse, slow } from './inputs/all.ts';
import { type AbuseInput, key } from './inputs/input.ts';
import { sendBytes } from './send.ts';

describe('a gateway as it stands in production', () => {
  let gateway: TestGateway;
  beforeAll(async () => {
    gateway = await startTestGateway({
      sandboxDomains: 40,
      env: { AUTH: 'keys', API_KEY: key, DEVELOPMENT: 'false' },
      // Only how long it waits for slow senders is shorter here.
      timeouts: { requestMs: 300, closeMs: 50 },
    });
  });
  afterAll(() => gateway?.close());

  const neighbour = async () =>
    (await gateway.query('{ __typename }', {}, { 'x-api-key': key })).data;

  const attempt = async (input: AbuseInput) => {
    const complaints = complaintsAbout(input, await sendBytes(gateway.url, input.bytes));
    return complaints.length > 0 ? [{ input: input.name, complaints }] : [];
  };

  test('the inputs are at least 170, each with a name of its own', () => {
    const names = [...Object.values(abuse).flat(), ...slow].map(({ name }) => name);

    expect(names.length).toBeGreaterThanOrEqual(170);
    expect([...new Set(names)]).toHaveLength(names.length);
  });

  test.each(Object.entries(abuse))(
    'refuses what goes at its %s, shows nothing, calls nobody and serves the next one',
    async (_what, inputs) => {
      await gateway.resetCalls();
      const found: unknown[] = [];

      for (const input of inputs) {
        found.push(...(await attempt(input)));
        const served = await neighbour();
        if (served?.__typename !== 'Query') found.push({ input: input.name, served });
      }

      expect(found).toEqual([]);
      expect(await gateway.countCalls()).toEqual({});
      expect(gateway.lines).toEqual([]);
    },
    60_000,
  );

  test('ends slow senders, and serves everybody meanwhile', async () => {
    const ended = Promise.all(slow.map(attempt));

    expect(await neighbour()).toEqual({ __typename: 'Query' });
    expect((await ended).flat()).toEqual([]);
    expect(gateway.lines).toEqual([]);
  });
});
