import { GraphQLError } from 'graphql';
import { mapAsyncIterator } from 'graphql-yoga';
import { Fault, faults, type TopLevelCode } from '../../kernel/faults.ts';
import type { Log } from '../../observability/log.ts';
import { findFault } from '../find-fault.ts';
import { inputPathOf } from '../input-path.ts';
import type { Layer } from '../layer.ts';
import type { RequestIds } from '../request-ids.ts';
import { notesOf, type RequestView } from '../request-view.ts';
import { withoutSchema } from '../without-schema.ts';
import { withoutValues } from '../without-values.ts';

export interface MaskOptions {
  readonly ids: RequestIds;
  readonly log: Log;
  /** Whether a sentence may contain names of the schema that the document does not. */
  readonly isSchemaShown: boolean;
}

/** Lets known faults through with code and sentence, and turns everything else into one fixed sentence and a log line. */
export function useMaskedFaults({ ids, log, isSchemaShown }: MaskOptions): Layer {
  const faultOf = (error: unknown, request: RequestView): Fault => {
    const fault = findFault(error);
    if (fault) return fault;
    // Whoever hung up reads no answer, and what the abort broke on its way is no bug.
    if (!request.signal.aborted) {
      log.error('unexpected error', { requestId: ids.of(request), error: innermost(error) });
    }
    return new Fault('INTERNAL');
  };

  /** A whole result, or a part of one, with the parts that it brings along. */
  const masked = <Result extends Maskable>(
    result: Result,
    request: RequestView,
    isRefusal: boolean,
  ): Result => {
    const told = isRefusal ? result.errors?.slice(0, mostRefusals) : result.errors;
    const errors = told?.map((error) => {
      const fault = faultOf(error, request);
      const notes = notesOf(request);
      notes.codes ??= new Set();
      notes.codes.add(fault.code);
      return tell(error, fault, { requestId: ids.of(request), isRefusal, isSchemaShown });
    });
    const incremental = result.incremental?.map((part) => masked(part, request, false));
    if (!errors && !incremental) return result;
    return { ...result, ...(errors && { errors }), ...(incremental && { incremental }) };
  };

  const whole = <Result extends Maskable>(result: Result, request: RequestView): Result =>
    masked(result, request, !('data' in result));
  return {
    full: {
      // The last hook that sees a result: errors of parsing the request, of validation and of resolvers all pass here.
      onResultProcess({ request, result, setResult }) {
        if (Array.isArray(result)) return;
        setResult(
          Symbol.asyncIterator in result
            ? mapAsyncIterator(result, (one) => masked(one, request, false))
            : whole(result, request),
        );
      },
    },
    plain: { finish: whole },
  };
}

/** Whoever has mended these hears of the others. */
const mostRefusals = 10;

/** Where errors stand in what is sent: at the top, and in each part that `@defer` and `@stream` deliver later. */
interface Maskable {
  readonly errors?: readonly GraphQLError[];
  readonly incremental?: readonly Maskable[];
}

interface Telling {
  readonly requestId: string;
  /** Nothing was executed, so the HTTP status has to say what went wrong. */
  readonly isRefusal: boolean;
  readonly isSchemaShown: boolean;
}

function tell(error: GraphQLError, fault: Fault, how: Telling): GraphQLError {
  const { retryable, executed, code, upstream } = fault;
  const inputPath = fault.inputPath.length > 0 ? fault.inputPath : inputPathOf(error);
  const isOwn = code !== 'BAD_USER_INPUT' && code !== 'INTERNAL';
  const sentence = shortened(
    code === 'BAD_USER_INPUT' ? sentenceOf(error, fault, inputPath, how) : fault.message,
  );
  return new GraphQLError(sentence, {
    nodes: error.nodes ?? null,
    source: error.source ?? null,
    positions: error.positions ?? null,
    path: error.path ?? null,
    extensions: {
      code: faults[code].topLevel,
      retryable,
      executed,
      requestId: how.requestId,
      ...(isOwn && { fault: code }),
      ...(upstream && { upstreamCode: upstream.code }),
      ...(upstream?.message && { upstreamMessage: upstream.message }),
      ...(inputPath && { inputPath }),
      ...(how.isRefusal && { http: httpOf(error, fault) }),
    },
  });
}

const statuses: Readonly<Record<TopLevelCode, number>> = {
  UNAUTHENTICATED: 401,
  FORBIDDEN: 403,
  BAD_USER_INPUT: 400,
  RATE_LIMITED: 429,
  COST_LIMIT_EXCEEDED: 400,
  UPSTREAM_TIMEOUT: 504,
  UPSTREAM_UNAVAILABLE: 503,
  UPSTREAM_PROTOCOL: 502,
  INTERNAL: 500,
};

/** The status and headers of a refusal; `spec` is Yoga's word for "200 to a client that asks for plain JSON". */
function httpOf({ extensions }: GraphQLError, { code }: Fault) {
  const { http, code: phase } = extensions as { http?: HttpFacts; code?: string };
  const isOfDocument = http ? ofDocument.has(phase ?? '') : code === 'BAD_USER_INPUT';
  return {
    status: http?.status ?? statuses[faults[code].topLevel],
    ...(http?.headers && { headers: http.headers }),
    ...(isOfDocument && { spec: true }),
  };
}

interface HttpFacts {
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
}

const ofDocument = new Set(['GRAPHQL_PARSE_FAILED', 'GRAPHQL_VALIDATION_FAILED']);

/** Sentences of rules quote what was sent. */
const longestSentence = 500;
const shortened = (sentence: string) =>
  sentence.length > longestSentence ? `${sentence.slice(0, longestSentence)}…` : sentence;

function sentenceOf(
  error: GraphQLError,
  { message }: Fault,
  inputPath: readonly string[] | null,
  { isSchemaShown }: Telling,
): string {
  const sentence = withoutValues(message);
  return isSchemaShown ? sentence : withoutSchema(sentence, error, inputPath);
}

function innermost(error: unknown): unknown {
  return error instanceof GraphQLError && error.originalError
    ? innermost(error.originalError)
    : error;
}
