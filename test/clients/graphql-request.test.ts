import { ClientError, GraphQLClient } from 'graphql-request';
import { describe, expect, test } from 'vitest';
import { type Connect, describeClient, useGateway } from './contract.ts';

const connect: Connect = (endpoint, fetch) => {
  const client = new GraphQLClient(endpoint, { fetch });
  return {
    async send(document, variables = {}) {
      try {
        return { data: await client.request(document, variables), errors: [] };
      } catch (error) {
        if (!(error instanceof ClientError)) throw error;
        const { data, errors = [] } = error.response;
        return { data, errors };
      }
    },
  };
};

describe('graphql-request', () => {
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
