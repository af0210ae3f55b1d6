import { isLoopback } from '../../lib/loopback.ts';

/**
 * The URL of a path as the client uses it. The guards have checked the host. The gateway itself has no TLS, and RFC 9728
 * requires https, so the URL has https except on loopback.
 */
export function urlOf(host: string, path: string): string {
  const url = new URL(path, `https://${host}`);
  if (isLoopback(url.hostname)) url.protocol = 'http:';
  return url.href;
}
