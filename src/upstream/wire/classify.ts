import { Fault, type FaultCode, type FaultFacts } from '../../kernel/faults.ts';
import { dayMs } from '../../kernel/instant.ts';
import { retryAfterMs } from '../../lib/retry-after.ts';
import type { WireResponse } from '../client/transport.ts';
import { isErrorOfSpecification, readErrorBody } from './error-codes.ts';
import { findJson } from './find-json.ts';
import { informative, isClean, type Redact, redactMessages } from './upstream-text.ts';

// Turns a response into its decoded JSON, or into a fault whose `executed` is that of a write; `call.ts` sets `NO` for reads.

export interface ResponseContext {
  /** The meaning of some error codes depends on it. */
  readonly action: string;
  /** Removes the credentials of this call, in case the upstream echoes them in a message. */
  readonly redact: Redact;
  readonly now: Date;
  /** A fast path for the text of ordinary responses; undefined for any other. Not used where a value has to be redacted. */
  readonly parse?: ((text: string) => unknown) | undefined;
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
  throw new Fault(success ? 'UPSTREAM_PROTOCOL' : domainFaultOf(response.status), {
    executed: 'UNKNOWN',
    facts: waiting,
    // An empty or broken page with status 200 is temporary; an unexpected status is not.
    ...(success && { retryable: true }),
  });
}

/** Whether an error body has a listed code, or is a refusal of the upstream itself with a code of any kind. */
const isRefusal = ({ code }: Fault, status: number, body: unknown): boolean =>
  code !== 'UPSTREAM_REJECTED' || (status < 500 && isErrorOfSpecification(body));

/** The fault of an error that a proxy may have sent, or a broken upstream. A 401 or 403 of a proxy is not about the login. */
const refusalOfStatus = (status: number, { upstream }: Fault): Fault =>
  new Fault(status === 401 || status === 403 ? 'UPSTREAM_PROTOCOL' : domainFaultOf(status), {
    executed: 'UNKNOWN',
    ...(upstream && { upstream }),
  });

function readBody(text: string, { redact, parse }: ResponseContext): unknown {
  if (isClean(text, redact)) return parse?.(text) ?? findJson(text);
  return redactMessages(findJson(text), redact);
}

function domainFaultOf(status: number): FaultCode {
  if (status === 429) return 'RATE_LIMITED';
  if (status === 401 || status === 403) return 'UPSTREAM_AUTH';
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

/**
 * The decoded body of a successful Account API response; null when it is empty or no JSON.
 *
 * @throws Fault by status, with the envelope's `message` as upstream message and `HTTP_404` as upstream code.
 */
export function classifyAccountResponse(response: WireResponse, context: ResponseContext): unknown {
  const body = readBody(response.body, context);
  const envelope: Readonly<Record<string, unknown>> = { ...(body as object | undefined) };
  const success = response.status >= 200 && response.status < 300;
  const { statusCode } = envelope;
  // The envelope repeats the status. A failure in the envelope of a 2xx response counts.
  const status =
    success && typeof statusCode === 'number' && statusCode >= 400 && statusCode < 600
      ? statusCode
      : response.status;
  if (success && status === response.status) return body ?? null;

  const isCertain = definite.has(status) || (status === 429 && body !== undefined);
  throw new Fault(accountFaultOf(status), {
    executed: isCertain ? 'NO' : 'UNKNOWN',
    facts: waitingTime(response, context.now),
    upstream: { code: `HTTP_${status}`, message: informative(envelope.message) },
  });
}

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
