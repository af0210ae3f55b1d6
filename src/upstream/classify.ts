import { Fault, type FaultCode, type FaultFacts } from '../kernel/faults.ts';
import { readErrorBody } from './domain-api/error-body.ts';
import { findJson } from './find-json.ts';
import { retryAfterMs } from './retry-after.ts';
import type { WireReply } from './transport.ts';
import { cleanText, type Redact, redactMessages } from './upstream-text.ts';

// One reply to its decoded JSON, or to a fault whose `executed` holds for a write; `call.ts` makes it `NO` for a read.

export interface ReplyContext {
  /** The action; some codes mean something else for some actions. */
  readonly action: string;
  /** Hides the credentials of this call, should the upstream echo them in a message. */
  readonly redact: Redact;
  readonly now: Date;
  /** Parses the body where nothing has to be hidden in it; default `JSON.parse`. */
  readonly parse?: ((text: string) => unknown) | undefined;
}

/**
 * The decoded body of a Domain API reply that is no error.
 *
 * @throws Fault by `error.Code` where a body tells one, else by status. Nothing but a listed refusal that came with a
 * status below 500 is certain not to have been done.
 */
export function classifyDomainReply(reply: WireReply, context: ReplyContext): unknown {
  const body = readBody(reply.body, context);
  const refusal = readErrorBody(body, context.action);
  const waiting = waitingTime(reply, context.now);
  if (refusal) {
    throw refusal.with({
      facts: { ...refusal.facts, ...waiting },
      ...(reply.status >= 500 && { executed: 'UNKNOWN' }),
    });
  }
  const success = reply.status >= 200 && reply.status < 300;
  if (success && body !== undefined) return body;
  throw new Fault(success ? 'UPSTREAM_PROTOCOL' : domainFaultOf(reply.status), {
    executed: 'UNKNOWN',
    facts: waiting,
    // An empty or broken page under 200 passes; a status that makes no sense does not.
    ...(success && { retryable: true }),
  });
}

function readBody(text: string, { redact, parse }: ReplyContext): unknown {
  // Without an escape in it a text holds a secret as it is written or not at all, and nearly none does.
  const isClean = !text.includes('\\') && redact(text) === text;
  return isClean ? findJson(text, parse) : redactMessages(findJson(text), redact);
}

function domainFaultOf(status: number): FaultCode {
  if (status === 429) return 'RATE_LIMITED';
  if (status === 401 || status === 403) return 'UPSTREAM_AUTH';
  if (status === 408 || status === 504) return 'UPSTREAM_TIMEOUT';
  return status >= 500 ? 'UPSTREAM_UNAVAILABLE' : 'UPSTREAM_PROTOCOL';
}

/** What an Account API status means: HTTP's own sense, since the specification shows no error format. */
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

/** Statuses by which a server says that it did not act. 429 is one only with a body of the service itself. */
const definite = new Set([400, 401, 403, 404, 409, 410, 413, 422]);

/**
 * The decoded body of an Account API success; null when it is empty or no JSON, which is no failure.
 *
 * @throws Fault by status, with the envelope's `message` as upstream message and `HTTP_404` as upstream code.
 */
export function classifyAccountReply(reply: WireReply, context: ReplyContext): unknown {
  const body = readBody(reply.body, context);
  const envelope: Readonly<Record<string, unknown>> = { ...(body as object | undefined) };
  const success = reply.status >= 200 && reply.status < 300;
  const told = envelope.statusCode;
  // The envelope repeats the status; one that tells a failure under a 2xx is believed.
  const status =
    success && typeof told === 'number' && told >= 400 && told < 600 ? told : reply.status;
  if (success && status === reply.status) return body ?? null;

  const isCertain = definite.has(status) || (status === 429 && body !== undefined);
  throw new Fault(accountFaultOf(status), {
    executed: isCertain ? 'NO' : 'UNKNOWN',
    facts: waitingTime(reply, context.now),
    upstream: { code: `HTTP_${status}`, message: cleanText(envelope.message) },
  });
}

function accountFaultOf(status: number): FaultCode {
  const listed = accountFaults[status];
  if (listed) return listed;
  if (status >= 500) return 'UPSTREAM_UNAVAILABLE';
  return status >= 400 && status !== 405 ? 'UPSTREAM_REJECTED' : 'UPSTREAM_PROTOCOL';
}

function waitingTime(reply: WireReply, now: Date): FaultFacts {
  const ms = retryAfterMs(reply.headers['retry-after'], now);
  return ms === null ? {} : { retryAfterMs: ms };
}
