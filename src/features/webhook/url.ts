const maxUrlLength = 2_000;

/**
 * Why a URL cannot be that of a webhook; null when it can. The sentence completes "The URL …". The addresses of its host are
 * checked elsewhere.
 */
export function webhookUrlFlaw(text: string, allowsHttp: boolean): string | null {
  const url = URL.parse(text);
  if (!url || text.length > maxUrlLength) return 'is not a URL of up to 2000 characters.';
  if (url.protocol !== 'https:' && !(allowsHttp && url.protocol === 'http:')) {
    return allowsHttp
      ? 'must begin with https:// or http://.'
      : 'must begin with https://; WEBHOOKS_ALLOW_PRIVATE=true allows http://.';
  }
  if (`${url.username}${url.password}` !== '') return 'must not contain a user name or password.';
  if (text.includes('#')) return 'must not contain a fragment (#).';
  return null;
}

const prefix = 'whsec_';

/** Whether a text is a secret of Standard Webhooks: `whsec_` and 24 to 64 bytes in base64. */
export function isWebhookSecret(text: string): boolean {
  const encoded = text.slice(prefix.length);
  const bytes = Buffer.from(encoded, 'base64');
  return (
    text.startsWith(prefix) &&
    bytes.length >= 24 &&
    bytes.length <= 64 &&
    bytes.toString('base64') === encoded
  );
}

export const webhookSecretOf = (bytes: Buffer): string => `${prefix}${bytes.toString('base64')}`;

/** The key that a secret encodes. */
export const webhookKeyOf = (secret: string): Buffer =>
  Buffer.from(secret.slice(prefix.length), 'base64');
