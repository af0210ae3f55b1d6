import { afterAll, beforeAll, expect, test } from 'vitest';
import { schema } from '../../../src/app/graph.ts';
import { by } from '../../access/keys.ts';
import { openStream } from '../../support/event-stream.ts';
import { type Document, documentOf, rows } from './bound-rows.ts';
import {
  type BoundShop,
  fillBolt,
  marks,
  openBoundShop,
  type Target,
  unknownTarget,
} from './bound-shop.ts';

let opened: BoundShop;
let foreign: Target;
let unknown: Target;
beforeAll(async () => {
  opened = await openBoundShop();
  foreign = await fillBolt(opened);
  unknown = unknownTarget(opened);
});
afterAll(() => opened?.close());

/** The whole response as text, and the calls that the request caused. */
async function send(who: string, root: string, document: Document) {
  const { gateway } = opened;
  const [query, variables] = typeof document === 'string' ? [document, {}] : document;
  await gateway.resetCalls();
  if (root === 'Subscription') {
    const stream = await openStream(gateway.url, { query, headers: by(who) });
    const first = await stream.next();
    stream.hangUp();
    return { text: JSON.stringify(first?.data), calls: await gateway.countCalls() };
  }
  const { data, errors } = await gateway.query(query, variables, by(who));
  return { text: JSON.stringify({ data, errors }), calls: await gateway.countCalls() };
}

/** Without values that each response has of its own. */
const comparable = (text: string) =>
  text.replaceAll(/"(requestId|column|durationMs)":("[^"]*"|\d+)|"[\d-]{10}T[\d:.]+Z"/g, '');

/** Without the values that the request itself has. */
const withoutTarget = (text: string, target: Target) =>
  [target, target.cursors]
    .flatMap((values): string[] => Object.values(values))
    .filter((value) => typeof value === 'string')
    .sort((one, other) => other.length - one.length)
    .reduce((rest, value) => rest.replaceAll(value, '…'), comparable(text));

const roots = [schema.getQueryType(), schema.getMutationType(), schema.getSubscriptionType()];
const fields = roots.flatMap((type) =>
  Object.keys(type?.getFields() ?? {}).map((field) => [`${type?.name}.${field}`]),
);
const refused = fields.flat().filter((field) => 'refused' in (rows[field] ?? {}));
const ofData = fields.flat().filter((field) => 'as' in (rows[field] ?? {}));

test('each root field has a row in the table of responses to callers of a customer', () => {
  expect(Object.keys(rows).sort()).toEqual(fields.flat().sort());
});

test.each(refused)('%s is refused to a caller of a customer with every scope', async (field) => {
  const { text, calls } = await send('acme', field, documentOf(field, foreign));

  expect(text).toContain('This needs a key or token that is not bound to a customer.');
  expect(JSON.parse(text).errors[0].extensions.code).toBe('FORBIDDEN');
  expect(calls).toEqual({});
});

test.each(ofData)(
  '%s responds to the names, ids, keys and cursors of another customer as to unknown ones, in as many calls',
  { tags: ['C1'] },
  async (field) => {
    const [root = ''] = field.split('.');
    const ofForeign = await send('acme', root, documentOf(field, foreign));
    const ofUnknown = await send('acme', root, documentOf(field, unknown));

    expect(ofForeign.text).not.toMatch(/INVALID_REQUEST|COST_LIMIT_EXCEEDED|INTERNAL/);
    expect(withoutTarget(ofForeign.text, foreign)).toBe(withoutTarget(ofUnknown.text, unknown));
    expect(ofForeign.calls).toEqual(ofUnknown.calls);
    expect(marks.filter((mark) => ofForeign.text.includes(mark))).toEqual([]);
  },
);

test.each(fields.flat().filter((field) => 'public' in (rows[field] ?? {})))(
  '%s has the same response for every caller',
  async (field) => {
    const [root = ''] = field.split('.');
    const [ofAcme, ofReseller] = [
      await send('acme', root, documentOf(field, foreign)),
      await send('reseller', root, documentOf(field, foreign)),
    ];

    expect(ofAcme.text).not.toContain('"errors"');
    expect(comparable(ofAcme.text)).toBe(comparable(ofReseller.text));
  },
);

// Without this test the documents of the table could select nothing.
test.each(
  ofData.filter((field) => field.startsWith('Query.') && !/gateway|quoteOrder/.test(field)),
)('%s shows the same names, ids, keys and cursors to their own customer', async (field) => {
  const document = documentOf(field, foreign);
  const { text } = await send('bolt', 'Query', document);

  expect(text).not.toContain('"errors":[{');
  expect(comparable(text)).not.toBe(comparable((await send('acme', 'Query', document)).text));
});
