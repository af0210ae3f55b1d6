import type { Config } from '../../../config/config.ts';
import type { HttpRequest, RouteFacts } from '../http-request.ts';
import { type Guard, refuse, writeHead } from '../responses.ts';
import * as format from './format.ts';
import { isOfAccount } from './of-account.ts';
import * as sender from './sender.ts';

interface GuardOptions {
  /** The paths beside the graph, without a trailing slash. */
  readonly routes: Readonly<Record<string, RouteFacts>>;
  /** Whether there is no authentication. */
  readonly isOpen: boolean;
  /** Requests whose responses are not complete. */
  readonly openRequests: () => number;
}

/** Checks the head of every request before its body is read. Returns false for a request that it has answered itself. */
export function createGuards(
  { development, allowedHosts, corsOrigins, maxBodyBytes }: Config['server'],
  { routes, isOpen, openRequests }: GuardOptions,
) {
  // GraphiQL is served at the path of the graph.
  const hasPage = development;
  const senderGuards: readonly Guard[] = [
    // First, because the others need the path.
    format.checkTarget,
    format.checkHeaderCount,
    // Before the origin, which is this gateway's own if it has the same host.
    sender.createHostGuard(isOpen, allowedHosts),
    sender.createOriginGuard(corsOrigins),
    sender.createCrossSiteGuard(hasPage),
  ];
  const formatGuards: readonly Guard[] = [
    format.createLoadGuard(openRequests),
    format.createMethodGuard(hasPage, routes),
    // After the methods, since it concerns two of them.
    sender.createAcceptGuard(hasPage),
    format.checkTransfer,
    format.checkMediaType,
    format.createLengthGuard(maxBodyBytes),
    // Last, because the client sends the body afterwards.
    format.checkExpectation,
  ];

  return (request: HttpRequest): boolean => {
    const { response, headers } = request;
    const isRefused = (guards: readonly Guard[]): boolean =>
      guards.some((guard) => {
        const refusal = guard(request);
        if (refusal) refuse(request, refusal);
        return refusal !== null;
      });
    sender.setCorsHeaders(request, corsOrigins);
    if (isRefused(senderGuards)) return false;
    const isForPages = isOfAccount(request) || request.route.isForPages === true;
    const preflight = isForPages ? sender.preflightHeaders(request, corsOrigins) : null;
    if (preflight !== null) {
      writeHead(request, 204, preflight);
      response.end();
      return false;
    }
    if (isRefused(formatGuards)) return false;
    if (headers.expect !== undefined) response.writeContinue();
    return true;
  };
}
