import { describe, expect, test } from 'vitest';
import { anonymous } from '../../kernel/caller.ts';
import { createHandles } from './handle.ts';
import { handleDeps } from './test/toolbox.ts';

const input = { domain: 'a.com', registrant: { email: 'ada@example.com' } };
const caller = { ...anonymous, name: 'shop' };

const start = () => {
  const deps = handleDeps();
  return createHandles(() => deps);
};

describe('a handle', () => {
  test('has 16 characters of 80 random bits, without letters that look like digits', async () => {
    const { make } = start();
    const handles = new Set<string>();
    for (let made = 0; made < 200; made += 1)
      handles.add((await make(caller, 'buy', input)).handle);
    const characters = new Set([...handles].flatMap((handle) => [...handle]));

    expect(handles.size).toBe(200);
    expect([...handles].filter((handle) => !/^[0-9a-z]{16}$/.test(handle))).toEqual([]);
    expect(characters.size).toBe(32);
    expect([...'ilou'].filter((letter) => characters.has(letter))).toEqual([]);
  });

  test('has one idempotency key, and another handle of the same input another one', {
    tags: ['M4'],
  }, async () => {
    const { make, read } = start();
    const [one, other] = [await make(caller, 'buy', input), await make(caller, 'buy', input)];
    const keyOf = async ({ handle }: typeof one) => (await read(caller, 'buy', handle)).key;

    expect(await keyOf(one)).toMatch(/^mcp-[0-9a-f]{64}$/);
    expect(await keyOf(one)).toBe(await keyOf(one));
    expect(await keyOf(other)).not.toBe(await keyOf(one));
    expect(await keyOf(one)).not.toContain(one.handle);
  });

  test.each([
    ['caller', { ...caller, name: 'rival' }],
    ['caller without a name', anonymous],
    ['tenant', { ...caller, tenant: 'other' }],
  ] as const)(
    'has neither input nor key for another %s',
    { tags: ['M3'] },
    async (_what, other) => {
      const { make, read } = start();
      const { handle } = await make(caller, 'buy', input);
      const own = await read(caller, 'buy', handle);
      const foreign = await read(other, 'buy', handle);

      expect(own.input).toEqual(input);
      expect(foreign.input).toBeNull();
      expect(foreign.key).not.toBe(own.key);
    },
  );

  test('is of an input of 32 KB at most', async () => {
    const { make } = start();
    const of = (size: number) => make(caller, 'buy', { text: 'ö'.repeat(size / 2) });

    await of(32_700);
    await expect(of(32_768)).rejects.toThrow('This input has more than 32 KB.');
  });
});
