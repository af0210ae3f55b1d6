import { afterAll, expect, test } from 'vitest';
import { order } from '../graph/purchases/shop.ts';
import { isLong } from '../support/long.ts';
import { buy, openDeployment, sendQuery } from './deployment.ts';

const deployment = await openDeployment({ databaseUrl: null });
afterAll(() => deployment?.close());

const isListening = (origin: string) =>
  fetch(`${origin}/health/live`).then(
    () => true,
    () => false,
  );

test.each(isLong ? (['SIGINT', 'SIGTERM'] as const) : (['SIGTERM'] as const))(
  'one %s for the process group of npm start lets a read and a purchase finish',
  { tags: ['S7'] },
  async (name) => {
    const gateway = await deployment.start({ npmStart: true });
    const domain = `${name.toLowerCase()}-once.com`;
    await deployment.admin('POST', '/faults', { fault: 'hold-before', action: 'registerdomain' });
    await deployment.admin('POST', '/faults', { fault: 'hold-before', action: 'getcontacts' });
    const input = order({ domain, period: 1, idempotencyKey: domain });
    const purchase = sendQuery(gateway, buy, { input });
    const read = sendQuery(
      gateway,
      '{ domain(name: "reseller-demo.com") { contacts { registrant { email } } } }',
    );
    await expect.poll(() => deployment.admin('GET', '/held')).toEqual({ held: 2 });

    gateway.signal(name);
    // Twice, because npm forwards its own signal at a varying time.
    gateway.signal(name);
    await expect.poll(() => isListening(gateway.origin)).toBe(false);
    await deployment.admin('POST', '/release', {});

    expect((await purchase).registerDomain).toMatchObject({ purchase: { state: 'SUCCEEDED' } });
    expect((await read).domain.contacts.registrant).toHaveProperty('email');
    await gateway.exitCode;
  },
);
