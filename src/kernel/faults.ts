import { quoted } from '../lib/text.ts';
import { Decimal, type Money } from './money.ts';

/** Whether the upstream may have acted on the call that failed. */
export type Executed = 'NO' | 'YES' | 'UNKNOWN';

/** The coarse class of a fault: who can do something about it. */
export type Category = 'INPUT' | 'ACCESS' | 'LIMIT' | 'UPSTREAM' | 'GATEWAY';

/** The GraphQL types that show faults of the core as data. A fault without facts of its own is a `PlainError`. */
export type CoreErrorType =
  | 'PlainError'
  | 'DomainLocked'
  | 'IdempotencyConflict'
  | 'InsufficientFunds'
  | 'MaxPriceExceeded'
  | 'OutcomeUnknown'
  | 'PeriodOutOfRange'
  | 'PremiumNotAccepted'
  | 'PurchasesStopped'
  | 'SpendLimitExceeded';

/** The error types of features, which add their names with `declare module`. */
// biome-ignore lint/suspicious/noEmptyInterface: features add the members
export interface FeatureErrorTypes {}

export interface FaultEntry {
  readonly category: Category;
  /** One sentence for people; a call site may replace it with a more exact one. */
  readonly message: string;
  /** Whether the same request may succeed later. */
  readonly retryable: boolean;
  /** Whether the upstream executed the call, unless the call site knows better. */
  readonly executed: Executed;
  readonly type: CoreErrorType | keyof FeatureErrorTypes;
  /** Whether its messages may have a raw status of the registrar, or the reason of a person. */
  readonly hasOtherText?: true;
}

type Facts = Partial<Omit<FaultEntry, 'message'>>;

export const refusal = (message: string, facts: Facts = {}): FaultEntry => ({
  category: 'INPUT',
  message,
  retryable: false,
  executed: 'NO',
  type: 'PlainError',
  ...facts,
});

/** A refusal that no other value of the input avoids. */
const limit = (message: string, facts: Facts = {}): FaultEntry =>
  refusal(message, { category: 'LIMIT', ...facts });

/** A request that the upstream carried out and that failed later. */
const ended = (message: string): FaultEntry => refusal(message, { executed: 'YES' });

const failure = (message: string, facts: Facts = {}): FaultEntry =>
  refusal(message, { category: 'UPSTREAM', retryable: true, executed: 'UNKNOWN', ...facts });

const later = { retryable: true } as const;
const final = { executed: 'NO', retryable: false } as const;

const coreFaults = {
  // The document does not fit the schema, or the HTTP request the protocol.
  INVALID_REQUEST: refusal('This request is not valid.'),
  INVALID_INPUT: refusal('This input is not valid.'),
  INVALID_CONTACT: refusal('The registry does not accept this contact, or it is incomplete.'),
  CONFIRMATION_REQUIRED: refusal('This cannot be undone; pass `confirm: true` to confirm it.'),
  PERIOD_OUT_OF_RANGE: refusal('The TLD is not sold for this period.', {
    type: 'PeriodOutOfRange',
  }),
  TLD_UNSUPPORTED: refusal('This TLD is not supported.'),
  IDN_UNSUPPORTED: refusal('This TLD does not support names with non-ASCII letters.'),
  NOT_AVAILABLE: refusal('This domain is not available for registration.'),
  RESERVED: refusal('The registry has reserved this name.'),
  PREMIUM_NOT_ACCEPTED: refusal('This is a premium name; pass `acceptPremium: true` to buy it.', {
    type: 'PremiumNotAccepted',
  }),
  PREMIUM_UNAVAILABLE: refusal('This premium name cannot be registered now.'),
  MAX_PRICE_EXCEEDED: refusal('The price may be higher than `maxPrice`.', {
    type: 'MaxPriceExceeded',
  }),
  PRICE_UNAVAILABLE: refusal('The price is unknown, so nothing was bought.'),
  INSUFFICIENT_FUNDS: limit('The account balance is lower than the price; top up the account.', {
    type: 'InsufficientFunds',
  }),
  SPEND_LIMIT_EXCEEDED: limit(
    'A spend limit of this gateway or of this API key refuses the purchase.',
    { type: 'SpendLimitExceeded' },
  ),
  PURCHASES_STOPPED: limit('The operator has stopped all purchases; reads still work.', {
    type: 'PurchasesStopped',
    hasOtherText: true,
    ...later,
  }),
  AUTH_CODE_REQUIRED: refusal('A transfer requires the auth code of the domain.'),
  AUTH_CODE_INVALID: refusal('The auth code is wrong, or the domain is not registered.'),
  ALREADY_OWNED: refusal('The domain is already in this account.'),
  ALREADY_EXISTS: refusal('The object already exists.'),
  NOT_FOUND: refusal('The account has no such object.'),
  NOT_OWNED: refusal('The object belongs to another account.'),
  NOT_ELIGIBLE: refusal('The domain is not eligible for this operation now.'),
  NOT_SUPPORTED: refusal('The registrar does not support this operation.'),
  LOCKED: refusal("The domain's current status does not allow this change.", {
    type: 'DomainLocked',
    hasOtherText: true,
  }),
  IN_USE: refusal('Other objects depend on this object.'),
  POLICY: refusal('The policy of the registry refuses this operation.'),
  TRANSFER_PENDING: refusal('A transfer of this domain is already in progress.'),
  TRANSFER_REJECTED: ended(
    'The transfer was rejected; resolve the reason with the current registrar, then start a new transfer.',
  ),
  TRANSFER_CANCELLED: ended(
    'The transfer was cancelled; start a new transfer if you still need it.',
  ),
  CONTACT_UNAVAILABLE: failure('The contact cannot be read or changed now.', { executed: 'NO' }),
  IDEMPOTENCY_CONFLICT: refusal('This idempotency key or domain belongs to another purchase.', {
    type: 'IdempotencyConflict',
  }),
  // Also every unlisted upstream code, which shows nothing about the input.
  UPSTREAM_REJECTED: failure('The registrar refused the request.', final),
  PERSISTED_QUERY_NOT_FOUND: refusal(
    'No document with this hash is registered; send the text with the hash.',
  ),
  DOCUMENT_NOT_LISTED: refusal('The manifest of this gateway has no such document.'),
  OUTCOME_UNKNOWN: failure(
    'The registrar may or may not have executed the request; do not send it again, read the purchase instead.',
    { type: 'OutcomeUnknown', retryable: false },
  ),
  JOURNAL_UNAVAILABLE: refusal(
    'The journal cannot be written, so nothing was sent; reads still work.',
    { category: 'GATEWAY', ...later },
  ),
  RATE_LIMITED: limit('Too many requests; try again later.', later),
  OVERLOADED: limit('The gateway is overloaded; retry in a few seconds.', later),
  COST_LIMIT_EXCEEDED: limit('The cost of this document is above the limit.'),
  DOCUMENT_TOO_LARGE: limit(
    'This document is larger than a limit; split it into several requests.',
  ),
  UPSTREAM_TIMEOUT: failure('The registrar did not respond in time.'),
  UPSTREAM_UNAVAILABLE: failure('The registrar is not available now.'),
  UPSTREAM_PROTOCOL: failure('The registrar sent a response that the gateway does not expect.', {
    retryable: false,
  }),
  UPSTREAM_AUTH: failure(
    "The registrar rejected the gateway's credentials; contact the gateway's operator.",
    final,
  ),
  IP_NOT_ALLOWED: failure(
    "The registrar does not accept calls from the gateway's address; contact the gateway's operator.",
    final,
  ),
  UNAUTHENTICATED: refusal('The request requires a valid credential.', { category: 'ACCESS' }),
  FORBIDDEN: refusal('The credential does not allow this request.', { category: 'ACCESS' }),
  INTERNAL: refusal('The gateway failed because of an internal error.', {
    category: 'GATEWAY',
    executed: 'UNKNOWN',
  }),
} satisfies Record<string, FaultEntry>;

/** The error codes of features, which add their names with `declare module`. */
// biome-ignore lint/suspicious/noEmptyInterface: features add the members
export interface FeatureFaults {}

export type FaultCode = keyof typeof coreFaults | keyof FeatureFaults;

/** Every failure of a request. A code is never reused for something else. */
export const faults = coreFaults as Record<FaultCode, FaultEntry>;

/** Adds the error codes of a feature. The list of features calls it. */
export const addFaults = (rows: Readonly<Record<string, FaultEntry>>): void =>
  void Object.assign(faults, rows);

/** The limits that a purchase may exceed. */
export type LimitName = 'PER_CALL' | 'PER_DAY' | 'PER_HOUR' | 'TLDS' | 'LONGEST_PERIOD';

/** Structured data of a fault; each error type of the graph has fields for its own part. */
export interface FaultFacts {
  readonly minimum?: number;
  readonly maximum?: number;
  readonly required?: Money;
  readonly available?: Money;
  readonly maxPrice?: Money;
  readonly lowest?: Money;
  readonly highest?: Money;
  readonly price?: Money;
  readonly purchaseId?: string;
  /** More extensions of an error of the response. */
  readonly extensions?: Readonly<Record<string, string>>;
  readonly limit?: LimitName;
  /** The scope of the limit. */
  readonly scope?: 'GATEWAY' | 'KEY';
  readonly allowed?: Money;
  readonly spent?: Money;
  readonly allowedCount?: number;
  readonly count?: number;
  readonly allowedTlds?: readonly string[];
  readonly allowedPeriod?: number;
  /** Start and reason of a stop of all purchases. */
  readonly since?: Date;
  readonly reason?: string;
  /** The raw domain status that prevents a change. */
  readonly status?: string;
  /** Milliseconds from the upstream's Retry-After. */
  readonly retryAfterMs?: number;
}

export interface FaultOptions {
  readonly message?: string;
  readonly facts?: FaultFacts;
  readonly executed?: Executed;
  readonly retryable?: boolean;
  /** The argument that caused the fault, such as `['input', 'period']`. */
  readonly path?: readonly string[];
  /** The upstream's own error code and its cleaned message: all of a reply that may reach a client. */
  readonly upstream?: { readonly code: string; readonly message: string };
}

/** A failure of the table. Any other thrown error is a bug of the gateway. */
export class Fault extends Error {
  override readonly name = 'Fault';
  readonly code: FaultCode;
  readonly facts: FaultFacts;
  readonly executed: Executed;
  readonly retryable: boolean;
  /** Not named `path`: GraphQL treats an error with `path` as located, and then adds neither location nor path. */
  readonly inputPath: readonly string[];
  readonly upstream: FaultOptions['upstream'];

  constructor(code: FaultCode, options: FaultOptions = {}) {
    // The same as `withoutStack`, which cannot wrap a call of `super`.
    const { stackTraceLimit } = Error;
    Error.stackTraceLimit = 0;
    super(options.message ?? faults[code].message);
    Error.stackTraceLimit = stackTraceLimit;
    this.code = code;
    this.facts = options.facts ?? {};
    this.executed = options.executed ?? faults[code].executed;
    this.retryable = options.retryable ?? faults[code].retryable;
    this.inputPath = options.path ?? [];
    this.upstream = options.upstream;
  }

  /** A copy of the fault with some members changed. */
  with(changes: FaultOptions): Fault {
    return new Fault(this.code, {
      message: this.message,
      facts: this.facts,
      executed: this.executed,
      retryable: this.retryable,
      path: this.inputPath,
      ...(this.upstream && { upstream: this.upstream }),
      ...changes,
    });
  }
}

/**
 * Whether the upstream refused a write with a code of no known meaning. Unlike a lost reply it is an answer, and unlike a listed
 * refusal a read must show that nothing was done.
 */
export const isUnlistedRefusal = ({
  code,
  executed,
  upstream,
}: Pick<Fault, 'code' | 'executed'> & { readonly upstream?: object | null | undefined }): boolean =>
  code === 'UPSTREAM_REJECTED' && executed === 'UNKNOWN' && Boolean(upstream);

/** The fault of a value that a client sent. */
export const invalidInput = (message: string, options: Omit<FaultOptions, 'message'> = {}): Fault =>
  new Fault('INVALID_INPUT', { message, ...options });

/** The number in an argument. @throws Fault `INVALID_INPUT` when it is out of its bounds */
export function withinRange(name: string, value: number, minimum: number, maximum: number): number {
  if (value >= minimum && value <= maximum) return value;
  throw invalidInput(`"${name}" must be from ${minimum} to ${maximum}; it is ${value}.`, {
    path: [name],
    facts: { minimum, maximum },
  });
}

/** The fault that was thrown. @throws any other error, which is a bug of the gateway. */
export function asFault(error: unknown): Fault {
  if (error instanceof Fault) return error;
  throw error;
}

/** One field of a decoded upstream reply: its value, or the fault of reading it. One bad value costs its own field only. */
export type FieldResult<T> = T | Fault;

/** Returns the value. @throws Fault the fault of the field; GraphQL then reports it at that field. */
export function unwrap<T>(result: FieldResult<T>): T {
  if (result instanceof Fault) throw result;
  return result;
}

/** Returns the value, or `fallback` where the field has a fault. */
export const valueOr = <T, U>(result: FieldResult<T>, fallback: U): T | U =>
  result instanceof Fault ? fallback : result;

/** Replaces a secret in a cached reply: the field must be read from the upstream, and reading it here throws. */
export const notCached = new Fault('INTERNAL', { executed: 'NO' });

/** A decimal that a client sent. @throws Fault `INVALID_INPUT` for text that is no decimal. */
export function parseDecimal(text: string): Decimal {
  const decimal = Decimal.tryParse(text);
  if (decimal) return decimal;
  throw invalidInput(`${quoted(text)} is not a decimal number such as "11.2900".`);
}
