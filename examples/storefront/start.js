// Serves the storefront over a gateway: its own with a sandbox, or the one at GATEWAY_URL.
//
//   npm start      builds it, then serves it
//   npm run dev    serves the sources, and shows every change at once

import { randomBytes } from 'node:crypto';
import { fileURLToPath } from 'node:url';
import { build, createServer, preview } from 'vite';
import { checkGateway, startGateway } from './gateway.js';
import { openPayments } from './payments.js';
import { gatewayProxy } from './proxy.js';
import { seed } from './seed.js';
import { createSessions } from './session.js';

const pathOf = (name) => fileURLToPath(new URL(name, import.meta.url));
const { GATEWAY_URL, STOREFRONT_KEYS = pathOf('./data/keys') } = process.env;
const { STOREFRONT_HOST = '127.0.0.1', STOREFRONT_PORT = '5173' } = process.env;
const { STOREFRONT_SESSION_HOURS = '8' } = process.env;
const names = (process.env.STOREFRONT_NAMES ?? '').split(',').flatMap((name) => name.trim() || []);

/** For the built pages. While developing Vite adds scripts and styles to the page itself. */
const ownFilesOnly =
  "default-src 'self'; img-src 'self' data:; base-uri 'none'; form-action 'self'; frame-ancestors 'none'";

for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => process.exit(0));

try {
  await main();
} catch (error) {
  process.stderr.write(`storefront: ${error.message}\n`);
  process.exit(1);
}

async function main() {
  const hours = Number(STOREFRONT_SESSION_HOURS);
  if (!(hours > 0)) throw new Error('STOREFRONT_SESSION_HOURS must be a number above 0.');
  const sessions = createSessions(STOREFRONT_KEYS, hours);
  const paymentsKey = GATEWAY_URL ? process.env.PAYMENTS_KEY : randomBytes(24).toString('hex');
  const gateway = GATEWAY_URL ?? (await startGateway(sessions.issuers, paymentsKey));
  await checkGateway(gateway, sessions);
  if (!GATEWAY_URL) await seed(gateway, sessions.tokenForServer('staff'));
  let resolvePayments;
  const payments = paymentsKey ? new Promise((resolve) => (resolvePayments = resolve)) : null;
  const where = {
    host: STOREFRONT_HOST,
    port: Number(STOREFRONT_PORT),
    allowedHosts: names,
    // Pages of other sites may read nothing, and show no page of this one.
    cors: false,
    headers: { 'content-security-policy': "frame-ancestors 'none'" },
  };
  const config = {
    root: pathOf('.'),
    configFile: false,
    logLevel: 'warn',
    plugins: [gatewayProxy({ gateway, sessions, payments })],
    // Beside the files of the page the folder has the signing key and the data of the gateway.
    server: { ...where, fs: { deny: ['.env*', '*.pem', '**/data/**'] } },
    preview: { ...where, headers: { 'content-security-policy': ownFilesOnly } },
  };
  const [page] = await (process.argv.includes('--dev') ? develop(config) : serve(config));
  // The Stripe in this process sends its webhooks to the page's own server.
  if (payments) resolvePayments(await openPayments({ gateway, gatewayKey: paymentsKey, page }));
  process.stdout.write(`\n  Storefront  ${page}\n  Gateway     ${gateway}\n\n`);
}

async function develop(config) {
  const server = await createServer(config);
  await server.listen();
  return server.resolvedUrls.local;
}

async function serve(config) {
  await build(config);
  const server = await preview(config);
  return server.resolvedUrls.local;
}
