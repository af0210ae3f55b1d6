export interface BaseUrl {
  readonly origin: string;
  /** `/domain-api` or `''`, without a trailing slash. */
  readonly path: string;
}

/**
 * Parses the base URL of an upstream.
 *
 * @throws Error with the reason; it never repeats the text, which may contain a password.
 */
export function parseBaseUrl(text: string): BaseUrl {
  const url = URL.parse(text);
  if (!url) throw new Error('The base URL of an upstream is not a URL.');
  if (url.protocol !== 'http:' && url.protocol !== 'https:') {
    throw new Error('The base URL of an upstream must begin with http: or https:.');
  }
  if (url.username !== '' || url.password !== '') {
    throw new Error('The base URL of an upstream must not contain credentials.');
  }
  if (url.search !== '' || url.hash !== '') {
    throw new Error('The base URL of an upstream must not contain a query or a fragment.');
  }
  return { origin: url.origin, path: url.pathname.replace(/\/+$/, '') };
}
