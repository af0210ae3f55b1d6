import { Fault } from '../../kernel/faults.ts';
import type { Secret } from '../../kernel/secret.ts';
import { Caller, type CallerOptions } from '../client/call.ts';
import {
  type CallOptions,
  type Client,
  checkRequest,
  clientOf,
  decodeReply,
  nothing,
  type RestOperation,
} from '../client/operation.ts';
import { classifyAccountResponse } from '../wire/classify.ts';
import { redactValues } from '../wire/upstream-text.ts';
import { accountApi } from './operations.ts';

export interface AccountCallOptions extends CallOptions {
  /** The client's own Bearer token, for this API only. */
  readonly token: Secret;
}

/** The Account API as functions, one per call. */
export type AccountApi = Client<typeof accountApi, AccountCallOptions>;

/** Builds a function per row. Each throws Faults only. */
export function createAccountApi(options: CallerOptions) {
  const caller = new Caller('account', options);

  const functionOf =
    (name: string, row: RestOperation) =>
    async (request: object, { token, ...callOptions }: AccountCallOptions): Promise<unknown> => {
      const fields = checkRequest(row.request, request, name);
      const { path, rest } = fillPath(row.path, fields);
      refuseBadToken(token);
      const hasBody = row.request !== nothing;
      return caller.call(
        {
          action: `${row.method} ${row.path}`,
          effect: row.effect,
          extraMs: 0,
          open: () => ({
            request: {
              method: row.method,
              path,
              // The token is added here and nowhere earlier, so that no caller can store or log it.
              headers: {
                authorization: `Bearer ${token.reveal()}`,
                ...(hasBody && { 'content-type': 'application/json' }),
              },
              ...(hasBody && { body: JSON.stringify(rest) }),
            },
            read(response) {
              const redact = redactValues([token.reveal()]);
              const context = { action: name, redact, now: options.clock.now() };
              return decodeReply(row.reply, classifyAccountResponse(response, context));
            },
          }),
        },
        callOptions,
      );
    };

  const api: AccountApi = clientOf(accountApi, functionOf);
  return { api, gate: caller.gate };
}

/** A token with a space or a line break is invalid (RFC 6750) and would break the header. */
function refuseBadToken(token: Secret): void {
  if (!/^[\x21-\x7e]+$/.test(token.reveal()))
    throw new Fault('UNAUTHENTICATED', { executed: 'NO' });
}

/**
 * Fills `{id}` in a path from the fields; `rest` has the other fields.
 *
 * @throws Fault `INVALID_INPUT` for a value that would change the path: empty, `.` or `..`.
 */
function fillPath(pattern: string, fields: Readonly<Record<string, unknown>>) {
  const rest = { ...fields };
  const path = pattern.replaceAll(/\{(\w+)\}/g, (_placeholder, name: string) => {
    const value = String(fields[name]);
    delete rest[name];
    if (['', '.', '..'].includes(value)) {
      throw new Fault('INVALID_INPUT', { message: `"${value}" is not a valid ${name}.` });
    }
    return encodeURIComponent(value.toWellFormed());
  });
  return { path, rest };
}
