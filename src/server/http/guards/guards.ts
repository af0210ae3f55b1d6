import type { HttpRequest } from '../http-request.ts';
import { type Guard, refuse } from '../responses.ts';
import {
  checkExpectation,
  checkHeaderCount,
  checkMediaType,
  checkTarget,
  checkTransfer,
  createLengthGuard,
  createLoadGuard,
  createMethodGuard,
} from './format.ts';
import {
  createAcceptGuard,
  createCrossSiteGuard,
  createHostGuard,
  createOriginGuard,
  type Origins,
  preflightHeaders,
  setCorsHeaders,
} from './sender.ts';

export interface GuardOptions {
  readonly graphqlPath: string;
  /** Whether GraphiQL is served at the path of the graph. */
  readonly hasPage: boolean;
  /** The paths beside the graph, without a trailing slash. */
  readonly readPaths: readonly string[];
  /** Whether there is no authentication. */
  readonly isOpen: boolean;
  readonly allowedHosts: readonly string[];
  readonly corsOrigins: Origins;
  readonly maxBodyBytes: number;
  /** Requests whose responses are not complete. */
  readonly openRequests: () => number;
}

/** Checks the head of every request before its body is read. Returns false for a request that it has answered itself. */
export function createGuards(options: GuardOptions) {
  const { graphqlPath, hasPage, corsOrigins } = options;

  const senderGuards: readonly Guard[] = [
    // First, because the others need the path.
    checkTarget,
    checkHeaderCount,
    // Before the origin, which is this gateway's own if it has the same host.
    createHostGuard(options.isOpen, options.allowedHosts),
    createOriginGuard(corsOrigins),
    createCrossSiteGuard(graphqlPath, hasPage),
  ];
  const formatGuards: readonly Guard[] = [
    createLoadGuard(options.openRequests),
    createMethodGuard(graphqlPath, hasPage, new Set(options.readPaths)),
    // After the methods, since it concerns two of them.
    createAcceptGuard(graphqlPath, hasPage),
    checkTransfer,
    checkMediaType,
    createLengthGuard(options.maxBodyBytes),
    // Last, because the client sends the body afterwards.
    checkExpectation,
  ];

  return (request: HttpRequest): boolean => {
    const { response, path, headers } = request;
    const isRefused = (guards: readonly Guard[]): boolean =>
      guards.some((guard) => {
        const refusal = guard(request);
        if (refusal) refuse(request, refusal);
        return refusal !== null;
      });
    setCorsHeaders(request, corsOrigins);
    if (isRefused(senderGuards)) return false;
    const preflight = path === graphqlPath ? preflightHeaders(request, corsOrigins) : null;
    if (preflight !== null) {
      response.writeHead(204, preflight).end();
      return false;
    }
    if (isRefused(formatGuards)) return false;
    if (headers.expect !== undefined) response.writeContinue();
    return true;
  };
}
