import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect, onTestFinished, test } from 'vitest';
import { ask, openStreet } from './street.ts';

const script = fileURLToPath(new URL('./leftovers.ts', import.meta.url));

async function leftovers(...args: string[]): Promise<{ bytes: number; answers: string[] }> {
  const nodeArgs = ['--expose-gc', '--min-semi-space-size=32'];
  const { stdout } = await promisify(execFile)(process.execPath, [...nodeArgs, script, ...args]);
  return JSON.parse(stdout);
}

test('what an execution has made is gone with the next collection of young objects', async () => {
  const [ofGateway, ofLibrary] = await Promise.all([leftovers('gateway'), leftovers()]);

  expect(ofGateway.bytes).toBeLessThan(ofLibrary.bytes / 10);
});

test('each execution finds the fields that its own variables ask for', async () => {
  const { answers } = await leftovers('gateway');

  expect(answers).toEqual(['{"data":{"one":{"two":{"id":"1"}}}}', '{"data":{"one":{"two":{}}}}']);
});

test('the gateway sees to it before anything can load graphql', () => {
  const main = readFileSync(new URL('../../src/main.ts', import.meta.url), 'utf8');

  expect(main).toMatch(/^import '\.\/server\/garbage\.ts';/);
});

/** Collections of young objects, as V8 traces them: what was made since the last, and what has grown old with this one. */
const collections = /gc=s .*? allocated=(\d+) promoted=(\d+)/g;

test('next to nothing that a page of a search has made grows old', async () => {
  let said = '';
  const street = await openStreet({
    databaseUrl: null,
    env: {
      ...{ LOG_LEVEL: 'silent', DEVELOPMENT: 'false' },
      ...{ AVAILABILITY_MAX_AGE_SECONDS: '0' },
    },
  });
  onTestFinished(() => street.close());
  const gateway = await street.start({
    nodeArgs: ['--trace-gc-nvp', '--max-semi-space-size=16'],
    hear(text) {
      said += text;
    },
  });
  const query =
    'query ($names: [String!]!) { availabilities(names: $names) { name state price { amount } } }';
  let pages = 0;
  const search = async (upTo: number) => {
    while (pages < upTo) {
      pages += 1;
      const names = Array.from({ length: 50 }, (_, at) => `page-${pages}-of-names-${at}.com`);
      expect(JSON.stringify(await ask(gateway, query, { names }))).toContain('"AVAILABLE"');
    }
  };
  const searchTogether = (upTo: number) =>
    Promise.all(Array.from({ length: 8 }, () => upTo).map(search));

  // What is compiled and kept for good is made with the first of them.
  await searchTogether(400);
  said = '';
  await searchTogether(800);

  const figures = [...said.matchAll(collections)].map(([, made, aged]) => [made, aged].map(Number));
  const [made = 0, aged = 0] = [0, 1].map((at) =>
    figures.reduce((sum, one) => sum + (one[at] ?? 0), 0),
  );
  expect(figures.length).toBeGreaterThan(3);
  expect(aged / made).toBeLessThan(0.01);
});
