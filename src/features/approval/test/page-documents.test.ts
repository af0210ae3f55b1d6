import { createHash } from 'node:crypto';
import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { apiKeysOf, by } from '../../../../test/access/keys.ts';
import { newFolder } from '../../../../test/support/folder.ts';
import { startTestGateway, type TestGatewayOptions } from '../../../../test/support/gateway.ts';
import { schema, servedSchema } from '../../../app/graph.ts';
import { features } from '../../index.ts';
import { approvalsPage } from '../page.ts';

const html = { accept: 'text/html' };

const start = async (env: TestGatewayOptions['env'] = {}) => {
  const gateway = await startTestGateway({
    ...{ sandboxDomains: 5, accountToken: null },
    env: {
      API_KEYS: apiKeysOf({ decider: ['approvals:decide', 'ops'], other: ['events:read'] }),
      ...env,
    },
  });
  onTestFinished(() => gateway.close());
  return gateway;
};

/** Variables of the documents of the page. */
const variables = { id: 'QXBwcm92YWw6bm9uZQ', reason: 'No.' };

async function resultsOf(env: TestGatewayOptions['env'], graph = schema) {
  const gateway = await start(env);
  const results: unknown[] = [];
  for (const text of approvalsPage.documentsOf({ schema: graph })) {
    const { data, errors } = await gateway.query(text, variables, by('decider'));
    results.push(errors ?? data);
  }
  return results;
}
const none = { errors: [{ message: 'There is no such approval.' }] };
const gateway = { caller: 'decider', scopes: ['approvals:decide', 'ops'] };
const results = [
  { approvals: { totalCount: 0, countAtLeast: 0, nodes: [] }, gateway },
  { node: null, gateway },
  { approve: none },
  { reject: none },
];

describe('the documents of the page are executed', () => {
  test('by a gateway that executes only the documents of its manifest', async () => {
    const folder = await newFolder('approvals-page');
    onTestFinished(() => rm(folder, { recursive: true }));
    const file = join(folder, 'manifest.json');
    await writeFile(file, JSON.stringify({ one: 'query One { tlds { totalCount } }' }));
    const env = { DOCUMENT_MODE: 'enforce', DOCUMENT_MANIFEST: file, DEVELOPMENT: 'false' };

    expect(await resultsOf(env)).toEqual(results);
  });

  test('by a gateway whose types have a prefix', async () => {
    const env = { TYPE_PREFIX: 'Acme' };
    const graph = servedSchema({ featureValues: env, introspection: 'caller' }, features);

    expect(await resultsOf(env, graph)).toEqual(results);
  });
});

test('the page is one HTML document for each address, without any data of the account', async () => {
  const { url } = await start({ DEVELOPMENT: 'false' });
  const read = (path: string, headers: Record<string, string> = html) =>
    fetch(`${url}${path}`, { headers });

  const list = await read('/approvals');
  const text = await list.text();
  const policy = list.headers.get('content-security-policy') ?? '';
  const [, script = ''] = /<script type="module">(.*)<\/script>/s.exec(text) ?? [];

  expect(list.status).toBe(200);
  expect(policy).toMatch(
    /^default-src 'none'; script-src 'sha256-[^ ]+'; style-src 'sha256-[^ ]+';/,
  );
  expect(policy).toContain(createHash('sha256').update(script).digest('base64'));
  expect(policy).not.toMatch(/unsafe|https?:/);
  expect(script).not.toMatch(/^(?:import|export) /m);
  expect(await (await read('/approvals/QXBwcm92YWw6bm9uZQ')).text()).toBe(text);
  expect((await read('/approvals/a/b')).status).toBe(404);
  expect((await read('/approvals', { accept: '*/*' })).status).toBe(404);
  expect(
    (
      await fetch(`${url}/approvals`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: '{}',
      })
    ).status,
  ).toBe(405);
});
