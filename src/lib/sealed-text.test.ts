import { expect, test } from 'vitest';
import { createSeal, SealError } from './sealed-text.ts';

const seal = createSeal(Buffer.alloc(32, 1));
const about = ['live:demo', 'acme', 'Office'];
const text = '{"firstName":"Ada Łovelace"}';

test('a sealed text is read again, and shows nothing of it', () => {
  const stored = seal.seal(text, about);

  expect(seal.open(stored, about)).toBe(text);
  expect(stored).toMatch(/^v1\.[0-9a-f]{8}\.[\w-]+$/);
  expect(Buffer.from(stored.split('.')[2] ?? '', 'base64url').toString()).not.toContain('Ada');
});

test('equal texts are stored differently', () => {
  expect(seal.seal(text, about)).not.toBe(seal.seal(text, about));
});

test('without a key a text is stored as it is, and is readable after a key is set', () => {
  const stored = createSeal(null).seal(text, about);

  expect(stored).toBe(text);
  expect(seal.open(stored, about)).toBe(text);
});

const stored = seal.seal(text, about);
const lastChanged = stored.slice(0, -2) + (stored.endsWith('AA') ? 'BB' : 'AA');

test.each([
  ['of another key', createSeal(Buffer.alloc(32, 2)), stored, about, 'with another key'],
  ['without a key', createSeal(null), stored, about, 'the gateway has no key'],
  ['of another place', seal, stored, ['live:demo', 'other', 'Office'], 'is damaged'],
  ['that was changed', seal, lastChanged, about, 'is damaged'],
  ['that was cut off', seal, stored.slice(0, 20), about, 'is damaged'],
])('a text %s is an error, never other text', (_what, other, changed, place, reason) => {
  const open = () => other.open(changed, place);

  expect(open).toThrow(SealError);
  expect(open).toThrow(reason);
});
