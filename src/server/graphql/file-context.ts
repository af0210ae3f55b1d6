import type { Scope } from '../../scope/scope.ts';
import type { HttpRequest, RequestScope } from '../http/http-request.ts';
import type { Rules } from './rule.ts';

/** What the routes of files need. A refusal of a rule is thrown. */
export interface FileContext {
  /** Finds the caller by the credentials of the request. */
  readonly identify: (request: HttpRequest) => Promise<void>;
  /** Returns the context in which the file is read. `upstreamCalls` is the estimate. */
  readonly beginFile: (request: HttpRequest, upstreamCalls: number) => Promise<Scope>;
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
    identify: (request) => check('onRequest', request),
    async beginFile(request, upstreamCalls) {
      request.estimate = { upstreamCalls, searches: 0, storedRows: 0, isNeverLimited: false };
      const scope = createScope(request);
      await check('onExport', request);
      return scope as Scope;
    },
  };
};
