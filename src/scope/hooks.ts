import type { DomainName } from '../kernel/domain-name.ts';
import type { Money, PricedItem, RetailPrice } from '../kernel/money.ts';
import type { OperationTrail } from '../kernel/recorder.ts';
import { tenantHook } from './tenant.ts';

/** The types of events. Features add their names with `declare module`. */
// biome-ignore lint/suspicious/noEmptyInterface: features add the members
export interface EventTypes {}

export type EventType = keyof EventTypes;

/** The meaning of each type, in the order of the documents. */
export const eventTypeTexts: Record<string, string> = {};

/** Adds the types of a feature. The list of features calls it. */
export const addEventTypes = (rows: Readonly<Record<string, string>>): void =>
  void Object.assign(eventTypeTexts, rows);

/** Whether this gateway or anything else at the upstream caused an event. */
export type EventSource = 'GATEWAY' | 'UPSTREAM';

/** A difference that was found. */
export interface NewEvent {
  /** Unique; the same event is never stored twice. */
  readonly id: string;
  readonly type: EventType;
  /** When the difference was found. */
  readonly at: Date;
  /** For readers: the domain, or another thing that changed, such as a TLD or a currency. */
  readonly subject: string;
  /** Null for an event that is not about a domain. */
  readonly domain: DomainName | null;
  /** The purchase that caused it; null for none. */
  readonly purchaseId: string | null;
  readonly source: EventSource;
  /** The name of the key whose request caused it; null when there is none, and with open access. */
  readonly caller: string | null;
  /** The customer that it is for; null for none. Absent: the customer of the domain when the event is stored. */
  readonly customer?: string | null | undefined;
  /** The value before and after as text; null when there was or is none. */
  readonly before: string | null;
  readonly after: string | null;
}

/** The stored operations of the tenant. By default nothing is stored. */
export const operationTrail = tenantHook<OperationTrail>('operationTrail', () => ({
  begin: async () => () => undefined,
  add: async () => undefined,
  note: () => undefined,
  noteRefused: () => undefined,
  noteLater: () => undefined,
}));

export interface PriceList {
  /** What a customer pays for something with this cost, at a time; a code for why there is no price. */
  retail(item: PricedItem, cost: Money, now: Date): RetailPrice | string;
  /** Whether nothing has a price. */
  readonly isEmpty: boolean;
}

export interface RetailPrices {
  /** The price list in force; null when customers pay the cost. */
  readonly current: () => PriceList | null;
  /** Why only callers who may know costs buy, at cost; null when customers have prices. */
  readonly missing: string | null;
}

/** The prices of a gateway without any. */
export const noPrices = (missing: string): RetailPrices => {
  const list = { retail: () => 'NO_PRICES', isEmpty: true };
  return { current: () => list, missing };
};

export const atCost: RetailPrices = { current: () => null, missing: null };

/** By default costs are the prices, but no cost of a registrar that may be real is shown or sold at. */
export const retailPrices = tenantHook<RetailPrices>('retailPrices', ({ facts }) =>
  facts.mayBeReal
    ? noPrices(
        'This gateway has no prices for customers, so that callers without the scope "prices:cost" see no prices and buy nothing.',
      )
    : atCost,
);
