import type { Money } from './money.ts';

/** Whether the upstream may have acted on the call that failed. */
export type Executed = 'NO' | 'YES' | 'UNKNOWN';

/** The closed list of `extensions.code` of a top-level GraphQL error. */
export type TopLevelCode =
  | 'UNAUTHENTICATED'
  | 'FORBIDDEN'
  | 'BAD_USER_INPUT'
  | 'RATE_LIMITED'
  | 'COST_LIMIT_EXCEEDED'
  | 'UPSTREAM_TIMEOUT'
  | 'UPSTREAM_UNAVAILABLE'
  | 'UPSTREAM_PROTOCOL'
  | 'INTERNAL';

interface FaultEntry<Type extends string = string> {
  /** The GraphQL type that shows the fault as data; `schema/user-error.ts` describes it. */
  readonly type: Type;
  /** One sentence for people; a call site may replace it with a more exact one. */
  readonly message: string;
  /** Whether the same request may succeed later. */
  readonly retryable: boolean;
  /** Whether the upstream executed the call, unless the call site knows better. */
  readonly executed: Executed;
  /** The code of a top-level error, which has a closed list. */
  readonly topLevel: TopLevelCode;
}

const refusal = <Type extends string>(
  type: Type,
  message: string,
  retryable = false,
): FaultEntry<Type> => ({ type, message, retryable, executed: 'NO', topLevel: 'BAD_USER_INPUT' });

/** A request that the upstream carried out and that failed later. */
const ended = <Type extends string>(type: Type, message: string): FaultEntry<Type> => ({
  ...refusal(type, message),
  executed: 'YES',
});

const failure = <Type extends string>(
  type: Type,
  topLevel: TopLevelCode,
  message: string,
  facts: Partial<Pick<FaultEntry, 'retryable' | 'executed'>> = {},
): FaultEntry<Type> => ({
  type,
  message,
  retryable: true,
  executed: 'UNKNOWN',
  topLevel,
  ...facts,
});

const notSent = { executed: 'NO' } as const;
const final = { executed: 'NO', retryable: false } as const;

/** Every failure of a request. A code is never reused for something else. */
export const faults = {
  INVALID_INPUT: refusal('InvalidInput', 'This input is not valid.'),
  INVALID_CONTACT: refusal(
    'InvalidInput',
    'The registry does not accept this contact, or it is incomplete.',
  ),
  CONFIRMATION_REQUIRED: refusal(
    'ConfirmationRequired',
    'This cannot be undone; pass `confirm: true` to confirm it.',
  ),
  PERIOD_OUT_OF_RANGE: refusal('PeriodOutOfRange', 'The TLD is not sold for this period.'),
  TLD_UNSUPPORTED: refusal('InvalidInput', 'This TLD is not supported.'),
  IDN_UNSUPPORTED: refusal(
    'InvalidInput',
    'This TLD does not support names with non-ASCII letters.',
  ),
  NOT_AVAILABLE: refusal('DomainNotAvailable', 'This domain is not available for registration.'),
  RESERVED: refusal('DomainNotAvailable', 'The registry has reserved this name.'),
  PREMIUM_NOT_ACCEPTED: refusal(
    'PremiumNotAccepted',
    'This is a premium name; pass `acceptPremium: true` to buy it.',
  ),
  PREMIUM_UNAVAILABLE: refusal('DomainNotAvailable', 'This premium name cannot be registered now.'),
  MAX_PRICE_EXCEEDED: refusal('MaxPriceExceeded', 'The price may be higher than `maxPrice`.'),
  PRICE_UNAVAILABLE: refusal('PriceUnavailable', 'The price is unknown, so nothing was bought.'),
  INSUFFICIENT_FUNDS: refusal(
    'InsufficientFunds',
    'The account balance is lower than the price; top up the account.',
  ),
  SPEND_LIMIT_EXCEEDED: refusal(
    'SpendLimitExceeded',
    'A spend limit of this gateway or of this API key refuses the purchase.',
  ),
  PURCHASES_STOPPED: refusal(
    'PurchasesStopped',
    'The operator has stopped all purchases; reads still work.',
    true,
  ),
  AUTH_CODE_REQUIRED: refusal('InvalidInput', 'A transfer requires the auth code of the domain.'),
  AUTH_CODE_INVALID: refusal(
    'AuthCodeInvalid',
    'The auth code is wrong, or the domain is not registered.',
  ),
  ALREADY_OWNED: refusal('AlreadyOwned', 'The domain is already in this account.'),
  ALREADY_EXISTS: refusal('AlreadyExists', 'The object already exists.'),
  NOT_FOUND: refusal('NotFound', 'The account has no such object.'),
  NOT_OWNED: refusal('NotFound', 'The object belongs to another account.'),
  NOT_ELIGIBLE: refusal('UpstreamRejected', 'The domain is not eligible for this operation now.'),
  NOT_SUPPORTED: refusal('UpstreamRejected', 'The registrar does not support this operation.'),
  LOCKED: refusal('DomainLocked', "The domain's current status does not allow this change."),
  IN_USE: refusal('UpstreamRejected', 'Other objects depend on this object.'),
  POLICY: refusal('UpstreamRejected', 'The policy of the registry refuses this operation.'),
  TRANSFER_PENDING: refusal('TransferPending', 'A transfer of this domain is already in progress.'),
  TRANSFER_REJECTED: ended(
    'UpstreamRejected',
    'The transfer was rejected; resolve the reason with the current registrar, then start a new transfer.',
  ),
  TRANSFER_CANCELLED: ended(
    'UpstreamRejected',
    'The transfer was cancelled; start a new transfer if you still need it.',
  ),
  CONTACT_UNAVAILABLE: refusal(
    'UpstreamRejected',
    'The contact cannot be read or changed now.',
    true,
  ),
  IDEMPOTENCY_CONFLICT: refusal(
    'IdempotencyConflict',
    'This idempotency key or domain belongs to another purchase.',
  ),
  // Also every undocumented upstream code. At the top level it is no fault of the client's input.
  UPSTREAM_REJECTED: {
    ...refusal('UpstreamRejected', 'The registrar refused the request.'),
    topLevel: 'UPSTREAM_PROTOCOL',
  },
  PERSISTED_QUERY_NOT_FOUND: refusal(
    'InvalidInput',
    'No document with this hash is registered; send the text with the hash.',
  ),
  DOCUMENT_NOT_LISTED: refusal(
    'InvalidInput',
    'The manifest of this gateway has no such document.',
  ),
  OUTCOME_UNKNOWN: failure(
    'OutcomeUnknown',
    'UPSTREAM_TIMEOUT',
    'The registrar may or may not have executed the request; do not send it again, read the purchase instead.',
    { retryable: false },
  ),
  JOURNAL_UNAVAILABLE: failure(
    'GatewayUnavailable',
    'INTERNAL',
    'The journal cannot be written, so nothing was bought; reads still work.',
    notSent,
  ),
  RATE_LIMITED: failure(
    'UpstreamUnavailable',
    'RATE_LIMITED',
    'Too many requests; try again later.',
    notSent,
  ),
  OVERLOADED: failure(
    'GatewayUnavailable',
    'RATE_LIMITED',
    'The gateway is overloaded; retry in a few seconds.',
    notSent,
  ),
  COST_LIMIT_EXCEEDED: failure(
    'GatewayUnavailable',
    'COST_LIMIT_EXCEEDED',
    'The cost of this document is above the limit.',
    final,
  ),
  DOCUMENT_TOO_LARGE: failure(
    'GatewayUnavailable',
    'COST_LIMIT_EXCEEDED',
    'This document is larger than a limit; split it into several requests.',
    final,
  ),
  UPSTREAM_TIMEOUT: failure(
    'UpstreamUnavailable',
    'UPSTREAM_TIMEOUT',
    'The registrar did not respond in time.',
  ),
  UPSTREAM_UNAVAILABLE: failure(
    'UpstreamUnavailable',
    'UPSTREAM_UNAVAILABLE',
    'The registrar is not available now.',
  ),
  UPSTREAM_PROTOCOL: failure(
    'UpstreamUnavailable',
    'UPSTREAM_PROTOCOL',
    'The registrar sent a response that the gateway does not expect.',
    { retryable: false },
  ),
  UPSTREAM_AUTH: failure(
    'UpstreamUnavailable',
    'UPSTREAM_UNAVAILABLE',
    "The registrar rejected the gateway's credentials; contact the gateway's operator.",
    final,
  ),
  IP_NOT_ALLOWED: failure(
    'UpstreamUnavailable',
    'UPSTREAM_UNAVAILABLE',
    "The registrar does not accept calls from the gateway's address; contact the gateway's operator.",
    final,
  ),
  UNAUTHENTICATED: failure(
    'NotAuthorized',
    'UNAUTHENTICATED',
    'The request requires a valid credential.',
    final,
  ),
  FORBIDDEN: failure(
    'NotAuthorized',
    'FORBIDDEN',
    'The credential does not allow this request.',
    final,
  ),
  BAD_USER_INPUT: refusal('InvalidInput', 'This request is not valid.'),
  INTERNAL: failure(
    'GatewayUnavailable',
    'INTERNAL',
    'The gateway failed because of an internal error.',
    { retryable: false },
  ),
} as const satisfies Record<string, FaultEntry>;

export type FaultCode = keyof typeof faults;

/** The names of the GraphQL types that implement `UserError`. */
export type ErrorType = (typeof faults)[FaultCode]['type'];

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

/** The fault that was thrown. @throws any other error, which is a bug of the gateway. */
export function asFault(error: unknown): Fault {
  if (error instanceof Fault) return error;
  throw error;
}
