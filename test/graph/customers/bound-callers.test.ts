import { afterAll, beforeAll, expect, test } from 'vitest';
import { by } from '../../access/keys.ts';
import { type RootSample, rootSamples, unknownTarget } from '../../samples/all.ts';
import { documentOf } from '../../samples/document-of.ts';
import type { Target } from '../../samples/target.ts';
import { openStream } from '../../support/event-stream.ts';
import { type BoundShop, fillBolt, marks, openBoundShop } from './bound-shop.ts';

let opened: BoundShop;
let foreign: Target;
let unknown: Target;
beforeAll(async () => {
  opened = await openBoundShop();
  foreign = await fillBolt(opened);
  unknown = unknownTarget('outside-harbor.com');
});
afterAll(() => opened?.close());

/** The whole response as text, and the calls that the request caused. */
async function send(who: string, sample: RootSample, target: Target) {
  const { gateway } = opened;
  const query = documentOf(sample, target);
  await gateway.resetCalls();
  if (sample.field.startsWith('Subscription')) {
    const stream = await openStream(gateway.url, { query, headers: by(who) });
    const first = await stream.next();
    stream.hangUp();
    return { text: JSON.stringify(first?.data), calls: await gateway.countCalls() };
  }
  const { data, errors } = await gateway.query(query, {}, by(who));
  return { text: JSON.stringify({ data, errors }), calls: await gateway.countCalls() };
}

/** Without values that each response has of its own. */
const comparable = (text: string) =>
  text.replaceAll(/"(requestId|column|durationMs)":("[^"]*"|\d+)|"[\d-]{10}T[\d:.]+Z"/g, '');

/** Without the report of upstream calls, which a caller of a customer does not get. */
const withoutReport = (text: string) =>
  comparable(text).replaceAll(/,"upstream":\{"calls".*?\]\}/g, '');

/** Without the values that the request itself has. */
const withoutTarget = (text: string, target: Target) =>
  [target, target.cursors, target.ids]
    .flatMap((values): string[] => Object.values(values))
    .filter((value) => typeof value === 'string')
    .sort((one, other) => other.length - one.length)
    .reduce((rest, value) => rest.replaceAll(value, '…'), comparable(text));

const samplesOf = (...customers: readonly RootSample['customers'][]) =>
  rootSamples.filter((sample) => customers.includes(sample.customers));

test.each(samplesOf('refused'))(
  '$field is refused to a caller of a customer with every scope',
  async (sample) => {
    const { text, calls } = await send('acme', sample, foreign);

    expect(text).toContain('This needs a key or token that is not bound to a customer.');
    expect(JSON.parse(text).errors[0].extensions.code).toBe('FORBIDDEN');
    expect(calls).toEqual({});
  },
);

test.each(samplesOf('own', 'unnamed'))(
  '$field responds to the names, ids, keys and cursors of another customer as to unknown ones, in as many calls',
  { tags: ['C1'] },
  async (sample) => {
    const ofForeign = await send('acme', sample, foreign);
    const ofUnknown = await send('acme', sample, unknown);

    expect(ofForeign.text).not.toMatch(/INVALID_REQUEST|COST_LIMIT_EXCEEDED|INTERNAL/);
    expect(withoutTarget(ofForeign.text, foreign)).toBe(withoutTarget(ofUnknown.text, unknown));
    expect(ofForeign.calls).toEqual(ofUnknown.calls);
    expect(marks.filter((mark) => ofForeign.text.includes(mark))).toEqual([]);
  },
);

test.each(samplesOf('public'))('$field has the same response for every caller', async (sample) => {
  const [ofAcme, ofReseller] = [
    await send('acme', sample, foreign),
    await send('reseller', sample, foreign),
  ];

  expect(ofAcme.text).not.toContain('"errors"');
  expect(ofAcme.text).not.toContain('"upstream":');
  expect(comparable(ofAcme.text)).toBe(withoutReport(ofReseller.text));
});

// Without this test the samples could select nothing.
test.each(samplesOf('own').filter(({ field }) => field.startsWith('Query.')))(
  '$field shows the same names, ids, keys and cursors to their own customer',
  async (sample) => {
    const { text } = await send('bolt', sample, foreign);

    expect(text).not.toContain('"errors":[{');
    expect(comparable(text)).not.toBe(comparable((await send('acme', sample, foreign)).text));
  },
);
