import type { Scope } from '../../scope/scope.ts';
import type { HttpRequest, RequestScope } from '../http/http-request.ts';
import type { Rules } from './rule.ts';

/** Returns the context in which a file is read. `upstreamCalls` is the estimate. @throws GraphQLError when a rule refuses it. */
export type BeginFile = (request: HttpRequest, upstreamCalls: number) => Promise<Scope>;

interface FileOptions {
  readonly rules: Rules;
  /** Also sets `request.scope`. Returns the context of resolvers. */
  readonly createScope: (request: HttpRequest) => RequestScope;
}

export const createBeginFile =
  ({ rules, createScope }: FileOptions): BeginFile =>
  async (request, upstreamCalls) => {
    request.estimate = { upstreamCalls, searches: 0, storedRows: 0, isNeverLimited: false };
    const scope = createScope(request);
    const refusal = await rules.check('onExport', request);
    if (refusal) throw refusal;
    return scope as Scope;
  };
