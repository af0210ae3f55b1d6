import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { isAccessScope } from '../../src/kernel/caller.ts';
import { apiKeysOf, by } from '../access/keys.ts';
import { order } from '../graph/purchases/shop.ts';
import { newFolder } from '../support/folder.ts';
import { startTestGateway, type TestGateway } from '../support/gateway.ts';
import { readText } from './markdown.ts';

// The examples of docs/approvals.md, executed.

const page = readText('docs/approvals.md');
const blocks = (kind: string) =>
  [...page.matchAll(new RegExp(`^\`\`\`${kind}\\n([\\s\\S]*?)^\`\`\``, 'gm'))].map(
    ([, text = '']) => text,
  );
const documents = new Map(
  blocks('graphql').map((text) => [/^\w+ (\w+)/.exec(text)?.[1] ?? '', text]),
);
/** The keys that its commands make. */
const keys = Object.fromEntries(
  [...page.matchAll(/keys -- make (\w+) --scopes (\S+)/g)].map(([, name = '', scopes = '']) => [
    name,
    scopes.split(',').filter(isAccessScope),
  ]),
);

let gateway: TestGateway;
let folder: string;
const start = async (rules: string, more: Record<string, string> = {}) => {
  const APPROVALS_FILE = join(folder, 'approvals.json');
  await writeFile(APPROVALS_FILE, rules);
  return startTestGateway({
    ...{ sandboxDomains: 60, accountToken: null },
    env: { APPROVALS_FILE, API_KEYS: apiKeysOf(keys), ...more },
  });
};
beforeAll(async () => {
  folder = await newFolder('docs-approvals');
  gateway = await start(blocks('json')[0] ?? '');
});
afterAll(async () => {
  await gateway?.close();
  await rm(folder, { recursive: true });
});

const run = async (name: string, key: string, variables: object = {}) => {
  const { data, errors } = await gateway.query(documents.get(name) ?? '', variables, by(key));
  expect(errors).toBeUndefined();
  return data;
};

test('the page has its examples, and the keys of its commands have the scopes that they name', () => {
  expect([...documents.keys()]).toEqual(['Unlock', 'Cancel', 'Waiting', 'Approve', 'Reject']);
  expect(Object.keys(keys)).toEqual(['desk', 'manager']);
  expect(keys.desk).toHaveLength(4);
  expect(keys.manager).toHaveLength(2);
});

test('an unlock waits, is listed, approved, and then made', async () => {
  const [error] = (await run('Unlock', 'desk')).disableTransferLock.errors;
  expect(error).toMatchObject({ code: 'APPROVAL_REQUIRED', approval: { state: 'REQUESTED' } });

  const { approvals } = await run('Waiting', 'manager');
  expect(approvals).toMatchObject({
    totalCount: 1,
    nodes: [
      {
        id: error.approval.id,
        operation: 'UNLOCK',
        caller: 'desk',
        subject: { domainName: 'expiring-demo.com' },
      },
    ],
  });
  const { approve } = await run('Approve', 'manager', { id: error.approval.id });
  expect(approve).toMatchObject({ approval: { state: 'GRANTED' }, errors: [] });

  const { disableTransferLock } = await run('Unlock', 'desk');
  expect(disableTransferLock).toEqual({ transferLocked: false, errors: [] });
});

test('an expensive purchase waits, and is rejected', async () => {
  const register = (domain: string, more: object = {}) =>
    gateway.query(
      `mutation ($input: RegisterDomainInput!) { registerDomain(input: $input) {
        needsApproval purchase { id state approval { id rule { position } } } errors { code } } }`,
      { input: order({ domain, ...more }) },
      by('desk'),
    );
  const cheap = (await register('maple-harbor.com', { dryRun: true })).data.registerDomain;
  expect(cheap).toMatchObject({ needsApproval: false, errors: [] });
  const { data } = await register('maple-harbor.com', { period: 10, idempotencyKey: 'ten' });
  const { needsApproval, purchase } = data.registerDomain;
  expect(needsApproval).toBe(true);
  expect(purchase).toMatchObject({
    state: 'AWAITING_APPROVAL',
    approval: { rule: { position: 2 } },
  });

  const { reject } = await run('Reject', 'manager', { id: purchase.approval.id });
  expect(reject).toEqual({
    approval: { state: 'REJECTED', reason: 'Use the price of the reseller.' },
    errors: [],
  });
});

test('a purchase that waits is cancelled', async () => {
  const { data } = await gateway.query(
    `mutation ($input: RegisterDomainInput!) { registerDomain(input: $input) { purchase { id } } }`,
    { input: order({ domain: 'maple-orchard.com', period: 10 }) },
    by('desk'),
  );
  const { cancelPurchase } = await run('Cancel', 'desk', data.registerDomain.purchase);
  expect(cancelPurchase).toEqual({
    purchase: { state: 'FAILED', approval: { state: 'CANCELLED' } },
    errors: [],
  });
});

test('the file with people is accepted by a gateway with their key and issuer', async () => {
  const issuer = {
    ...{ name: 'login', issuer: 'https://login.example', audience: 'graph' },
    ...{ jwks: 'https://login.example/jwks.json', algorithms: ['RS256'] },
  };
  const [, ofPeople = ''] = blocks('json');
  const other = await start(ofPeople, { JWT_ISSUERS: JSON.stringify([issuer]) });
  await other.close();

  await expect(start(ofPeople)).rejects.toThrow(
    'APPROVALS_FILE: The approval file must be corrected: "samePerson".[0] has "login:ada"',
  );
});
