import { createHash } from 'node:crypto';
import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { logins } from '../../sandbox/service/seed.ts';
import { allAccessScopes } from '../../src/kernel/caller.ts';
import { newFolder } from '../support/folder.ts';
import {
  type GraphQLResponse,
  startTestGateway,
  type TestGateway,
  type TestGatewayOptions,
} from '../support/gateway.ts';

/** A domain record of the sandbox. */
export interface Held {
  readonly id: number;
  readonly name: string;
  readonly authCode: string;
  readonly registrant: number;
  readonly nameServers: readonly string[];
}

/** A tenant of the gateway, with the initial data of its account in the sandbox. */
export interface Account {
  /** Its name in the gateway. */
  readonly tenant: string;
  /** User name at the sandbox. */
  readonly user: string;
  readonly upstreamId: number;
  readonly balance: string;
  readonly held: ReadonlyMap<string, Held>;
  send(query: string, variables?: object): Promise<GraphQLResponse>;
}

export interface SharedGateway {
  readonly gateway: TestGateway;
  readonly accounts: readonly Account[];
  close(): Promise<void>;
}

const tenants = { one: 'demo', two: 'demo-two', three: 'demo-three' } as const;
const keyOf = (tenant: string) => `key-of-tenant-${tenant}`;
const sha256 = (text: string) => createHash('sha256').update(text).digest('hex');

/** The API key header of a tenant. */
export const as = (tenant: string) => ({ 'x-api-key': keyOf(tenant) });

/** Settings of a gateway with three tenants; each `changes` adds members to a row of TENANTS. */
export async function settingsOfThree(folder: string, changes: Record<string, object> = {}) {
  const names = Object.entries(tenants);
  const login = (user: string) => ({ username: user, password: `${user}-password` });
  const file = join(folder, 'tenants.json');
  const rows = names.map(([name, user]) => [name, { ...login(user), ...changes[name] }]);
  await writeFile(file, JSON.stringify(Object.fromEntries(rows)));
  const scopes = allAccessScopes;
  const keys = names.map(([tenant]) => [tenant, { sha256: sha256(keyOf(tenant)), tenant, scopes }]);
  return {
    TENANTS_FILE: file,
    API_KEYS: JSON.stringify(Object.fromEntries(keys)),
  };
}

/** One gateway, three tenants, each with an account of its own in one sandbox. */
export async function openThree(
  { env, ...options }: TestGatewayOptions = {},
  changes: Record<string, object> = {},
): Promise<SharedGateway> {
  const folder = await newFolder('tenants');
  const gateway = await startTestGateway({
    sandboxDomains: 40,
    accountToken: null,
    ...options,
    env: { ...(await settingsOfThree(folder, changes)), ...env },
  });
  const accounts = await Promise.all(
    Object.keys(tenants).map((tenant) => accountOf(gateway, tenant as keyof typeof tenants)),
  );
  await gateway.resetCalls();
  return {
    gateway,
    accounts,
    async close() {
      await gateway.close();
      await rm(folder, { recursive: true });
    },
  };
}

async function accountOf(gateway: TestGateway, tenant: keyof typeof tenants): Promise<Account> {
  const user = tenants[tenant];
  const login = logins.find(({ username }) => username === user);
  if (!login) throw new Error(`The sandbox has no ${user}.`);
  const response = await fetch(`${gateway.sandboxUrl}/domain-api/?action=getdomainlist`, {
    method: 'POST',
    body: JSON.stringify({ username: user, password: `${user}-password` }),
  });
  const { data } = (await response.json()) as { data: { Domains: { DomainName: string }[] } };
  const rows = await Promise.all(
    data.Domains.map(({ DomainName: name }) => gateway.admin('GET', `/domain?name=${name}`)),
  );
  const held = (rows as readonly (readonly Held[])[]).flat();
  return {
    tenant,
    user,
    upstreamId: login.shownId,
    balance: login.usd,
    held: new Map(held.map((one) => [one.name, one])),
    send: (query, variables) => gateway.query(query, variables, as(tenant)),
  };
}
