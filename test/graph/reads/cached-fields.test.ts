import { afterAll, expect, test } from 'vitest';
import { systemClock } from '../../../src/lib/system.ts';
import { rootSamples, unknownTarget } from '../../samples/all.ts';
import { argumentsText, requestsOf, rootField } from '../../samples/document-of.ts';
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

const target = unknownTarget('reseller-demo.com');
const rows = rootSamples.flatMap((sample): [string, boolean][] => {
  const { field, select = '', cached } = sample;
  if (cached === undefined) return [];
  if (typeof cached === 'object') return Object.entries(cached);
  const { type } = rootField(field);
  const requests = requestsOf(sample, target);
  // The rows of a list and their number are read apart.
  const [sent, selections] = String(type).includes('Connection')
    ? [requests.slice(-1), ['totalCount', 'nodes { __typename }']]
    : [requests, [select]];
  return sent.flatMap((values) => {
    const text = `${field.replace('Query.', '')}${argumentsText(rootField(field), values)}`;
    return selections.map((one): [string, boolean] => [`${text} { ${one} }`, cached]);
  });
});

const { purchase, order, change, ids } = target;
const stored = [purchase, order, change, ...Object.values(ids)].map((id): [string, boolean] => [
  `node(id: "${id}") { id }`,
  false,
]);

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

test.each([...rows, ...stored])(
  'whether a response with %s is cached: %s',
  async (selection, expected) => {
    expect(await isCached(selection)).toBe(expected);
  },
);
