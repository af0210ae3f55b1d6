import type { TypedDocument } from './document.ts';
import { ClientError } from './error.ts';
import * as operations from './operations.ts';
import { paginate, unreadable } from './paginate.ts';
import { type EventOptions, followChanges, followEvents, waitForPurchase } from './streams.ts';
import type { ClientTransport, RequestOptions, SubscribeOptions } from './transport.ts';

export type Availability = operations.AvailabilityFragment;
export type Domain = operations.DomainFragment;
export type Purchase = operations.PurchaseFragment;
/** An event of the account. The name `Event` is that of browsers. */
export type GraphEvent = operations.EventFragment;
/** Why a mutation was refused or failed. */
export type UserError = operations.UserErrorFragment;
export type SearchResult = NonNullable<operations.SearchNamesQuery['searchDomains']>[number];
export type SearchOptions = Omit<operations.SearchNamesQueryVariables, 'labels'> & RequestOptions;
export type ListOptions = Omit<operations.ListDomainsQueryVariables, 'after'> & RequestOptions;
export type Order = NonNullable<operations.GetOrderQuery['order']>;
export type OrderUpdate = operations.OrderProgressSubscription['orderProgress'];
export type BulkChange = NonNullable<operations.GetBulkChangeQuery['bulkChange']>;
export type BulkChangeUpdate = operations.BulkChangeProgressSubscription['bulkChangeProgress'];

/** An input whose idempotency key may be absent: the client then generates one. */
export type Keyed<Input> = Omit<Input, 'idempotencyKey'> & {
  readonly idempotencyKey?: string | null | undefined;
};
/** The payload of a mutation, and the idempotency key that was sent. */
export type WithKey<Payload> = Payload & { readonly idempotencyKey: string };

/**
 * The methods of a client, by resource. A mutation that is refused or fails resolves too: `errors` of its payload has the
 * reasons. A ClientError means that there is no payload.
 */
export interface Resources {
  readonly availability: {
    /** Whether names can be registered and what that costs, in their order. Text that is no domain name is INVALID. */
    check(names: readonly string[], options?: RequestOptions): Promise<readonly Availability[]>;
    /** Labels such as `maple` under many TLDs. */
    search(
      labels: string | readonly string[],
      options?: SearchOptions,
    ): Promise<readonly SearchResult[]>;
  };

  readonly domains: {
    /** A domain of the account; null when the account does not have it. */
    get(name: string, options?: RequestOptions): Promise<Domain | null>;
    /** The domains of the account. It reads the next 100 when they are needed. */
    list(options?: ListOptions): AsyncGenerator<Domain, void, undefined>;
    setNameServers(
      domain: string,
      nameServers: readonly string[],
      options?: RequestOptions,
    ): Promise<operations.SetNameServersMutation['setNameServers']>;
    setPrivacyProtection(
      domain: string,
      privacyProtected: boolean,
      options?: RequestOptions,
    ): Promise<operations.SetPrivacyProtectionMutation['setPrivacyProtection']>;
  };

  /** `idempotencyKey` is generated when it is absent. With it the outcome can be read: `get({ key })`. */
  readonly purchases: {
    register(
      input: operations.RegisterDomainInput,
      options?: RequestOptions,
    ): Promise<WithKey<operations.RegisterDomainMutation['registerDomain']>>;
    transfer(
      input: operations.TransferDomainInput,
      options?: RequestOptions,
    ): Promise<WithKey<operations.TransferDomainMutation['transferDomain']>>;
    get(by: operations.LookupInput, options?: RequestOptions): Promise<Purchase | null>;
    /**
     * Resolves when the purchase is SUCCEEDED, FAILED or UNKNOWN. It reads only. It continues after a lost connection or a
     * restart of the gateway, for as long as `signal` permits: a transfer takes days.
     */
    wait(id: string, options?: SubscribeOptions): Promise<Purchase>;
  };

  readonly orders: {
    place(
      input: Keyed<operations.PlaceOrderInput>,
      options?: RequestOptions,
    ): Promise<WithKey<operations.PlaceOrderMutation['placeOrder']>>;
    /** An order with its lines. */
    get(by: operations.LookupInput, options?: RequestOptions): Promise<Order | null>;
    /**
     * The order now, and then with the lines that changed since the update before, until it has ended. It continues
     * as `purchases.wait` does. An update without changed lines is the first of a connection: read the lines with `get` then.
     */
    follow(id: string, options?: SubscribeOptions): AsyncGenerator<OrderUpdate, void, undefined>;
  };

  readonly bulkChanges: {
    start(
      input: Keyed<operations.ChangeDomainsInput>,
      options?: RequestOptions,
    ): Promise<WithKey<operations.ChangeDomainsMutation['changeDomains']>>;
    /** A bulk change with its first 500 domains. */
    get(by: operations.LookupInput, options?: RequestOptions): Promise<BulkChange | null>;
    /** As `orders.follow`, with the domains that changed. */
    follow(
      id: string,
      options?: SubscribeOptions,
    ): AsyncGenerator<BulkChangeUpdate, void, undefined>;
  };

  readonly events: {
    /**
     * The events after a cursor, then each new one. It continues after a lost connection or a restart with the event after the
     * last one: none is missing, and none is sent twice. Store `cursor` to continue in another process.
     */
    stream(options?: EventOptions): AsyncGenerator<GraphEvent, void, undefined>;
  };
}

/** Sends a mutation, and again with the same key after a temporary error: the gateway returns what the key made. */
const keyedMutations =
  (transport: ClientTransport) =>
  async <Input extends Keyed<object>, Result, Payload>(
    document: TypedDocument<
      Result,
      { readonly input: Input & { readonly idempotencyKey: string } }
    >,
    input: Input,
    options: RequestOptions | undefined,
    payloadOf: (result: Result) => Payload,
  ): Promise<WithKey<Payload>> => {
    const idempotencyKey = input.idempotencyKey ?? crypto.randomUUID();
    try {
      const variables = { input: { ...input, idempotencyKey } };
      const result = await transport.request(document, variables, options, true);
      return { ...payloadOf(result), idempotencyKey };
    } catch (error) {
      if (error instanceof ClientError) error.idempotencyKey = idempotencyKey;
      throw error;
    }
  };

export function createResources(transport: ClientTransport): Resources {
  const request = transport.request.bind(transport);
  const withKey = keyedMutations(transport);
  return {
    availability: {
      async check(names, options) {
        const { availabilities } = await request(operations.checkNames, { names }, options);
        return availabilities ?? unreadable();
      },
      async search(labels, { signal, onErrors, ...filter } = {}) {
        const how = { signal, onErrors };
        const found = await request(operations.searchNames, { labels, ...filter }, how);
        return found.searchDomains ?? unreadable();
      },
    },
    domains: {
      get: async (name, options) => (await request(operations.getDomain, { name }, options)).domain,
      list: ({ signal, onErrors, ...variables } = {}) =>
        paginate(transport, operations.listDomains, variables, ({ domains }) => domains, {
          signal,
          onErrors,
        }),
      async setNameServers(domain, nameServers, options) {
        const input = { domain, nameServers };
        return (await request(operations.setNameServers, { input }, options)).setNameServers;
      },
      async setPrivacyProtection(domain, privacyProtected, options) {
        const input = { domain, privacyProtected };
        return (await request(operations.setPrivacyProtection, { input }, options))
          .setPrivacyProtection;
      },
    },
    purchases: {
      register: (input, options) =>
        withKey(operations.registerDomain, input, options, (result) => result.registerDomain),
      transfer: (input, options) =>
        withKey(operations.transferDomain, input, options, (result) => result.transferDomain),
      get: async (by, options) => (await request(operations.getPurchase, { by }, options)).purchase,
      wait: (id, options = {}) => waitForPurchase(transport, id, options),
    },
    orders: {
      place: (input, options) =>
        withKey(operations.placeOrder, input, options, (result) => result.placeOrder),
      get: async (by, options) => (await request(operations.getOrder, { by }, options)).order,
      follow: (id, options = {}) =>
        followChanges(transport, operations.orderProgress, id, options, (result) => ({
          update: result.orderProgress,
          isRunning: isRunning(result.orderProgress.order),
        })),
    },
    bulkChanges: {
      start: (input, options) =>
        withKey(operations.changeDomains, input, options, (result) => result.changeDomains),
      get: async (by, options) =>
        (await request(operations.getBulkChange, { by }, options)).bulkChange,
      follow: (id, options = {}) =>
        followChanges(transport, operations.bulkChangeProgress, id, options, (result) => ({
          update: result.bulkChangeProgress,
          isRunning: isRunning(result.bulkChangeProgress.bulkChange),
        })),
    },
    events: { stream: (options = {}) => followEvents(transport, options) },
  };
}

/** A job that waits for an approval runs after it. */
const isRunning = ({ state }: { readonly state: string }): boolean =>
  state === 'RUNNING' || state === 'AWAITING_APPROVAL';
