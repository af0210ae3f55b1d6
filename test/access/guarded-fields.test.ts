import SchemaBuilder from '@pothos/core';
import { execute, type GraphQLField, parse, subscribe } from 'graphql';
import { describe, expect, test } from 'vitest';
import type { OperationLine } from '../../src/kernel/recorder.ts';
import { type AccessScope, allAccessScopes, anonymous } from '../../src/kernel/caller.ts';
import { Fault } from '../../src/kernel/faults.ts';
import { accessPlugin, assertMayRead, neededFor } from '../../src/schema/access.ts';
import type { Scope } from '../../src/scope/scope.ts';
import { recordedLines } from '../support/no-recorder.ts';

type Payload = Awaited<ReturnType<typeof pay>>;

/** The calls of resolvers. */
const calls: string[] = [];
const pay = async (name: string) => {
  calls.push(name);
  if (name === 'fails') throw new Fault('LOCKED');
  return {
    errors: name === 'refused' ? [{ code: 'NOT_FOUND' }, { code: 'LOCKED' }] : [],
    purchase: {
      ...{ sent: { state: 'SUCCEEDED' }, unbought: null },
      ...{ refused: { state: 'FAILED' }, cancelled: { state: 'FAILED' } },
    }[name],
  };
};

const builder = new SchemaBuilder<{ Context: Scope; Objects: { Paid: Payload } }>({
  plugins: [accessPlugin],
});
const spend = { accessScopes: ['domains:spend'] } as const;
const buys = { ...spend, extensions: { purchase: true } };
builder.objectType('Paid', { fields: (t) => ({ ok: t.boolean({ resolve: () => true }) }) });
const Order = builder.inputType('Order', { fields: (t) => ({ domain: t.string() }) });
builder.queryType({
  fields: (t) => ({
    open: t.string({ description: 'It is open.', resolve: () => 'open' }),
    one: t.string({
      description: 'One.',
      ...spend,
      resolve: (_root, _args, _scope, info) => info.fieldName,
    }),
    two: t.string({ accessScopes: ['ops', 'domains:spend'], resolve: () => 'two' }),
    any: t.string({ accessScopes: allAccessScopes, resolve: () => 'any' }),
    own: t.string({ ...spend, extensions: { own: true }, resolve: () => 'own' }),
  }),
});
builder.mutationType({
  fields: (t) => {
    const field = (name: string, options: { accessScopes?: readonly AccessScope[] } = {}) =>
      t.field({
        type: 'Paid',
        args: { input: t.arg({ type: Order }) },
        ...options,
        resolve: () => pay(name),
      });
    return {
      ...{ sent: field('sent', buys), unbought: field('unbought', buys) },
      cancelled: field('cancelled', spend),
      ...{ refused: field('refused'), fails: field('fails'), plain: field('plain') },
      danger: field('danger', { accessScopes: ['account:danger'] }),
    };
  },
});
builder.subscriptionType({
  fields: (t) => ({
    events: t.string({
      ...spend,
      async *subscribe() {
        calls.push('subscribe');
        yield 'first';
      },
      resolve: (event) => String(event),
    }),
  }),
});
const schema = builder.toSchema();

function startScope(...scopes: readonly AccessScope[]) {
  calls.length = 0;
  const lines: OperationLine[] = [];
  const who = { caller: 'ada', tenant: 'north', requestId: 'request-1' };
  const recorder = recordedLines((line) => lines.push(line), who);
  const contextValue = { caller: { ...anonymous, scopes: new Set(scopes) }, recorder };
  const run = async (text: string, variableValues = {}) => {
    const { data, errors = [] } = await execute({
      ...{ schema, document: parse(text), contextValue, variableValues },
    });
    return { data: data && { ...data }, codes: errors.map(codeOf) };
  };
  const outcomes = () => lines.map(({ operation, outcome }) => [operation, outcome]);
  return { contextValue, lines, outcomes, run };
}

const codeOf = ({ originalError }: { originalError?: unknown }) =>
  originalError instanceof Fault ? originalError.code : 'BUG';

describe('a field with scopes', () => {
  test.each<[string, readonly AccessScope[], boolean]>([
    ['open', [], true],
    ['one', ['domains:spend'], true],
    ['one', ['ops', 'domains:read'], false],
    ['one', [], false],
    ['two', ['ops'], true],
    ['two', ['domains:spend'], true],
    ['two', ['domains:check'], false],
    ['any', ['domains:check'], true],
    ['any', [], false],
  ])(
    'is resolved for a caller that has one of them: %s with %j',
    async (field, scopes, isAllowed) => {
      expect(await startScope(...scopes).run(`{ ${field} }`)).toEqual({
        data: { [field]: isAllowed ? field : null },
        codes: isAllowed ? [] : ['FORBIDDEN'],
      });
    },
  );

  const fieldOf = (name: string): GraphQLField<unknown, unknown> | undefined =>
    schema.getQueryType()?.getFields()[name];

  test.each([
    ['open', 'It is open.', []],
    ['one', 'One. Needs `domains:spend`.', ['domains:spend']],
    ['two', 'Needs `ops` or `domains:spend`.', ['ops', 'domains:spend']],
    ['any', 'Needs any scope.', allAccessScopes],
  ])('names them in its description and its extensions: %s', (name, description, needed) => {
    const field = fieldOf(name);

    expect(field?.description).toBe(description);
    expect(field && neededFor(field)).toEqual(needed);
  });

  test('keeps its other extensions', () => {
    expect(fieldOf('own')?.extensions).toMatchObject({ own: true, access: ['domains:spend'] });
  });

  test('without extensions needs none', () => {
    expect([neededFor({}), neededFor({ extensions: null }), neededFor({ extensions: {} })]).toEqual(
      [[], [], []],
    );
    const scope = startScope().contextValue as unknown as Scope;
    expect(() => assertMayRead(scope, {}, null)).not.toThrow();
  });
});

describe('a mutation', () => {
  test.each([
    ['sent', 'SUCCEEDED'],
    ['unbought', 'OK'],
    ['cancelled', 'OK'],
    ['refused', 'NOT_FOUND'],
    ['plain', 'OK'],
    ['fails', 'LOCKED'],
  ])('is recorder with its outcome: %s', async (field, outcome) => {
    const { run, lines } = startScope('domains:spend');

    await run(`mutation { ${field}(input: { domain: "a.com" }) { ok } }`);

    expect(lines).toEqual([
      {
        operation: field,
        subject: 'a.com',
        outcome,
        caller: 'ada',
        tenant: 'north',
        requestId: 'request-1',
      },
    ]);
  });

  test.each(['{ ok }', '(input: {}) { ok }', '(input: null) { ok }'])(
    'without a domain is recorder without a subject: %s',
    async (selection) => {
      const { run, lines } = startScope();

      await run(`mutation { plain${selection} }`);

      expect(lines).toMatchObject([{ operation: 'plain', subject: null, outcome: 'OK' }]);
    },
  );

  test('that is forbidden is recorder and not run', async () => {
    const { run, outcomes } = startScope('ops');

    expect((await run('mutation { sent { ok } }')).codes).toEqual(['FORBIDDEN']);
    expect(outcomes()).toEqual([['sent', 'FORBIDDEN']]);
    expect(calls).toEqual([]);
  });

  test.each([
    ['mutation { sent { ok } danger { ok } }', {}],
    ['mutation { sent { ok } ... { ...F } } fragment F on Mutation { danger { ok } }', {}],
    ['mutation ($a: Boolean!) { sent { ok } danger @include(if: $a) { ok } }', { a: true }],
  ])('runs only when every mutation of its operation is allowed: %s', async (text, variables) => {
    const { run, outcomes } = startScope('domains:spend');

    expect((await run(text, variables)).codes).toContain('FORBIDDEN');
    expect(calls).toEqual([]);
    expect(outcomes()[0]).toEqual(['danger', 'FORBIDDEN']);
  });

  test.each([
    ['mutation ($a: Boolean!) { sent { ok } danger @include(if: $a) { ok } }', { a: false }],
    ['mutation { sent { ok } __typename }', {}],
    ['mutation A { sent { ok } }', {}],
  ])('does not concern mutations that are not selected: %s', async (text, variables) => {
    const { run, outcomes } = startScope('domains:spend');

    expect((await run(text, variables)).codes).toEqual([]);
    expect(outcomes()).toEqual([['sent', 'SUCCEEDED']]);
  });
});

describe('a subscription', () => {
  const start = (contextValue: object) =>
    subscribe({ schema, document: parse('subscription { events }'), contextValue });

  test('is refused before it starts', async () => {
    const { contextValue } = startScope('ops');

    expect(await start(contextValue)).toMatchObject({ errors: [{ path: ['events'] }] });
    expect(calls).toEqual([]);
  });

  test('is checked when it starts, and not for each event', async () => {
    const { contextValue } = startScope('domains:spend');
    const stream = await start(contextValue);
    contextValue.caller = { ...contextValue.caller, scopes: new Set() };

    if (!(Symbol.asyncIterator in stream)) throw new Error('There is no stream.');
    expect((await stream.next()).value).toEqual({ data: { events: 'first' } });
  });
});
