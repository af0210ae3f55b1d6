import { type FaultCode, faults } from '../../kernel/faults.ts';

/** An error as tools report it. */
export interface ToolError {
  readonly code: string;
  readonly message: string;
  /** The argument of the tool that caused it, such as `registration.period`. */
  readonly argument?: string;
  readonly executed: string;
  readonly retryable: boolean;
  /** Whether the message is one of a tool, which has no text of arguments. */
  readonly isOwn?: boolean;
  readonly requestId?: unknown;
  readonly upstreamCode?: unknown;
  readonly upstreamMessage?: unknown;
}

/** An error of a payload. */
export interface PayloadError extends ToolError {
  readonly path?: readonly string[] | null;
}

/** The code of an error, its argument and its reason, without text of arguments, of the registrar and of other persons. */
export const sentenceOf = (error: Partial<ToolError> & Pick<ToolError, 'code'>): string =>
  `${error.code}${error.argument ? ` at "${error.argument}"` : ''}: ${ownReason(error) ?? generalReason(error.code)}`;

/** The sentences of the first errors, each once. */
export const sentencesOf = (errors: readonly Parameters<typeof sentenceOf>[0][]): string =>
  [...new Set(errors.map(sentenceOf))].slice(0, maxSentences).join(' ');

const maxSentences = 5;

/** The categories whose messages are about the request. */
export const aboutRequest: ReadonlySet<string> = new Set(['INPUT', 'ACCESS', 'LIMIT']);

type Reason = Pick<ToolError, 'code'> & Partial<Pick<ToolError, 'message' | 'isOwn'>>;

/** The message of an error as its reason; null when the sentence of its code has no text of others. */
function ownReason({ code, message = '', isOwn }: Reason): string | null {
  if (isOwn) return message;
  const entry = faults[code as FaultCode];
  const isKnown =
    aboutRequest.has(entry?.category) &&
    !entry.hasOtherText &&
    // It is one of graphql-js, in words of the graph.
    !message.startsWith('Variable "$');
  return isKnown && message !== '' ? masked(inWordsOfTools(message)) : null;
}

const generalReason = (code: string): string =>
  inWordsOfTools(faults[code as FaultCode]?.message ?? '');

/** Whether the sentence of an error has all of it but text of the arguments. */
export const isWhole = (error: ToolError): boolean =>
  (error.upstreamCode ?? error.upstreamMessage ?? error.requestId ?? null) === null &&
  (ownReason(error) !== null || error.message === generalReason(error.code));

/** Sentences of the graph about its fields, as sentences about tools. */
export const otherWords: readonly (readonly [of: string, instead: string])[] = [
  ['query "tlds" for the supported TLDs', '`prices` lists the supported TLDs'],
  ['query "tlds" for those that it sells', '`prices` lists those that it sells'],
  ['"expectedCount" is ', 'The preview counted '],
  ['This document needs ', 'This call needs '],
  [', pass fewer names or other items, or split the document.', ' or fewer names.'],
  [
    'pass a "cursor", "startCursor" or "endCursor" of it, with the same order',
    'pass the one of the result before, with the same conditions',
  ],
  [
    ' Read the domains again, then continue with the cursor of `events(last: 1)`.',
    ' Call `events` without "after".',
  ],
];

/** How to store a default, such as `, or set a default one with "setDefault"`. There is no tool for it. */
const storedDefault = /, or set (?:a )?default \w+ with "\w+"/;

export const inWordsOfTools = (text: string): string =>
  otherWords.reduce(
    (changed, [of, instead]) => changed.replace(of, instead),
    text.replace(storedDefault, ''),
  );

/** Quoted texts, and names with a dot, such as that of a domain. */
const parts =
  /"((?:[^"\\]|\\.)*)(?:"|$)|(?<![.\p{L}\p{M}\p{N}_-])[\p{L}\p{M}\p{N}_-]+(?:\.[\p{L}\p{M}\p{N}_-]+)+/gsu;

/** The text with `…` for what an argument may have: each name of a domain, and each quoted text that is neither an example nor a name of an argument. */
function masked(text: string): string {
  let isExample = false;
  let end = 0;
  return text.replace(parts, (part, inQuotes: string | undefined, at: number) => {
    const between = text.slice(end, at);
    end = at + part.length;
    if (inQuotes === undefined) return /^[\d.]+$/.test(part) ? part : '…';
    isExample = / (?:such as|as in) $/.test(between) || (isExample && /^(?:,| or) $/.test(between));
    return isExample || argumentNames.has(inQuotes) ? part : '"…"';
  });
}

const argumentNames: ReadonlySet<string> = new Set(
  `acceptPremium addNameServer address after amount authCode available change city company contact contains country createdAfter
  currency customer days domain email expires expiresAfter expiresBefore fields filter first firstName from handle id labels lastName line1 line2
  maxPrice name nameServer nameServers names operation period phone privacyProtected profile registrant registration
  removeNameServer replaceNameServer setNameServers since state states suggestions sync tlds to transfer transferLocked types until
  value zipCode`.split(/\s+/),
);
