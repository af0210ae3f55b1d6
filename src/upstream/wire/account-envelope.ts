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

/** Reads the body and the object in its `data`, with names of members in any case. */
export function readAccountEnvelope(body: unknown): AccountEnvelope {
  const outer = byLowerCase(body);
  // The `status` of an object is its state, such as that of a server.
  const inner: Members = { ...byLowerCase(outer.data), status: undefined };
  const members = !denies(outer) && denies(inner) ? inner : outer;
  const error = byLowerCase(members.error);
  const words = {
    Message: error.message ?? members.message ?? textsOf([members.error, members.errors]),
    Details: error.details,
  };
  return {
    statusCode: integer(outer.statuscode) ?? null,
    isDenial: denies(members),
    code: cleanText(text(error.code) ?? text(members.code)).slice(0, 64),
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
  [error, errors].some(hasContent);

const isFailureWord = (value: unknown): boolean =>
  typeof value === 'string' && /^\s*(?:error|fail(?:ed|ure)?)\s*$/i.test(value);

/** `""`, `0`, `false` in either spelling, and an empty list or object say that there is no error. */
function hasContent(value: unknown): boolean {
  if (typeof value === 'string') return !/^\s*(?:0|false)?\s*$/i.test(value);
  return typeof value === 'object' && value !== null
    ? Object.keys(value).length > 0
    : Boolean(value);
}

/** The messages in errors of any shape. Only members that `redactMessages` redacts are read. */
const textsOf = (errors: unknown): readonly string[] => {
  if (typeof errors === 'string') return [errors];
  return Array.isArray(errors)
    ? errors.flatMap(textsOf)
    : textsOf(byLowerCase(errors).message ?? []);
};
