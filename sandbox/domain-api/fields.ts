import { z } from 'zod';
import type { Reply } from '../service/http.ts';

// The service reads members as PHP does: "3", 3 and true are exchangeable, and a list in place of a text ends the program.

/** A list or an object where a text or a number is needed, or null in a list. */
export class TypeCrash extends Error {
  override readonly name = 'TypeCrash';
}

/** The error page of the program, which has the status and the type of a success. */
export const crashReply: Reply = {
  status: 200,
  body: '<br />\n<b>Fatal error</b>:  Uncaught TypeError: Argument #1 must be of type string, array given in /srv/api/index.php:42\nStack trace:\n#0 {main}\n  thrown in <b>/srv/api/index.php</b> on line <b>42</b><br />\n',
};

/** Null for a member that is missing: absent, null or "". @throws TypeCrash */
function scalar(value: unknown): string | number | boolean | null {
  if (typeof value === 'object' && value !== null) throw new TypeCrash();
  if (typeof value === 'string') return value === '' ? null : value;
  return typeof value === 'number' || typeof value === 'boolean' ? value : null;
}

const textOf = (value: unknown) => {
  const found = scalar(value);
  return found === null ? undefined : String(found);
};

export const text = z.preprocess(textOf, z.string());
export const optionalText = z.preprocess(textOf, z.string().optional());

/** A text without a number in it is 0. A fraction is cut off. */
const numberOf = (value: unknown) => {
  const found = scalar(value);
  return found === null ? undefined : Math.trunc(Number(found) || 0);
};

export const number = z.preprocess(numberOf, z.number());
export const numberOr = (other: number) => z.preprocess(numberOf, z.number().default(other));

const flagOf = (value: unknown) => {
  const found = scalar(value);
  return found === null ? undefined : !['false', '0', 'no', 'off'].includes(String(found));
};

export const flag = z.preprocess(flagOf, z.boolean());
export const optionalFlag = z.preprocess(flagOf, z.boolean().optional());

const itemOf = (value: unknown) => {
  if (value === null) throw new TypeCrash();
  return textOf(value) ?? '';
};

/** One or more texts, of a list or of an object with any keys. */
export const texts = z.preprocess(
  (value) => (typeof value === 'object' && value !== null ? Object.values(value) : value),
  z.array(z.preprocess(itemOf, z.string())).min(1),
);

const kinds: Readonly<Record<string, string>> = {
  string: 'a non-empty string',
  number: 'a number',
  boolean: 'a boolean',
  object: 'an object',
  array: 'a non-empty array',
};

/** The sentence about the first member that is missing or wrong. */
export function sentenceOf({ issues: [issue] }: z.ZodError): string {
  const field = issue?.path.map(String).join('.') ?? '';
  const expected =
    issue?.code === 'invalid_type' ? issue.expected : issue?.code === 'too_small' ? 'array' : '';
  return `${field} is required and must be ${kinds[expected] ?? 'valid'}.`;
}
