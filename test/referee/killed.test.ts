import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { startTestGateway } from '../support/gateway.ts';

const main = new URL('../../src/sandbox/main.ts', import.meta.url).pathname;
const directory = mkdtempSync(join(tmpdir(), 'reseller-graph-killed-'));
const children: ChildProcess[] = [];
afterAll(() => {
  for (const child of children) child.kill('SIGKILL');
  rmSync(directory, { recursive: true, force: true });
});

/** The real sandbox in a process of its own, once it listens. */
async function start(port: string) {
  const child = spawn(process.execPath, [main, '--domains', '40'], {
    env: { PATH: process.env.PATH, SANDBOX_PORT: port, DATA_DIR: directory },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  children.push(child);
  const { promise, resolve, reject } = Promise.withResolvers<string>();
  child.once('exit', () => reject(new Error('The sandbox ended before it listened.')));
  child.stdout.on('data', (chunk) => {
    const origin = /http:\/\/127\.0\.0\.1:\d+/.exec(String(chunk))?.[0];
    if (origin) resolve(origin);
  });
  return { child, origin: await promise };
}

async function kill(child: ChildProcess): Promise<void> {
  child.kill('SIGKILL');
  await once(child, 'exit');
}

const registration = `mutation { registerDomain(input: { domain: "before-the-kill.com", period: 2,
  nameServers: ["ns1.hosts.net", "ns2.hosts.net"], privacyProtected: true, registrant: {
    firstName: "Ada", lastName: "Byron", email: "ada@example.com", phone: "+49 30 123456",
    address: { line1: "Hauptstr. 1", city: "Berlin", zipCode: "10115", country: "DE" } } })
  { operation { state } errors { message } } }`;
const question = `{ domain(name: "before-the-kill.com") {
    upstreamId authCode registeredAt expiresAt privacyProtected transferLocked nameServers
    contacts { registrant { upstreamId lastName } } }
  domains(first: 100) { totalCount nodes { name status upstreamId } }
  reseller { balances { money { amount currency } } } }`;

test('what was answered before a kill is there after it: a domain, its price, a cart', async () => {
  const first = await start('0');
  const gateway = await startTestGateway({
    env: {
      DOMAIN_API_URL: `${first.origin}/domain-api`,
      ACCOUNT_API_URL: `${first.origin}/account-api`,
    },
  });
  const carts = async (): Promise<unknown> => (await fetch(`${first.origin}/admin/carts`)).json();

  const before = await gateway.query(question);
  const bought = await gateway.query(registration);
  const told = await gateway.query(question);
  const cart = await gateway.query(`mutation { createCart(input: { items: [
    { description: "x", quantity: "3", unitPrice: "0.1", productType: "y" }] }) { cart { id } } }`);
  await gateway.query(
    'mutation { setNameServers(input: { domain: "unlocked-demo.com", nameServers: ["a.hosts.net", "b.hosts.net"] }) { errors { code } } }',
  );
  await kill(first.child);

  const down = await gateway.query('{ domain(name: "before-the-kill.com") { status } }');
  await start(new URL(first.origin).port);
  const after = await gateway.query(question);
  const changed = await gateway.query('{ domain(name: "unlocked-demo.com") { nameServers } }');
  const kept = await carts();
  await gateway.close();

  expect(bought.data.registerDomain).toEqual({ operation: { state: 'SUCCEEDED' }, errors: [] });
  expect(down.errors).toMatchObject([{ extensions: { code: 'UPSTREAM_UNAVAILABLE' } }]);
  expect(after.errors).toBeUndefined();
  expect(after.data).toEqual(told.data);
  expect(after.data.domain).toMatchObject({ privacyProtected: true });
  expect(after.data.domains.totalCount).toBe(before.data.domains.totalCount + 1);
  expect(after.data.reseller).not.toEqual(before.data.reseller);
  expect(changed.data.domain.nameServers).toEqual(['a.hosts.net', 'b.hosts.net']);
  expect(kept).toContainEqual(expect.objectContaining({ id: cart.data.createCart.cart.id }));
});
