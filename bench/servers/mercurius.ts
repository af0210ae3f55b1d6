import { createRequire } from 'node:module';
import { fastify } from 'fastify';
import { createLoaders, schema } from './schema.ts';

// Mercurius with its defaults; graphql-jit compiles each document at its second execution.

// By `require`, because a type check without the packages of this folder finds no types of it.
const { mercurius } = createRequire(import.meta.url)('mercurius');
const server = fastify();
server.register(mercurius, { schema, jit: 1, context: () => ({ loaders: createLoaders() }) });
process.stdout.write(`${await server.listen({ port: 0, host: '127.0.0.1' })}\n`);
