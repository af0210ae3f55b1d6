import { getNamedType, isObjectType } from 'graphql';
import { afterAll, expect, test } from 'vitest';
import { systemClock } from '../../../src/lib/system.ts';
import { type RootSample, rootSamples } from '../../samples/all.ts';
import { argumentsText, requestsOf, rootField } from '../../samples/document-of.ts';
import { unknownTarget } from '../../samples/target.ts';
import { startTestGateway } from '../../support/gateway.ts';
import { read } from './reads.ts';

// The response cache is off in development. Nothing in a cache expires, because the clock of the caches stands still.

const gateway = await startTestGateway({
  clock: { ...systemClock, monotonicMs: () => 5_000 },
  env: {
    DEVELOPMENT: 'false',
    TLD_MAX_AGE_SECONDS: '600',
    DOMAIN_MAX_AGE_SECONDS: '600',
    AVAILABILITY_MAX_AGE_SECONDS: '60',
    METRICS_PORT: '0',
    SPEND_LIMITS: '{"perDay":["25 USD"]}',
  },
});
afterAll(() => gateway.close());

/** A list has two selections, because its rows and their number are read apart. */
const selectionsOf = ({ field, select = '' }: RootSample): readonly string[] => {
  const type = getNamedType(rootField(field).type);
  const isList = isObjectType(type) && type.name.endsWith('Connection');
  return isList ? ['totalCount', 'nodes { __typename }'] : [select];
};

const target = unknownTarget('reseller-demo.com');
const rows = rootSamples.flatMap((sample): [string, boolean][] => {
  const { field, cached } = sample;
  if (cached === undefined) return [];
  if (typeof cached === 'object') return Object.entries(cached);
  return requestsOf(sample, target).flatMap((values) => {
    const text = `${field.replace('Query.', '')}${argumentsText(rootField(field), values)}`;
    return selectionsOf(sample).map((selection): [string, boolean] => [
      `${text} { ${selection} }`,
      cached,
    ]);
  });
});

async function countCached(): Promise<number> {
  const text = await (await fetch(`${gateway.metricsUrl}/metrics`)).text();
  return Number(/^reseller_graph_cached_responses_total (\d+)$/m.exec(text)?.[1]);
}

/** Whether the fourth of equal responses comes from the cache. The first one fills the caches of values, the third one is stored. */
async function isCached(selection: string): Promise<boolean> {
  const before = await countCached();
  for (let at = 0; at < 4; at += 1) await read(gateway, `{ ${selection} }`);
  return (await countCached()) > before;
}

test.each(rows)('whether a response with %s is cached: %s', async (selection, expected) => {
  expect(await isCached(selection)).toBe(expected);
});
