import { z } from 'zod';
import type { Cause } from './cause.ts';
import type { Read } from './wire.ts';

/**
 * A row of an operation table: what a call asks and answers, and no code.
 *
 * A `read` may be joined, cancelled and, where the retry policy lists its name, repeated. A `write` is sent once.
 */
export interface Operation<Request extends z.ZodType, Reply> {
  readonly effect: 'read' | 'write';
  /** What we send, in the upstream's spelling; credentials are not part of it. */
  readonly request: Request;
  /** Ends the wire: decodes a successful body into our spelling. */
  readonly reply: Read<Reply>;
  /** Milliseconds on top of the upstream's deadline that this request may take. */
  extraMs?(request: z.output<Request>): number;
  /** How many names the request asks about, where one call serves many. */
  batch?(request: z.output<Request>): number;
  /** Of a reply that can be as long as the account is large: the list that makes it so, which is read as it arrives. */
  readonly rows?: Rows;
  /** The member of a reply that is an object keyed by what was asked about; it is read as a Map. */
  readonly entriesAt?: string;
  /** Whose time an answer may be kept for; absent where none may be kept. */
  readonly keep?: Keep;
  /** Of a write: the actions whose answers about the same domain, or about the account, may be others afterwards. */
  readonly clears?: readonly string[];
}

/** A list in a reply. `reply` of the operation finds its rows read. */
export interface Rows {
  /** The members that lead to it. */
  readonly at: readonly string[];
  /** One row in our spelling; undefined leaves it out. */
  readonly read: (row: unknown) => unknown;
  /** The members that may be kept of a row. `read` makes of them what it makes of all, but for the secrets. */
  readonly kept: readonly string[];
  /** A longer reply is given up. */
  readonly mostBytes: number;
}

/** Takes the rows of a list as they arrive; the reply then has none. */
export interface RowSink {
  /** A list begins, and what was taken before is void. `read` makes a row of what was kept of it. */
  begin(read: Rows['read']): void;
  /**
   * Takes the next row if it is known by the digest of its bytes, a character for each of 20 bytes; then it is not even
   * parsed.
   */
  takeKnown(digest: string): boolean;
  /** Takes the next row: as it was read, and what may be kept of its JSON. */
  take(row: unknown, kept: unknown, digest: string): Promise<void> | void;
}

/** What is kept for a time of its own. */
export type Keep = 'tlds' | 'domains' | 'availability';

export const operation = <Request extends z.ZodType, Reply>(row: Operation<Request, Reply>) => row;

/** A row of a REST table. `{id}` in `path` is filled from the request; what it does not take goes into the body. */
export interface RestOperation<Request extends z.ZodType, Reply> extends Operation<Request, Reply> {
  readonly method: 'POST' | 'PATCH' | 'DELETE';
  /** Such as `/hosting/group/{id}`. */
  readonly path: string;
  /** Whether the call carries a JSON body. */
  readonly sendsBody: boolean;
}

export const restOperation = <Request extends z.ZodType, Reply>(
  row: RestOperation<Request, Reply>,
) => row;

/** A request without fields. */
export const nothing = z.object({});

/** One attempt at one call, as told to whoever watches the request that caused it. */
export interface UpstreamCall {
  readonly api: 'domain' | 'account';
  /** `getdetails`, or method and path pattern: `POST /carts`. */
  readonly action: string;
  /** 1 for the first; reads may have more. */
  readonly attempt: number;
  readonly durationMs: number;
  /** `OK`, the code of the fault, or `ABORTED` when the caller went away. */
  readonly outcome: string;
  /** Names in a bulk call; absent elsewhere. */
  readonly batch?: number;
  /** True for whoever waited for a call that somebody else had sent. */
  readonly shared?: true;
}

/** An answer that cost no call, because an earlier one was kept. */
export interface KeptAnswer {
  readonly action: string;
  readonly ageMs: number;
  /** So long it serves; none or less when it is stale. */
  readonly leftMs: number;
  /** True when it is older than it should be: it is being asked for anew, or that failed. */
  readonly stale: boolean;
}

export interface CallOptions extends Cause {
  /** The caller's abort. Heeded by reads; a write that has begun goes on. */
  readonly signal?: AbortSignal;
  /** Whole milliseconds that the call may take, where it would have more by itself. */
  readonly withinMs?: number;
  /** Whether a call that is lost is not repeated. One that the upstream throttles still is. */
  readonly once?: boolean;
  /** Whether a bulk check that is lost is halved instead of repeated. */
  readonly mayHalve?: boolean;
  /** Milliseconds more for a reply that keeps coming: one that stands still is given up no later for it. */
  readonly longReplyMs?: number;
  readonly onCall?: (call: UpstreamCall) => void;
  /**
   * Whether a read may be answered by a call that is under way for somebody else, or by an answer that was kept. Without
   * it a read is a call of its own, begun after it was asked for: what decides about money asks so.
   */
  readonly shared?: boolean;
  readonly onKept?: (answer: KeptAnswer) => void;
  /** A read that money waits for: it has places of its own, and asks also where the breaker is open. */
  readonly urgent?: boolean;
  /** Of a read on which a purchase hangs: it is made even when nothing of the budget is left, as a write always is. */
  readonly isOwed?: boolean;
  /** For a reply that is read row by row. */
  readonly rowSink?: RowSink;
  /** Hears the JSON of a reply that could be read, unless it holds the password; not of one that is read row by row. */
  readonly onReply?: (text: string) => void;
}

export type AnyOperation = Operation<z.ZodType, unknown>;
export type AnyRestOperation = RestOperation<z.ZodType, unknown>;

/** A table of rows as a typed client: one function per row. */
export type Client<
  Table extends Record<string, AnyOperation>,
  Options extends CallOptions = CallOptions,
> = {
  readonly [Name in keyof Table]: (
    request: z.input<Table[Name]['request']>,
    options: Options,
  ) => Promise<ReplyOf<Table[Name]>>;
};

type ReplyOf<Row extends AnyOperation> = Row['reply'] extends Read<infer Reply> ? Reply : never;
