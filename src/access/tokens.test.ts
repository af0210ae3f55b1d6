import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { exportJWK, type FlattenedJWSInput, generateKeyPair } from 'jose';
import { afterAll, beforeEach, expect, test } from 'vitest';
import { leapingClock } from '../../test/support/leaping-clock.ts';
import { createSimulatedClock } from '../../test/support/simulated-clock.ts';
import type { Clock } from '../lib/clock.ts';
import { createIssuerKeys, IssuerKeysUnavailable } from './tokens.ts';

const { publicKey } = await generateKeyPair('ES256');
const jwk = { ...(await exportJWK(publicKey)), alg: 'ES256' };

let fetches = 0;
let respond = (response: ServerResponse, kid = 'one') =>
  void response.end(JSON.stringify({ keys: [{ ...jwk, kid }] }));
const works = respond;
const fails = (response: ServerResponse) => void response.writeHead(500).end();
const redirects = (response: ServerResponse) =>
  void response.writeHead(302, { location: '/elsewhere.json' }).end();
const server = createServer((_request, response) => {
  fetches += 1;
  respond(response);
});
await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
const { port } = server.address() as AddressInfo;
afterAll(() => server.close());
beforeEach(() => {
  fetches = 0;
  respond = works;
});

function issuer<Time extends { readonly clock: Clock }>(time: Time) {
  const { clock } = time;
  const keys = createIssuerKeys({ url: `http://127.0.0.1:${port}/jwks.json` }, clock);
  const token: FlattenedJWSInput = { payload: '', signature: '' };
  const find = async (kid = 'one') => keys({ alg: 'ES256', kid }, token);
  return { ...time, find };
}

const minute = 60;

test('keys are read once for concurrent tokens, and again after ten minutes', async () => {
  const { find, pass } = issuer(leapingClock());

  await Promise.all([find(), find(), find()]);
  pass(9 * minute);
  await find();
  expect(fetches).toBe(1);

  pass(2 * minute);
  await find();
  expect(fetches).toBe(2);
});

test('keys remain in use for one hour while the issuer cannot be reached, and no longer', async () => {
  const { find, pass } = issuer(leapingClock());
  await find();
  respond = fails;

  pass(59 * minute);
  await expect(find()).resolves.toBeDefined();
  pass(2 * minute);
  await expect(find()).rejects.toThrow(IssuerKeysUnavailable);

  respond = works;
  pass(minute);
  await expect(find()).resolves.toBeDefined();
});

test('an issuer that fails is requested every 30 seconds at most, whatever tokens are sent', async () => {
  const { find, pass } = issuer(leapingClock());
  await find();
  respond = fails;
  pass(11 * minute);

  for (let at = 0; at < 10; at += 1) await find(`made-up-${at}`).catch(() => undefined);
  expect(fetches).toBe(2);

  pass(31);
  await find();
  expect(fetches).toBe(3);
});

test('a new key of the issuer is found by its unknown id', async () => {
  const { find, pass } = issuer(leapingClock());
  await find();
  respond = (response) => works(response, 'two');
  pass(31);

  await expect(find('two')).resolves.toBeDefined();
});

test('keys in the body of a failed reply are not used', async () => {
  const { find } = issuer(leapingClock());
  respond = (response) => works(response.writeHead(500));

  await expect(find()).rejects.toThrow(IssuerKeysUnavailable);
});

test('the request for the keys accepts JSON', async () => {
  const { find } = issuer(leapingClock());
  let accept: string | undefined;
  respond = (response) => {
    accept = response.req.headers.accept;
    works(response);
  };

  await find();

  expect(accept).toBe('application/json');
});

test('a redirect is not followed', async () => {
  const { find } = issuer(leapingClock());
  respond = redirects;

  await expect(find()).rejects.toThrow(IssuerKeysUnavailable);
  expect(fetches).toBe(1);
});

test('a request for the keys that has no reply ends after five seconds, and not earlier', async () => {
  const { find, pass } = issuer(createSimulatedClock());
  const received = Promise.withResolvers<void>();
  respond = () => void received.resolve();
  let outcome: unknown = 'none';
  const ended = find().catch((error) => {
    outcome = error;
  });
  await received.promise;

  await pass(4_999);
  expect(outcome).toBe('none');
  await pass(1);
  await ended;
  expect(outcome).toBeInstanceOf(IssuerKeysUnavailable);
});
