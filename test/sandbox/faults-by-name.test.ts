import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { createSimulatedClock } from '../support/simulated-clock.ts';
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

  test.each(['cut', 'reset'])('%s- disconnects the client', async (fault) => {
    await expect(check(`${fault}-maple.com`)).rejects.toThrow();
    await expect(
      sandbox.act('bulkcheckavailability', { domains: ['a-maple.com', `${fault}-maple.com`] }),
    ).rejects.toThrow();
  });

  test.each(['hang', 'slow', 'drip'])('%s- delays the response', async (fault) => {
    const time = createSimulatedClock();
    const sandbox = await startTestSandbox({ clock: time.clock });
    onTestFinished(() => sandbox.close());
    const domain = `${fault}-maple.com`;
    const settled: unknown[] = [];

    const call = sandbox.act('singlecheckavailability', { domain }).then(
      ({ status }) => settled.push(status),
      () => settled.push(null),
    );
    await expect.poll(() => sandbox.admin('GET', '/calls'), { interval: 5 }).toHaveLength(1);
    await time.pass(2_999);
    const early = [...settled];
    await sandbox.close();
    await call;

    expect(early).toEqual([]);
  });

  test('causes the worst fault of its names in a bulk check, in any order', async () => {
    const domains = ['html-maple.com', 'slow-maple.com', 'reset-maple.com', 'maple-harbor.com'];
    const check = (names: string[]) => sandbox.act('bulkcheckavailability', { domains: names });

    await expect(check(domains)).rejects.toThrow();
    await expect(check(domains.toReversed())).rejects.toThrow();
  });

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

  test('yields to an injected fault', async () => {
    await sandbox.arm({ fault: 'code', code: '101' });

    expect((await check('gateway-maple.com')).body.error.Code).toBe('API_101_ERROR');
    expect((await check('gateway-maple.com')).status).toBe(502);
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

  test('wrongtypes and maps change members of the reply', async () => {
    const details = () => sandbox.details('reseller-demo.com');
    await sandbox.arm({ fault: 'wrongtypes' });
    expect(await details()).toMatchObject({
      ID: '',
      LockStatus: 1,
      DomainName: 'reseller-demo.com',
    });
    await sandbox.arm({ fault: 'maps' });
    expect(await details()).toMatchObject({ Contacts: [], Dates: [], Status: 'Active' });
  });
});
