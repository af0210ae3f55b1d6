import { type Client, ClientError, createClient } from '../../client/index.ts';
import type { Config } from '../config/config.ts';
import { StartError } from '../lib/errors.ts';
import { parseJson, resultOr } from '../lib/json.ts';

export interface ListedDomain {
  readonly name: string;
  readonly unicodeName: string;
  /** A `DomainState`. */
  readonly state: string;
  /** Null when they are not readable. */
  readonly nameServers: readonly string[] | null;
  readonly privacyProtected: boolean | null;
  readonly labels: Readonly<Record<string, string>>;
}

/** The gateway that runs, for the caller of GATEWAY_KEY. */
export interface Gateway {
  readonly client: Client;
  /** Its URL, without `/graphql` and without a slash at the end. */
  readonly origin: string;
  /** All domains of the list, and whether these are all of the account. @throws StartError */
  readDomains(): Promise<{ readonly domains: readonly ListedDomain[]; readonly complete: boolean }>;
  /** Domains that the list leaves out. @throws StartError when the account does not have one */
  readUnlisted(names: readonly string[]): Promise<readonly ListedDomain[]>;
}

/** Runs work with the gateway. @throws StartError when the gateway refuses a request, or cannot be reached. */
export async function withGateway<T>(
  { gateway: { url, key }, server: { port } }: Config,
  work: (gateway: Gateway) => Promise<T>,
): Promise<T> {
  const origin = (url ?? `http://127.0.0.1:${port}`).replace(/(?:\/graphql)?\/*$/, '');
  const headers: Record<string, string> = key ? { 'x-api-key': key.reveal() } : {};
  const client = createClient({ url: `${origin}/graphql`, headers });
  try {
    return await work({
      client,
      origin,
      readDomains: () => readDomains(origin, headers),
      readUnlisted: (names) => readUnlisted(client, names),
    });
  } catch (error) {
    if (!(error instanceof ClientError)) throw error;
    throw new StartError(error.message);
  }
}

async function readDomains(
  origin: string,
  headers: Readonly<Record<string, string>>,
): ReturnType<Gateway['readDomains']> {
  const response = await fetch(`${origin}/export/domains.jsonl`, { headers }).catch(() => null);
  const text = await response?.text().catch(() => null);
  if (!response || typeof text !== 'string') {
    throw new StartError(
      `The gateway at ${origin} cannot be reached, or the connection was lost; check GATEWAY_URL.`,
    );
  }
  const lines = text.split('\n').filter((line) => line !== '');
  const rows = response.ok ? resultOr(() => lines.map(rowOf), null) : null;
  if (rows) return { domains: rows, complete: response.headers.get('x-list-complete') === 'true' };
  const { errors: [error] = [] } = Object(parseJson(text)) as {
    readonly errors?: readonly { readonly message: string }[];
  };
  throw new StartError(
    error?.message ??
      `The response of ${origin} with status ${response.status} is not one of a gateway; check GATEWAY_URL.`,
  );
}

function rowOf(line: string): ListedDomain {
  const { labels, ...row } = JSON.parse(line);
  return { ...row, labels: JSON.parse(labels ?? '{}') };
}

/** Names of one request. */
const namesPerRead = 100;

interface FoundDomains {
  readonly domainsByName: readonly (
    | (Omit<ListedDomain, 'labels'> & {
        readonly labels: readonly { readonly name: string; readonly value: string }[];
      })
    | null
  )[];
}

async function readUnlisted(
  client: Client,
  names: readonly string[],
): Promise<readonly ListedDomain[]> {
  const document = `query UnlistedDomains($names: [String!]!) {
    domainsByName(names: $names) { name unicodeName state nameServers privacyProtected labels { name value } }
  }`;
  const domains: ListedDomain[] = [];
  for (let from = 0; from < names.length; from += namesPerRead) {
    const part = names.slice(from, from + namesPerRead);
    const { domainsByName: found } = await client.request<FoundDomains>(document, { names: part });
    for (const [at, domain] of found.entries()) {
      if (!domain) throw new StartError(`The account has no domain ${part[at]}.`);
      const labels = domain.labels.map(({ name, value }) => [name, value]);
      domains.push({ ...domain, labels: Object.fromEntries(labels) });
    }
  }
  return domains;
}
