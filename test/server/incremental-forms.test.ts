import fc from 'fast-check';
import type { GraphQLResolveInfo } from 'graphql';
import { createSchema } from 'graphql-yoga';
import { afterAll, describe, expect, test } from 'vitest';
import { isStreamed } from '../../src/schema/incremental-delivery.ts';
import { startApp } from '../support/app.ts';
import { runs } from '../support/long.ts';

const newer = 'multipart/mixed;incrementalSpec=v0.2';
const older = 'multipart/mixed;deferSpec=20220824';

const fail = () => {
  throw new TypeError('deliberate');
};
/** Resolves after some turns of the event loop, so that parts are ready in different orders. */
const late = async (turns: number) => {
  for (let turn = 0; turn < turns; turn += 1) await new Promise(setImmediate);
  return turns;
};
async function* iterate() {
  yield 1;
  yield late(2);
  yield 3;
}
const things = [{ kind: 'A' }, { kind: 'B' }, { kind: 'A' }];
const common = {
  one: () => 1,
  soon: () => late(1),
  later: () => late(3),
  bad: fail,
  self: () => ({}),
  selves: () => [{}, {}],
  lateSelves: async () => {
    await late(2);
    return [{}, {}];
  },
  things: () => things,
  // graphql-js 16 takes no asynchronous iterator as a list.
  numbers: (_source: unknown, _input: unknown, _scope: unknown, info: GraphQLResolveInfo) =>
    isStreamed(info) ? iterate() : [1, late(2), 3],
};
const fields = `one: Int soon: Int later: Int bad: Int numbers: [Int]
  self: Query selves: [Query] lateSelves: [Query] things: [Thing]`;
const schema = createSchema({
  typeDefs: /* GraphQL */ `
    type Query { ${fields} needed: Int! broken: [Int!] }
    interface Thing { one: Int later: Int }
    type A implements Thing { one: Int later: Int }
    type B implements Thing { one: Int later: Int soon: Int }
  `,
  resolvers: {
    Query: {
      ...common,
      needed: fail,
      broken: async function* () {
        yield 1;
        fail();
      },
    },
    Thing: { __resolveType: ({ kind }: { kind: string }) => kind },
    A: { one: () => 1, later: () => late(3) },
    B: { one: () => 1, later: () => late(3), soon: () => late(1) },
  },
});

const app = await startApp({ schema });
afterAll(() => app.close());

// biome-ignore lint/suspicious/noExplicitAny: parts of any shape
type Json = any;
type Variables = Readonly<Record<string, unknown>>;

const send = (query: string, accept: string, variables: Variables = {}) =>
  app.request('/graphql', {
    method: 'POST',
    headers: { 'content-type': 'application/json', accept },
    body: JSON.stringify({ query, variables }),
  });

/** The parts of a response, without their `extensions`. */
async function partsOf(query: string, accept: string, variables?: Variables): Promise<Json[]> {
  const response = await send(query, accept, variables);
  const text = await response.text();
  if (!response.headers.get('content-type')?.startsWith('multipart/mixed'))
    return [JSON.parse(text)];
  return text
    .split('\r\n---')
    .filter((part) => part.includes('{'))
    .map((part) => JSON.parse(part.slice(part.indexOf('{'))))
    .map(({ extensions, ...part }) => part);
}

interface Merged {
  data: Json;
  errors: Json[];
}

function mergeInto(target: Json, value: Json): Json {
  if (typeof target !== 'object' || typeof value !== 'object' || !target || !value) return value;
  for (const [key, one] of Object.entries(value)) target[key] = mergeInto(target[key], one);
  return target;
}
const at = (data: Json, path: readonly (string | number)[]) =>
  path.reduce((value, key) => value[key], data);

/** As the specification of this form merges parts. */
function mergeOlder([first, ...rest]: Json[]): Merged {
  const { data, errors = [] } = first;
  for (const { path, items, data: more, errors: late = [] } of rest.flatMap(
    ({ incremental = [] }) => incremental,
  )) {
    errors.push(...late);
    if (items) at(data, path.slice(0, -1)).splice(path.at(-1), items.length, ...items);
    else if (more) mergeInto(at(data, path), more);
  }
  return { data, errors };
}

/** The same for the newer form; also checks that ids are announced and completed once. */
function mergeNewer(parts: Json[]): Merged {
  const { data, errors = [] } = parts[0];
  const open = new Map<string, Json>();
  const known = new Set<string>();
  for (const { pending = [], incremental = [], completed = [], hasNext } of parts) {
    for (const one of pending) {
      expect(known).not.toContain(one.id);
      known.add(one.id);
      open.set(one.id, one);
    }
    for (const { id, items, data: more, errors: late = [] } of incremental) {
      errors.push(...late);
      const target = at(data, open.get(id).path);
      if (items) target.push(...items);
      else mergeInto(target, more);
    }
    for (const { id, errors: late = [] } of completed) {
      errors.push(...late);
      expect(open.delete(id)).toBe(true);
    }
    if (hasNext === false) expect(open.size).toBe(0);
  }
  return { data, errors };
}

const comparable = ({ data, errors = [] }: Partial<Merged>) => ({
  data,
  errors: [...new Set(errors.map(({ path }) => JSON.stringify(path)))].toSorted(),
});

const leaf = fc.constantFrom(
  'one',
  'soon',
  'later',
  'bad',
  '__typename',
  'two: one @skip(if: $no)',
);
const condition = fc.constantFrom('', '(if: $yes)', '(if: $no)', '(label: "L#")', '(if: $absent)');
const stream = fc.constantFrom(
  '@stream',
  '@stream(initialCount: 1)',
  '@stream(initialCount: 9, label: "L#")',
  '@stream(if: $no)',
);
const onThing = fc.constantFrom(
  'one',
  '... @defer { one later }',
  '... on B @defer { soon }',
  '... on A @defer(if: $yes) { later ... @defer { one } }',
);
/** Each `#` is a number of its own. */
const { selection } = fc.letrec<{ selection: string; field: string }>((tie) => ({
  field: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    leaf,
    fc.constantFrom('...F', '...F @defer', '...F @defer(label: "L#")'),
    stream.map((one) => `n#: numbers ${one}`),
    fc
      .tuple(stream, fc.array(onThing, { minLength: 1, maxLength: 3 }))
      .map(([one, inner]) => `t#: things ${one} { ${inner.join(' ')} }`),
    fc
      .array(onThing, { minLength: 1, maxLength: 3 })
      .map((inner) => `things { ${inner.join(' ')} }`),
    tie('selection').map((inner) => `self ${inner}`),
    tie('selection').map((inner) => `selves ${inner}`),
    fc.tuple(stream, tie('selection')).map(([one, inner]) => `s#: lateSelves ${one} ${inner}`),
    fc.tuple(condition, tie('selection')).map(([one, inner]) => `... @defer${one} ${inner}`),
    fc
      .tuple(condition, tie('selection'))
      .map(([one, inner]) => `... on Query @defer${one} ${inner}`),
    tie('selection').map((inner) => `... @include(if: $no) ${inner}`),
  ),
  selection: fc
    .array(tie('field'), { minLength: 1, maxLength: 4 })
    .map((parts) => `{ ${parts.join(' ')} }`),
}));
const document = selection.map((root) => {
  const text = `query ($yes: Boolean = true, $no: Boolean = false, $absent: Boolean) ${root}
    fragment F on Query { later self { soon ... @defer { later bad } } }`;
  return text.split('#').reduce((before, after, count) => `${before}${count}${after}`);
});

test('the merged parts of either form are the response in one part', async () => {
  await fc.assert(
    fc.asyncProperty(document, async (given) => {
      const query = given.includes('...F') ? given : given.replace(/fragment F.*/s, '');
      const [whole] = await partsOf(query, 'application/json');
      // A document that is refused as a whole, for example because it is too deep, has no data.
      fc.pre(whole.data !== undefined);

      const [inOlder, inNewer] = await Promise.all([partsOf(query, older), partsOf(query, newer)]);

      expect(comparable(mergeOlder(inOlder))).toEqual(comparable(whole));
      expect(comparable(mergeNewer(inNewer))).toEqual(comparable(whole));
    }),
    { numRuns: runs(40, 3_000) },
  );
});

describe('in the form of graphql-js 17', () => {
  const paths = (errors: Json[]) => errors.map(({ path }) => path);

  test('a part announces the parts that follow from it, with the labels of the document', async () => {
    const parts = await partsOf(
      '{ one self { ... @defer(label: "outer") { soon self { ... @defer { later } } } } }',
      newer,
    );

    expect(parts).toEqual([
      {
        data: { one: 1, self: {} },
        pending: [{ id: '0', path: ['self'], label: 'outer' }],
        hasNext: true,
      },
      {
        pending: [{ id: '1', path: ['self', 'self'] }],
        incremental: [{ id: '0', data: { soon: 1, self: {} } }],
        completed: [{ id: '0' }],
        hasNext: true,
      },
      { incremental: [{ id: '1', data: { later: 3 } }], completed: [{ id: '1' }], hasNext: false },
    ]);
  });

  test('a list is announced with its first items', async () => {
    const parts = await partsOf(
      '{ things @stream(initialCount: 2, label: "list") { one } }',
      newer,
    );

    expect(parts).toEqual([
      {
        data: { things: [{ one: 1 }, { one: 1 }] },
        pending: [{ id: '0', path: ['things'], label: 'list' }],
        hasNext: true,
      },
      { incremental: [{ id: '0', items: [{ one: 1 }] }], completed: [{ id: '0' }], hasNext: false },
    ]);
  });

  test.each([
    ['a deferred fragment', '{ self { one ... @defer { later needed } } }', { one: 1 }],
    ['a list', '{ self { one broken @stream } }', { one: 1 }],
  ])('%s that fails is completed with a masked error', async (_what, query, self) => {
    const parts = await partsOf(query, newer);

    const failed = parts.flatMap(({ completed = [] }) => completed);
    expect(failed).toMatchObject([{ id: '0', errors: [{ extensions: { code: 'INTERNAL' } }] }]);
    expect(mergeNewer(parts).data).toMatchObject({ self });
  });

  test('an error in a part is masked and belongs to the part', async () => {
    const parts = await partsOf('{ one ... @defer { bad } }', newer);

    expect(parts[1].incremental).toMatchObject([
      { id: '0', data: { bad: null }, errors: [{ extensions: { code: 'INTERNAL' } }] },
    ]);
    expect(paths(parts[1].incremental[0].errors)).toEqual([['bad']]);
  });

  test.each([
    ['a list without later items', '{ things @stream(initialCount: 9) { one } }'],
    ['an inactive @defer', '{ one ... @defer(if: false) { soon } }'],
  ])('%s has one part without `hasNext`', async (_what, query) => {
    const parts = await partsOf(query, newer);

    expect(parts).toHaveLength(1);
    expect(Object.keys(parts[0])).toEqual(['data']);
  });

  test('response names of the document stay', async () => {
    const parts = await partsOf('{ part0: one ... @defer { part1: one _part0: soon } }', newer);

    expect(mergeNewer(parts).data).toEqual({ part0: 1, part1: 1, _part0: 1 });
  });
});

test.each([
  [newer, 'multipart/mixed; boundary="-"; incrementalSpec=v0.2'],
  [older, 'multipart/mixed; boundary="-"; deferSpec=20220824'],
  ['multipart/mixed', 'multipart/mixed; boundary="-"'],
  ['multipart/mixed;incrementalSpec=v9, multipart/mixed;q=0.1', 'multipart/mixed; boundary="-"'],
  ['multipart/mixed;incrementalSpec=v9, text/event-stream', 'text/event-stream'],
  ['multipart/mixed;q=0.5, text/event-stream', 'text/event-stream'],
  ['multipart/mixed;incrementalSpec=v9, */*', 'application/json; charset=utf-8'],
  ['multipart/mixed;incrementalSpec=v9', 'application/json; charset=utf-8'],
  [`${newer};q=0, application/json`, 'application/json; charset=utf-8'],
])('the response to "%s" is %s', async (accept, type) => {
  const { headers } = await send('{ one ... @defer { soon } }', accept);

  expect(headers.get('content-type')).toBe(type);
  const isStream = !type.startsWith('application');
  expect(headers.get('cache-control')).toBe(isStream ? 'no-store, no-transform' : 'no-store');
});
