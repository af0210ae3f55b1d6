import type { IncomingMessage, ServerResponse } from 'node:http';
import { NodeRequest } from '../node-request.ts';
import type { RequestIds } from '../request-ids.ts';
import type { RequestNotes, RequestView } from '../request-view.ts';
import { type Arrival, arrivalOf, type Check, type Refusal } from './arrival.ts';
import { checkMediaType, checkTransfer, createLengthCheck } from './body-head.ts';
import { checkExpectation } from './expectation.ts';
import { createForeignSiteCheck } from './foreign-site.ts';
import { checkHeaderCount } from './header-count.ts';
import { createHostCheck, listedRule, loopbackRule } from './host.ts';
import { createLoadCheck } from './load.ts';
import { createMethodCheck } from './method.ts';
import { corsHeaders, createOriginCheck, type Origins, preflightHeaders } from './origin.ts';
import { createPurposeCheck } from './purpose.ts';
import { refuse } from './refuse.ts';
import { checkTarget } from './target.ts';

export interface FrontDoorOptions {
  readonly graphqlPath: string;
  /** Whether a browser gets a page at the path of the graph. */
  readonly hasPage: boolean;
  /** The paths beside the graph, each without a slash at its end. */
  readonly readPaths: readonly string[];
  /** Whether nobody is asked for a key. */
  readonly isOpen: boolean;
  readonly allowedHosts: readonly string[];
  readonly corsOrigins: Origins;
  readonly maxBodyBytes: number;
  /** Requests whose answers are not yet over. */
  readonly underWay: () => number;
  readonly ids: RequestIds;
  /** What every answer says, whoever gives it. */
  readonly headings: (request: RequestView) => Readonly<Record<string, string>>;
}

/**
 * What a request has to get past before anything of it is read but its head, whichever way of HTTP it takes then. True
 * when it did; otherwise it was answered.
 */
export function createFrontDoor(options: FrontDoorOptions) {
  const { graphqlPath, hasPage, corsOrigins, ids, headings } = options;

  /** Whose request it is. What is foreign is told nothing more, and costs nothing more. */
  const ofTheSender: readonly Check[] = [
    // First, because nothing can be said of a request that goes nowhere.
    checkTarget,
    checkHeaderCount,
    // Before the origin, which is this gateway's own when it has the same host.
    createHostCheck(options.isOpen ? loopbackRule : listedRule(options.allowedHosts)),
    createOriginCheck(corsOrigins),
    createForeignSiteCheck(graphqlPath, hasPage),
  ];
  /** Whether it can be answered at all; what has a body is told before that is read. */
  const ofTheHead: readonly Check[] = [
    // First of these: nothing of a body was read, and who is foreign has gone.
    createLoadCheck(options.underWay),
    createMethodCheck({ graphqlPath, hasPage, readPaths: new Set(options.readPaths) }),
    // After the methods, since it is about two of them.
    createPurposeCheck(graphqlPath, hasPage),
    checkTransfer,
    checkMediaType,
    createLengthCheck(options.maxBodyBytes),
    // Last: whoever is told to go on sends the body.
    checkExpectation,
  ];

  const refusalOf = (checks: readonly Check[], arrival: Arrival): Refusal | null => {
    for (const check of checks) {
      const refusal = check(arrival);
      if (refusal !== null) return refusal;
    }
    return null;
  };

  return (request: IncomingMessage, response: ServerResponse, notes: RequestNotes): boolean => {
    const arrival = arrivalOf(request);
    const cors = corsHeaders(arrival, corsOrigins);
    const answering = () => {
      const view = new NodeRequest(request, response, notes);
      return { arrival, requestId: ids.of(view), headers: { ...headings(view), ...cors } };
    };
    const isStopped = (checks: readonly Check[]): boolean => {
      const refusal = refusalOf(checks, arrival);
      if (refusal !== null) refuse(request, response, refusal, answering());
      return refusal !== null;
    };
    if (isStopped(ofTheSender)) return false;
    const preflight = arrival.path === graphqlPath ? preflightHeaders(arrival, corsOrigins) : null;
    if (preflight !== null) {
      response.writeHead(204, { ...answering().headers, ...preflight }).end();
      return false;
    }
    if (isStopped(ofTheHead)) return false;
    for (const [name, value] of Object.entries(cors)) response.setHeader(name, value);
    if (arrival.headers.expect !== undefined) response.writeContinue();
    return true;
  };
}
