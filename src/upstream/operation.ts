import { z } from 'zod';

/**
 * A row of an operation table: what a call asks and answers, and no code.
 *
 * A `read` may be joined, cancelled and, where the retry policy lists its name, repeated. A `write` is sent once.
 */
export interface Operation<Request extends z.ZodType, Reply extends z.ZodType> {
  readonly effect: 'read' | 'write';
  /** What we send, in the upstream's spelling; credentials are not part of it. */
  readonly request: Request;
  /** Ends the wire: decodes a successful body into our spelling. */
  readonly reply: Reply;
  /** Milliseconds on top of the upstream's deadline that this request may take. */
  extraMs?(request: z.output<Request>): number;
  /** How many names the request asks about, where one call serves many. */
  batch?(request: z.output<Request>): number;
}

export const operation = <Request extends z.ZodType, Reply extends z.ZodType>(
  row: Operation<Request, Reply>,
) => row;

/** A row of a REST table. `{id}` in `path` is filled from the request; what it does not take goes into the body. */
export interface RestOperation<Request extends z.ZodType, Reply extends z.ZodType>
  extends Operation<Request, Reply> {
  readonly method: 'POST' | 'PATCH' | 'DELETE';
  /** Such as `/hosting/group/{id}`. */
  readonly path: string;
  /** Whether the call carries a JSON body. */
  readonly sendsBody: boolean;
}

export const restOperation = <Request extends z.ZodType, Reply extends z.ZodType>(
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
}

export interface CallOptions {
  /** The caller's abort. Heeded by reads; a write that has begun goes on. */
  readonly signal?: AbortSignal;
  /** Whole milliseconds that the call may take, where it would have more by itself. */
  readonly withinMs?: number;
  readonly onCall?: (call: UpstreamCall) => void;
}

export type AnyOperation = Operation<z.ZodType, z.ZodType>;
export type AnyRestOperation = RestOperation<z.ZodType, z.ZodType>;

/** A table of rows as a typed client: one function per row. */
export type Client<
  Table extends Record<string, AnyOperation>,
  Options extends CallOptions = CallOptions,
> = {
  readonly [Name in keyof Table]: (
    request: z.input<Table[Name]['request']>,
    options: Options,
  ) => Promise<z.output<Table[Name]['reply']>>;
};
