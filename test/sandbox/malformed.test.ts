import { connect } from 'node:net';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { chanceFrom } from '../../sandbox/service/chance.ts';
import { faultNames } from '../../sandbox/service/faults.ts';
import { createSimulatedClock } from '../support/simulated-clock.ts';
import { order, startTestSandbox, type TestSandbox } from './client.ts';

let sandbox: TestSandbox;
beforeAll(async () => {
  sandbox = await startTestSandbox();
});
afterAll(() => sandbox.close());

/** Writes bytes, ends the stream and returns the status line; empty without a response. */
const speak = (bytes: string | Buffer) =>
  new Promise<string>((resolve) => {
    const socket = connect(Number(new URL(sandbox.url).port), '127.0.0.1');
    let response = '';
    socket.on('data', (data) => {
      response += data;
    });
    socket.on('error', () => {});
    socket.on('close', () => resolve(response.split('\r\n')[0] ?? ''));
    socket.end(bytes);
  });

const request = (method: string, target: string, body = '', headers = '') =>
  `${method} ${target} HTTP/1.1\r\nhost: x\r\nconnection: close\r\n${headers}content-length: ${Buffer.byteLength(body)}\r\n\r\n${body}`;

const login = '"username":"demo","password":"demo-password"';
const pick = <T>(chance: () => number, from: readonly T[]): T =>
  from[Math.floor(chance() * from.length)] as T;

const targets = [
  '/',
  '//',
  '*',
  '/%',
  '/%00',
  '/../admin/calls',
  '/domain-api',
  '/domain-api?action=getdetails',
  '/domain-api/?action=getdetails',
  '/domain-api/?action=%E0%A4%A',
  '/domain-api/?action=constructor',
  '/domain-api/?action=bulkcheckavailability',
  '/domain-api/?action=registerdomain&action=getdetails',
  '/domain-api/?action=modifynameserver#x',
  '/account-api/hosting/group/%',
  '/account-api/hosting/group/%2F..',
  '/account-api//carts',
  '/admin/domain?name=%',
  '/admin/state?reseller=%00',
  '/admin/faults?%%%',
  'http://elsewhere/domain-api/',
];
const names = [
  '-',
  '.',
  'x'.repeat(3000),
  '\\u0000.com',
  '\\ud800.com',
  'münchen.com',
  '__proto__',
];
const bodies = [
  '',
  '{',
  'null',
  '[[[[',
  `${'['.repeat(5000)}`,
  '{"__proto__":{"username":"demo"}}',
  '{"username":{},"password":[]}',
  `{${login},"domain":{"toString":1}}`,
  `{${login},"domains":[null]}`,
  `{${login},"domain":"reseller-demo.com","nameservers":{"__proto__":"a.b.com","ns99999999999999999999":"c.d.com"}}`,
  `{${login},"period":1e308,"count":1e308}`,
  ...names.map((name) => `{${login},"domain":"${name}","domains":["${name}"],"period":1}`),
];
const methods = ['GET', 'POST', 'PUT', 'DELETE', 'HEAD', 'OPTIONS', 'PATCH', 'TRACE'];

describe('the sandbox with invalid input', () => {
  test('answers 500 invalid requests, none with status 500, and changes no data', async () => {
    const before = await sandbox.act('getdomainlist');
    const chance = chanceFrom('malformed');
    const sent = Array.from({ length: 500 }, () =>
      request(
        pick(chance, methods),
        pick(chance, targets),
        pick(chance, bodies),
        pick(chance, ['', 'authorization: Bearer demo-token\r\n', 'content-type: text/x\r\n']),
      ),
    );

    for (let at = 0; at < sent.length; at += 50) {
      const batch = sent.slice(at, at + 50);
      const responses = await Promise.all(batch.map(speak));
      for (const [which, response] of responses.entries()) {
        expect(response, batch[which]?.slice(0, 400)).toMatch(/^HTTP\/1\.1 [24]\d\d /);
      }
    }

    const after = await sandbox.act('getdomainlist');
    expect(after.body.TotalCount).toBe(before.body.TotalCount);
  });

  test.each([
    'hello\r\n\r\n',
    'GET\r\n\r\n',
    Buffer.from([0, 1, 2, 255, 254, 10, 13, 10, 13, 10]),
    'POST /domain-api/ HTTP/1.1\r\nhost: x\r\ncontent-length: abc\r\n\r\n',
    'POST /domain-api/ HTTP/1.1\r\nhost: x\r\ncontent-length: 100\r\n\r\nshort',
    'POST /domain-api/ HTTP/1.1\r\nhost: x\r\ntransfer-encoding: chunked\r\n\r\nzz\r\n',
    'CONNECT x:1 HTTP/1.1\r\nhost: x\r\n\r\n',
    `GET / HTTP/1.1\r\nhost: x\r\nx: ${'y'.repeat(100_000)}\r\n\r\n`,
  ])('serves the next client after %j', async (bytes) => {
    await speak(bytes);

    expect((await sandbox.act('resellerdetails')).status).toBe(200);
  });

  test('survives clients that disconnect during any fault', async () => {
    const time = createSimulatedClock();
    const sandbox = await startTestSandbox({ clock: time.clock });
    onTestFinished(() => sandbox.close());
    await sandbox.admin('POST', '/latency', { perCallMs: 15 });
    for (const [at, fault] of faultNames.entries()) {
      await sandbox.arm({ fault, ms: 40, action: 'registerdomain' });
      const leaving = new AbortController();
      const left = order(`left-${fault}.com`);
      const call = sandbox.act('registerdomain', left, 'demo', leaving.signal);
      await expect.poll(() => sandbox.admin('GET', '/calls'), { interval: 5 }).toHaveLength(at + 1);
      leaving.abort();
      await expect(call).rejects.toThrow();
      await time.pass(15);
    }
    await sandbox.admin('POST', '/latency', {});
    await time.pass(40);
    await sandbox.admin('POST', '/release');

    expect(await sandbox.admin('GET', '/faults')).toEqual([]);
    expect(time.waits()).toEqual([]);
    expect((await sandbox.act('resellerdetails')).status).toBe(200);
  });
});
