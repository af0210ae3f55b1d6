// Made from client/operations.graphql by "npm run client"; a change by hand is lost.

import type { TypedDocument } from './document.ts';

/** Internal type. DO NOT USE DIRECTLY. */
type Exact<T extends { [key: string]: unknown }> = { [K in keyof T]: T[K] };
/** Conditions for the results of a search. A result must meet all conditions that are set. */
export type DomainSearchFilter = {
  /** True: only AVAILABLE names. False: only the others. */
  readonly available?: boolean | null | undefined;
  /** Only names whose `quote.highest` is at most this amount, in this currency. TLDs with a higher price in the price list are not checked. An available name without a price is left out. */
  readonly maxPrice?: MoneyInput | null | undefined;
  /** Only names whose `quote.renewalPrice` is at most this amount, in this currency. An available name without a known renewal price is left out. */
  readonly maxRenewalPrice?: MoneyInput | null | undefined;
  /** True: only premium names. False: only the others. A name whose premium status is unknown is included in both. */
  readonly premium?: boolean | null | undefined;
};

/** An exact amount in one currency. */
export type MoneyInput = {
  /** The amount, such as `"12.50"`. */
  readonly amount: string;
  /** The currency, such as `USD`. */
  readonly currency: string;
};

/** Why a request was refused or failed. A code is never reused with another meaning. The list will grow. When your client does not know a code, use `executed` and `retryable`. */
export type ErrorCode =
  /** The object already exists. */
  | 'ALREADY_EXISTS'
  /** The domain is already in this account. */
  | 'ALREADY_OWNED'
  /** The request was cancelled before its approval, so nothing was sent. */
  | 'APPROVAL_CANCELLED'
  /** The approval was not given in time, so nothing was sent. */
  | 'APPROVAL_EXPIRED'
  /** Another person refused the approval, so nothing was sent. */
  | 'APPROVAL_REJECTED'
  /** This needs the approval of another person; send it again after the approval. */
  | 'APPROVAL_REQUIRED'
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
  /** The journal cannot be written, so nothing was sent; reads still work. */
  | 'JOURNAL_UNAVAILABLE'
  /** The domain's current status does not allow this change. */
  | 'LOCKED'
  /** The price may be higher than `maxPrice`. */
  | 'MAX_PRICE_EXCEEDED'
  /** This domain is not available for registration. */
  | 'NOT_AVAILABLE'
  /** A person found that the registrar did not make this purchase. */
  | 'NOT_BOUGHT'
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
  /** The amount is recorded, starts nothing, and is due back. */
  | 'PAYMENT_NOT_ACCEPTED'
  /** This caller buys with paid orders only; send `placeOrder` with `payment`. */
  | 'PAYMENT_REQUIRED'
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
  /** The amount is more than is due back, so it was not recorded. */
  | 'REFUND_NOT_DUE'
  /** The registry has reserved this name. */
  | 'RESERVED'
  /** A spend limit of this gateway or of this API key refuses the purchase. */
  | 'SPEND_LIMIT_EXCEEDED'
  /** This TLD is not supported. */
  | 'TLD_UNSUPPORTED'
  /** This caller has too many orders that are not paid. */
  | 'TOO_MANY_UNPAID_ORDERS'
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

/** Whether a name can be registered. */
export type AvailabilityState =
  /** The registrar reported that the name can be registered. */
  | 'AVAILABLE'
  /** A name that cannot be registered here: see `reason`. A label that is too short or too long for its TLD is INVALID while the price list is cached or read by the same operation. */
  | 'INVALID'
  /** Registered, reserved, or otherwise not available. */
  | 'TAKEN'
  /** The registrar returned no result, or one that cannot be read. Do not treat the name as available. */
  | 'UNKNOWN';

/** How exactly a price is known before the purchase. */
export type QuoteCertainty =
  /** The price list has no price for this period. The price is between `lowest` and `highest`. One is the price of the first period, multiplied. The other is that price once, with renewals for the other years. */
  | 'ESTIMATED'
  /** The price list or the availability check has a price for this period. */
  | 'LISTED'
  /** It cannot be bought: the TLD is not sold for this period, or the name is not available. A purchase is refused. */
  | 'NOT_SOLD'
  /** The price could not be found out: see `Quote.reason`. A purchase is refused with `PRICE_UNAVAILABLE`. */
  | 'UNKNOWN';

/** Operation that a price is for. */
export type PriceOperation =
  /** Request for a taken name, for when it becomes free. */
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

/** A stored object, such as a purchase, by its id or by its idempotency key. */
export type LookupInput =
  | {
      /** The id, from a payload, a list or an error. */ readonly id: string;
      readonly key?: never;
    }
  | {
      readonly id?: never /** The idempotency key. A request that is still in progress may use it later. */;
      readonly key: string;
    };

/** The kind of purchase. */
export type PurchaseKind =
  /** A registration. */
  | 'REGISTRATION'
  /** A transfer into the account. */
  | 'TRANSFER';

/** State of a purchase. */
export type PurchaseState =
  /** The purchase waits for a decision, and nothing is sent before it. Then it becomes `SENDING`. `cancelPurchase` before the decision makes it `FAILED`. */
  | 'AWAITING_APPROVAL'
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

/** State of an approval. */
export type ApprovalState =
  /** The request was cancelled before the decision. */
  | 'CANCELLED'
  /** It was not decided, or not used, in time. */
  | 'EXPIRED'
  /** Another person approved it. A purchase, an order or a bulk change is then sent by the gateway; any other operation is sent again by its caller. */
  | 'GRANTED'
  /** Another person refused it. */
  | 'REJECTED'
  /** It waits for a decision. */
  | 'REQUESTED'
  /** The operation was made after the approval. Another one needs a new approval. */
  | 'USED';

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
  /** Requested; the registry has not completed the registration. */
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
  /** Nothing was sent for it yet. It may wait for a decision. */
  | 'WAITING';

/** State of an order, from its lines. */
export type OrderState =
  /** The order waits for a decision, and nothing is sent before it. */
  | 'AWAITING_APPROVAL'
  /** The order waits for its payment: see `payment`. Nothing is sent before it. */
  | 'AWAITING_PAYMENT'
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

/** State of a domain in a bulk change. */
export type BulkChangeItemState =
  /** The bulk change was cancelled before the change was sent, or sent again by a retry. */
  | 'CANCELLED'
  /** It was not changed; `errors` has the reason. */
  | 'FAILED'
  /** It is being changed, or waits for the registrar. */
  | 'RUNNING'
  /** The registrar made the change. */
  | 'SUCCEEDED'
  /** The domain had the value already, so nothing was sent. */
  | 'UNCHANGED'
  /** Whether it was changed is unknown. `retryBulkChange` reads it again. */
  | 'UNKNOWN'
  /** Nothing was sent for it yet. */
  | 'WAITING';

/** State of a bulk change, from its domains. */
export type BulkChangeState =
  /** The bulk change waits for a decision, and nothing is sent before it. Then it is RUNNING. */
  | 'AWAITING_APPROVAL'
  /** No domain was changed. */
  | 'FAILED'
  /** Some domains have the new value, or the outcome of a domain is unknown. */
  | 'PARTIAL'
  /** At least one domain is waiting or being changed. */
  | 'RUNNING'
  /** Some domains were not changed, because the bulk change was cancelled. */
  | 'STOPPED'
  /** Every domain has the new value. */
  | 'SUCCEEDED';

/** The origin of a change. */
export type EventSource =
  /** A request to this gateway made the change. */
  | 'GATEWAY'
  /** Anything else: another program or a person at the registrar, the registry, or the passing of time. */
  | 'UPSTREAM';

/** The kind of an event. More kinds will follow. */
export type EventType =
  /** An approval was not decided or not used in time, so nothing is sent. `subject` is its id. */
  | 'APPROVAL_EXPIRED'
  /** An approval was given. `subject` is its id, `caller` the key of the decision. */
  | 'APPROVAL_GRANTED'
  /** An approval was refused, so nothing is sent. `subject` is its id, `caller` the key of the decision. */
  | 'APPROVAL_REJECTED'
  /** A request waits for the decision of another person. `subject` is the id of the approval, `caller` the key of the request. */
  | 'APPROVAL_REQUESTED'
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
  /** An order is paid. `subject` is the id of the order. */
  | 'PAYMENT_CONFIRMED'
  /** An order waits for its payment. `subject` is the id of the order. */
  | 'PAYMENT_DUE'
  /** An order was not paid in time, so nothing is bought. `subject` is the id of the order. */
  | 'PAYMENT_EXPIRED'
  /** A price of the TLD in `subject` changed, appeared or was removed. `before` and `after` have the operation, the years, the amount and the currency. Where prices differ from costs, they are the prices of now for the costs before and after. */
  | 'PRICE_CHANGED'
  /** Privacy protection was turned on or off. */
  | 'PRIVACY_CHANGED'
  /** A purchase of this gateway reached its outcome, which is `after`: `SUCCEEDED`, `FAILED` or `UNKNOWN`. It is the event to follow for one registration or transfer, because each has it. An outcome that is corrected later is another event. */
  | 'PURCHASE_SETTLED'
  /** More must be returned for an order: a line was not bought, or an amount did not pay the order. `subject` is the id of the order. */
  | 'REFUND_DUE'
  /** Less must be returned for an order: a line may be bought after all. `subject` is the id of the order. */
  | 'REFUND_WITHDRAWN'
  /** The balance of the currency in `subject` no longer covers the renewals that are due within `RENEWALS_DAYS`. `after` is their total. */
  | 'RENEWALS_NOT_COVERED'
  /** The purchases of 24 hours reached `SPEND_LIMIT_NEAR_PERCENT` of a daily spend limit. `subject` is the currency, `before` the limit and `after` the amount that was spent. `caller` is the key whose limit it is; null for the limit of the gateway. Once for each limit and UTC day. */
  | 'SPEND_LIMIT_NEAR'
  /** A daily spend limit refused a purchase that is below the limit on its own, or is used up. The values are those of `SPEND_LIMIT_NEAR`. Once for each limit and UTC day. */
  | 'SPEND_LIMIT_REACHED'
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

/** A span of time, from `from` to before `until`. It is refused when `until` is not after `from`. */
export type TimeSpan = {
  /** The first time in the span. Default: no bound. */
  readonly from?: string | null | undefined;
  /** The first time after the span. Default: no bound. */
  readonly until?: string | null | undefined;
};

/** Values for the registrations of an order that have none of their own, and the customer of all lines without one. */
export type OrderDefaultsInput = {
  /** Administrative, billing and technical contact. Default: the stored default, otherwise the registrant. */
  readonly contact?: ContactChoiceInput | null | undefined;
  /** The customer who gets the domain when the purchase succeeds, in 1 to 64 printable characters. Needs the scope `customers:write`. A caller that is bound to a customer buys for that one. Default: the reseller's own purchase. */
  readonly customer?: string | null | undefined;
  /** 1 to 13 host names, in any spelling of `DomainName`; many TLDs require 2. Duplicates are dropped. Default: the stored default; required without one. */
  readonly nameServers?: ReadonlyArray<string> | null | undefined;
  /** Whether privacy protection hides the contacts from the public. Default: the stored default, otherwise false. */
  readonly privacyProtected?: boolean | null | undefined;
  /** The holder of the domain. Default: the stored default; required without one. */
  readonly registrant?: ContactChoiceInput | null | undefined;
  /** Whether to set the transfer lock. Default: the stored default, otherwise true. */
  readonly transferLocked?: boolean | null | undefined;
};

/** One purchase of an order: a registration or a transfer. */
export type OrderLineInput =
  | {
      /** A registration. */ readonly registration: RegistrationLineInput;
      readonly transfer?: never;
    }
  | { readonly registration?: never /** A transfer. */; readonly transfer: TransferLineInput };

/** A contact of a purchase. Set exactly one field. */
export type ContactChoiceInput =
  | {
      /** The contact itself. */ readonly fields: ContactInput;
      readonly profile?: never;
    }
  | {
      readonly fields?: never /** The id of a contact profile. The purchase has the contact that the profile has when it is made. */;
      readonly profile: string;
    };

/** A registration in an order. */
export type RegistrationLineInput = {
  /** Whether a premium name may be bought at its premium price. */
  readonly acceptPremium?: boolean;
  /** Administrative, billing and technical contact. Default: that of `defaults`, otherwise the stored default, otherwise the registrant. */
  readonly contact?: ContactChoiceInput | null | undefined;
  /** The customer who gets the domain when the purchase succeeds, in 1 to 64 printable characters. Needs the scope `customers:write`. A caller that is bound to a customer buys for that one. Default: that of `defaults`. */
  readonly customer?: string | null | undefined;
  /** The domain to register, in any spelling of `DomainName`. */
  readonly domain: string;
  /** Highest accepted cost of this line, in the currency of the cost. Needs the scope `prices:cost`. */
  readonly maxCost?: MoneyInput | null | undefined;
  /** Highest accepted price of this line, in the currency of the price. */
  readonly maxPrice?: MoneyInput | null | undefined;
  /** 1 to 13 host names, in any spelling of `DomainName`; many TLDs require 2. Duplicates are dropped. Default: that of `defaults`, otherwise the stored default; required without one. */
  readonly nameServers?: ReadonlyArray<string> | null | undefined;
  /** Number of years, within the bounds of the TLD. Default: the shortest period that can be bought, as for `DomainAvailability.quote`. */
  readonly period?: number | null | undefined;
  /** Whether privacy protection hides the contacts from the public. Default: that of `defaults`, otherwise the stored default, otherwise false. */
  readonly privacyProtected?: boolean | null | undefined;
  /** The holder of the domain. Default: that of `defaults`, otherwise the stored default; required without one. */
  readonly registrant?: ContactChoiceInput | null | undefined;
  /** Whether to set the transfer lock. Default: that of `defaults`, otherwise the stored default, otherwise true. */
  readonly transferLocked?: boolean | null | undefined;
};

/** A transfer into the account, in an order. */
export type TransferLineInput = {
  /** Auth code (EPP code) from the current registrar. A secret. */
  readonly authCode: string;
  /** The customer who gets the domain when the purchase succeeds, in 1 to 64 printable characters. Needs the scope `customers:write`. A caller that is bound to a customer buys for that one. Default: that of `defaults`. */
  readonly customer?: string | null | undefined;
  /** The domain to transfer, in any spelling of `DomainName`. */
  readonly domain: string;
  /** Highest accepted cost of this line, in the currency of the cost. Needs the scope `prices:cost`. */
  readonly maxCost?: MoneyInput | null | undefined;
  /** Highest accepted price of this line, in the currency of the price. */
  readonly maxPrice?: MoneyInput | null | undefined;
  /** Number of years to pay for: one that the price list has for transfers, or 1 to `maxPeriod` of the TLD. 0 where the list has a price for 0 years. Default: the shortest period that is listed for transfers, or 1. Most registries add one year, whatever the period is. */
  readonly period?: number | null | undefined;
};

/** A person or company. Validated before any upstream call. A text has at most 255 characters, without line breaks and invisible characters, and is sent in Unicode NFC. */
export type ContactInput = {
  /** Postal address. */
  readonly address: AddressInput;
  /** Company. */
  readonly company?: string | null | undefined;
  /** One e-mail address, ASCII before the `@`. The domain may be in Unicode, and is sent in ASCII (A-labels). */
  readonly email: string;
  /** First name. */
  readonly firstName: string;
  /** Last name; the first name again for a person with one name. Both have at most 254 characters together. */
  readonly lastName: string;
  /** Telephone number in any common spelling, such as `+49 30 123456`. Without `+` it is a national number of `address.country`. */
  readonly phone: string;
};

/** A postal address. */
export type AddressInput = {
  /** City. */
  readonly city: string;
  /** ISO 3166-1 alpha-2, such as `DE`; any case. */
  readonly country: string;
  /** Street and number. */
  readonly line1: string;
  /** Second line. For the registrant it is appended to the first line, because the registrar has one line; both have at most 253 characters together. */
  readonly line2?: string | null | undefined;
  /** State or province, if the country has them. */
  readonly state?: string | null | undefined;
  /** Postal code of at most 16 characters, if the country has them. */
  readonly zipCode?: string | null | undefined;
};

/** Conditions for domains. A domain must meet all conditions that are set. */
export type DomainFilter = {
  /** Only names that contain this text, in ASCII or Unicode. */
  readonly contains?: string | null | undefined;
  /** Only domains of this customer. */
  readonly customer?: string | null | undefined;
  /** Only domains that expire in this span. */
  readonly expires?: TimeSpan | null | undefined;
  /** Only domains that meet each of these conditions; at most 20. */
  readonly labels?: ReadonlyArray<LabelFilter> | null | undefined;
  /** Only domains with this name server. */
  readonly nameServer?: string | null | undefined;
  /** True: only domains with privacy protection. False: only the others. */
  readonly privacyProtected?: boolean | null | undefined;
  /** Only domains in these states. */
  readonly states?: ReadonlyArray<DomainState> | null | undefined;
  /** Only names under these TLDs, in any spelling. */
  readonly tlds?: ReadonlyArray<string> | null | undefined;
  /** True: only domains with a transfer lock. False: only the others. */
  readonly transferLocked?: boolean | null | undefined;
};

/** The order of a list of domains. Domains with the same value are ordered by name. */
export type DomainOrder = {
  /** Ascending or descending. */
  readonly direction?: OrderDirection;
  /** The value by which to order. */
  readonly field?: DomainOrderField;
};

/** A condition for the labels of a domain. */
export type LabelFilter = {
  /** Only domains with a label of this name. */
  readonly name: string;
  /** Only with this value. Default: any value. */
  readonly value?: string | null | undefined;
};

/** Ascending or descending. */
export type OrderDirection =
  /** Smallest or earliest. */
  | 'ASC'
  /** Largest or latest. */
  | 'DESC';

/** The value by which domains are ordered. */
export type DomainOrderField =
  /** End of the registration. Domains without it are last. */
  | 'EXPIRES_AT'
  /** The ASCII name. */
  | 'NAME'
  /** Start of the registration. Domains without it are last. */
  | 'REGISTERED_AT';

/** One change of all domains of a bulk change. A domain that has the value already causes no write. Host names are in any spelling of `DomainName`. A domain that would have no name server, or more than 13, is FAILED with `NOT_ELIGIBLE`, and so is a replacement that would leave one of two. */
export type BulkChangeInput =
  | {
      /** Adds one name server. */ readonly addNameServer: string;
      readonly items?: never;
      readonly privacyProtected?: never;
      readonly removeNameServer?: never;
      readonly replaceNameServer?: never;
      readonly setNameServers?: never;
      readonly sync?: never;
      readonly unlock?: never;
    }
  | {
      readonly addNameServer?: never /** 1 to 2000 domains, each with its name servers. Without `names` and `filter`. A domain twice is an error. */;
      readonly items: ReadonlyArray<BulkChangeItemInput>;
      readonly privacyProtected?: never;
      readonly removeNameServer?: never;
      readonly replaceNameServer?: never;
      readonly setNameServers?: never;
      readonly sync?: never;
      readonly unlock?: never;
    }
  | {
      readonly addNameServer?: never;
      readonly items?: never /** Turns privacy protection on or off. */;
      readonly privacyProtected: boolean;
      readonly removeNameServer?: never;
      readonly replaceNameServer?: never;
      readonly setNameServers?: never;
      readonly sync?: never;
      readonly unlock?: never;
    }
  | {
      readonly addNameServer?: never;
      readonly items?: never;
      readonly privacyProtected?: never /** Removes one name server. */;
      readonly removeNameServer: string;
      readonly replaceNameServer?: never;
      readonly setNameServers?: never;
      readonly sync?: never;
      readonly unlock?: never;
    }
  | {
      readonly addNameServer?: never;
      readonly items?: never;
      readonly privacyProtected?: never;
      readonly removeNameServer?: never /** Replaces one name server, in the domains that have it. The others stay in their order. */;
      readonly replaceNameServer: NameServerReplacementInput;
      readonly setNameServers?: never;
      readonly sync?: never;
      readonly unlock?: never;
    }
  | {
      readonly addNameServer?: never;
      readonly items?: never;
      readonly privacyProtected?: never;
      readonly removeNameServer?: never;
      readonly replaceNameServer?: never /** Replaces all name servers: 1 to 13 host names. Many TLDs require 2. */;
      readonly setNameServers: ReadonlyArray<string>;
      readonly sync?: never;
      readonly unlock?: never;
    }
  | {
      readonly addNameServer?: never;
      readonly items?: never;
      readonly privacyProtected?: never;
      readonly removeNameServer?: never;
      readonly replaceNameServer?: never;
      readonly setNameServers?: never /** True: synchronises the domains with their registries. */;
      readonly sync: boolean;
      readonly unlock?: never;
    }
  | {
      readonly addNameServer?: never;
      readonly items?: never;
      readonly privacyProtected?: never;
      readonly removeNameServer?: never;
      readonly replaceNameServer?: never;
      readonly setNameServers?: never;
      readonly sync?: never /** True: removes the transfer locks. This cannot be undone here. Needs the scope `domains:unlock` as well. */;
      readonly unlock: boolean;
    };

/** A domain with name servers of its own. */
export type BulkChangeItemInput = {
  /** A domain, in any spelling of `DomainName`. */
  readonly domain: string;
  /** The name servers: 1 to 13 host names. Many TLDs require 2. */
  readonly nameServers: ReadonlyArray<string>;
};

/** A name server that another one replaces. */
export type NameServerReplacementInput = {
  /** The host to replace. */
  readonly from: string;
  /** The new host. A domain that has it already loses `from` only. */
  readonly to: string;
};

/** Conditions for events. An event must meet all conditions that are set. */
export type EventFilter = {
  /** Only events found in this span. */
  readonly at?: TimeSpan | null | undefined;
  /** Only events of domains and purchases of this customer. */
  readonly customer?: string | null | undefined;
  /** Only events of this domain. */
  readonly domain?: string | null | undefined;
  /** Only events of domains that meet each of these conditions now; at most 20. */
  readonly labels?: ReadonlyArray<LabelFilter> | null | undefined;
  /** Only events of these kinds. */
  readonly types?: ReadonlyArray<EventType> | null | undefined;
};

/** Domain, contacts, options and limits of a registration. */
export type RegisterDomainInput = {
  /** Whether a premium name may be bought at its premium price. */
  readonly acceptPremium?: boolean;
  /** Administrative, billing and technical contact. Default: the stored default, otherwise the registrant. */
  readonly contact?: ContactChoiceInput | null | undefined;
  /** The customer who gets the domain when the purchase succeeds, in 1 to 64 printable characters. Needs the scope `customers:write`. A caller that is bound to a customer buys for that one. Default: the reseller's own purchase. */
  readonly customer?: string | null | undefined;
  /** The domain to register, in any spelling of `DomainName`. */
  readonly domain: string;
  /** Make all checks and return the quote, but buy nothing. */
  readonly dryRun?: boolean;
  /** Your key for this purchase, 1 to 200 characters. The same key with the same input is always the same purchase, which is sent once. Default: the header `Idempotency-Key`, otherwise a key that the gateway generates. A header with another key is refused. Checks that refuse the purchase do not use the key, for example an empty auth code; a refusal by the registrar does, for example of a wrong one. See `keyUsed`. */
  readonly idempotencyKey?: string | null | undefined;
  /** Highest accepted cost, in the currency of the cost: `quote.cost.highest`. Needs the scope `prices:cost`. */
  readonly maxCost?: MoneyInput | null | undefined;
  /** Highest accepted price, in the currency of the price. The purchase is refused when `quote.highest` is higher or unknown. */
  readonly maxPrice?: MoneyInput | null | undefined;
  /** 1 to 13 host names, in any spelling of `DomainName`; many TLDs require 2. Duplicates are dropped. Default: the stored default; required without one. */
  readonly nameServers?: ReadonlyArray<string> | null | undefined;
  /** Number of years, within the bounds of the TLD. Default: the shortest period that can be bought, as for `DomainAvailability.quote`. */
  readonly period?: number | null | undefined;
  /** Whether privacy protection hides the contacts from the public. Default: the stored default, otherwise false. */
  readonly privacyProtected?: boolean | null | undefined;
  /** The holder of the domain. Default: the stored default; required without one. */
  readonly registrant?: ContactChoiceInput | null | undefined;
  /** Whether to set the transfer lock. Default: the stored default, otherwise true. */
  readonly transferLocked?: boolean | null | undefined;
};

/** Domain, auth code and limits of a transfer into the account. */
export type TransferDomainInput = {
  /** Auth code (EPP code) from the current registrar. A secret. */
  readonly authCode: string;
  /** The customer who gets the domain when the purchase succeeds, in 1 to 64 printable characters. Needs the scope `customers:write`. A caller that is bound to a customer buys for that one. Default: the reseller's own purchase. */
  readonly customer?: string | null | undefined;
  /** The domain to transfer, in any spelling of `DomainName`. */
  readonly domain: string;
  /** Make all checks and return the quote, but buy nothing. */
  readonly dryRun?: boolean;
  /** Your key for this purchase, 1 to 200 characters. The same key with the same input is always the same purchase, which is sent once. Default: the header `Idempotency-Key`, otherwise a key that the gateway generates. A header with another key is refused. Checks that refuse the purchase do not use the key, for example an empty auth code; a refusal by the registrar does, for example of a wrong one. See `keyUsed`. */
  readonly idempotencyKey?: string | null | undefined;
  /** Highest accepted cost, in the currency of the cost: `quote.cost.highest`. Needs the scope `prices:cost`. */
  readonly maxCost?: MoneyInput | null | undefined;
  /** Highest accepted price, in the currency of the price. The purchase is refused when `quote.highest` is higher or unknown. */
  readonly maxPrice?: MoneyInput | null | undefined;
  /** Number of years to pay for: one that the price list has for transfers, or 1 to `maxPeriod` of the TLD. 0 where the list has a price for 0 years. Default: the shortest period that is listed for transfers, or 1. Most registries add one year, whatever the period is. */
  readonly period?: number | null | undefined;
};

/** The lines of an order, their limits, and its key. */
export type PlaceOrderInput = {
  /** Values for registrations that have none of their own. */
  readonly defaults?: OrderDefaultsInput | null | undefined;
  /** Your key for this order, 1 to 194 characters. The same key with the same input is always the same order. An order that is refused does not use its key; see `keyUsed`. */
  readonly idempotencyKey: string;
  /** 1 to 500 purchases, with a name in one line at most. */
  readonly lines: ReadonlyArray<OrderLineInput>;
  /** Highest accepted total, one amount per currency. The order is refused when a total may be higher, or is in another currency. */
  readonly maxTotal?: ReadonlyArray<MoneyInput> | null | undefined;
  /** The same for what the registrar charges. Needs the scope `prices:cost`. */
  readonly maxTotalCost?: ReadonlyArray<MoneyInput> | null | undefined;
  /** With STOP a line that fails a check also refuses the whole order. With CONTINUE that line is stored as FAILED, and so is each line that the balance does not cover, counted from the first line on. */
  readonly onFailure?: OrderOnFailure;
  /** The order waits for its payment, with a total that is frozen until then. Nothing is sent before `confirmPayment`. Required for callers that `PAYMENT_REQUIRED` names. Default: no payment. */
  readonly payment?: OrderPaymentInput | null | undefined;
};

/** The effect of a line that fails on the others. */
export type OrderOnFailure =
  /** The other lines are sent. */
  | 'CONTINUE'
  /** No other line is sent. Lines that are being sent go on. */
  | 'STOP';

/** The terms of an order that is paid before its lines are sent. */
export type OrderPaymentInput = {
  /** Time in which the order must be paid: an ISO 8601 duration from PT5M to PT72H. It begins after the decision about an order that is held for one. */
  readonly expiresAfter: string;
};

/** All name servers of the domain; they replace the present ones. */
export type SetNameServersInput = {
  /** A domain of the account, in any spelling of `DomainName`. */
  readonly domain: string;
  /** 1 to 13 host names, in any spelling of `DomainName`; many TLDs require 2. Duplicates are dropped. */
  readonly nameServers: ReadonlyArray<string>;
};

/** Whether to hide the contacts of a domain from the public. */
export type SetPrivacyProtectionInput = {
  /** A domain of the account, in any spelling of `DomainName`. */
  readonly domain: string;
  /** True turns protection on, false turns it off. */
  readonly privacyProtected: boolean;
  /** A comment for the registrar. */
  readonly reason?: string | null | undefined;
};

/** A change of many domains. Either `names` or `filter` is set, or `items` of the change. */
export type ChangeDomainsInput = {
  /** The change. */
  readonly change: BulkChangeInput;
  /** The number of domains, such as `count` of `previewBulkChange`. With another number the bulk change is refused. */
  readonly expectedCount: number;
  /** The domains that match this filter in the list of domains. Needs the scope `domains:read` as well. It leaves out domains without a row: see `coverage` of `domains`. It is resolved once, when the bulk change is created. */
  readonly filter?: DomainFilter | null | undefined;
  /** Your key for this bulk change, 1 to 200 characters. The same key with the same input is always the same bulk change. */
  readonly idempotencyKey: string;
  /** 1 to 2000 domains, in any spelling of `DomainName`. A domain twice is an error. */
  readonly names?: ReadonlyArray<string> | null | undefined;
};

export type MoneyFragment = { readonly amount: string; readonly currency: string };

export type UserErrorFragment = {
  readonly code: ErrorCode;
  readonly message: string;
  readonly path: ReadonlyArray<string> | null;
  readonly executed: Executed;
  readonly retryable: boolean;
  readonly retryAfterMs: number | null;
  readonly upstreamCode: string | null;
  readonly upstreamMessage: string | null;
};

export type QuoteFragment = {
  readonly period: number;
  readonly certainty: QuoteCertainty;
  readonly reason: string | null;
  readonly lowest: MoneyFragment | null;
  readonly highest: MoneyFragment | null;
  readonly renewalPrice: MoneyFragment | null;
};

export type AvailabilityFragment = {
  readonly name: string;
  readonly unicodeName: string;
  readonly state: AvailabilityState;
  readonly premium: boolean | null;
  readonly reason: string | null;
  readonly retryable: boolean;
  readonly quote: QuoteFragment;
};

export type CheckNamesQueryVariables = Exact<{
  names: ReadonlyArray<string> | string;
}>;

export type CheckNamesQuery = {
  readonly availabilities: ReadonlyArray<AvailabilityFragment> | null;
};

export type SearchNamesQueryVariables = Exact<{
  labels: ReadonlyArray<string> | string;
  tlds?: ReadonlyArray<string> | string | null | undefined;
  first?: number | null | undefined;
  suggestions?: number | null | undefined;
  filter?: DomainSearchFilter | null | undefined;
}>;

export type SearchNamesQuery = {
  readonly searchDomains: ReadonlyArray<{
    readonly position: number;
    readonly suggested: boolean;
    readonly availability: AvailabilityFragment;
  }> | null;
};

export type DomainFragment = {
  readonly id: string;
  readonly name: string;
  readonly unicodeName: string;
  readonly state: DomainState;
  readonly status: string | null;
  readonly registeredAt: string | null;
  readonly expiresAt: string | null;
  readonly remainingDays: number | null;
  readonly nameServers: ReadonlyArray<string> | null;
  readonly transferLocked: boolean | null;
  readonly privacyProtected: boolean | null;
};

export type GetDomainQueryVariables = Exact<{
  name: string;
}>;

export type GetDomainQuery = { readonly domain: DomainFragment | null };

export type ListDomainsQueryVariables = Exact<{
  after?: string | null | undefined;
  filter?: DomainFilter | null | undefined;
  orderBy?: DomainOrder | null | undefined;
}>;

export type ListDomainsQuery = {
  readonly domains: {
    readonly nodes: ReadonlyArray<DomainFragment>;
    readonly pageInfo: { readonly hasNextPage: boolean; readonly endCursor: string | null };
  } | null;
};

export type SetNameServersMutationVariables = Exact<{
  input: SetNameServersInput;
}>;

export type SetNameServersMutation = {
  readonly setNameServers: {
    readonly nameServers: ReadonlyArray<string> | null;
    readonly errors: ReadonlyArray<UserErrorFragment>;
  };
};

export type SetPrivacyProtectionMutationVariables = Exact<{
  input: SetPrivacyProtectionInput;
}>;

export type SetPrivacyProtectionMutation = {
  readonly setPrivacyProtection: {
    readonly privacyProtected: boolean | null;
    readonly errors: ReadonlyArray<UserErrorFragment>;
  };
};

export type ApprovalFragment = {
  readonly id: string;
  readonly state: ApprovalState;
  readonly expiresAt: string;
};

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
  readonly errors: ReadonlyArray<UserErrorFragment>;
  readonly transfer: {
    readonly stage: TransferStage;
    readonly startedAt: string | null;
    readonly expectedBy: string | null;
    readonly endedAt: string | null;
    readonly refunded: boolean | null;
  } | null;
  readonly approval: ApprovalFragment | null;
};

export type GetPurchaseQueryVariables = Exact<{
  by: LookupInput;
}>;

export type GetPurchaseQuery = { readonly purchase: PurchaseFragment | null };

export type RegisterDomainMutationVariables = Exact<{
  input: RegisterDomainInput;
}>;

export type RegisterDomainMutation = {
  readonly registerDomain: {
    readonly replayed: boolean;
    readonly keyUsed: boolean;
    readonly purchase: PurchaseFragment | null;
    readonly quote: QuoteFragment | null;
    readonly errors: ReadonlyArray<UserErrorFragment>;
  };
};

export type TransferDomainMutationVariables = Exact<{
  input: TransferDomainInput;
}>;

export type TransferDomainMutation = {
  readonly transferDomain: {
    readonly replayed: boolean;
    readonly keyUsed: boolean;
    readonly purchase: PurchaseFragment | null;
    readonly quote: QuoteFragment | null;
    readonly errors: ReadonlyArray<UserErrorFragment>;
  };
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
  readonly approval: ApprovalFragment | null;
};

export type OrderLineFragment = {
  readonly position: number;
  readonly domainName: string | null;
  readonly state: OrderLineState;
  readonly purchase: { readonly id: string } | null;
  readonly errors: ReadonlyArray<UserErrorFragment>;
};

export type GetOrderQueryVariables = Exact<{
  by: LookupInput;
}>;

export type GetOrderQuery = {
  readonly order:
    | ({
        readonly quoted: ReadonlyArray<{ readonly price: MoneyFragment | null }>;
        readonly lines: ReadonlyArray<OrderLineFragment>;
      } & OrderFragment)
    | null;
};

export type PlaceOrderMutationVariables = Exact<{
  input: PlaceOrderInput;
}>;

export type PlaceOrderMutation = {
  readonly placeOrder: {
    readonly replayed: boolean;
    readonly keyUsed: boolean;
    readonly order:
      | ({
          readonly quoted: ReadonlyArray<{ readonly price: MoneyFragment | null }>;
        } & OrderFragment)
      | null;
    readonly errors: ReadonlyArray<UserErrorFragment>;
  };
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

export type BulkChangeFragment = {
  readonly id: string;
  readonly key: string;
  readonly state: BulkChangeState;
  readonly createdAt: string;
  readonly finishedAt: string | null;
  readonly progress: {
    readonly waiting: number;
    readonly running: number;
    readonly succeeded: number;
    readonly unchanged: number;
    readonly failed: number;
    readonly unknown: number;
    readonly cancelled: number;
  };
  readonly approval: ApprovalFragment | null;
};

export type BulkChangeItemFragment = {
  readonly domainName: string;
  readonly state: BulkChangeItemState;
  readonly errors: ReadonlyArray<UserErrorFragment>;
};

export type ChangeDomainsMutationVariables = Exact<{
  input: ChangeDomainsInput;
}>;

export type ChangeDomainsMutation = {
  readonly changeDomains: {
    readonly replayed: boolean;
    readonly bulkChange: BulkChangeFragment | null;
    readonly errors: ReadonlyArray<UserErrorFragment>;
  };
};

export type GetBulkChangeQueryVariables = Exact<{
  by: LookupInput;
}>;

export type GetBulkChangeQuery = {
  readonly bulkChange:
    | ({ readonly items: ReadonlyArray<BulkChangeItemFragment> } & BulkChangeFragment)
    | null;
};

export type BulkChangeProgressSubscriptionVariables = Exact<{
  id: string;
}>;

export type BulkChangeProgressSubscription = {
  readonly bulkChangeProgress: {
    readonly bulkChange: BulkChangeFragment;
    readonly changed: ReadonlyArray<BulkChangeItemFragment>;
  };
};

export const checkNames: TypedDocument<CheckNamesQuery, CheckNamesQueryVariables> =
  'fragment Money on Money{amount currency}fragment Quote on Quote{period certainty reason lowest{...Money}highest{...Money}renewalPrice{...Money}}fragment Availability on DomainAvailability{name unicodeName state premium reason retryable quote{...Quote}}query CheckNames($names:[String!]!){availabilities(names:$names){...Availability}}';

export const searchNames: TypedDocument<SearchNamesQuery, SearchNamesQueryVariables> =
  'fragment Money on Money{amount currency}fragment Quote on Quote{period certainty reason lowest{...Money}highest{...Money}renewalPrice{...Money}}fragment Availability on DomainAvailability{name unicodeName state premium reason retryable quote{...Quote}}query SearchNames($labels:[String!]!$tlds:[String!]$first:Int$suggestions:Int$filter:DomainSearchFilter){searchDomains(labels:$labels tlds:$tlds first:$first suggestions:$suggestions filter:$filter){position suggested availability{...Availability}}}';

export const getDomain: TypedDocument<GetDomainQuery, GetDomainQueryVariables> =
  'fragment Domain on Domain{id name unicodeName state status registeredAt expiresAt remainingDays nameServers transferLocked privacyProtected}query GetDomain($name:String!){domain(name:$name){...Domain}}';

export const listDomains: TypedDocument<ListDomainsQuery, ListDomainsQueryVariables> =
  'fragment Domain on Domain{id name unicodeName state status registeredAt expiresAt remainingDays nameServers transferLocked privacyProtected}query ListDomains($after:String$filter:DomainFilter$orderBy:DomainOrder){domains(first:100 after:$after filter:$filter orderBy:$orderBy){nodes{...Domain}pageInfo{hasNextPage endCursor}}}';

export const setNameServers: TypedDocument<
  SetNameServersMutation,
  SetNameServersMutationVariables
> =
  'fragment UserError on UserError{code message path executed retryable retryAfterMs upstreamCode upstreamMessage}mutation SetNameServers($input:SetNameServersInput!){setNameServers(input:$input){nameServers errors{...UserError}}}';

export const setPrivacyProtection: TypedDocument<
  SetPrivacyProtectionMutation,
  SetPrivacyProtectionMutationVariables
> =
  'fragment UserError on UserError{code message path executed retryable retryAfterMs upstreamCode upstreamMessage}mutation SetPrivacyProtection($input:SetPrivacyProtectionInput!){setPrivacyProtection(input:$input){privacyProtected errors{...UserError}}}';

export const getPurchase: TypedDocument<GetPurchaseQuery, GetPurchaseQueryVariables> =
  'fragment Money on Money{amount currency}fragment UserError on UserError{code message path executed retryable retryAfterMs upstreamCode upstreamMessage}fragment Approval on Approval{id state expiresAt}fragment Purchase on Purchase{id kind state key domainName period price{...Money}createdAt submittedAt settledAt nextStep errors{...UserError}transfer{stage startedAt expectedBy endedAt refunded}approval{...Approval}}query GetPurchase($by:LookupInput!){purchase(by:$by){...Purchase}}';

export const registerDomain: TypedDocument<
  RegisterDomainMutation,
  RegisterDomainMutationVariables
> =
  'fragment Money on Money{amount currency}fragment UserError on UserError{code message path executed retryable retryAfterMs upstreamCode upstreamMessage}fragment Quote on Quote{period certainty reason lowest{...Money}highest{...Money}renewalPrice{...Money}}fragment Approval on Approval{id state expiresAt}fragment Purchase on Purchase{id kind state key domainName period price{...Money}createdAt submittedAt settledAt nextStep errors{...UserError}transfer{stage startedAt expectedBy endedAt refunded}approval{...Approval}}mutation RegisterDomain($input:RegisterDomainInput!){registerDomain(input:$input){purchase{...Purchase}quote{...Quote}replayed keyUsed errors{...UserError}}}';

export const transferDomain: TypedDocument<
  TransferDomainMutation,
  TransferDomainMutationVariables
> =
  'fragment Money on Money{amount currency}fragment UserError on UserError{code message path executed retryable retryAfterMs upstreamCode upstreamMessage}fragment Quote on Quote{period certainty reason lowest{...Money}highest{...Money}renewalPrice{...Money}}fragment Approval on Approval{id state expiresAt}fragment Purchase on Purchase{id kind state key domainName period price{...Money}createdAt submittedAt settledAt nextStep errors{...UserError}transfer{stage startedAt expectedBy endedAt refunded}approval{...Approval}}mutation TransferDomain($input:TransferDomainInput!){transferDomain(input:$input){purchase{...Purchase}quote{...Quote}replayed keyUsed errors{...UserError}}}';

export const purchaseSettled: TypedDocument<
  PurchaseSettledSubscription,
  PurchaseSettledSubscriptionVariables
> =
  'fragment Money on Money{amount currency}fragment UserError on UserError{code message path executed retryable retryAfterMs upstreamCode upstreamMessage}fragment Approval on Approval{id state expiresAt}fragment Purchase on Purchase{id kind state key domainName period price{...Money}createdAt submittedAt settledAt nextStep errors{...UserError}transfer{stage startedAt expectedBy endedAt refunded}approval{...Approval}}subscription PurchaseSettled($id:ID!){purchaseSettled(id:$id){...Purchase}}';

export const getOrder: TypedDocument<GetOrderQuery, GetOrderQueryVariables> =
  'fragment Money on Money{amount currency}fragment UserError on UserError{code message path executed retryable retryAfterMs upstreamCode upstreamMessage}fragment Approval on Approval{id state expiresAt}fragment Order on Order{id key state stopReason createdAt finishedAt progress{waiting sending pending inProgress succeeded failed unknown cancelled}approval{...Approval}}fragment OrderLine on OrderLine{position domainName state purchase{id}errors{...UserError}}query GetOrder($by:LookupInput!){order(by:$by){...Order quoted{price{...Money}}lines(first:500){...OrderLine}}}';

export const placeOrder: TypedDocument<PlaceOrderMutation, PlaceOrderMutationVariables> =
  'fragment Money on Money{amount currency}fragment UserError on UserError{code message path executed retryable retryAfterMs upstreamCode upstreamMessage}fragment Approval on Approval{id state expiresAt}fragment Order on Order{id key state stopReason createdAt finishedAt progress{waiting sending pending inProgress succeeded failed unknown cancelled}approval{...Approval}}mutation PlaceOrder($input:PlaceOrderInput!){placeOrder(input:$input){order{...Order quoted{price{...Money}}}replayed keyUsed errors{...UserError}}}';

export const orderProgress: TypedDocument<
  OrderProgressSubscription,
  OrderProgressSubscriptionVariables
> =
  'fragment UserError on UserError{code message path executed retryable retryAfterMs upstreamCode upstreamMessage}fragment Approval on Approval{id state expiresAt}fragment Order on Order{id key state stopReason createdAt finishedAt progress{waiting sending pending inProgress succeeded failed unknown cancelled}approval{...Approval}}fragment OrderLine on OrderLine{position domainName state purchase{id}errors{...UserError}}subscription OrderProgress($id:ID!){orderProgress(id:$id){order{...Order}changed{...OrderLine}}}';

export const newEvents: TypedDocument<NewEventsSubscription, NewEventsSubscriptionVariables> =
  'fragment Money on Money{amount currency}fragment Event on Event{id cursor type foundAt subject domainName purchase{id}source caller before{...ChangedValue}after{...ChangedValue}}fragment ChangedValue on ChangedValue{text status state registeredAt expiresAt transferLocked privacyProtected nameServers days money{...Money}operation period}subscription NewEvents($after:String$filter:EventFilter){events(after:$after filter:$filter){...Event}}';

export const firstEvents: TypedDocument<FirstEventsQuery, FirstEventsQueryVariables> =
  'fragment Money on Money{amount currency}fragment Event on Event{id cursor type foundAt subject domainName purchase{id}source caller before{...ChangedValue}after{...ChangedValue}}fragment ChangedValue on ChangedValue{text status state registeredAt expiresAt transferLocked privacyProtected nameServers days money{...Money}operation period}query FirstEvents($filter:EventFilter){events(first:100 filter:$filter){nodes{...Event}}}';

export const newestEvent: TypedDocument<NewestEventQuery, NewestEventQueryVariables> =
  'query NewestEvent{events(last:1){nodes{cursor}}}';

export const changeDomains: TypedDocument<ChangeDomainsMutation, ChangeDomainsMutationVariables> =
  'fragment UserError on UserError{code message path executed retryable retryAfterMs upstreamCode upstreamMessage}fragment Approval on Approval{id state expiresAt}fragment BulkChange on BulkChange{id key state createdAt finishedAt progress{waiting running succeeded unchanged failed unknown cancelled}approval{...Approval}}mutation ChangeDomains($input:ChangeDomainsInput!){changeDomains(input:$input){bulkChange{...BulkChange}replayed errors{...UserError}}}';

export const getBulkChange: TypedDocument<GetBulkChangeQuery, GetBulkChangeQueryVariables> =
  'fragment UserError on UserError{code message path executed retryable retryAfterMs upstreamCode upstreamMessage}fragment Approval on Approval{id state expiresAt}fragment BulkChange on BulkChange{id key state createdAt finishedAt progress{waiting running succeeded unchanged failed unknown cancelled}approval{...Approval}}fragment BulkChangeItem on BulkChangeItem{domainName state errors{...UserError}}query GetBulkChange($by:LookupInput!){bulkChange(by:$by){...BulkChange items(first:500){...BulkChangeItem}}}';

export const bulkChangeProgress: TypedDocument<
  BulkChangeProgressSubscription,
  BulkChangeProgressSubscriptionVariables
> =
  'fragment UserError on UserError{code message path executed retryable retryAfterMs upstreamCode upstreamMessage}fragment Approval on Approval{id state expiresAt}fragment BulkChange on BulkChange{id key state createdAt finishedAt progress{waiting running succeeded unchanged failed unknown cancelled}approval{...Approval}}fragment BulkChangeItem on BulkChangeItem{domainName state errors{...UserError}}subscription BulkChangeProgress($id:ID!){bulkChangeProgress(id:$id){bulkChange{...BulkChange}changed{...BulkChangeItem}}}';

/** The types of each interface and union of the schema, for `InMemoryCache` of Apollo Client. */
export const possibleTypes: Record<string, string[]> = {
  Node: [
    'Tld',
    'Purchase',
    'Approval',
    'Domain',
    'Order',
    'BulkChange',
    'Contact',
    'ContactProfile',
    'Webhook',
    'CalendarFeed',
    'Reseller',
  ],
  UserError: [
    'ApprovalRequired',
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
  ApprovalSubject: ['BulkChange', 'DomainRead', 'Order', 'Purchase'],
};
