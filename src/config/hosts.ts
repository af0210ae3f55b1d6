/** A host as a URL writes it, IPv6 in brackets; null where it is none. */
export function canonicalHost(host: string): string | null {
  const isBare = host.includes(':') && !host.startsWith('[');
  return URL.parse(`http://${isBare ? `[${host}]` : host}/`)?.hostname || null;
}

/** Whether an address stands for every address of the machine, so that nobody calls it by that. */
export const isWildcard = (host: string): boolean =>
  ['0.0.0.0', '[::]', '[::ffff:0:0]'].includes(canonicalHost(host) ?? '');

const loopbackNames = ['localhost', '127.0.0.1', '[::1]'];

/** Where nobody has listed them: the names by which HOST can be called. */
export const defaultHosts = (host: string): readonly string[] => {
  const name = canonicalHost(host);
  return name === null || isWildcard(host) ? loopbackNames : [...new Set([...loopbackNames, name])];
};
