import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { ApolloClient, gql, HttpLink, InMemoryCache } from '@apollo/client';
import { createClient as createSseClient } from 'graphql-sse';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createClient, possibleTypes } from '../../client/index.ts';
import { readText } from '../docs/markdown.ts';
import { ada } from '../support/ada.ts';
import { newFolder } from '../support/folder.ts';
import { startTestGateway, type TestGateway } from '../support/gateway.ts';

// docs/clients.md has these operations with code that displays their results and errors. It runs here as it is there.

const page = readText('docs/clients.md');
const section = /^## Ten everyday operations\n([\s\S]*?)^## /m.exec(page)?.[1] ?? '';
const operations = section
  .split(/^### /m)
  .slice(1)
  .map((text) => ({
    title: text.split('\n')[0] ?? '',
    document: block(text, 'graphql'),
    code: block(text, 'ts'),
  }));
const setUp = { own: block(page, 'ts setup client'), apollo: block(page, 'ts setup apollo') };

function block(text: string, kind: string): string {
  const [, found = ''] = new RegExp(`^\`\`\`${kind}\\n([\\s\\S]*?)^\`\`\``, 'm').exec(text) ?? [];
  return found;
}

type Run = (title: string, given?: object) => Promise<readonly string[]>;

/** The operations as a module with one of the two set-ups. */
async function load(setup: string, clients: object): Promise<Run> {
  const documents = operations.map(
    ({ document }) => `const ${/^\w+ (\w+)/.exec(document)?.[1]} = ${JSON.stringify(document)};`,
  );
  const functions = operations.map(
    ({ title, code }) =>
      `${JSON.stringify(title)}: async ({ registrant, nameServers, maxPrice, maxTotal, orderId }) => {\n${code}}`,
  );
  const module = `${documents.join('\n')}
    export const open = ({ client, gql, sse, show }) => { ${setup}; return { ${functions.join(',\n')} }; };`;
  const file = join(await newFolder('everyday'), 'everyday.mjs');
  await writeFile(file, module);
  const { open } = await import(file);
  return async (title, more = {}) => {
    const lines: string[] = [];
    const run = open({ ...clients, show: (line: string) => lines.push(line) });
    await run[title]({ ...shop, ...more });
    return lines;
  };
}

const usd = (amount: string) => ({ amount, currency: 'USD' });
const shop = {
  registrant: { fields: ada },
  nameServers: ['ns1.example-dns.net', 'ns2.example-dns.net'],
  maxPrice: usd('20'),
  maxTotal: usd('50'),
};

const connect = {
  own: (url: string) => load(setUp.own, { client: createClient({ url }) }),
  apollo(uri: string) {
    const cache = new InMemoryCache({ possibleTypes });
    const client = new ApolloClient({ link: new HttpLink({ uri }), cache });
    return load(setUp.apollo, {
      client,
      gql,
      sse: createSseClient({ url: uri, retryAttempts: 0 }),
    });
  },
};

test('each of the ten operations has at most 12 lines of GraphQL and 12 of code', () => {
  expect(operations).toHaveLength(10);
  for (const { title, document, code } of operations) {
    const lengths = [document, code].map((text) => text.split('\n').length - 1);
    expect(Math.min(...lengths), title).toBeGreaterThan(0);
    expect(Math.max(...lengths), title).toBeLessThanOrEqual(12);
  }
});

describe.each(Object.entries(connect))('with the client: %s', (_name, connectTo) => {
  let gateway: TestGateway;
  let run: Run;
  beforeAll(async () => {
    // The prices of a reader of the documents.
    const env = { EVENTS_INTERVAL_SECONDS: '3600', PRICES_FILE: '' };
    gateway = await startTestGateway({ env });
    run = await connectTo(`${gateway.url}/graphql`);
  });
  afterAll(() => gateway?.close());

  const day = /^20\d\d-\d\d-\d\dT[\d:.]+Z/;

  test('a refusal is shown at its input and does not use the key, and an error at the top level by its message', async () => {
    const wrong = { registrant: { fields: { ...ada, email: 'x' } }, maxPrice: usd('1') };
    await gateway.admin('POST', '/faults', {
      fault: 'code',
      code: 'API_777_ERROR',
      action: 'getdetails',
    });

    expect(await run('4. Register a domain', wrong)).toEqual([
      expect.stringMatching(/^email: /),
      expect.stringMatching(/^maxPrice: /),
    ]);
    expect(await run('7. A page about a domain')).toEqual([
      expect.stringContaining('registrar'),
      'There is no such domain, or it cannot be read now.',
    ]);
  });

  test.each<[string, readonly RegExp[]]>([
    [
      '1. Search a name',
      [
        /^maple-harbor.com: 14.9900 USD for 1 year$/,
        /^maple-harbor.net: /,
        /^maple-harbor.ai: 181.9900 USD for 2 years$/,
      ],
    ],
    [
      '2. Check a list of names',
      [
        /^maple-harbor.com: AVAILABLE, 14.9900 USD for 1 year$/,
        /^example.com: TAKEN, /,
        /^not a name: INVALID, /,
      ],
    ],
    ['3. The price for some years', [/^73.9900 to 74.9900 USD$/]],
    ['4. Register a domain', [/^SUCCEEDED: /]],
    [
      '7. A page about a domain',
      [/^reseller-demo.com is ACTIVE, until 20/, /^Name servers: ns1/, /^Registrant: ada@/],
    ],
    ['8. Change name servers', [/^Now ns1.new-host.net, ns2.new-host.net$/]],
  ])('%s', async (title, expected) => {
    expect(await run(title)).toEqual(expected.map((line) => expect.stringMatching(line)));
  });

  test('5. Place an order, and 6. follow it to its end', async () => {
    const [placed = ''] = await run('5. Place an order');
    const [, orderId] = /^Order (\S+) is RUNNING$/.exec(placed) ?? [];
    const followed = await run('6. Follow an order', { orderId });

    expect(followed.at(-1)).toBe('The order is SUCCEEDED');
  });

  test('9. Domains that expire soon', async () => {
    const lines = await run('9. Domains that expire soon');

    expect(lines).toContain('expiring-demo.com: 3 days');
    expect(lines.at(-1)).toMatch(/^The list is not complete. The gateway .* trackDomains/);
  });

  test('10. What happened since yesterday', async () => {
    const lines = await run('10. What happened since yesterday');

    expect(lines[0]).toMatch(day);
    expect(lines.map((line) => line.replace(day, ''))).toContain(
      ' PURCHASE_SETTLED maple-harbor.com',
    );
  });
});
