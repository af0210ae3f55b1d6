import { Fault, type FaultFacts } from '../../kernel/faults.ts';
import { meaningOf } from '../wire/error-codes.ts';
import { cleanText } from '../wire/upstream-text.ts';

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const says = (value: unknown, word: string) =>
  typeof value === 'string' && value.trim().toLowerCase() === word;

/**
 * The fault of a Domain API body, or null when the body is no error.
 *
 * Reads `{result: "ERROR", error: {Code, Message, Details}}`, and `{status: "error", message}` as in bulk replies.
 * `executed` is `NO` for a listed refusal only. The body must be redacted already.
 */
export function readErrorBody(body: unknown, action: string): Fault | null {
  if (!isObject(body)) return null;
  const failed = says(body.result, 'error') || says(body.status, 'error') || hasContent(body.error);
  if (!failed) return null;

  const error = isObject(body.error) ? body.error : {};
  const code = codeOf(error.Code);
  const message = cleanText(error.Message ?? body.message ?? body.error);
  const details = cleanText(error.Details);
  const { fault, executed } = meaningOf(code, action, message);
  const words = sentence(message, details);
  return new Fault(fault, {
    executed,
    ...(fault === 'PERIOD_OUT_OF_RANGE' && { facts: periodBounds(words) }),
    upstream: { code, message: words },
  });
}

const hasContent = (error: unknown) =>
  (isObject(error) && Object.keys(error).length > 0) || (typeof error === 'string' && error !== '');

/** As in `error-codes.ts`: upper case, `2303` as `API_2303_ERROR`; `''` without a code, and for a list of codes. */
function codeOf(raw: unknown): string {
  const isCode = typeof raw === 'string' || typeof raw === 'number';
  const code = cleanText(isCode ? String(raw) : '')
    .slice(0, 64)
    .toUpperCase();
  return /^\d{1,4}$/.test(code) ? `API_${code}_ERROR` : code;
}

/** The upstream's sentence, from either member: the other one is empty, equal or a placeholder. */
function sentence(message: string, details: string): string {
  if (/^(?:failed\.?)?$/i.test(message)) return details === '' ? message : details;
  const addsNothing =
    details === message || /^(?:there are no additional details\.?)?$/i.test(details);
  return addsNothing ? message : `${message} (${details})`;
}

/** The bounds in years, where the sentence has them: `min: 2, max: 10` or `between 1 and 5`. */
function periodBounds(text: string): FaultFacts {
  const minimum = /min\D{0,40}(\d{1,2})\b/i.exec(text)?.[1];
  const maximum = /max\D{0,40}(\d{1,2})\b/i.exec(text)?.[1];
  const range = /\b(\d{1,2})\s*(?:-|–|to|and|,)\s*(\d{1,2})\b/i.exec(text);
  if (!minimum && !maximum && range)
    return { minimum: Number(range[1]), maximum: Number(range[2]) };
  return {
    ...(minimum && { minimum: Number(minimum) }),
    ...(maximum && { maximum: Number(maximum) }),
  };
}
