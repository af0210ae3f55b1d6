import { afterAll, afterEach, expect } from 'vitest';
import { ada } from '../support/ada.ts';
import {
  type GraphQLResponse,
  startTestGateway,
  type TestGatewayOptions,
} from '../support/gateway.ts';
import { createGatewayClock } from '../support/gateway-clock.ts';
import { inputTypeOf } from '../support/input-type.ts';
import { type Script, startUpstream } from './upstream.ts';
import type { Json } from './wire-objects.ts';

const apiKey = 'key-of-the-client-01';

/**
 * A live gateway in front of the independent upstream. The clock is simulated, so that no pause takes time. After each test
 * every request of the gateway must have had the form of the specification.
 */
export async function startIndependent(options: TestGatewayOptions = {}) {
  const upstream = await startUpstream();
  const time = createGatewayClock();
  const { username, password, token: accountToken, domainApiUrl, accountApiUrl } = upstream;
  const gateway = await startTestGateway({
    clock: time.clock,
    accountToken,
    ...options,
    env: {
      UPSTREAM: 'live',
      API_KEY: apiKey,
      EVENTS_INTERVAL_SECONDS: '0',
      DOMAIN_API_URL: domainApiUrl,
      ACCOUNT_API_URL: accountApiUrl,
      DOMAIN_API_USERNAME: username,
      DOMAIN_API_PASSWORD: password,
      ...options.env,
    },
  });
  afterEach(() => {
    const violations = [...upstream.violations];
    upstream.reset();
    expect(violations).toEqual([]);
  });
  afterAll(async () => {
    await gateway.close();
    upstream.close();
  });
  /** Lets time pass until the response. */
  const query = (document: string, variables: object = {}): Promise<GraphQLResponse> =>
    time.during(gateway.query(document, variables, { 'x-api-key': apiKey }));
  /** The operations that a `run` has used. */
  const used = new Set<string>();
  return {
    upstream,
    time,
    query,
    used,
    /** Returns the data, and of the calls of the gateway the number by operation and the bodies without the login. */
    async run(document: string, input?: object) {
      const { data, errors } = await query(document, { input });
      const calls = upstream.counts();
      for (const operation of Object.keys(calls)) used.add(operation);
      expect(errors).toBeUndefined();
      const sent = upstream.requests.filter(({ body }) => body !== '');
      const bodies = sent.map(({ body }): Json => {
        const { username: _username, password: _password, ...fields } = JSON.parse(body);
        return fields;
      });
      return { data, bodies, calls };
    },
  };
}

/** A registration that passes every check, but for what a test changes. */
export const order = (domain: string, changes: object = {}) => ({
  domain,
  idempotencyKey: domain,
  nameServers: ['ns1.host.example', 'ns2.host.example'],
  registrant: { fields: ada },
  ...changes,
});

export const transferOf = (domain: string) => ({
  domain,
  idempotencyKey: domain,
  authCode: 'Right-Code-01',
});

export const errorFields = /* GraphQL */ `
  code message path executed retryable
  upstreamCode upstreamMessage
`;

/** The document of a mutation with an input, whose payload has the alias `it`. */
export const changeDocument = (name: string, fields: string): string => {
  return `mutation ($input: ${inputTypeOf(name)}!) { it: ${name}(input: $input) { ${fields} errors { ${errorFields} } } }`;
};

const purchaseFields = /* GraphQL */ `
  purchase { kind state domainName period price { amount currency } errors { ${errorFields} } }
  errors { ${errorFields} }
`;

export const registerDocument = /* GraphQL */ `
  mutation ($input: RegisterDomainInput!) { registerDomain(input: $input) { ${purchaseFields} } }
`;

export const transferDocument = /* GraphQL */ `
  mutation ($input: TransferDomainInput!) { transferDomain(input: $input) { ${purchaseFields} } }
`;

/** A script of the upstream that changes the `data` of the ordinary reply. */
export const dataAs =
  (change: (data: Json) => unknown): Script =>
  (_fields, ordinary) => {
    const body = ordinary().body as Json;
    return { body: { ...body, data: change(body.data) } };
  };
export const withMembers = (members: object) => dataAs((data) => ({ ...data, ...members }));
