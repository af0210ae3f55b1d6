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

interface Entry {
  /** One sentence for a person; a call site may replace it with a more exact one. */
  readonly message: string;
  /** Whether the same request may succeed when it is simply sent again later. */
  readonly retryable: boolean;
  /** What is known of the upstream's part when the call site does not say more. */
  readonly executed: Executed;
  /** How the fault is called where only the closed list may appear. */
  readonly topLevel: TopLevelCode;
}

const refusal = (message: string, retryable = false): Entry => ({
  message,
  retryable,
  executed: 'NO',
  topLevel: 'BAD_USER_INPUT',
});

/** What the upstream began and did not bring to its end. */
const ended = (message: string): Entry => ({ ...refusal(message), executed: 'YES' });

const failure = (topLevel: TopLevelCode, message: string, facts: Partial<Entry> = {}): Entry => ({
  message,
  retryable: true,
  executed: 'UNKNOWN',
  topLevel,
  ...facts,
});

const notSent = { executed: 'NO' } as const;
const final = { executed: 'NO', retryable: false } as const;

/** Every way a request can end badly. A code is never reused for something else. */
export const faults = {
  INVALID_INPUT: refusal('This input is not valid.'),
  INVALID_CONTACT: refusal('The registry does not accept this contact, or it is incomplete.'),
  CONFIRMATION_REQUIRED: refusal('This cannot be undone; pass `confirm: true` to do it.'),
  PERIOD_OUT_OF_RANGE: refusal('The TLD is not sold for this period.'),
  TLD_UNSUPPORTED: refusal('This TLD is not sold here.'),
  IDN_UNSUPPORTED: refusal('This TLD takes no names with non-ASCII letters.'),
  NOT_AVAILABLE: refusal('This domain is not available for registration.'),
  RESERVED: refusal('The registry has reserved this name.'),
  PREMIUM_NOT_ACCEPTED: refusal('This is a premium name; pass `acceptPremium: true` to buy it.'),
  PREMIUM_UNAVAILABLE: refusal('This premium name cannot be registered at present.'),
  MAX_PRICE_EXCEEDED: refusal('The price may be higher than `maxPrice`.'),
  PRICE_UNAVAILABLE: refusal('The price of this is not known, so nothing was bought.'),
  INSUFFICIENT_FUNDS: refusal('The account balance does not cover the price; top it up.'),
  SPEND_LIMIT_EXCEEDED: refusal('A spend limit of this gateway or of this key forbids it.'),
  PURCHASES_STOPPED: refusal('The operator has stopped all purchases; reads still work.', true),
  AUTH_CODE_REQUIRED: refusal('A transfer needs the auth code of the domain.'),
  AUTH_CODE_INVALID: refusal('The auth code is wrong, or the domain is not registered.'),
  ALREADY_OWNED: refusal('The domain is already in this account.'),
  ALREADY_EXISTS: refusal('This already exists.'),
  NOT_FOUND: refusal('There is no such object in this account.'),
  NOT_OWNED: refusal('The object belongs to another account.'),
  NOT_ELIGIBLE: refusal('The domain is not eligible for this now.'),
  NOT_SUPPORTED: refusal('The service does not support this.'),
  LOCKED: refusal("The domain's current status does not allow this change."),
  IN_USE: refusal('Other objects still depend on it.'),
  POLICY: refusal('The registry refuses this by policy.'),
  TRANSFER_PENDING: refusal('A transfer of this domain is already in progress.'),
  TRANSFER_REJECTED: ended(
    'The transfer was rejected; clear the reason with the current registrar, then start a new one.',
  ),
  TRANSFER_CANCELLED: ended('The transfer was cancelled; start a new one if it is still wanted.'),
  CONTACT_UNAVAILABLE: refusal('The contact cannot be read or changed at present.', true),
  IDEMPOTENCY_CONFLICT: refusal('This key or domain belongs to another purchase.'),
  // Also every code that nothing describes: of a read it is no fault of the client's input.
  UPSTREAM_REJECTED: {
    ...refusal('The service refused the request.'),
    topLevel: 'UPSTREAM_PROTOCOL',
  },
  PERSISTED_QUERY_NOT_FOUND: refusal('No document is known by this hash; send its text along.'),
  DOCUMENT_NOT_LISTED: refusal('The manifest of this gateway has no such document.'),
  OUTCOME_UNKNOWN: failure(
    'UPSTREAM_TIMEOUT',
    'The service may or may not have acted; do not send it again, read the purchase instead.',
    { retryable: false },
  ),
  JOURNAL_UNAVAILABLE: failure(
    'INTERNAL',
    'The journal cannot be written, so nothing was bought; reads still work.',
    notSent,
  ),
  RATE_LIMITED: failure('RATE_LIMITED', 'Too many requests; try again later.', notSent),
  OVERLOADED: failure(
    'RATE_LIMITED',
    'The gateway has more to do than it can do in time; try again in a moment.',
    notSent,
  ),
  COST_LIMIT_EXCEEDED: failure('COST_LIMIT_EXCEEDED', 'This document costs too much.', final),
  DOCUMENT_TOO_LARGE: failure(
    'COST_LIMIT_EXCEEDED',
    'This document is larger than a limit; ask for it in several requests.',
    final,
  ),
  UPSTREAM_TIMEOUT: failure('UPSTREAM_TIMEOUT', 'The service did not answer in time.'),
  UPSTREAM_UNAVAILABLE: failure('UPSTREAM_UNAVAILABLE', 'The service is not available now.'),
  UPSTREAM_PROTOCOL: failure(
    'UPSTREAM_PROTOCOL',
    'The service answered something that cannot be understood.',
    { retryable: false },
  ),
  UPSTREAM_AUTH: failure(
    'UPSTREAM_UNAVAILABLE',
    "The upstream rejected the gateway's credentials; ask the gateway's operator.",
    final,
  ),
  IP_NOT_ALLOWED: failure(
    'UPSTREAM_UNAVAILABLE',
    "The upstream does not accept calls from the gateway's address; ask the gateway's operator.",
    final,
  ),
  UNAUTHENTICATED: failure('UNAUTHENTICATED', 'A valid credential is needed for this.', final),
  FORBIDDEN: failure('FORBIDDEN', 'This credential does not allow that.', final),
  BAD_USER_INPUT: refusal('This request is not valid.'),
  INTERNAL: failure('INTERNAL', 'Something went wrong in the gateway.', { retryable: false }),
} as const satisfies Record<string, Entry>;

export type FaultCode = keyof typeof faults;

/** The limits that a purchase may break. */
export type LimitName = 'PER_CALL' | 'PER_DAY' | 'PER_HOUR' | 'TLDS' | 'LONGEST_PERIOD';

/** What a fault may add to its sentence; each error type of the graph shows its own share. */
export interface FaultFacts {
  readonly minimum?: number;
  readonly maximum?: number;
  readonly asked?: number;
  /** Money facts are `{ amount, currency }` as in `kernel/money.ts`. */
  readonly required?: FaultMoney;
  readonly available?: FaultMoney;
  readonly maxPrice?: FaultMoney;
  readonly lowest?: FaultMoney;
  readonly highest?: FaultMoney;
  readonly price?: FaultMoney;
  readonly purchaseId?: string;
  readonly limit?: LimitName;
  /** Whose limit it is. */
  readonly scope?: 'GATEWAY' | 'KEY';
  readonly allowed?: FaultMoney;
  readonly spent?: FaultMoney;
  readonly allowedCount?: number;
  readonly count?: number;
  readonly allowedTlds?: readonly string[];
  readonly allowedPeriod?: number;
  /** Since when and why purchases are stopped. */
  readonly since?: Date;
  readonly reason?: string;
  /** The raw status of a domain, where it is what prevents a change. */
  readonly status?: string;
  /** How long the upstream asked us to wait, in milliseconds. */
  readonly retryAfterMs?: number;
}

/** Structural, so that this file imports nothing; `kernel/money.ts` is the real type. */
export interface FaultMoney {
  readonly amount: { toString(): string };
  readonly currency: string;
}

export interface FaultOptions {
  readonly message?: string;
  readonly facts?: FaultFacts;
  readonly executed?: Executed;
  readonly retryable?: boolean;
  /** Where in the caller's arguments the fault lies, such as `['input', 'period']`. */
  readonly path?: readonly string[];
  /** The upstream's own error code and its cleaned message: all of a reply that may reach a client. */
  readonly upstream?: { readonly code: string; readonly message: string };
}

/** A failure that the table knows. Anything else that is thrown is a bug of ours. */
export class Fault extends Error {
  override readonly name = 'Fault';
  readonly code: FaultCode;
  readonly facts: FaultFacts;
  readonly executed: Executed;
  readonly retryable: boolean;
  /** Not `path`: GraphQL takes an error that has one for located already, and then tells neither place nor path. */
  readonly inputPath: readonly string[];
  readonly upstream: FaultOptions['upstream'];

  constructor(code: FaultCode, options: FaultOptions = {}) {
    super(options.message ?? faults[code].message);
    this.code = code;
    this.facts = options.facts ?? {};
    this.executed = options.executed ?? faults[code].executed;
    this.retryable = options.retryable ?? faults[code].retryable;
    this.inputPath = options.path ?? [];
    this.upstream = options.upstream;
  }

  /** The same fault, told of another place or with other certainty. */
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
