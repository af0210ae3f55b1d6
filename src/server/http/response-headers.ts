import type { ServerResponse } from 'node:http';

const securityHeaders = {
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
  'x-frame-options': 'DENY',
  'cross-origin-resource-policy': 'same-origin',
  'cross-origin-opener-policy': 'same-origin',
  'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
  'cache-control': 'no-store',
};
const securityEntries = Object.entries(securityHeaders);

/** Headers of every response. */
export const responseHeaders = (requestId: string): Readonly<Record<string, string>> => ({
  'x-request-id': requestId,
  ...securityHeaders,
});

/** Sets the headers of every response. A page replaces `content-security-policy` and `cache-control`. */
export function setResponseHeaders(response: ServerResponse, requestId: string): void {
  response.setHeader('x-request-id', requestId);
  for (const [name, value] of securityEntries) response.setHeader(name, value);
}
