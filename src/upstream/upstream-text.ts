// What the service writes for people: the only words of a reply that may reach a client, and only in this form.

/** Takes what must not be seen out of a text. */
export type Redact = (text: string) => string;

const longestMessage = 300;
/** Enough to fill a message after cleaning; bounds the work on a hostile one. */
const longestRaw = 4_000;

/** Hides each of the values, also as they look inside JSON or a URL. */
export function redactValues(values: readonly string[]): Redact {
  const forms = new Set(values.flatMap(spellings).filter((form) => form !== ''));
  // The longest first, so that no rest of a longer value is left standing.
  const ordered = [...forms].sort((one, other) => other.length - one.length);
  return (text) => ordered.reduce((rest, form) => rest.replaceAll(form, '[redacted]'), text);
}

// A lone surrogate has no URL form; `toWellFormed` keeps `encodeURIComponent` from throwing on it.
const spellings = (value: string): readonly string[] => [
  value,
  JSON.stringify(value).slice(1, -1),
  encodeURIComponent(value.toWellFormed()),
];

/** One line without markup, control or invisible characters, of at most 300 characters; `''` for what is no text. */
export function cleanText(value: unknown): string {
  const text = Array.isArray(value)
    ? value.filter((one) => typeof one === 'string').join('; ')
    : value;
  if (typeof text !== 'string') return '';
  const line = text
    .slice(0, longestRaw)
    .replace(/<[^<>]*>/g, ' ')
    .replace(/[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}\s]+/gu, ' ')
    .trim();
  return line.length > longestMessage
    ? `${line.slice(0, longestMessage - 1).toWellFormed()}…`
    : line;
}

const messageMembers = new Set(['code', 'message', 'details', 'reason', 'error', 'errors']);

/** No message is read below this level; a bound, so that a body nested without end costs nothing. */
const deepest = 16;

/** A decoded body with the members that hold messages redacted; everything else is the same. */
export function redactMessages(
  body: unknown,
  redact: Redact,
  isMessage = false,
  level = 0,
): unknown {
  if (typeof body === 'string') return isMessage ? redact(body) : body;
  if (typeof body !== 'object' || body === null || level > deepest) return body;
  if (Array.isArray(body)) {
    return body.map((one) => redactMessages(one, redact, isMessage, level + 1));
  }
  return Object.fromEntries(
    Object.entries(body).map(([key, value]) => [
      key,
      redactMessages(value, redact, messageMembers.has(key.toLowerCase()), level + 1),
    ]),
  );
}
