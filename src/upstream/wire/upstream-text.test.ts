import { describe, expect, test } from 'vitest';
import { cleanText, isClean, redactMessages, redactValues } from './upstream-text.ts';

describe('a cleaned message', { tags: ['G20'] }, () => {
  test.each<[message: unknown, cleaned: string]>([
    ['  Domain not found.\n', 'Domain not found.'],
    ['a\t\tb\r\n c', 'a b c'],
    ['a\u0000b\u200bc\u202ed\u2028e\u2029f\ud800g', 'a b c d e f g'],
    ['<b>bold</b> and <br/>rest', 'bold and rest'],
    ['1 < 2 and 3', '1 < 2 and 3'],
    ['<<b>>', '< >'],
    [['one', 2, null, 'two'], 'one; two'],
    [[], ''],
    ['', ''],
    [' ', ''],
    [7, ''],
    [null, ''],
    [undefined, ''],
    [{ name: ['a', { b: 'b' }], period: 7 }, 'a; b'],
    [[[[['a']]]], ''],
  ])('of %j is %j', (message, cleaned) => {
    expect(cleanText(message)).toBe(cleaned);
  });

  test('has 300 characters at most, of which the last one shows that more followed', () => {
    expect(cleanText('x'.repeat(300))).toBe('x'.repeat(300));
    expect(cleanText('x'.repeat(301))).toBe(`${'x'.repeat(299)}…`);
  });

  test('has no half of a character at its end', () => {
    expect(cleanText(`${'x'.repeat(298)}😀😀`)).toBe(`${'x'.repeat(298)}�…`);
  });

  test('is of the first 4,000 characters', () => {
    expect(cleanText(`${' '.repeat(3_999)}ab`)).toBe('a');
    expect(cleanText(`${' '.repeat(4_000)}b`)).toBe('');
  });
});

describe('redacted values', { tags: ['G20'] }, () => {
  const secret = 'p"ss\\wörd/1';

  test.each([
    ['as they are', secret],
    ['in JSON', JSON.stringify(secret).slice(1, -1)],
    ['in a URL', encodeURIComponent(secret)],
  ])('are replaced %s, each time', (_, spelling) => {
    const redact = redactValues([secret]);

    expect(redact(`a ${spelling} b ${spelling}`)).toBe('a [redacted] b [redacted]');
  });

  test('are replaced from the longest to the shortest', () => {
    expect(redactValues(['ab', 'abcd', 'abc'])('abcd abc ab a')).toBe(
      '[redacted] [redacted] [redacted] a',
    );
  });

  test.each([
    ['No such user demo.', 'No such user [redacted].'],
    [
      'demo: user=demo&x, "demo", demo@example.com',
      '[redacted]: user=[redacted]&x, "[redacted]", [redacted]@example.com',
    ],
    ['%22demo%22 \\ndemo \\u0022demo', '%22[redacted]%22 \\n[redacted] \\u0022[redacted]'],
    ['host ns5.reseller-demo.com has no address', null],
    ['demo.com, ns.demo, demo-1.net, demos, my_demo, 2demo', null],
  ])('are replaced in "%s" as whole words when they are words', (text, expected) => {
    expect(redactValues(['key'], ['demo'])(text)).toBe(expected ?? text);
  });

  test('that are a word and a secret are replaced everywhere', () => {
    expect(redactValues(['demo', 'demo-key'], ['demo'])('demo-key demos')).toBe(
      '[redacted] [redacted]s',
    );
  });

  test('may be empty or no valid Unicode', () => {
    expect(redactValues(['', '\ud800'])('a\ud800b')).toBe('a[redacted]b');
    expect(redactValues([])('a')).toBe('a');
  });

  test('are in no text without them, unless it has an escape', () => {
    const redact = redactValues(['secret']);

    expect(isClean('{"a":"b"}', redact)).toBe(true);
    expect(isClean('{"a":"secret"}', redact)).toBe(false);
    expect(isClean('{"a":"\\u0073ecret"}', redact)).toBe(false);
  });
});

describe('the messages of a body', () => {
  const redact = redactValues(['secret']);
  const nested = (levels: number, inner: unknown): unknown =>
    levels === 0 ? inner : { a: nested(levels - 1, inner) };

  test('are redacted, and other text, numbers and null are unchanged', () => {
    const body = {
      ...{ DomainName: 'secret', count: 1, none: null, is: true, list: ['secret'] },
      error: 'secret',
      Errors: ['secret', { name: 'secret', MESSAGE: 'secret' }],
    };

    expect(redactMessages(body, redact)).toEqual({
      ...body,
      error: '[redacted]',
      Errors: ['[redacted]', { name: '[redacted]', MESSAGE: '[redacted]' }],
    });
    expect(redactMessages('secret', redact)).toBe('secret');
    expect(redactMessages(undefined, redact)).toBeUndefined();
  });

  test('are redacted down to the level of sixteen', () => {
    expect(redactMessages(nested(16, { message: 'secret' }), redact)).toEqual(
      nested(16, { message: '[redacted]' }),
    );
    expect(redactMessages(nested(17, { message: 'secret' }), redact)).toEqual(
      nested(17, { message: 'secret' }),
    );
    expect(redactMessages({ message: 'secret' }, redact, false, 16)).toEqual({
      message: '[redacted]',
    });
    expect(redactMessages({ message: 'secret' }, redact, false, 17)).toEqual({ message: 'secret' });
  });

  test('are redacted in lists, each of which is a level', () => {
    const lists = (levels: number, inner: unknown): unknown =>
      levels === 0 ? inner : [lists(levels - 1, inner)];

    expect(redactMessages(lists(16, { message: 'secret' }), redact)).toEqual(
      lists(16, { message: '[redacted]' }),
    );
    expect(redactMessages(lists(17, { message: 'secret' }), redact)).toEqual(
      lists(17, { message: 'secret' }),
    );
  });
});
