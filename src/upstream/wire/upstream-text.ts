// Messages of the upstream for people: the only text of a reply that may reach a client, and only cleaned.

/** Replaces secrets in a text. */
export type Redact = (text: string) => string;

const maxMessageLength = 300;
/** Messages below this level are ignored, which bounds the work for a deeply nested body. */
const deepest = 16;
/** Enough to fill a message after cleaning; bounds the work for a hostile text. */
const maxRawLength = 4_000;

/**
 * Replaces each of the values, also in their JSON and URL spelling: `secrets` everywhere, `words` only where they are not a
 * part of a longer word or of a host name. A user name is often an ordinary word.
 */
export function redactValues(secrets: readonly string[], words: readonly string[] = []): Redact {
  const secretForms = formsOf(secrets);
  const wordForms = new Set([...formsOf(words)].filter((form) => !secretForms.has(form)));
  // The longest first, so that no part of a longer value remains.
  const ordered = [...secretForms, ...wordForms].sort((one, other) => other.length - one.length);
  return (text) =>
    ordered.reduce(
      (rest, form) =>
        rest.replaceAll(form, (_all, at: number) =>
          wordForms.has(form) && isPart(rest, at, at + form.length) ? form : '[redacted]',
        ),
      text,
    );
}

const formsOf = (values: readonly string[]): Set<string> =>
  new Set(values.flatMap(spellings).filter((form) => form !== ''));

const continuesBefore = /[\p{L}\p{N}_-]$|[\p{L}\p{N}]\.$/u;
const continuesAfter = /^(?:[\p{L}\p{N}_-]|\.[\p{L}\p{N}])/u;
/** An escape of a URL or of JSON ends with a letter or digit that is no part of the word. */
const escapeBefore = /(?:%[\da-f]{2}|\\[bfnrt]|\\u[\da-f]{4})$/i;

/** Whether the text between two positions is a part of a longer word or of a host name. */
function isPart(text: string, from: number, to: number): boolean {
  const before = text.slice(Math.max(0, from - 6), from);
  const isContinued = continuesBefore.test(before) && !escapeBefore.test(before);
  return isContinued || continuesAfter.test(text.slice(to, to + 3));
}

/** Whether a text has nothing to redact. Without a backslash, a search of the raw text finds every secret. */
export const isClean = (text: string, redact: Redact): boolean =>
  !text.includes('\\') && redact(text) === text;

// A lone surrogate has no URL form; `toWellFormed` keeps `encodeURIComponent` from throwing on it.
const spellings = (value: string): readonly string[] => [
  value,
  JSON.stringify(value).slice(1, -1),
  encodeURIComponent(value.toWellFormed()),
];

/** Levels of a message with texts, such as lists of messages by field. All of them are redacted. */
const textLevels = 3;

/** The texts in a value, also in a list or in the members of an object. */
function textsIn(value: unknown, level = 0): readonly string[] {
  if (typeof value === 'string') return [value];
  if (typeof value !== 'object' || value === null || level === textLevels) return [];
  return Object.values(value).flatMap((one) => textsIn(one, level + 1));
}

/** One line of at most 300 characters without markup, control or invisible characters; `''` for a value without text. */
export function cleanText(value: unknown): string {
  const line = textsIn(value)
    .join('; ')
    .slice(0, maxRawLength)
    .replace(/<[^<>]*>/g, ' ')
    .replace(/[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}\s]+/gu, ' ')
    .trim();
  return line.length > maxMessageLength
    ? `${line.slice(0, maxMessageLength - 1).toWellFormed()}…`
    : line;
}

const filler = /^(?:failed|(?:there are )?no additional details)?[\s.]*$/i;

/** The cleaned text; `''` when the upstream filled the member without information. */
export function informative(value: unknown): string {
  const line = cleanText(value);
  return filler.test(line) ? '' : line;
}

const messageMembers = new Set(['code', 'message', 'details', 'reason', 'error', 'errors']);

/** Redacts the members with messages of a decoded body, in place: a copy of a price list takes longer than its parsing. */
export function redactMessages(
  body: unknown,
  redact: Redact,
  isMessage = false,
  level = 0,
): unknown {
  if (typeof body === 'string') return isMessage ? redact(body) : body;
  if (typeof body !== 'object' || body === null || level > deepest) return body;
  const members = body as Record<string, unknown>;
  for (const key of Object.keys(members)) {
    const holdsMessage = isMessage || messageMembers.has(key.toLowerCase());
    members[key] = redactMessages(members[key], redact, holdsMessage, level + 1);
  }
  return body;
}
