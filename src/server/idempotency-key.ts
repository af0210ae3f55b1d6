/** The caller's `Idempotency-Key`, bare or as a quoted string of RFC 8941 (`"abc"`); null without one, and not judged here. */
export function readIdempotencyKey(headers: Headers): string | null {
  const sent = headers.get('idempotency-key')?.trim() ?? null;
  const quoted = /^"((?:[^"\\]|\\["\\])*)"$/.exec(sent ?? '')?.[1];
  return quoted === undefined ? sent : quoted.replace(/\\(["\\])/g, '$1').trim();
}
