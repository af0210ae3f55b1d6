// Made from client/operations.graphql by "npm run client"; a change by hand is lost.

import type { TypedDocument } from './document.ts';

/** Internal type. DO NOT USE DIRECTLY. */
type Exact<T extends { [key: string]: unknown }> = { [K in keyof T]: T[K] };
/** State of a domain, derived from its raw `status` and its expiry. */
export type DomainState =
  /** Registered and in use. EPP statuses that only prohibit changes are included. */
  | 'ACTIVE'
  /** Deleted. */
  | 'DELETED'
  /** `expiresAt` has passed, whatever `status` is. The domain is not deleted or in redemption yet. */
  | 'EXPIRED'
  /** A documented status that has no value here; see `status`. */
  | 'OTHER'
  /** Ordered; the registry has not completed the registration. */
  | 'PENDING_REGISTRATION'
  /** A transfer into the account is in progress. The status `pendingTransfer` has no direction: it has this state while a transfer by this gateway is open. */
  | 'PENDING_TRANSFER_IN'
  /** A transfer to another registrar is in progress; the account still has the domain. Also for the status `pendingTransfer` without an open transfer by this gateway. */
  | 'PENDING_TRANSFER_OUT'
  /** Expired and deleted. Only a restore can recover the domain. */
  | 'REDEMPTION'
  /** Transferred to another registrar. */
  | 'TRANSFERRED_OUT'
  /** A transfer was rejected or cancelled. */
  | 'TRANSFER_FAILED'
  /** A status that is not documented; see `status`. */
  | 'UNKNOWN';

/** Why a request was refused or failed. A code is never reused with another meaning. The list will grow. When your client does not know a code, use `executed` and `retryable`. */
export type ErrorCode =
  /** The object already exists. */
  | 'ALREADY_EXISTS'
  /** The domain is already in this account. */
  | 'ALREADY_OWNED'
  /** The auth code is wrong, or the domain is not registered. */
  | 'AUTH_CODE_INVALID'
  /** A transfer requires the auth code of the domain. */
  | 'AUTH_CODE_REQUIRED'
  /** This cannot be undone; pass `confirm: true` to confirm it. */
  | 'CONFIRMATION_REQUIRED'
  /** The contact cannot be read or changed now. */
  | 'CONTACT_UNAVAILABLE'
  /** The cost of this document is above the limit. */
  | 'COST_LIMIT_EXCEEDED'
  /** The manifest of this gateway has no such document. */
  | 'DOCUMENT_NOT_LISTED'
  /** This document is larger than a limit; split it into several requests. */
  | 'DOCUMENT_TOO_LARGE'
  /** The credential does not allow this request. */
  | 'FORBIDDEN'
  /** This idempotency key or domain belongs to another purchase. */
  | 'IDEMPOTENCY_CONFLICT'
  /** This TLD does not support names with non-ASCII letters. */
  | 'IDN_UNSUPPORTED'
  /** The account balance is lower than the price; top up the account. */
  | 'INSUFFICIENT_FUNDS'
  /** The gateway failed because of an internal error. */
  | 'INTERNAL'
  /** The registry does not accept this contact, or it is incomplete. */
  | 'INVALID_CONTACT'
  /** This input is not valid. */
  | 'INVALID_INPUT'
  /** This request is not valid. */
  | 'INVALID_REQUEST'
  /** Other objects depend on this object. */
  | 'IN_USE'
  /** The registrar does not accept calls from the gateway's address; contact the gateway's operator. */
  | 'IP_NOT_ALLOWED'
  /** The journal cannot be written, so nothing was bought; reads still work. */
  | 'JOURNAL_UNAVAILABLE'
  /** The domain's current status does not allow this change. */
  | 'LOCKED'
  /** The price may be higher than `maxPrice`. */
  | 'MAX_PRICE_EXCEEDED'
  /** This domain is not available for registration. */
  | 'NOT_AVAILABLE'
  /** The domain is not eligible for this operation now. */
  | 'NOT_ELIGIBLE'
  /** The account has no such object. */
  | 'NOT_FOUND'
  /** The object belongs to another account. */
  | 'NOT_OWNED'
  /** The registrar does not support this operation. */
  | 'NOT_SUPPORTED'
  /** The registrar may or may not have executed the request; do not send it again, read the purchase instead. */
  | 'OUTCOME_UNKNOWN'
  /** The gateway is overloaded; retry in a few seconds. */
  | 'OVERLOADED'
  /** The TLD is not sold for this period. */
  | 'PERIOD_OUT_OF_RANGE'
  /** No document with this hash is registered; send the text with the hash. */
  | 'PERSISTED_QUERY_NOT_FOUND'
  /** The policy of the registry refuses this operation. */
  | 'POLICY'
  /** This is a premium name; pass `acceptPremium: true` to buy it. */
  | 'PREMIUM_NOT_ACCEPTED'
  /** This premium name cannot be registered now. */
  | 'PREMIUM_UNAVAILABLE'
  /** The price is unknown, so nothing was bought. */
  | 'PRICE_UNAVAILABLE'
  /** The operator has stopped all purchases; reads still work. */
  | 'PURCHASES_STOPPED'
  /** Too many requests; try again later. */
  | 'RATE_LIMITED'
  /** The registry has reserved this name. */
  | 'RESERVED'
  /** A spend limit of this gateway or of this API key refuses the purchase. */
  | 'SPEND_LIMIT_EXCEEDED'
  /** This TLD is not supported. */
  | 'TLD_UNSUPPORTED'
  /** The transfer was cancelled; start a new transfer if you still need it. */
  | 'TRANSFER_CANCELLED'
  /** A transfer of this domain is already in progress. */
  | 'TRANSFER_PENDING'
  /** The transfer was rejected; resolve the reason with the current registrar, then start a new transfer. */
  | 'TRANSFER_REJECTED'
  /** The request requires a valid credential. */
  | 'UNAUTHENTICATED'
  /** The registrar rejected the gateway's credentials; contact the gateway's operator. */
  | 'UPSTREAM_AUTH'
  /** The registrar sent a response that the gateway does not expect. */
  | 'UPSTREAM_PROTOCOL'
  /** The registrar refused the request. */
  | 'UPSTREAM_REJECTED'
  /** The registrar did not respond in time. */
  | 'UPSTREAM_TIMEOUT'
  /** The registrar is not available now. */
  | 'UPSTREAM_UNAVAILABLE';

/** Conditions for events. An event must meet all conditions that are set. */
export type EventFilter = {
  /** Only events of this domain. */
  readonly domain?: string | null | undefined;
  /** Only events found at this time or later. */
  readonly since?: string | null | undefined;
  /** Only events of these kinds. */
  readonly types?: ReadonlyArray<EventType> | null | undefined;
};

/** The origin of a change. */
export type EventSource =
  /** A request to this gateway made the change. */
  | 'GATEWAY'
  /** Anything else: another program or a person at the registrar, the registry, or the passing of time. */
  | 'UPSTREAM';

/** The kind of an event. More kinds will follow. */
export type EventType =
  /** The balance of the currency in `subject` fell below its threshold in `BALANCE_LOW`. It is an event again after the balance reached the threshold. */
  | 'BALANCE_LOW'
  /** The gateway learned of the domain. `after` is its state. After a purchase the next comparison finds it: follow `PURCHASE_SETTLED` for the outcome. */
  | 'DOMAIN_ADDED'
  /** The account no longer has the domain. `before` is its state. */
  | 'DOMAIN_REMOVED'
  /** The domain expires within a number of days, which is `after`: one of `EXPIRY_EVENT_DAYS`. Each number is an event once, unless the expiry date changes. */
  | 'EXPIRING'
  /** The expiry date changed, for example by a renewal. */
  | 'EXPIRY_CHANGED'
  /** The name servers changed. */
  | 'NAME_SERVERS_CHANGED'
  /** A price of the TLD in `subject` changed, appeared or was removed. `before` and `after` have the operation, the years, the amount and the currency. */
  | 'PRICE_CHANGED'
  /** Privacy protection was turned on or off. */
  | 'PRIVACY_CHANGED'
  /** A purchase of this gateway reached its outcome, which is `after`: `SUCCEEDED`, `FAILED` or `UNKNOWN`. It is the event to follow for one registration or transfer, because each has it. An outcome that is corrected later is another event. */
  | 'PURCHASE_SETTLED'
  /** The balance of the currency in `subject` no longer covers the renewals that are due within `RENEWALS_DAYS`. `after` is their total. */
  | 'RENEWALS_NOT_COVERED'
  /** The state of the domain changed. */
  | 'STATE_CHANGED'
  /** A transfer into the account is complete. Sent in addition to `PURCHASE_SETTLED`, for clients that follow transfers only. */
  | 'TRANSFER_COMPLETED'
  /** The transfer lock was set. */
  | 'TRANSFER_LOCKED'
  /** A transfer into the account ended without the domain. `after` is `REJECTED` or `CANCELLED`. Sent in addition to `PURCHASE_SETTLED`. A transfer that the registrar did not accept has `PURCHASE_SETTLED` only. */
  | 'TRANSFER_REJECTED'
  /** The transfer lock was removed. */
  | 'TRANSFER_UNLOCKED'
  /** The webhook whose id is `subject` was suspended, because its endpoint did not accept an event. `after` is the reason. */
  | 'WEBHOOK_SUSPENDED';

/** Whether the registrar may have carried out a request that failed. */
export type Executed =
  /** The registrar did nothing. */
  | 'NO'
  /** The registrar may have carried out the request. Read the object before you send the request again. */
  | 'UNKNOWN'
  /** The registrar carried out the request. */
  | 'YES';

/** State of a line. */
export type OrderLineState =
  /** It was not sent, because the order was cancelled or stopped after a failure. */
  | 'CANCELLED'
  /** A check or the registrar refused it. */
  | 'FAILED'
  /** The registrar accepted the transfer, and it is not complete. */
  | 'IN_PROGRESS'
  /** The reply of its call was lost, and its outcome is not known yet. */
  | 'PENDING'
  /** It is about to be sent, or its call is in flight. */
  | 'SENDING'
  /** The account has the domain. */
  | 'SUCCEEDED'
  /** Reads could not determine the outcome. A person has to check the account. */
  | 'UNKNOWN'
  /** Nothing was sent for it yet. */
  | 'WAITING';

/** State of an order, from its lines. */
export type OrderState =
  /** Every line failed. */
  | 'FAILED'
  /** Some lines succeeded, or the outcome of a line could not be determined. */
  | 'PARTIAL'
  /** At least one line is waiting or being sent, or is a transfer in progress, which takes days. */
  | 'RUNNING'
  /** Some lines were not sent, because the order was cancelled or stopped after a failure. */
  | 'STOPPED'
  /** The account has every domain of the order. */
  | 'SUCCEEDED';

/** Operation that a price is for. */
export type PriceOperation =
  /** Order of a taken name, for when it becomes free. */
  | 'BACKORDER'
  /** Any other price in the list; see `upstreamOperation`. */
  | 'OTHER'
  /** Refund for a deleted registration. */
  | 'REFUND'
  /** Registration of a free name. */
  | 'REGISTRATION'
  /** Renewal. The registrar has no call for it. */
  | 'RENEWAL'
  /** Restore from redemption. The registrar has no call for it. */
  | 'RESTORE'
  /** Transfer into the account. */
  | 'TRANSFER';

/** The kind of purchase. */
export type PurchaseKind =
  /** A registration. */
  | 'REGISTRATION'
  /** A transfer into the account. */
  | 'TRANSFER';

/** State of a purchase. */
export type PurchaseState =
  /** The account does not have the domain. Nothing was spent, except for a transfer that was not refunded: see `transfer.refunded`. */
  | 'FAILED'
  /** The registrar accepted the transfer, and it is not complete. The price is spent. The gateway reads the domain every hour, and every six hours from the second day on. */
  | 'IN_PROGRESS'
  /** The reply of the call was lost, and the outcome is not known yet. Do not buy again. Reading the purchase reads the domain. */
  | 'PENDING'
  /** The purchase is about to be sent, or its call is in flight, for at most the deadline of the call. Do not buy again. */
  | 'SENDING'
  /** The account has the domain. */
  | 'SUCCEEDED'
  /** Reads could not determine the outcome. A person has to check the account. */
  | 'UNKNOWN';

/** Stage of a transfer into the account. */
export type TransferStage =
  /** The transfer was cancelled before it was complete. */
  | 'CANCELLED'
  /** The account has the domain. */
  | 'COMPLETED'
  /** The current registrar or the owner rejected the transfer. */
  | 'REJECTED'
  /** The registrar accepted the transfer; it is not complete. */
  | 'REQUESTED'
  /** The gateway could not determine how the transfer ended. */
  | 'UNKNOWN';

export type MoneyFragment = { readonly amount: string; readonly currency: string };

export type PurchaseFragment = {
  readonly id: string;
  readonly kind: PurchaseKind;
  readonly state: PurchaseState;
  readonly key: string;
  readonly domainName: string;
  readonly period: number;
  readonly createdAt: string;
  readonly submittedAt: string | null;
  readonly settledAt: string | null;
  readonly nextStep: string;
  readonly price: MoneyFragment | null;
  readonly errors: ReadonlyArray<{
    readonly code: ErrorCode;
    readonly message: string;
    readonly executed: Executed;
    readonly retryable: boolean;
    readonly upstreamCode: string | null;
    readonly upstreamMessage: string | null;
  }>;
  readonly transfer: {
    readonly stage: TransferStage;
    readonly startedAt: string | null;
    readonly expectedBy: string | null;
    readonly endedAt: string | null;
    readonly refunded: boolean | null;
  } | null;
};

export type PurchaseSettledSubscriptionVariables = Exact<{
  id: string;
}>;

export type PurchaseSettledSubscription = { readonly purchaseSettled: PurchaseFragment };

export type OrderFragment = {
  readonly id: string;
  readonly key: string;
  readonly state: OrderState;
  readonly stopReason: string | null;
  readonly createdAt: string;
  readonly finishedAt: string | null;
  readonly progress: {
    readonly waiting: number;
    readonly sending: number;
    readonly pending: number;
    readonly inProgress: number;
    readonly succeeded: number;
    readonly failed: number;
    readonly unknown: number;
    readonly cancelled: number;
  };
};

export type OrderLineFragment = {
  readonly position: number;
  readonly domainName: string | null;
  readonly state: OrderLineState;
  readonly purchase: { readonly id: string } | null;
  readonly errors: ReadonlyArray<{
    readonly code: ErrorCode;
    readonly message: string;
    readonly path: ReadonlyArray<string> | null;
    readonly executed: Executed;
    readonly retryable: boolean;
    readonly upstreamCode: string | null;
    readonly upstreamMessage: string | null;
  }>;
};

export type OrderProgressSubscriptionVariables = Exact<{
  id: string;
}>;

export type OrderProgressSubscription = {
  readonly orderProgress: {
    readonly order: OrderFragment;
    readonly changed: ReadonlyArray<OrderLineFragment>;
  };
};

export type EventFragment = {
  readonly id: string;
  readonly cursor: string;
  readonly type: EventType;
  readonly foundAt: string;
  readonly subject: string;
  readonly domainName: string | null;
  readonly source: EventSource;
  readonly caller: string | null;
  readonly purchase: { readonly id: string } | null;
  readonly before: ChangedValueFragment | null;
  readonly after: ChangedValueFragment | null;
};

export type ChangedValueFragment = {
  readonly text: string;
  readonly status: string | null;
  readonly state: DomainState | null;
  readonly registeredAt: string | null;
  readonly expiresAt: string | null;
  readonly transferLocked: boolean | null;
  readonly privacyProtected: boolean | null;
  readonly nameServers: ReadonlyArray<string> | null;
  readonly days: number | null;
  readonly operation: PriceOperation | null;
  readonly period: number | null;
  readonly money: MoneyFragment | null;
};

export type NewEventsSubscriptionVariables = Exact<{
  after?: string | null | undefined;
  filter?: EventFilter | null | undefined;
}>;

export type NewEventsSubscription = { readonly events: EventFragment };

export type FirstEventsQueryVariables = Exact<{
  filter?: EventFilter | null | undefined;
}>;

export type FirstEventsQuery = {
  readonly events: { readonly nodes: ReadonlyArray<EventFragment> } | null;
};

export type NewestEventQueryVariables = Exact<{ [key: string]: never }>;

export type NewestEventQuery = {
  readonly events: { readonly nodes: ReadonlyArray<{ readonly cursor: string }> } | null;
};

export const purchaseSettled: TypedDocument<
  PurchaseSettledSubscription,
  PurchaseSettledSubscriptionVariables
> =
  'fragment Money on Money{amount currency}fragment Purchase on Purchase{id kind state key domainName period price{...Money}createdAt submittedAt settledAt nextStep errors{code message executed retryable upstreamCode upstreamMessage}transfer{stage startedAt expectedBy endedAt refunded}}subscription PurchaseSettled($id:ID!){purchaseSettled(id:$id){...Purchase}}';

export const orderProgress: TypedDocument<
  OrderProgressSubscription,
  OrderProgressSubscriptionVariables
> =
  'fragment Order on Order{id key state stopReason createdAt finishedAt progress{waiting sending pending inProgress succeeded failed unknown cancelled}}fragment OrderLine on OrderLine{position domainName state purchase{id}errors{code message path executed retryable upstreamCode upstreamMessage}}subscription OrderProgress($id:ID!){orderProgress(id:$id){order{...Order}changed{...OrderLine}}}';

export const newEvents: TypedDocument<NewEventsSubscription, NewEventsSubscriptionVariables> =
  'fragment Money on Money{amount currency}fragment Event on Event{id cursor type foundAt subject domainName purchase{id}source caller before{...ChangedValue}after{...ChangedValue}}fragment ChangedValue on ChangedValue{text status state registeredAt expiresAt transferLocked privacyProtected nameServers days money{...Money}operation period}subscription NewEvents($after:String$filter:EventFilter){events(after:$after filter:$filter){...Event}}';

export const firstEvents: TypedDocument<FirstEventsQuery, FirstEventsQueryVariables> =
  'fragment Money on Money{amount currency}fragment Event on Event{id cursor type foundAt subject domainName purchase{id}source caller before{...ChangedValue}after{...ChangedValue}}fragment ChangedValue on ChangedValue{text status state registeredAt expiresAt transferLocked privacyProtected nameServers days money{...Money}operation period}query FirstEvents($filter:EventFilter){events(first:100 filter:$filter){nodes{...Event}}}';

export const newestEvent: TypedDocument<NewestEventQuery, NewestEventQueryVariables> =
  'query NewestEvent{events(last:1){nodes{cursor}}}';

/** The types of each interface and union of the schema, for `InMemoryCache` of Apollo Client. */
export const possibleTypes: Record<string, string[]> = {
  Node: ['BulkChange', 'Contact', 'Domain', 'Order', 'Purchase', 'Reseller', 'Tld', 'Webhook'],
  UserError: [
    'DomainLocked',
    'IdempotencyConflict',
    'InsufficientFunds',
    'MaxPriceExceeded',
    'OutcomeUnknown',
    'PeriodOutOfRange',
    'PlainError',
    'PremiumNotAccepted',
    'PurchasesStopped',
    'SpendLimitExceeded',
  ],
};
