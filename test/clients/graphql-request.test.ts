import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { because } from '../support/skipped.ts';
import { type ClientResponse, type Connect, describeClient, useGateway } from './contract.ts';

/** graphql-request has a folder of its own, because it refuses to be installed beside version 17 of graphql. */
const folder = join(import.meta.dirname, 'graphql-request');
const isInstalled = existsSync(join(folder, 'node_modules', 'graphql-request'));
const why = isInstalled ? null : 'run "npm ci" in test/clients/graphql-request';
const { ClientError, GraphQLClient } = isInstalled
  ? await import(createRequire(join(folder, 'package.json')).resolve('graphql-request'))
  : {};

const connect: Connect = (endpoint, fetch) => {
  const client = new GraphQLClient(endpoint, { fetch });
  return {
    async send(document, variables = {}) {
      try {
        return { data: await client.request(document, variables), errors: [] };
      } catch (error) {
        if (!(error instanceof ClientError)) throw error;
        const { data, errors = [] } = (error as { response: ClientResponse }).response;
        return { data, errors };
      }
    },
  };
};

describe.skipIf(why)(`graphql-request${because(why)}`, () => {
  describeClient(connect);

  describe('in one piece', () => {
    const gateway = useGateway();

    test('deferred data arrives in one JSON response, because the client accepts no parts', async () => {
      const { endpoint, fetch } = gateway;

      await connect(endpoint, fetch).send(
        'query Late { reseller { name } ... @defer { nodes(ids: []) { id } } }',
      );

      expect(gateway.exchanges).toMatchObject([
        { status: 200, type: expect.stringMatching(/json; charset=utf-8$/) },
      ]);
    });
  });
});
