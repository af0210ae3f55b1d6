const longestMs = 86_400_000;

/** `Retry-After` (RFC 9110 section 10.2.3), seconds or a date, in milliseconds from `now`; at most a day. */
export function retryAfterMs(
  header: string | readonly string[] | undefined,
  now: Date,
): number | null {
  const text = (typeof header === 'string' ? header : header?.[0])?.trim() ?? '';
  const wait = /^\d{1,9}(?:\.\d{1,3})?$/.test(text)
    ? Number(text) * 1_000
    : Date.parse(text) - now.getTime();
  return Number.isNaN(wait) ? null : Math.min(Math.max(Math.round(wait), 0), longestMs);
}
