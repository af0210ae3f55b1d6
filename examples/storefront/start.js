// Serves the storefront and hands /graphql on to a gateway: its own with a sandbox, or the one at GATEWAY_URL.
//
//   npm start      builds it, then serves it
//   npm run dev    serves the sources, and shows every change at once

import { fileURLToPath } from 'node:url';
import { build, createServer, preview } from 'vite';
import { startGateway } from './gateway.js';

const { GATEWAY_URL, STOREFRONT_PORT = '5173' } = process.env;

for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => process.exit(0));

try {
  await main();
} catch (error) {
  process.stderr.write(`storefront: ${error.message}\n`);
  process.exit(1);
}

async function main() {
  const gateway = GATEWAY_URL ?? (await startGateway());
  const where = {
    host: '127.0.0.1',
    port: Number(STOREFRONT_PORT),
    // The host of the browser stays, so the gateway sees who asks.
    proxy: { '/graphql': { target: gateway, changeOrigin: false } },
  };
  const config = {
    root: fileURLToPath(new URL('.', import.meta.url)),
    configFile: false,
    logLevel: 'warn',
    server: where,
    preview: where,
  };
  const [page] = await (process.argv.includes('--dev') ? develop(config) : serve(config));
  process.stdout.write(`\n  Storefront  ${page}\n  GraphiQL    ${gateway}/graphql\n\n`);
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
