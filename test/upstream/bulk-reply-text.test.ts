import fc from 'fast-check';
import { expect, test } from 'vitest';
import { parseBulkReply } from '../../src/upstream/domain-api/bulk-reply-text.ts';
import { domainApi } from '../../src/upstream/domain-api/operations.ts';
import { runs } from '../support/long.ts';

const { reply } = domainApi.bulkcheckavailability;

const plainText = fc.string().filter((text) => JSON.stringify(text) === `"${text}"`);
const ordinaryEntry = fc.record({
  TLD: plainText,
  DomainName: plainText,
  Status: fc.oneof(fc.constantFrom('available', 'notavailable'), plainText),
  Command: plainText,
  Period: fc.nat(999_999_999),
  IsFee: fc.boolean(),
  Price: fc.oneof(fc.constantFrom('11.2900', '0.0000'), plainText),
  Currency: fc.oneof(fc.constantFrom('USD', 'TL'), plainText),
  Reason: fc.option(plainText),
});
const ordinaryReply = fc.record({
  status: plainText,
  availability: fc
    .uniqueArray(fc.tuple(fc.oneof(fc.domain(), plainText), ordinaryEntry), {
      minLength: 1,
      selector: ([name]) => name,
    })
    .map((pairs) => Object.fromEntries(pairs.map(([name, entry]) => [name, [entry]]))),
});

test('the fast path reads ordinary replies, and reads what JSON.parse reads', () => {
  fc.assert(
    fc.property(ordinaryReply, (body) => {
      const fast = parseBulkReply(JSON.stringify(body));

      expect(fast).toBeDefined();
      // The order of integer-like keys differs; it has no meaning.
      expect(reply(fast)).toEqual(reply(body));
    }),
    { numRuns: runs(200, 2_500) },
  );
});

test('a reply with any edit is read as JSON.parse reads it, or is left to JSON.parse', () => {
  const edits = fc.array(
    fc.record({
      at: fc.nat(),
      cut: fc.nat(3),
      put: fc.constantFrom('', '"', ':', ',', '{', '}', '[', ']', '1', '0', ' ', '\n', '\\', '\\"'),
    }),
    { minLength: 1, maxLength: 3 },
  );
  const edit = (text: string, { at, cut, put }: { at: number; cut: number; put: string }) => {
    const place = text === '' ? 0 : at % text.length;
    return text.slice(0, place) + put + text.slice(place + cut);
  };
  let read = 0;
  fc.assert(
    fc.property(ordinaryReply, edits, (body, all) => {
      const text = all.reduce(edit, JSON.stringify(body));
      const fast = parseBulkReply(text);
      if (fast === undefined) return;
      read += 1;
      expect(reply(fast)).toEqual(reply(JSON.parse(text)));
    }),
    { numRuns: runs(1_000, 10_000) },
  );
  expect(read).toBeGreaterThan(0);
});

const entry = {
  ...{ TLD: 'com', DomainName: 'a', Status: 'available', Command: 'create', Period: 1 },
  ...{ IsFee: false, Price: '11.2900', Currency: 'USD', Reason: null },
};
const { Reason: _reason, ...withoutReason } = entry;

test.each([
  ['an empty entry', { status: 'success', availability: { 'a.com': [] } }],
  ['two offers', { status: 'success', availability: { 'a.com': [entry, entry] } }],
  [
    'a price as a number',
    { status: 'success', availability: { 'a.com': [{ ...entry, Price: 9 }] } },
  ],
  ['a missing member', { status: 'success', availability: { 'a.com': [withoutReason] } }],
  ['a new member', { status: 'success', availability: { 'a.com': [{ ...entry, New: 1 }] } }],
  [
    'an entry that is an error',
    { status: 'success', availability: { 'a.com': { status: 'error' } } },
  ],
  ['an error', { result: 'ERROR', error: { Code: 'API_2303_ERROR' } }],
  ['no names', { status: 'success', availability: [] }],
  [
    'a member after the entries',
    { status: 'success', availability: { 'a.com': [entry] }, more: 1 },
  ],
])('a reply with %s is left to JSON.parse', (_, body) => {
  expect(parseBulkReply(JSON.stringify(body))).toBeUndefined();
});

test('an escape is left to JSON.parse', () => {
  const text = JSON.stringify({ status: 'success', availability: { 'a.com': [entry] } });

  expect(parseBulkReply(text)).toBeDefined();
  expect(parseBulkReply(text.replace('a.com', '\\u0061.com'))).toBeUndefined();
});
