import { ClientError } from './error.ts';
import type { ChangedValueFragment, EventFragment, EventType } from './operations.ts';

/** The value before or after a change. Members without a value are absent. */
export type WebhookValue = Pick<ChangedValueFragment, 'text'> & {
  readonly [Name in keyof ChangedValueFragment]?: NonNullable<ChangedValueFragment[Name]>;
};

/** An event as a webhook sends it. */
export interface WebhookEvent {
  readonly type: EventType;
  readonly timestamp: string;
  readonly data: Pick<EventFragment, 'id' | 'cursor' | 'subject' | 'domainName' | 'source'> & {
    readonly purchaseId: string | null;
    readonly before: WebhookValue | null;
    readonly after: WebhookValue | null;
  };
}

/** The message of `testWebhook`. */
export interface WebhookTest {
  readonly type: 'WEBHOOK_TEST';
  readonly timestamp: string;
  readonly data: { readonly id: string };
}

type WebhookHeaders = Headers | Readonly<Record<string, string | readonly string[] | undefined>>;

/** As Standard Webhooks recommends. */
const toleranceSeconds = 300;

/**
 * The content of a webhook request whose signature is valid. `headers` are `Headers` or those of `node:http`, `body` is the body
 * before it is parsed, and `secret` each secret that may have signed it.
 *
 * @throws TypeError for a body that is parsed, and
 * ClientError `INVALID_SIGNATURE` when the signature, its time or a header is not valid: respond with 400.
 */
export async function verifyWebhook(
  headers: WebhookHeaders,
  body: string | Uint8Array | ArrayBuffer,
  secret: string | readonly string[],
): Promise<WebhookEvent | WebhookTest> {
  const text = textOf(body);
  const id = headerOf(headers, 'webhook-id');
  const timestamp = headerOf(headers, 'webhook-timestamp');
  const signatures = headerOf(headers, 'webhook-signature').split(' ');
  if (!(Math.abs(Date.now() / 1000 - Number(timestamp)) <= toleranceSeconds)) {
    throw invalid('The header webhook-timestamp is not within five minutes of the clock.');
  }
  const content = new TextEncoder().encode(`${id}.${timestamp}.${text}`);
  const algorithm = { name: 'HMAC', hash: 'SHA-256' };
  for (const one of [secret].flat()) {
    const key = await crypto.subtle.importKey('raw', keyOf(one), algorithm, false, ['verify']);
    for (const signature of signatures) {
      const bytes = signature.startsWith('v1,') ? bytesOf(signature.slice(3)) : null;
      if (bytes && (await crypto.subtle.verify('HMAC', key, bytes, content)))
        return JSON.parse(text);
    }
  }
  throw invalid('No signature of the webhook request is that of a secret.');
}

/** @throws ClientError for a header that is absent. */
function headerOf(headers: WebhookHeaders, name: string): string {
  const value = isHeaders(headers) ? headers.get(name) : valuesOf(headers, name).join(' ');
  if (typeof value === 'string' && value !== '') return value;
  throw invalid(`The webhook request has no header ${name}.`);
}

/** The names of headers have no case; some servers pass the values as lists. */
const valuesOf = (headers: Exclude<WebhookHeaders, Headers>, name: string) =>
  Object.entries(headers).flatMap(([one, value]) =>
    one.toLowerCase() === name ? (value ?? []) : [],
  );

/** @throws TypeError for a body that is parsed. */
function textOf(body: string | Uint8Array | ArrayBuffer): string {
  if (typeof body === 'string') return body;
  if (ArrayBuffer.isView(body) || body instanceof ArrayBuffer)
    return new TextDecoder().decode(body);
  throw new TypeError(
    'Pass the raw body of the webhook request, as text or bytes; this one is not, perhaps because it was parsed, as express.json() does.',
  );
}

/** Other implementations of `fetch` have other classes. */
const isHeaders = (headers: WebhookHeaders): headers is Headers =>
  typeof headers.get === 'function';

function keyOf(secret: string): Uint8Array<ArrayBuffer> {
  const bytes = secret.startsWith('whsec_') ? bytesOf(secret.slice(6)) : null;
  if (bytes?.length) return bytes;
  throw new TypeError('The secret of a webhook is "whsec_" and base64.');
}

/** The bytes of base64; null for any other text. */
function bytesOf(base64: string): Uint8Array<ArrayBuffer> | null {
  try {
    return Uint8Array.from(atob(base64), (character) => character.charCodeAt(0));
  } catch {
    return null;
  }
}

const invalid = (message: string): ClientError =>
  new ClientError(message, { code: 'INVALID_SIGNATURE' });
