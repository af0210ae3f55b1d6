import { afterAll, beforeAll, expect, test } from 'vitest';
import { order } from '../graph/purchases/shop.ts';
import { ask, buy, openStreet, type Street } from './street.ts';

let street: Street;
beforeAll(async () => {
  street = await openStreet({ databaseUrl: null });
});
afterAll(() => street?.close());

const isListening = (origin: string) =>
  fetch(`${origin}/health/live`).then(
    () => true,
    () => false,
  );

test.each(['SIGINT', 'SIGTERM'] as const)(
  'one %s for the process group of npm start lets a read and a purchase finish',
  async (name) => {
    const gateway = await street.start({ npmStart: true });
    const domain = `${name.toLowerCase()}-once.com`;
    await street.admin('POST', '/faults', { fault: 'hold-before', action: 'registerdomain' });
    await street.admin('POST', '/faults', { fault: 'hold-before', action: 'getcontacts' });
    const input = order({ domain, period: 1, idempotencyKey: domain });
    const purchase = ask(gateway, buy, { input });
    const read = ask(
      gateway,
      '{ domain(name: "reseller-demo.com") { contacts { registrant { email } } } }',
    );
    await expect.poll(() => street.admin('GET', '/held'), { timeout: 5_000 }).toEqual({ held: 2 });

    gateway.signal(name);
    // Twice, because npm forwards its own signal at a varying time.
    gateway.signal(name);
    await expect.poll(() => isListening(gateway.origin), { timeout: 5_000 }).toBe(false);
    await street.admin('POST', '/release', {});

    expect((await purchase).registerDomain).toMatchObject({ purchase: { state: 'SUCCEEDED' } });
    expect((await read).domain.contacts.registrant).toHaveProperty('email');
    await gateway.exitCode;
  },
);
