import type { TestGateway } from '../../../../test/support/gateway.ts';

export const files = [
  'domains.csv',
  'domains.jsonl',
  'purchases.csv',
  'audit.csv',
  'statement.csv',
  'prices.csv',
] as const;

export interface Download {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly text: string;
}

/** With the parameter that a statement needs. */
export const pathOf = (file: string): string =>
  `/export/${file}${file === 'statement.csv' ? '?month=2026-01' : ''}`;

/** Requests an export and reads it to its end. */
export async function download(
  { url }: Pick<TestGateway, 'url'>,
  file: string,
  init: RequestInit = {},
): Promise<Download> {
  const response = await fetch(`${url}${pathOf(file)}`, init);
  const text = await response.text();
  return { status: response.status, headers: Object.fromEntries(response.headers), text };
}

/** The objects of JSON Lines. */
export const jsonObjects = (text: string): readonly Record<string, unknown>[] =>
  text
    .split('\n')
    .slice(0, -1)
    .map((line) => JSON.parse(line));

/** A row of the upstream's list of domains. */
export const listRow = (name: string, changes: object = {}) => ({
  ID: 7,
  Status: 'Active',
  DomainName: name,
  AuthCode: 'Secret-Code-01',
  LockStatus: 'true',
  PrivacyProtectionStatus: 'false',
  IsChildNameServer: 'false',
  Contacts: [],
  Dates: { Start: '2020-01-31T10:00:00', Expiration: '2999-01-31T10:00:00', RemainingDays: 9 },
  NameServers: ['ns1.a.net', 'ns2.a.net'],
  Additional: [],
  ChildNameServers: [],
  ...changes,
});

/** The upstream's list of domains with these rows. */
export const listReply = (rows: readonly object[], totalCount = rows.length) => ({
  status: 200,
  body: JSON.stringify({ result: 'OK', data: { Domains: rows }, TotalCount: totalCount }),
});
