import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startTestGateway, type TestGateway } from '../support/gateway.ts';
import { files } from './commands.ts';
import { blocksOf } from './markdown.ts';

describe('the GraphQL examples', () => {
  let gateway: TestGateway;
  beforeAll(async () => {
    gateway = await startTestGateway({ env: { PRICES_FILE: '' } });
  });
  afterAll(() => gateway?.close());

  const outcomeOf = async (id: string) => {
    const document = 'query ($id: ID!) { bulkChange(by: { id: $id }) { state } }';
    return (await gateway.query(document, { id })).data.bulkChange.state;
  };

  /** The errors of the payloads in a result. */
  function errorsIn(value: unknown): readonly unknown[] {
    if (typeof value !== 'object' || value === null) return [];
    return Object.entries(value).flatMap(([name, member]) =>
      name === 'errors' ? member : errorsIn(member),
    );
  }

  /** A documented answer; an id is shown as "…". */
  const answerOf = (text: string): unknown =>
    JSON.parse(text, (_key, value) => (value === '…' ? expect.any(String) : value));

  // The page that buys a name is after the one that finds it.
  test.each([
    'authentication',
    'audit',
    'bulk-changes',
    'caching',
    'domains',
    'export',
    'purchases',
  ])('of docs/%s.md run against the sandbox', async (page) => {
    const documents = blocksOf(`docs/${page}.md`, 'graphql');
    const answers = blocksOf(`docs/${page}.md`, 'json').filter((text) =>
      text.startsWith('{ "data"'),
    );
    let count: number | null = null;

    for (const document of documents) {
      const variables = document.includes('$count') ? { count } : {};
      const { data, errors } = await gateway.query(document, variables);

      expect([document, errors, errorsIn(data)]).toEqual([document, undefined, []]);
      if (document === documents[0] && answers[0]) expect({ data }).toEqual(answerOf(answers[0]));
      count = data.previewBulkChange?.count ?? null;
      if (count !== null) expect(count).toBeGreaterThan(0);
      const id = data.changeDomains?.bulkChange.id;
      // The status of one domain of the sandbox allows no change of its privacy protection.
      const changed = /^(?:SUCCEEDED|PARTIAL)$/;
      if (id) await expect.poll(() => outcomeOf(id), { timeout: 60_000 }).toMatch(changed);
    }

    expect(documents.length).toBeGreaterThan(0);
  });
});

test('the files of docs/bulk-changes.md are those that its commands read when they are tested', () => {
  expect(blocksOf('docs/bulk-changes.md', 'csv')).toEqual([files['name-servers.csv']]);
  expect(blocksOf('docs/bulk-changes.md', 'yaml')[0]).toBe(files['domains.yaml']);
});
