import { destination, type LoggerOptions, pino } from 'pino';

export type LogLevel = 'fatal' | 'error' | 'warn' | 'info' | 'debug' | 'trace' | 'silent';

/** All that a line may say. Bodies, variables, headers and names of people have no field here, so they cannot be logged. */
export interface LogFields {
  readonly requestId?: string;
  /** A bug of ours: its type, message and stack are written. */
  readonly error?: unknown;
  readonly code?: string;
  readonly action?: string;
  readonly attempt?: number;
  readonly durationMs?: number;
  readonly outcome?: string;
  readonly url?: string;
  readonly signal?: string;
  readonly count?: number;
  readonly version?: string;
  /** The SHA-256 of a document; its text may name people. */
  readonly document?: string;
  /** The names of its operations. */
  readonly operation?: string;
  /** What was read or changed that has to be accounted for. */
  readonly audit?: string;
  /** The domain that it is about. */
  readonly subject?: string | null;
  /** The name of who asked; null where nobody is asked who they are. */
  readonly caller?: string | null;
  readonly tenant?: string;
}

export interface Log {
  error(event: string, fields?: LogFields): void;
  warn(event: string, fields?: LogFields): void;
  info(event: string, fields?: LogFields): void;
  debug(event: string, fields?: LogFields): void;
}

export interface LogOptions {
  readonly level: LogLevel;
  /** Takes each line; standard error when absent, because standard output is for people. */
  readonly write?: (line: string) => void;
}

/** A logger of JSON lines that drops every field it does not know, whatever a caller without types hands it. */
export function createLog({ level, write }: LogOptions): Log {
  const options: LoggerOptions = { level, base: null, timestamp: isoTime, formatters };
  const logger = write ? pino(options, { write }) : pino(options, standardError());
  return {
    error: (event, fields) => logger.error(allowed(fields), event),
    warn: (event, fields) => logger.warn(allowed(fields), event),
    info: (event, fields) => logger.info(allowed(fields), event),
    debug: (event, fields) => logger.debug(allowed(fields), event),
  };
}

const isoTime = pino.stdTimeFunctions.isoTime;
const formatters = { level: (label: string) => ({ level: label }) };

// Synchronous, so that the last line before an exit is not lost.
const standardError = () => destination({ fd: 2, sync: true });

const plainFields = [
  'requestId',
  'code',
  'action',
  'attempt',
  'durationMs',
  'outcome',
  'url',
  'signal',
  'count',
  'version',
  'document',
  'operation',
  'audit',
  'subject',
  'caller',
  'tenant',
] as const satisfies readonly (keyof LogFields)[];

function allowed(fields: LogFields = {}): Record<string, unknown> {
  const line: Record<string, unknown> = {};
  for (const name of plainFields) {
    if (fields[name] !== undefined) line[name] = fields[name];
  }
  if (fields.error !== undefined) line.error = describeError(fields.error);
  return line;
}

function describeError(error: unknown): Record<string, unknown> {
  if (!(error instanceof Error)) return { type: typeof error };
  return {
    type: error.name,
    message: error.message,
    stack: error.stack,
    ...(error.cause instanceof Error && { cause: describeError(error.cause) }),
  };
}
