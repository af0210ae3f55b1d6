import type { IncomingMessage, ServerResponse } from 'node:http';
import type { PlainSide } from './layer.ts';
import { NodeRequest } from './node-request.ts';
import { refusalBody } from './request-fault.ts';

/**
 * Answers 400 to a request whose Host and target make no address together, and says so by true. Yoga would answer it with
 * the stack of where it stumbled.
 */
export function createAddressCheck(sides: readonly PlainSide[]) {
  return (request: IncomingMessage, response: ServerResponse): boolean => {
    if (URL.canParse(`http://${request.headers.host ?? 'localhost'}${request.url}`)) return false;
    const view = new NodeRequest(request, response);
    response.writeHead(400, {
      'content-type': 'application/json; charset=utf-8',
      'content-length': Buffer.byteLength(refusal),
      ...Object.assign({}, ...sides.map(({ headers }) => headers?.(view))),
    });
    response.end(refusal);
    return true;
  };
}

const refusal = JSON.stringify(
  refusalBody('The Host and the target of this request make no address.'),
);

/**
 * Whether the address that a Host makes with `path` still has that path and nothing behind it, as `localhost#` has not.
 * The Host of the last request that did is remembered.
 */
export function createHostCheck(path: string) {
  let last: string | null = null;
  return (host: string): boolean => {
    if (host === last) return true;
    if (!/^[\w.:[\]-]+$/.test(host) || !URL.canParse(`http://${host}${path}`)) return false;
    last = host;
    return true;
  };
}
