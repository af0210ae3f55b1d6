import { destination, pino } from 'pino';
import type { Clock } from '../lib/clock.ts';
import { withTimeout } from '../lib/waits.ts';

/** Bytes that may wait for the reader of standard error: about 3,500 log lines. */
const maxBufferedBytes = 1024 * 1024;

/**
 * Lines to a file descriptor. `write` never waits for the reader, whether that is a pipe, a terminal or a file: lines
 * are buffered up to a bound, and what does not fit is dropped and counted.
 */
export class LineStream {
  readonly #stream: ReturnType<typeof destination>;
  #dropped = 0;

  constructor(fd: number) {
    // A line is written immediately unless an earlier write is in progress. A `minLength` of 0 would disable `flush`.
    this.#stream = destination({ fd, sync: false, minLength: 1, maxLength: maxBufferedBytes });
    this.#stream.on('drop', () => {
      this.#dropped += 1;
    });
    // Without a listener a full disk or a closed pipe would end the process. The next write tries again.
    this.#stream.on('error', () => undefined);
  }

  write(line: string): void {
    this.#stream.write(line);
  }

  /** Lines that did not fit into the buffer since the process started. */
  droppedLines(): number {
    return this.#dropped;
  }

  /** Calls `report` with the number of lines dropped since the last report, each time the buffer is empty again. */
  onRecovery(report: (count: number) => void): void {
    let reported = 0;
    this.#stream.on('drain', () => {
      const count = this.#dropped - reported;
      reported = this.#dropped;
      if (count > 0) report(count);
    });
  }

  /** Writes the buffered lines, for up to `limitMs`, and discards the rest: pino would block the exit until it is written. */
  async end(clock: Pick<Clock, 'deadline'>, limitMs: number): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#stream.flush(() => resolve());
    await withTimeout(clock, limitMs, promise, undefined);
    this.#stream.destroy();
  }
}

/** Standard error of this process. */
export const standardError = new LineStream(2);

export type LogLevel = 'fatal' | 'error' | 'warn' | 'info' | 'debug' | 'trace' | 'silent';

interface FieldTypes {
  text: string;
  textOrNull: string | null;
  texts: readonly string[];
  number: number;
  boolean: boolean;
}

/** Every field of a log line. Bodies, variables, headers and personal data have no field, so they cannot be logged. */
const fieldTypes = {
  requestId: 'text',
  /** Of the trace that the request belongs to, where traces are on. */
  traceId: 'text',
  /** The name of the key or token. */
  caller: 'textOrNull',
  tenant: 'text',
  /** A recorded operation, and the object that it changed. */
  audit: 'text',
  subject: 'textOrNull',
  code: 'text',
  /** The codes of the errors in a response, each once. */
  codes: 'texts',
  /** Which upstream API. */
  api: 'text',
  action: 'text',
  attempt: 'number',
  /** Number of names in a bulk call. */
  batch: 'number',
  durationMs: 'number',
  outcome: 'text',
  /** The code of the upstream's error body, where it has the form of a code. */
  upstreamCode: 'text',
  url: 'text',
  count: 'number',
  /** Why a part of the gateway is not available: a sentence without secrets. */
  reason: 'text',
  /** The SHA-256 of a document, or its first digits. The text itself may contain personal data. */
  document: 'text',
  /** The names of its operations. */
  operation: 'text',
  /** Query, mutation or subscription. */
  kind: 'text',
  /** `graph`, `export`, `mcp`, `health` or `other`. */
  route: 'text',
  /** The name of an exported file. */
  file: 'text',
  /** The name of a called tool. */
  tool: 'text',
  /** HTTP status. */
  status: 'number',
  /** Upstream calls that the request has sent. */
  upstreamCalls: 'number',
  /** Upstream calls that were estimated before execution. */
  cost: 'number',
  /** The whole response came from the cache. */
  responseCached: 'boolean',
} as const satisfies Record<string, keyof FieldTypes>;

type FieldName = keyof typeof fieldTypes;

type LogFields = { readonly [Name in FieldName]?: FieldTypes[(typeof fieldTypes)[Name]] } & {
  /** An unexpected error: its type, message and stack are logged. */
  readonly error?: unknown;
};

const fieldNames = Object.keys(fieldTypes) as FieldName[];

type Level = 'error' | 'warn' | 'info' | 'debug';
export type Log = Readonly<Record<Level, (event: string, fields?: LogFields) => void>>;

interface LogOptions {
  readonly level: LogLevel;
  /** Receives each line; default standard error, because standard output is for people. */
  readonly write?: (line: string) => void;
}

/** A logger of JSON lines. It drops every field that is not in `fieldTypes`, also at run time. */
export function createLog({ level, write }: LogOptions): Log {
  const timestamp = pino.stdTimeFunctions.isoTime;
  const formatters = { level: (label: string) => ({ level: label }) };
  const logger = pino(
    { level, base: null, timestamp, formatters },
    write ? { write } : standardError,
  );
  const at =
    (name: Level) =>
    (event: string, fields?: LogFields): void => {
      if (logger.isLevelEnabled(name)) logger[name](allowed(fields), event);
    };
  return { error: at('error'), warn: at('warn'), info: at('info'), debug: at('debug') };
}

function allowed(fields: LogFields = {}): Record<string, unknown> {
  const line: Record<string, unknown> = {};
  for (const name of fieldNames) {
    if (fields[name] !== undefined) line[name] = fields[name];
  }
  if (fields.error !== undefined) line.error = describeError(fields.error);
  return line;
}

/** Causes of an error that are logged; causes may form a cycle. */
const maxCauses = 5;

function describeError(error: unknown, causes = maxCauses): Record<string, unknown> {
  if (!(error instanceof Error)) return { type: typeof error };
  const { name, message, stack, cause } = error;
  const isShown = cause instanceof Error && causes > 0;
  return {
    type: name,
    message,
    stack,
    ...(isShown && { cause: describeError(cause, causes - 1) }),
  };
}
