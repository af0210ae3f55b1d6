import type { DocumentNode, ExecutionResult, OperationDefinitionNode } from 'graphql';
import { GraphQLError } from 'graphql';
import type { CoercedVariables } from '../../lib/graphql-js.ts';
import type { HttpRequest } from '../http/http-request.ts';
import type { HttpRefusal } from '../http/responses.ts';
import { checkParams, type Params } from './params.ts';

/** The error that refuses a request; null allows it. A promise only where the rule has to wait. */
export type RuleVerdict = GraphQLError | null | Promise<GraphQLError | null>;

/** A valid operation that is about to be executed. */
export interface RequestedOperation {
  readonly document: DocumentNode;
  readonly operation: OperationDefinitionNode;
  /** The text of the document. */
  readonly text: string;
  /** As the client sent them. */
  readonly variables?: Readonly<Record<string, unknown>> | null | undefined;
  /** Coerces `variables` in its first call, and returns the same values later. Absent on the Yoga path. */
  readonly coerceVariables?: () => CoercedVariables;
}

/** A rule of the server. It holds for every request to the graph, on the fast path and on the Yoga path, and for exports. */
export interface Rule {
  /** Checks the head of a request, before its body is read. */
  onRequest?(request: HttpRequest): RuleVerdict;
  /** Checks the body of a POST to the graph before its JSON is read. */
  onBody?(text: string, request: HttpRequest): HttpRefusal | null;
  /** Returns the parameters to use instead, or the error that refuses the request. */
  onParams?(params: Params): Params | GraphQLError;
  /** Checks an operation before it is executed. */
  onOperation?(operation: RequestedOperation, request: HttpRequest): RuleVerdict;
  /** Checks the export of a list, before that is read. */
  onExport?(request: HttpRequest): RuleVerdict;
  /** Checks a request whose response is cached, before that is sent. */
  onCachedResponse?(request: HttpRequest): RuleVerdict;
  /** Checks a request again before each part of its response is sent. */
  onPart?(request: HttpRequest): RuleVerdict;
  /** Returns the result as the client receives it. `isPart` is true for each part of a stream. */
  onResult?(result: ExecutionResult, request: HttpRequest, isPart: boolean): ExecutionResult;
}

/** Whether another part of the response follows, which has the `extensions`. */
export const isFollowed = (result: ExecutionResult): boolean =>
  'hasNext' in result && result.hasNext === true;

/** The rules of the server in their order. Both paths run them through this class. */
export class Rules {
  readonly #rules: readonly Rule[];

  constructor(rules: readonly Rule[]) {
    this.#rules = rules;
  }

  /** Runs the hooks that check only the request. */
  check(
    hook: 'onRequest' | 'onExport' | 'onCachedResponse' | 'onPart',
    request: HttpRequest,
  ): RuleVerdict {
    return this.#check((rule) => rule[hook]?.(request) ?? null);
  }

  checkBody(text: string, request: HttpRequest): HttpRefusal | null {
    for (const rule of this.#rules) {
      const refusal = rule.onBody?.(text, request);
      if (refusal) return refusal;
    }
    return null;
  }

  /** The parameters of a request, with the text of the document as `query`. @throws GraphQLError when a rule refuses them. */
  resolveParams(sent: Params): Params {
    let params = sent;
    for (const rule of this.#rules) {
      const resolved = rule.onParams?.(params) ?? params;
      if (resolved instanceof GraphQLError) throw resolved;
      params = resolved;
    }
    const refusal = checkParams(params);
    if (refusal) throw refusal;
    return params;
  }

  checkOperation(operation: RequestedOperation, request: HttpRequest): RuleVerdict {
    return this.#check((rule) => rule.onOperation?.(operation, request) ?? null);
  }

  finishResult(result: ExecutionResult, request: HttpRequest, isPart = false): ExecutionResult {
    let finished = result;
    for (const rule of this.#rules) {
      finished = rule.onResult?.(finished, request, isPart) ?? finished;
    }
    return finished;
  }

  /** The first error; a promise only if a rule returns one. */
  #check(verdictOf: (rule: Rule) => RuleVerdict, from = 0): RuleVerdict {
    for (let at = from; at < this.#rules.length; at += 1) {
      const rule = this.#rules[at];
      const verdict = rule ? verdictOf(rule) : null;
      if (verdict instanceof Promise) {
        return verdict.then((error) => error ?? this.#check(verdictOf, at + 1));
      }
      if (verdict) return verdict;
    }
    return null;
  }
}
