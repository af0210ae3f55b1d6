import { describe, expect, test } from 'vitest';
import { createSimulatedClock, minuteMs } from '../../../../test/support/simulated-clock.ts';
import { anonymous } from '../../../kernel/caller.ts';
import { systemRandomness } from '../../../lib/system.ts';
import { createTokens } from './token.ts';

const input = { domain: 'a.com', registrant: { email: 'ada@example.com' } };
const caller = { ...anonymous, name: 'shop' };

const start = () => {
  const { clock, pass } = createSimulatedClock();
  const tokensOf = (secret: string) => createTokens(secret, clock, systemRandomness);
  const tokens = tokensOf('a secret');
  const { token, tokenExpiresAt } = tokens.make(caller, 'buy', input);
  const read = (one: unknown = token) => tokens.read(caller, 'buy', one);
  return { tokens, token, tokenExpiresAt, read, tokensOf, clock, pass };
};

describe('a token', () => {
  test('has the input, which it does not show', () => {
    const { token, read } = start();

    expect(read().input).toEqual(input);
    expect(Buffer.from(token, 'base64url').toString('latin1')).not.toMatch(/a\.com|email/);
  });

  test('is valid until its end in ten minutes', { tags: ['M3'] }, async () => {
    const { tokenExpiresAt, read, clock, pass } = start();

    expect(Date.parse(tokenExpiresAt) - clock.now().getTime()).toBe(10 * minuteMs);
    await pass(10 * minuteMs - 1, async () => undefined);
    expect(read().input).toEqual(input);
    await pass(1, async () => undefined);
    expect(() => read()).toThrow('This token has expired. This call did nothing.');
  });

  test('has one idempotency key, and another token of the same input another one', {
    tags: ['M4'],
  }, () => {
    const { tokens, read } = start();
    const other = tokens.make(caller, 'buy', input).token;

    expect(read().key).toMatch(/^mcp-[0-9a-f]{64}$/);
    expect(read().key).toBe(read().key);
    expect(read(other).key).not.toBe(read().key);
  });

  test.each([
    ['caller', { ...caller, name: 'rival' }, 'buy'],
    ['caller without a name', anonymous, 'buy'],
    ['tenant', { ...caller, tenant: 'other' }, 'buy'],
    ['tool', caller, 'apply_change'],
  ] as const)('is not valid for another %s', { tags: ['M3'] }, (_name, other, tool) => {
    const { tokens, token } = start();

    expect(() => tokens.read(other, tool, token)).toThrow('not valid for this caller');
  });

  test('is not valid with another secret', () => {
    const { tokensOf, token } = start();

    expect(() => tokensOf('another').read(caller, 'buy', token)).toThrow('not valid');
  });

  test('with any other character is not valid, or is the same token', { tags: ['M4'] }, () => {
    const { token, read } = start();
    const { key } = read();
    // Bits of the last character, and characters that are not base64url, have no meaning.
    for (const same of [`${token} `, `${token}\n`, `${token}==`]) expect(read(same).key).toBe(key);
    for (const [at, old] of [...token].entries()) {
      for (const changed of ['A', '1', '_'].filter((one) => one !== old)) {
        const altered = `${token.slice(0, at)}${changed}${token.slice(at + 1)}`;
        if (at < token.length - 1) expect(() => read(altered)).toThrow('not valid');
        else expect(keyOrNull(() => read(altered))).toBeOneOf([key, null]);
      }
    }
  });

  test.each([null, 7, [], {}, '', '_', 'a'.repeat(43), 'a'.repeat(500)])('is not %j', (token) => {
    expect(() => start().read(token)).toThrow('not valid');
  });

  test('has at most 4 KB, else its input is refused', () => {
    const { tokens } = start();
    const lengthOf = (size: number) =>
      tokens.make(caller, 'buy', { text: 'x'.repeat(size) }).token.length;

    expect(lengthOf(2_900)).toBeLessThan(4_096);
    expect(() => lengthOf(3_100)).toThrow('too long for a token');
  });
});

function keyOrNull(read: () => { readonly key: string }): string | null {
  try {
    return read().key;
  } catch {
    return null;
  }
}
