import type { TypedDocument } from './document.ts';
import { type Page, paginate } from './paginate.ts';
import { createResources, type Resources } from './resources.ts';
import {
  type ClientOptions,
  ClientTransport,
  type RequestOptions,
  type SubscribeOptions,
} from './transport.ts';

export type { PrintDocument, Scalars, TypedDocument } from './document.ts';
export { ClientError, type ClientErrorOptions, type ResponseError } from './error.ts';
export * from './operations.ts';
export type { Page } from './paginate.ts';
export type {
  Availability,
  BulkChange,
  BulkChangeUpdate,
  Domain,
  GraphEvent,
  Keyed,
  ListOptions,
  Order,
  OrderUpdate,
  Purchase,
  Resources,
  SearchOptions,
  SearchResult,
  UserError,
  WithKey,
} from './resources.ts';
export type { EventOptions } from './streams.ts';
export type { ClientOptions, RequestOptions, SubscribeOptions } from './transport.ts';
export {
  verifyWebhook,
  type WebhookEvent,
  type WebhookTest,
  type WebhookValue,
} from './webhook.ts';

/** A document whose types are not known. */
type PlainDocument = string & { readonly __apiType?: never };

/** A client of one gateway. Errors are ClientErrors; when a signal aborts, its reason is thrown instead. */
export interface Client extends Resources {
  /** Sends a query, again after a temporary error, or a mutation, once: it may have been executed although this rejects. */
  request<Result = Readonly<Record<string, unknown>>>(
    document: PlainDocument,
    variables?: object,
    options?: RequestOptions,
  ): Promise<Result>;
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
}

export function createClient(options: ClientOptions): Client {
  const transport = new ClientTransport(options);
  return {
    ...createResources(transport),
    request: (
      document: TypedDocument<never, unknown>,
      variables?: unknown,
      more?: RequestOptions,
    ) => transport.request(document, variables, more),
    paginate: (document, variables, pageOf, more) =>
      paginate(transport, document, variables, pageOf, more),
    subscribe: (document, variables, more) => transport.subscribe(document, variables, more),
  };
}
