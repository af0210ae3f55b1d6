import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { startTestGateway } from '../support/gateway.ts';
import { type Running, startProcess } from '../support/process.ts';

const directory = mkdtempSync(join(tmpdir(), 'reseller-graph-killed-'));
const running: Running[] = [];
afterAll(async () => {
  for (const one of running) await one.kill();
  rmSync(directory, { recursive: true, force: true });
});

/** The sandbox in its own process, once it listens. */
const start = async (port: string) => {
  const env = { SANDBOX_PORT: port, SANDBOX_LATENCY: 'none', DATA_DIR: directory };
  const sandbox = await startProcess('sandbox/main', env, ['--domains', '40']);
  running.push(sandbox);
  return sandbox;
};

const registration = `mutation { registerDomain(input: { domain: "before-the-kill.com", period: 2,
  nameServers: ["ns1.hosts.net", "ns2.hosts.net"], privacyProtected: true, registrant: { fields: {
    firstName: "Ada", lastName: "Byron", email: "ada@example.com", phone: "+49 30 123456",
    address: { line1: "Hauptstr. 1", city: "Berlin", zipCode: "10115", country: "DE" } } } })
  { purchase { state } errors { message } } }`;
const question = `{ domain(name: "before-the-kill.com") {
    upstreamId authCode registeredAt expiresAt privacyProtected transferLocked nameServers
    contacts { registrant { upstreamId lastName } } }
  domains(first: 100) { totalCount nodes { name status upstreamId } }
  reseller { balances { money { amount currency } } } }`;

test('the sandbox has its data after a kill: a domain, its price, a cart', async () => {
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
  const purchased = await gateway.query(question);
  const cart = await gateway.query(`mutation { createCart(input: { items: [
    { description: "x", quantity: "3", unitPrice: "0.1", productType: "y" }] }) { cart { id } } }`);
  await gateway.query(
    'mutation { setNameServers(input: { domain: "unlocked-demo.com", nameServers: ["a.hosts.net", "b.hosts.net"] }) { errors { code } } }',
  );
  await first.kill();

  const down = await gateway.query('{ domain(name: "before-the-kill.com") { status } }');
  await start(new URL(first.origin).port);
  const after = await gateway.query(question);
  const changed = await gateway.query('{ domain(name: "unlocked-demo.com") { nameServers } }');
  const cartsAfter = await carts();
  await gateway.close();

  expect(bought.data.registerDomain).toEqual({ purchase: { state: 'SUCCEEDED' }, errors: [] });
  expect(down.errors).toMatchObject([{ extensions: { code: 'UPSTREAM_UNAVAILABLE' } }]);
  expect(after.errors).toBeUndefined();
  expect(after.data).toEqual(purchased.data);
  expect(after.data.domain).toMatchObject({ privacyProtected: true });
  expect(after.data.domains.totalCount).toBe(before.data.domains.totalCount + 1);
  expect(after.data.reseller).not.toEqual(before.data.reseller);
  expect(changed.data.domain.nameServers).toEqual(['a.hosts.net', 'b.hosts.net']);
  expect(cartsAfter).toContainEqual(expect.objectContaining({ id: cart.data.createCart.cart.id }));
});
