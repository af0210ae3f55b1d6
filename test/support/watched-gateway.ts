import { expect, onTestFinished } from 'vitest';
import { startTestGateway, type TestGatewayOptions } from './gateway.ts';
import { createGatewayClock } from './gateway-clock.ts';
import { minuteMs } from './simulated-clock.ts';

export const intervalMs = 5 * minuteMs;
export const fields =
  'id cursor type foundAt subject domainName purchase { id } source caller before { text } after { text }';

/** A gateway that has stored the first states of 120 domains. */
export async function startWatched({ env = {}, ...options }: TestGatewayOptions = {}) {
  const time = createGatewayClock();
  let laterMs = 0;
  const now = () => new Date(time.clock.now().getTime() + laterMs);
  const gateway = time.withTime(
    await startTestGateway({
      ...options,
      sandboxDomains: 120,
      clock: { ...time.clock, now },
      // The job engine looks for items every ten minutes, because each timer takes time here.
      jobLeaseMs: 60 * minuteMs,
      env: { EVENTS_INTERVAL_SECONDS: '300', ...env },
    }),
  );
  onTestFinished(() => gateway.close());
  // The first comparison only stores the states.
  await time.pass(1_000);
  await gateway.resetCalls();
  return {
    time,
    gateway,
    /** Sets the wall time forwards. */
    skip(ms: number): void {
      laterMs += ms;
    },
    /** A write by another program with the same account. */
    write: gateway.callUpstream,
    async events(args = '', headers: Record<string, string> = {}) {
      const document = `{ events${args} { totalCount nodes { ${fields} } pageInfo { hasNextPage } } }`;
      const { data, errors } = await gateway.query(document, {}, headers);
      expect(errors).toBeUndefined();
      return data.events;
    },
  };
}

export type WatchedGateway = Awaited<ReturnType<typeof startWatched>>;

/** Five changes of which the gateway learns by comparison alone. */
export async function changeFive({ write }: Pick<WatchedGateway, 'write'>): Promise<void> {
  await write('modifynameserver', {
    domain: 'unlocked-demo.com',
    nameservers: { 1: 'ns1.moved.net', 2: 'ns2.moved.net' },
  });
  await write('disabletheftlock', { domain: 'reseller-demo.com' });
  await write('modifyprivacystatus', { domain: 'lowercase-demo.org', status: true });
  await write('modifyprivacystatus', { domain: 'private-demo.net', status: false });
  await write('modifynameserver', {
    domain: 'hostless-demo.com',
    nameservers: { 1: 'ns1.first.net', 2: 'ns2.first.net' },
  });
}

export const five = [
  ['NAME_SERVERS_CHANGED', 'hostless-demo.com', '', 'ns1.first.net ns2.first.net'],
  ['PRIVACY_CHANGED', 'lowercase-demo.org', 'false', 'true'],
  ['PRIVACY_CHANGED', 'private-demo.net', 'true', 'false'],
  ['TRANSFER_UNLOCKED', 'reseller-demo.com', 'true', 'false'],
  [
    ...['NAME_SERVERS_CHANGED', 'unlocked-demo.com'],
    ...['ns1.example-dns.net ns2.example-dns.net', 'ns1.moved.net ns2.moved.net'],
  ],
];

type Value = { readonly text: string } | null;

export const facts = (event: Record<string, unknown>) => [
  ...[event.type, event.domainName],
  ...[event.before, event.after].map((value) => (value as Value)?.text ?? null),
];
