import { expect, test } from 'vitest';
import { decodeText } from './decode-text.ts';

const text = 'pässword';
const utf16 = Buffer.from(`\uFEFF${text}`, 'utf16le');

test.each([
  ['UTF-8', Buffer.from(text)],
  ['UTF-8 with a byte order mark', Buffer.from(`\uFEFF${text}`)],
  ['little-endian UTF-16', utf16],
  ['big-endian UTF-16', Buffer.from(utf16).swap16()],
])('a file in %s is decoded without its mark', (_encoding, bytes) => {
  expect(decodeText(bytes)).toBe(text);
});

test('bytes of another encoding are refused', () => {
  expect(() => decodeText(Buffer.from(text, 'latin1'))).toThrow(TypeError);
});
