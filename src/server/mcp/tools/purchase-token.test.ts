import { describe, expect, test } from 'vitest';
import { createSimulatedClock, minuteMs } from '../../../../test/support/simulated-clock.ts';
import { anonymous } from '../../../kernel/caller.ts';
import { createPurchaseTokens } from './purchase-token.ts';

const price = { amount: '11.2900', currency: 'USD' };
const quoted = {
  kind: 'REGISTRATION',
  input: { domain: 'a.com', period: 1, nameServers: ['b', 'c'] },
} as const;
const caller = { ...anonymous, name: 'shop' };

const start = () => {
  const { clock, pass } = createSimulatedClock();
  return { tokens: createPurchaseTokens('a secret', clock), clock, pass };
};

describe('a token', () => {
  test('has the highest price and the time of its end in ten minutes', () => {
    const { tokens, clock } = start();
    const { token, expiresAt } = tokens.make(caller, quoted, price);

    expect(expiresAt.getTime() - clock.now().getTime()).toBe(10 * minuteMs);
    expect(tokens.verify(caller, quoted, token).maxPrice).toEqual(price);
    expect(token).not.toContain('a.com');
  });

  test('is valid until its end', { tags: ['M3'] }, async () => {
    const { tokens, pass } = start();
    const { token } = tokens.make(caller, quoted, price);
    await pass(10 * minuteMs - 1, async () => undefined);
    expect(tokens.verify(caller, quoted, token).maxPrice).toEqual(price);
    await pass(1, async () => undefined);

    expect(() => tokens.verify(caller, quoted, token)).toThrow('This token has expired.');
  });

  test('gives the same idempotency key each time, and another token another key', async () => {
    const { tokens, pass } = start();
    const { token } = tokens.make(caller, quoted, price);
    await pass(1, async () => undefined);
    const other = tokens.make(caller, quoted, price);
    const keyOf = (one: string) => tokens.verify(caller, quoted, one).key;

    expect(keyOf(token)).toMatch(/^mcp-[0-9a-f]{64}$/);
    expect(keyOf(token)).toBe(keyOf(token));
    expect(keyOf(other.token)).not.toBe(keyOf(token));
  });

  test('is valid for the same input in another order of members', () => {
    const { tokens } = start();
    const { token } = tokens.make(caller, quoted, price);
    const input = { nameServers: ['b', 'c'], period: 1, domain: 'a.com' };

    expect(tokens.verify(caller, { kind: 'REGISTRATION', input }, token).maxPrice).toEqual(price);
  });

  test.each([
    ['caller', { ...caller, name: 'rival' }, quoted],
    ['caller without a name', anonymous, quoted],
    ['tenant', { ...caller, tenant: 'other' }, quoted],
    ['kind', caller, { ...quoted, kind: 'TRANSFER' as const }],
    ['input', caller, { ...quoted, input: { ...quoted.input, period: 2 } }],
    [
      'order of name servers',
      caller,
      { ...quoted, input: { ...quoted.input, nameServers: ['c', 'b'] } },
    ],
  ])('is not valid for another %s', { tags: ['M3'] }, (_name, other, purchase) => {
    const { tokens } = start();
    const { token } = tokens.make(caller, quoted, price);

    expect(() => tokens.verify(other, purchase, token)).toThrow('not valid for this caller');
  });

  test('is not valid with another secret', () => {
    const { tokens, clock } = start();
    const { token } = tokens.make(caller, quoted, price);

    expect(() => createPurchaseTokens('another', clock).verify(caller, quoted, token)).toThrow(
      'not valid for this caller',
    );
  });

  test('is not valid with any other character', () => {
    const { tokens } = start();
    const { token } = tokens.make(caller, quoted, price);
    for (const [at, old] of [...token].entries()) {
      // The last character of a signature has two bits without a meaning.
      for (const changed of ['A', '1', '_'].filter((one) => one !== old)) {
        const altered = `${token.slice(0, at)}${changed}${token.slice(at + 1)}`;
        expect(() => tokens.verify(caller, quoted, altered)).toThrow();
      }
    }
  });

  test.each([null, undefined, 7, [], {}, '', '_', 'q1_a_1.0_USD_', 'a'.repeat(500)])(
    'is not %j',
    (token) => {
      expect(() => start().tokens.verify(caller, quoted, token)).toThrow('not valid');
    },
  );

  test.each([`${'x'.repeat(10)} `, '\n'])('is not valid with %j after it', (rest) => {
    const { tokens } = start();
    const { token } = tokens.make(caller, quoted, price);

    expect(() => tokens.verify(caller, quoted, `${token}${rest}`)).toThrow('not valid');
  });
});
