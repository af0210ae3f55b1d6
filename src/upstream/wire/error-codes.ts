import { Fault, type FaultCode, type FaultFacts } from '../../kernel/faults.ts';
import { isObject } from './read.ts';
import { cleanText, informative } from './upstream-text.ts';

/** The meaning of an upstream error code. */
export interface CodeMeaning {
  readonly fault: FaultCode;
  /** `NO` for a definite refusal; `UNKNOWN` where the upstream may have executed the request. */
  readonly executed: 'NO' | 'UNKNOWN';
  /** Other faults for some actions. */
  readonly perAction: Readonly<Partial<Record<string, FaultCode>>>;
}

type CodeRow = readonly [codes: string, fault: FaultCode, perAction?: Record<string, FaultCode>];

const reserved = {
  registerdomain: 'RESERVED',
  singlecheckavailability: 'RESERVED',
  bulkcheckavailability: 'RESERVED',
} as const;

/** Codes of requests that were not executed. `2003-2005` is `API_2003_ERROR` to `API_2005_ERROR`. */
const refusals: readonly CodeRow[] = [
  // EPP result codes, RFC 5730 section 3.
  ['2000-2001', 'UPSTREAM_PROTOCOL'],
  ['2002', 'UPSTREAM_PROTOCOL', { transferdomain: 'ALREADY_OWNED' }],
  ['2003-2005', 'INVALID_INPUT'],
  ['2100-2103', 'NOT_SUPPORTED'],
  ['2104', 'INSUFFICIENT_FUNDS'],
  ['2105-2106', 'NOT_ELIGIBLE'],
  ['2200', 'UPSTREAM_AUTH', { transferdomain: 'AUTH_CODE_INVALID' }],
  ['2201', 'NOT_OWNED'],
  ['2202', 'AUTH_CODE_INVALID'],
  ['2300', 'TRANSFER_PENDING'],
  ['2301', 'NOT_ELIGIBLE'],
  ['2302', 'ALREADY_EXISTS'],
  ['2303', 'NOT_FOUND', { transferdomain: 'AUTH_CODE_INVALID' }],
  ['2304', 'LOCKED', reserved],
  ['2305', 'IN_USE'],
  ['2306-2308', 'POLICY'],
  ['2501', 'UPSTREAM_AUTH'],
  ['2502', 'RATE_LIMITED'],

  // Codes of the upstream itself.
  ['0 301', 'IP_NOT_ALLOWED'],
  ['200 210-211 597', 'UPSTREAM_PROTOCOL'],
  ['300', 'UPSTREAM_AUTH'],
  ['310 320 580', 'TLD_UNSUPPORTED'],
  ['570', 'IDN_UNSUPPORTED'],
  ['321 340', 'PRICE_UNAVAILABLE'],
  ['330 505 550 560-561 571-574 594', 'INVALID_INPUT'],
  ['350', 'INSUFFICIENT_FUNDS'],
  // 360 is also listed as a bad parameter. A quota is the safer meaning: a retry of a bad parameter is harmless, but a
  // client that sees INVALID_INPUT for valid input gives up.
  ['360-361', 'RATE_LIMITED'],
  ['362', 'PREMIUM_UNAVAILABLE'],
  ['363 512-514', 'NOT_ELIGIBLE'],
  // 400 is also the code of an invalid request; `meaningOf` distinguishes them by the message.
  ['400', 'INVALID_INPUT'],
  ['410 420 430 450', 'INVALID_CONTACT'],
  ['401-402 404 440 451 595-596', 'CONTACT_UNAVAILABLE'],
  ['500 504 510-511 581 599', 'NOT_FOUND'],
  ['503', 'NOT_AVAILABLE'],
  ['507', 'NOT_OWNED'],
  ['530 540', 'PERIOD_OUT_OF_RANGE'],
  ['575-576 584 592-593', 'LOCKED'],
  ['582', 'TRANSFER_PENDING'],
  ['590', 'AUTH_CODE_REQUIRED'],
  ['591', 'AUTH_CODE_INVALID'],
  ['INVALID_CREDENTIALS', 'UPSTREAM_AUTH'],
  ['API_RATE_LIMIT_EXCEEDED', 'RATE_LIMITED'],
];

/** Codes where the upstream does not know the outcome, or failed during execution. */
const uncertain: readonly CodeRow[] = [
  // Success codes inside an error body contradict it.
  ['1000-1001 1300-1301 1500', 'UPSTREAM_PROTOCOL'],
  ['2400 2500', 'UPSTREAM_UNAVAILABLE'],
  ['101-103 364 501-502 583 598', 'UPSTREAM_UNAVAILABLE'],
  // The upstream could not read its backend's record of one domain, which shows nothing about other calls.
  ['INVALID_CONTACT_INFO INVALID_CONTACT_SAVE INVALID_DOMAIN_DETAILS', 'UPSTREAM_UNAVAILABLE'],
];

/** Codes of an upstream that could not reach its own backend or read its reply. For a read they are as temporary as a status 502. */
const unreachable: readonly CodeRow[] = [
  ['RESPONSE INVALID_RESPONSE INVALID_DOMAIN_LIST INVALID_TLD_LIST', 'UPSTREAM_UNAVAILABLE'],
  [
    'INVALID_DOMAIN_REGISTER INVALID_DOMAIN_RENEW INVALID_DOMAIN_SYNC INVALID_DOMAIN_TRANSFER_REQUEST',
    'UPSTREAM_UNAVAILABLE',
  ],
  // `API_<n>` without `_ERROR` is the HTTP status that the upstream received, `CURL_<n>` the error of its client.
  ['API_-1 API_0 API_500 API_PROCESS_ERROR UNKNOWN_ERROR CURL_7', 'UPSTREAM_UNAVAILABLE'],
  ['API_429', 'RATE_LIMITED'],
  ['CURL_28', 'UPSTREAM_TIMEOUT'],
];

/** Other spellings of listed codes. The upstream misspells its words in several ways. */
const families: readonly (readonly [spelling: RegExp, listed: string])[] = [
  [/^API_(\d+)_FAILURE$/, 'API_$1_ERROR'],
  [/^.*CRED[EI]N.*$/, 'INVALID_CREDENTIALS'],
  [/^INVALID_CONTACT_INTO$/, 'INVALID_CONTACT_INFO'],
  [/^INVALID_RESPONSE_.*$/, 'INVALID_RESPONSE'],
  [/^API_5\d\d$/, 'API_500'],
  [/^CURL_(?!28$)\d+$/, 'CURL_7'],
];

/** A code as the tables spell it. */
export const listedSpelling = (code: string): string => {
  const family = families.find(([spelling]) => spelling.test(code));
  return family ? code.replace(...family) : code;
};

/** The codes of a row: words as they are, numbers and their ranges as `API_<n>_ERROR`. */
const expand = (codes: string): readonly string[] =>
  codes.split(' ').flatMap((part) => {
    if (!/^\d/.test(part)) return part;
    const [first = 0, last = first] = part.split('-').map(Number);
    return Array.from({ length: last - first + 1 }, (_, at) => `API_${first + at}_ERROR`);
  });

const rows = (table: readonly CodeRow[], executed: CodeMeaning['executed']) =>
  table.flatMap(([codes, fault, perAction = {}]) =>
    expand(codes).map((code): [string, CodeMeaning] => [code, { fault, executed, perAction }]),
  );

const unreachableCodes: ReadonlyMap<string, CodeMeaning> = new Map(rows(unreachable, 'UNKNOWN'));

/** Every code in the specification or in public material, in one of its spellings. */
export const errorCodes: ReadonlyMap<string, CodeMeaning> = new Map([
  ...rows(refusals, 'NO'),
  ...rows(uncertain, 'UNKNOWN'),
  ...unreachableCodes,
]);

/** Whether a code reports that the backend of the upstream does not work. Any other code is an answer of it. */
export const isBackendFailure = (code: string): boolean =>
  unreachableCodes.has(listedSpelling(code));

/**
 * The meaning of a code for one action. An unlisted code is `UPSTREAM_REJECTED` with `executed: UNKNOWN`.
 *
 * `message` is the error's `Message`: only the word `Failed` distinguishes a bad contact from a bad request.
 */
function meaningOf(
  rawCode: string,
  action: string,
  message: string,
): Pick<CodeMeaning, 'fault' | 'executed'> {
  const code = listedSpelling(rawCode);
  const meaning = errorCodes.get(code);
  if (!meaning) return { fault: 'UPSTREAM_REJECTED', executed: 'UNKNOWN' };
  if (code === 'API_400_ERROR' && action === 'registerdomain' && /^failed\.?$/i.test(message)) {
    return { fault: 'INVALID_CONTACT', executed: 'NO' };
  }
  return { fault: meaning.perAction[action] ?? meaning.fault, executed: meaning.executed };
}

const says = (value: unknown, word: string) =>
  typeof value === 'string' && value.trim().toLowerCase() === word;

/**
 * Whether a body is the error of the specification: a refusal in the upstream's own words, whatever its code. Proxies send
 * other errors, such as `{error: "Bad Gateway"}`.
 */
export const isErrorOfSpecification = (body: unknown): boolean =>
  isObject(body) &&
  ((says(body.result, 'error') && hasContent(body.error)) ||
    (!says(body.result, 'ok') && isObject(body.error) && codeOf(body.error.Code) !== ''));

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
  const inWords = typeof body.error === 'string' ? body.error : undefined;
  const message = cleanText(error.Message ?? body.message ?? inWords);
  const { fault, executed } = meaningOf(code, action, message);
  const words = sentence(informative(message), informative(error.Details));
  return new Fault(fault, {
    executed,
    ...(fault === 'PERIOD_OUT_OF_RANGE' && { facts: periodBounds(words) }),
    upstream: { code, message: words },
  });
}

const hasContent = (error: unknown) =>
  (isObject(error) && Object.keys(error).length > 0) || (typeof error === 'string' && error !== '');

/** As in the table: upper case, `2303` as `API_2303_ERROR`; `''` without a code, and for a list of codes. */
function codeOf(raw: unknown): string {
  const isCode = typeof raw === 'string' || typeof raw === 'number';
  const code = cleanText(isCode ? String(raw) : '')
    .slice(0, 64)
    .toUpperCase();
  return /^\d{1,4}$/.test(code) ? `API_${code}_ERROR` : code;
}

/** The upstream's sentence, from either member; `''` when neither has one. */
function sentence(message: string, details: string): string {
  if (message === '' || details === '' || message === details) return message || details;
  return `${message} (${details})`;
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
