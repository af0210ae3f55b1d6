import { type CallerOptions, UpstreamCaller } from '../client/call.ts';
import {
  type CallOptions,
  type Client,
  checkRequest,
  clientOf,
  type Operation,
} from '../client/operation.ts';
import type { Login } from '../policies/login-pause.ts';
import { classifyDomainResponse } from '../wire/classify.ts';
import type { Members } from '../wire/read.ts';
import { RepeatedBodies } from '../wire/repeated-body.ts';
import { createRowReader, withRows } from '../wire/row-reader.ts';
import { redactValues } from '../wire/upstream-text.ts';
import { domainApi } from './operations.ts';

/** The Domain API as functions, one per action. */
export type DomainActions = Client<typeof domainApi>;

interface DomainClientOptions extends CallerOptions {
  /** The current credentials of the reseller account. Read for each attempt, so that they may change at any time. */
  readonly credentials: () => Login;
}

/** Builds a function per row. Each throws Faults; a read also throws the reason of its aborted signal. */
export function createDomainClient({ credentials, ...options }: DomainClientOptions) {
  const caller = new UpstreamCaller('domain', options, credentials);

  const functionOf = (action: string, row: Operation) => {
    const { rows, replyMap } = row;
    const { clock } = options;
    const bodies = new RepeatedBodies();
    return async (request: object, callOptions: CallOptions = {}): Promise<unknown> => {
      const sink = callOptions.rowSink;
      const fields = checkRequest(row.request, request, action);
      return caller.call(
        {
          row,
          action,
          fields,
          open() {
            const { username, password } = credentials();
            const redact = redactValues([password.reveal(), ...secretsOf(fields)], [username]);
            const reader = rows && createRowReader({ rows, clock, redact, sink });
            return {
              request: {
                method: 'POST',
                path: `/?action=${action}`,
                headers: { 'content-type': 'application/json' },
                // Credentials are added here and nowhere earlier, so that no caller can store or log them.
                body: JSON.stringify({ ...fields, username, password: password.reveal() }),
                // The rows of a sink are in its index, which compares each one itself.
                ...(reader && { reader: sink ? reader : bodies.reader(reader, password.reveal()) }),
              },
              bodyOf(response) {
                const context = { action, redact, replyMap, now: clock.now() };
                const body = classifyDomainResponse(response, context);
                return rows ? withRows(rows, body, response.rows) : body;
              },
            };
          },
        },
        callOptions,
      );
    };
  };

  return { actions: clientOf(domainApi, functionOf), gate: caller.gate };
}

/** Secrets of a request besides the credentials: the auth code of a transfer. */
const secretsOf = (fields: Members): readonly string[] =>
  'authCode' in fields ? [String(fields.authCode)] : [];
