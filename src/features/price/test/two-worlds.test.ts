import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import {
  buildClientSchema,
  type GraphQLField,
  type GraphQLSchema,
  getIntrospectionQuery,
  getNamedType,
  isCompositeType,
  isLeafType,
  isRequiredArgument,
} from 'graphql';
import { beforeAll, describe, expect, test } from 'vitest';
import { apiKeysOf, by } from '../../../../test/access/keys.ts';
import { type RootSample, rootSamples, unknownTarget } from '../../../../test/samples/all.ts';
import { argumentsText, requestsOf, rootField } from '../../../../test/samples/document-of.ts';
import type { Target } from '../../../../test/samples/target.ts';
import { ada } from '../../../../test/support/ada.ts';
import { openStream } from '../../../../test/support/event-stream.ts';
import { newFolder } from '../../../../test/support/folder.ts';
import { schema as graph } from '../../../app/graph.ts';
import { allAccessScopes } from '../../../kernel/caller.ts';
import { approvalsPage } from '../../approval/page.ts';
import { openWorlds } from './worlds.ts';

// Two shops with the same prices, whose registrars charge different costs: 11.29 and 22.58 for a .com, for which both take 60.
// A caller without the scope `prices:cost` cannot find out in which one it is.
const folder = await newFolder('two-worlds');
const usd = (amount: string) => ({ amount, currency: 'USD' });
const prices = join(folder, 'prices.json');
await writeFile(prices, JSON.stringify({ rules: [{ fixed: usd('60'), belowCost: true }] }));
const approvals = join(folder, 'approvals.json');
const rule = { operations: ['REGISTRATION'], when: { costAbove: usd('15') } };
await writeFile(approvals, JSON.stringify({ rules: [rule] }));

const shopScopes = allAccessScopes.filter((scope) => scope !== 'prices:cost');
const keys = JSON.parse(apiKeysOf({ shop: shopScopes, clerk: shopScopes, owner: allAccessScopes }));
keys.shop.limits = { perCall: ['16 USD'], perDay: ['20 USD'] };
const options = {
  sandboxTlds: 5,
  env: {
    PRICES_FILE: prices,
    APPROVALS_FILE: approvals,
    API_KEYS: JSON.stringify(keys),
  },
};

const { worlds, inBoth } = await openWorlds(options);

let schema: GraphQLSchema;
beforeAll(async () => {
  const { data } = await worlds[0].gateway.query(getIntrospectionQuery(), {}, by('shop'));
  schema = buildClientSchema(data);
});

const maple = 'maple-two-worlds.com';
const nameServers = '["ns1.host.net", "ns2.host.net"]';
/** GraphQL text for a contact. */
const contact = JSON.stringify(ada).replaceAll(/"(\w+)":/g, '$1:');
const bought = `domain: "${maple}", nameServers: ${nameServers}, registrant: { fields: ${contact} }`;

/** Fields of every gateway's own: secrets and times of its process. */
const unlike = new Set([
  'startedAt',
  'secret',
  'secretPath',
  'url',
  'authCode',
  'upstreamState',
  'hash',
]);

/** All fields without required arguments, to a depth. */
function selectionOf(field: GraphQLField<unknown, unknown>, depth: number): string {
  const type = getNamedType(field.type);
  if (isLeafType(type)) return '';
  const members = isCompositeType(type) && 'getFields' in type ? type.getFields() : {};
  const chosen = Object.values(members)
    .filter((member) => !member.args.some(isRequiredArgument) && !unlike.has(member.name))
    .flatMap((member) => {
      if (isLeafType(getNamedType(member.type))) return member.name;
      if (depth === 0) return [];
      return `${member.name}${selectionOf(member, depth - 1)}`;
    });
  return ` { __typename ${chosen.filter((text) => !text.endsWith('{ __typename  }')).join(' ')} }`;
}

/** The arguments of the last request of a sample: a page of two of a list, and a dry run of a purchase. */
function argumentsOf(sample: RootSample, target: Target): string {
  const field = rootField(sample.field);
  const values = requestsOf(sample, target).at(-1) ?? {};
  const hasPages = field.args.some(({ name }) => name === 'first');
  return argumentsText(field, {
    ...values,
    ...(hasPages && { ['last' in values ? 'last' : 'first']: 2 }),
    ...(sample.write?.lost === 'settled' && {
      input: { ...(values.input as object), dryRun: true },
    }),
  });
}

/** The deepest selection that the limits of a document allow. */
async function compare(sample: RootSample, target: Target) {
  const [type = '', name = ''] = sample.field.split('.');
  const root = type === 'Query' ? schema.getQueryType() : schema.getMutationType();
  const field = root?.getFields()[name] as GraphQLField<unknown, unknown>;
  const text = (depth: number) =>
    `${type.toLowerCase()} { ${name}${argumentsOf(sample, target)}${selectionOf(field, depth)} }`;
  let answer: unknown;
  for (const depth of [2, 1, 0]) {
    answer = await inBoth(async (gateway) => {
      const { data, errors } = await gateway.query(text(depth), {}, by('shop'));
      return { data, errors };
    });
    const { data, errors = [] } = answer as { data?: unknown; errors?: { message: string }[] };
    if (data !== undefined) return;
    if (depth === 0) throw new Error(`${text(depth)}: ${errors[0]?.message}`);
  }
}

describe('two shops whose costs differ give a caller without prices:cost the same', () => {
  test('answer of each root field', async () => {
    const [free, owned] = [unknownTarget(maple), unknownTarget('reseller-demo.com')];
    for (const sample of rootSamples.filter(({ field }) => !field.startsWith('Subscription'))) {
      const isOwned = sample.field.startsWith('Query') && sample.customers === 'own';
      await compare(sample, isOwned ? owned : free);
    }
  });

  test('refusals, affordability and need of an approval, which count the price', async () => {
    const answer = (await inBoth(async (gateway) => {
      const { data } = await gateway.query(
        `mutation { registerDomain(input: { ${bought}, dryRun: true }) { needsApproval errors { code message
          ... on SpendLimitExceeded { limit price { amount } } } } }`,
        {},
        by('shop'),
      );
      return data.registerDomain;
    })) as { errors: object[] };

    // 60 is above 16 and 20, which the first cost is not.
    expect(answer.errors).toEqual([
      expect.objectContaining({ code: 'SPEND_LIMIT_EXCEEDED', limit: 'PER_CALL', price: null }),
      expect.objectContaining({ code: 'SPEND_LIMIT_EXCEEDED', limit: 'PER_DAY', price: null }),
    ]);
  });

  test('refusal of a purchase that is refused for another reason', async () => {
    await inBoth(async (gateway) => {
      const { data } = await gateway.query(
        `mutation { registerDomain(input: { ${bought}, maxPrice: { amount: "1", currency: "USD" } }) {
          errors { code message } } }`,
        {},
        by('shop'),
      );
      return data.registerDomain;
    });
  });

  test('files and stream', async () => {
    for (const name of ['prices.csv', 'purchases.csv', 'domains.csv', 'statement.csv']) {
      await inBoth(async ({ url }) => {
        const response = await fetch(`${url}/export/${name}`, { headers: by('shop') });
        return [response.status, response.headers.get('content-type'), await response.text()];
      });
    }
    await inBoth(async ({ url }) => {
      const query = `subscription { searchDomains(labels: ["oak"], tlds: ["com"]) { quote { highest { amount } cost { highest { amount } } } } }`;
      const stream = await openStream(url, { query, headers: by('shop') });
      return stream.rest();
    });
  });
});

test('the costs of the two shops differ for a caller with the scope', async () => {
  const costs = await Promise.all(
    worlds.map(async ({ gateway }) => {
      const { data } = await gateway.query(
        '{ tld(name: "com") { price(operation: REGISTRATION) { price { amount } cost { amount } } } }',
        {},
        by('owner'),
      );
      return data.tld.price;
    }),
  );

  expect(costs).toEqual([
    { price: { amount: '60.0000' }, cost: { amount: '11.2900' } },
    { price: { amount: '60.0000' }, cost: { amount: '22.5800' } },
  ]);
});

test('a dry run compares the price with a rule of approvals, and an order the price with the balance', async () => {
  const dryRun = `mutation { registerDomain(input: { ${bought}, dryRun: true }) { needsApproval errors { code } } }`;
  const order = '{ quoteOrder(input: { lines: [LINES] }) { affordable } }';
  const lines = (count: number) =>
    Array.from(
      { length: count },
      (_, at) => `{ registration: { domain: "maple-${at}-worlds.com" } }`,
    );
  const answers = (await inBoth(async (gateway) => {
    const send = (document: string) => gateway.query(document, {}, by('clerk'));
    const few = await send(order.replace('LINES', lines(2).join(' ')));
    const many = await send(order.replace('LINES', lines(100).join(' ')));
    const dry = await send(dryRun);
    return [few.data.quoteOrder, many.data.quoteOrder, dry.data.registerDomain];
  })) as object[];

  // The balance is 2,500 USD: it covers 41 prices, 221 of the lower costs and 110 of the higher ones.
  expect(answers).toEqual([
    { affordable: true },
    { affordable: false },
    { needsApproval: true, errors: [] },
  ]);
});

test('the price of an approval is the price, and its cost is null without the scope', async () => {
  const [, { gateway }] = worlds;
  const { data } = await gateway.query(
    `mutation { registerDomain(input: { ${bought} }) { needsApproval purchase { state approval { price { amount } cost { amount } } } } }`,
    {},
    by('clerk'),
  );
  const approval = { price: { amount: '60.0000' }, cost: null };
  expect(data.registerDomain).toEqual({
    needsApproval: true,
    purchase: { state: 'AWAITING_APPROVAL', approval },
  });

  const seen = await gateway.query(
    '{ approvals { nodes { price { amount } cost { amount } } } }',
    {},
    by('owner'),
  );
  expect(seen.data.approvals.nodes).toEqual([{ ...approval, cost: { amount: '22.5800' } }]);

  // The document of the page, which names the rule in words.
  for (const [key, amount] of [
    ['owner', '15.0000 USD'],
    ['clerk', 'an amount'],
  ] as const) {
    const [list = ''] = approvalsPage.documentsOf({ schema: graph });
    const page = await gateway.query(list, {}, by(key));
    expect(page.errors).toBeUndefined();
    expect(page.data.approvals.nodes).toMatchObject([
      {
        unicodeName: maple,
        ruleConditions: `The cost is above ${amount}, in another currency, or not known.`,
        purchase: { period: 1 },
      },
    ]);
  }
});

test('the words of the registrar show a caller without the scope no number', async () => {
  const [{ gateway, replyNext }] = worlds;
  const reason = 'Premium, registry price 1129 USD (١١٫٢٩)';
  const read = async (key: string) => {
    const offer = { TLD: 'com', DomainName: 'odd', Status: 'notavailable', Command: 'create' };
    const price = { Period: 1, IsFee: false, Price: '', Currency: '', Reason: reason };
    replyNext({ status: 200, body: JSON.stringify([{ ...offer, ...price }]) });
    const { data } = await gateway.query(
      '{ availability(name: "odd.com") { reason } }',
      {},
      by(key),
    );
    return data.availability.reason;
  };
  expect(await read('owner')).toBe(reason);
  expect(await read('clerk')).toBe('Premium, registry price … USD (…)');

  const upstream = {
    Code: 'API_2201_ERROR',
    Message: 'Command failed: costs 1129 USD',
    Details: '',
  };
  replyNext({ status: 200, body: JSON.stringify({ result: 'ERROR', error: upstream }) });
  const { errors = [] } = await gateway.query('{ reseller { name } }', {}, by('clerk'));
  expect(errors).toHaveLength(1);
  expect(errors[0].extensions.upstreamMessage).not.toMatch(/\d/);
});
