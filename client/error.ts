/** An error of a GraphQL response. */
export interface ResponseError {
  readonly message: string;
  readonly path?: readonly (string | number)[] | undefined;
  readonly extensions?: Readonly<Record<string, unknown>> | undefined;
}

export interface ClientErrorOptions {
  readonly code: string;
  readonly category?: string | null;
  readonly status?: number | null;
  readonly retryAfterMs?: number | null;
  readonly errors?: readonly ResponseError[];
  readonly data?: unknown;
  readonly cause?: unknown;
}

/** A request that failed, or a response with errors. Errors of mutations that are data are no exceptions. */
export class ClientError extends Error {
  override readonly name = 'ClientError';
  /**
   * The code of the first error, such as `FORBIDDEN`. `NETWORK_ERROR` when there was no response or the connection was lost,
   * and `UNEXPECTED_RESPONSE` when the response was not from a gateway.
   */
  readonly code: string;
  /** `INPUT`, `ACCESS`, `LIMIT`, `UPSTREAM` or `GATEWAY`; null without an error of the gateway. */
  readonly category: string | null;
  /** The HTTP status; null without a response. */
  readonly status: number | null;
  /** How long the gateway requests to wait before the next request, in milliseconds; null when it does not. */
  readonly retryAfterMs: number | null;
  /** The errors of the response, in their order. */
  readonly errors: readonly ResponseError[];
  /** The data of a response with errors, in which the failed fields are null; undefined without data. */
  readonly data: unknown;

  /**
   * The key of the purchase, order or bulk change that was sent; null for any other request. It may have been executed: read it
   * by this key.
   */
  idempotencyKey: string | null = null;

  constructor(message: string, options: ClientErrorOptions) {
    super(message, { cause: options.cause });
    this.code = options.code;
    this.category = options.category ?? null;
    this.status = options.status ?? null;
    this.retryAfterMs = options.retryAfterMs ?? null;
    this.errors = options.errors ?? [];
    this.data = options.data;
  }

  /** Whether the same read may succeed later. Nothing follows from it for a mutation: read its outcome. */
  get isTemporary(): boolean {
    if (this.code === 'NETWORK_ERROR') return true;
    if (this.code === 'UNEXPECTED_RESPONSE') return (this.status ?? 0) >= 500;
    return this.errors[0]?.extensions?.retryable === true;
  }
}
