import {
  type EventFilter,
  type EventFragment,
  firstEvents,
  newEvents,
  newestEvent,
  type OrderProgressSubscription,
  orderProgress,
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

/** The order now, and then with the lines that changed, until it is no longer RUNNING. */
export async function* followOrder(
  transport: ClientTransport,
  id: string,
  { signal }: SubscribeOptions,
): AsyncGenerator<OrderProgressSubscription['orderProgress'], void, undefined> {
  const open = () => transport.subscribe(orderProgress, { id }, { signal });
  for await (const { orderProgress: update } of resume(open, signal)) {
    yield update;
    if (update.order.state !== 'RUNNING') return;
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
  // `events` is null in a response with errors only, which `request` throws.
  const read = { signal, timeoutMs: defaultIdleMs };

  async function* open(): AsyncGenerator<EventFragment, void, undefined> {
    if (cursor === undefined) {
      const { events } = await transport.request(newestEvent, {}, read);
      cursor = events?.nodes[0]?.cursor ?? null;
    }
    while (cursor === null) {
      const { events } = await transport.request(firstEvents, { ...onlyFiltered }, read);
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
