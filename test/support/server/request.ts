import { type IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { Duplex } from 'node:stream';
import { getOperationAST, parse } from 'graphql';
import { anonymous, type Caller } from '../../../src/kernel/caller.ts';
import { Fault } from '../../../src/kernel/faults.ts';
import type { RequestedOperation, RuleVerdict } from '../../../src/server/graphql/rule.ts';
import { HttpRequest } from '../../../src/server/http/http-request.ts';
import { httpExtensionOf } from '../../../src/server/http/request-fault.ts';
import { endOfTurn } from '../simulated-clock.ts';

interface Sent extends Partial<Caller> {
  readonly method?: string;
  readonly target?: string;
  readonly headers?: IncomingHttpHeaders;
  /** Names and values in turn; default those of `headers`. */
  readonly rawHeaders?: readonly string[];
  readonly address?: string;
}

/** A connection in memory. */
class MemorySocket extends Duplex {
  readonly remoteAddress: string | undefined;
  /** What the server has sent. */
  sent = '';

  constructor(remoteAddress: string | undefined) {
    super();
    this.remoteAddress = remoteAddress;
  }

  override _read(): void {}

  override _write(chunk: Buffer, _encoding: BufferEncoding, done: () => void): void {
    this.sent += chunk.toString();
    done();
  }
}

/** A request without a server. `response.socket.destroy()` disconnects its client. */
export function createRequest({
  method = 'POST',
  target = '/graphql',
  headers = {},
  rawHeaders = Object.entries(headers).flatMap(([name, value]) => [name, String(value)]),
  address,
  ...caller
}: Sent = {}): HttpRequest {
  const socket = new MemorySocket(address) as Duplex as Socket;
  const node = new IncomingMessage(socket);
  Object.assign(node, { method, url: target, headers, rawHeaders });
  const response = new ServerResponse(node);
  response.assignSocket(socket);
  const request = new HttpRequest(node, response, { uuid: () => 'request-1', fraction: () => 0 });
  request.caller = { ...anonymous, ...caller };
  return request;
}

/** Sends the rest of the body of a request. */
export function sendBody({ node }: HttpRequest, ...chunks: readonly (string | Buffer)[]): void {
  for (const chunk of chunks) node.push(chunk);
  node.complete = true;
  node.push(null);
}

/** The text of the response so far, with its head. */
export const sentTo = ({ node }: HttpRequest): string =>
  (node.socket as Duplex as MemorySocket).sent;

/**
 * Ends when the server has completed the response. Nothing here waits for time or for a network, so a response that is not
 * complete after some turns of the event loop stays incomplete.
 */
export async function responseEnd({ response }: HttpRequest): Promise<void> {
  for (let turn = 0; turn < 500; turn += 1) {
    if (response.writableFinished) return;
    await endOfTurn();
  }
  throw new Error('The response is not complete.');
}

export function operationOf(
  text: string,
  variables?: RequestedOperation['variables'],
  operationName?: string,
): RequestedOperation {
  const document = parse(text);
  const operation = getOperationAST(document, operationName);
  if (!operation) throw new Error('The document has no operation.');
  return { document, operation, text, variables };
}

/** The code, status and headers of a refusal; null for a request that is allowed. */
export async function refusalOf(verdict: RuleVerdict | undefined) {
  const error = await verdict;
  if (!error) return null;
  if (!(error.originalError instanceof Fault)) throw error;
  const { status, headers } = httpExtensionOf(error);
  return { code: error.originalError.code, status, headers };
}
