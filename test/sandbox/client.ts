import { type SandboxOptions, startSandbox } from '../../sandbox/server.ts';
import { systemClock, systemRandomness } from '../../src/lib/system.ts';

export interface Reply {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  // biome-ignore lint/suspicious/noExplicitAny: a test looks into bodies of any shape
  readonly body: any;
}

const json = { 'content-type': 'application/json' };

/** A contact that every registry accepts. */
export const contact = {
  FirstName: 'Ada',
  LastName: 'Sample',
  Company: 'Sample Works Ltd',
  EMail: 'ada@sample-works.example',
  AddressLine1: '1 Example Street',
  AddressLine2: '',
  City: 'London',
  State: '',
  ZipCode: 'EC1A 1ZZ',
  Country: 'GB',
  Phone: '2079460101',
  PhoneCountryCode: 44,
};

/** A registration of one year; `changes` replace members of it. */
export const order = (domain: string, changes: object = {}) => ({
  domain,
  period: 1,
  contact,
  registrant: contact,
  nameservers: ['ns1.example-dns.net', 'ns2.example-dns.net'],
  privacyProtection: false,
  eppLock: true,
  ...changes,
});

/** A sandbox on a free port, in memory unless `file` says otherwise, and bare HTTP to it. */
export async function startTestSandbox(options: Partial<SandboxOptions> = {}) {
  const sandbox = await startSandbox({
    file: ':memory:',
    port: 0,
    clock: systemClock,
    randomness: systemRandomness,
    domains: 60,
    ...options,
  });
  const send = async (path: string, init: RequestInit = {}): Promise<Reply> => {
    const response = await fetch(`${sandbox.url}${path}`, init);
    const text = await response.text();
    const { status, headers } = response;
    return { status, headers, text, body: parse(text) };
  };
  const act = (action: string, fields: object = {}, username = 'demo', signal?: AbortSignal) =>
    send(`/domain-api/?action=${action}`, {
      method: 'POST',
      headers: json,
      body: JSON.stringify({ username, password: `${username}-password`, ...fields }),
      ...(signal && { signal }),
    });
  const admin = async (method: string, path: string, body?: object) => {
    const reply = await send(`/admin${path}`, {
      method,
      ...(method === 'POST' && { headers: json, body: JSON.stringify(body ?? {}) }),
    });
    if (reply.status !== 200) throw new Error(`${method} ${path}: ${reply.status} ${reply.text}`);
    return reply.body;
  };
  const details = async (domain: string, username = 'demo') =>
    (await act('getdetails', { domain }, username)).body.data;

  return {
    ...sandbox,
    send,
    /** A Domain API action with a login of the seed. */
    act,
    /** The error code that an action answers with; null when it succeeds. */
    code: async (action: string, fields: object = {}, username?: string) =>
      (await act(action, fields, username)).body?.error?.Code ?? null,
    details,
    /** An Account API call with a token of the seed; null sends none. */
    account: (method: string, path: string, body?: unknown, token: string | null = 'demo-token') =>
      send(`/account-api${path}`, {
        method,
        headers: {
          ...(token !== null && { authorization: `Bearer ${token}` }),
          ...(body !== undefined && json),
        },
        ...(body !== undefined && { body: typeof body === 'string' ? body : JSON.stringify(body) }),
      }),
    admin,
    arm: (fault: object) => admin('POST', '/faults', fault),
    advance: (advanceDays: number) => admin('POST', '/clock', { advanceDays }),
    balance: async (currency = 'USD', username = 'demo'): Promise<string> => {
      const { balances } = (await act('resellerdetails', {}, username)).body;
      return balances.find((one: { currency: string }) => one.currency === currency).balance;
    },
  };
}

export type TestSandbox = Awaited<ReturnType<typeof startTestSandbox>>;

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
