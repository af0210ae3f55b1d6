import { versionInfo } from 'graphql';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startTestGateway, type TestGateway } from '../support/gateway.ts';

// What the edition September 2026 changed, and what graphql-js 16 lacks.

const json = 'application/graphql-response+json';
/** `text/event-stream` beside JSON selects the Yoga path. */
const paths = [
  ['the fast path', json],
  ['the Yoga path', `${json}, text/event-stream;q=0.1`],
] as const;

let gateway: TestGateway;
beforeAll(async () => {
  gateway = await startTestGateway({ sandboxDomains: 10 });
});
afterAll(() => gateway?.close());

type Send = (
  query: string,
  variables?: object,
  // biome-ignore lint/suspicious/noExplicitAny: a test looks into responses of any shape
) => Promise<{ readonly status: number; readonly body: any }>;

const isNewer = versionInfo.major > 16;
const one = 'query ($id: ID, $key: String!) { purchase(by: { id: $id }) { id } }';

interface InputType {
  readonly name: string;
  readonly isOneOf: boolean;
  readonly inputFields: readonly { readonly type: { kind: string; name: string | null } }[];
}

const checks: Readonly<Record<string, (send: Send) => Promise<void>>> = {
  async 'empty-selection'(send) {
    for (const [query, data] of [
      ['{}', {}],
      ['query A { }', {}],
      ['{ reseller { } }', { reseller: {} }],
      ['{ reseller { ...F } } fragment F on Reseller {}', { reseller: {} }],
    ] as const) {
      const { status, body } = await send(query);
      expect([query, status, body.data]).toEqual([
        query,
        ...(isNewer ? [200, data] : [400, undefined]),
      ]);
    }
    expect((await send('{ reseller { name {} } }')).status).toBe(isNewer ? 422 : 400);
    expect((await send('{ reseller }')).status).toBe(422);
  },
  async 'directive-deprecation'(send) {
    const directives = 'name isDeprecated deprecationReason locations';
    const { body } = await send(`{ __schema {
      all: directives(includeDeprecated: true) { ${directives} } directives { ${directives} } } }`);
    const { all, directives: active } = body.data.__schema;
    expect(all).toEqual(active);
    expect(all.length).toBeGreaterThan(5);
    expect(all.filter((one: { isDeprecated: boolean }) => one.isDeprecated)).toEqual([]);
    const places = await send('{ __type(name: "__DirectiveLocation") { enumValues { name } } }');
    expect(places.body.data.__type.enumValues).toContainEqual({ name: 'DIRECTIVE_DEFINITION' });
  },
  async 'one-of-value'(send) {
    const { body } = await send(`{ __schema { types { name isOneOf
      inputFields(includeDeprecated: true) { type { kind name } } } } }`);
    const types: readonly InputType[] = body.data.__schema.types;
    const oneOfs = new Map(types.flatMap((type) => (type.isOneOf ? [[type.name, type]] : [])));
    // A member of another type than `@oneOf` has a value: the rule about cycles of other inputs is older.
    const hasValue = (name: string, seen: readonly string[] = []): boolean =>
      !seen.includes(name) &&
      (oneOfs.get(name)?.inputFields ?? []).some(
        ({ type }) => !oneOfs.has(type.name ?? '') || hasValue(type.name ?? '', [...seen, name]),
      );
    expect(oneOfs.size).toBeGreaterThan(3);
    expect([...oneOfs.keys()].filter((name) => !hasValue(name))).toEqual([]);
  },
  async 'one-of'(send) {
    for (const by of ['{}', '{ id: null }', '{ id: "a", key: "b" }', '{ id: "a", key: null }']) {
      const { status, body } = await send(`{ purchase(by: ${by}) { id } }`);
      expect([by, status, body.errors[0].extensions.code]).toEqual([by, 422, 'INVALID_INPUT']);
    }
    expect((await send(one, { id: 'a', key: 'b' })).status).toBe(422);
    const whole = 'query ($by: LookupInput!) { purchase(by: $by) { id } }';
    for (const by of [{}, { id: null }, { id: 'a', key: 'b' }, { id: 'a', key: null }]) {
      expect((await send(whole, { by })).status).toBe(422);
    }
  },
  async descriptions(send) {
    const query = `"""The reseller.""" query A("no use" $no: Boolean!) {
      reseller @skip(if: $no) { ...F } } "its name" fragment F on Reseller { name }`;
    const { status, body } = await send(query, { no: false });
    expect([status, body.data]).toEqual([200, { reseller: { name: 'Demo Reseller' } }]);
  },
  async 'unconditional-root'(send) {
    const field = 'searchDomains(labels: ["a"], tlds: ["com"])';
    for (const root of [
      `${field} @skip(if: $no) { availability { name } }`,
      `... @include(if: $no) { ${field} { availability { name } } }`,
      `...F } fragment F on Subscription { ${field} @include(if: $no) { availability { name } } ...F`,
    ]) {
      const { status, body } = await send(`subscription ($no: Boolean!) { ${root} }`, { no: true });
      expect([root, status, body.errors[0].extensions]).toMatchObject([
        ...[root, 422, { code: 'INVALID_REQUEST' }],
      ]);
    }
  },
  async 'deprecated-reason'(send) {
    const { body } = await send('{ __schema { directives { name args { name type { kind } } } } }');
    const { args } = body.data.__schema.directives.find(
      ({ name }: { name: string }) => name === 'deprecated',
    );
    const kind = isNewer ? 'NON_NULL' : 'SCALAR';
    expect(args).toEqual([{ name: 'reason', type: { kind } }]);
  },
};

describe.each(paths)('on %s', (_name, accept) => {
  const send: Send = async (query, variables) => {
    const response = await fetch(`${gateway.url}/graphql`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', accept },
      body: JSON.stringify({ query, variables }),
    });
    return { status: response.status, body: await response.json() };
  };

  test.each(Object.entries(checks))('%s', (_id, check) => check(send));
});
