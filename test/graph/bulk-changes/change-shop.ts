import type { EventStream } from '../../support/event-stream.ts';
import { startTestGateway, type TestGatewayOptions } from '../../support/gateway.ts';
import { errorFields, openShop, type Payload, type Shop } from '../purchases/shop.ts';

const jobFields = /* GraphQL */ `
  id key state createdAt finishedAt caller
  change { setNameServers replaceNameServer { from to } addNameServer removeNameServer privacyProtected sync unlock items }
  progress { waiting running succeeded unchanged failed unknown cancelled }
`;

const valueFields = 'nameServers privacyProtected transferLocked status';

const itemFields = /* GraphQL */ `
  items(first: 500) {
    domainName state endedAt target before { ${valueFields} } after { ${valueFields} } errors { ${errorFields} ... on DomainLocked { status } }
  }
`;

/** Short leases, so that a restarted gateway continues at once. */
const shortLeases = { jobLeaseMs: 1_000 };

export const openChangeShop = (options: TestGatewayOptions = {}): Promise<Shop> =>
  openShop({ ...shortLeases, ...options });

/** A shop whose sandbox continues, with its list of calls, while its gateway restarts. */
export async function openRestartableShop(options: TestGatewayOptions = {}): Promise<Shop> {
  const sandbox = await openShop(options);
  const { sandboxUrl, admin, callUpstream, countCalls, resetCalls, upstreamCalls } =
    sandbox.gateway;
  const env = { ...options.env, DOMAIN_API_URL: `${sandboxUrl}/domain-api` };
  const front = await startTestGateway({ ...shortLeases, ...options, env });
  const close = async () => {
    await front.close();
    await sandbox.close();
  };
  return {
    ...sandbox,
    close,
    gateway: {
      sandboxUrl,
      admin,
      callUpstream,
      countCalls,
      resetCalls,
      upstreamCalls,
      close,
      metricsUrl: null,
      // Another one after each restart.
      get url() {
        return front.url;
      },
      lines: front.lines,
      query: front.query,
      restart: front.restart,
    },
  };
}

async function ask({ gateway }: Shop, document: string, variables: object, headers = {}) {
  const { data, errors } = await gateway.query(document, variables, headers);
  if (errors) throw new Error(JSON.stringify(errors));
  return data;
}

let keys = 0;

/** Sends `changeDomains` with a new key and the number of its names, but for what `input` changes. Counts calls from here on. */
export async function changeDomains(
  shop: Shop,
  input: { readonly names?: readonly string[] } & Record<string, unknown>,
  headers = {},
): Promise<Payload> {
  await shop.gateway.resetCalls();
  keys += 1;
  const { names } = input;
  const whole = { idempotencyKey: `change-${keys}`, expectedCount: names?.length, ...input };
  const document = `mutation ($input: ChangeDomainsInput!) {
    changeDomains(input: $input) { bulkChange { ${jobFields} } replayed errors { ${errorFields} } } }`;
  return (await ask(shop, document, { input: whole }, headers)).changeDomains;
}

export async function readJob(shop: Shop, id: string): Promise<Payload> {
  const document = `query ($id: ID!) { bulkChange(by: { id: $id }) { ${jobFields} ${itemFields} } }`;
  return (await ask(shop, document, { id })).bulkChange;
}

/** The job once `isReached` is true for it; the test's own time limit ends the wait. */
export async function waitForJob(
  shop: Shop,
  id: string,
  isReached: (job: Payload) => boolean = ({ state }) => state !== 'RUNNING',
): Promise<Payload> {
  for (;;) {
    const job = await readJob(shop, id);
    if (isReached(job)) return job;
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
}

/** Creates a job that is accepted, and waits for its end. */
export async function runChange(
  shop: Shop,
  input: Parameters<typeof changeDomains>[1],
): Promise<Payload> {
  const { bulkChange: job, errors } = await changeDomains(shop, input);
  if (!job) throw new Error(JSON.stringify(errors));
  return waitForJob(shop, job.id);
}

/** `by` is an id, or an input. */
const ofJob = async (
  shop: Shop,
  field: string,
  count: string,
  by: string | object,
): Promise<Payload> => {
  const input = typeof by === 'string' ? { id: by } : by;
  const document = `mutation ($input: LookupInput!) { ${field}(input: $input) {
    ${count} bulkChange { ${jobFields} } errors { ${errorFields} } } }`;
  return (await ask(shop, document, { input }))[field];
};
export const cancelChange = (shop: Shop, by: string | object) =>
  ofJob(shop, 'cancelBulkChange', 'cancelled', by);
export const retryChange = (shop: Shop, by: string | object) =>
  ofJob(shop, 'retryBulkChange', 'retried', by);

export async function preview(shop: Shop, variables: object): Promise<Payload> {
  await shop.gateway.resetCalls();
  const document = `query ($names: [String!], $filter: DomainFilter, $change: BulkChangeInput!) {
    previewBulkChange(names: $names, filter: $filter, change: $change) {
      count unchanged refused refusals { state count } coverage { complete } sample { domainName before { ${valueFields} } after { ${valueFields} } } errors { ${errorFields} } } }`;
  return (await ask(shop, document, variables)).previewBulkChange;
}

/** The names of all domains of the account in these states. */
export async function namesIn(shop: Shop, states: readonly string[]): Promise<readonly string[]> {
  const names: string[] = [];
  for (let after: string | null = null; ; ) {
    const document = `query ($after: String, $states: [DomainState!]) {
      domains(first: 100, after: $after, filter: { states: $states }) {
        nodes { name } pageInfo { endCursor hasNextPage } } }`;
    const { domains }: Payload = await ask(shop, document, { after, states });
    names.push(...domains.nodes.map(({ name }: Payload) => name));
    if (!domains.pageInfo.hasNextPage) return names;
    after = domains.pageInfo.endCursor;
  }
}

/** The upstream calls about each domain, by action. */
export async function callsByDomain(
  shop: Shop,
  action: string,
): Promise<ReadonlyMap<string, number>> {
  const calls = new Map<string, number>();
  for (const call of await shop.gateway.upstreamCalls()) {
    if (call.action !== action || !call.domain) continue;
    calls.set(call.domain, (calls.get(call.domain) ?? 0) + 1);
  }
  return calls;
}

export const itemOf = (job: Payload, domain: string): Payload =>
  job.items.find((item: Payload) => item.domainName === domain);

export const codesOf = ({ errors }: Payload): readonly string[] =>
  errors.map(({ code }: Payload) => code);

export const progressOf = async (stream: EventStream): Promise<readonly Payload[]> =>
  (await stream.rest()).flatMap(({ event, data }) =>
    event === 'next' ? [data.data.bulkChangeProgress] : [],
  );
