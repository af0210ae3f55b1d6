import { createHash } from 'node:crypto';
import { expect, test } from 'vitest';
import type { ApiKey, MadeKey } from '../kernel/caller.ts';
import { Secret } from '../kernel/secret.ts';
import { createKeyring, makeKey } from './keyring.ts';

const expiresAt = new Date('2026-03-01T00:00:00Z');

function startKeyring(fixed: readonly ApiKey[] = []) {
  let now = new Date('2026-01-01T00:00:00Z');
  const keyring = createKeyring(fixed, { now: () => now });
  return { ...keyring, at: (ms: number) => (now = new Date(ms)) };
}

const keyOf = (name: string, text: string): ApiKey => ({
  ...{ name, tenant: 'acme', customer: null, limits: { perHour: 3 }, scopes: ['domains:check'] },
  sha256: new Secret(createHash('sha256').update(text).digest('hex')),
});

const madeKeyOf = (name: string, text: string, more: Partial<MadeKey> = {}): MadeKey => ({
  ...keyOf(name, text),
  ...{ prefix: text.slice(3, 13), expiresAt: null, ...more },
});

const made = `rg_0123456789_${'a'.repeat(43)}`;

test('a made key has ten digits and 256 random bits in its text', () => {
  const lengths: number[] = [];
  const randomBytes = (length: number) => {
    lengths.push(length);
    return Buffer.alloc(length, 255);
  };

  expect(makeKey(randomBytes)).toEqual({
    prefix: 'f'.repeat(10),
    text: `rg_${'f'.repeat(10)}_${'_'.repeat(42)}8`,
  });
  expect(lengths).toEqual([5, 32]);
});

test('a key identifies its caller with tenant, scopes and limits, and any other text none', () => {
  const { find } = startKeyring([keyOf('shop', 'the-key'), keyOf('office', 'another')]);

  expect(find('the-key')).toEqual({
    ...{ name: 'shop', tenant: 'acme', customer: null, limits: { perHour: 3 } },
    scopes: new Set(['domains:check']),
  });
  expect(find('another')?.name).toBe('office');
  for (const text of ['', 'the-ke', 'the-key ', 'The-key', made]) expect(find(text)).toBeNull();
});

test('a made key works until the moment that it expires', () => {
  const { find, replaceMade, at } = startKeyring();
  replaceMade([madeKeyOf('till', made, { expiresAt })]);

  at(expiresAt.getTime() - 1);
  expect(find(made)?.name).toBe('till');
  at(expiresAt.getTime());
  expect(find(made)).toBeNull();
});

test('a made key without an expiry works at any time, until it is revoked', () => {
  const { find, replaceMade, at } = startKeyring([keyOf('shop', 'the-key')]);
  replaceMade([madeKeyOf('till', made)]);

  at(8_640_000_000_000_000);
  expect(find(made)?.name).toBe('till');
  replaceMade([]);
  expect(find(made)).toBeNull();
  expect(find('the-key')?.name).toBe('shop');
});

test('a made key is found by its whole text, not by its prefix', () => {
  const { find, replaceMade } = startKeyring();
  const other = `rg_abcdefabcd_${'b'.repeat(43)}`;
  replaceMade([madeKeyOf('till', made), madeKeyOf('van', other)]);

  expect([find(made)?.name, find(other)?.name]).toEqual(['till', 'van']);
  expect(find(`rg_0123456789_${'b'.repeat(43)}`)).toBeNull();
  expect(find(`${made}a`)).toBeNull();
});

test.each([`x${made}`, `${made}x`, made.slice(0, -1), made.replace('rg_0', 'rg_g')])(
  'text that does not have the form of a made key is none, even when its hash is stored: %s',
  (text) => {
    const { find, replaceMade } = startKeyring();
    replaceMade([madeKeyOf('till', text, { prefix: '0123456789' })]);

    expect(find(text)).toBeNull();
  },
);
