import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createYoga } from 'graphql-yoga';
import { createLoaders, schema } from './schema.ts';

// Yoga with its defaults.

const yoga = createYoga({ schema, context: () => ({ loaders: createLoaders() }) });
const server = createServer(yoga);
server.listen(0, '127.0.0.1', () => {
  process.stdout.write(`http://127.0.0.1:${(server.address() as AddressInfo).port}\n`);
});
