import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { isObjectType } from 'graphql';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { fieldCosts } from '../../scripts/costs/all.ts';
import { schema } from '../../src/modules/index.ts';
import { neededFor } from '../../src/schema/access.ts';
import { apiKeysOf } from '../access/keys.ts';
import { newFolder } from '../support/folder.ts';
import { startTestGateway } from '../support/gateway.ts';
import { anchorsOf, linksOf } from './markdown.ts';

/** The prices of a reader of the documents. */
const env = { EVENTS_INTERVAL_SECONDS: '3600', PRICES_FILE: '' };
const gateway = await startTestGateway({ env });
afterAll(() => gateway?.close());

async function read(path: string): Promise<string> {
  const response = await fetch(new URL(path, gateway.url));
  expect(response.status, path).toBe(200);
  return response.text();
}

test('every link of the documents leads to a document and a heading of it', async () => {
  const texts = new Map<string, string>();
  const missing: string[] = [];
  async function follow(path: string): Promise<void> {
    const text = await read(path);
    texts.set(path, text);
    for (const link of linksOf(text)) {
      const { pathname, hash } = new URL(link, `http://gateway${path}`);
      if (!texts.has(pathname)) await follow(pathname);
      const anchors = anchorsOf(texts.get(pathname) ?? '');
      if (hash !== '' && !anchors.includes(hash.slice(1))) missing.push(`${path}: ${link}`);
    }
  }

  await follow('/llms.txt');

  expect(missing).toEqual([]);
  expect([...texts.keys()]).toEqual(
    expect.arrayContaining(['/llms-full.txt', '/schema.graphql', '/docs/reference/Domain.md']),
  );
});

test('each type has a page with the upstream calls and the scopes of its fields', async () => {
  const types = Object.values(schema.getTypeMap()).filter((type) => isObjectType(type));
  for (const type of types.filter(({ name }) => !name.startsWith('__'))) {
    const page = await read(`/docs/reference/${type.name}.md`);
    for (const field of Object.values(type.getFields())) {
      const name = `${type.name}.${field.name}`;
      const row = page.split('\n').find((line) => line.startsWith(`| \`${field.name}\` |`)) ?? '';
      const [, , , calls, needs] = row.split(/ ?(?<!\\)\| ?/);

      const cost = fieldCosts.find((one) => one.field === name);
      expect(calls?.split('. Exceptions: ')[0], name).toBe(cost?.calls ?? '–');
      const scopes = neededFor(field);
      expect(needs, name).toBe(
        scopes.length > 10 ? 'any scope' : scopes.map((one) => `\`${one}\``).join(' or ') || '–',
      );
    }
  }
});

test.each([
  ['404 without development', { DEVELOPMENT: 'false' }, 404],
  ['200 in development, without a key too', { API_KEYS: apiKeysOf({ reader: [] }) }, 200],
])('documents have status %s', async (_title, env, expected) => {
  const other = await startTestGateway({ sandboxDomains: 5, env });
  const responses = ['/llms.txt', '/docs/costs.md'].map((path) => fetch(`${other.url}${path}`));
  const statuses = (await Promise.all(responses)).map(({ status }) => status);
  await other.close();

  expect(statuses).toEqual([expected, expected]);
});

describe('llms-full.txt', () => {
  let text: string;
  beforeAll(async () => {
    text = await read('/llms-full.txt');
  });

  test('has documents that change many domains, transfer one and create a webhook', async () => {
    const other = await startTestGateway({ env: { ...env, WEBHOOKS_ALLOW_PRIVATE: 'true' } });
    onTestFinished(() => other.close());
    const run = (name: string, variables = {}) => {
      const [document = ''] = new RegExp(`^\\w+ ${name}\\b[^\`]*`, 'm').exec(text) ?? [];
      const own = document.replace('https://crm.example', 'http://127.0.0.1:9');
      return other.query(own, variables);
    };

    const { count } = (await run('PreviewReplacement')).data.previewBulkChange;
    expect(count).toBeGreaterThan(0);
    expect((await run('Replace', { count })).data.changeDomains.errors).toEqual([]);
    await expect
      .poll(async () => (await run('ReplacementOutcome')).data.bulkChange.state)
      .toBe('SUCCEEDED');
    expect((await run('Transfer')).data.transferDomain).toMatchObject({
      ...{ purchase: { state: 'IN_PROGRESS' }, errors: [] },
    });
    expect((await run('CreateWebhook')).data.createWebhook).toMatchObject({
      ...{ secret: expect.stringMatching(/^whsec_/), errors: [] },
    });
  });

  test('has at most 60 KB', () => {
    expect(Buffer.byteLength(text)).toBeLessThanOrEqual(60_000);
  });

  test('is all that a client needs for ten everyday operations', async () => {
    const block = (part: string, kind: string) =>
      new RegExp(`^\`\`\`${kind}\\n([\\s\\S]*?)^\`\`\``, 'm').exec(part)?.[1] ?? '';
    const operations = text
      .split(/^### (?=\d+\. )/m)
      .slice(1)
      .map((part) => {
        const document = block(part, 'graphql');
        const name = /^\w+ (\w+)/.exec(document)?.[1];
        return `async (orderId) => { const ${name} = ${JSON.stringify(document)}; ${block(part, 'ts')} }`;
      });
    const file = join(await newFolder('llms-full'), 'operations.mjs');
    const setup = `${block(text, 'ts setup')}\n${block(text, 'ts values')}`;
    const own = setup.replace('http://127.0.0.1:4000', gateway.url);
    await writeFile(file, `export const open = (show) => { ${own}; return [${operations}]; };`);
    const shown: string[] = [];
    const run: readonly ((orderId?: string) => Promise<void>)[] = (await import(file)).open(
      (line: string) => shown.push(line),
    );
    const output: (readonly string[])[] = [];
    for (const operation of run) {
      const orderId = /^Order (\S+) is/.exec(shown.at(-1) ?? '')?.[1];
      shown.length = 0;
      await operation(orderId);
      output.push([...shown]);
    }

    expect(output.map((lines) => lines.at(0))).toEqual([
      expect.stringMatching(/^maple-harbor\.com: [\d.]+ USD/),
      'maple-harbor.com: AVAILABLE',
      expect.stringMatching(/^[\d.]+ to [\d.]+ USD$/),
      expect.stringMatching(/^SUCCEEDED: /),
      expect.stringMatching(/^Order \S+ is RUNNING$/),
      expect.any(String),
      expect.stringMatching(/^reseller-demo.com is ACTIVE/),
      'Now ns1.new-host.net, ns2.new-host.net',
      expect.stringMatching(/: \d+ days$/),
      expect.stringMatching(/ PURCHASE_SETTLED /),
    ]);
    expect(output[5]?.at(-1)).toBe('The order is SUCCEEDED');
  });
});
