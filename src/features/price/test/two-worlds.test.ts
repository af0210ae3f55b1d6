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
import { by } from '../../../../test/access/keys.ts';
import { type RootSample, rootSamples, unknownTarget } from '../../../../test/samples/all.ts';
import { argumentsText, requestsOf, rootField } from '../../../../test/samples/document-of.ts';
import type { Target } from '../../../../test/samples/target.ts';
import { openStream } from '../../../../test/support/event-stream.ts';
import { bought, maple, openTwoShops } from './two-shops.ts';

const { worlds, inBoth } = await openTwoShops();

let schema: GraphQLSchema;
beforeAll(async () => {
  const { data } = await worlds[0].gateway.query(getIntrospectionQuery(), {}, by('shop'));
  schema = buildClientSchema(data);
});

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

  test('refusals, which count the price', async () => {
    const answer = (await inBoth(async (gateway) => {
      const { data } = await gateway.query(
        `mutation { registerDomain(input: { ${bought}, dryRun: true }) { errors { code message
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
      const query = `subscription { searchDomains(labels: ["oak"], tlds: ["com"]) { availability { quote { highest { amount } cost { highest { amount } } } } } }`;
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

test('an order compares the price with the balance', async () => {
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
    return [few.data.quoteOrder, many.data.quoteOrder];
  })) as object[];

  // The balance is 2,500 USD: it covers 41 prices, 221 of the lower costs and 110 of the higher ones.
  expect(answers).toEqual([{ affordable: true }, { affordable: false }]);
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
