import { isLoopback } from '../../../lib/loopback.ts';
import { badRequest, type Guard, type RequestHead } from '../request-head.ts';

/**
 * Accepts one `Host` header with an allowed name, as protection against DNS rebinding. Without authentication (`isOpen`)
 * only names of loopback are allowed. Probes send an address or no name; health accepts them.
 */
export function createHostGuard(isOpen: boolean, allowedHosts: readonly string[]): Guard {
  const isAllowed = isOpen ? isLoopback : (name: string) => allowedHosts.includes(name);
  const message = isOpen ? notLoopback : notListed;
  // Most requests have the same.
  let accepted: string | undefined;
  return (head) => {
    const { host } = head.headers;
    const isHealth = head.path?.startsWith('/health/') === true;
    if (countHosts(head) > 1) return badRequest(400, invalidHost);
    if (host === undefined) return isHealth ? null : badRequest(400, invalidHost);
    if (host === accepted) return null;
    const name = hostNameOf(host);
    if (name === null) return badRequest(400, invalidHost);
    if (isHealth) return null;
    if (!isAllowed(name)) return badRequest(421, message);
    accepted = host;
    return null;
  };
}

const plainHost = /^(?:[\w.-]+|\[[\da-f:.]+\])(?::\d{1,5})?$/i;

const hostNameOf = (host: string): string | null =>
  plainHost.test(host) ? (URL.parse(`http://${host}/`)?.hostname ?? null) : null;

function countHosts({ rawHeaders }: RequestHead): number {
  let count = 0;
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const name = rawHeaders[at] ?? '';
    if (name.length === 4 && name.toLowerCase() === 'host') count += 1;
  }
  return count;
}

const invalidHost =
  'A request needs one Host header with a name of this gateway and an optional port.';
const notLoopback = 'Without a key this gateway responds only at localhost, 127.0.0.1 or [::1].';
const notListed =
  'This gateway does not respond under that name; its operator lists the names in ALLOWED_HOSTS.';
