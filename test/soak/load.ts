import { setTimeout as pause } from 'node:timers/promises';
import { order } from '../graph/purchases/shop.ts';
import { openStream } from '../support/event-stream.ts';

/** Results of the load. */
export interface Tally {
  requests: number;
  /** Responses by HTTP status and the code of the first error. */
  readonly responses: Map<string, number>;
  /** Responses that break a promise. */
  readonly odd: string[];
  /** Domains whose purchase was reported as `SUCCEEDED`. */
  readonly bought: Set<string>;
}

export interface LoadOptions {
  readonly origin: string;
  readonly headers: Readonly<Record<string, string>>;
  /** One request to the admin surface of the sandbox. */
  readonly admin: (method: string, path: string, body?: object) => Promise<unknown>;
  /** Makes names that no earlier run used. */
  readonly runId: string;
  readonly signal: AbortSignal;
}

const readings = [
  '{ domain(name: "reseller-demo.com") { name state expiresAt nameServers contacts { registrant { email } } } }',
  '{ domains(first: 20) { totalCount nodes { name state tld { price(operation: RENEWAL) { price { amount } } } } } }',
  '{ domainStats { totalCount byTld { value count } } }',
  '{ tlds(first: 10) { nodes { name prices { period } } } }',
  '{ reseller { name balance { money { amount } } } }',
  '{ purchases(first: 5) { nodes { id state } } }',
  '{ domain(name: "not-here.com") { name } }',
  '{ __typename }',
];
const bad = [
  '{ domain(name: "-bad-.com") { name } }',
  '{ nothing }',
  '{ domain',
  'mutation { deleteLogs(input: { confirm: false }) { errors { code } } }',
  '{ domain(name: "x.com") { ... on Domain { ...a } } } fragment a on Domain { ...a }',
];
const faults = ['delay', 'gateway', 'html', 'empty', 'reset', 'cut', 'busy', 'wrongtypes'];
const actions = ['getdetails', 'getdomainlist', 'tldlist', 'bulkcheckavailability', 'getcontacts'];

const buy = `mutation ($input: RegisterDomainInput!) {
  registerDomain(input: $input) { purchase { id state } errors { code executed } } }`;
const setHosts = `mutation ($input: SetNameServersInput!) {
  setNameServers(input: $input) { errors { code } } }`;
const settled = 'subscription ($id: ID!) { purchaseSettled(id: $id) { state } }';
const found =
  'subscription ($label: String!) { searchDomains(labels: [$label], first: 30) { availability { name } } }';

/** All kinds of requests concurrently, until the signal is aborted: reads, searches, purchases, streams, invalid requests, faults, aborts. */
export async function load(options: LoadOptions): Promise<Tally> {
  const { origin, headers, admin, runId, signal } = options;
  const tally: Tally = { requests: 0, responses: new Map(), odd: [], bought: new Set() };

  const sendQuery = async (query: string, variables: object = {}, leaveAfterMs = 20_000) => {
    tally.requests += 1;
    const response = await fetch(`${origin}/graphql`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...headers },
      body: JSON.stringify({ query, variables }),
      signal: AbortSignal.timeout(leaveAfterMs),
    });
    const text = await response.text();
    const answer = JSON.parse(text);
    const code = answer.errors?.[0]?.extensions?.code;
    const kind = `${response.status}${code ? ` ${code}` : ''}`;
    tally.responses.set(kind, (tally.responses.get(kind) ?? 0) + 1);
    if (code === 'INTERNAL' || response.status === 500) tally.odd.push(text.slice(0, 500));
    return answer.data;
  };

  /** Repeats a request with a pause. An intended abort is no failure. */
  const again = async (everyMs: number, step: (number: number) => Promise<unknown>) => {
    for (let number = 0; !signal.aborted; number += 1) {
      await step(number).catch((error: Error) => {
        if (error.name !== 'TimeoutError' && !signal.aborted) tally.odd.push(String(error.stack));
      });
      await pause(everyMs);
    }
  };
  /** A stream that ends with the load: a purchase with a lost reply may settle minutes later. */
  const open = async (query: string, variables: object) => {
    const stream = await openStream(origin, { query, variables, headers });
    signal.addEventListener('abort', stream.hangUp);
    return stream;
  };
  const pick = <T>(from: readonly T[], number: number) => from[number % from.length] as T;
  const label = (number: number) => `soak-${runId}-${number}`;

  await Promise.all([
    ...[0, 3, 5].map((at) => again(10, (number) => sendQuery(pick(readings, number + at)))),
    again(40, (number) =>
      sendQuery('query ($names: [String!]!) { availabilities(names: $names) { state } }', {
        names: ['com', 'net', 'org', 'de'].map((tld) => `${label(number)}.${tld}`),
      }),
    ),
    // Every second search is aborted.
    again(500, (number) =>
      sendQuery(
        'query ($label: String!) { searchDomains(labels: [$label], first: 40) { availability { name state } } }',
        { label: label(number) },
        number % 2 ? 60 : 20_000,
      ),
    ),
    again(50, (number) => sendQuery(pick(bad, number))),
    again(400, (number) =>
      sendQuery(setHosts, {
        input: {
          domain: 'reseller-demo.com',
          nameServers: [`ns${(number % 9) + 1}.example-dns.net`, 'ns0.example-dns.net'],
        },
      }),
    ),
    again(2_000, async (number) => {
      const domain = `${label(number)}-bought.com`;
      if (number % 4 === 1)
        await admin('POST', '/faults', { fault: 'lost-answer', action: 'registerdomain', domain });
      const data = await sendQuery(buy, {
        input: order({ domain, period: 1, idempotencyKey: domain }),
      });
      const purchase = data?.registerDomain?.purchase;
      if (purchase?.state === 'SUCCEEDED') tally.bought.add(domain);
      if (purchase?.state !== 'PENDING') return;
      const stream = await open(settled, { id: purchase.id });
      for (const { data: event } of await stream.rest()) {
        if (event?.data?.purchaseSettled?.state === 'SUCCEEDED') tally.bought.add(domain);
      }
    }),
    again(1_500, async (number) => {
      const stream = await open(found, { label: label(number) });
      await stream.next();
      if (number % 2) stream.hangUp();
      else await stream.rest();
    }),
    again(1_000, (number) =>
      admin('POST', '/faults', {
        fault: pick(faults, number),
        action: pick(actions, number * 7),
        ms: 300,
      }),
    ),
  ]);
  return tally;
}
