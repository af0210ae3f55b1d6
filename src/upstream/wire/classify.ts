import { Fault, type FaultCode, type FaultFacts } from '../../kernel/faults.ts';
import { dayMs } from '../../kernel/instant.ts';
import { retryAfterMs } from '../../lib/http.ts';
import { isErrorOfSpecification, readErrorBody } from './error-codes.ts';
import { findJson } from './find-json.ts';
import { flag, integer, isObject, type Members, noMembers, text } from './read.ts';
import { cleanText, isClean, type Redact, redactMessages } from './upstream-text.ts';

export interface WireResponse {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>;
  readonly body: string;
  /** Rows that a reader has taken out of the body. */
  readonly rows?: readonly unknown[];
}

type BodyContent = Pick<WireResponse, 'body' | 'rows'>;

/** Receives the body of one response. */
export interface BodyReader {
  /** A longer body fails the attempt. */
  readonly maxBytes: number;
  take(chunk: Buffer): Promise<void> | void;
  end(): BodyContent | Promise<BodyContent>;
}

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
function readAccountEnvelope(body: unknown): AccountEnvelope {
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

// Turns a response into its decoded JSON, or into a fault whose `executed` is that of a write; `call.ts` sets `NO` for reads.

export interface ResponseContext {
  /** The meaning of some error codes depends on it. */
  readonly action: string;
  /** Removes the credentials of this call, in case the upstream echoes them in a message. */
  readonly redact: Redact;
  readonly now: Date;
  /** As in `Operation`. */
  readonly replyMap?: string | undefined;
}

/**
 * The decoded body of a successful Domain API response.
 *
 * @throws Fault by `error.Code` where the body has one, else by status. Only a listed refusal with a status below 500 has
 * `executed: NO`. `UPSTREAM_REJECTED` is a refusal by the upstream itself, with a status below 500 and an unlisted code.
 */
export function classifyDomainResponse(response: WireResponse, context: ResponseContext): unknown {
  const body = readBody(response.body, context);
  const refusal = readErrorBody(body, context.action);
  const waiting = waitingTime(response, context.now);
  if (refusal) {
    const fault = isRefusal(refusal, response.status, body)
      ? refusal
      : refusalOfStatus(response.status, refusal);
    throw fault.with({
      facts: { ...refusal.facts, ...waiting },
      ...(response.status >= 500 && { executed: 'UNKNOWN' }),
    });
  }
  const success = response.status >= 200 && response.status < 300;
  if (success && body !== undefined) return body;
  const isBare = response.status === 401 || response.status === 403;
  throw new Fault(success ? 'UPSTREAM_PROTOCOL' : domainFaultOf(response.status), {
    executed: 'UNKNOWN',
    facts: waiting,
    // An empty or broken page with status 200 is temporary; an unexpected status is not.
    ...(success && { retryable: true }),
    ...(isBare && { message: bareRefusal(response.status) }),
  });
}

/** Whether an error body has a listed code, or is a refusal of the upstream itself with a code of any kind. */
const isRefusal = ({ code }: Fault, status: number, body: unknown): boolean =>
  code !== 'UPSTREAM_REJECTED' || (status < 500 && isErrorOfSpecification(body));

/** The fault of an error that a proxy may have sent, or a broken upstream. */
const refusalOfStatus = (status: number, { upstream }: Fault): Fault =>
  new Fault(domainFaultOf(status), {
    executed: 'UNKNOWN',
    ...(upstream && { upstream }),
  });

function readBody(text: string, { redact, replyMap }: ResponseContext): unknown {
  if (isClean(text, redact)) return findJson(text, replyMap);
  return redactMessages(findJson(text), redact);
}

const bareRefusal = (status: number) =>
  `The registrar, or a proxy in front of it, refused the request with HTTP ${status} and no reason; when this lasts, contact the gateway's operator.`;

function domainFaultOf(status: number): FaultCode {
  if (status === 429) return 'RATE_LIMITED';
  // Not UPSTREAM_AUTH, which pauses the login: a refused login has an error code, and a firewall refuses single requests.
  if (status === 401 || status === 403) return 'UPSTREAM_UNAVAILABLE';
  if (status === 408 || status === 504) return 'UPSTREAM_TIMEOUT';
  return status >= 500 ? 'UPSTREAM_UNAVAILABLE' : 'UPSTREAM_PROTOCOL';
}

/** The meaning of an Account API status, as in HTTP: the specification has no error format. */
const accountFaults: Readonly<Record<number, FaultCode>> = {
  400: 'INVALID_INPUT',
  401: 'UNAUTHENTICATED',
  403: 'FORBIDDEN',
  404: 'NOT_FOUND',
  408: 'UPSTREAM_TIMEOUT',
  409: 'INVALID_INPUT',
  410: 'NOT_FOUND',
  413: 'INVALID_INPUT',
  422: 'INVALID_INPUT',
  429: 'RATE_LIMITED',
  504: 'UPSTREAM_TIMEOUT',
};

/** Statuses of requests that were not executed. 429 is one only with a JSON body, which shows that no proxy sent it. */
const definite = new Set([400, 401, 403, 404, 409, 410, 413, 422]);

interface AccountContext extends ResponseContext {
  /** As in `RestOperation`. */
  readonly hasObject: boolean;
}

/**
 * The decoded body of a successful Account API response; null when it is empty or no JSON.
 *
 * @throws Fault by status, with the error code and message of the body, or else `HTTP_404` as upstream code. A reply under a
 * success status whose body says that the call failed, or that is a web page or broken JSON, has `executed: UNKNOWN`.
 */
export function classifyAccountResponse(response: WireResponse, context: AccountContext): unknown {
  const body = readBody(response.body, context);
  const { statusCode, isDenial, code, message } = readAccountEnvelope(body);
  const success = response.status >= 200 && response.status < 300;
  // The envelope repeats the status. A failure in the envelope of a 2xx response counts.
  const isInner = success && statusCode !== null && statusCode >= 400 && statusCode < 600;
  const status = isInner ? statusCode : response.status;
  const isPage = success && body === undefined && isWebPage(response);
  const isBroken = body === undefined && /^\s*\{/.test(response.body);
  if (success && !isInner && !isDenial && !isPage && !isBroken) return body ?? null;

  throw accountFault(status, body, context).with({
    ...(isPage && { message: pageInstead }),
    facts: waitingTime(response, context.now),
    upstream: { code: code || `HTTP_${status}`, message },
  });
}

const pageInstead =
  "The registrar sent a web page instead of a result; when this lasts, the gateway's operator should check ACCOUNT_API_URL.";

/** A login page, or the page of a proxy. PHP sends JSON as `text/html` too, so a body that is JSON is never a page. */
const isWebPage = ({ headers, body }: WireResponse): boolean =>
  body.trim() !== '' &&
  (/^\s*<[!?a-z]/i.test(body) || /^\s*text\/html\b/i.test(String(headers['content-type'] ?? '')));

/** The fault of a reply that is no success. Under a success status its body says so. */
function accountFault(status: number, body: unknown, { hasObject }: AccountContext): Fault {
  if (status >= 200 && status < 300) {
    const code = body === undefined ? 'UPSTREAM_PROTOCOL' : 'UPSTREAM_REJECTED';
    return new Fault(code, { executed: 'UNKNOWN' });
  }
  const code = accountFaultOf(status);
  if (code === 'NOT_FOUND' && !hasObject) {
    return new Fault('UPSTREAM_PROTOCOL', { executed: 'NO', message: noSuchCall });
  }
  const isCertain = definite.has(status) || (status === 429 && body !== undefined);
  return new Fault(code, { executed: isCertain ? 'NO' : 'UNKNOWN' });
}

const noSuchCall =
  "The registrar found nothing under the address of this call; ACCOUNT_API_URL may be wrong, so contact the gateway's operator.";

function accountFaultOf(status: number): FaultCode {
  const listed = accountFaults[status];
  if (listed) return listed;
  if (status >= 500) return 'UPSTREAM_UNAVAILABLE';
  return status >= 400 && status !== 405 ? 'UPSTREAM_REJECTED' : 'UPSTREAM_PROTOCOL';
}

/** The wait of a `Retry-After`, at most a day. */
function waitingTime({ headers }: WireResponse, now: Date): FaultFacts {
  const waitMs = retryAfterMs(headers['retry-after'], now);
  return waitMs === null ? {} : { retryAfterMs: Math.min(waitMs, dayMs) };
}
