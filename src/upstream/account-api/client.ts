import { Fault } from '../../kernel/faults.ts';
import type { Secret } from '../../kernel/secret.ts';
import { type CallerOptions, createCaller } from '../call.ts';
import { classifyAccountReply } from '../classify.ts';
import { checkRequest, decodeReply } from '../decode.ts';
import type { AnyRestOperation, CallOptions, Client } from '../operation.ts';
import type { ApiState } from '../state.ts';
import { redactValues } from '../upstream-text.ts';
import { accountApi } from './operations.ts';
import { fillPath } from './path.ts';

export interface AccountCallOptions extends CallOptions {
  /** The caller's own Bearer token; it goes to this API and nowhere else. */
  readonly token: Secret;
}

/** The Account API as functions, one per call. */
export type AccountApi = Client<typeof accountApi, AccountCallOptions>;

export interface AccountApiClient {
  readonly api: AccountApi;
  readonly state: () => ApiState;
}

/** Builds the functions from the rows; every one of them throws Faults and nothing else. */
export function createAccountApi(options: CallerOptions): AccountApiClient {
  const { call, state } = createCaller('account', options);

  const functionOf =
    (name: string, row: AnyRestOperation) =>
    async (request: unknown, { token, ...callOptions }: AccountCallOptions): Promise<unknown> => {
      const fields = checkRequest(row.request, request, name) as Record<string, unknown>;
      const { path, rest } = fillPath(row.path, fields);
      refuseBadToken(token);
      return call(
        {
          action: `${row.method} ${row.path}`,
          effect: row.effect,
          extraMs: row.extraMs?.(fields) ?? 0,
          open: () => ({
            request: {
              method: row.method,
              path,
              // The token joins here and nowhere earlier, so nothing above can hold or log it.
              headers: {
                authorization: `Bearer ${token.reveal()}`,
                ...(row.sendsBody && { 'content-type': 'application/json' }),
              },
              ...(row.sendsBody && { body: JSON.stringify(rest) }),
            },
            read(reply) {
              const redact = redactValues([token.reveal()]);
              const context = { action: name, redact, now: options.clock.now() };
              return decodeReply(row.reply, classifyAccountReply(reply, context));
            },
          }),
        },
        callOptions,
      );
    };

  const functions = Object.entries(accountApi).map(([name, row]) => [name, functionOf(name, row)]);
  // Each function has the types of its row, which `Object.fromEntries` can't say.
  return { api: Object.fromEntries(functions) as AccountApi, state };
}

/** A token with a blank or a line break in it is none (RFC 6750), and would break the header it is put into. */
function refuseBadToken(token: Secret): void {
  if (!/^[\x21-\x7e]+$/.test(token.reveal()))
    throw new Fault('UNAUTHENTICATED', { executed: 'NO' });
}
