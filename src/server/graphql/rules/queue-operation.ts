import type { GraphQLError } from 'graphql';
import { faults } from '../../../kernel/faults.ts';
import type { HttpRequest } from '../../http/http-request.ts';
import { requestFault } from '../errors/request-fault.ts';
import type { RequestQueue } from '../request-queue.ts';
import type { Rule } from '../rule.ts';

/** The expected wait in milliseconds for an upstream slot of a tenant when it exceeds the budget; else 0. */
export type UpstreamOverload = (tenant: string, isPurchase: boolean) => number;

/**
 * Queues each operation before it starts, and refuses it when its expected wait, for the event loop or for an upstream
 * slot of its tenant, exceeds the budget. Whether it is a purchase, or a question about purchases, comes from the marks of
 * the schema's fields. An operation that has started is finished.
 */
export function queueOperation(queue: RequestQueue, upstreamOverloadMs: UpstreamOverload): Rule {
  const upstreamMs = ({ estimate, caller: { tenant } }: HttpRequest): number =>
    estimate?.upstreamCalls ? upstreamOverloadMs(tenant, estimate.isNeverLimited) : 0;

  /** After the wait: other operations may have filled the upstream's queue, or the client may have disconnected. */
  const afterWait = (request: HttpRequest): GraphQLError | null =>
    request.signal.aborted ? overloaded(1) : overloadOf(upstreamMs(request));

  return {
    onOperation(_operation, request) {
      const isPurchase = request.estimate?.isNeverLimited === true;
      const waitMs = Math.max(queue.overloadMs(isPurchase), upstreamMs(request));
      const wait = waitMs === 0 ? queue.enter(isPurchase) : null;
      return wait ? wait.then(() => afterWait(request)) : overloadOf(waitMs);
    },
  };
}

const overloadOf = (expectedWaitMs: number): GraphQLError | null =>
  expectedWaitMs === 0 ? null : overloaded(Math.ceil(expectedWaitMs / 1000));

const overloaded = (seconds: number): GraphQLError =>
  requestFault('OVERLOADED', faults.OVERLOADED.message, 503, { 'retry-after': String(seconds) });
