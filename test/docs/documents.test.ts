import { createHmac } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { isObjectType } from 'graphql';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { schema } from '../../src/app/graph.ts';
import { neededFor } from '../../src/schema/access.ts';
import { apiKeysOf } from '../access/keys.ts';
import { newFolder } from '../support/folder.ts';
import { startTestGateway, type TestGateway } from '../support/gateway.ts';
import { sendRaw } from '../support/raw-request.ts';
import { startWebhookReceiver } from '../support/webhook-receiver.ts';
import { anchorsOf, linksOf } from './markdown.ts';

/** The prices of a reader of the documents. */
const env = { EVENTS_INTERVAL_SECONDS: '3600', PRICES_FILE: '' };
const gateway = await startTestGateway({ env });
afterAll(() => gateway?.close());

async function read(path: string, url = gateway.url): Promise<string> {
  const response = await fetch(new URL(path, url));
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

test('each type has a page with the scopes of its fields', async () => {
  const types = Object.values(schema.getTypeMap()).filter((type) => isObjectType(type));
  for (const type of types.filter(({ name }) => !name.startsWith('__'))) {
    const page = await read(`/docs/reference/${type.name}.md`);
    for (const field of Object.values(type.getFields())) {
      const name = `${type.name}.${field.name}`;
      const row = page.split('\n').find((line) => line.startsWith(`| \`${field.name}\` |`)) ?? '';
      const [, , , needs] = row.split(/ ?(?<!\\)\| ?/);

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
  const responses = ['/llms.txt', '/docs/reference/errors.md'].map((path) =>
    fetch(`${other.url}${path}`),
  );
  const statuses = (await Promise.all(responses)).map(({ status }) => status);
  await other.close();

  expect(statuses).toEqual([expected, expected]);
});

describe('the address in the documents', () => {
  const hosts = 'graph.example,localhost,[::1]';
  let named: TestGateway;
  beforeAll(async () => {
    const keys = { API_KEYS: apiKeysOf({ reader: [] }), ALLOWED_HOSTS: hosts };
    named = await startTestGateway({ sandboxDomains: 5, env: keys });
  });
  afterAll(() => named?.close());

  const readAs = (headers: Record<string, string>) =>
    Promise.all(
      ['/llms.txt', '/llms-full.txt', '/docs/clients.md'].map((path) =>
        sendRaw(named.url, { method: 'GET', path, headers, body: '' }),
      ),
    );

  test.each<[Record<string, string>, string]>([
    [{ host: 'graph.example' }, 'https://graph.example/'],
    [{ host: 'GRAPH.example:8443' }, 'https://graph.example:8443/'],
    [{ host: 'localhost:81' }, 'http://localhost:81/'],
    [{ host: '[::1]:4000' }, 'http://[::1]:4000/'],
    [
      { host: 'graph.example', 'x-forwarded-host': 'evil.example', forwarded: 'host=evil.example' },
      'https://graph.example/',
    ],
  ])('of a request with %o is %s', async (headers, address) => {
    for (const { body } of await readAs(headers)) {
      expect(body).toContain(address);
      expect(body).not.toMatch(/127\.0\.0\.1:4000|evil/);
    }
  });

  test.each([
    ...['evil.example', 'graph.example.evil.example', 'evil@graph.example', 'graph.example/evil'],
    ...['graph.example:1)evil', 'graph.example"evil', "graph.example';evil", 'graph.example#evil'],
    ...['graph.example evil', 'graph.example,evil', 'graph.example$&evil', 'graph.example:1evil'],
  ])('is never taken from the host %s', async (host) => {
    for (const { status, body } of await readAs({ host })) {
      expect(status).toMatch(/^4(?:00|21) /);
      expect(body).not.toContain('evil');
    }
  });
});

test('the overview and the full text have no sentence for readers of the sources', async () => {
  for (const path of ['/llms.txt', '/llms-full.txt']) {
    const text = await read(path);
    expect(text).not.toMatch(/`npm |\bnpm (?:test|run)|testing\.md|\btests? |repository|\bsrc\//);
  }
});

/** The first block of a kind. */
const block = (part: string, kind: string) =>
  new RegExp(`^\`\`\`${kind}\\n([\\s\\S]*?)^\`\`\``, 'm').exec(part)?.[1] ?? '';

/** Executes the functions and values of the text, which calls the gateway that has served it, and then code. */
async function execute(text: string, code: string, show: (line: string) => void) {
  const file = join(await newFolder('llms-full'), 'operations.mjs');
  const setup = `${block(text, 'ts setup')}\n${block(text, 'ts values')}`;
  await writeFile(file, `export const open = (show) => { ${setup}; return ${code}; };`);
  return (await import(file)).open(show);
}

describe('llms-full.txt', () => {
  let text: string;
  beforeAll(async () => {
    text = await read('/llms-full.txt');
  });

  test('has at most 60 KB', () => {
    expect(Buffer.byteLength(text)).toBeLessThanOrEqual(60_000);
  });

  test('is all that a client needs for ten everyday operations', async () => {
    const operations = text
      .split(/^### (?=\d+\. )/m)
      .slice(1)
      .map((part) => {
        const document = block(part, 'graphql');
        const name = /^\w+ (\w+)/.exec(document)?.[1];
        return `async (orderId) => { const ${name} = ${JSON.stringify(document)}; ${block(part, 'ts')} }`;
      });
    const shown: string[] = [];
    const run: readonly ((orderId?: string) => Promise<void>)[] = await execute(
      text,
      `[${operations}]`,
      (line) => shown.push(line),
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
      expect.stringMatching(/^maple-harbor\.com: AVAILABLE, [\d.]+ USD for 1 year/),
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

describe('a reader of llms-full.txt does with its documents', () => {
  const today = new Date().toISOString().slice(0, 10);
  let other: TestGateway;
  let receiver: Awaited<ReturnType<typeof startWebhookReceiver>>;
  // biome-ignore lint/suspicious/noExplicitAny: the functions and values of the text
  let of: any;
  // biome-ignore lint/suspicious/noExplicitAny: responses of any shape
  let send: (name: string, variables?: object) => Promise<any>;
  beforeAll(async () => {
    receiver = await startWebhookReceiver();
    other = await startTestGateway({ env: { ...env, WEBHOOKS_ALLOW_PRIVATE: 'true' } });
    const text = await read('/llms-full.txt', other.url);
    of = await execute(
      text,
      '{ request, subscribe, registrant, nameServers, maxPrice, maxTotal }',
      (line) => expect.fail(line),
    );
    /** Sends the document of a name; the root field of a subscription until its end. */
    send = async (name, variables = {}) => {
      const [all = ''] = new RegExp(`^\\w+ ${name}\\b[^\`]*`, 'm').exec(text) ?? [];
      const document = all.replace('https://crm.example/events', receiver.url);
      if (!document.startsWith('subscription'))
        return Object.values(await of.request(document, variables))[0];
      let last = {};
      for await (const update of of.subscribe(document, variables)) last = update;
      return Object.values(last)[0];
    };
  });
  afterAll(async () => {
    await other?.close();
    await receiver?.close();
  });

  const usd = { amount: expect.stringMatching(/^\d/), currency: 'USD' };
  const sold = (name: string) => ({ name, state: 'AVAILABLE', quote: { period: 1, highest: usd } });
  const domains = ['amber-quay.com', 'amber-quay.net', 'amber-quay.org'];

  test.each<[string, () => Promise<unknown>, object]>([
    [
      'five names with their prices',
      () => send('Check', { names: [...domains, 'weather.net', 'reseller-demo.com'] }),
      [...domains.map(sold), { state: 'TAKEN' }, { state: 'TAKEN' }],
    ],
    [
      'a word under five TLDs',
      () => send('Search', { labels: ['amber-quay'], tlds: ['com', 'net', 'org', 'shop', 'de'] }),
      ['com', 'net', 'org', 'shop', 'de'].map((tld) => ({
        availability: { ...sold(`amber-quay.${tld}`), quote: { highest: usd } },
      })),
    ],
    [
      'the price of three years of .de, which is not sold',
      () => send('Prices', { tld: 'de', years: 3 }),
      { quote: { certainty: 'NOT_SOLD', reason: '"period" must be 1 for .de; 3 was given.' } },
    ],
    [
      'a registration with two contacts',
      async () => {
        const { registrant, nameServers, maxPrice } = of;
        const contact = { fields: { ...registrant.fields, firstName: 'Grace' } };
        const input = { registrant, contact, nameServers, maxPrice, domain: 'amber-pier.com' };
        const { purchase } = await send('Register', { input: { ...input, idempotencyKey: 'r' } });
        const roles = '{ contacts { registrant { firstName } technical { firstName } } }';
        return [purchase, await other.query(`{ domain(name: "amber-pier.com") ${roles} }`)];
      },
      [
        { state: 'SUCCEEDED' },
        {
          data: {
            domain: {
              contacts: { registrant: { firstName: 'Ada' }, technical: { firstName: 'Grace' } },
            },
          },
        },
      ],
    ],
    [
      'an order of three lines to its end',
      async () => {
        const { registrant, nameServers, maxTotal } = of;
        const lines = domains.map((domain) => ({ registration: { domain } }));
        const defaults = { registrant, nameServers };
        const input = { idempotencyKey: 'cart', lines, defaults, maxTotal: [maxTotal] };
        const { order } = await send('Place', { input });
        return send('Follow', { id: order.id });
      },
      { order: { state: 'SUCCEEDED', progress: { succeeded: 3, failed: 0, waiting: 0 } } },
    ],
    [
      'the domains that expire within 60 days, and what completes the list',
      () => send('Expiring', { before: new Date(Date.now() + 60 * 86_400_000).toISOString() }),
      {
        nodes: expect.arrayContaining([expect.objectContaining({ name: 'expiring-demo.com' })]),
        coverage: { complete: false, nextStep: expect.stringContaining('trackDomains') },
      },
    ],
    [
      'another name server for all domains that have one',
      async () => {
        const { count } = await send('PreviewReplacement');
        await send('Replace', { count });
        await expect.poll(async () => (await send('ReplacementOutcome')).state).not.toBe('RUNNING');
        const { state, progress } = await send('ReplacementOutcome');
        return { state, left: count - progress.succeeded, succeeded: progress.succeeded > 0 };
      },
      { state: 'SUCCEEDED', left: 0, succeeded: true },
    ],
    [
      'a transfer with its code',
      () => send('Transfer'),
      { purchase: { state: 'IN_PROGRESS', transfer: { stage: 'REQUESTED' } } },
    ],
    [
      'the events of today',
      async () => {
        const read = () => send('Since', { since: today });
        await expect.poll(async () => (await read()).nodes.length).toBeGreaterThan(0);
        return (await read()).nodes[0];
      },
      { type: 'PURCHASE_SETTLED', subject: 'amber-pier.com', purchase: { state: 'SUCCEEDED' } },
    ],
    [
      'a webhook, and its signature',
      async () => {
        const { webhook, secret } = await send('CreateWebhook');
        const { delivery } = await send('TryWebhook', { id: webhook.id });
        const { body = '', headers = {} } = receiver.received[0] ?? {};
        const signed = `${headers['webhook-id']}.${headers['webhook-timestamp']}.${body}`;
        const key = Buffer.from(secret.replace('whsec_', ''), 'base64');
        const signature = createHmac('sha256', key).update(signed).digest('base64');
        return { delivery, isSigned: headers['webhook-signature'] === `v1,${signature}` };
      },
      { delivery: { status: 204, failure: null }, isSigned: true },
    ],
  ])('%s', async (_job, run, expected) => {
    expect(await run()).toMatchObject(expected);
  });
});
