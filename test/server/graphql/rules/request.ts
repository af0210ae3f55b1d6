import { type IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http';
import { Socket } from 'node:net';
import { getOperationAST, parse } from 'graphql';
import { anonymous, type Caller } from '../../../../src/kernel/caller.ts';
import { Fault } from '../../../../src/kernel/faults.ts';
import { httpExtensionOf } from '../../../../src/server/graphql/errors/request-fault.ts';
import type { RequestedOperation, Verdict } from '../../../../src/server/graphql/rule.ts';
import { HttpRequest } from '../../../../src/server/http/http-request.ts';

interface Sender extends Partial<Caller> {
  readonly headers?: IncomingHttpHeaders;
  readonly address?: string;
}

/** A request whose socket is not connected, for a test of one rule. `response.socket.destroy()` disconnects its client. */
export function createRequest({ headers = {}, address, ...caller }: Sender = {}): HttpRequest {
  const socket = new Socket();
  Object.defineProperty(socket, 'remoteAddress', { value: address });
  const node = new IncomingMessage(socket);
  Object.assign(node, { method: 'POST', url: '/graphql', headers });
  const response = new ServerResponse(node);
  response.assignSocket(socket);
  const request = new HttpRequest(node, response, { uuid: () => 'request-1', fraction: () => 0 });
  request.caller = { ...anonymous, ...caller };
  return request;
}

export function operationOf(
  text: string,
  variables?: RequestedOperation['variables'],
): RequestedOperation {
  const document = parse(text);
  const operation = getOperationAST(document);
  if (!operation) throw new Error('The document has no operation.');
  return { document, operation, text, variables };
}

/** The code, status and headers of a refusal; null for a request that is allowed. */
export async function refusalOf(verdict: Verdict | undefined) {
  const error = await verdict;
  if (!error) return null;
  if (!(error.originalError instanceof Fault)) throw error;
  const { status, headers } = httpExtensionOf(error);
  return { code: error.originalError.code, status, headers };
}
