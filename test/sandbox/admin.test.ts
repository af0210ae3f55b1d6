import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { systemClock } from '../../src/lib/system.ts';
import { order, startTestSandbox, type TestSandbox } from './client.ts';
import { startedAt } from './service.ts';

let sandbox: TestSandbox;
beforeEach(async () => {
  sandbox = await startTestSandbox({
    clock: { ...systemClock, now: () => new Date(startedAt) },
  });
});
afterEach(() => sandbox.close());

const post = (path: string, body: string, type = 'application/json') =>
  sandbox.send(`/admin${path}`, { method: 'POST', headers: { 'content-type': type }, body });

describe('the admin API of the sandbox', () => {
  test('returns 404 for an unknown call, with the list of the valid ones', async () => {
    for (const [method, path] of [
      ['GET', '/nothing'],
      ['PUT', '/faults'],
      ['GET', '/reset'],
    ] as const) {
      const { status, body } = await sandbox.send(`/admin${path}`, { method });
      expect(status).toBe(404);
      expect(body.message).toMatch(/GET \/admin\/calls.*POST \/admin\/reset/);
    }
  });

  test('refuses a POST without the JSON type, so that no web page of another origin can send one', async () => {
    for (const type of ['text/plain', 'application/x-www-form-urlencoded']) {
      expect((await post('/reset', '', type)).status).toBe(415);
    }
    expect((await post('/reset', '', 'Application/JSON; charset=utf-8')).status).toBe(200);
  });

  test.each([
    ['/faults', '{}'],
    ['/faults', '{"fault":"nonsense"}'],
    ['/faults', '{"fault":"slow","ms":-1}'],
    ['/faults', '{"fault":"slow","times":0}'],
    ['/faults', 'no JSON'],
    ['/faults', '[]'],
    ['/clock', '{}'],
    ['/clock', '{"now":"tomorrow"}'],
    ['/clock', '{"advanceMs":1.5}'],
    ['/clock', '{"advanceMs":9007199254740991}'],
    ['/clock', '{"advanceDays":-99999999}'],
    ['/clock', '{"now":"9999-01-01T00:00:00Z"}'],
    ['/latency', '{"perCallMs":"1"}'],
    ['/tokens', '{"user":"unknown"}'],
  ])('refuses %s with %s with 400 and a message, and changes nothing', async (path, body) => {
    const reply = await post(path, body);

    expect(reply.status).toBe(400);
    expect(reply.body.message).toMatch(/\w/);
    expect(reply.body.message).not.toMatch(/^(Error|Fault|TypeError)/);
    expect(await sandbox.admin('GET', '/faults')).toEqual([]);
    expect((await sandbox.act('resellerdetails')).status).toBe(200);
    expect(await sandbox.admin('GET', '/clock')).toEqual({
      now: '2026-03-01T12:00:00.000Z',
    });
  });

  test('returns 413 for a body over 64 KB, as the Account API for one over 10 KB', async () => {
    const body = (length: number) => `{"x":"${'y'.repeat(length)}"}`;
    await sandbox.account('DELETE', '/hosting/group');

    expect((await post('/reset', body(70_000))).status).toBe(413);
    expect((await sandbox.account('POST', '/carts', body(10_240))).status).toBe(413);
    expect(await sandbox.admin('GET', '/hosting-groups')).toHaveLength(2);
  });

  test('lists and removes armed faults, and ends the session of a user whose token it replaces', async () => {
    await sandbox.arm({ fault: 'gateway', times: 2 });
    await sandbox.act('resellerdetails');
    expect(await sandbox.admin('GET', '/faults')).toMatchObject([{ fault: 'gateway', times: 1 }]);
    await sandbox.admin('DELETE', '/faults');
    expect(await sandbox.admin('GET', '/faults')).toEqual([]);

    const { token } = await sandbox.admin('POST', '/tokens', { user: 'demo' });
    const statuses = ['demo-token', token, 'other-token'].map((one) =>
      sandbox.account('DELETE', '/logs', undefined, one),
    );
    expect((await Promise.all(statuses)).map(({ status }) => status)).toEqual([401, 200, 200]);
  });

  test('releases held calls, which are executed before or after that', async () => {
    const names = ['hold-before', 'hold-after'];
    for (const fault of names) await sandbox.arm({ fault });
    const calls = names.map((name) => sandbox.act('registerdomain', order(`${name}.com`)));
    await expect.poll(() => sandbox.admin('GET', '/held'), { interval: 5 }).toEqual({ held: 2 });

    expect((await sandbox.admin('GET', '/state')).purchases).toHaveLength(1);
    expect(await sandbox.admin('POST', '/release')).toEqual({ released: 2 });
    expect((await Promise.all(calls)).map(({ status }) => status)).toEqual([200, 200]);
    expect((await sandbox.admin('GET', '/state')).purchases).toHaveLength(2);
  });

  test('lists calls in order with their domain and reseller, without admin calls', async () => {
    await sandbox.act('getdetails', { domain: 'reseller-demo.com' });
    await sandbox.act('bulkcheckavailability', { domains: ['a-maple.com', 'b-maple.com'] });
    await sandbox.act('nonsense');
    await sandbox.account('DELETE', '/logs');

    const at = expect.stringMatching(/Z$/);
    const reseller = 'demo';
    expect(await sandbox.admin('GET', '/calls')).toEqual([
      { action: 'getdetails', domain: 'reseller-demo.com', reseller, at, status: 200 },
      {
        action: 'bulkcheckavailability',
        domains: ['a-maple.com', 'b-maple.com'],
        reseller,
        at,
        status: 200,
      },
      { action: 'nonsense', reseller, at, status: 400 },
      { action: 'DELETE /logs', at, status: 200 },
    ]);
    await sandbox.admin('DELETE', '/calls');
    expect(await sandbox.admin('GET', '/calls')).toEqual([]);
  });

  test('returns a domain of any reseller with its auth code', async () => {
    const [record] = await sandbox.admin('GET', '/domain?name=others-demo.com');

    const { AuthCode } = await sandbox.details('others-demo.com', 'other');
    expect(record).toMatchObject({ authCode: AuthCode, status: 'Active' });
  });

  test('creates a domain in a state, and replaces one of the same name', async () => {
    const name = 'created-maple.com';
    const create = (facts: object) => sandbox.admin('POST', '/domains', { name, ...facts });
    const shown = async (username?: string) => {
      const { Status, Dates } = await sandbox.details(name, username);
      return [Status, Dates.RemainingDays];
    };

    expect(await create({})).toMatchObject({ reseller: 1, name, status: 'Active' });
    expect(await shown()).toEqual(['Active', 365]);
    await create({ state: 'redemption' });
    expect(await shown()).toEqual(['PendingDelete', 0]);
    await create({ state: 'expiring', reseller: 'other', locked: false });
    expect(await shown('other')).toEqual(['Active', 3]);
    await create({ status: 'PendingRestore', expiresInDays: 7, nameServers: ['a.b.net'] });
    expect(await shown()).toEqual(['PendingRestore', 7]);
    for (const wrong of [{ state: 'sold' }, { reseller: 'unknown' }, { name: 'a b' }])
      await expect(create(wrong)).rejects.toThrow('400');
  });
});
