import { pino } from 'pino';
import { standardError } from './standard-error.ts';

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
