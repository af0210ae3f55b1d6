import type { Secret } from '../../kernel/secret.ts';
import { type CallerOptions, createCaller } from '../call.ts';
import { classifyDomainReply } from '../classify.ts';
import { checkRequest, decodeReply } from '../decode.ts';
import { createEntriesParser } from '../entries.ts';
import type { AnyOperation, CallOptions, Client } from '../operation.ts';
import type { Login } from '../policies/login-pause.ts';
import { createRowReader } from '../row-reader.ts';
import { withRows } from '../rows.ts';
import type { ApiState } from '../state.ts';
import { redactValues } from '../upstream-text.ts';
import { domainApi } from './operations.ts';

/** The Domain API as functions, one per action. */
export type DomainApi = Client<typeof domainApi>;

export interface DomainApiOptions extends CallerOptions {
  /**
   * Of the reseller account, as they are now: they are sent in every body and appear nowhere else. Asked for each attempt,
   * so that they may change at any time.
   */
  readonly credentials: () => Login;
}

export interface DomainApiClient {
  readonly api: DomainApi;
  readonly state: () => ApiState;
  /** The expected wait for a slot, in milliseconds, when it exceeds the queue budget; else 0. */
  readonly overloadMs: (isUrgent: boolean) => number;
}

/**
 * Builds the functions from the rows; every one of them throws Faults, and a read also the reason of its aborted signal.
 */
export function createDomainApi({ credentials, ...options }: DomainApiOptions): DomainApiClient {
  const { call, state, overloadMs } = createCaller('domain', options, credentials);

  const functionOf = (action: string, row: AnyOperation) => {
    const { rows, entriesAt } = row;
    const parse = entriesAt === undefined ? undefined : createEntriesParser(entriesAt);
    return async (request: unknown, callOptions: CallOptions = {}): Promise<unknown> => {
      const fields = checkRequest(row.request, request, action);
      const batch = row.batch?.(fields);
      return call(
        {
          action,
          effect: row.effect,
          extraMs: row.extraMs?.(fields) ?? 0,
          ...(batch !== undefined && { batch }),
          open() {
            const { username, password } = credentials();
            const redact = redactValues([username, password.reveal(), ...secretsOf(fields)]);
            return {
              request: {
                method: 'POST',
                path: `/?action=${action}`,
                headers: { 'content-type': 'application/json' },
                // Credentials join the body here and nowhere earlier, so nothing above can hold or log them.
                body: JSON.stringify({
                  ...(fields as object),
                  username,
                  password: password.reveal(),
                }),
                ...(rows && {
                  reader: createRowReader({
                    rows,
                    clock: options.clock,
                    redact,
                    sink: callOptions.rowSink,
                  }),
                }),
              },
              read(reply) {
                const context = { action, redact, now: options.clock.now(), parse };
                const body = classifyDomainReply(reply, context);
                const answer = decodeReply(
                  row.reply,
                  rows ? withRows(rows, body, reply.rows) : body,
                );
                tellReply(body, callOptions.onReply, password);
                return answer;
              },
            };
          },
        },
        callOptions,
      );
    };
  };

  const functions = Object.entries(domainApi).map(([action, row]) => [
    action,
    functionOf(action, row),
  ]);
  // Each function has the types of its row, which `Object.fromEntries` can't say.
  return { api: Object.fromEntries(functions) as DomainApi, state, overloadMs };
}

/** What the action would have answered to a reply of this text; undefined where that is none of it. */
export function answerTo(action: keyof DomainApi, text: string): unknown {
  try {
    return decodeReply<unknown>(domainApi[action].reply, JSON.parse(text));
  } catch {
    return undefined;
  }
}

function tellReply(body: unknown, onReply: CallOptions['onReply'], password: Secret): void {
  if (!onReply) return;
  const text = JSON.stringify(body);
  if (redactValues([password.reveal()])(text) === text) onReply(text);
}

/** What a request itself must keep to itself: the auth code of a transfer. */
const secretsOf = (fields: unknown): readonly string[] =>
  typeof fields === 'object' && fields !== null && 'authCode' in fields
    ? [String(fields.authCode)]
    : [];
