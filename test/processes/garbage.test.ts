import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';

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
