export interface BaseUrl {
  readonly origin: string;
  /** `/domain-api` or `''`: no slash at the end. */
  readonly path: string;
}

/**
 * Where an upstream lives.
 *
 * @throws Error that says what is wrong with the setting, and never repeats its text, which may hold a password.
 */
export function parseBaseUrl(text: string): BaseUrl {
  const url = URL.parse(text);
  if (!url) throw new Error('The base URL of an upstream is not a URL.');
  if (url.protocol !== 'http:' && url.protocol !== 'https:') {
    throw new Error('The base URL of an upstream must begin with http: or https:.');
  }
  if (url.username !== '' || url.password !== '') {
    throw new Error('The base URL of an upstream must not hold credentials.');
  }
  if (url.search !== '' || url.hash !== '') {
    throw new Error('The base URL of an upstream must not hold a query or a fragment.');
  }
  return { origin: url.origin, path: url.pathname.replace(/\/+$/, '') };
}
