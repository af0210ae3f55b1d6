import { type LoggerOptions, pino } from 'pino';
import { standardError } from './standard-error.ts';

export type LogLevel = 'fatal' | 'error' | 'warn' | 'info' | 'debug' | 'trace' | 'silent';

/** All that a line may say. Bodies, variables, headers and names of people have no field here, so they cannot be logged. */
export interface LogFields {
  readonly requestId?: string;
  /** Of the trace that the request belongs to, where traces are on. */
  readonly traceId?: string;
  /** The name of the key or token that was used, and the reseller account behind it. */
  readonly caller?: string | null;
  readonly tenant?: string;
  /** A bug of ours: its type, message and stack are written. */
  readonly error?: unknown;
  readonly code?: string;
  /** The codes of the errors of an answer, each once. */
  readonly codes?: readonly string[];
  /** Which API of the service. */
  readonly api?: string;
  readonly action?: string;
  readonly attempt?: number;
  /** Names that a call asks about together. */
  readonly batch?: number;
  readonly durationMs?: number;
  readonly outcome?: string;
  readonly url?: string;
  readonly signal?: string;
  readonly count?: number;
  /** Why a part of the gateway is not available: a sentence of ours, without secrets. */
  readonly reason?: string;
  readonly version?: string;
  /** The SHA-256 of a document, or its first digits; its text may name people. */
  readonly document?: string;
  /** The names of its operations. */
  readonly operation?: string;
  /** Query, mutation or subscription. */
  readonly kind?: string;
  /** What was asked for: `graph`, `health` or `other`. */
  readonly route?: string;
  /** Of HTTP. */
  readonly status?: number;
  /** Calls that a request has sent. */
  readonly upstreamCalls?: number;
  /** Calls that it was expected to send at most. */
  readonly cost?: number;
  /** An answer that was told again as it was. */
  readonly repeated?: boolean;
  /** What was done that has to be accounted for, and the object that it was done to. */
  readonly audit?: string;
  readonly subject?: string | null;
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
  const logger = pino(options, write ? { write } : standardError);
  const at =
    (name: 'error' | 'warn' | 'info' | 'debug') =>
    (event: string, fields?: LogFields): void => {
      if (logger.isLevelEnabled(name)) logger[name](allowed(fields), event);
    };
  return { error: at('error'), warn: at('warn'), info: at('info'), debug: at('debug') };
}

const isoTime = pino.stdTimeFunctions.isoTime;
const formatters = { level: (label: string) => ({ level: label }) };

const plainFields = [
  'requestId',
  'traceId',
  'caller',
  'tenant',
  'audit',
  'subject',
  'code',
  'codes',
  'api',
  'action',
  'attempt',
  'batch',
  'durationMs',
  'outcome',
  'url',
  'signal',
  'count',
  'reason',
  'version',
  'document',
  'operation',
  'kind',
  'route',
  'status',
  'upstreamCalls',
  'cost',
  'repeated',
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
