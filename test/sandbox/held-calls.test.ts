import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { order, startTestSandbox, type TestSandbox } from './client.ts';

let sandbox: TestSandbox;
beforeEach(async () => {
  sandbox = await startTestSandbox();
});
afterEach(() => sandbox.close());

const details = (signal?: AbortSignal) =>
  sandbox.act('getdetails', { domain: 'reseller-demo.com' }, 'demo', signal);
const register = (domain: string) => sandbox.act('registerdomain', order(domain));
const bought = async (domain: string) => {
  const { purchases } = await sandbox.admin('GET', '/state');
  return purchases.filter((one: { domain: string }) => one.domain === domain).length;
};
const held = async (count: number) => {
  await expect.poll(() => sandbox.admin('GET', '/held'), { interval: 5 }).toEqual({ held: count });
};

describe('a held call', () => {
  test('under hang ends when the client disconnects', async () => {
    await sandbox.arm({ fault: 'hang' });

    const leaving = new AbortController();
    const call = details(leaving.signal);
    await expect.poll(() => sandbox.admin('GET', '/faults'), { interval: 5 }).toEqual([]);
    leaving.abort();
    await expect(call).rejects.toThrow();

    expect((await sandbox.admin('GET', '/calls')).at(-1)).toMatchObject({ status: null });
    expect((await details()).status).toBe(200);
  });

  test.each(['hang', 'hold-before', 'hold-after', 'slow'])(
    'under %s does not prevent the sandbox from closing',
    async (fault) => {
      await sandbox.arm({ fault });
      const call = details().catch(() => 'ended');
      await expect.poll(() => sandbox.admin('GET', '/faults'), { interval: 5 }).toEqual([]);

      await sandbox.close();

      expect(await call).toBe('ended');
    },
  );

  test('under hold-before is not executed yet, under hold-after it is', async () => {
    await sandbox.arm({ fault: 'hold-before', action: 'registerdomain' });
    const before = register('before-demo.com');
    await held(1);
    await sandbox.arm({ fault: 'hold-after', action: 'registerdomain' });
    const after = register('after-demo.com');
    await held(2);

    expect([await bought('before-demo.com'), await bought('after-demo.com')]).toEqual([0, 1]);
    expect(await sandbox.admin('POST', '/release')).toEqual({ released: 2 });
    expect((await before).status).toBe(200);
    expect((await after).status).toBe(200);
    expect(await bought('before-demo.com')).toBe(1);
  });
});
