import type { IncomingMessage, ServerResponse } from 'node:http';
import { type ExecutionResult, GraphQLError, type GraphQLSchema, getOperationAST } from 'graphql';
import { anybody } from '../kernel/caller.ts';
import { type FaultCode, faults } from '../kernel/faults.ts';
import { decodeBody, jsonFault } from './body.ts';
import type { Prepare } from './documents.ts';
import type { PlainSide, Refused } from './layer.ts';
import { type WholeAnswer, wholeAnswerFor } from './media-type.ts';
import { NodeRequest } from './node-request.ts';
import { type Params, readParams } from './params.ts';
import { createRepeated, type Holds } from './repeated.ts';
import { notesOf, type RequestNotes, type RequestView } from './request-view.ts';
import { runWhole } from './run-whole.ts';

export interface PlainWayOptions {
  readonly path: string;
  readonly maxBodyBytes: number;
  readonly schema: GraphQLSchema;
  /** The plain sides of all rules, in their order. */
  readonly sides: readonly PlainSide[];
  /** The document of a text that keeps every rule of the full way; null for any other. */
  readonly prepare: Prepare;
  readonly requestIdOf: (request: RequestView) => string;
  readonly contextOf: (request: RequestView) => { standing?(): Holds | null };
  /** Whether an answer that rests on nothing but what is kept is told again as it was, without executing anything. */
  readonly repeats: boolean;
  /** Answers the request whole again; `body` is what was read of it. Nothing of it has been executed. */
  readonly goFullWay: (
    request: IncomingMessage,
    response: ServerResponse,
    notes: RequestNotes,
    body: Buffer,
  ) => void;
}

/**
 * Answers the plain case without Yoga's HTTP layer: a POST of JSON with a query or a mutation that keeps every rule and is
 * answered in one piece, which is nearly every request. Everything else is told by false, or handed over before any of it
 * was executed, and goes the full way. The plain way itself refuses only what the request queue refuses.
 */
export function createPlainWay(options: PlainWayOptions) {
  const { path, maxBodyBytes, schema, sides, prepare, contextOf, goFullWay, repeats, requestIdOf } =
    options;
  const repeated = createRepeated();
  const admissions = sides.flatMap(({ admits }) => admits ?? []);
  const resolvings = sides.flatMap(({ resolve }) => resolve ?? []);
  const allowances = sides.flatMap(({ allows }) => allows ?? []);
  const queueings = sides.flatMap(({ queues }) => queues ?? []);
  const repeatings = sides.flatMap(({ allowsAgain }) => allowsAgain ?? []);
  const finishings = sides.flatMap(({ finish }) => finish ?? []);
  const beginnings = sides.flatMap(({ begins }) => begins ?? []);
  const headings = sides.flatMap(({ headers }) => headers ?? []);

  const finished = (result: ExecutionResult, view: RequestView): ExecutionResult =>
    finishings.reduce((current, finish) => finish(current, view), result);

  /** Null where a rule has something to say about them. */
  const resolved = (params: Params | null): Params | null =>
    resolvings.reduce((current, resolve) => current && resolve(current), params);

  /** Waits until every queue lets the operation start; null then. */
  const queued = async (view: RequestView): Promise<Refused | null> => {
    for (const queues of queueings) {
      const turn = queues(view);
      const refused = turn instanceof Promise ? await turn : turn;
      if (refused) return refused;
    }
    return null;
  };

  async function answer(
    request: IncomingMessage,
    response: ServerResponse,
    view: NodeRequest,
    type: WholeAnswer,
  ) {
    const body = await readBody(request);
    // Nobody is left to answer.
    if (body === null) return;
    const tell = (status: number, text: string, more: Readonly<Record<string, string>> = {}) => {
      const headers: Record<string, string | number> = {
        ...more,
        'content-type': `${type}; charset=utf-8`,
        'content-length': Buffer.byteLength(text),
      };
      for (const heading of headings) Object.assign(headers, heading(view));
      response.writeHead(status, headers);
      response.end(text);
    };
    const textOf = (result: ExecutionResult) => JSON.stringify(withoutHttp(finished(result, view)));
    const refuse = ({ fault, status, headers }: Refused) => {
      view.notes.codes = new Set([fault]);
      tell(status, refusalText(fault, requestIdOf(view)), headers);
    };
    const asked = decodeBody(body);
    if (asked === null) return goFullWay(request, response, view.notes, body);
    const question = questionOf(asked, view);
    const caller = notesOf(view).caller ?? anybody;
    const known = repeats ? repeated.find(question, caller) : null;
    if (known !== null && (await everyAllows(repeatings, (may) => may(view)))) {
      Object.assign(view.notes, { isRepeated: true, operation: known.operation });
      return tell(200, known.text);
    }
    const params = jsonFault(asked) ? null : resolved(readParams(asked));
    const query = params?.query ?? '';
    const document = query === '' ? null : prepare(query, params?.operationName);
    const operation = document && getOperationAST(document, params?.operationName);
    if (!params || !operation || operation.operation === 'subscription') {
      return goFullWay(request, response, view.notes, body);
    }
    try {
      const context = contextOf(view);
      const wish = { document, operationName: params.operationName, variables: params.variables };
      if (!(await everyAllows(allowances, (allows) => allows(wish, view)))) {
        return goFullWay(request, response, view.notes, body);
      }
      const refused = await queued(view);
      if (refused) return refuse(refused);
      for (const begin of beginnings) begin({ operation, text: query }, view);
      const result = await runWhole({
        schema,
        document,
        contextValue: context,
        variableValues: params.variables,
        operationName: params.operationName,
      });
      // Only a request that could not even begin has no data.
      if (!('data' in result)) return goFullWay(request, response, view.notes, body);
      const text = textOf(result);
      tell(200, text);
      const mayRepeat = repeats && operation.operation === 'query' && !result.errors;
      const holds = mayRepeat ? context.standing?.() : null;
      if (holds) repeated.keep(question, { text, caller, holds, operation: view.notes.operation });
    } catch (error) {
      tell(500, textOf({ errors: [asGraphQLError(error)] }));
    }
  }

  /** False when the request is not for this way; nothing of it was read then. */
  return (request: IncomingMessage, response: ServerResponse, notes: RequestNotes): boolean => {
    if (request.method !== 'POST' || request.url !== path) return false;
    const { headers } = request;
    const length = Number(headers['content-length']);
    // Of a body that comes in chunks nobody knows how long it is.
    if (!(length > 0 && length <= maxBodyBytes) || headers['content-encoding']) return false;
    if (!plainJson.test(headers['content-type'] ?? '')) return false;
    const type = wholeAnswerFor(headers.accept ?? null);
    if (!type) return false;
    const view = new NodeRequest(request, response, notes);
    if (!admissions.every((admits) => admits(view))) return false;
    // It fails where not even an error can be told, since a rule is broken: there is nothing left to say.
    answer(request, response, view, type).catch(() => {
      if (response.headersSent) response.destroy();
      else response.writeHead(500).end();
    });
    return true;
  };
}

// In small letters, as the full way has it.
const plainJson = /^application\/json(?:; ?charset=(?:utf|UTF)-8)?$/;

/** Asks one after the other; what is asked waits only where it has to. */
async function everyAllows<Rule>(
  rules: readonly Rule[],
  ask: (rule: Rule) => boolean | Promise<boolean>,
): Promise<boolean> {
  for (const rule of rules) {
    const allowed = ask(rule);
    if (!(typeof allowed === 'boolean' ? allowed : await allowed)) return false;
  }
  return true;
}

/** Null when the caller hung up in the middle of it. */
function readBody(request: IncomingMessage): Promise<Buffer | null> {
  return new Promise((resolve) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () =>
      resolve(chunks.length === 1 ? (chunks[0] ?? null) : Buffer.concat(chunks)),
    );
    request.on('error', () => resolve(null));
    request.on('close', () => resolve(null));
  });
}

/** As the masks would write it, without an error to carry it. */
function refusalText(fault: FaultCode, requestId: string): string {
  refusalTexts[fault] ??= refusalTextOf(fault);
  const [before = '', after = ''] = refusalTexts[fault];
  return `${before}${requestId}${after}`;
}

/** Before and after the request id, which needs no escaping. */
const refusalTexts: Partial<Record<FaultCode, readonly string[]>> = {};

function refusalTextOf(fault: FaultCode): readonly string[] {
  const { message, topLevel: code, retryable, executed } = faults[fault];
  const extensions = { code, retryable, executed, requestId: '\n', fault };
  return JSON.stringify({ errors: [{ message, extensions }] }).split('\\n');
}

/** Who asks what, to the letter: what each caller may see is the caller's own. */
function questionOf(text: string, view: RequestView): string {
  const { tenant, name } = notesOf(view).caller ?? anybody;
  return `${tenant}\n${name ?? ''}\n${text}`;
}

/** What Yoga makes of an error that comes from nowhere. */
const asGraphQLError = (error: unknown): GraphQLError =>
  error instanceof GraphQLError
    ? error
    : new GraphQLError('Unexpected error.', {
        originalError: error instanceof Error ? error : new Error(String(error)),
      });

/** Without what an error says to the server alone: status and headers of the answer. */
function withoutHttp(result: ExecutionResult): object {
  if (!result.errors?.some(({ extensions }) => 'http' in extensions)) return result;
  const errors = result.errors.map((error) => {
    const { extensions, ...told } = error.toJSON();
    const { http: _http, ...rest } = extensions ?? {};
    return { ...told, extensions: rest };
  });
  return { ...result, errors };
}
