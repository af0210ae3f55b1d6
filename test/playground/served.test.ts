import { readdirSync, readFileSync } from 'node:fs';
import { parse, validate } from 'graphql';
import { afterAll, describe, expect, test } from 'vitest';
import { playgroundDigest } from '../../playground/digest.ts';
import { examplesOf } from '../../src/app/features.ts';
import { schema } from '../../src/app/graph.ts';
import { features } from '../../src/features/index.ts';
import { exampleTabs } from '../../src/server/ui/graphiql/examples.ts';
import type { UpstreamKind } from '../../src/server/ui/page.ts';
import { startApp } from '../support/app.ts';

const app = await startApp();
afterAll(() => app.close());

const built = new URL('../../src/server/ui/graphiql/built/', import.meta.url);
const entry = JSON.parse(readFileSync(new URL('entry.json', built), 'utf8'));
const assets = readdirSync(built)
  .filter((name) => name.endsWith('.br'))
  .map((name) => name.slice(0, -3));
const openPage = () => app.request('/graphql', { headers: { accept: 'text/html,*/*;q=0.8' } });

describe('the page of GraphiQL', () => {
  test('is served to browsers on the path of the graph', async () => {
    const page = await openPage();

    expect(page.status).toBe(200);
    expect(page.headers.get('content-type')).toBe('text/html; charset=utf-8');
    expect(page.headers.get('vary')).toBe('accept');
  });

  test('may run, load and call only resources of this server', async () => {
    const policy = (await openPage()).headers.get('content-security-policy') ?? '';

    expect(policy).toContain("default-src 'none'; script-src 'self'; worker-src 'self'");
    expect(policy).toContain("connect-src 'self'");
    expect(policy).not.toMatch(/https?:|unsafe-eval|script-src[^;]*unsafe/);
  });

  test('names no address outside this server', async () => {
    const html = await (await openPage()).text();

    const addresses = [...html.matchAll(/(?:src|href)=\\?"([^"\\]*)/g)].map(
      ([, address]) => address,
    );
    expect(addresses).toEqual([
      '/icon.svg',
      `/graphiql/${entry.style}`,
      '/',
      `/graphiql/${entry.script}`,
    ]);
  });

  test.each([
    ['sandbox', 'nothing here costs money'],
    ['live', 'purchases are real'],
  ] as const)('states that the upstream is the %s', async (environment, words) => {
    const other = await startApp({ environment });
    const page = await other.request('/graphql', { headers: { accept: 'text/html' } });
    await other.close();

    expect(await page.text()).toContain(words);
  });
});

describe('the files of GraphiQL', () => {
  test('are built from the current sources by "npm run playground"', () => {
    expect(entry.source).toBe(playgroundDigest());
    expect(assets).toEqual(expect.arrayContaining([entry.script, entry.style]));
  });

  test('are small enough for the repository', () => {
    const bytes = assets.map((name) => readFileSync(new URL(`${name}.br`, built)).length);

    expect(bytes.reduce((sum, one) => sum + one, 0)).toBeLessThan(2_000_000);
  });

  test('are served under the names that the page has', async () => {
    for (const name of [entry.script, entry.style]) {
      const file = await app.request(`/graphiql/${name}`, { method: 'HEAD' });

      expect(file.status).toBe(200);
    }
  });
});

const examples = await examplesOf(features);

describe('the tabs of GraphiQL', () => {
  test('are valid for the schema', () => {
    for (const { query } of [
      ...exampleTabs('sandbox', examples),
      ...exampleTabs('live', examples),
    ]) {
      expect(validate(schema, parse(query)).map(String)).toEqual([]);
    }
  });

  const operationsOf = (environment: UpstreamKind) =>
    exampleTabs(environment, examples)
      .flatMap(({ query }) => parse(query).definitions)
      .flatMap((one) => ('operation' in one ? one.operation : []));

  test('contain mutations in the sandbox only', () => {
    const live = operationsOf('live');

    expect(live.length).toBeGreaterThan(3);
    expect(live).not.toContain('mutation');
    expect(operationsOf('sandbox')).toContain('mutation');
  });
});
