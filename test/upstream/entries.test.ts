import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createEntriesParser } from '../../src/upstream/entries.ts';
import { runs } from '../support/long.ts';

const parse = createEntriesParser('availability');

/** What a parser makes of a text, with entries as pairs; nothing where it is no JSON. */
function readBy(parser: (text: string) => unknown, text: string): unknown {
  try {
    const body = parser(text);
    const isObject = typeof body === 'object' && body !== null && !Array.isArray(body);
    const { availability, ...rest } = { ...(isObject ? body : { body }) } as Record<
      string,
      unknown
    >;
    const isEntries = typeof availability === 'object' && availability !== null;
    if (!isEntries || Array.isArray(availability)) return { ...rest, availability };
    const pairs = availability instanceof Map ? [...availability] : Object.entries(availability);
    // The order means nothing, and an object puts what looks like a number first.
    return { ...rest, pairs: new Map(pairs) };
  } catch {
    return 'no JSON';
  }
}

const replies = fc
  .record({
    before: fc.dictionary(fc.string(), fc.oneof(fc.string(), fc.integer(), fc.constant(null)), {
      maxKeys: 3,
    }),
    entries: fc.dictionary(fc.oneof(fc.domain(), fc.string()), fc.jsonValue()),
    after: fc.dictionary(fc.string(), fc.jsonValue(), { maxKeys: 2 }),
    blanks: fc.constantFrom(undefined, 1, '\t'),
  })
  .map(({ before, entries, after, blanks }) =>
    JSON.stringify({ ...before, availability: entries, ...after }, null, blanks),
  );

test('what is read is what any parser reads', () => {
  fc.assert(
    fc.property(replies, (text) => {
      expect(readBy(parse, text)).toEqual(readBy(JSON.parse, text));
    }),
    { numRuns: runs(300, 2_000) },
  );
});

test('what is no JSON, or other JSON, is to this parser what it is to any', () => {
  const edits = fc.array(
    fc.record({
      at: fc.nat(),
      cut: fc.nat(3),
      put: fc.constantFrom(
        '',
        '"',
        ':',
        ',',
        '{',
        '}',
        '[',
        ']',
        '1',
        ' ',
        '"availability":',
        '\\',
      ),
    }),
    { minLength: 1, maxLength: 4 },
  );
  const spoil = (text: string, { at, cut, put }: { at: number; cut: number; put: string }) => {
    const place = at % text.length;
    return text.slice(0, place) + put + text.slice(place + cut);
  };
  fc.assert(
    fc.property(replies, edits, (text, all) => {
      const spoilt = all.reduce((rest, edit) => (rest === '' ? rest : spoil(rest, edit)), text);
      expect(readBy(parse, spoilt)).toEqual(readBy(JSON.parse, spoilt));
    }),
    { numRuns: runs(800, 5_000) },
  );
});

test.each([
  [
    'a reply',
    '{"status":"success","availability":{"a.com":[{"Price":"1.0000"}],"b.com":[]}}',
    true,
  ],
  ['a reply with blanks', '{ "availability" : { "a.com" : [ ] } , "status" : "success" }', true],
  ['an empty object', '{"availability":{}}', true],
  ['an empty list', '{"availability":[]}', false],
  ['an escape', '{"availability":{"\\u0061.com":[]}}', false],
  ['two of them', '{"availability":{"a.com":[]},"availability":{"b.com":[]}}', false],
  ['one that stands deeper', '{"data":{"availability":{"a.com":[]}}}', false],
])('%s', (_, text, isMap) => {
  const { availability } = parse(text) as { availability?: unknown };

  expect(availability instanceof Map).toBe(isMap);
  expect(readBy(parse, text)).toEqual(readBy(JSON.parse, text));
});

test.each([
  ['a number as a name', '{"availability":{1:2}}'],
  ['a name without a value', '{"availability":{"a.com"}}'],
  ['two values', '{"availability":{"a.com":1:2}}'],
  ['a comma too many', '{"availability":{"a.com":1,}}'],
  ['a list that ends it', '{"availability":{"a.com":1]}'],
])('%s is no JSON', (_, text) => {
  expect(() => parse(text)).toThrow(SyntaxError);
});
