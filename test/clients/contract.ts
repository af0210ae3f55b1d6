import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { order } from '../graph/purchases/shop.ts';
import { startTestGateway, type TestGateway } from '../support/gateway.ts';

/** A client library as an application uses it, with its results. */
export interface GraphClient {
  /** Errors at the top level are handed back, not thrown. */
  send(document: string, variables?: Record<string, unknown>): Promise<ClientResponse>;
}

export interface ClientResponse {
  // biome-ignore lint/suspicious/noExplicitAny: a test looks into responses of any shape
  readonly data: any;
  readonly errors: readonly ClientError[];
}

export interface ClientError {
  readonly message: string;
  readonly extensions?: Readonly<Record<string, unknown>>;
}

/** What went over the wire, one for each request. */
export interface Exchange {
  readonly method: string;
  /** Whether the document went along, and not its hash alone. */
  readonly sendsText: boolean;
  readonly status: number;
  readonly type: string;
}

/** A `fetch` that records its requests. */
export function recordingFetch() {
  const exchanges: Exchange[] = [];
  const recorded: typeof fetch = async (input, init) => {
    const response = await fetch(input, init);
    exchanges.push({
      method: init?.method ?? 'GET',
      sendsText: /[?&]query=|"query":/.test(`${input}${init?.body ?? ''}`),
      status: response.status,
      type: response.headers.get('content-type') ?? '',
    });
    return response;
  };
  return { exchanges, fetch: recorded };
}

export type Connect = (endpoint: string, fetch: typeof globalThis.fetch) => GraphClient;

export const search = 'labels: ["maple-harbor"], tlds: ["com", "net"]';

/** What every client has to be able to do against a running gateway. */
export function describeClient(connect: Connect): void {
  let gateway: TestGateway;
  let client: GraphClient;
  const wire = recordingFetch();
  beforeAll(async () => {
    gateway = await startTestGateway({ sandboxDomains: 40 });
    client = connect(`${gateway.url}/graphql`, wire.fetch);
  });
  beforeEach(() => {
    wire.exchanges.length = 0;
  });
  afterAll(() => gateway?.close());

  const noneIs406 = () => expect(wire.exchanges.map(({ status }) => status)).not.toContain(406);

  test('a query with variables returns its data', async () => {
    const { data, errors } = await client.send(
      'query One($name: String!) { domain(name: $name) { name state } }',
      { name: 'Reseller-Demo.com' },
    );

    expect(errors).toEqual([]);
    expect(data.domain).toMatchObject({ name: 'reseller-demo.com', state: 'ACTIVE' });
  });

  test('a refusal of a mutation is data, with its code and its facts', async () => {
    const { data, errors } = await client.send(
      `mutation Buy($input: RegisterDomainInput!) {
        registerDomain(input: $input) {
          purchase { id }
          errors { ...Why ... on PeriodOutOfRange { minimum maximum } }
        }
      }
      fragment Why on UserError { code message path }`,
      { input: order({ domain: 'clients-buy.com', period: 11 }) },
    );

    expect(errors).toEqual([]);
    expect(data.registerDomain).toMatchObject({
      purchase: null,
      errors: [{ code: 'PERIOD_OUT_OF_RANGE', path: ['input', 'period'], minimum: 1, maximum: 10 }],
    });
  });

  test.each([
    ['a document that does not fit the graph', 'query Odd { nothing }', 'INVALID_REQUEST'],
    ['a value that cannot be', 'query Odd { domains(first: 101) { totalCount } }', 'INVALID_INPUT'],
  ])('%s is an error that the client can read, with its code', async (_what, document, code) => {
    const { errors } = await client.send(document);

    expect(errors).toMatchObject([
      { extensions: { code, category: 'INPUT', executed: 'NO', requestId: expect.any(String) } },
    ]);
  });

  test('a failing field leaves the other data intact', async () => {
    await gateway.admin('POST', '/faults', { fault: 'code', code: '300', action: 'getdetails' });

    const { data, errors } = await client.send(
      'query Both { reseller { name } domain(name: "unlocked-demo.com") { name } }',
    );

    expect(data).toMatchObject({ reseller: { name: 'Demo Reseller' }, domain: null });
    expect(errors).toMatchObject([{ extensions: { code: 'UPSTREAM_AUTH' } }]);
  });

  test('deferred and streamed data is complete in the end, and no request gets 406', async () => {
    const deferred = await client.send(
      'query Late { reseller { name } ... @defer { domain(name: "reseller-demo.com") { state } } }',
    );
    const streamed = await client.send(
      `query Stream { searchDomains(${search}) @stream { availability { name } } }`,
    );

    expect(deferred.errors).toEqual([]);
    expect(deferred.data).toMatchObject({
      reseller: { name: 'Demo Reseller' },
      domain: { state: 'ACTIVE' },
    });
    expect(streamed.errors).toEqual([]);
    expect(
      streamed.data.searchDomains
        .map(({ availability }: { availability: { name: string } }) => availability.name)
        .toSorted(),
    ).toEqual(['maple-harbor.com', 'maple-harbor.net']);
    noneIs406();
  });
}

/** Starts a gateway for a group of tests, and notes down what goes over the wire. */
export function useGateway(env: Readonly<Record<string, string>> = {}) {
  const wire = recordingFetch();
  let gateway: TestGateway | undefined;
  beforeAll(async () => {
    gateway = await startTestGateway({ sandboxDomains: 40, env });
  });
  beforeEach(() => {
    wire.exchanges.length = 0;
  });
  afterAll(() => gateway?.close());
  return {
    ...wire,
    get endpoint(): string {
      return `${gateway?.url}/graphql`;
    },
  };
}

/** A subscription that ends on its own, and its events. */
export const found = `subscription Found { searchDomains(${search}) { availability { name } } }`;
export const names = ['maple-harbor.com', 'maple-harbor.net'];
