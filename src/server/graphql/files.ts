import { printSchema } from 'graphql';
import { type AccessScope, type Caller, forbidden, mayAny } from '../../kernel/caller.ts';
import { memoize } from '../../lib/lazy.ts';
import type { Scope } from '../../scope/scope.ts';
import type { HttpRequest, RequestScope } from '../http/http-request.ts';
import { type Routes, withFacts } from '../http/routes.ts';
import type { Documents } from './documents.ts';
import type { Rules } from './rule.ts';

/** What the routes of files need. */
export interface FileContext {
  /**
   * Checks the request as one of the graph, and returns the context in which the file is read. The caller is that of the credentials
   * of the request, unless the route has found another one. A refusal of a rule is thrown.
   */
  readonly beginFile: (request: HttpRequest, file: BegunFile) => Promise<Scope>;
}

interface BegunFile {
  readonly caller: Caller | 'of the credentials';
  /** One of these scopes is needed; default none. */
  readonly needed?: readonly AccessScope[];
  /** The estimate. */
  readonly upstreamCalls: number;
}

interface FileOptions {
  readonly rules: Rules;
  /** Also sets `request.scope`. Returns the context of resolvers. */
  readonly createScope: (request: HttpRequest) => RequestScope;
}

export const createFileContext = ({ rules, createScope }: FileOptions): FileContext => {
  const check = async (hook: 'onRequest' | 'onExport', request: HttpRequest): Promise<void> => {
    const refusal = await rules.check(hook, request);
    if (refusal) throw refusal;
  };
  return {
    async beginFile(request, { caller, needed, upstreamCalls }) {
      if (caller === 'of the credentials') await check('onRequest', request);
      else request.caller = caller;
      if (needed && !mayAny(request.caller, needed)) throw forbidden(request.caller, needed);
      request.estimate = { upstreamCalls, searches: 0, storedRows: 0, isNeverLimited: false };
      const scope = createScope(request);
      await check('onExport', request);
      return scope as Scope;
    },
  };
};

const print = memoize(printSchema);

/** The SDL of the fields that a caller may use. */
export const schemaRoutes = ({ beginFile }: FileContext, schemaOf: Documents['schemaOf']): Routes =>
  withFacts(
    { kind: 'schema' },
    {
      async '/schema.graphql'(request) {
        await beginFile(request, { caller: 'of the credentials', upstreamCalls: 0 });
        const headers = { 'content-type': 'text/plain; charset=utf-8' };
        return { headers, body: print(schemaOf(request.caller)) };
      },
    },
  );
