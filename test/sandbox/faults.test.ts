import { afterEach, beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import { createSimulatedClock } from '../support/simulated-clock.ts';
import { order, startTestSandbox, type TestSandbox } from './client.ts';

let sandbox: TestSandbox;
beforeEach(async () => {
  sandbox = await startTestSandbox();
});
afterEach(() => sandbox.close());

const details = (domain = 'reseller-demo.com') => sandbox.act('getdetails', { domain });
const register = (domain: string) => sandbox.act('registerdomain', order(domain));
/** The number of paid registrations of the name. */
const bought = async (domain: string) => {
  const { purchases } = await sandbox.admin('GET', '/state');
  return purchases.filter((one: { domain: string }) => one.domain === domain).length;
};

describe('an injected fault', () => {
  test('affects only the calls that match, as often as configured', async () => {
    const fault = { fault: 'gateway', action: 'getdetails', domain: 'reseller-demo.com', times: 2 };
    await sandbox.arm(fault);

    expect((await details('unlocked-demo.com')).status).toBe(200);
    expect((await sandbox.act('resellerdetails')).status).toBe(200);
    expect((await details()).status).toBe(502);
    expect(await sandbox.admin('GET', '/faults')).toMatchObject([{ ...fault, times: 1 }]);
    const bad = await details();
    expect(bad.headers.get('content-type')).toBe('text/html');
    expect(bad.text).toMatch(/^<html>/);
    expect((await details()).status).toBe(200);
  });

  test('can be removed', async () => {
    await sandbox.arm({ fault: 'gateway' });
    await sandbox.admin('DELETE', '/faults');

    expect((await details()).status).toBe(200);
  });

  // The last of the 20 pieces is sent after 19 of 20 parts of the time.
  test.each([
    ['slow', 60],
    ['delay', 60],
    ['drip', 57],
  ])('%s of 60 ms delays the whole response by %i ms', async (fault, delayMs) => {
    const time = createSimulatedClock();
    const sandbox = await startTestSandbox({ clock: time.clock });
    onTestFinished(() => sandbox.close());
    const details = () => sandbox.act('getdetails', { domain: 'reseller-demo.com' });
    const truth = await details();
    await sandbox.arm({ fault, ms: 60 });
    const settled: unknown[] = [];

    const delayed = details().then(({ body }) => settled.push(body));
    await expect.poll(time.waits, { interval: 5 }).toHaveLength(1);
    await time.pass(delayMs - 1);
    const early = [...settled];
    await time.pass(1);
    await delayed;

    expect(early).toEqual([]);
    expect(settled).toEqual([truth.body]);
  });

  test('busy returns 429 with only a Retry-After', async () => {
    await sandbox.arm({ fault: 'busy', ms: 2500 });

    const reply = await details();

    expect([reply.status, reply.text, reply.headers.get('retry-after')]).toEqual([429, '', '3']);
  });

  test('html puts a warning before the JSON, empty removes the body', async () => {
    const truth = (await details()).text;
    await sandbox.arm({ fault: 'html' });
    const spoiled = await details();
    await sandbox.arm({ fault: 'empty' });
    const nothing = await details();

    expect(spoiled.text.startsWith('<br />')).toBe(true);
    expect(spoiled.text.endsWith(truth)).toBe(true);
    expect([nothing.status, nothing.text]).toEqual([200, '']);
  });

  test('wrongtypes and maps change only the types of the response', async () => {
    await sandbox.arm({ fault: 'wrongtypes' });
    expect((await details()).body.data).toMatchObject({
      ID: '',
      LockStatus: 1,
      DomainName: 'reseller-demo.com',
    });
    await sandbox.arm({ fault: 'maps' });
    expect((await details()).body.data).toMatchObject({
      Contacts: [],
      Dates: [],
      Status: 'Active',
    });
  });

  test('code returns that failure and executes nothing', async () => {
    await sandbox.arm({ fault: 'code', code: 'INVALID_DOMAIN_REGISTER' });
    expect((await register('code-demo.com')).body.error.Code).toBe('INVALID_DOMAIN_REGISTER');
    await sandbox.arm({ fault: 'code', code: '2400' });
    expect((await register('code-demo.com')).body.error.Code).toBe('API_2400_ERROR');

    expect(await bought('code-demo.com')).toBe(0);
  });

  test('code returns the failure with the configured HTTP status, such as 200', async () => {
    const fault = { fault: 'code', code: '2400', status: 200 };
    await sandbox.arm({ ...fault, action: 'registerdomain' });
    await sandbox.arm({ ...fault, action: 'DELETE /logs', code: '503' });

    expect(await register('code-demo.com')).toMatchObject({
      status: 200,
      body: { result: 'ERROR', error: { Code: 'API_2400_ERROR', Message: 'Failed' } },
    });
    expect(await sandbox.account('DELETE', '/logs')).toMatchObject({
      status: 200,
      body: { statusCode: 503, message: 'Failed' },
    });
    expect(await bought('code-demo.com')).toBe(0);
  });

  test('reset, busy and gateway execute nothing; cut and lost-answer execute the call once', async () => {
    for (const fault of ['reset', 'cut', 'lost-answer']) {
      await sandbox.arm({ fault });
      await expect(register(`${fault.slice(0, 4)}-demo.com`)).rejects.toThrow();
    }
    for (const fault of ['busy', 'gateway']) {
      await sandbox.arm({ fault });
      await register(`${fault}2-demo.com`);
      expect(await bought(`${fault}2-demo.com`)).toBe(0);
    }

    expect(await bought('rese-demo.com')).toBe(0);
    expect(await bought('cut-demo.com')).toBe(1);
    expect(await bought('lost-demo.com')).toBe(1);
    expect((await details('lost-demo.com')).status).toBe(200);
  });

  test('late ends the connection first and executes the call afterwards', async () => {
    await sandbox.arm({ fault: 'late', ms: 80 });

    await expect(register('maple-late.com')).rejects.toThrow();

    expect((await details('maple-late.com')).body.error.Code).toBe('API_510_ERROR');
    await expect.poll(() => bought('maple-late.com'), { interval: 20 }).toBe(1);
  });

  test('late and lost-answer affect writes only', async () => {
    await sandbox.arm({ fault: 'lost-answer' });

    expect((await details()).status).toBe(200);
    await expect(register('lost-demo.com')).rejects.toThrow();
  });
});
