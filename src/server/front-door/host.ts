import { isLoopback } from '../../kernel/loopback.ts';
import { type Arrival, badRequest, type Check, type Refusal } from './arrival.ts';

/** By which names a gateway may be called. */
export interface HostRule {
  /** Asked of a name as a URL has it: small letters, no port, IPv6 in brackets. */
  readonly isAllowed: (name: string) => boolean;
  /** What whoever calls it otherwise is told. */
  readonly sentence: string;
}

/** Where nobody is asked for a key, whatever else is configured. */
export const loopbackRule: HostRule = {
  isAllowed: isLoopback,
  sentence: 'Without a key this gateway answers only at localhost, 127.0.0.1 or [::1].',
};

export const listedRule = (names: readonly string[]): HostRule => ({
  isAllowed: (name) => names.includes(name),
  sentence:
    'This gateway is not called by that name; its operator lists the names in ALLOWED_HOSTS.',
});

/**
 * There is one Host, it is a name with or without a port, and this gateway is called by it: a DNS name of a foreign site
 * that is rebound to this address is not. Probes call a machine by its address or by nothing; health is open to them.
 */
export function createHostCheck({ isAllowed, sentence }: HostRule): Check {
  // Nearly every request has the same.
  let good: string | undefined;
  return (arrival): Refusal | null => {
    const { host } = arrival.headers;
    const isHealth = arrival.path?.startsWith('/health/') === true;
    if (countHosts(arrival) > 1) return badRequest(400, noHost);
    if (host === undefined) return isHealth ? null : badRequest(400, noHost);
    if (host === good) return null;
    const name = hostNameOf(host);
    if (name === null) return badRequest(400, noHost);
    if (isHealth) return null;
    if (!isAllowed(name)) return badRequest(421, sentence);
    good = host;
    return null;
  };
}

const written = /^(?:[\w.-]+|\[[\da-f:.]+\])(?::\d{1,5})?$/i;

const hostNameOf = (host: string): string | null =>
  written.test(host) ? (URL.parse(`http://${host}/`)?.hostname ?? null) : null;

function countHosts({ rawHeaders }: Arrival): number {
  let count = 0;
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const name = rawHeaders[at] ?? '';
    if (name.length === 4 && name.toLowerCase() === 'host') count += 1;
  }
  return count;
}

const noHost = 'The Host of a request is one name of this gateway, with or without a port.';
