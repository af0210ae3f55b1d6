import { hash } from 'node:crypto';
import type { OperationDefinitionNode } from 'graphql';
import type { OperationFacts } from '../../../observability/tracing.ts';
import type { RequestObserver } from '../../http/request-observer.ts';
import type { RequestedOperation, Rule } from '../rule.ts';

/** Describes the operation for logs, traces and metrics. */
export function observeOperation(observer: RequestObserver | undefined): Rule {
  const known = new WeakMap<OperationDefinitionNode, OperationFacts>();
  return {
    onOperation(requested, request) {
      const facts = known.get(requested.operation) ?? describe(requested);
      known.set(requested.operation, facts);
      request.operation = facts;
      observer?.operationBegins(request, facts);
      return null;
    },
  };
}

const plainName = /^[_A-Za-z]\w{0,63}$/;
/** Hexadecimal digits of the hash that identify a document in logs. */
const shownDigits = 12;

/** Contains no text of the document but a plain name. */
function describe({ operation, text }: RequestedOperation): OperationFacts {
  const name = operation.name?.value;
  return {
    kind: operation.operation,
    name: name && plainName.test(name) ? name : null,
    document: hash('sha256', text).slice(0, shownDigits),
  };
}
