import type { TypedDocument } from './document.ts';
import {
  type EventFilter,
  type EventFragment,
  firstEvents,
  newEvents,
  newestEvent,
  type PurchaseFragment,
  purchaseSettled,
} from './operations.ts';
import { resume, wait } from './resume.ts';
import { type ClientTransport, defaultIdleMs, type SubscribeOptions } from './transport.ts';

/** Resolves with the purchase when it is SUCCEEDED, FAILED or UNKNOWN. */
export async function waitForPurchase(
  transport: ClientTransport,
  id: string,
  { signal }: SubscribeOptions,
): Promise<PurchaseFragment> {
  const open = () => transport.subscribe(purchaseSettled, { id }, { signal });
  for await (const { purchaseSettled: purchase } of resume(open, signal)) return purchase;
  throw new Error('A resumed stream does not end.');
}

/** The updates of an order or a bulk change, until it is no longer running. */
export async function* followChanges<Result, Update>(
  transport: ClientTransport,
  document: TypedDocument<Result, { readonly id: string }>,
  id: string,
  { signal }: SubscribeOptions,
  read: (result: Result) => { readonly update: Update; readonly isRunning: boolean },
): AsyncGenerator<Update, void, undefined> {
  const open = () => transport.subscribe(document, { id }, { signal });
  for await (const result of resume(open, signal)) {
    const { update, isRunning } = read(result);
    yield update;
    if (!isRunning) return;
  }
}

export interface EventOptions extends SubscribeOptions {
  /** The cursor of the last event that was processed. Default: events from now on. */
  readonly after?: string | undefined;
  readonly filter?: EventFilter | undefined;
}

/** While the account never had an event, there is no cursor to continue after. */
const firstEventPollMs = 2_000;

/** The events after a cursor, then each new one, without an end: none is missing, and none twice. */
export async function* followEvents(
  transport: ClientTransport,
  { after, filter, signal }: EventOptions,
): AsyncGenerator<EventFragment, void, undefined> {
  /** Null when there is no event yet. */
  let cursor: string | null | undefined = after;
  const onlyFiltered = filter && { filter };
  // `events` is null in a response with errors only, which `send` throws.
  const read = { signal, timeoutMs: defaultIdleMs };

  async function* open(): AsyncGenerator<EventFragment, void, undefined> {
    if (cursor === undefined) {
      const { events } = await transport.send(newestEvent, {}, read);
      cursor = events?.nodes[0]?.cursor ?? null;
    }
    while (cursor === null) {
      const { events } = await transport.send(firstEvents, { ...onlyFiltered }, read);
      yield* events?.nodes ?? [];
      if (cursor === null) await wait(firstEventPollMs, signal);
    }
    const variables = { after: cursor, ...onlyFiltered };
    for await (const { events } of transport.subscribe(newEvents, variables, { signal })) {
      yield events;
    }
  }

  for await (const event of resume(open, signal)) {
    cursor = event.cursor;
    yield event;
  }
}
