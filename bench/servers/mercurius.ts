import { fastify } from 'fastify';
import { mercurius } from 'mercurius';
import { createLoaders, schema } from './schema.ts';

// Mercurius with its defaults; graphql-jit compiles each document at its second execution.

const server = fastify();
server.register(mercurius, { schema, jit: 1, context: () => ({ loaders: createLoaders() }) });
process.stdout.write(`${await server.listen({ port: 0, host: '127.0.0.1' })}\n`);
