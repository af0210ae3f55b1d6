/** The wait of a `Retry-After` header (RFC 9110 section 10.2.3) in milliseconds from `now`; null without a valid one. */
export function retryAfterMs(
  header: string | readonly string[] | undefined,
  now: Date,
): number | null {
  const text = (typeof header === 'string' ? header : header?.[0])?.trim() ?? '';
  const wait = /^\d{1,9}(?:\.\d{1,3})?$/.test(text)
    ? Number(text) * 1_000
    : millisOfDate(text) - now.getTime();
  return Number.isNaN(wait) ? null : Math.max(Math.round(wait), 0);
}

/** NaN for a text that is no date. A time of day is required: `Date.parse` also reads `a 7` and `-5`. */
const millisOfDate = (text: string): number =>
  /\d:\d\d:\d\d/.test(text) ? Date.parse(text) : Number.NaN;
