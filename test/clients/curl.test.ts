import { execFile, spawnSync } from 'node:child_process';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startTestGateway, type TestGateway } from '../support/gateway.ts';
import { because } from '../support/skipped.ts';

const run = promisify(execFile);
const why = spawnSync('curl', ['--version']).status === 0 ? null : 'install curl';

describe.skipIf(why)(`curl${because(why)}`, () => {
  let gateway: TestGateway;
  beforeAll(async () => {
    gateway = await startTestGateway({ sandboxDomains: 3 });
  });
  afterAll(() => gateway?.close());

  /** The output for a path of the gateway. */
  async function curl(path: string, ...options: readonly string[]): Promise<string> {
    const { stdout } = await run('curl', ['--silent', ...options, `${gateway.url}${path}`]);
    return stdout;
  }
  const json = ['--json'] as const;
  const search = 'searchDomains(labels: ["maple-harbor"], tlds: ["com", "net"])';

  test('sends a query', async () => {
    const query = '{ domains(first: 2) { nodes { name } totalCount } }';

    const { data } = JSON.parse(await curl('/graphql', ...json, JSON.stringify({ query })));

    expect(data.domains).toMatchObject({ totalCount: 3, nodes: [{}, {}] });
  });

  test('reads a compressed response', async () => {
    const body = JSON.stringify({ query: '{ tlds(first: 500) { nodes { name minPeriod } } }' });

    const text = await curl('/graphql', '--compressed', ...json, body);

    expect(JSON.parse(text).data.tlds.nodes.length).toBeGreaterThan(20);
  });

  test('prints the parts of a deferred query', async () => {
    const query = '{ tld(name: "com") { name } ... @defer { reseller { name } } }';

    const text = await curl(
      '/graphql',
      '-H',
      'accept: multipart/mixed',
      ...json,
      JSON.stringify({ query }),
    );

    expect(text.match(/^content-type: application\/json/gim)).toHaveLength(2);
  });

  test('prints the events of a subscription', async () => {
    const body = JSON.stringify({ query: `subscription { ${search} { availability { name } } }` });

    const text = await curl(
      '/graphql',
      '--no-buffer',
      ...json,
      body,
      '-H',
      'accept: text/event-stream',
    );

    expect(text.match(/^event: \w+$/gm)).toEqual(['event: next', 'event: next', 'event: complete']);
  });

  test('downloads an export', async () => {
    expect((await curl('/export/domains.csv')).trim().split('\r\n')).toHaveLength(4);
  });
});
