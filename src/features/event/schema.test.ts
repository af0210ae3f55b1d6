import { parse, subscribe } from 'graphql';
import { expect, test } from 'vitest';
import { minute } from '../../../test/persistence/claims.ts';
import { plainQuotes } from '../../../test/support/plain-quotes.ts';
import { withParts } from '../../../test/support/with-parts.ts';
import { schema } from '../../app/graph.ts';
import { type AccessScope, anonymous, type Caller } from '../../kernel/caller.ts';
import { cursorText, globalId } from '../../kernel/ids.ts';
import { execute } from '../../lib/graphql-js.ts';
import type { EventRecord } from './log.ts';
import { servedTypes } from './schema.ts';
import { createEventService } from './service.ts';
import { eventNumber } from './test/new-events.ts';
import { eventValue } from './value.ts';

const recordOf = (position: number, changes: Partial<EventRecord> = {}): EventRecord => ({
  ...eventNumber(position),
  customer: null,
  position,
  ...changes,
});
/** Without a filter the list has the types of the graph. */
const types = servedTypes({ schema });
const cursorOf = (position: number | string) => cursorText([String(position)]);

/** Runs documents over a service that returns three events and records its arguments. */
function start({
  caller = anonymous,
  events = [1, 2, 3].map((position) => recordOf(position)),
}: {
  readonly caller?: Caller;
  readonly events?: readonly EventRecord[];
} = {}) {
  const calls: unknown[] = [];
  const { placeOf, positionAt } = createEventService({ journal: {} } as never, caller);
  const service = {
    placeOf,
    positionAt,
    valueOf: (event: EventRecord, text: string | null) =>
      eventValue(event, text, { quotes: plainQuotes, seesCosts: true }),
    async list(page: object) {
      calls.push(page);
      return { items: events, count: async () => 9, before: false, after: true };
    },
    async follow(...args: readonly unknown[]) {
      calls.push(args);
      return (async function* () {
        yield recordOf(4);
      })();
    },
  };
  const contextValue = {
    caller,
    ...withParts({
      events: service,
      purchases: { storedById: async (id: string | null) => (id === 'p-1' ? { id } : null) },
    }),
    readOnce: (_key: string, read: () => unknown) => read(),
    beginUpdate: () => undefined,
  };
  const run = { schema, contextValue };
  const plain = (value: unknown) => JSON.parse(JSON.stringify(value));
  return {
    contextValue,
    calls,
    send: async (text: string) => plain(await execute({ ...run, document: parse(text) })),
    async follow(text: string) {
      const stream = await subscribe({ ...run, document: parse(text) });
      if (!(Symbol.asyncIterator in stream)) return plain(stream);
      const sent: unknown[] = [];
      for await (const event of stream) sent.push(plain(event));
      return sent;
    },
  };
}

const fields =
  'id cursor type foundAt subject domainName purchase { id } source caller before { text } after { text }';
const filter =
  'filter: { types: [EXPIRING, STATE_CHANGED], domain: "A.com", at: { from: "2026-01-31T12:00:00Z" } }';
const parsedFilter = {
  types: ['EXPIRING', 'STATE_CHANGED'],
  domain: 'a.com',
  at: { from: new Date('2026-01-31T12:00:00Z') },
};
const node = (position: number) => ({
  id: eventNumber(position).id,
  cursor: cursorOf(position),
  ...{ type: 'STATE_CHANGED', foundAt: minute(position).toISOString() },
  ...{ subject: eventNumber(position).domain, domainName: eventNumber(position).domain },
  ...{ purchase: null, source: 'UPSTREAM', caller: null },
  ...{ before: { text: 'ACTIVE' }, after: { text: 'EXPIRED' } },
});

test('an event that is not about a domain has its subject, and one of a purchase has the purchase', async () => {
  const events = [
    recordOf(1, { type: 'PRICE_CHANGED', subject: 'com', domain: null }),
    recordOf(2, { type: 'PURCHASE_SETTLED', purchaseId: 'p-1', source: 'GATEWAY' }),
  ];
  const { send } = start({ events });
  const { data } = await send('{ events { nodes { subject domainName purchase { id } source } } }');

  expect(data.events.nodes).toEqual([
    { subject: 'com', domainName: null, purchase: null, source: 'UPSTREAM' },
    {
      ...{ subject: 'name-002.com', domainName: 'name-002.com' },
      ...{ purchase: { id: globalId('Purchase', 'p-1') }, source: 'GATEWAY' },
    },
  ]);
});

test.each<[string | null, readonly AccessScope[], readonly (string | null)[]]>([
  ['shop', ['events:read'], ['shop', null, null]],
  ['office', ['events:read', 'ops'], ['shop', 'other', null]],
  [null, ['events:read', 'ops'], ['shop', 'other', null]],
])(
  'to %j with the scopes %j the callers of changes are %j',
  { tags: ['E9'] },
  async (name, scopes, callers) => {
    const { send } = start({
      caller: { ...anonymous, name, scopes: new Set(scopes) },
      events: ['shop', 'other', null].map((caller, at) =>
        recordOf(at + 1, { caller, source: 'GATEWAY' }),
      ),
    });
    const { data } = await send('{ events { nodes { caller } } }');

    expect(data.events.nodes).toEqual(callers.map((caller) => ({ caller })));
  },
);

test('a caller without the scope events:read is refused', { tags: ['E9'] }, async () => {
  const scopes = new Set<AccessScope>(['domains:read', 'ops']);
  const { send, calls } = start({ caller: { ...anonymous, scopes } });

  expect((await send('{ events { totalCount } }')).errors).toHaveLength(1);
  expect(calls).toEqual([]);
});

test('a list of events has their facts, their cursors and the facts of the page', async () => {
  const { send, calls } = start();
  const { data } = await send(
    `{ events { totalCount nodes { ${fields} } edges { cursor } pageInfo { hasNextPage hasPreviousPage } } }`,
  );

  expect(data.events).toEqual({
    totalCount: 9,
    nodes: [1, 2, 3].map(node),
    edges: [1, 2, 3].map((position) => ({ cursor: cursorOf(position) })),
    pageInfo: { hasNextPage: true, hasPreviousPage: false },
  });
  expect(calls).toEqual([{ limit: 20, fromEnd: false, filter: { types } }]);
});

test('the arguments of a list are its positions and its filter', async () => {
  const { send, calls } = start();
  await send(`{ events(last: 5, after: "${cursorOf(7)}", ${filter}) { totalCount } }`);
  await send(`{ events(first: 0, before: "${cursorOf('999999999999999')}") { totalCount } }`);
  await send(`{ events(filter: { types: [] }, after: null, before: null) { totalCount } }`);

  expect(calls).toEqual([
    { limit: 5, fromEnd: true, after: 7, filter: parsedFilter },
    { limit: 0, fromEnd: false, before: 999_999_999_999_999, filter: { types } },
    { limit: 20, fromEnd: false, filter: { types: [] } },
  ]);
});

test('a subscription has the position of its cursor and a filter, and sends events', async () => {
  const { follow, calls } = start();

  expect(await follow(`subscription { events { ${fields} } }`)).toEqual([
    { data: { events: node(4) } },
  ]);
  await follow(`subscription { events(after: "${cursorOf(7)}", ${filter}) { id } }`);
  await follow(`subscription { events(after: null, filter: null) { id } }`);

  expect(calls).toEqual([
    [null, { types }],
    [7, parsedFilter],
    [null, { types }],
  ]);
});

test.each(['x1', '1x', '-1', '1.5', '', '1234567890123456'])(
  'a cursor with the position %j is refused before the journal is read',
  async (position) => {
    const { send, follow, calls } = start();
    const refusal = (argument: string) => [
      expect.objectContaining({ message: `"${argument}" is not a cursor of events.` }),
    ];
    const cursor = cursorOf(position);

    expect((await send(`{ events(after: "${cursor}") { totalCount } }`)).errors).toEqual(
      refusal('after'),
    );
    expect((await send(`{ events(before: "${cursor}") { totalCount } }`)).errors).toEqual(
      refusal('before'),
    );
    expect((await follow(`subscription { events(after: "${cursor}") { id } }`)).errors).toEqual(
      refusal('after'),
    );
    expect(calls).toEqual([]);
  },
);

test('a refused cursor names its argument', async () => {
  const { errors } = await execute({
    schema,
    document: parse(`{ events(before: "${cursorOf('x')}") { totalCount } }`),
    contextValue: start().contextValue,
  });

  expect(errors?.[0]?.originalError).toMatchObject({ inputPath: ['before'] });
});
