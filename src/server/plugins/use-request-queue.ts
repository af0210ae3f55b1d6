import { anybody } from '../../kernel/caller.ts';
import { faults } from '../../kernel/faults.ts';
import type { Beginning, Layer, Refused } from '../layer.ts';
import { requestFault } from '../request-fault.ts';
import type { RequestQueue } from '../request-queue.ts';
import { notesOf, type RequestView } from '../request-view.ts';

/** The expected wait in milliseconds for an upstream slot of a tenant when it exceeds the budget; else 0. */
export type UpstreamOverload = (tenant: string, isPurchase: boolean) => number;

export interface RequestQueueLayerOptions {
  readonly queue: RequestQueue;
  readonly upstreamOverloadMs: UpstreamOverload;
}

/**
 * Queues each operation before it starts, and refuses it when its expected wait, for the event loop or for an upstream
 * slot of its tenant, exceeds the budget. Whether it is a purchase, or a question about purchases, comes from the marks of
 * the schema's fields. An operation that has started is finished.
 */
export function useRequestQueue({ queue, upstreamOverloadMs }: RequestQueueLayerOptions): Layer {
  const isPurchase = ({ estimate }: ReturnType<typeof notesOf>) =>
    estimate?.isNeverLimited === true;

  const upstreamMs = (request: RequestView): number => {
    const notes = notesOf(request);
    if (!notes.estimate?.upstreamCalls) return 0;
    return upstreamOverloadMs((notes.caller ?? anybody).tenant, isPurchase(notes));
  };

  /** After the wait: other operations may have filled the upstream's queue, or the client may have hung up. */
  const leave = (request: RequestView): Refused | null =>
    request.signal.aborted ? refused(1) : refusedFor(upstreamMs(request));

  /** Null when the operation may start. */
  const enter = (request: RequestView): Refused | null | Promise<Refused | null> => {
    const urgent = isPurchase(notesOf(request));
    const refusal = refusedFor(Math.max(queue.overloadMs(urgent), upstreamMs(request)));
    if (refusal) return refusal;
    return queue.enter(urgent)?.then(() => leave(request)) ?? null;
  };

  const onBegin = async ({ args, setResultAndStopExecution }: Beginning): Promise<void> => {
    const refusal = await enter(args.contextValue.request);
    if (!refusal) return;
    const { fault, status, headers } = refusal;
    const error = requestFault(fault, faults[fault].message, status, headers);
    setResultAndStopExecution({ errors: [error] });
  };
  return {
    full: { onExecute: onBegin, onSubscribe: onBegin },
    plain: { queues: enter },
  };
}

const refusedFor = (expectedWaitMs: number): Refused | null =>
  expectedWaitMs === 0 ? null : refused(Math.ceil(expectedWaitMs / 1000));

const refused = (seconds: number): Refused => ({
  ...{ fault: 'OVERLOADED', status: 503 },
  headers: { 'retry-after': String(seconds) },
});
