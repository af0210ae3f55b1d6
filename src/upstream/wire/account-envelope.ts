import { readErrorBody } from './error-codes.ts';
import { flag, integer, isObject, type Members, noMembers, text } from './read.ts';
import { cleanText } from './upstream-text.ts';

/** What the body of an Account API reply says about its outcome, which the specification leaves open. */
export interface AccountEnvelope {
  /** `statusCode`, which repeats the HTTP status; null without one. */
  readonly statusCode: number | null;
  /** Whether the body says that the call failed. */
  readonly isDenial: boolean;
  /** The API's own error code; `''` without one. */
  readonly code: string;
  readonly message: string;
}

/** Bounds the work for a deeply nested error. */
const deepest = 3;

/** Reads the body and the object in its `data`, with names of members in any case. */
export function readAccountEnvelope(body: unknown): AccountEnvelope {
  const outer = byLowerCase(body);
  // The `status` of an object is its state, such as that of a server.
  const inner: Members = { ...byLowerCase(outer.data), status: undefined };
  const members = !denies(outer) && denies(inner) ? inner : outer;
  const { code, message, details, ...others } = byLowerCase(members.error);
  const texts = [isObject(members.error) ? others : members.error, members.errors];
  const words = { Message: message ?? members.message ?? texts, Details: details };
  return {
    statusCode: integer(outer.statuscode) ?? null,
    isDenial: denies(members),
    code: cleanText(text(code) ?? text(members.code)).slice(0, 64),
    // Both APIs may write their errors the same way.
    message: readErrorBody({ result: 'ERROR', error: words }, '')?.upstream?.message ?? '',
  };
}

const byLowerCase = (value: unknown): Members =>
  isObject(value)
    ? Object.fromEntries(Object.entries(value).map(([name, one]) => [name.toLowerCase(), one]))
    : noMembers;

const denies = ({ result, status, success, error, errors }: Members): boolean =>
  [result, status].some(isFailureWord) ||
  flag(success) === false ||
  integer(success) === 0 ||
  hasContent(error) ||
  hasContent(errors);

const isFailureWord = (value: unknown): boolean =>
  typeof value === 'string' && /^\s*(?:error|fail(?:ed|ure)?)\s*$/i.test(value);

/** Whether an error is more than blanks, `0` and `false`, also in all members of an object, as `{code: 0, message: ""}`. */
function hasContent(value: unknown, level = 0): boolean {
  if (typeof value === 'string') return !/^\s*(?:0|false)?\s*$/i.test(value);
  if (typeof value !== 'object' || value === null) return Boolean(value);
  return level > deepest || Object.values(value).some((one) => hasContent(one, level + 1));
}
