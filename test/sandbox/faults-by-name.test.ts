import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { order, startTestSandbox, type TestSandbox } from './client.ts';

let sandbox: TestSandbox;
beforeAll(async () => {
  sandbox = await startTestSandbox();
});
afterAll(() => sandbox.close());

const check = (domain: string) => sandbox.act('singlecheckavailability', { domain });
const register = (domain: string) => sandbox.act('registerdomain', order(domain));

describe('a name with a fault prefix', () => {
  test.each(['empty', 'html', 'gateway', 'busy', 'wrongtypes', 'maps'])(
    '%s- causes the fault in every call about the name, in upper and lower case',
    { tags: ['R14'] },
    async (fault) => {
      const { status, text } = await check(`${fault.toUpperCase()}-maple.com`);

      const seen = {
        empty: status === 200 && text === '',
        html: status === 200 && text.startsWith('<br />'),
        gateway: status === 502,
        busy: status === 429 && text === '',
        wrongtypes: text.includes('"Status":7'),
        maps: status === 200,
      }[fault];
      expect(seen).toBe(true);
      expect((await check(`${fault}maple.com`)).body).toMatchObject([{ Status: 'available' }]);
    },
  );

  test('lost-answer- is registered once and the client receives no response', async () => {
    expect((await check('lost-answer-maple.com')).body).toMatchObject([{ Status: 'available' }]);

    await expect(register('lost-answer-maple.com')).rejects.toThrow();

    expect((await sandbox.details('lost-answer-maple.com')).Status).toBe('Active');
    const { purchases } = await sandbox.admin('GET', '/state');
    expect(purchases).toMatchObject([{ domain: 'lost-answer-maple.com', price: '11.2900' }]);
    expect(await sandbox.balance()).toBe('2488.7100');
  });

  test('late- is registered only after the connection ends', async () => {
    await expect(register('late-maple.com')).rejects.toThrow();

    expect(await sandbox.code('getdetails', { domain: 'late-maple.com' })).toBe('API_510_ERROR');
  });

  test.each([
    ['refuse', 400, false],
    ['refuse-200', 200, false],
    ['refuse-after', 400, true],
  ])(
    '%s- refuses writes with an unlisted code and the status %i; done: %s',
    async (fault, status, isDone) => {
      const bought = `${fault}-maple.com`;
      const moved = `${fault}-outside-maple.com`;
      const transfer = { domain: moved, authCode: 'Transfer-Code-01', period: 1 };

      for (const reply of [await register(bought), await sandbox.act('transferdomain', transfer)]) {
        const { result, error } = reply.body;
        expect([reply.status, result, error.Code]).toEqual([status, 'ERROR', 'API_7777_ERROR']);
        expect(error.Details).toMatch(/trademark/);
      }

      for (const domain of [bought, moved]) {
        const code = await sandbox.code('getdetails', { domain });
        expect(code, domain).toBe(isDone ? null : 'API_510_ERROR');
      }
      expect((await check(bought)).status).toBe(200);
    },
  );

  test('applies the rules of the registry behind a fault too', async () => {
    const fields = {
      domain: 'lost-answer-outside-maple.net',
      authCode: 'Transfer-Code-01',
      period: 1,
    };

    await expect(sandbox.act('transferdomain', fields)).rejects.toThrow();

    expect((await sandbox.details(fields.domain)).Status).toBe('WaitingForIncomingTransfer');
  });
});

describe('the armed fault', () => {
  test.each(['hang', 'hold-before', 'hold-after', 'slow'])(
    '%s does not prevent the sandbox from closing',
    async (fault) => {
      const sandbox = await startTestSandbox();
      await sandbox.arm({ fault });
      const call = sandbox.act('getdetails', { domain: 'reseller-demo.com' }).catch(() => 'ended');
      await expect.poll(() => sandbox.admin('GET', '/faults'), { interval: 5 }).toEqual([]);

      await sandbox.close();

      expect(await call).toBe('ended');
    },
  );
});
