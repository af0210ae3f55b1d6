import { z } from 'zod';
import { isLoopback } from '../kernel/loopback.ts';

/** The text of a base URL. */
export const httpUrl = z.string().refine((text) => {
  const url = URL.parse(text);
  return (
    url !== null &&
    /^https?:$/.test(url.protocol) &&
    `${url.username}${url.password}` === '' &&
    !/[?#]/.test(text)
  );
}, 'an http or https URL without credentials, query or fragment');

/** Whether a credential could be read on its way there. */
export function isOpenToRead(url: string): boolean {
  const { protocol, hostname } = new URL(url);
  return protocol === 'http:' && !isLoopback(hostname);
}
