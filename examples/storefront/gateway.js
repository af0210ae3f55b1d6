import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('../../', import.meta.url));
const dataDir = fileURLToPath(new URL('./data', import.meta.url));

/**
 * Starts the gateway with its sandbox, both on free ports, in a process that ends with this one.
 *
 * @param {readonly object[]} issuers whose tokens it accepts
 * @param {string} paymentsKey with which payments are reported
 * @returns {Promise<string>} its origin, such as `http://127.0.0.1:40123`
 * @throws Error with one sentence when it is not installed or does not start.
 */
export async function startGateway(issuers, paymentsKey) {
  const bin = `${root}node_modules/.bin`;
  if (!existsSync(bin)) throw new Error(`The gateway is not installed: run "npm ci" in ${root}`);
  const sha256 = createHash('sha256').update(paymentsKey).digest('hex');
  const keys = { payments: { sha256, scopes: ['payments:confirm', 'ops'] } };
  const child = spawn('node', ['src/main.ts'], {
    cwd: root,
    // The gateway brings the Node along that it needs.
    env: {
      DATA_DIR: dataDir,
      ...process.env,
      ...onFreePorts,
      ...{ AUTH: 'keys', JWT_ISSUERS: JSON.stringify(issuers) },
      ...{ PAYMENT_REQUIRED: 'customers', API_KEYS: JSON.stringify(keys) },
      PATH: `${bin}:${process.env.PATH}`,
    },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  process.on('exit', () => child.kill());
  const ended = once(child, 'exit').then(() => {
    throw new Error('The gateway has ended.');
  });
  const origin = await Promise.race([originOf(child.stdout), ended]);
  // Without a gateway there is nothing to show.
  ended.catch(() => process.exit(1));
  return origin;
}

const onFreePorts = { PORT: '0', SANDBOX_PORT: '0', LOG_LEVEL: 'warn' };

/** The address that it prints when it listens; the rest of what it prints is dropped. */
function originOf(output) {
  return new Promise((resolve) => {
    output.setEncoding('utf8');
    output.on('data', (text) => {
      const [, origin] = /(http:\/\/127\.0\.0\.1:\d+)\/graphql/.exec(text) ?? [];
      if (origin) resolve(origin);
    });
  });
}

/** @throws Error with one sentence when the gateway does not accept the tokens of this storefront, or requires none. */
export async function checkGateway(gateway, { tokenOf, issuers }) {
  const response = await fetch(new URL('/graphql', gateway), {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      authorization: `Bearer ${tokenOf({ headers: {} })}`,
    },
    body: JSON.stringify({ query: '{ gateway { scopes } }' }),
  }).catch(() => null);
  if (response === null) throw new Error(`There is no gateway at ${gateway}.`);
  const { data } = await response.json().catch(() => ({}));
  if (data?.gateway?.scopes.join() === 'domains:check') return;
  const setting = `AUTH=keys JWT_ISSUERS='${JSON.stringify(issuers)}'`;
  throw new Error(`Start the gateway at ${gateway} with ${setting}`);
}
