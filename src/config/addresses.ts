import { isLoopback } from '../lib/loopback.ts';

/** A host as a URL writes it, IPv6 in brackets; null for text that is not a host. */
export function canonicalHost(host: string): string | null {
  const isBare = host.includes(':') && !host.startsWith('[');
  return URL.parse(`http://${isBare ? `[${host}]` : host}/`)?.hostname || null;
}

/** Whether listening on this address accepts connections to every address of the machine. */
export const isWildcard = (host: string): boolean =>
  ['0.0.0.0', '[::]', '[::ffff:0:0]'].includes(canonicalHost(host) ?? '');

const loopbackNames = ['localhost', '127.0.0.1', '[::1]'];

/** The default of ALLOWED_HOSTS for a HOST. */
export const defaultHosts = (host: string): readonly string[] => {
  const name = canonicalHost(host);
  return name === null ? loopbackNames : [...new Set([...loopbackNames, name])];
};

/** Whether credentials would be sent to this URL unencrypted over a network. */
export function isUnencrypted(url: string | undefined): boolean {
  if (url === undefined) return false;
  const { protocol, hostname } = new URL(url);
  return protocol === 'http:' && !isLoopback(hostname);
}

/** Whether a URL is on another machine and encrypted, so that it may be that of the real registrar. */
export function isRemote(url: string): boolean {
  const { protocol, hostname } = new URL(url);
  return protocol === 'https:' && !isLoopback(hostname);
}
