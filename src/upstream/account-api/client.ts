import { Fault } from '../../kernel/faults.ts';
import type { Secret } from '../../kernel/secret.ts';
import { type CallerOptions, UpstreamCaller } from '../client/call.ts';
import {
  type CallOptions,
  type Client,
  checkRequest,
  clientOf,
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
  const caller = new UpstreamCaller('account', options);

  const functionOf =
    (name: string, row: RestOperation) =>
    async (request: object, { token, ...callOptions }: AccountCallOptions): Promise<unknown> => {
      const fields = checkRequest(row.request, request, name);
      const { id, ...rest } = fields;
      const path = row.path.replace('{id}', () => encodeURIComponent(String(id).toWellFormed()));
      refuseBadToken(token);
      const hasBody = row.request !== nothing;
      return caller.call(
        {
          row,
          action: `${row.method} ${row.path}`,
          fields,
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
            bodyOf(response) {
              const redact = redactValues([token.reveal()]);
              const { hasObject = false } = row;
              const context = { action: name, redact, now: options.clock.now(), hasObject };
              return classifyAccountResponse(response, context);
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
