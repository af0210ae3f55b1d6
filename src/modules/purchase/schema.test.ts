import { type ExecutionResult, parse, subscribe } from 'graphql';
import { beforeEach, describe, expect, test } from 'vitest';
import { account, lostAnswer, minute, refused } from '../../../test/persistence/claims.ts';
import {
  callMs,
  createTenant,
  inconclusive,
  quietMs,
  type Tenant,
} from '../../../test/support/modules/journal-tenant.ts';
import { withParts } from '../../../test/support/with-parts.ts';
import { schema } from '../../app/graph.ts';
import { type AccessScope, anonymous } from '../../kernel/caller.ts';
import { globalId } from '../../kernel/ids.ts';
import { money } from '../../kernel/money.ts';
import { execute } from '../../lib/graphql-js.ts';
import type { PurchaseRecord } from '../../persistence/purchase-record.ts';
import { StoredReads } from '../../scope/reads.ts';
import { createEstimate } from '../../server/graphql/cost-estimate.ts';
import { createPurchaseJournalService } from './service.ts';
import { createSettlementNotifier } from './settlement-notifier.ts';

let tenant: Tenant;
beforeEach(async () => {
  tenant = await createTenant();
  tenant.upstream.details = inconclusive;
});

// biome-ignore lint/suspicious/noExplicitAny: the data of any document
type Data = Record<string, any>;

const operationOf = (
  source: string,
  variables: Data,
  scopes: readonly AccessScope[],
  name: string,
) => {
  const { journal, clock } = tenant;
  const caller = { ...anonymous, name, scopes: new Set(scopes) };
  const settlementNotifier = createSettlementNotifier({ journal, account, clock });
  const stored = new StoredReads(clock);
  const holds = [{ cancel: async () => null }];
  const startJobs = () => undefined;
  const deps = { ...tenant.start(), settlementNotifier, stored, holds, startJobs };
  const purchases = createPurchaseJournalService(deps, caller);
  return {
    schema,
    document: parse(source),
    variableValues: variables,
    contextValue: {
      caller,
      ...withParts({
        purchases,
        domainReads: { load: async (name: string) => ({ name, state: 'ACTIVE' }) },
      }),
      readOnce: (_key: string, read: () => unknown) => read(),
    },
  };
};
const send = async (
  source: string,
  variables: Data = {},
  scopes: readonly AccessScope[] = ['ops', 'domains:read'],
  name = 'shop',
) => (await execute(operationOf(source, variables, scopes, name))) as ExecutionResult<Data>;
const idOf = ({ id }: PurchaseRecord) => globalId('Purchase', id);
const read = async (purchase: PurchaseRecord, fields: string, scopes?: readonly AccessScope[]) => {
  const query = `query ($id: ID!) { purchase(by: { id: $id }) { ${fields} } }`;
  const { data, errors } = await send(query, { id: idOf(purchase) }, scopes);
  expect(errors).toBeUndefined();
  return data?.purchase;
};

describe('a purchase', () => {
  const failure = { to: 'FAILED', fault: refused } as const;

  test.each<[string, () => Promise<PurchaseRecord>, string, string | null]>([
    ['claimed', () => tenant.claim(), 'SENDING', null],
    ['sent', () => tenant.send(), 'SENDING', null],
    ['pending', () => tenant.pend(lostAnswer), 'PENDING', 'OUTCOME_UNKNOWN'],
    ['in progress', () => tenant.transfer(), 'IN_PROGRESS', null],
    [
      'complete',
      async () => tenant.move(await tenant.send(), { to: 'SUCCEEDED' }),
      'SUCCEEDED',
      null,
    ],
    ['failed', async () => tenant.move(await tenant.send(), failure), 'FAILED', refused.code],
    [
      'lost',
      async () => tenant.move(await tenant.send(), { to: 'UNKNOWN' }),
      'UNKNOWN',
      'OUTCOME_UNKNOWN',
    ],
  ])('that is %s is shown as it is for a client', async (_what, make, state, code) => {
    const purchase = await make();
    const shown = await read(purchase, 'state nextStep errors { code } transfer { stage }');

    expect(shown).toMatchObject({ state, errors: code ? [{ code }] : [] });
    expect(shown.nextStep.includes('Do not buy again')).toBe(
      ['SENDING', 'PENDING', 'IN_PROGRESS', 'UNKNOWN'].includes(state),
    );
    expect(shown.transfer).toEqual(state === 'IN_PROGRESS' ? { stage: 'REQUESTED' } : null);
  });

  test('has its identity, its price, its times and its domain', async () => {
    const sent = await tenant.send({ caller: 'shop', cost: money('11.29', 'USD') });
    const now = tenant.clock.now();

    expect(
      await read(
        sent,
        'id kind key period price { amount } caller domainName domain { name } createdAt submittedAt quietUntil',
      ),
    ).toEqual({
      id: idOf(sent),
      ...{ kind: 'REGISTRATION', key: sent.key, period: sent.period, caller: 'shop' },
      price: { amount: '11.2900' },
      ...{ domainName: sent.domain, domain: { name: sent.domain } },
      ...{ createdAt: now.toISOString(), submittedAt: now.toISOString() },
      quietUntil: new Date(now.getTime() + quietMs).toISOString(),
    });
  });

  test('hides its caller without the scope ops', async () => {
    const sent = await tenant.send({ caller: 'shop' });

    expect(await read(sent, 'caller', ['domains:spend'])).toEqual({ caller: null });
  });

  test('is found by its id, as a node, and by its key between blanks', async () => {
    const claimed = await tenant.claim();
    const query =
      'query ($id: ID!, $key: String!) { purchase(by: { id: $id }) { key } node(id: $id) { id } byKey: purchase(by: { key: $key }) { id } }';
    const { data } = await send(query, { id: idOf(claimed), key: ` ${claimed.key}\n` });

    expect(data).toEqual({
      purchase: { key: claimed.key },
      node: { id: idOf(claimed) },
      byKey: { id: idOf(claimed) },
    });
  });

  test('is not found by an id of another type', async () => {
    const { id } = await tenant.claim();

    expect(
      (
        await send('query ($id: ID!) { purchase(by: { id: $id }) { key } }', {
          id: globalId('Domain', id),
        })
      ).data,
    ).toEqual({ purchase: null });
  });

  test.each([
    'purchase(by: { id: "x" }) { id }',
    'purchase(by: { key: "x" }) { id }',
    'purchases { totalCount }',
  ])('is for callers that may spend or see all: %s', async (field) => {
    const errorsOf = async (...scopes: AccessScope[]) =>
      ((await send(`{ ${field} }`, {}, scopes)).errors ?? []).length;

    expect([await errorsOf('domains:spend'), await errorsOf('ops')]).toEqual([0, 0]);
    expect(await errorsOf('domains:read')).toBe(1);
  });
});

describe('the list of purchases', () => {
  const keys = async (args: Data) => {
    const query =
      'query ($filter: PurchaseFilter, $first: Int, $after: String, $last: Int, $before: String) { purchases(filter: $filter, first: $first, after: $after, last: $last, before: $before) { nodes { key } pageInfo { startCursor endCursor } totalCount } }';
    const { data, errors } = await send(query, args);
    expect(errors).toBeUndefined();
    const { nodes, pageInfo, totalCount } = data?.purchases ?? {};
    return { keys: nodes.map(({ key }: { key: string }) => key), ...pageInfo, totalCount };
  };

  test('is filtered by each condition, and a null condition is none', async () => {
    const at = (count: number) => ({ claimedAt: minute(count) });
    const claimed = await tenant.claim({ ...at(1), caller: 'shop' });
    const sent = await tenant.send(at(2));
    const pending = await tenant.pend(null, at(3));
    const transfer = await tenant.transfer(at(4));
    const done = await tenant.move(await tenant.send(at(5)), { to: 'SUCCEEDED' });
    const all = [done, transfer, pending, sent, claimed];
    const filtered = async (filter: Data | null) => (await keys({ filter })).keys;
    const keysOf = (...purchases: PurchaseRecord[]) => purchases.map(({ key }) => key);

    for (const filter of [
      null,
      {},
      { states: null, kinds: null, domain: null, transferStages: null, created: null },
      { created: { from: null, until: null }, caller: null },
    ]) {
      expect(await filtered(filter)).toEqual(keysOf(...all));
    }
    expect(await filtered({ states: ['SENDING'] })).toEqual(keysOf(sent, claimed));
    expect(await filtered({ states: ['PENDING'] })).toEqual(keysOf(pending));
    await tenant.time.pass(callMs);
    expect(await filtered({ states: ['SENDING'] })).toEqual(keysOf(claimed));
    expect(await filtered({ states: ['PENDING'] })).toEqual(keysOf(pending, sent));
    expect(await filtered({ states: ['SUCCEEDED'] })).toEqual(keysOf(done));
    expect(await filtered({ states: [] })).toEqual([]);
    expect(await filtered({ kinds: ['TRANSFER'] })).toEqual(keysOf(transfer));
    expect(await filtered({ transferStages: ['REQUESTED'] })).toEqual(keysOf(transfer));
    expect(await filtered({ domain: sent.domain })).toEqual(keysOf(sent));
    expect(await filtered({ created: { from: minute(4).toISOString() } })).toEqual(
      keysOf(done, transfer),
    );
    expect(await filtered({ created: { until: minute(3).toISOString() } })).toEqual(
      keysOf(sent, claimed),
    );
    expect(await filtered({ caller: 'shop' })).toEqual(keysOf(claimed));
    expect(await filtered({ caller: '' })).toEqual([]);
    expect(tenant.upstream.calls).toEqual([]);
  });

  test('is read in pages, also when purchases were claimed at the same time', async () => {
    const [one, two, three] = [await tenant.claim(), await tenant.claim(), await tenant.claim()];

    const first = await keys({ first: 2, after: null, before: null });
    expect(first).toMatchObject({ keys: [three.key, two.key], totalCount: 3 });
    expect((await keys({ first: 2, after: first.endCursor })).keys).toEqual([one.key]);
    expect((await keys({ last: 1, before: first.endCursor })).keys).toEqual([three.key]);
    expect((await keys({ first: 1, after: first.startCursor })).keys).toEqual([two.key]);
  });
});

describe('the subscription to a settlement', () => {
  const events = async (id: string, scopes: readonly AccessScope[] = ['ops']) => {
    const source = 'subscription ($id: ID!) { purchaseSettled(id: $id) { state } }';
    const stream = await subscribe(operationOf(source, { id }, scopes, 'shop'));
    if (!(Symbol.asyncIterator in stream)) return [stream];
    const all: ExecutionResult[] = [];
    for await (const event of stream) all.push(event as ExecutionResult);
    return all;
  };

  test('sends a settled purchase once', async () => {
    const settled = await tenant.move(await tenant.send(), { to: 'SUCCEEDED' });

    expect(await events(idOf(settled))).toEqual([
      { data: { purchaseSettled: { state: 'SUCCEEDED' } } },
    ]);
    expect(tenant.upstream.calls).toEqual([]);
  });

  test('reports an unknown purchase, and an id of another type', async () => {
    const { id } = await tenant.move(await tenant.send(), { to: 'SUCCEEDED' });

    for (const unknown of [globalId('Purchase', 'unknown'), globalId('Domain', id)]) {
      const [event, ...others] = await events(unknown);
      expect(event?.errors?.[0]?.originalError).toMatchObject({ code: 'NOT_FOUND' });
      expect(others).toEqual([]);
    }
  });

  test('is for callers that may spend or see all', async () => {
    const [refusal] = await events(globalId('Purchase', 'unknown'), ['domains:read']);

    expect(refusal?.errors?.[0]?.originalError).toMatchObject({ code: 'FORBIDDEN' });
  });
});

describe('the estimated upstream calls', () => {
  const estimate = createEstimate(schema);
  const costOf = (selection: string) => {
    const document = parse(selection.startsWith('sub') ? selection : `{ ${selection} }`);
    const [operation] = document.definitions;
    if (operation?.kind !== 'OperationDefinition') throw new Error(selection);
    const counted = estimate({ document, operation, variables: {} });
    expect(counted?.isNeverLimited).toBe(!/node\(|reseller/.test(selection));
    return counted?.upstreamCalls;
  };
  const id = (key: string) => `id: "${globalId('Purchase', key)}"`;

  test.each([
    ['an open purchase and the balance', `purchase(by: { ${id('a')} }) { id }`, 2],
    [
      'a purchase once',
      `purchase(by: { ${id('a')} }) { id } b: purchase(by: { ${id('a')} }) { id }`,
      2,
    ],
    [
      'each purchase',
      `purchase(by: { ${id('a')} }) { id } b: purchase(by: { ${id('b')} }) { id }`,
      3,
    ],
    ['the cached balance again', `purchase(by: { ${id('a')} }) { id } reseller { id }`, 3],
    ['its domain', `purchase(by: { ${id('a')} }) { domain { name } }`, 3],
    [
      'the domain of each purchase',
      `purchase(by: { ${id('a')} }) { domain { name } } b: purchase(by: { ${id('b')} }) { domain { name } }`,
      5,
    ],
    ['its domain once', `purchase(by: { ${id('a')} }) { domain { name } d: domain { name } }`, 3],
    [
      'the contacts of its domain',
      `purchase(by: { ${id('a')} }) { domain { contacts { registrant { email } } } }`,
      4,
    ],
    ['a node', `node(${id('a')}) { ... on Purchase { domain { name } } }`, 3],
    [
      'no node twice',
      `node(${id('a')}) { id } nodes(ids: ["${globalId('Purchase', 'a')}"]) { id }`,
      2,
    ],
    [
      'no id of another type',
      `purchase(by: { id: "${globalId('Domain', 'a')}" }) { domain { name } }`,
      0,
    ],
    ['a key', 'purchase(by: { key: "a" }) { domain { name } }', 3],
    ['a key once', 'purchase(by: { key: "a" }) { id } b: purchase(by: { key: " a " }) { id }', 2],
    ['each key', 'purchase(by: { key: "a" }) { id } b: purchase(by: { key: "b" }) { id }', 3],
    ['no list', 'purchases(first: 3) { nodes { id } }', 0],
    ['the domains of a list', 'purchases(first: 3) { nodes { domain { name } } }', 3],
    [
      'the domains of each list',
      'purchases(first: 1) { nodes { domain { name } } } b: purchases(last: 1) { nodes { domain { name } } }',
      2,
    ],
    ['no settlement', `subscription { purchaseSettled(${id('a')}) { id } }`, 0],
    [
      'the domain of a settlement',
      `subscription { purchaseSettled(${id('a')}) { domain { name } } }`,
      1,
    ],
  ])('count %s', (_what, selection, calls) => {
    expect(costOf(selection)).toBe(calls);
  });
});
