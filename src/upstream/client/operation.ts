import { z } from 'zod';
import { Fault } from '../../kernel/faults.ts';
import type { CallBudget } from '../../kernel/upstream-calls.ts';
import type { Members, Read } from '../wire/read.ts';
import type { RowSink, Rows } from '../wire/row-reader.ts';

/**
 * A row of an operation table. It is data: its functions are decoders from other files.
 *
 * A `read` may be shared, cancelled and retried. A `write` is sent once.
 */
export interface Operation {
  readonly effect: 'read' | 'write';
  /** The request in the upstream's spelling, without credentials. */
  readonly request: z.ZodObject;
  /** Decodes a successful body into the gateway's spelling. A fault never shows anything of the body. */
  readonly reply: Read<unknown>;
  /** For a call about a list of items: the member that holds them, and the milliseconds that each adds to the deadline. */
  readonly batch?: { readonly member: string; readonly extraMsPerItem: number };
  /** The member of a reply that is an object of many names: `reply` may find it as a Map. */
  readonly replyMap?: string;
  /** The list in a reply that grows with the account; its rows are read as they arrive. */
  readonly rows?: Rows;
  /** The cache of the replies, with a maximum age of its own; absent for replies that are not cached by request. */
  readonly cacheAs?: 'tlds' | 'domains';
  /** Of a write: the reads that it invalidates, about the same domain and about the account. */
  readonly invalidates?: readonly string[];
}

/** A row of a REST table. `{id}` in `path` is filled from the request; the other members form the body. */
export interface RestOperation extends Operation {
  readonly method: 'POST' | 'PATCH' | 'DELETE';
  /** Such as `/hosting/group/{id}`. */
  readonly path: string;
  /** Whether the account may lack what the call is about, so that 404 means this. Elsewhere 404 means a wrong address. */
  readonly hasObject?: true;
}

/** A request without fields, for which a REST call has no body. */
export const nothing = z.object({});

/** One attempt at one call, as reported to the request that caused it. */
export interface UpstreamCall {
  readonly api: 'domain' | 'account';
  /** `getdetails`, or method and path pattern: `POST /carts`. */
  readonly action: string;
  /** 1 for the first; reads may have more. */
  readonly attempt: number;
  readonly durationMs: number;
  /** `OK`, the code of the fault, or `ABORTED` when the client disconnected. */
  readonly outcome: string;
  /** Names in a bulk call; absent elsewhere. */
  readonly batch?: number;
  /** True when another request had sent the call. */
  readonly shared?: true;
}

/** A read that was served from the cache. */
export interface CachedRead {
  readonly action: string;
  readonly ageMs: number;
  /** Milliseconds until it is stale; 0 or less when it is. */
  readonly leftMs: number;
  /** True when it is older than its maximum age: a refresh is in progress, or has failed. */
  readonly stale: boolean;
}

/** The GraphQL request that caused a call; for a shared call, the first of its requests. */
export interface RequestContext {
  readonly requestId?: string | undefined;
  /** Opaque value of the call observer, such as a span. */
  readonly trace?: unknown;
  /** Upstream calls that the request may still cause. A call is deducted before it begins; absent means unlimited. */
  readonly budget?: CallBudget | undefined;
}

export const requestContextOf = ({ requestId, trace, budget }: RequestContext): RequestContext => ({
  requestId,
  trace,
  budget,
});

export interface CallOptions extends RequestContext {
  /** The client's abort. It cancels reads; a write that has begun goes on. */
  readonly signal?: AbortSignal;
  /** A deadline in whole milliseconds, if it is shorter than the usual one. */
  readonly withinMs?: number;
  /** Disables retries of lost calls. Other rejections that may pass are retried. */
  readonly once?: boolean;
  /** Whether a failed bulk check is halved instead of retried. */
  readonly mayHalve?: boolean;
  /** Milliseconds on top of the deadline for a reply that arrives continuously; an idle socket still times out. */
  readonly longReplyMs?: number;
  readonly onCall?: (call: UpstreamCall) => void;
  /**
   * Whether a read may join an identical call in flight or use the cache. Without it the read is a call of its own, as every
   * decision about money requires.
   */
  readonly shared?: boolean;
  /** Whether a check of names that waits for a slot may be part of a batch with other requests, without the cache. */
  readonly joins?: boolean;
  readonly onCachedRead?: (read: CachedRead) => void;
  /**
   * A read that verifies a write or settles a purchase. It uses reserved slots and passes an open circuit breaker. A write is always urgent, but no write passes an open breaker.
   */
  readonly urgent?: boolean;
  /** Whether the read is made even when the call budget of the request is used up, as a write always is. */
  readonly bypassesBudget?: boolean;
  /** Receives the rows of a reply that is read row by row. */
  readonly rowSink?: RowSink;
}

/** A table of rows as a typed client: one function per row. */
export type Client<
  Table extends Record<string, Operation>,
  Options extends CallOptions = CallOptions,
> = {
  readonly [Name in keyof Table]: (
    request: z.input<Table[Name]['request']>,
    options: Options,
  ) => Promise<ReplyOf<Table[Name]>>;
};

/** Builds the function of each row. It has the types of its row, which `Object.fromEntries` cannot express. */
export const clientOf = <
  Table extends Record<string, Operation>,
  Options extends CallOptions = CallOptions,
>(
  table: Table,
  functionOf: (
    name: keyof Table & string,
    row: Table[keyof Table],
  ) => (request: object, options: Options) => Promise<unknown>,
): Client<Table, Options> =>
  Object.fromEntries<unknown>(
    Object.keys(table).map((name) => [name, functionOf(name, table[name] as never)]),
  ) as Client<Table, Options>;

type ReplyOf<Row extends Operation> = Row['reply'] extends Read<infer Reply> ? Reply : never;

/**
 * Checks a request against its row.
 *
 * @throws Fault `INTERNAL` on a mismatch, which is a bug of the gateway; nothing was sent.
 */
export function checkRequest(schema: z.ZodObject, request: object, action: string): Members {
  const result = schema.safeParse(request);
  if (result.success) return result.data;
  const where = result.error.issues.map(({ path }) => path.join('.')).join(', ');
  const cause = `The request of ${action} does not fit its row at: ${where}`;
  throw Object.assign(new Fault('INTERNAL', { executed: 'NO' }), { cause });
}
