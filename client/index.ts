import type { TypedDocument } from './document.ts';
import type { EventFragment, OrderProgressSubscription, PurchaseFragment } from './operations.ts';
import { type Page, paginate } from './paginate.ts';
import { type EventOptions, followEvents, followOrder, waitForPurchase } from './streams.ts';
import {
  type ClientOptions,
  ClientTransport,
  type RequestOptions,
  type SubscribeOptions,
} from './transport.ts';

export type { PrintDocument, TypedDocument } from './document.ts';
export { ClientError, type ClientErrorOptions, type ResponseError } from './error.ts';
export * from './operations.ts';
export type { Page } from './paginate.ts';
export type { Scalars } from './scalars.ts';
export type { EventOptions } from './streams.ts';
export type { ClientOptions, RequestOptions, SubscribeOptions } from './transport.ts';

/** The purchase as the client reads it. */
export type Purchase = PurchaseFragment;
/** The progress of an order as the client reads it. */
export type OrderUpdate = OrderProgressSubscription['orderProgress'];
/** The event as the client reads it. */
export type GraphEvent = EventFragment;

/** A client of one gateway. Errors are ClientErrors; when a signal aborts, its reason is thrown instead. */
export interface Client {
  /**
   * Sends a query or a mutation, once. A mutation may have been executed although this rejects: read its outcome, by
   * `purchase(by: { key })` for a purchase.
   */
  request<Result, Variables>(
    document: TypedDocument<Result, Variables>,
    variables?: Variables,
    options?: RequestOptions,
  ): Promise<Result>;

  /** The nodes of a connection. The document passes its variable `$after` as `after`, and selects `nodes` and `pageInfo`. */
  paginate<Result, Variables extends { after?: string | null | undefined }, Node>(
    document: TypedDocument<Result, Variables>,
    variables: Variables,
    pageOf: (result: Result) => Page<Node> | null,
    options?: RequestOptions,
  ): AsyncGenerator<Node, void, undefined>;

  /** The results of a subscription over one connection. A lost connection is an error. */
  subscribe<Result, Variables>(
    document: TypedDocument<Result, Variables>,
    variables?: Variables,
    options?: SubscribeOptions,
  ): AsyncGenerator<Result, void, undefined>;

  /**
   * Resolves when the purchase is SUCCEEDED, FAILED or UNKNOWN. It reads only. It continues after a lost connection or a
   * restart of the gateway, for as long as `signal` permits: a transfer takes days.
   */
  waitForPurchase(id: string, options?: SubscribeOptions): Promise<Purchase>;

  /**
   * The order now, and then with the lines that changed since the update before, until it is no longer RUNNING. It continues as
   * `waitForPurchase` does. An update without changed lines is the first of a connection: read the lines with a query then.
   */
  orderProgress(
    id: string,
    options?: SubscribeOptions,
  ): AsyncGenerator<OrderUpdate, void, undefined>;

  /**
   * The events after a cursor, then each new one. It continues after a lost connection or a restart with the event after the
   * last one: none is missing, and none is sent twice. Store `cursor` to continue in another process.
   */
  events(options?: EventOptions): AsyncGenerator<GraphEvent, void, undefined>;
}

export function createClient(options: ClientOptions): Client {
  const transport = new ClientTransport(options);
  return {
    request: (document, variables, more) => transport.request(document, variables, more),
    paginate: (document, variables, pageOf, more) =>
      paginate(transport, document, variables, pageOf, more),
    subscribe: (document, variables, more) => transport.subscribe(document, variables, more),
    waitForPurchase: (id, more = {}) => waitForPurchase(transport, id, more),
    orderProgress: (id, more = {}) => followOrder(transport, id, more),
    events: (more = {}) => followEvents(transport, more),
  };
}
