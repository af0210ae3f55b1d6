import { createServer } from 'node:http';
import { createRequire } from 'node:module';
import type { AddressInfo } from 'node:net';
import type { DocumentNode, ExecutionArgs, ExecutionResult } from 'graphql';
import { createYoga, type Plugin } from 'graphql-yoga';
import { createLoaders, schema } from './schema.ts';

// The textbook server, whose documents graphql-jit compiles at their first execution.

interface Compiled {
  query(root: unknown, context: unknown, variables: unknown): Promise<ExecutionResult>;
}

// By `require`, because a type check without the packages of this folder finds no types of it.
const { compileQuery } = createRequire(import.meta.url)('graphql-jit');
const compiled = new WeakMap<DocumentNode, Compiled>();

function execute({
  document,
  operationName,
  rootValue,
  contextValue,
  variableValues,
}: ExecutionArgs) {
  let one = compiled.get(document);
  if (!one) {
    one = compileQuery(schema, document, operationName) as Compiled;
    compiled.set(document, one);
  }
  return one.query(rootValue, contextValue, variableValues ?? {});
}

const useCompiled: Plugin = { onExecute: ({ setExecuteFn }) => setExecuteFn(execute) };
const yoga = createYoga({
  schema,
  context: () => ({ loaders: createLoaders() }),
  plugins: [useCompiled],
});
const server = createServer(yoga);
server.listen(0, '127.0.0.1', () => {
  process.stdout.write(`http://127.0.0.1:${(server.address() as AddressInfo).port}\n`);
});
